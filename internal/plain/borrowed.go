package plain

import (
	"cmp"
	"go/constant"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/testcase"
)

// mostBorrowed is how many calls of the documentation are tried as sources of constants for one case.
const mostBorrowed = 3

// Borrowed returns a way that gives all calls of a case the constants that the n-th call in the
// documentation passes to parameters of the same names and types, whichever function it calls: a
// template that New is shown with suits Reset and Execute, too.
func Borrowed(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if pkg.Literals == nil {
			return nil, false
		}
		lists := pkg.DocumentedCalls()
		wanted := parametersOf(pkg, c.Seq)
		fits := func(l map[string]constant.Value) int {
			k := 0
			for name := range l {
				if wanted[name] {
					k++
				}
			}
			return k
		}
		lists = slices.DeleteFunc(lists, func(l map[string]constant.Value) bool { return fits(l) == 0 })
		slices.SortStableFunc(lists, func(a, b map[string]constant.Value) int { return cmp.Compare(fits(b), fits(a)) })
		if n >= len(lists) {
			return nil, false
		}
		return borrow(pkg, c, lists[n])
	}
}

// Shared returns a way that passes the n-th text of SharedTexts to the case's own call, if it takes one text and nothing else: beside
// a number a text is a unit or a format.
func Shared(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		texts, st := SharedTexts(pkg), c.Seq.At(c.TargetStmt())
		if n >= len(texts) || !ownCall(pkg, st.Op) {
			return nil, false
		}
		k := onlyText(st.Op.Func)
		if k < 0 || st.Op.Func.Signature().Params().Len() > 1 || asksForOthers(pkg, st.Op.Func, k) {
			return nil, false
		}
		if st.Op.Kind == testcase.OpMethod {
			k++
		}
		if k >= len(st.Args) {
			return nil, false
		}
		text, ok := TextOf(pkg, c.Seq, st.Args[k].Stmt)
		if !ok || text == texts[n] {
			return nil, false
		}
		return WithText(c.Seq, st.Args[k].Stmt, texts[n])
	}
}

// asksForOthers reports whether the name of a parameter asks for texts of a kind: what the documentation passes as a name to no
// function is no name.
func asksForOthers(pkg *load.Package, f *types.Func, param int) bool {
	name := f.Signature().Params().At(param).Name()
	return len(TextsFor(pkg, name)) > 0 && !TakesAnyText(name)
}

// SharedTexts returns texts that the documentation passes to functions of the package which take one text. Functions of one
// package that take one text mostly take the same kind of texts, whatever their parameters are called.
func SharedTexts(pkg *load.Package) []string {
	const shortest = 3
	if pkg.Literals == nil {
		return nil
	}
	var out []string
	for _, target := range slices.Sorted(maps.Keys(pkg.Literals.Documented)) {
		t := pkg.Target(target)
		if t == nil || t.Obj == nil {
			continue
		}
		k := onlyText(t.Obj)
		for _, list := range pkg.Literals.Documented[target] {
			if k < 0 || k >= len(list) || list[k] == nil || list[k].Kind() != constant.String {
				continue
			}
			if text := constant.StringVal(list[k]); len(text) >= shortest && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// onlyText returns the number of the only parameter of a function that is a string, or -1 if there are none or several.
func onlyText(f *types.Func) int {
	at := -1
	for i := range f.Signature().Params().Len() {
		if !types.Identical(f.Signature().Params().At(i).Type(), types.Typ[types.String]) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// parametersOf returns the parameters of the package's functions that a sequence calls.
func parametersOf(pkg *load.Package, s *testcase.Sequence) map[string]bool {
	out := make(map[string]bool)
	for i := range s.Len() {
		if op := s.At(i).Op; ownCall(pkg, op) {
			for p := range op.Signature().Params().Variables() {
				out[load.ParameterKey(p)] = true
			}
		}
	}
	return out
}

// ownCall reports whether an operation calls a function of the package as it was declared.
func ownCall(pkg *load.Package, op *testcase.Operation) bool {
	return (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && op.Via == nil && op.Func.Pkg() != nil && op.Func.Pkg().Path() == pkg.Path
}

// eachArgument visits the arguments of all calls of the package's functions in a sequence, with the function and the number of
// the parameter. Receivers are no arguments.
func eachArgument(pkg *load.Package, s *testcase.Sequence, visit func(fn *types.Func, param int, a testcase.Ref)) {
	for i := range s.Len() {
		st := s.At(i)
		if !ownCall(pkg, st.Op) {
			continue
		}
		args := st.Args
		if st.Op.Kind == testcase.OpMethod {
			args = args[1:]
		}
		for k, a := range args {
			visit(st.Op.Func, k, a)
		}
	}
}

// borrow returns the sequence of a case with constants in place of the arguments of these parameters. The map
// with has the constants by parameterKey.
func borrow(pkg *load.Package, c *testcase.Case, with map[string]constant.Value) (*testcase.Sequence, bool) {
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i := range stmts {
		st := stmts[i]
		if !ownCall(pkg, st.Op) {
			continue
		}
		first := 0
		if st.Op.Kind == testcase.OpMethod {
			first = 1
		}
		params := st.Op.Signature().Params()
		for k, a := range st.Args[min(first, len(st.Args)):] {
			if k >= params.Len() {
				break
			}
			if putConstant(pkg, stmts, a.Stmt, with[load.ParameterKey(params.At(k))]) {
				changed = true
			}
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// putConstant puts a constant in the place of one that a statement makes, and reports whether that is another one. Constants of
// enumerations stay, and so does what is no constant; v may be nil.
func putConstant(pkg *load.Package, stmts []testcase.Statement, at int, v constant.Value) bool {
	op := stmts[at].Op
	if v == nil || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || IsEnumeration(pkg, op.Type) && !isDuration(op.Type) {
		return false
	}
	lit, ok := constantOf(op.Type, v)
	if !ok || op.Kind == testcase.OpLiteral && lit == op.Lit {
		return false
	}
	stmts[at] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}}
	return true
}

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
			if wanted(i) && putConstant(pkg, stmts, a.Stmt, lists[n][i]) {
				changed = true
			}
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

// Bounds of the calls with texts that doc comments and small files of testdata show: how many texts an object is made of, and how many
// combinations of such a text and a part of one there are.
const (
	mostShownTexts = 10
	mostShown      = 40
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
	for _, text := range shown[:min(len(shown), mostShownTexts)] {
		made, ok := WithText(c.Seq, of, text.Value)
		if !ok || made.Len() != c.Seq.Len() {
			continue
		}
		var its []string
		for line := range strings.SplitSeq(text.Value, "\n") {
			for _, part := range partsOf(line) {
				if !slices.Contains(its, part) && len(its) < mostShown {
					its = append(its, part)
				}
			}
		}
		for _, part := range its[:min(len(its), mostShown-len(fitting))] {
			if seq, ok := WithText(made, own, part); ok {
				fitting = append(fitting, seq)
			}
		}
		for _, part := range parts[:min(len(parts), mostShown-len(others))] {
			if seq, ok := WithText(made, own, part); ok && !slices.Contains(its, part) {
				others = append(others, seq)
			}
		}
		if !strings.Contains(text.Value, "\n") {
			parts = append(parts, its...)
		}
	}
	out := append(fitting, others...)
	return out[:min(len(out), mostShown)]
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
