package phrase

import (
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/testcase"
)

// FailsAlone reports whether the i-th of n cases of a test returns an error, and no other one does that has no name: that it fails says more
// than what it was passed. Those that have one are called after their inputs or their error.
func FailsAlone(n, i int, of func(k int) *testcase.Case, isNamed func(k int) bool) bool {
	fails := func(c *testcase.Case) bool {
		at := c.TargetStmt()
		if c.Observed == nil || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
			return false
		}
		results := c.Observed.Results[at]
		return results[len(results)-1].Err != nil
	}
	if !fails(of(i)) {
		return false
	}
	for k := range n {
		if k != i && !isNamed(k) && fails(of(k)) {
			return false
		}
	}
	return true
}

// WithoutWrapping returns the only text of a name that is a struct with another one inside, and other names as they are: a
// reader wants to see the text, and not that it is the Value of one of the Values.
func WithoutWrapping(name string) string {
	if !strings.HasPrefix(strings.TrimPrefix(name, "&"), "{") || strings.Count(name, "{") < 2 {
		return name
	}
	text := OnlyText(name)
	if text == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return name
	}
	return strconv.Quote(text)
}

// OnlyText returns the text of an expression's only string literal, "" if there are none or several.
func OnlyText(expr string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(expr)), []byte(expr), nil, 0)
	found := ""
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return found
		case tok == token.STRING:
			text, err := strconv.Unquote(lit)
			if err != nil || found != "" {
				return ""
			}
			found = text
		}
	}
}
