package gofile

import (
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Panics quote inputs, and a comment may not have everything in it.
func TestComment(t *testing.T) {
	in := "Compile(\"\x80\") panics:\n\u00e9\t\x00\ufeff\u202e\r`\x80$`\n"
	want := "// Compile(\"\\x80\") panics:\n// \u00e9\t\\x00\\ufeff\\u202e\\r`\\x80$`\n"
	got := Comment(in)
	if got != want {
		t.Errorf("comment = %q, want %q", got, want)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", got+"package p\n", parser.ParseComments); err != nil {
		t.Error(err)
	}
}

// A field or a key that is called like an import does not use the import, which would not compile.
func TestQualifiers(t *testing.T) {
	used := Qualifiers([]byte("type T struct{ index int }\nvar v = T{index: strings.Count(x.y.z, f().g)}\nfunc (r token.T) F(p list.L) { r.sort() }\n"))
	for _, tt := range []struct {
		name string
		want bool
	}{{"strings", true}, {"x", true}, {"token", true}, {"list", true}, {"r", true}, {"index", false}, {"y", false}, {"f", false}, {"sort", false}} {
		if used[tt.name] != tt.want {
			t.Errorf("%s in front of a selector: %t, want %t", tt.name, used[tt.name], tt.want)
		}
	}
}

func TestNames_pick(t *testing.T) {
	outer := NewNames(nil)
	outer.Add("Stack")
	n := NewNames(outer)
	got := strings.Join([]string{n.Pick("s"), n.Pick("s"), n.Pick("s", "stack"), n.Pick("len", "string"), n.Pick("Stack"), n.Pick("for"), n.Pick("x1"), n.Pick("x1")}, " ")
	if want := "s s2 stack v2 Stack2 v3 x1 x1_2"; got != want {
		t.Errorf("picked %s, want %s", got, want)
	}
}

// The column of a receiver is called after its type, which may be Type.
func TestPickField(t *testing.T) {
	n := NewNames(nil)
	got := strings.Join([]string{n.PickField("type"), n.PickField("len"), n.PickField("len"), n.PickField("range")}, " ")
	if want := "theType len v2 theRange"; got != want {
		t.Errorf("picked %s, want %s", got, want)
	}
}

func TestLowerFirst(t *testing.T) {
	for name, want := range map[string]string{"ID": "id", "HTTPServer": "httpServer", "Now": "now", "x": "x", "": ""} {
		if got := LowerFirst(name); got != want {
			t.Errorf("lowerFirst(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestComparison_need(t *testing.T) {
	nan := testcase.Value{Kind: testcase.Float, Bits: math.Float64bits(math.NaN())}
	one := testcase.Value{Kind: testcase.Float, Bits: math.Float64bits(1)}
	list := testcase.Value{Kind: testcase.Slice, Len: 2, Elems: []testcase.Value{one, nan}}
	if (Comparison{}).Need(one).Special || !(Comparison{}).Need(list).Special {
		t.Error("a NaN among the expected values is not noticed, or one that is none is")
	}
}

// A row leaves out what is the zero value of its column. A 0 or a "" in an interface is no nil.
func TestIsZeroOf(t *testing.T) {
	for _, tt := range []struct {
		text, typ string
		want      bool
	}{
		{"nil", "any", true}, {"0", "int", true}, {"0", "any", false}, {"0", "interface{}", false}, {"0", "Kind", false},
		{`""`, "string", true}, {`""`, "any", false}, {"false", "bool", true}, {"false", "any", false}, {"1", "int", false},
	} {
		if got := isZeroOf(tt.text, tt.typ); got != tt.want {
			t.Errorf("isZeroOf(%s, %s) = %t, want %t", tt.text, tt.typ, got, tt.want)
		}
	}
}

func TestReadsInLines(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"one line\nanother line\na third line\nthe last one", true},
		{"a\nb\nc\nd", false}, // fits into a row of a table
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", true},
		{"a\nb", false},
		{"one line \nanother line\na third line\nthe last one", false},      // the space at the end of a line would not be seen
		{"one\tline\nanother line\na third line\nthe last one", false},      // nor that it is a tab
		{"`one` line\nanother line\na third line\nthe last one", false},     // no raw literal has these quotes
		{"one line\r\nanother line\r\na third line\r\nthe last one", false}, // nor keeps carriage returns
		{"one line\xff\nanother line\na third line\nthe last one", false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if got := readsInLines(tt.text); got != tt.want {
				t.Errorf("readsInLines(%q) = %t, want %t", tt.text, got, tt.want)
			}
		})
	}
}

func TestNamedBy(t *testing.T) {
	tests := []struct {
		name    string
		columns []Column
		want    []string
	}{
		{"constants", []Column{{"b", "Base", []string{"Kibibyte", "1025", "math.MaxInt64 - 1"}}}, []string{"Kibibyte", "1025", "math.MaxInt64 - 1"}},
		{"constants and numbers", []Column{{"b", "Base", []string{"Kibibyte", "Kibibyte"}}, {"n", "int", []string{"0", "-1"}}}, []string{"0", "-1"}},
		{"calls", []Column{{"b", "Base", []string{"Kibibyte", "New(1)"}}}, nil},
		{"texts", []Column{{"b", "Name", []string{`"a"`, `"b"`}}}, nil},
		{"flags", []Column{{"b", "bool", []string{"true", "false"}}}, nil},
		{"all the same", []Column{{"n", "int", []string{"1", "1"}}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NamedBy(tt.columns); !slices.Equal(got, tt.want) {
				t.Errorf("NamedBy(%v) = %q, want %q", tt.columns, got, tt.want)
			}
		})
	}
}

func TestCalledByNumbers(t *testing.T) {
	tests := []struct {
		name    string
		columns []Column
		by      string
		names   []string
	}{
		{"whole numbers", []Column{{"n", "int", []string{"1", "-2"}}}, "strconv.Itoa(tt.n)", []string{"1", "-2"}},
		{"floats", []Column{{"x", "float32", []string{"0.1", "1e30"}}}, "fmt.Sprint(tt.x)", []string{"0.1", "1e+30"}},
		{"all numbers that differ", []Column{{"n", "int", []string{"1", "2"}}, {"k", "uint8", []string{"3", "4"}}, {"m", "int", []string{"5", "5"}}}, `fmt.Sprintf("%d, %d", tt.n, tt.k)`, []string{"1, 3", "2, 4"}},
		{"numbers beside equal texts", []Column{{"s", "string", []string{`"a"`, `"a"`, `""`}}, {"n", "int", []string{"1", "2", "2"}}}, `fmt.Sprintf("%q, %d", tt.s, tt.n)`, []string{`"a", 1`, `"a", 2`, `"", 2`}},
		{"a number of a constant", []Column{{"n", "int", []string{"1", "math.MaxInt"}}}, "", nil},
		{"a flag", []Column{{"n", "int", []string{"1", "1", "2"}}, {"b", "bool", []string{"true", "false", "true"}}}, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := NewWriter(&load.Package{Path: "p", Name: "p", Types: types.NewPackage("p", "p")}, false, "go1.24", NewNames(nil), NewImports())
			by, names := w.CalledByNumbers(tt.columns)
			if by != tt.by || !slices.Equal(names, tt.names) {
				t.Errorf("CalledByNumbers(%v) = %q, %q; want %q, %q", tt.columns, by, names, tt.by, tt.names)
			}
		})
	}
}

