package plain

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/testcase"
)

const source = `package p

import "time"

type Vec struct{ X, Y float64 }

func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y} }

type Kind int

const (
	Big  Kind = 1
	Huge Kind = 2
)

func Of(k Kind, name string, text string) {}

type Tree struct{ n int }

func New() *Tree { return &Tree{} }

func (t *Tree) Insert(x int) bool { return true }

type Segment struct{ A, B Vec }

func (s *Segment) Swap() {}

func At(t time.Time) {}

func Hold(key, value any) {}

type Size int64

const (
	Small Size = 1000
	Large Size = 1000 * Small
)

func Store(n Size) {}

func Number(id int) {}

func Seek(text, part string, until byte) {}

func Keep[K comparable, V any](key K, value V, values ...V) {}

type Family string

const (
	IPv4 Family = "ipv4"
	IPv6 Family = "ipv6"
)

func OfFamily(f Family) bool { return f == IPv4 }

func Between(countStart, countEnd int, n int) {}

func During(m time.Month) {}

const (
	Fold = 1 << iota
	Deep
	Quiet
)

func Walk(dir string, flags int) {}
func Log(keyvals ...any)         {}

func Parsed(s string) *Segment { return nil }

func Logf(format string, args ...any) {}

func Look(list []any, in map[string]any) {}

type Doc struct{ text string }

func (d *Doc) Text() string { return d.text }
func (d *Doc) Read(s string) {}

type Sayer interface{ Say() }

type Word string

func (Word) Say() {}

func Speak(s Sayer, other Sayer) {}

func (s *Segment) Keep(v any) {}
func (s *Segment) Same(o *Segment) bool { return s == o }

func Write(b []byte, sum [4]byte, n int16) {}

func Join(a string, delimiter uint8, n uint8) {}

func Wait(d time.Duration, list []int, now func() int) {}

type Asked interface {
	N() int
	Name() string
}

func Ask(a Asked) {}
`

// program is the package of source, with constructors of statements.
type program struct {
	t   *testing.T
	pkg *load.Package
}

func newProgram(t *testing.T) program {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := program{t, &load.Package{Path: "p", Types: pkg}}
	p.pkg.Literals = &load.Literals{Strings: []string{"max"}, ByFunc: map[string]*load.Literals{"Of": {Strings: []string{"="}}}}
	constant := func(name string) *types.Const { return pkg.Scope().Lookup(name).(*types.Const) }
	p.pkg.Literals.Flags = literals.Flags{p.fn("Walk"): {1: {constant("Fold"), constant("Deep"), constant("Quiet")}}}
	p.pkg.Targets = []*load.Target{{Name: "New", Obj: p.fn("New"), Exported: true}}
	return p
}

func (p program) typ(name string) types.Type { return p.pkg.Types.Scope().Lookup(name).Type() }

func (p program) fn(name string) *types.Func {
	return p.pkg.Types.Scope().Lookup(name).(*types.Func)
}

// foreign returns a function of a package that the program imports.
func (p program) foreign(path, name string) *types.Func {
	return importedFunc(p.pkg, path, name)
}

func (p program) method(typ, name string) *types.Func {
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(p.typ(typ)), true, p.pkg.Types, name)
	return m.(*types.Func)
}

func refs(stmts ...int) []testcase.Ref {
	var out []testcase.Ref
	for _, s := range stmts {
		out = append(out, testcase.Ref{Stmt: s})
	}
	return out
}

func (p program) zero(t types.Type) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}}
}

func (p program) integer(t types.Type, n int64) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}}}
}

func (p program) number(f float64) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Float64], Lit: testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(f)}}}
}

func (p program) composite(t types.Type, args ...int) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}, Args: refs(args...)}
}

func (p program) text(s string) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
}

func (p program) call(f *types.Func, args ...int) testcase.Statement {
	kind := testcase.OpFunc
	if f.Signature().Recv() != nil {
		kind = testcase.OpMethod
	}
	return testcase.Statement{Op: &testcase.Operation{Kind: kind, Func: f}, Args: refs(args...)}
}

