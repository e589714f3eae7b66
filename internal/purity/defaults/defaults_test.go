package defaults

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const source = `package m

type Set struct {
	name  string
	names map[string]bool
	Usage func()
}

func NewSet(name string) *Set { return &Set{name: name, names: map[string]bool{}} }

// Default is changed by functions, Fixed by none, and hidden was made without a constructor of its own.
var Default = NewSet("m")
var Fixed = NewSet("f")
var hidden = &counter{}

type counter struct{ n int }

func init() { Default.Usage = usage }
func usage() {}

func (s *Set) Add(name string)      { s.names[name] = true }
func (s *Set) Has(name string) bool { return s.names[name] }
func (s *Set) Same() bool           { return s == Default }

func Add(name string)           { Default.Add(name) }
func AddTwo(a, b string)        { Add(a); Add(b) }
func Has(name string) bool      { return Default.Has(name) }
func FixedHas(name string) bool { return Fixed.Has(name) }
func Next() int                 { hidden.n++; return hidden.n }
func Twice(n int) int           { return 2 * n }
`

func TestDefaults(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[0]
	d := Of(pkg)
	names := func(vars []*types.Var) string {
		var out []string
		for _, v := range vars {
			out = append(out, v.Name())
		}
		return strings.Join(out, " ")
	}
	for fn, want := range map[string]string{"Add": "Default", "AddTwo": "Default", "Has": "Default", "FixedHas": "", "Next": "", "Twice": "", "NewSet": ""} {
		if got := names(d.Used(fn)); got != want {
			t.Errorf("default objects of %s = %q, want %q", fn, got, want)
		}
	}
	call := func(fn string) *testcase.Sequence {
		f := pkg.Types.Scope().Lookup(fn).(*types.Func)
		var b testcase.Builder
		var args []testcase.Ref
		for p := range f.Signature().Params().Variables() {
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Type()}))
		}
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, args...)
		return b.Sequence()
	}
	for fn, want := range map[string]string{"Add": "Default", "AddTwo": "Default", "Has": "", "Twice": ""} {
		if got := names(d.Lacks(call(fn))); got != want {
			t.Errorf("calls of %s lack %q, want %q", fn, got, want)
		}
	}
	c := &testcase.Case{Target: "Add", Seq: call("Add"), Predicted: &testcase.Outcome{}, Closes: []testcase.Closing{{Object: testcase.Ref{Stmt: 1}}}}
	renewed := d.Renewed(c)
	if got := renewed.Seq.String(); !strings.Contains(got, "NewSet") || len(d.Lacks(renewed.Seq)) > 0 || renewed.Predicted != nil || renewed.Closes[0].Object.Stmt != 4 {
		t.Errorf("a new object in front of %s: %s, closes %v", c.Seq, got, renewed.Closes)
	}
	if c := (&testcase.Case{Target: "Has", Seq: call("Has")}); d.Renewed(c) != c {
		t.Error("a function that only reads the object gets a new one")
	}
	if d.Is(pkg.Types.Scope().Lookup("Fixed").(*types.Var)) || !slices.Equal(d.Vars(), []*types.Var{pkg.Types.Scope().Lookup("Default").(*types.Var)}) {
		t.Errorf("default objects: %s", names(d.Vars()))
	}
}
