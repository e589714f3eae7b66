package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// What a file has to be there for is reached: a text that a file has, a directory in which a file can be made, and what one
// call has written and another one reads. The names of the directories are in no result, since each test has others.
func TestPaths(t *testing.T) {
	s := open(t, source(`package p

import (
	"fmt"
	"os"
	"path/filepath"
)

type Store struct{ Dir string }

func (s *Store) Put(key string) (string, error) {
	path := filepath.Join(s.Dir, "k"+key)
	if err := os.WriteFile(path, []byte("v"), 0o600); err != nil {
		return "", fmt.Errorf("put: %w", err)
	}
	return path, nil
}

func Size(path string) (int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return len(b), nil
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 50_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
	own := false
	for _, c := range cases {
		if c.Target != "Store.Put" || c.Observed == nil || c.Observed.Unstable {
			continue
		}
		last := c.Observed.Results[c.TargetStmt()]
		own = own || (strings.Contains(c.Seq.String(), "tempDir()") || strings.Contains(c.Seq.String(), "dirWith(")) && last[0].Kind == testcase.Opaque
	}
	if !own {
		t.Errorf("no case puts something into a directory of its own, with a name that is not shown:\n%v", cases)
	}
}
