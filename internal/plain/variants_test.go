package plain

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

func TestVariants(t *testing.T) {
	got := Variants("2020-01", []rune{'Z', '+'})
	for _, want := range []string{"2020-99", "2020-00", "2020-0", "9999-01", "202001", "2020x01", "2020", "2020-01x", "2020-01Z", "2020-01+01:00", " 2020-01", "2020-010"} {
		if !slices.Contains(got, want) {
			t.Errorf("Variants without %q: %q", want, got)
		}
	}
	if slices.Contains(got, "2020-01") || slices.Contains(got, "") {
		t.Errorf("Variants has the text itself, or nothing: %q", got)
	}
	if got := Variants("a,key:value", []rune{'(', '\''}); !slices.Contains(got, "a,key:(value)") || !slices.Contains(got, "a,key:'value'") || !slices.Contains(got, "(a,key:value") || !slices.Contains(got, "a',key:value") {
		t.Errorf("Variants without words in brackets and quotes: %q", got)
	}
	if got := Variants("Get-b", nil); !slices.Contains(got, "GET-b") || !slices.Contains(got, "-b") {
		t.Errorf("Variants of words: %q", got)
	}
}

func TestHasStructure(t *testing.T) {
	for text, want := range map[string]bool{"2020-01-02": true, "key=value": true, "kitten": false, "": false, "a\nb": false} {
		if got := HasStructure(text); got != want {
			t.Errorf("HasStructure(%q) = %t, want %t", text, got, want)
		}
	}
}

func TestWhole(t *testing.T) {
	p := newProgram(t)
	p.pkg.Literals = &load.Literals{Strings: []string{"text/html; charset=utf-8", "text/html; charset=utf-8, and more"}}
	tests := []struct{ text, want string }{
		{"text/html; cha", "text/html; charset=utf-8"},
		{"text/htm", "text/html; charset=utf-8"},
		{"text/ht", ""},                   // too short to be the beginning of this one
		{"text/html; charset=utf-8", ""},  // known itself
		{"text/html; charset=utf-16", ""}, // no beginning of a known one
		{"text/plain; charset=utf-8", ""}, // no beginning either
		{"text/html; charset=utf-8, and m", "text/html; charset=utf-8, and more"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var b testcase.Builder
			k := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: p.pkg.Types.Scope().Lookup("Kind").Type(), Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}})
			x := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: tt.text}})
			y := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.String]})
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: p.fn("Of")}, k, x, y)
			seq, ok := Whole(p.pkg, &testcase.Case{Target: "Of", Seq: b.Sequence()})
			want := `Of(7, "` + tt.want + `", "")`
			if ok != (tt.want != "") || ok && seq.String() != want {
				t.Errorf("Whole() = %v, %t; want %s", seq, ok, want)
			}
		})
	}
}

func TestWordRuns(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"Build ${A-B} on ${C}", []string{"on", "${C}", "Build", "${A-B}", "on ${C}", "${A-B} on", "Build ${A-B}", "${A-B} on ${C}"}},
		{`{"a": 1, "b": 2}`, []string{"1,", `"b":`, `1, "b":`}}, // a brace without the other is no beginning
		{"a = 'b", []string{"a", "=", "'b", "a =", "= 'b"}},
		{"word", nil},
	}
	for _, tt := range tests {
		if got := wordRuns(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("wordRuns(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestIsMade(t *testing.T) {
	pkg := &load.Package{Literals: &load.Literals{
		Strings: []string{"Hello, ${name} and $other"}, Listed: []string{"major > 1, minor < 5"},
		Documented: map[string][][]constant.Value{"F": {{nil, constant.MakeString("a = 1, b = 2")}}},
	}}
	for text, want := range map[string]bool{
		"Hello, ${name} and $other": false, // spelled out
		"The quick brown fox":       false, // a sentence
		"Hello, ${name-x} and $y":   true,
		"major > 1, minor < 5":      false, // an item of a list
		"a = 1, b = 2":              false, // of a call in the documentation
	} {
		if got := isMade(pkg, text); got != want {
			t.Errorf("isMade(%q) = %t, want %t", text, got, want)
		}
	}
}

func TestPadded(t *testing.T) {
	text := "an " + strings.Repeat("ab ", 15) + "end"
	got := padded(text, []string{"end", "zz", text})
	want := []string{strings.Repeat(" ", 51), strings.Repeat(" ", 48) + "end", "an" + strings.Repeat(" ", 49), strings.Repeat("x", 51), strings.Repeat("x", 48) + "end", "an" + strings.Repeat("x", 49)}
	if !slices.Equal(got, want) {
		t.Errorf("padded = %q, want %q", got, want)
	}
	if got := padded(strings.Repeat("x", 60)+"end", []string{"end"}); got != nil {
		t.Errorf("padded of a padded text = %q, want none", got)
	}
}

func TestIsUniform(t *testing.T) {
	for text, want := range map[string]bool{strings.Repeat("a", 9) + "x": true, "aab": false, "ab ab ab": false} {
		if got := isUniform(text); got != want {
			t.Errorf("isUniform(%q) = %t, want %t", text, got, want)
		}
	}
}

func TestLongestRun(t *testing.T) {
	for _, tt := range []struct {
		text    string
		from, n int
	}{{"", 0, 0}, {"ab", 0, 1}, {"abbbc", 1, 3}, {"aab" + strings.Repeat("x", 40), 3, 40}, {"éé", 0, 0}} {
		if from, n := longestRun(tt.text); from != tt.from || n != tt.n {
			t.Errorf("longestRun(%q) = %d, %d; want %d, %d", tt.text, from, n, tt.from, tt.n)
		}
	}
}
