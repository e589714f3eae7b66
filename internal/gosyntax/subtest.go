package gosyntax

import (
	"strconv"
	"strings"
	"unicode"
)

// SubtestName returns the name of a subtest as go test writes it, up to its first slash.
func SubtestName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	name, _, _ = strings.Cut(b.String(), "/")
	return name
}
