package gofile

import (
	"go/parser"
	"go/token"
	"math"
	"strings"
	"testing"

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

func TestImportable(t *testing.T) {
	tests := []struct {
		path, from string
		want       bool
	}{
		{"strings", "example.com/m", true},
		{"example.com/m/internal/x", "example.com/m/p", true},
		{"example.com/m/internal", "example.com/m", true},
		{"example.com/n/internal/x", "example.com/m", false},
		{"example.com/m/p/internal/x", "example.com/m/q", false},
		{"example.com/m/internal/x/internal/y", "example.com/m/internal/x/z", true},
		{"example.com/m/internal/x/internal/y", "example.com/m/p", false},
		{"internal/abi", "example.com/m", false},
		{"vendor/golang.org/x/net", "example.com/m", false},
		{"unsafe", "example.com/m", false},
	}
	for _, tt := range tests {
		if got := Importable(tt.path, tt.from); got != tt.want {
			t.Errorf("importable(%q, %q) = %t, want %t", tt.path, tt.from, got, tt.want)
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
