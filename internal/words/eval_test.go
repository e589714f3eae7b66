package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// env are the inputs of a random expression.
type env struct {
	a, b int8
	x, y int
	u, v uint16
	f, g float64
	h    float32
	s, t string
	p, q bool
	l    []int
}

const envParams = "a, b int8, x, y int, u, v uint16, f, g float64, h float32, s, t string, p, q bool, l []int"

// expr is a random expression as text and as Go.
type expr[T any] struct {
	text string
	eval func(e *env) T
}

type number interface {
	~int8 | ~int | ~uint16 | ~float64 | ~float32
}

// generator makes random expressions.
type generator struct{ *rand.Rand }

// pair makes x op y of numbers.
func pair[T number](r *generator, x, y expr[T], integer func(op string, a, b T) (T, bool)) expr[T] {
	ops := []string{"+", "-", "*", "/"}
	if integer != nil {
		ops = append(ops, "%", "&", "|", "^", "&^")
	}
	op := ops[r.IntN(len(ops))]
	return expr[T]{"(" + x.text + " " + op + " " + y.text + ")", func(e *env) T {
		a, b := x.eval(e), y.eval(e)
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/":
			return a / b
		}
		c, _ := integer(op, a, b)
		return c
	}}
}

// bitwise are the operations that only integers have.
func bitwise[T int8 | int | uint16](op string, a, b T) (T, bool) {
	switch op {
	case "%":
		return a % b, true
	case "&":
		return a & b, true
	case "|":
		return a | b, true
	case "^":
		return a ^ b, true
	}
	return a &^ b, true
}

func (r *generator) int8s(depth int) expr[int8] {
	switch k := r.IntN(6); {
	case depth <= 0 || k < 2:
		return pick(r, expr[int8]{"a", func(e *env) int8 { return e.a }}, expr[int8]{"b", func(e *env) int8 { return e.b }})
	case k == 2:
		n := int8(r.IntN(7)) + 1
		x := r.int8s(depth - 1)
		return expr[int8]{fmt.Sprintf("(%s - %d)", x.text, n), func(e *env) int8 { return x.eval(e) - n }}
	case k == 3:
		x := r.ints(depth - 1)
		return expr[int8]{"int8(" + x.text + ")", func(e *env) int8 { return int8(x.eval(e)) }}
	case k == 4:
		x := r.int8s(depth - 1)
		return expr[int8]{"(-" + x.text + ")", func(e *env) int8 { return -x.eval(e) }}
	}
	return pair(r, r.int8s(depth-1), r.int8s(depth-1), bitwise[int8])
}

func (r *generator) uints(depth int) expr[uint16] {
	switch k := r.IntN(5); {
	case depth <= 0 || k < 2:
		return pick(r, expr[uint16]{"u", func(e *env) uint16 { return e.u }}, expr[uint16]{"v", func(e *env) uint16 { return e.v }})
	case k == 2:
		x := r.ints(depth - 1)
		return expr[uint16]{"uint16(" + x.text + ")", func(e *env) uint16 { return uint16(x.eval(e)) }}
	case k == 3:
		x, y := r.uints(depth-1), r.uints(depth-1)
		return pick(r, expr[uint16]{"(" + x.text + " << " + y.text + ")", func(e *env) uint16 { return x.eval(e) << y.eval(e) }},
			expr[uint16]{"(^" + x.text + " >> " + y.text + ")", func(e *env) uint16 { return ^x.eval(e) >> y.eval(e) }})
	}
	return pair(r, r.uints(depth-1), r.uints(depth-1), bitwise[uint16])
}

func (r *generator) ints(depth int) expr[int] {
	switch k := r.IntN(9); {
	case depth <= 0 || k < 2:
		return pick(r, expr[int]{"x", func(e *env) int { return e.x }}, expr[int]{"y", func(e *env) int { return e.y }},
			expr[int]{"len(l)", func(e *env) int { return len(e.l) }}, expr[int]{"len(s)", func(e *env) int { return len(e.s) }})
	case k == 2:
		x := r.int8s(depth - 1)
		return expr[int]{"int(" + x.text + ")", func(e *env) int { return int(x.eval(e)) }}
	case k == 3:
		i := r.ints(depth - 1)
		return expr[int]{"l[" + i.text + "]", func(e *env) int { return e.l[i.eval(e)] }}
	case k == 4:
		s, i := r.texts(depth-1), r.ints(depth-1)
		return expr[int]{"int(" + s.text + "[" + i.text + "])", func(e *env) int { return int(s.eval(e)[i.eval(e)]) }}
	case k == 5:
		x, y := r.ints(depth-1), r.ints(depth-1)
		return expr[int]{"(" + x.text + " >> " + y.text + ")", func(e *env) int { return x.eval(e) >> y.eval(e) }}
	case k == 6:
		n := r.IntN(200) - 100
		return expr[int]{fmt.Sprintf("(%d)", n), func(e *env) int { return n }}
	}
	return pair(r, r.ints(depth-1), r.ints(depth-1), bitwise[int])
}

