package plain

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/inverse"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/testcase"
)

// The package of these tests prints places as texts and reads them again, appends numbers to texts, and has a
// struct that its code writes out.
const inverseSource = `package p

import "time"

type Codec struct { Dim int; Scale float64 }

func Encode(lat, lng int) string { return "" }
func Decode(hash string) (lat, lng int, err error) { return }
func Validate(hash string) error { return nil }
func Len(hash2 string) bool { return false }
func Escape(text string) string { return "" }
func Unescape(text string) (string, error) { return "", nil }
func EncodeBits(prefix string, data []byte) (string, error) { return "", nil }
func DecodeBits(s string) (string, []byte, error) { return "", nil, nil }
func AppendTo(hash string, n int) string { return hash }
func Width(c Codec) int { return c.Dim }
func Until(t time.Time) int { return 0 }
`

func inverseProgram(t *testing.T) program {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", inverseSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := program{t, &load.Package{Path: "p", Types: pkg, Literals: &load.Literals{}}}
	for _, name := range []string{"Encode", "Decode", "Validate", "Len", "AppendTo"} {
		p.pkg.Targets = append(p.pkg.Targets, &load.Target{Name: name, Obj: p.fn(name), Exported: true})
	}
	return p
}

// returning returns a case whose call returned these values.
func returning(c *testcase.Case, values ...testcase.Value) *testcase.Case {
	results := make([][]testcase.Value, c.Seq.Len())
	results[c.TargetStmt()] = values
	c.Observed = &testcase.Outcome{Status: testcase.Returned, Results: results}
	return c
}

func TestInverse(t *testing.T) {
	p := inverseProgram(t)
	encoded := returning(p.zeros("Encode"), testcase.Value{Kind: testcase.String, Str: "s0e91f", Len: 6})
	nothing := testcase.Value{Kind: testcase.Nil}
	failed := testcase.Value{Kind: testcase.Interface, Err: &testcase.ErrorInfo{Message: "invalid"}}
	with := func(name, text string, results ...testcase.Value) *testcase.Case {
		c := p.zeros(name)
		stmts := c.Seq.AppendTo(nil)
		stmts[0] = p.text(text)
		c.Seq = testcase.NewSequence(stmts...)
		return returning(c, results...)
	}
	printed := PrintedBy(p.pkg, []*testcase.Case{encoded}, nil)
	for _, tt := range []struct {
		name string
		c    *testcase.Case
		n    int
		want string // "" if there is no such way
	}{
		{"a text that Encode printed", with("Decode", "kitten", nothing, nothing, nothing), 0, `Decode("s0e91f")`},
		{"its first half", with("Decode", "kitten", nothing, nothing, nothing), 1, `Decode("s0e")`},
		{"no third text", with("Decode", "kitten", nothing, nothing, nothing), 2, ""},
		{"another function with a parameter of this name", with("Validate", "kitten", nothing), 0, `Validate("s0e91f")`},
		{"a parameter of another name", with("Len", "kitten", nothing), 0, ""},
		{"a function that appends", with("AppendTo", "kitten", nothing), 0, ""},
		{"refused for a character", with("Validate", "a!", failed), 0, `Validate("s0ea1f")`},
		{"refused, cut off", with("Validate", "a!", failed), 1, `Validate("s0e91")`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if s, ok := printed.Inverse(tt.n)(p.pkg, tt.c); ok {
				got = s.String()
			}
			if got != tt.want {
				t.Errorf("Inverse(%d) of %s = %q, want %q", tt.n, tt.c.Seq, got, tt.want)
			}
		})
	}
}

func TestWritten(t *testing.T) {
	p := inverseProgram(t)
	codec := p.typ("Codec")
	p.pkg.Literals.Structs = []literals.Struct{{Type: codec, Fields: map[int]constant.Value{0: constant.MakeInt64(2), 1: constant.MakeFloat64(1e5)}}}
	s, ok := Written(0)(p.pkg, p.zeros("Width"))
	if !ok || !strings.Contains(s.String(), "Dim: 2, Scale: 100000") {
		t.Errorf("Written(0) = %v, %t, want a Codec of Dim 2 and Scale 100000", s, ok)
	}
	if s, ok := Written(1)(p.pkg, p.zeros("Width")); ok {
		t.Errorf("Written(1) = %v, but the code writes out one Codec only", s)
	}
}

