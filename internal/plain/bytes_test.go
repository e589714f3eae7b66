package plain

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A text that is passed as json.RawMessage becomes a document, unless it is one of JSON.
func TestMessages(t *testing.T) {
	raw := types.NewNamed(types.NewTypeName(0, types.NewPackage("encoding/json", "json"), "RawMessage", nil), types.NewSlice(types.Typ[types.Byte]), nil)
	other := types.NewNamed(types.NewTypeName(0, types.NewPackage("p", "p"), "Text", nil), types.NewSlice(types.Typ[types.Byte]), nil)
	for _, tt := range []struct {
		to   types.Type
		text string
		want string
	}{
		{raw, "", message},
		{raw, "abc", message},
		{raw, "[1]", "[1]"},
		{other, "abc", "abc"},
	} {
		lit := testcase.Literal{Kind: testcase.LitString, Str: tt.text}
		fn := types.NewFunc(0, nil, "F", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "v", tt.to)), nil, false))
		c := &testcase.Case{Target: "F", Seq: testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: lit}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpConvert, Type: tt.to}, Args: []testcase.Ref{{Stmt: 0}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: fn}, Args: []testcase.Ref{{Stmt: 1}}},
		)}
		got := tt.text
		if seq, ok := Messages(nil, c); ok {
			got = seq.At(0).Op.Lit.Str
		}
		if got != tt.want {
			t.Errorf("Messages: %s(%q) becomes %q, want %q", tt.to, tt.text, got, tt.want)
		}
	}
}