func (r *generator) floats(depth int) expr[float64] {
	switch k := r.IntN(5); {
	case depth <= 0 || k < 2:
		return pick(r, expr[float64]{"f", func(e *env) float64 { return e.f }}, expr[float64]{"g", func(e *env) float64 { return e.g }})
	case k == 2:
		x := r.ints(depth - 1)
		return expr[float64]{"float64(" + x.text + ")", func(e *env) float64 { return float64(x.eval(e)) }}
	case k == 3:
		x := pair(r, expr[float32]{"h", func(e *env) float32 { return e.h }}, expr[float32]{"(-h)", func(e *env) float32 { return -e.h }}, nil)
		return expr[float64]{"float64(" + x.text + ")", func(e *env) float64 { return float64(x.eval(e)) }}
	}
	return pair(r, r.floats(depth-1), r.floats(depth-1), nil)
}

func (r *generator) texts(depth int) expr[string] {
	switch k := r.IntN(5); {
	case depth <= 0 || k < 2:
		return pick(r, expr[string]{"s", func(e *env) string { return e.s }}, expr[string]{"t", func(e *env) string { return e.t }}, expr[string]{`"ab"`, func(*env) string { return "ab" }})
	case k == 2:
		x, i := r.texts(depth-1), r.ints(depth-1)
		return expr[string]{x.text + "[" + i.text + ":]", func(e *env) string { return x.eval(e)[i.eval(e):] }}
	case k == 3:
		x := r.texts(depth - 1)
		return expr[string]{"strings.TrimSpace(" + x.text + ")", func(e *env) string { return strings.TrimSpace(x.eval(e)) }}
	}
	x, y := r.texts(depth-1), r.texts(depth-1)
	return expr[string]{"(" + x.text + " + " + y.text + ")", func(e *env) string { return x.eval(e) + y.eval(e) }}
}

// compared makes a comparison of two expressions.
func compared[T number | ~string](r *generator, x, y expr[T]) expr[bool] {
	op := []string{"==", "!=", "<", "<=", ">", ">="}[r.IntN(6)]
	return expr[bool]{"(" + x.text + " " + op + " " + y.text + ")", func(e *env) bool {
		a, b := x.eval(e), y.eval(e)
		switch op {
		case "==":
			return a == b
		case "!=":
			return a != b
		case "<":
			return a < b
		case "<=":
			return a <= b
		case ">":
			return a > b
		}
		return a >= b
	}}
}

func (r *generator) bools(depth int) expr[bool] {
	switch k := r.IntN(10); {
	case depth <= 0:
		return pick(r, expr[bool]{"p", func(e *env) bool { return e.p }}, expr[bool]{"q", func(e *env) bool { return e.q }})
	case k < 2:
		return compared(r, r.ints(depth-1), r.ints(depth-1))
	case k == 2:
		return compared(r, r.int8s(depth-1), r.int8s(depth-1))
	case k == 3:
		return compared(r, r.uints(depth-1), r.uints(depth-1))
	case k == 4:
		return compared(r, r.floats(depth-1), r.floats(depth-1))
	case k == 5:
		return compared(r, r.texts(depth-1), r.texts(depth-1))
	case k == 6:
		x := r.bools(depth - 1)
		return expr[bool]{"!" + x.text, func(e *env) bool { return !x.eval(e) }}
	case k == 7:
		x, y := r.texts(depth-1), r.texts(depth-1)
		return expr[bool]{"strings.Contains(" + x.text + ", " + y.text + ")", func(e *env) bool { return strings.Contains(x.eval(e), y.eval(e)) }}
	}
	x, y := r.bools(depth-1), r.bools(depth-1)
	return pick(r, expr[bool]{"(" + x.text + " && " + y.text + ")", func(e *env) bool { return x.eval(e) && y.eval(e) }},
		expr[bool]{"(" + x.text + " || " + y.text + ")", func(e *env) bool { return x.eval(e) || y.eval(e) }})
}

