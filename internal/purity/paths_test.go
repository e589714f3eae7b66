package purity

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Paths are followed from package os back to parameters and fields, through variables, closures, functions of the package,
// and joined texts. Functions that change only what inputs name are told apart from those that change something else.
func TestPathsOf(t *testing.T) {
	pkg := loadSource(t, `package m

import (
	"os"
	"path/filepath"
)

var openFile = os.OpenFile

type Options struct {
	Base  string
	Label string
}

type Store struct{ Options }

func (s *Store) name(key string) string { return filepath.Join(s.Base, key) }

func (s *Store) Read(key string) ([]byte, error) { return os.ReadFile(s.name(key)) }

func (s *Store) Clear() error { return os.RemoveAll(s.Base) }

func New(o Options) *Store {
	if o.Base == "" {
		o.Base = "store"
	}
	return &Store{o}
}

func Open(path, label string) (*os.File, error) { return openFile(path, os.O_RDWR, 0) }

func Later(at string) func() error { return func() error { return os.Remove(at + ".lock") } }

func Log(dir string) error { return write(dir + "/log") }

func write(to string) error { return os.WriteFile(to, nil, 0) }

func Reset() error { return os.RemoveAll("/srv/data") }

func Home() error { return os.RemoveAll(filepath.Join(os.Getenv("HOME"), ".m")) }
`)
	p := PathsOf(pkg)
	var got []string
	for v, kind := range p.kinds {
		got = append(got, fmt.Sprintf("%s:%d", v.Name(), kind))
	}
	slices.Sort(got)
	if want := "Base:2 at:1 dir:2 path:1 to:1"; strings.Join(got, " ") != want {
		t.Errorf("paths are %v, want %s", got, want)
	}
	path := func(s string) *testcase.Sequence {
		return testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Target("Log").Obj}, Args: []testcase.Ref{{}}})
	}
	for s, want := range map[string][2]bool{"": {true, true}, "logs": {false, true}, "/var/log": {}, "../logs": {}} {
		if got := [2]bool{p.Given(path(s)), p.Within(path(s))}; got != want {
			t.Errorf("Log(%q): own %v, within %v; want %v", s, got[0], got[1], want)
		}
	}
	all, others := NewWorldEffects(), p.Effects()
	for name, want := range map[string][2]bool{
		"Store.Clear": {true, false}, "Log": {true, false}, "Reset": {true, true}, "Home": {true, true}, "Store.Read": {},
	} {
		f := pkg.Target(name).Func
		if got := [2]bool{all.Effect(f) != "", others.Effect(f) != ""}; got != want {
			t.Errorf("%s: effects %v, and beyond what inputs name %v; want %v", name, got[0], got[1], want)
		}
	}
}
