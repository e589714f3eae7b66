package words

import (
	"go/token"
	"go/types"
	"testing"
)

// Functions that ask a question have words for their two answers, others have none.
func TestAnswerWords(t *testing.T) {
	for _, tt := range []struct{ name, truth, falsity string }{
		{"Equals", "equal", "not equal"},
		{"IsEmpty", "empty", "not empty"},
		{"IsLeafNode", "leaf node", "not leaf node"},
		{"Contains", "contained", "not contained"},
		{"Has", "present", "absent"},
		{"LessThanOrEqual", "less than or equal", "not less than or equal"},
		{"HasPrefix", "has prefix", "no prefix"},
		{"SameCurrency", "same currency", "different currency"},
		{"Run", "", ""},
	} {
		for _, result := range []types.BasicKind{types.Bool, types.Int} {
			results := types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Typ[result]))
			sig := types.NewSignatureType(nil, nil, nil, nil, results, false)
			n := &Namer{fn: types.NewFunc(token.NoPos, nil, tt.name, sig), sig: sig}
			truth, falsity := n.answerWords()
			if result == types.Int {
				tt.truth, tt.falsity = "", ""
			}
			if truth != tt.truth || falsity != tt.falsity {
				t.Errorf("%s: %q, %q; want %q, %q", tt.name, truth, falsity, tt.truth, tt.falsity)
			}
		}
	}
}
