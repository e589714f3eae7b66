package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
)

// A function that changes the package's default object is called on a new one, so that what is defined twice in a process is
// defined once for each sequence.
func TestDefaults(t *testing.T) {
	s := open(t, source(`package p

type Set struct{ names map[string]int }

func NewSet() *Set { return &Set{map[string]int{}} }

var Default = NewSet()

func (s *Set) Define(name string, n int) int {
	if _, ok := s.names[name]; ok {
		panic("defined twice: " + name)
	}
	s.names[name] = n
	return len(s.names)
}

func Define(name string, n int) int { return Default.Define(name, n) }

func Get(name string) (int, bool) {
	n, ok := Default.names[name]
	if !ok {
		return -1, false
	}
	return n, true
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
	defined := 0
	for _, c := range cases {
		text := c.Seq.String()
		if i := strings.Index(text, "; Define("); i >= 0 || strings.HasPrefix(text, "Define(") {
			defined++
			if at := strings.Index(text, "Default = "); at < 0 || at > i {
				t.Errorf("no new object before %s", text)
			}
		}
	}
	if defined == 0 {
		t.Error("no case defines anything")
	}
}
