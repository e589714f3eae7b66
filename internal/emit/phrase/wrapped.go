package phrase

import (
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
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

// SucceedsAlone reports whether the last call of the i-th of n cases of a test that may return an error returns none, and those of all others do: the case is the
// one that goes well. What a returned function returns counts as well.
func SucceedsAlone(n, i int, of func(k int) *testcase.Case) bool {
	if n < 2 {
		return false
	}
	for k := range n {
		failed, known := lastFailed(of(k))
		if !known || failed == (k == i) {
			return false
		}
	}
	return true
}

// lastFailed reports whether the last call of a case that may return an error, its own or one behind, has returned one.
func lastFailed(c *testcase.Case) (failed, known bool) {
	types := c.Seq.ResultTypes()
	for at := c.Seq.Len() - 1; at >= c.TargetStmt() && c.Observed != nil; at-- {
		n := len(types[at])
		if n > 0 && gosyntax.IsError(types[at][n-1]) && at < len(c.Observed.Results) && len(c.Observed.Results[at]) == n {
			return c.Observed.Results[at][n-1].Err != nil, true
		}
	}
	return false, false
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
