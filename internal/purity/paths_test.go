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
	for s, want := range map[string][2]bool{"": {false, true}, "logs": {false, true}, "/var/log": {}, "../logs": {}} {
		if got := [2]bool{p.Given(path(s)), p.Within(path(s))}; got != want {
			t.Errorf("Log(%q): own %v, within %v; want %v", s, got[0], got[1], want)
		}
	}
	for name, want := range map[string]bool{"Log": true, "Store.Clear": false, "Reset": false, "Home": false, "Store.Read": false} {
		if got := p.Changes(pkg.Target(name).Obj); got != want {
			t.Errorf("%s: changes only what inputs name: %v, want %v", name, got, want)
		}
	}
}

// A function is called only if all the files that it changes are named by inputs of this call: constants, fields that may be
// empty, literals' parameters and what other callers pass are no inputs.
func TestPaths_Changes(t *testing.T) {
	pkg := loadSource(t, `package m

import (
	"os"
	"path/filepath"

	"example.com/m/sub"
)

type Cache struct{ dir string }

func NewCache(dir string) *Cache { return &Cache{dir: dir} }

func Later(dir string, now bool) *Cache {
	c := &Cache{}
	if now {
		c.dir = dir
	}
	return c
}

func (c *Cache) Clear() error { return os.RemoveAll(filepath.Join(c.dir, "cache")) }

type Config struct{ dir string }

func (c *Config) Default() { c.dir = "config" }

func (c *Config) Drop() error { return os.RemoveAll(c.dir) }

type Options struct{ Base string }

type Store struct{ Options }

func (s *Store) Wipe() error { return os.RemoveAll(s.Base) }

func Wipe(dir string) error { return os.RemoveAll(dir + "/data") }

func Move(path string) error { return os.Rename(path, "/tmp/x") }

func Both(from, to string) error { return os.Rename(from, to) }

func Save(path string) error { return write(path) }

func Install() error { return write("installed.conf") }

func write(path string) error { return os.WriteFile(path, nil, 0o600) }

func Walk() error {
	return filepath.Walk("/var/x", func(path string, _ os.FileInfo, _ error) error { return os.Remove(path) })
}

func Two(path string) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	return filepath.Walk("/var/x", func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Remove(path)
	})
}

func Or(path string) error {
	if path == "" {
		path = "data"
	}
	return os.RemoveAll(path)
}

func Up(dir string) error { return os.RemoveAll(filepath.Join(dir, "../..")) }

func Parent(dir string) error { return os.RemoveAll(filepath.Dir(filepath.Dir(dir))) }

func Cut(dir string) error { return os.RemoveAll(dir[:4]) }

type hooks struct{ drop func(string) error }

var own = hooks{drop: os.RemoveAll}

func Hooked(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return own.drop("/srv/data")
}

type dropper interface{ Drop(all bool) error }

type data struct{}

func (data) Drop(all bool) error {
	if all {
		return os.RemoveAll("/srv/data")
	}
	return nil
}

func Dropped(dir string, d dropper) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return d.Drop(true)
}

func Told(dir string, done func(int)) error {
	done(1)
	return os.RemoveAll(dir)
}

func Within(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return locked(func() error { return os.RemoveAll(dir) })
}

func locked(f func() error) error { return f() }

func Logged(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	_, err := os.OpenFile("removed.log", os.O_CREATE|os.O_TRUNC, 0o600)
	return err
}

func Listed(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	_, err := os.OpenFile("/proc/mounts", os.O_RDONLY, 0)
	return err
}

func Installed(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return sub.Reset()
}

func Held(dir string) error { f := func() error { return os.RemoveAll(dir) }; return f() }
`)
	p := PathsOf(pkg)
	for name, want := range map[string]bool{
		"Wipe": true, "Both": true, "Save": true, "write": true, "Held": true, "Told": true, "Within": true, "Listed": true, "Cache.Clear": true, "Store.Wipe": true,
		"Hooked": false, "Dropped": false, "Logged": false, "Installed": false,
		"Config.Drop": false, "Move": false, "Install": false, "Walk": false, "Two": false, "Or": false, "Up": false, "Parent": false, "Cut": false,
	} {
		if got := p.Changes(pkg.Target(name).Obj); got != want {
			t.Errorf("%s: changes only what inputs name: %v, want %v", name, got, want)
		}
	}
	if NewWorldEffects().Effect(pkg.Target("Walk").Func) == "" {
		t.Error("Walk calls its function at least once")
	}

	text := types.Typ[types.String]
	literal := func(s string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
	}
	dir := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Via: &testcase.Helper{Name: "tempDir", OfTest: true}}}
	call := func(name string, args ...int) testcase.Statement {
		kind := testcase.OpFunc
		if strings.Contains(name, ".") {
			kind = testcase.OpMethod
		}
		st := testcase.Statement{Op: &testcase.Operation{Kind: kind, Func: pkg.Target(name).Obj}}
		for _, a := range args {
			st.Args = append(st.Args, testcase.Ref{Stmt: a})
		}
		return st
	}
	typ := func(name string) types.Type { return pkg.Types.Scope().Lookup(name).Type() }
	composite := func(name string, args ...int) testcase.Statement {
		st := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: typ(name), Elems: []int{}}}
		for i, a := range args {
			st.Op.Elems = append(st.Op.Elems, i)
			st.Args = append(st.Args, testcase.Ref{Stmt: a})
		}
		return st
	}
	addr := func(name string, of int) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(typ(name))}, Args: []testcase.Ref{{Stmt: of}}}
	}
	value := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFuncValue, Func: pkg.Target("Wipe").Obj}}
	for _, c := range []struct {
		name string
		want bool
		list []testcase.Statement
	}{
		{"Wipe(dir)", true, []testcase.Statement{dir, call("Wipe", 0)}},
		{"Wipe(\"\")", false, []testcase.Statement{literal(""), call("Wipe", 0)}},
		{"Wipe(zero)", false, []testcase.Statement{{Op: &testcase.Operation{Kind: testcase.OpZero, Type: text}}, call("Wipe", 0)}},
		{"Both(dir, x)", false, []testcase.Statement{dir, literal("x"), call("Both", 0, 1)}},
		{"Both(dir, dir)", true, []testcase.Statement{dir, call("Both", 0, 0)}},
		{"a text that leads out", false, []testcase.Statement{dir, literal("../.."), call("Wipe", 0)}},
		{"Wipe as a value", false, []testcase.Statement{dir, value}},
		{"&Cache{}", false, []testcase.Statement{composite("Cache"), addr("Cache", 0), call("Cache.Clear", 1)}},
		{"&Cache{dir}", true, []testcase.Statement{dir, composite("Cache", 0), addr("Cache", 1), call("Cache.Clear", 2)}},
		{"another has the path", false, []testcase.Statement{dir, call("NewCache", 0), composite("Cache"), addr("Cache", 2), call("Cache.Clear", 3)}},
		{"NewCache(dir)", true, []testcase.Statement{dir, call("NewCache", 0), call("Cache.Clear", 1)}},
		{"Later(dir)", false, []testcase.Statement{dir, literal("a"), call("Later", 0, 1), call("Cache.Clear", 2)}},
		{"&Store{Options{dir}}", true, []testcase.Statement{dir, composite("Options", 0), composite("Store", 1), addr("Store", 2), call("Store.Wipe", 3)}},
		{"&Store{}", false, []testcase.Statement{dir, composite("Store"), addr("Store", 1), call("Store.Wipe", 2)}},
	} {
		if got := p.Given(testcase.NewSequence(c.list...)); got != c.want {
			t.Errorf("%s: keeps to its own files: %v, want %v", c.name, got, c.want)
		}
	}
}