func pick[T any](r *generator, list ...T) T { return list[r.IntN(len(list))] }

// env returns random inputs, many of them on the edge.
func (r *generator) env() *env {
	e := &env{a: int8(r.Uint32()), b: int8(r.IntN(5)) - 2, x: r.IntN(9) - 3, y: int(r.Uint64()), u: uint16(r.IntN(20)), v: uint16(r.Uint32()),
		f: float64(r.IntN(7)) - 2.5, g: pick(r, 0, math.NaN(), math.Inf(1), math.Copysign(0, -1), 1e300, 2.5), h: pick(r, float32(0.1), 3e38, -1),
		s: pick(r, "", "a", " ab ", "xyz"), t: pick(r, "", "b", "ab"), p: r.IntN(2) == 0, q: r.IntN(2) == 0, l: pick(r, nil, []int{}, []int{1}, []int{3, 1, 2})}
	if r.IntN(4) == 0 {
		e.x = pick(r, math.MinInt, math.MaxInt, -1, 0)
		e.a = pick[int8](r, -128, 127)
	}
	return e
}

// call returns the inputs as a call has them.
func (e *env) call() *call {
	list := testcase.Value{Kind: testcase.Nil}
	if e.l != nil {
		list = testcase.Value{Kind: testcase.Slice, Len: len(e.l)}
		for _, n := range e.l {
			list.Elems = append(list.Elems, integer(int64(n), types.Int))
		}
	}
	text := func(s string) testcase.Value {
		return testcase.Value{Kind: testcase.String, Type: types.Typ[types.String], Str: s, Len: len(s)}
	}
	return &call{inputs: []testcase.Value{
		integer(int64(e.a), types.Int8), integer(int64(e.b), types.Int8), integer(int64(e.x), types.Int), integer(int64(e.y), types.Int),
		{Kind: testcase.Uint, Type: types.Typ[types.Uint16], Bits: uint64(e.u)}, {Kind: testcase.Uint, Type: types.Typ[types.Uint16], Bits: uint64(e.v)},
		floatValue(e.f, types.Typ[types.Float64]), floatValue(e.g, types.Typ[types.Float64]), floatValue(float64(e.h), types.Typ[types.Float32]),
		text(e.s), text(e.t), boolVal(e.p).Value, boolVal(e.q).Value, list,
	}}
}

func integer(n int64, kind types.BasicKind) testcase.Value {
	return testcase.Value{Kind: testcase.Int, Type: types.Typ[kind], Bits: uint64(n)}
}

// checkExpressions compares the evaluation of random conditions with Go's own. It returns
// how many came to true, to false and to a panic.
func checkExpressions(t *testing.T, seed uint64, count int) (came [3]int) {
	r := &generator{rand.New(rand.NewPCG(seed, 1))}
	var src strings.Builder
	src.WriteString("package p\n\nimport \"strings\"\n\nvar _ = strings.Contains\n")
	var list []expr[bool]
	for i := range count {
		list = append(list, r.bools(4))
		fmt.Fprintf(&src, "func f%d(%s) bool { return %s }\n", i, envParams, list[i].text)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src.String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	bad := map[int]bool{} // lines that are no Go: constants that overflow or divide by zero
	conf := types.Config{Importer: stdlib{}, Error: func(err error) { bad[fset.Position(err.(types.Error).Pos).Line] = true }}
	conf.Check("p", fset, []*ast.File{file}, info)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || bad[fset.Position(f.Pos()).Line] {
			continue
		}
		var i int
		fmt.Sscanf(f.Name.Name, "f%d", &i)
		params := map[types.Object]int{}
		for _, field := range f.Type.Params.List {
			for _, id := range field.Names {
				params[info.Defs[id]] = len(params)
			}
		}
		comp := &compiler{info: info, observer: func(*types.Func) int { return -1 }, input: func(obj types.Object) int {
			if k, ok := params[obj]; ok {
				return k
			}
			return -1
		}}
		eval := comp.expr(f.Body.List[0].(*ast.ReturnStmt).Results[0])
		if eval == nil {
			t.Errorf("%s was not compiled", list[i].text)
			continue
		}
		for range 20 {
			e := r.env()
			got := eval(e.call())
			want, panicked := native(list[i], e)
			switch {
			case got.state == hidden:
				// It may say that it does not know, but not too often: see came.
			case panicked != (got.state == panics):
				t.Fatalf("%s on %+v: state %d, panics natively is %t", list[i].text, *e, got.state, panicked)
			case panicked:
				came[2]++
			case (got.Bits != 0) != want:
				t.Fatalf("%s on %+v is %t, natively %t", list[i].text, *e, got.Bits != 0, want)
			case want:
				came[0]++
			default:
				came[1]++
			}
		}
	}
	return came
}

