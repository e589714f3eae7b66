package emit

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// The packages of testify. Tests use them if the package's own tests do. If the package's own tests import
// only require, every failed check ends the test, as in these tests.
const (
	assertPath  = "github.com/stretchr/testify/assert"
	requirePath = statement.RequirePath
)

// testify reports whether the package's own tests assert by testify.
func (w *writer) testify() bool {
	return w.Pkg.TestImports[assertPath] || w.Pkg.TestImports[requirePath]
}

// A check is an assertion as a call of testify: a function and its arguments after t. The zero check
// stands for an assertion without such a call; its condition is checked by an if.
type check struct {
	name string
	args []string
}

// checked returns the check of an assertion.
func (a assertion) checked() check {
	switch {
	case a.check.name != "":
		return a.check
	case strings.HasPrefix(a.cond, "!") && closed(a.cond[1:]):
		return check{"True", []string{a.cond[1:]}}
	}
	return check{"False", []string{a.cond}}
}

// closed reports whether a text is one operand, so that a ! in front of the text negates all of it.
func closed(text string) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ' ':
			if depth == 0 {
				return false
			}
		}
	}
	return true
}

// checkText returns the statement that checks an assertion. The parameter stop says that the statements
// behind make no sense if the assertion fails.
func (w *writer) checkText(c check, stop bool) string {
	args := strings.Join(append([]string{"t"}, c.args...), ", ")
	if w.Pkg.TestImports[requirePath] && (stop || !w.Pkg.TestImports[assertPath]) {
		return w.Imports.Name(requirePath, "require") + "." + c.name + "(" + args + ")"
	}
	text := w.Imports.Name(assertPath, "assert") + "." + c.name + "(" + args + ")"
	if stop {
		return "if !" + text + " {\nreturn\n}"
	}
	return text
}

// errorIs returns the check that an error is another error or wraps it. testify has this check since v1.7.0.
func (w *writer) errorIs(got, want string) check {
	path := assertPath
	if !w.Pkg.TestImports[assertPath] {
		path = requirePath
	}
	if w.lacks == nil || !w.lacks(path, "ErrorIs") {
		return check{"ErrorIs", []string{got, want}}
	}
	return assertion{cond: w.IsNot(got, want)}.checked()
}

// equalCheck returns the check that got equals want, an expression that has its type by itself. There is such
// a check only where testify's ObjectsAreEqual agrees with the chosen comparison. It does not agree for
// floats that need another comparison, and for times.
func equalCheck(got, want string, t types.Type, c gofile.Comparison) check {
	if c.Special || c.Tolerance || load.IsNamed(t, "time", "Time") {
		return check{}
	}
	return check{"Equal", []string{want, got}}
}

// checks writes the assertions as calls of testify.
func (s *script) checks(as []assertion, count int) {
	for _, a := range as {
		if a.before != "" {
			s.Line(a.before)
		}
		s.Line(s.w.checkText(a.checked(), a.fatal && count > 1))
	}
}

// rowChecks returns the call of a row and the checks of its results, the check of the error first.
func (t *table) rowChecks(got, call string, as []assertion) string {
	if len(as) == 1 && as[0].cond+as[0].check.name != "" {
		if c, ok := as[0].checked().within(got, call); ok {
			return t.checkText(c, false) + "\n"
		}
	}
	out := got + " := " + call + "\n"
	for _, first := range []bool{true, false} {
		for i, a := range as {
			if gosyntax.IsError(t.types[i]) == first && a.cond+a.check.name != "" {
				out += t.checkText(a.checked(), false) + "\n"
			}
		}
	}
	return out
}

// within returns the check with the call written in place of its result's name, and reports whether that
// reads well.
func (c check) within(name, call string) (check, bool) {
	const longest = 80
	if len(call) > longest || strings.Contains(call, "\n") {
		return c, false
	}
	uses := 0
	args := make([]string, len(c.args))
	for i, a := range c.args {
		args[i] = a
		if a == name {
			args[i] = call
			uses++
		}
	}
	return check{c.name, args}, uses == 1
}

// oneCheck writes the call inside the assertion on its only result, and reports whether it did: it does not
// if that would read badly.
func (s *script) oneCheck(names []string, results [][]assertion, callExpr gofile.Expr) bool {
	if len(names) != 1 || len(results[0]) != 1 || results[0][0].before != "" {
		return false
	}
	c, ok := results[0][0].checked().within(names[0], callExpr.Text)
	if !ok {
		return false
	}
	s.asserted++
	s.Line(s.w.checkText(c, false))
	return true
}
