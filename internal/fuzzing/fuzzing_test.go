package fuzzing

import (
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestFunctions(t *testing.T) {
	const src = `package p

func FuzzParse(f *testing.F) {
	f.Add("x", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if s == "" { t.Skip() }
		check(t, s)
		v, err := Parse(byte(n), []byte(s))
		_ = Format(v)
	})
}

func FuzzOwn(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		_, _ = Read(r)
	})
}

func Fuzzy(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { Parse(s) }) }

func FuzzBoth(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b rune) { Less(b, a) })
}
`
	f, err := parser.ParseFile(token.NewFileSet(), "p_test.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := Functions(f, "p", func(name string) bool { return name == "Parse" || name == "Less" || name == "Read" })
	for i := range got {
		got[i].Pos = 0
	}
	want := []Function{
		{Name: "FuzzParse", Types: []string{"string", "int"}, Target: "Parse", Args: []int{1, 0}},
		{Name: "FuzzOwn", Types: []string{"[]byte"}},
		{Name: "FuzzBoth", Types: []string{"int32", "int32"}, Target: "Less", Args: []int{1, 0}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestConvert(t *testing.T) {
	for _, c := range []struct {
		v    any
		typ  string
		want any // nil: it does not fit
	}{
		{"a\xff", "[]byte", []byte("a\xff")},
		{[]byte("ab"), "string", "ab"},
		{[]byte("ab"), "[]byte", []byte("ab")},
		{int(300), "uint8", nil},
		{int(200), "uint8", uint8(200)},
		{int64(-1), "uint64", nil},
		{uint64(math.MaxUint64), "int64", nil},
		{uint64(math.MaxUint64), "uint", uint(math.MaxUint64)},
		{int32('x'), "int", int('x')},
		{true, "bool", true},
		{true, "int", nil},
		{1.5, "float32", nil},
		{"x", "int", nil},
	} {
		got, ok := Convert(c.v, c.typ)
		if ok != (c.want != nil) || ok && !reflect.DeepEqual(got, c.want) {
			t.Errorf("Convert(%#v, %s) = %#v, %v, want %#v", c.v, c.typ, got, ok, c.want)
		}
	}
}

func TestInput(t *testing.T) {
	in := Input{"a\n\xff", []byte{0}, true, int8(-3), uint8(7), int32('x'), float32(0.5), math.Inf(-1), math.NaN(), 2.0, 5}
	want := `go test fuzz v1
string("a\n\xff")
[]byte("\x00")
bool(true)
int8(-3)
uint8(7)
int32(120)
float32(0.5)
float64(-Inf)
math.Float64frombits(0x7ff8000000000001)
float64(2)
int(5)
`
	if got := string(in.File()); got != want {
		t.Errorf("File() =\n%swant\n%s", got, want)
	}
	text, needs := in.Go()
	if want := `"a\n\xff", []byte("\x00"), true, int8(-3), uint8(7), int32(120), float32(0.5), math.Inf(-1), math.NaN(), 2.0, 5`; text != want || !needs {
		t.Errorf("Go() = %s, %v, want %s", text, needs, want)
	}
	if a, b := in.FileName(), (Input{"x"}).FileName(); a == b || a != in.FileName() {
		t.Errorf("FileName: %s and %s", a, b)
	}
}

func TestConstant(t *testing.T) {
	var b testcase.Builder
	bytes := types.NewSlice(types.Typ[types.Uint8])
	x := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Uint8], Lit: testcase.Literal{Kind: testcase.LitUint, Bits: 65}})
	list := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: bytes, N: 3, Elems: []int{1}}, x)
	text := b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: types.Typ[types.String]}, list)
	zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.Float64]})
	none := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.NewPointer(bytes)})
	seq := b.Sequence()
	for _, c := range []struct {
		ref  testcase.Ref
		want string
	}{
		{x, "uint8 0x41 true"}, {list, `[]uint8 []byte{0x0, 0x41, 0x0} true`}, {text, `string "\x00A\x00" true`}, {zero, "float64 0 true"}, {none, "<nil> <nil> false"},
	} {
		v, ok := Constant(seq, c.ref)
		if got := fmt.Sprintf("%T %#v %v", v, v, ok); got != c.want {
			t.Errorf("Constant(%v) = %s, want %s", c.ref, got, c.want)
		}
	}
}
