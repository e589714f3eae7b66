package plain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// spread returns a call that spreads its last argument.
func spread(st testcase.Statement) testcase.Statement {
	op := *st.Op
	op.Spread = true
	st.Op = &op
	return st
}

// Ways for values of any type, for calls on other objects, and for types of other packages.
func TestWaysOfAnything(t *testing.T) {
	p := newProgram(t)
	anyType, num := types.Universe.Lookup("any").Type(), types.Typ[types.Int]
	month := p.fn("During").Signature().Params().At(0).Type()
	size := p.typ("Size")
	object := func(of int) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ("Segment"))}, Args: refs(of)}
	}
	for _, tt := range []struct {
		name  string
		way   Way
		stmts []testcase.Statement
		want  string
	}{
		{"a key and a value that are both nil differ", Anything(true, false, false), []testcase.Statement{p.zero(anyType), p.call(p.fn("Hold"), 0, 0)}, `Hold("a", 1)`},
		{"what is equal stays equal", Anything(false, false, false), []testcase.Statement{p.zero(anyType), p.call(p.fn("Hold"), 0, 0)}, `Hold("a", "a")`},
		{"an object that was at hand", Anything(true, false, false), []testcase.Statement{p.zero(p.typ("Segment")), object(0), p.integer(num, 1), p.call(p.fn("Hold"), 1, 2)}, `Hold("a", 1)`},
		{"a value that was chosen stays", Anything(true, false, false), []testcase.Statement{p.text("chosen"), p.integer(num, 7), p.call(p.fn("Hold"), 0, 1)}, ""},
		{"elements of a list", Anything(true, false, false), []testcase.Statement{p.zero(anyType), p.call(p.fn("Log"), 0, 0)}, `Log("a", 1)`},
		{"keys may be no texts", Anything(true, false, true), []testcase.Statement{p.zero(anyType), p.call(p.fn("Log"), 0, 0)}, "Log(1, 2)"},
		{"typical keys and values", Typical(0), []testcase.Statement{p.zero(p.fn("Log").Signature().Params().At(0).Type()), spread(p.call(p.fn("Log"), 0))}, `v4 := any("name"); v5 := any("ann"); v6 := any("age"); v7 := any(42); v8 := []any{v4, v5, v6, v7}; Log(v8...)`},
		{
			"calls on other objects go", Related,
			[]testcase.Statement{p.zero(p.typ("Segment")), object(0), p.zero(p.typ("Segment")), object(2), p.integer(num, 7), p.call(p.method("Segment", "Keep"), 1, 4), p.call(p.method("Segment", "Keep"), 3, 4)},
			"v1 := &p.Segment{}; v1.Keep(7)",
		},
		{
			"calls on the same object stay", Related,
			[]testcase.Statement{p.zero(p.typ("Segment")), object(0), p.integer(num, 7), p.call(p.method("Segment", "Keep"), 1, 2), p.call(p.method("Segment", "Keep"), 1, 2)},
			"",
		},
		{
			"one object in two places", Apart,
			[]testcase.Statement{p.text("10.5"), p.call(p.fn("Parsed"), 0), p.call(p.method("Segment", "Keep"), 1, 1)},
			`v1 := Parsed("10.5"); v3 := Parsed("3.25"); v1.Keep(v3)`,
		},
		{"one object that no number makes", Apart, []testcase.Statement{p.text("ann"), p.call(p.fn("Parsed"), 0), p.call(p.method("Segment", "Keep"), 1, 1)}, ""},
		{"a month that there is not", Enumerated(0), []testcase.Statement{p.zero(month), p.call(p.fn("During"), 0)}, "During(2)"},
		{"a range from its upper end", Bounds, []testcase.Statement{p.integer(num, 7), p.integer(num, 3), p.integer(num, 1), p.call(p.fn("Between"), 0, 1, 2)}, "Between(3, 7, 1)"},
		{"a range from its lower end", Bounds, []testcase.Statement{p.integer(num, 3), p.integer(num, 7), p.integer(num, 1), p.call(p.fn("Between"), 0, 1, 2)}, ""},
		{"an empty range", Bounds, []testcase.Statement{p.integer(num, 3), p.integer(num, 3), p.integer(num, 1), p.call(p.fn("Between"), 0, 1, 2)}, ""},
		{"a text that is no constant", Enumerated(0), []testcase.Statement{p.zero(p.typ("Family")), p.call(p.fn("OfFamily"), 0)}, `OfFamily("ipv6")`},
		{"bits that are no flags go", OnlyFlags, []testcase.Statement{p.text("a"), p.integer(num, 8+2), p.call(p.fn("Walk"), 0, 1)}, `Walk("a", 2)`},
		{"only flags", OnlyFlags, []testcase.Statement{p.text("a"), p.integer(num, 7), p.call(p.fn("Walk"), 0, 1)}, ""},
		{"a flag goes", WithoutFlag(1), []testcase.Statement{p.text("a"), p.integer(num, 7), p.call(p.fn("Walk"), 0, 1)}, `Walk("a", 5)`},
		{"a flag that is not set", WithoutFlag(1), []testcase.Statement{p.text("a"), p.integer(num, 5), p.call(p.fn("Walk"), 0, 1)}, ""},
		{"typical flags", Typical(2), []testcase.Statement{p.text("chosen"), p.integer(num, 6), p.call(p.fn("Walk"), 0, 1)}, `Walk("a.tar.gz", 2)`},
		{"flags get no other numbers", Distinct, []testcase.Statement{p.text("chosen"), p.integer(num, 1), p.call(p.fn("Walk"), 0, 1)}, ""},
		{"a unit and one", MixedUnits, []testcase.Statement{p.integer(size, 1_000_001), p.call(p.fn("Store"), 0)}, "Store(1001000)"},
		{"the smallest unit and one", MixedUnits, []testcase.Statement{p.integer(size, 1_001), p.call(p.fn("Store"), 0)}, ""},
		{"a unit", MixedUnits, []testcase.Statement{p.integer(size, 1_000_000), p.call(p.fn("Store"), 0)}, ""},
		{"months are no units", MixedUnits, []testcase.Statement{p.integer(month, 5), p.call(p.fn("During"), 0)}, ""},
		{"a month stays", Enumerated(0), []testcase.Statement{p.integer(month, 5), p.call(p.fn("During"), 0)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			last := tt.stmts[len(tt.stmts)-1].Op.Func
			c := &testcase.Case{Target: testcase.TargetName(last), Seq: testcase.NewSequence(tt.stmts...), Observed: &testcase.Outcome{}}
			seq, ok := tt.way(p.pkg, c)
			if !ok && tt.want == "" {
				return
			}
			if !ok || seq.String() != tt.want {
				t.Errorf("got %v, %t; want %s", seq, ok, tt.want)
			}
		})
	}
}

