package random

import (
	"go/types"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// The order of integers has all integers, also the extremes.
func TestMagnitude(t *testing.T) {
	order := []int64{0, 1, -1, 2, -2, 3, math.MaxInt32, math.MinInt32, math.MaxInt64 - 1, math.MaxInt64, -math.MaxInt64, math.MinInt64}
	for i := 1; i < len(order); i++ {
		if magnitude(order[i-1]) >= magnitude(order[i]) {
			t.Errorf("%d is not before %d", order[i-1], order[i])
		}
	}
}

// The least integer can be replaced by each of the plain numbers, and by half of itself.
func TestSimpler_least(t *testing.T) {
	least := int64(math.MinInt64)
	var got []int64
	for _, l := range simpler(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int64], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(least)}}) {
		got = append(got, int64(l.Bits))
	}
	for _, want := range []int64{0, 1, 10, -1, 100, least / 10, least / 2, least + 1} {
		if !slices.Contains(got, want) {
			t.Errorf("%d is not proposed; there are %d", want, got)
		}
	}
}

// Documents lose lines, words and signs, and letters only where there is no word.
func TestSimplerDocuments(t *testing.T) {
	isWord := func(word string) bool { return word == "server" || word == "host" || word == "ann" }
	text := "[server]\nhost = ann\n#xyz"
	if !hasWords(text, isWord) || hasWords("server xyz", isWord) {
		t.Error("two words make a document, one does not")
	}
	got := simplerDocuments(text, isWord)
	for _, want := range []string{"", "[server]\nhost = ann", "[]\nhost = ann\n#xyz", "[server]\nhost = ann\n#yz"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not proposed", want)
		}
	}
	for _, text := range got {
		if strings.Contains(text, "erver") && !strings.Contains(text, "server") {
			t.Errorf("%q has half of a word", text)
		}
	}
}
