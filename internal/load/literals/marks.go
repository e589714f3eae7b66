package literals

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Bounds of the marks of a package, and of the characters that one has.
const (
	maxMarks   = 12
	markLength = 2
)

// marks returns the punctuation that the code of a package compares with and splits at, the most frequent first: '-' and "--" of a
// command line, '=' between a key and its value. With these a text names something that has been given another call by its bare name.
func marks(src Source) []string {
	counts := make(map[string]int)
	var order []string
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.CHAR && lit.Kind != token.STRING {
				return true
			}
			v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
			s := ""
			switch v.Kind() {
			case constant.Int:
				if r, ok := constant.Int64Val(v); ok {
					s = string(rune(r))
				}
			case constant.String:
				s = constant.StringVal(v)
			}
			if isMark(s) {
				if counts[s] == 0 {
					order = append(order, s)
				}
				counts[s]++
			}
			return true
		})
	}
	slices.SortStableFunc(order, func(a, b string) int { return -cmp.Compare(counts[a], counts[b]) })
	return order[:min(len(order), maxMarks)]
}

// isMark reports whether a text is punctuation, perhaps with a space behind it. Quotes and brackets stand around things, not between
// them.
func isMark(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > markLength {
		return false
	}
	for i, r := range s {
		switch {
		case i > 0 && r == ' ':
		case r > unicode.MaxASCII, !unicode.IsPunct(r) && !unicode.IsSymbol(r), slices.Contains([]rune("\"'`()[]{}<>\\%_"), r):
			return false
		}
	}
	return true
}