func TestCalledBy(t *testing.T) {
	tests := []struct {
		name    string
		columns []Column
		by      string
		names   []string
	}{
		{"texts", []Column{{"s", "string", []string{`"a b"`, "`c\\`"}}}, "tt.s", []string{"a b", `c\`}},
		{"one is empty", []Column{{"s", "string", []string{`""`, `"a"`}}}, "strconv.Quote(tt.s)", []string{`""`, `"a"`}},
		{"bytes", []Column{{"b", "[]byte", []string{`[]byte("a")`, `[]byte("b")`}}}, "string(tt.b)", []string{"a", "b"}},
		{"second of two", []Column{{"s", "string", []string{`"a"`, `"a"`}}, {"t", "string", []string{`"b"`, `"c"`}}}, "tt.t", []string{"b", "c"}},
		{"both", []Column{{"s", "string", []string{`"a"`, `"a"`, `"b"`}}, {"t", "string", []string{`"b"`, `"c"`, `"b"`}}}, `tt.s+", "+tt.t`, []string{"a, b", "a, c", "b, b"}},
		{"equal for go test", []Column{{"s", "string", []string{`"a b"`, `"a_b"`}}}, "", nil},
		{"no constant", []Column{{"s", "string", []string{`"a"`, "Name"}}}, "", nil},
		{"numbers", []Column{{"n", "int", []string{"1", "2"}}}, "", nil},
		{"long", []Column{{"s", "string", []string{strconv.Quote(strings.Repeat("ab", 50)), `"b"`}}}, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := NewWriter(&load.Package{Path: "p", Name: "p", Types: types.NewPackage("p", "p")}, false, "go1.24", NewNames(nil), NewImports())
			by, names := w.CalledBy(tt.columns)
			if by != tt.by || !slices.Equal(names, tt.names) {
				t.Errorf("CalledBy(%v) = %q, %q; want %q, %q", tt.columns, by, names, tt.by, tt.names)
			}
		})
	}
}

func TestCellVerb(t *testing.T) {
	tests := []struct {
		t     types.Type
		cells []string
		want  string
	}{
		{types.Typ[types.Uint8], []string{"','", "0"}, "%q"},
		{types.Typ[types.Uint8], []string{"0", "0"}, "%d"},
		{types.Typ[types.Uint8], []string{"','", "7"}, "%d"},
		{types.Typ[types.String], []string{`"a"`}, "%q"},
	}
	for _, tt := range tests {
		if got := CellVerb(tt.t, tt.cells); got != tt.want {
			t.Errorf("CellVerb(%v, %q) = %s, want %s", tt.t, tt.cells, got, tt.want)
		}
	}
}