// A path that a closure joins of captured variables is followed to the parameters that these are.
func TestPathsOf_captured(t *testing.T) {
	pkg := loadSource(t, `package m

import (
	"os"
	"path/filepath"
	"strings"
)

func Save(format, path, name string) error {
	file := func(ext string) string {
		if filepath.Ext(name) == "" {
			name += "." + strings.ToLower(ext)
		}
		out := name
		if path != "" {
			out = filepath.Join(path, name)
		}
		return out
	}
	switch format {
	case "XML":
		return save(nil, file("xml"))
	case "JSON":
		return save(nil, file("json"))
	}
	return os.ErrInvalid
}

func save(data []byte, to string) error { return os.WriteFile(to, data, 0o600) }
`)
	p := PathsOf(pkg)
	var got []string
	for v, kind := range p.kinds {
		got = append(got, fmt.Sprintf("%s:%d", v.Name(), kind))
	}
	slices.Sort(got)
	if want := "name:1 path:2 to:1"; strings.Join(got, " ") != want {
		t.Errorf("paths are %v, want %s", got, want)
	}
	for i, want := range []bool{false, false, true} {
		if v := pkg.Target("Save").Obj.Signature().Params().At(i); p.Joined(v) != want {
			t.Errorf("%s is joined behind a path: %v, want %v", v.Name(), !want, want)
		}
	}
}

// A package that only reads files writes none; one that writes or removes some, or calls another module that may, does.
func TestMayWriteFiles(t *testing.T) {
	for body, want := range map[string]bool{
		`os.ReadFile(path)`:                         false,
		`os.OpenFile(path, os.O_RDONLY, 0)`:         false,
		`os.OpenFile(path, os.O_APPEND|1, 0)`:       true,
		`os.WriteFile(path, nil, 0)`:                true,
		`func() error { return os.Remove(path) }()`: true,
		`os.CreateTemp(path, "a")`:                  true,
	} {
		pkg := loadSource(t, "package m\n\nimport \"os\"\n\nfunc F(path string) { "+body+" }\n")
		if got := MayWriteFiles(pkg); got != want {
			t.Errorf("%s: MayWriteFiles() = %t, want %t", body, got, want)
		}
	}
}