// stdlib imports what the tests use of the standard library: declarations without bodies.
type stdlib struct{}

func (stdlib) Import(path string) (*types.Package, error) {
	src := map[string]string{
		"strings": "package strings\nfunc Contains(s, t string) bool\nfunc HasPrefix(s, t string) bool\nfunc TrimSpace(s string) string",
		"errors":  "package errors\nfunc New(s string) error",
	}[path]
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path+".go", src, 0)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(path, fset, []*ast.File{file}, nil)
}

// native evaluates an expression as Go does.
func native(x expr[bool], e *env) (value, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	return x.eval(e), false
}

func TestEvaluate(t *testing.T) {
	came := checkExpressions(t, 1, 600)
	if came[0] < 2000 || came[1] < 2000 || came[2] < 500 {
		t.Errorf("%d true, %d false, %d panics: the expressions say too little", came[0], came[1], came[2])
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add(uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64) { checkExpressions(t, seed, 20) })
}

// A part that is not known leaves the whole unknown unless the rest decides.
func TestEvaluateUnknown(t *testing.T) {
	tests := []struct {
		text string
		want truth
	}{
		{"x > 0", unknown},
		{"!(x > 0)", unknown},
		{"p && x > 0", unknown},
		{"q && x > 0", no},
		{"x > 0 && q", no},
		{"x > 0 || p", unknown}, // natively x might have panicked
		{"p || x > 0", yes},
		{"l[0] == 1", no}, // l is empty: the comparison is never made
		{"l[0] != 1", no},
		{"l[0] == 1 || p", no},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p\nfunc f("+envParams+") bool { return "+tt.text+" }", 0)
			if err != nil {
				t.Fatal(err)
			}
			info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
			if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
				t.Fatal(err)
			}
			names := strings.Split("a b x y u v f g h s t p q l", " ")
			comp := &compiler{info: info, input: func(obj types.Object) int {
				for i, n := range names {
					if obj.Name() == n {
						return i
					}
				}
				return -1
			}}
			c := (&env{p: true}).call()
			c.inputs[2] = testcase.Value{}
			eval := comp.expr(file.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ReturnStmt).Results[0])
			if got := eval(c).truth(); got != tt.want {
				t.Errorf("%s is %d, want %d", tt.text, got, tt.want)
			}
		})
	}
}

// TestEqual_anything compares what interfaces hold by their types first.
func TestEqual_anything(t *testing.T) {
	box := func(kind testcase.ValueKind, of types.BasicKind, bits uint64, str string) testcase.Value {
		return testcase.Value{Kind: testcase.Interface, Elems: []testcase.Value{{Kind: kind, Type: types.Typ[of], Bits: bits, Str: str, Len: len(str)}}}
	}
	four := box(testcase.Int, types.Int, 4, "")
	tests := []struct {
		name string
		x, y testcase.Value
		want truth
	}{
		{"same", four, box(testcase.Int, types.Int, 4, ""), yes},
		{"other number", four, box(testcase.Int, types.Int, 5, ""), no},
		{"other type", four, box(testcase.Int, types.Int8, 4, ""), no},
		{"text", four, box(testcase.String, types.String, 0, "4"), no},
		{"nil", four, testcase.Value{Kind: testcase.Nil}, no},
		{"a list inside", testcase.Value{Kind: testcase.Interface, Elems: []testcase.Value{{Kind: testcase.Slice}}}, four, unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := equal(tt.x, tt.y); got != tt.want {
				t.Errorf("equal = %v, want %v", got, tt.want)
			}
		})
	}
}
