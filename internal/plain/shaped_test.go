package plain

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Characters that nobody would choose become letters, the same one for the same character in both texts.
func TestRenamed(t *testing.T) {
	p := newProgram(t)
	for _, tt := range []struct{ name, text, wantName, wantText string }{
		{"'a)a", "Aa[", "abcb", "dbe"},
		{"(1 +", "?", "a1 b", "c"},
		{"x=y", "?=", "a=b", "c="}, // the function spells out the sign
		{"kitten", "sitting", "", ""},
		{"max", "é", "max", "a"}, // somebody wrote the first
	} {
		c := &testcase.Case{Target: "Of", Seq: testcase.NewSequence(p.zero(p.typ("Kind")), p.text(tt.name), p.text(tt.text), p.call(p.fn("Of"), 0, 1, 2))}
		seq, ok := Renamed(p.pkg, c)
		if ok != (tt.wantName != "") {
			t.Errorf("%q, %q: changed %v", tt.name, tt.text, ok)
			continue
		}
		if !ok {
			continue
		}
		if name, text := seq.At(1).Op.Lit.Str, seq.At(2).Op.Lit.Str; name != tt.wantName || text != tt.wantText {
			t.Errorf("%q, %q become %q, %q; want %q, %q", tt.name, tt.text, name, text, tt.wantName, tt.wantText)
		}
	}
}
