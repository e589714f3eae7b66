package complete

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const source = `package m

type Entry struct {
	Key   string
	Value any
}

type Object []Entry

func (o Object) Get(key string) (any, bool) { return nil, false }

// Tags has the image of each tag, e.g. { "latest": 507f1f77 }.
type Tags map[string]string

func List(tags Tags) string { return "" }

func Merge(a, b map[string]any) map[string]any { return nil }

func Equal(a, b map[string]string) bool { return false }

type Mode string

const (
	Fast Mode = "fast"
	Slow Mode = "slow"
)

func Run(m *Mode) {}

type Rule struct {
	Code uint16
	Mode Mode
}

func First(code uint16, rules []Rule) {}

type Tree struct {
	Name     string
	Children []*Tree
	Mode     Mode
	Left     [3]Entry
	Depth    int
	Hidden   bool
}

func Depth(t []Tree) int { return t[0].Depth }

type Email string

func Notify(all []Email) {}

func Sum(numbers []int) int { return 0 }
`

// maker makes the statements of a case.
type maker struct {
	t     *testing.T
	pkg   *load.Package
	stmts []testcase.Statement
}

func newMaker(t *testing.T) *maker {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	return &maker{t: t, pkg: prog.Packages[0]}
}

func (m *maker) add(op *testcase.Operation, args ...int) int {
	st := testcase.Statement{Op: op}
	for _, a := range args {
		st.Args = append(st.Args, testcase.Ref{Stmt: a})
	}
	m.stmts = append(m.stmts, st)
	return len(m.stmts) - 1
}

func (m *maker) typ(name string) types.Type { return m.pkg.Types.Scope().Lookup(name).Type() }

func (m *maker) text(s string) int {
	return m.add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
}

func (m *maker) number(t types.BasicKind, n uint64) int {
	lit, _ := testcase.IntLiteral(types.Typ[t], int64(n))
	return m.add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[t], Lit: lit})
}

func (m *maker) zero(t types.Type) int {
	return m.add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
}

func (m *maker) list(t types.Type, elems ...int) int {
	return m.add(&testcase.Operation{Kind: testcase.OpComposite, Type: t, N: len(elems)}, elems...)
}

func (m *maker) dict(t types.Type, entries ...int) int {
	return m.add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, entries...)
}

func (m *maker) boxed(v int) int {
	return m.add(&testcase.Operation{Kind: testcase.OpConvert, Type: types.Universe.Lookup("any").Type()}, v)
}

// call returns the case that calls a function, or a method of Object.
func (m *maker) call(name string, args ...int) *testcase.Case {
	op := &testcase.Operation{Kind: testcase.OpFunc}
	if f, ok := m.pkg.Types.Scope().Lookup(name).(*types.Func); ok {
		op.Func = f
	} else {
		obj, _, _ := types.LookupFieldOrMethod(m.typ("Object"), true, m.pkg.Types, name)
		op.Kind, op.Func = testcase.OpMethod, obj.(*types.Func)
	}
	m.add(op, args...)
	return &testcase.Case{Target: name, Seq: testcase.NewSequence(m.stmts...)}
}

