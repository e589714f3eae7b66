package plain

import (
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/testcase"
)

// mostDocumented is how many calls of the documentation are tried for one case.
const mostDocumented = 4

// Documented returns a way that gives the case's own call the constants of the n-th call of the function in
// the documentation, because users know these values. Constants that the hand-written tests pass already are
// left out.
func Documented(n int) Way { return documented(n, func(int) bool { return true }) }

// DocumentedArgument returns a way that does so for one argument of the call alone, counted from 0 without the receiver.
func DocumentedArgument(n, arg int) Way { return documented(n, func(k int) bool { return k == arg }) }

// documented returns the way for the arguments that are wanted.
func documented(n int, wanted func(arg int) bool) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if pkg.Literals == nil {
			return nil, false
		}
		lists := slices.DeleteFunc(slices.Clone(pkg.Literals.Documented[c.Target]), func(list []constant.Value) bool {
			return slices.ContainsFunc(pkg.Literals.Calls[c.Target], func(l []constant.Value) bool { return sameConstants(l, list) })
		})
		at := c.TargetStmt()
		st := c.Seq.At(at)
		args := st.Args
		if st.Op.Kind == testcase.OpMethod {
			args = args[1:]
		}
		if n >= len(lists) || len(lists[n]) != len(args) {
			return nil, false
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		changed := false
		for i, a := range args {
			op := stmts[a.Stmt].Op
			v := lists[n][i]
			if v == nil || !wanted(i) || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || IsEnumeration(pkg, op.Type) && !isDuration(op.Type) {
				continue
			}
			lit, ok := constantOf(op.Type, v)
			if !ok || op.Kind == testcase.OpLiteral && lit == op.Lit {
				continue
			}
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}}
			changed = true
		}
		if !changed {
			return nil, false
		}
		return testcase.NewSequence(stmts...), true
	}
}

// IsDocumented reports whether the case's own call passes the same constants as a call in the
// documentation, or an example of the README. Arguments that are not constant there do not count.
func IsDocumented(pkg *load.Package, c *testcase.Case) bool {
	if pkg.Literals == nil {
		return false
	}
	st := c.Seq.At(c.TargetStmt())
	args := st.Args
	if st.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	for _, a := range args {
		at, ok := TextBehind(pkg, c.Seq, a)
		if !ok {
			continue
		}
		text, _ := TextOf(pkg, c.Seq, at)
		if slices.ContainsFunc(pkg.Literals.Fenced, func(f literals.Fenced) bool { return f.Text == text }) {
			return true
		}
	}
	return slices.ContainsFunc(pkg.Literals.Documented[c.Target], func(list []constant.Value) bool {
		if len(list) != len(args) {
			return false
		}
		for i, a := range args {
			op := c.Seq.At(a.Stmt).Op
			if list[i] == nil {
				continue
			}
			if op.Kind != testcase.OpLiteral {
				return false // the result of a call gives the constant no type
			}
			if lit, ok := constantOf(op.Type, list[i]); !ok || lit != op.Lit {
				return false
			}
		}
		return true
	})
}

// Bounds of the calls with texts that doc comments show: how many texts an object is made of, and how many combinations of such a
// text and a part of one there are.
const (
	mostShown = 10
	MostShown = 40
)

// ShownTogether returns sequences in which the object of the case's call is made of a text that a doc comment shows, and the call is
// passed a part of such a text, or a text that fits one: for the pattern *.txt the name of a file of text. Parts of the same text come
// first. It returns nil if the object is not made of a text, or if the call takes none or several.
func ShownTogether(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	if pkg.Literals == nil || len(pkg.Literals.Shown) == 0 {
		return nil
	}
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || !ownCall(pkg, st.Op) {
		return nil
	}
	own := -1
	for _, a := range st.Args[1:] {
		if k, ok := TextBehind(pkg, c.Seq, a); ok {
			if own >= 0 {
				return nil
			}
			own = k
		}
	}
	of, shown := madeOfShown(pkg, c.Seq.Prefix(at))
	if own < 0 || of < 0 || of == own {
		return nil
	}
	var fitting, others []*testcase.Sequence
	var parts []string
	for _, text := range shown[:min(len(shown), mostShown)] {
		made, ok := WithText(c.Seq, of, text.Value)
		if !ok || made.Len() != c.Seq.Len() {
			continue
		}
		var its []string
		for line := range strings.SplitSeq(text.Value, "\n") {
			its = append(its, partsOf(line)...)
		}
		for _, part := range its {
			if seq, ok := WithText(made, own, part); ok {
				fitting = append(fitting, seq)
			}
		}
		for _, part := range parts {
			if seq, ok := WithText(made, own, part); ok && !slices.Contains(its, part) {
				others = append(others, seq)
			}
		}
		if !strings.Contains(text.Value, "\n") {
			parts = append(parts, its...)
		}
	}
	out := append(fitting, others...)
	return out[:min(len(out), MostShown)]
}

// Shown returns a way that passes the n-th of these combinations.
func Shown(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if seqs := ShownTogether(pkg, c); n < len(seqs) && seqs[n].Key() != c.Seq.Key() {
			return seqs[n], true
		}
		return nil, false
	}
}

// madeOfShown returns the statement of the text that the last call which reads one is passed, and the texts that doc comments show
// for it, or -1.
func madeOfShown(pkg *load.Package, s *testcase.Sequence) (stmt int, shown []notation.Text) {
	stmt = -1
	eachArgument(pkg, s, func(fn *types.Func, param int, a testcase.Ref) {
		texts := pkg.ShownTo(fn, param)
		if k, ok := TextBehind(pkg, s, a); ok && len(texts) > 0 {
			stmt, shown = k, texts
		}
	})
	return stmt, shown
}

// partsOf returns what a method may be asked about an object that was made of a line: a text that fits the line if it is a pattern for
// names of files, the same within a directory, and the first word of the line.
func partsOf(line string) []string {
	fits := classes.ReplaceAllString(strings.Trim(line, "!/^$ "), "$1")
	fits = strings.NewReplacer("**", "sub", "*", "notes", "?", "x").Replace(fits)
	if fits == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	var out []string
	if !strings.ContainsAny(fits, " \t") {
		out = append(out, fits, "sub/"+fits)
	}
	if words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t=:,;()", r) }); len(words) > 1 {
		out = append(out, words[0])
	}
	return out
}

// classes are the sets of characters in patterns: one of their characters fits them.
var classes = regexp.MustCompile(`\[([^\]^!\\])[^\]]*\]`)

func sameConstants(a, b []constant.Value) bool {
	return slices.EqualFunc(a, b, func(a, b constant.Value) bool {
		return a != nil && b != nil && a.ExactString() == b.ExactString()
	})
}

// constantOf returns a text or a whole number as a constant of a type, and false if the value is neither.
func constantOf(t types.Type, v constant.Value) (testcase.Literal, bool) {
	if v.Kind() != constant.String && v.Kind() != constant.Int {
		return testcase.Literal{}, false
	}
	lit, ok := testcase.ConstantLiteral(v, t)
	return lit, ok && lit.Kind != testcase.LitFloat
}
