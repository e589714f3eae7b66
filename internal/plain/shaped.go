package plain

import (
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// shapedTexts are texts as people write them into tests of functions that look at single characters. There
// are one or a few texts for each shape (see shape).
var shapedTexts = [...]string{
	"HelloWorld", "helloWorld", "HTTPServer", "userID", "parseURL", "UserID", "Hello", "ID", "hello_world", "user_id", "first-name", "example.com",
	"item42", "42nd", "3DModel", "Item42", "item2Go", "abc123def", "V2", "hello world", "Hello World", "Hello, World", "key=value", "key: value", "a,b,c", "a/b/c", "a/b.txt",
	"_private", "trailing_", "-flag", "--flag", ".hidden", "/a/b", "hello!", "(hello)", "[hello]", "{hello}", "<hello>", "hello?", "#hello", "@ann", "$name", "name*", "*name",
	"3.14", "-12", "+7", "1,000", "2024-01-02", "12:30", "10%", "$5",
}

// mostShaped is how many texts of one shape are tried.
const mostShaped = 3

// Shaped returns a way that replaces each unnatural text of the case's own call by the n-th natural text of
// the same shape, like "HTTPServer" for "IPa". Both texts have the same kinds of characters in the same
// order, so functions that look at each character take the same way with both.
func Shaped(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if pkg.Literals == nil {
			return nil, false
		}
		v := vocabulary{all: pkg.Literals, near: pkg.Literals.ByFunc[c.Target]}
		used, names := feeds(c), parameterNames(c.Seq)
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		changed := false
		for i, st := range stmts {
			op := st.Op
			if !used[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Lit.Kind != testcase.LitString || IsEnumeration(pkg, op.Type) || !isOdd(v, op.Lit.Str) || slices.Contains(TextsFor(pkg, names[i]), op.Lit.Str) {
				continue
			}
			alike := ofShape(shape(op.Lit.Str))
			if n >= len(alike) {
				continue
			}
			lit := testcase.Literal{Kind: testcase.LitString, Str: alike[n]}
			stmts[i] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}}
			changed = true
		}
		if !changed {
			return nil, false
		}
		return testcase.NewSequence(stmts...), true
	}
}

// isOdd reports whether a text looks as if a solver or a reducer made it: it has several characters, is no
// single word, and neither the package nor its documents spell it out.
func isOdd(v vocabulary, text string) bool {
	if len([]rune(text)) < 2 || v.has(text) || slices.Contains(shapedTexts[:], text) {
		return false
	}
	lower := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLower(r) }) < 0
	return !lower
}

// ofShape returns texts of a shape, at most mostShaped.
func ofShape(want string) []string {
	var out []string
	for _, t := range shapedTexts {
		if len(out) < mostShaped && shape(t) == want {
			out = append(out, t)
		}
	}
	return out
}

// shape returns the kinds of a text's characters in their order, with runs of one kind as one: "HTTPServer"
// is "Aa", "user_id" is "a_a". Characters that are no letters, digits or spaces stand for themselves.
func shape(text string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range text {
		k := r
		switch {
		case unicode.IsUpper(r):
			k = 'A'
		case unicode.IsLetter(r):
			k = 'a'
		case unicode.IsDigit(r):
			k = '0'
		case unicode.IsSpace(r):
			k = ' '
		}
		if k != last {
			b.WriteRune(k)
		}
		last = k
	}
	return b.String()
}

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

// Formats returns the sequence of a case in which a format that a function of the package takes mentions the arguments
// behind it. The go command refuses tests that pass arguments which their format does not mention.
func Formats(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	seq, changed := c.Seq, false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if !ownCall(pkg, st.Op) {
			continue
		}
		n := st.Op.Func.Signature().Params().Len()
		if !gosyntax.TakesFormat(st.Op.Func.Signature()) || len(st.Args) < 2 {
			continue
		}
		args := st.Args
		if st.Op.Kind == testcase.OpMethod {
			args = args[1:]
		}
		if len(args) != n {
			continue
		}
		list := c.Seq.At(args[n-1].Stmt)
		text, ok := TextOf(pkg, c.Seq, args[n-2].Stmt)
		if !ok || list.Op.Kind != testcase.OpComposite && list.Op.Kind != testcase.OpZero {
			continue
		}
		format := text
		for strings.HasSuffix(format, "%v") { // of the arguments that there were when the format was made
			format = strings.TrimSpace(strings.TrimSuffix(format, "%v"))
		}
		if strings.Contains(format, "%") {
			continue
		}
		if format = strings.TrimSpace(format + strings.Repeat(" %v", len(list.Args))); format == text {
			continue
		}
		with, ok := WithText(seq, args[n-2].Stmt, format)
		if ok && with.Len() == c.Seq.Len() { // statements have the numbers that they had
			seq, changed = with, true
		}
	}
	return seq, changed
}

// Formatted returns the sequence of a case in which a format that puts its arguments side by side, or an empty one, says something with a word
// and a number: Errorf("%s: %d", "hello", 3) for Errorf("%v %v %v %v", 1, 2, 3, 4). One number is as another one, and nobody writes four.
func Formatted(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	const few = 2
	texts, lists := make(map[int]bool), make(map[int]bool)
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if !ownCall(pkg, st.Op) || !gosyntax.TakesFormat(st.Op.Func.Signature()) || len(st.Args) < 2 {
			continue
		}
		text, list := st.Args[len(st.Args)-2].Stmt, st.Args[len(st.Args)-1].Stmt
		format, op := c.Seq.At(text).Op, c.Seq.At(list).Op
		isMany := op.Kind == testcase.OpComposite && op.N == len(c.Seq.At(list).Args) && op.N > few && format.Lit.Str != ""
		isNothing := format.Lit.Str == "" && (op.Kind == testcase.OpZero || op.Kind == testcase.OpComposite && op.N == 0)
		isList := func() bool { _, ok := op.Type.Underlying().(*types.Slice); return ok } // there may be no arguments
		if _, isText := basicOf(format); isText && strings.Trim(format.Lit.Str, " %v") == "" && (isMany || isNothing) && isList() {
			texts[text], lists[list] = true, true
		}
	}
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		switch {
		case texts[i]:
			lit := testcase.Literal{Kind: testcase.LitString, Str: "%s: %d"}
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: st.Op.Type, Lit: lit}}, true
		case lists[i]:
			elem := st.Op.Type.Underlying().(*types.Slice).Elem()
			made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type, N: few}}
			for _, v := range []any{byteWords[0], int64(3)} {
				boxed := box(out, elem, v)
				*out = append(*out, boxed)
				made.Args = append(made.Args, testcase.Ref{Stmt: len(*out) - 1})
			}
			return made, true
		}
		return st, false
	})
}
