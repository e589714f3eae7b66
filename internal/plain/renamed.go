package plain

import (
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Renamed is the way that writes the texts of a case's own call with plain letters: "abcb" and "dbe" instead of
// "'a)a" and "Aa[". The same character becomes the same letter in all of them, and different characters become
// different letters, so that code which only compares characters does the same. Characters that the package
// spells out stay.
func Renamed(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	if pkg.Literals == nil {
		return nil, false
	}
	v := vocabulary{all: pkg.Literals, near: pkg.Literals.ByFunc[c.Target]}
	used, foreign := feeds(c), foreignArguments(pkg, c.Seq)
	odd := false
	var texts []int
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if !used[i] || foreign[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Lit.Kind != testcase.LitString || op.Lit.Str == "" || IsEnumeration(pkg, op.Type) || v.has(op.Lit.Str) {
			continue
		}
		texts = append(texts, i)
		odd = odd || strings.ContainsFunc(op.Lit.Str, func(r rune) bool { return !isPlainLetter(r) && !v.means(r) })
	}
	if !odd {
		return nil, false
	}
	letters := make(map[rune]rune)
	next := 'a'
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	for _, i := range texts {
		var b strings.Builder
		for _, r := range stmts[i].Op.Lit.Str {
			if v.means(r) || unicode.IsDigit(r) || r == ' ' {
				b.WriteRune(r)
				continue
			}
			if letters[r] == 0 {
				if next > 'z' {
					return nil, false
				}
				letters[r] = next
				next++
			}
			b.WriteRune(letters[r])
		}
		lit := testcase.Literal{Kind: testcase.LitString, Str: b.String()}
		stmts[i] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: stmts[i].Op.Type, Lit: lit}}
	}
	return testcase.NewSequence(stmts...), true
}

// isPlainLetter reports whether a character is one that people put into the texts of tests without a reason.
func isPlainLetter(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsLower(r) || unicode.IsDigit(r)) || r == ' '
}