// A case that a person would have written otherwise, and what each way makes of it.
func TestWays(t *testing.T) {
	p := newProgram(t)
	keep := p.fn("Keep")
	vec, num := p.typ("Vec"), types.Typ[types.Int]
	steps := Steps()
	values := steps[len(steps)-1-len(stepsOne())]
	bytesType, sum, list := types.NewSlice(types.Typ[types.Uint8]), types.NewArray(types.Typ[types.Uint8], 4), types.NewSlice(num)
	octet := func(n int64) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Uint8], Lit: testcase.Literal{Kind: testcase.LitUint, Bits: uint64(n)}}}
	}
	octets := func(args ...int) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: bytesType, N: len(args)}, Args: refs(args...)}
	}
	duration := p.fn("Wait").Signature().Params().At(0).Type()
	script := func(calls ...testcase.StubCall) testcase.Statement {
		op := &testcase.Operation{Kind: testcase.OpStubFunc, Type: p.fn("Wait").Signature().Params().At(2).Type(), Stub: calls}
		return testcase.Statement{Op: op, Args: refs(2, 3, 3)}
	}
	script2 := func() testcase.Statement {
		op := &testcase.Operation{Kind: testcase.OpStubIface, Type: p.typ("Asked"), Stub: []testcase.StubCall{{Method: "N", From: 0, To: 1}, {Method: "Name", From: 1, To: 2}}}
		return testcase.Statement{Op: op, Args: refs(1, 0)}
	}
	anything := types.Universe.Lookup("any").Type()
	anyList, anyMap := types.NewSlice(anything), types.NewMap(types.Typ[types.String], anything)
	once := []testcase.StubCall{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}}
	tests := []struct {
		name   string
		way    Way
		target string
		stmts  []testcase.Statement
		want   string // "" where there is nothing to do
	}{
		{
			"a format mentions its arguments", Formats, "Logf",
			[]testcase.Statement{p.text("at"), p.text("x"), {Op: &testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Universe.Lookup("any").Type()), N: 1}, Args: refs(1)}, p.call(p.fn("Logf"), 0, 2)},
			`v2 := []any{"x"}; Logf("at %v", v2)`,
		},
		{
			"a format that mentions something stays", Formats, "Logf",
			[]testcase.Statement{p.text("%s"), p.text("x"), {Op: &testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Universe.Lookup("any").Type()), N: 1}, Args: refs(1)}, p.call(p.fn("Logf"), 0, 2)},
			"",
		},
		{
			"a format says something with a word and a number", Formatted, "Logf",
			[]testcase.Statement{p.text("%v %v %v"), p.text("x"), {Op: &testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Universe.Lookup("any").Type()), N: 3}, Args: refs(1, 1, 1)}, p.call(p.fn("Logf"), 0, 2)},
			`v2 := any("hello"); v4 := any(3); v5 := []any{v2, v4}; Logf("%s: %d", v5)`,
		},
		{
			"an empty format says something", Formatted, "Logf",
			[]testcase.Statement{p.text(""), p.zero(types.NewSlice(types.Universe.Lookup("any").Type())), p.call(p.fn("Logf"), 0, 1)},
			`v2 := any("hello"); v4 := any(3); v5 := []any{v2, v4}; Logf("%s: %d", v5)`,
		},
		{
			"without arguments there is nothing to format", Formatted, "Logf",
			[]testcase.Statement{p.text(""), p.call(p.fn("Logf"), 0)},
			"",
		},
		{
			"a format that says something stays", Formatted, "Logf",
			[]testcase.Statement{p.text("at %v %v %v"), p.text("x"), {Op: &testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Universe.Lookup("any").Type()), N: 3}, Args: refs(1, 1, 1)}, p.call(p.fn("Logf"), 0, 2)},
			"",
		},
		{
			"the last field is left out", Bare(1), "Vec.Add",
			[]testcase.Statement{p.number(3), p.number(5), p.composite(vec, 0, 1), p.zero(vec), p.call(p.method("Vec", "Add"), 2, 3)},
			"v1 := p.Vec{X: 3}; v1.Add(p.Vec{})",
		},
		{
			"the first field is left out", Bare(0), "Vec.Add",
			[]testcase.Statement{p.number(3), p.number(5), p.composite(vec, 0, 1), p.zero(vec), p.call(p.method("Vec", "Add"), 2, 3)},
			"v1 := p.Vec{Y: 5}; v1.Add(p.Vec{})",
		},
		{
			"an example without a name keeps its fields", Bare(0), "Segment.Keep",
			[]testcase.Statement{p.number(3), p.composite(types.NewStruct([]*types.Var{types.NewField(token.NoPos, p.pkg.Types, "N", num, false)}, nil), 0), p.zero(types.NewPointer(p.typ("Segment"))), p.call(p.method("Segment", "Keep"), 2, 1)},
			"",
		},
		{
			"of two fields none is the third", Bare(2), "Vec.Add",
			[]testcase.Statement{p.number(3), p.number(5), p.composite(vec, 0, 1), p.zero(vec), p.call(p.method("Vec", "Add"), 2, 3)},
			"",
		},
		{
			"durations that nobody can read", Composed(false), "Wait",
			[]testcase.Statement{p.integer(duration, -76740612000132), p.zero(list), p.zero(p.fn("Wait").Signature().Params().At(2).Type()), p.call(p.fn("Wait"), 0, 1, 2)},
			"Wait(-19800250000007, nil, nil)",
		},
		{
			"durations that nobody can read, to the second", Composed(true), "Wait",
			[]testcase.Statement{p.integer(duration, 76740612000132), p.zero(list), p.zero(p.fn("Wait").Signature().Params().At(2).Type()), p.call(p.fn("Wait"), 0, 1, 2)},
			"Wait(19800000000000, nil, nil)",
		},
		{
			"a duration of one unit stays", Composed(false), "Wait",
			[]testcase.Statement{p.integer(duration, 90*60*1e9), p.zero(list), p.zero(p.fn("Wait").Signature().Params().At(2).Type()), p.call(p.fn("Wait"), 0, 1, 2)},
			"",
		},
		{
			"each literal gets a value of its own", values[0], "Vec.Add",
			[]testcase.Statement{p.zero(vec), p.zero(vec), p.call(p.method("Vec", "Add"), 0, 1)},
			"v2 := p.Vec{3, 5}; v5 := p.Vec{7, 11}; v2.Add(v5)",
		},
		{
			"equal literals stay equal and in order", values[2], "Tree.Insert",
			[]testcase.Statement{p.call(p.fn("New")), p.integer(num, 1), p.call(p.method("Tree", "Insert"), 0, 1), p.integer(num, 0), p.call(p.method("Tree", "Insert"), 0, 3), p.integer(num, 1), p.call(p.method("Tree", "Insert"), 0, 5)},
			"v0 := New(); v0.Insert(4); v0.Insert(2); v0.Insert(4)",
		},
		{
			"fractions show where they are cut off", values[1], "Vec.Add",
			[]testcase.Statement{p.zero(vec), p.zero(vec), p.call(p.method("Vec", "Add"), 0, 1)},
			"v2 := p.Vec{2.5, 4.5}; v5 := p.Vec{6.5, 10.5}; v2.Add(v5)",
		},
		{
			"a zero alone gets a value", alone(1), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text(""), p.text(""), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "", "hello")`,
		},
		{
			"what is repeated is there once, huge numbers are nines", Spelled(collapsed), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("57344889192448182790aaaaak"), p.text("chosen"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "99999999999999999999ak", "chosen")`,
		},
		{
			"letters become words, the package's own stay", Spelled(worded), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("z=q"), p.text("max"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "abc=def", "max")`,
		},
		{
			"both sides of a separator are filled", Spelled(filled), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("="), p.text("0="), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "abc=def", "0=abc")`,
		},
		{
			"empty brackets are filled", Spelled(bracketed), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("{{^}}{{!}}"), p.text("[a]()]"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "{{^abc}}{{!def}}", "[a](abc)]")`,
		},
		{
			"zeros that have a unit become threes", Spelled(counted), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("0G"), p.text("1.00 0"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "3G", "1.00 3")`,
		},
		{
			"enumerations and chosen numbers stay", values[0], "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("chosen"), p.text(""), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "chosen", "hello")`,
		},
		{
			"a constructor replaces an empty literal", Constructors, "Tree.Insert",
			[]testcase.Statement{p.zero(p.typ("Tree")), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ("Tree"))}, Args: refs(0)}, p.integer(num, 40), p.call(p.method("Tree", "Insert"), 1, 2)},
			"v0 := New(); v0.Insert(40)",
		},
		{
			"fields become part of the literal", Fields, "Segment.Swap",
			[]testcase.Statement{
				p.zero(p.typ("Segment")), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ("Segment"))}, Args: refs(0)},
				p.zero(vec), {Op: &testcase.Operation{Kind: testcase.OpSetField, Var: p.typ("Segment").Underlying().(*types.Struct).Field(1)}, Args: refs(1, 2)},
				p.call(p.method("Segment", "Swap"), 1),
			},
			"v1 := p.Segment{B: p.Vec{}}; v2 := &v1; v2.Swap()",
		},
		{
			"a copy of what a call returned has no literal", Fields, "Segment.Swap",
			[]testcase.Statement{
				p.zero(vec), p.zero(vec), p.call(p.method("Vec", "Add"), 0, 1), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(vec)}, Args: refs(2)},
				p.call(p.method("Vec", "Add"), 3, 1),
			},
			"",
		},
		{
			"moments are in UTC, and of no era's first day", Dates(anyDate), "At",
			[]testcase.Statement{p.integer(types.Typ[types.Int64], 0), p.integer(types.Typ[types.Int64], 0), p.call(p.foreign("time", "Unix"), 0, 1), p.call(p.fn("At"), 2)},
			"v7 := UTC; v8 := Date(2024, 2, 3, 4, 5, 6, 0, v7); At(v8)",
		},
		{
			"the present moment is another one every day", NotNow, "At",
			[]testcase.Statement{p.call(p.foreign("time", "Now")), p.call(p.fn("At"), 0)},
			"v7 := UTC; v8 := Date(2024, 2, 3, 4, 5, 6, 0, v7); At(v8)",
		},
		{
			"where another date will do, it is no present one", Dates(otherDate), "At",
			[]testcase.Statement{p.call(p.foreign("time", "Now")), p.call(p.fn("At"), 0)},
			"v7 := UTC; v8 := Date(2025, 3, 4, 5, 6, 7, 0, v7); At(v8)",
		},
		{
			"typical moments are dates, each set has another one", Typical(1), "At",
			[]testcase.Statement{p.integer(types.Typ[types.Int64], 0), p.integer(types.Typ[types.Int64], 0), p.call(p.foreign("time", "Unix"), 0, 1), p.call(p.fn("At"), 2)},
			"v7 := UTC; v8 := Date(2025, 3, 4, 5, 6, 7, 0, v7); At(v8)",
		},
		{
			"a zero time is no typical one", Typical(0), "At",
			[]testcase.Statement{p.zero(p.foreign("time", "Now").Signature().Results().At(0).Type()), p.call(p.fn("At"), 0)},
			"v7 := UTC; v8 := Date(2024, 2, 3, 4, 5, 6, 0, v7); At(v8)",
		},
		{
			"the present moment is typical where it is asked for", Typical(0), "At",
			[]testcase.Statement{p.call(p.foreign("time", "Now")), p.call(p.fn("At"), 0)},
			"",
		},
		{
			"a moment that has to stay is no other one", Dates(sameDate), "At",
			[]testcase.Statement{p.call(p.foreign("time", "Now")), p.call(p.fn("At"), 0)},
			"",
		},
		{
			"a moment stays the same", Dates(sameDate), "At",
			[]testcase.Statement{p.integer(types.Typ[types.Int64], 0), p.integer(types.Typ[types.Int64], 0), p.call(p.foreign("time", "Unix"), 0, 1), p.call(p.fn("At"), 2)},
			"v7 := UTC; v8 := Date(1970, 1, 1, 0, 0, 0, 0, v7); At(v8)",
		},
		{
			"a zero with a unit has a size, behind an interface as well", Spelled(counted), "Any",
			[]testcase.Statement{p.text("0kb"), {Op: &testcase.Operation{Kind: testcase.OpConvert, Type: types.NewInterfaceType(nil, nil)}, Args: refs(0)}, p.zero(types.NewInterfaceType(nil, nil)), p.call(p.fn("Hold"), 1, 2)},
			`v1 := interface{}("3kb"); Hold(v1, nil)`,
		},
		{
			"equal texts in a list become different ones", Elements, "Walk",
			[]testcase.Statement{p.text("x"), p.text("x"), p.composite(types.NewSlice(types.Typ[types.String]), 0, 1), {Op: &testcase.Operation{Kind: testcase.OpConvert, Type: types.NewInterfaceType(nil, nil)}, Args: refs(2)}, p.call(p.method("Segment", "Keep"), 3, 3)},
			`v2 := []string{"abc", "def"}; v3 := interface{}(v2); v3.Keep(v3)`,
		},
		{
			"different texts in a list stay", Elements, "Walk",
			[]testcase.Statement{p.text("x"), p.text("y"), p.composite(types.NewSlice(types.Typ[types.String]), 0, 1), {Op: &testcase.Operation{Kind: testcase.OpConvert, Type: types.NewInterfaceType(nil, nil)}, Args: refs(2)}, p.call(p.method("Segment", "Keep"), 3, 3)},
			"",
		},
		{
			"an object that is compared with itself is made twice", Twice, "Segment.Same",
			[]testcase.Statement{p.text("1.2"), p.call(p.fn("Parsed"), 0), p.call(p.method("Segment", "Same"), 1, 1)},
			`v1 := Parsed("1.2"); v3 := Parsed("1.2"); v1.Same(v3)`,
		},
		{
			"an object that is kept in another one stays", Twice, "Segment.Keep",
			[]testcase.Statement{p.text("1.2"), p.call(p.fn("Parsed"), 0), p.call(p.method("Segment", "Keep"), 1, 1)},
			"",
		},
		{
			"a text becomes readable", Readable("x"), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("a\x00"), p.text("b\xff"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "ax", "bx")`,
		},
		{
			"bytes among letters become readable", Readable("x"), "Write",
			[]testcase.Statement{octet('H'), octet(0), octet(0), octets(0, 1, 2), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 3, 4, 5)},
			"v3 := []uint8{72, 120, 120}; Write(v3, [4]uint8{}, 0)",
		},
		{
			"bytes without letters stay", Readable("x"), "Write",
			[]testcase.Statement{octet(1), octet(0), octets(0, 1), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 2, 3, 4)},
			"",
		},
		{
			"bytes become words, of an array numbers", Bytes(-1, false), "Write",
			[]testcase.Statement{octet(0), octets(0), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 1, 2, 3)},
			`v5 := []uint8{104, 101, 108, 108, 111}; v10 := [4]uint8{1, 2, 3, 4}; Write(v5, v10, 0)`,
		},
		{
			"a letter in bytes becomes a sentence", Sentence, "Write",
			[]testcase.Statement{octet('Z'), octets(0), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 1, 2, 3)},
			"v19 := []uint8{84, 104, 101, 32, 113, 117, 105, 99, 107, 32, 98, 114, 111, 119, 110, 32, 102, 111, 120}; Write(v19, [4]uint8{}, 0)",
		},
		{
			"a word in bytes becomes no sentence", Sentence, "Write",
			[]testcase.Statement{octet('o'), octet('k'), octets(0, 1), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 2, 3, 4)},
			"",
		},
		{
			"bytes keep their length", Bytes(0, true), "Write",
			[]testcase.Statement{octet(0), octet(0), octets(0, 1), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 2, 3, 4)},
			`v2 := []uint8{97, 98}; Write(v2, [4]uint8{}, 0)`,
		},
		{
			"words in bytes stay", Bytes(0, false), "Write",
			[]testcase.Statement{octet('o'), octet('k'), octets(0, 1), p.zero(sum), p.integer(types.Typ[types.Int16], 0), p.call(p.fn("Write"), 2, 3, 4)},
			"v2 := []uint8{111, 107}; v7 := [4]uint8{1, 2, 3, 4}; Write(v2, v7, 0)",
		},
		{
			"an empty list gets elements", Lists(0), "Wait",
			[]testcase.Statement{p.integer(duration, 1), p.zero(list), p.integer(num, 1), p.integer(num, 4), script(once...), p.call(p.fn("Wait"), 0, 1, 4)},
			"v4 := []int{3, 5, 7}; v7 := stub func() int{(1) (4) (4)}; Wait(1, v4, v7)",
		},
		{
			"durations are some milliseconds", values[4], "Wait",
			[]testcase.Statement{p.integer(duration, 1), p.zero(list), p.integer(num, 30), p.integer(num, 40), script(once...), p.call(p.fn("Wait"), 0, 1, 4)},
			"v4 := stub func() int{(30) (40) (40)}; Wait(10000000, nil, v4)",
		},
		{
			"what a stand-in repeats is told once", Scripts, "Wait",
			[]testcase.Statement{p.integer(duration, 1), p.zero(list), p.integer(num, 30), p.integer(num, 40), script(once...), p.call(p.fn("Wait"), 0, 1, 4)},
			"v4 := stub func() int{(30) (40)}; Wait(1, nil, v4)",
		},
		{
			"one method of a stand-in is scripted", Scripted(1, true), "Ask",
			[]testcase.Statement{p.text("x"), p.integer(num, 30), script2(), p.call(p.fn("Ask"), 2)},
			`v1 := stub p.Asked{Name("x")}; Ask(v1)`,
		},
		{
			"one method of a stand-in loses its script", Scripted(1, false), "Ask",
			[]testcase.Statement{p.text("x"), p.integer(num, 30), script2(), p.call(p.fn("Ask"), 2)},
			`v1 := stub p.Asked{N(30)}; Ask(v1)`,
		},
		{
			"a method that is scripted alone stays", Scripted(0, true), "Wait",
			[]testcase.Statement{p.integer(duration, 1), p.zero(list), p.integer(num, 30), p.integer(num, 40), script(once...), p.call(p.fn("Wait"), 0, 1, 4)},
			"",
		},
		{
			"a byte that separates is a hyphen, another one stays", Separators, "Join",
			[]testcase.Statement{p.text("a"), p.zero(types.Typ[types.Uint8]), p.zero(types.Typ[types.Uint8]), p.call(p.fn("Join"), 0, 1, 2)},
			`Join("a", 45, 0)`,
		},
		{
			"a function without a script returns something", Answers, "Wait",
			[]testcase.Statement{p.integer(duration, 1), p.zero(list), {Op: &testcase.Operation{Kind: testcase.OpStubFunc, Type: p.fn("Wait").Signature().Params().At(2).Type()}}, p.call(p.fn("Wait"), 0, 1, 2)},
			"v3 := stub func() int{(3)}; Wait(1, nil, v3)",
		},
		{
			"a function with a script returns what it returns", Answers, "Wait",
			[]testcase.Statement{p.integer(duration, 1), p.zero(list), p.integer(num, 30), p.integer(num, 40), script(once...), p.call(p.fn("Wait"), 0, 1, 4)},
			"",
		},
		{
			"parts are the same word in all texts, zeros beside others too", SpelledAll(named), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("/q/0"), p.text("q:00"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "/abc/def", "abc:ghi")`,
		},
		{
			"zeros beside others keep their length as letters", SpelledAll(initialed), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text(".0"), p.text("3.00"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, ".a", "3.00")`,
		},
		{
			"a number with all its digits", large(0), "Write",
			[]testcase.Statement{octets(), p.zero(sum), p.integer(types.Typ[types.Int16], 3), p.call(p.fn("Write"), 0, 1, 2)},
			"v0 := []uint8{}; Write(v0, [4]uint8{}, 12345)",
		},
		{
			"bytes that do not print are the same letters everywhere", Relettered(true), "Seek",
			[]testcase.Statement{p.text("a\x00\x01"), p.text("\x01\n"), p.zero(types.Typ[types.Uint8]), p.call(p.fn("Seek"), 0, 1, 2)},
			`Seek("a,x", "x\n", 44)`,
		},
		{
			"a byte that is in no text may be a number", Relettered(true), "Seek",
			[]testcase.Statement{p.text("a\x01"), p.text("b"), p.zero(types.Typ[types.Uint8]), p.call(p.fn("Seek"), 0, 1, 2)},
			`Seek("ax", "b", 0)`,
		},
		{
			"a byte that prints stays", Relettered(true), "Seek",
			[]testcase.Statement{p.text("a"), p.text("é"), p.integer(types.Typ[types.Uint8], '/'), p.call(p.fn("Seek"), 0, 1, 2)},
			"",
		},
		{
			"values that are only carried about", Carried, "Keep",
			[]testcase.Statement{p.text(""), p.text(""), p.text(""), p.zero(types.Typ[types.String]), p.call(keep, 0, 1, 2, 3)},
			`Keep("", "one", "two", "three")`, // keys are compared, and stay
		},
		{
			"what is nil in a list of anything", Nested(-1), "Look",
			[]testcase.Statement{p.zero(anything), p.text("def"), p.zero(anything), p.composite(anyList, 0, 1, 2), p.zero(anyMap), p.call(p.fn("Look"), 3, 4)},
			`v3 := []any{"abc", "def", "ghi"}; Look(v3, nil)`,
		},
		{
			"one nil of two", Nested(1), "Look",
			[]testcase.Statement{p.zero(anything), p.zero(anything), p.composite(anyList, 0, 1), p.zero(anyMap), p.call(p.fn("Look"), 2, 3)},
			`v2 := []any{nil, "abc"}; Look(v2, nil)`,
		},
		{
			"an empty list in a list of anything", Nested(-1), "Look",
			[]testcase.Statement{p.zero(anyList), p.composite(anyList, 0), p.zero(anyMap), p.call(p.fn("Look"), 1, 2)},
			`v3 := []any{"abc", "def", "ghi"}; v4 := []any{v3}; Look(v4, nil)`,
		},
		{
			"an empty list that is an argument stays", Nested(-1), "Look",
			[]testcase.Statement{p.zero(anyList), p.zero(anyMap), p.call(p.fn("Look"), 0, 1)},
			"",
		},
		{
			"the elements of a list and the keys of maps, in order", Parted(0), "Look",
			[]testcase.Statement{p.text("abc"), p.text("abc"), p.composite(anyList, 0, 1), p.text("abc"), p.number(3), p.composite(anyMap, 3, 4), p.text("abc"), p.composite(anyMap, 6, 5), p.call(p.fn("Look"), 2, 7)},
			`v2 := []any{"abc", "def"}; v5 := map[string]any{"def": float64(3)}; v7 := map[string]any{"abc": v5}; Look(v2, v7)`,
		},
		{
			"two of three texts that have to be equal", Parted(5), "Look",
			[]testcase.Statement{p.text("abc"), p.text("abc"), p.composite(anyList, 0, 1), p.text("abc"), p.number(3), p.composite(anyMap, 3, 4), p.call(p.fn("Look"), 2, 5)},
			`v2 := []any{"def", "abc"}; v5 := map[string]any{"def": float64(3)}; Look(v2, v5)`,
		},
		{
			"words of the code stay", Parted(0), "Look",
			[]testcase.Statement{p.text("max"), p.text("max"), p.composite(anyList, 0, 1), p.zero(anyMap), p.call(p.fn("Look"), 2, 3)},
			"",
		},
		{
			"an object that reads what it has written", Fresh, "Doc.Read",
			[]testcase.Statement{p.zero(p.typ("Doc")), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ("Doc"))}, Args: refs(0)}, p.call(p.method("Doc", "Text"), 1), p.call(p.method("Doc", "Read"), 1, 2)},
			"v1 := &p.Doc{}; v2 := v1.Text(); v4 := &p.Doc{}; v4.Read(v2)",
		},
		{
			"a text for an interface that texts implement", Implemented(-1), "Speak",
			[]testcase.Statement{p.zero(p.typ("Sayer")), p.zero(p.typ("Sayer")), p.call(p.fn("Speak"), 0, 1)},
			`v1 := p.Sayer(p.Word("abc")); v3 := p.Sayer(p.Word("def")); Speak(v1, v3)`,
		},
		{
			"the second of two", Implemented(1), "Speak",
			[]testcase.Statement{p.zero(p.typ("Sayer")), p.zero(p.typ("Sayer")), p.call(p.fn("Speak"), 0, 1)},
			`v2 := p.Sayer(p.Word("abc")); Speak(nil, v2)`,
		},
		{
			"each part of a text gets a word", SpelledAll(toldApart), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("a.a.a"), p.text("b"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "abc.def.ghi", "hello")`,
		},
		{
			"a value that is also a key stays", Carried, "Keep",
			[]testcase.Statement{p.text(""), p.call(keep, 0, 0)},
			"",
		},
		{
			"a readable text stays", Readable("x"), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("a"), p.text("\n"), p.call(p.fn("Of"), 0, 1, 2)},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &testcase.Case{Target: tt.target, Seq: testcase.NewSequence(tt.stmts...), Observed: &testcase.Outcome{}}
			before := c.Seq.String()
			got := ""
			if seq, ok := tt.way(p.pkg, c); ok {
				got = seq.String()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s\nof   %s", got, tt.want, before)
			}
			if c.Seq.String() != before {
				t.Errorf("the case itself was changed to %s", c.Seq)
			}
		})
	}
}

