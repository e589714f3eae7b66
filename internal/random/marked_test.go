package random_test

import (
	"testing"

	"github.com/goassay/assay/internal/random"
)

// What has a name is mentioned with the punctuation that the code looks for: a flag on a command line.
func TestMarked(t *testing.T) {
	s := open(t, source(`package p

import (
	"errors"
	"strings"
)

type Flags struct{ values map[string]string }

func New() *Flags { return &Flags{map[string]string{}} }

func (f *Flags) Define(name string) {
	if len(name) > 2 {
		f.values[name] = ""
	}
}

func (f *Flags) Parse(args []string) (int, error) {
	n := 0
	for _, a := range args {
		if len(a) < 2 || a[0] != '-' || a[1] != '-' {
			continue
		}
		at := strings.IndexByte(a, '=')
		if at < 0 {
			at = len(a)
		}
		name := a[2:at]
		if _, ok := f.values[name]; !ok {
			return 0, errors.New("not defined: " + name)
		}
		if at < len(a) {
			f.values[name] = a[at+1:]
			n++
		}
	}
	return n, nil
}
`))
	_, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
}