func TestZones(t *testing.T) {
	p := inverseProgram(t)
	now := p.foreign("time", "Now")
	location, _, _ := types.LookupFieldOrMethod(p.fn("Until").Signature().Params().At(0).Type(), true, nil, "Location")
	date := p.foreign("time", "Date")
	var stmts []testcase.Statement
	var args []int
	for k := range 7 {
		args = append(args, len(stmts))
		stmts = append(stmts, p.integer(date.Signature().Params().At(k).Type(), int64(k+1)))
	}
	stmts = append(stmts, p.call(now), p.call(location.(*types.Func), 7), p.call(date, append(args, 8)...), p.call(p.fn("Until"), 9))
	c := &testcase.Case{Target: "Until", Seq: testcase.NewSequence(stmts...)}
	s, ok := Zones(p.pkg, c)
	if text := s.String(); !ok || strings.Contains(text, "Now") || strings.Contains(text, "Location") || !strings.Contains(text, "UTC") {
		t.Errorf("Zones = %s, want UTC in place of the zone of Now", text)
	}
}

// Literals writes a moment that a call computed as a call of time.Date.
func TestLiterals_moment(t *testing.T) {
	p := inverseProgram(t)
	at := time.Date(2024, time.May, 6, 7, 8, 9, 10, time.UTC)
	const unixToYear1 = 62135596800
	moment := testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{
		{Kind: testcase.Uint, Bits: uint64(at.Nanosecond())}, {Kind: testcase.Int, Bits: uint64(at.Unix() + unixToYear1)}, {Kind: testcase.Nil},
	}}
	parse := p.foreign("time", "Parse")
	c := &testcase.Case{Target: "Until", Seq: testcase.NewSequence(p.text("2006"), p.text("2024"), p.call(parse, 0, 1), p.call(p.fn("Until"), 2))}
	c.Observed = &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{nil, nil, {moment, {Kind: testcase.Nil}}, nil}}
	s, ok := Literals(p.pkg, c)
	if text := s.String(); !ok || !strings.Contains(text, "Date(2024, 5, 6, 7, 8, 9, 10") || strings.Contains(text, "Parse") {
		t.Errorf("Literals = %s, want a call of Date", text)
	}
}

func TestDecodes(t *testing.T) {
	p := inverseProgram(t)
	tests := []struct {
		reader, printer string
		want            bool
	}{
		{"Unescape", "Escape", true},
		{"DecodeBits", "EncodeBits", true},
		{"Decode", "Encode", true},
		{"Escape", "Unescape", false},
		{"DecodeBits", "Escape", false},
		{"Unescape", "AppendTo", false},
	}
	for _, tt := range tests {
		t.Run(tt.reader+" and "+tt.printer, func(t *testing.T) {
			if got := inverse.Decodes(p.fn(tt.reader), p.fn(tt.printer)); got != tt.want {
				t.Errorf("Decodes(%s, %s) = %t, want %t", tt.reader, tt.printer, got, tt.want)
			}
		})
	}
}

func TestWithoutPart(t *testing.T) {
	tests := []struct {
		text  string
		first []string // some of the texts
	}{
		{"a\n7\nAQID\n", []string{"\n7\nAQID\n", "a\n\nAQID\n", "a\nx\nAQID\n", "a\n7\nx\n", "a\n-1\nAQID\n", "7\nAQID\n", "a\n7\n"}},
		{"ann:secret", []string{":secret", "ann:", "x:secret", "secret", "ann"}},
		{"plain", nil},
		{"a,b,c,d,e", nil}, // too many parts
	}
	for _, tt := range tests {
		got := withoutPart(tt.text)
		for _, want := range tt.first {
			if !slices.Contains(got, want) {
				t.Errorf("withoutPart(%q) = %q, without %q", tt.text, got, want)
			}
		}
		if tt.first == nil && got != nil {
			t.Errorf("withoutPart(%q) = %q, want nothing", tt.text, got)
		}
	}
}

func TestTelling(t *testing.T) {
	if got, want := telling("a\n7\nb\n"), []string{"a\n7\nb\nmore\n", "a\n7\nb\nx", "a\n42\nb\n"}; !slices.Equal(got, want) {
		t.Errorf("telling: %q, want %q", got, want)
	}
	if got := telling("7"); got != nil {
		t.Errorf("telling of one line: %q, want nothing", got)
	}
}