func TestContent(t *testing.T) {
	any := types.Universe.Lookup("any").Type()
	values := types.NewMap(types.Typ[types.String], any)
	words := types.NewMap(types.Typ[types.String], types.Typ[types.String])
	for _, tt := range []struct {
		name string
		of   func(m *maker) *testcase.Case
		want []string // among the calls with content; nil if there are none
	}{
		{"elements without anything, another key", func(m *maker) *testcase.Case {
			return m.call("Get", m.list(m.typ("Object"), m.zero(m.typ("Entry")), m.zero(m.typ("Entry"))), m.text("hello"))
		}, []string{`Object{Entry{Key: "abc", Value: any("def")}, Entry{Key: "ghi", Value: any(3)}}.Get("hello")`}},
		{"the key that is looked up", func(m *maker) *testcase.Case {
			return m.call("Get", m.list(m.typ("Object"), m.zero(m.typ("Entry"))), m.text(""))
		}, []string{`Object{Entry{Key: "abc", Value: any("def")}}.Get("abc")`, `Object{Entry{Key: "abc", Value: any(3)}}.Get("abc")`, `Object{Entry{Key: "abc", Value: any("def")}}.Get("")`}},
		{"a sign of the solver's as a key", func(m *maker) *testcase.Case {
			value := m.boxed(m.text("value"))
			e := m.add(&testcase.Operation{Kind: testcase.OpComposite, Type: m.typ("Entry"), Elems: []int{0, 1}}, m.text("@"), value)
			return m.call("Get", m.list(m.typ("Object"), m.zero(m.typ("Entry")), e), m.text("@"))
		}, []string{`Object{Entry{Key: "abc", Value: any("def")}, Entry{Key: "ghi", Value: any("value")}}.Get("ghi")`}},
		{"a list that is empty", func(m *maker) *testcase.Case { return m.call("Get", m.list(m.typ("Object")), m.text("")) }, nil},
		{"keys of the documentation's example", func(m *maker) *testcase.Case {
			return m.call("List", m.dict(m.typ("Tags"), m.text(""), m.text("")))
		}, []string{`List(Tags{"latest": "tag", "abc": "def"})`}},
		{"one map for two arguments", func(m *maker) *testcase.Case {
			inner := m.add(&testcase.Operation{Kind: testcase.OpConvert, Type: any}, m.dict(values))
			outer := m.dict(values, m.text("abc"), inner)
			return m.call("Merge", outer, outer)
		}, []string{`Merge(map[string]any{"abc": any(map[string]any{"def": any("ghi")})}, map[string]any{"abc": any(map[string]any{"jkl": any(3)})})`}},
		{"keys alone", func(m *maker) *testcase.Case {
			return m.call("Equal", m.dict(words, m.text(""), m.text("")), m.zero(words))
		}, []string{`Equal(map[string]string{"abc": "def", "ghi": "jkl"}, nil)`, `Equal(map[string]string{"abc": ""}, nil)`}},
		{"the same key in two arguments", func(m *maker) *testcase.Case {
			return m.call("Equal", m.dict(words, m.text(""), m.text("x")), m.dict(words, m.text(""), m.text("")))
		}, []string{`Equal(map[string]string{"abc": "x"}, map[string]string{"abc": ""})`}},
		{"a pointer to nothing", func(m *maker) *testcase.Case {
			return m.call("Run", m.add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(m.typ("Mode"))}, m.zero(m.typ("Mode"))))
		}, []string{`Run(&"fast")`}},
		{"numbers that the case has, constants", func(m *maker) *testcase.Case {
			return m.call("First", m.number(types.Uint16, 3), m.list(types.NewSlice(m.typ("Rule")), m.zero(m.typ("Rule"))))
		}, []string{`First(3, []Rule{Rule{Code: 5}})`}},
		{"the field that is looked at", func(m *maker) *testcase.Case {
			return m.call("Depth", m.list(types.NewSlice(m.typ("Tree")), m.zero(m.typ("Tree"))))
		}, []string{`Depth([]Tree{Tree{Depth: 3}})`}},
		{"what the name of the type says", func(m *maker) *testcase.Case {
			return m.call("Notify", m.list(types.NewSlice(m.typ("Email")), m.zero(m.typ("Email"))))
		}, []string{`Notify([]Email{"ann@example.com"})`}},
		{"a zero beside other numbers", func(m *maker) *testcase.Case {
			return m.call("Sum", m.list(types.NewSlice(types.Typ[types.Int]), m.number(types.Int, 0), m.number(types.Int, 7)))
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMaker(t)
			c := tt.of(m)
			var got []string
			for n := range MostContents {
				if seq, ok := Content(n)(m.pkg, c); ok {
					got = append(got, seq.Expression(testcase.Ref{Stmt: seq.Len() - 1}, m.pkg.Types))
				}
			}
			if len(tt.want) == 0 && len(got) > 0 {
				t.Errorf("contents are %q, want none", got)
			}
			for _, want := range tt.want {
				if !slices.Contains(got, want) {
					t.Errorf("contents are %q, want among them %s", got, want)
				}
			}
			if len(tt.want) > 0 && len(Operations(m.pkg, []*testcase.Case{c})) == 0 {
				t.Error("no operations for what has content")
			}
		})
	}
}