// Objects of another package by its constructors, functions in the place of others, and what functions return.
func TestForeign_objects(t *testing.T) {
	fset := token.NewFileSet()
	check := func(path, source string, imported types.Importer) *types.Package {
		t.Helper()
		f, err := parser.ParseFile(fset, path+".go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Importer: imported}
		pkg, err := conf.Check(path, fset, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return pkg
	}
	msg := check("example.com/msg", `package msg

type Message struct {
	ID      string
	Payload []byte
	acked   bool
}

func New(id string, payload []byte) *Message { return &Message{ID: id, Payload: payload} }

type Point struct{ X, Y int }

func NewPoint(x, y int) *Point { return &Point{x, y} }

type Handler func(*Message) ([]*Message, error)

func Wrap(s string) string { return s }
`, nil)
	pkg := check("p", `package p

import "example.com/msg"

func Handle(m *msg.Message) string { return "" }
func Draw(p *msg.Point) string { return "" }
func Retry(h msg.Handler) msg.Handler { return h }
func Log(h msg.Handler) msg.Handler { return h }
func Number(f func() int) {}
func Show(s string) {}
`, only{msg})
	p := program{t, &load.Package{Path: "p", Types: pkg}}
	foreign := func(name string) types.Type { return msg.Scope().Lookup(name).Type() }
	object := func(name string) []testcase.Statement {
		return []testcase.Statement{p.zero(foreign(name)), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(foreign(name))}, Args: refs(0)}}
	}
	handler := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpStubFunc, Type: foreign("Handler")}}
	for _, tt := range []struct {
		name  string
		way   Way
		stmts []testcase.Statement
		want  string
	}{
		{"an object with hidden fields", Foreign, append(object("Message"), p.call(p.fn("Handle"), 1)), `v6 := []byte{119, 111, 114, 108, 100}; v7 := New("id1", v6); Handle(v7)`},
		{"an object that users write", Foreign, append(object("Point"), p.call(p.fn("Draw"), 1)), ""},
		{"a function made for this alone", Direct, []testcase.Statement{handler, p.call(p.fn("Log"), 0), p.call(p.fn("Retry"), 1)}, "v0 := stub msg.Handler{}; Retry(v0)"},
		{"an object made of one like it", Unnested, []testcase.Statement{p.text("a"), p.call(msg.Scope().Lookup("Wrap").(*types.Func), 0), p.call(msg.Scope().Lookup("Wrap").(*types.Func), 1), p.call(p.fn("Show"), 2)}, `v1 := Wrap("a"); Show(v1)`},
		{"a function by itself", Direct, []testcase.Statement{handler, p.call(p.fn("Retry"), 0)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			last := tt.stmts[len(tt.stmts)-1].Op.Func
			c := &testcase.Case{Target: testcase.TargetName(last), Seq: testcase.NewSequence(tt.stmts...), Observed: &testcase.Outcome{}}
			seq, ok := tt.way(p.pkg, c)
			if ok != (tt.want != "") || ok && seq.String() != tt.want {
				t.Errorf("got %v, %t; want %s", seq, ok, tt.want)
			}
		})
	}
	t.Run("a handler that returned nothing returns an object", func(t *testing.T) {
		list := foreign("Handler").Underlying().(*types.Signature).Results().At(0).Type()
		none := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: list}}
		op := *handler.Op
		op.Stub = []testcase.StubCall{{From: 0, To: 2}}
		scripted := testcase.Statement{Op: &op, Args: refs(0, 1)}
		c := &testcase.Case{Target: "Retry", Seq: testcase.NewSequence(none, p.zero(types.Universe.Lookup("error").Type()), scripted, p.call(p.fn("Retry"), 2)), Observed: &testcase.Outcome{}}
		seq, ok := Answers(p.pkg, c)
		if !ok || !strings.Contains(seq.String(), `New("id2"`) {
			t.Errorf("got %v, %t; want a handler that returns a message", seq, ok)
		}
	})
	t.Run("a handler returns an object", func(t *testing.T) {
		c := &testcase.Case{Target: "Retry", Seq: testcase.NewSequence(handler, p.call(p.fn("Retry"), 0)), Observed: &testcase.Outcome{}}
		seq, ok := Answers(p.pkg, c)
		if !ok || !strings.Contains(seq.String(), `New("id2"`) {
			t.Errorf("got %v, %t; want a handler that returns a message", seq, ok)
		}
	})
}

// only imports one package.
type only struct{ pkg *types.Package }

func (o only) Import(string) (*types.Package, error) { return o.pkg, nil }