// What a call computed is written as what it came to, and the call goes.
// Of n places each is told apart by itself, then each two of them, but never all at once.
func TestPairOf(t *testing.T) {
	for places, want := range map[int][][]int{
		2: {{0}, {1}},
		3: {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}},
	} {
		var got [][]int
		for n := 0; ; n++ {
			pair := pairOf(n, places)
			if pair == nil {
				break
			}
			got = append(got, pair)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("pairs of %d places = %v, want %v", places, got, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	p := newProgram(t)
	vec := p.typ("Vec")
	add := p.method("Vec", "Add")
	seq := testcase.NewSequence(p.zero(vec), p.zero(vec), p.call(add, 0, 1), p.zero(vec), p.call(add, 2, 3))
	float := func(bits uint64) testcase.Value { return testcase.Value{Kind: testcase.Float, Bits: bits} }
	computed := testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{float(0x3ff0000000000000), float(0x4000000000000000)}}
	c := &testcase.Case{Target: "Vec.Add", Seq: seq, Observed: &testcase.Outcome{Results: [][]testcase.Value{nil, nil, {computed}, nil, nil}}}
	got, ok := Literals(p.pkg, c)
	if want := "v2 := p.Vec{1, 2}; v2.Add(p.Vec{})"; !ok || got.String() != want {
		t.Errorf("got %v, want %s", got, want)
	}
	c.Observed.Results[2][0].Elems[0].Cut = true
	if got, ok := Literals(p.pkg, c); ok {
		t.Errorf("of a value that was not observed whole came %s", got)
	}
}

// Fields that are set behind a call stand in the literal of what the call returned.
func TestLiterals_fields(t *testing.T) {
	p := newProgram(t)
	vec := p.typ("Vec")
	set := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpSetField, Var: vec.Underlying().(*types.Struct).Field(1)}, Args: refs(2, 3)}
	seq := testcase.NewSequence(p.zero(vec), p.zero(vec), p.call(p.method("Vec", "Add"), 0, 1), p.number(7), set, p.zero(vec), p.call(p.method("Vec", "Add"), 2, 5))
	float := func(f float64) testcase.Value { return testcase.Value{Kind: testcase.Float, Bits: math.Float64bits(f)} }
	computed := testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{float(1), float(2)}}
	c := &testcase.Case{Target: "Vec.Add", Seq: seq, Observed: &testcase.Outcome{Results: [][]testcase.Value{nil, nil, {computed}, nil, nil, nil, nil}}}
	got, ok := Literals(p.pkg, c)
	if want := "v3 := p.Vec{X: 1, Y: 7}; v3.Add(p.Vec{})"; !ok || got.String() != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// Maps of a few entries are written out, larger ones are not.
func TestLiterals_map(t *testing.T) {
	p := newProgram(t)
	strings := types.NewMap(types.Typ[types.String], types.NewSlice(types.Typ[types.String]))
	text := func(s string) testcase.Value { return testcase.Value{Kind: testcase.String, Str: s, Len: len(s)} }
	list := testcase.Value{Kind: testcase.Slice, Len: 1, Elems: []testcase.Value{text("x")}}
	for _, tt := range []struct {
		entries int
		want    bool
	}{{0, true}, {1, true}, {4, true}, {5, false}} {
		v := testcase.Value{Kind: testcase.Map, Len: tt.entries}
		for i := range tt.entries {
			v.Elems = append(v.Elems, text(string(rune('a'+i))), list)
		}
		var out []testcase.Statement
		at, ok := write(p.pkg, &out, strings, v)
		if ok != tt.want || ok && len(out[at].Args) != 2*tt.entries || !ok && len(out) > 0 {
			t.Errorf("%d entries: %t, %d statements, want %t", tt.entries, ok, len(out), tt.want)
		}
	}
}
