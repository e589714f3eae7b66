package plain

import (
	"go/types"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Apart returns the sequence of a case whose own call takes one object in two places, with another object in the second
// place: a.Sub(b) shows which of the two is taken from which, and a.Sub(a) does not. The other object is made as the first
// one is, with another number, or with another text in the notation that its parameter asks for. Apart returns false if no
// object is taken twice, or if the object is made of neither a number nor a text.
func Apart(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return madeTwice(pkg, c, madeAnew)
}

// Twice returns the sequence of a case whose own call compares an object with itself, with a second object that is made of the same
// constants: whether 1.2.3 equals 1.2.3 is the question, and not whether a version equals itself.
func Twice(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	sig := c.Seq.At(c.TargetStmt()).Op.Signature()
	if sig == nil || sig.Results().Len() != 1 {
		return nil, false
	}
	if b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic); !ok || b.Info()&(types.IsInteger|types.IsBoolean) == 0 {
		return nil, false
	}
	return madeTwice(pkg, c, func(_ *load.Package, s *testcase.Sequence, a testcase.Ref, at int) ([]testcase.Statement, bool) {
		made := s.At(a.Stmt)
		if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil || len(made.Args) == 0 {
			return nil, false
		}
		var out []testcase.Statement
		again := testcase.Statement{Op: made.Op}
		for _, arg := range made.Args {
			st := s.At(arg.Stmt)
			if st.Op.Kind != testcase.OpLiteral {
				return nil, false
			}
			again.Args = append(again.Args, testcase.Ref{Stmt: at + len(out)})
			out = append(out, st)
		}
		return append(out, again), true
	})
}

// madeTwice returns the sequence of a case whose own call takes one object in two places, with another object in the second place,
// which anew makes for a place behind all that the first one needs.
func madeTwice(pkg *load.Package, c *testcase.Case, anew func(*load.Package, *testcase.Sequence, testcase.Ref, int) ([]testcase.Statement, bool)) (*testcase.Sequence, bool) {
	target := c.TargetStmt()
	own := c.Seq.At(target)
	for k, a := range own.Args {
		if !slices.Contains(own.Args[:k], a) {
			continue
		}
		other, ok := anew(pkg, c.Seq, a, target)
		if !ok {
			continue
		}
		stmts := c.Seq.AppendTo(nil)
		out := append(slices.Clone(stmts[:target]), other...)
		shift := len(other)
		for i, st := range stmts[target:] {
			args := slices.Clone(st.Args)
			for n := range args {
				if args[n].Stmt >= target {
					args[n].Stmt += shift
				}
			}
			if i == 0 {
				args[k] = testcase.Ref{Stmt: target + shift - 1, Result: a.Result}
			}
			out = append(out, testcase.Statement{Op: st.Op, Args: args})
		}
		return testcase.NewSequence(out...), true
	}
	return nil, false
}

// madeAnew returns statements that make an object as a sequence has made it, with another number or text. They are to
// stand at a place behind all statements that the first object needs.
func madeAnew(pkg *load.Package, s *testcase.Sequence, a testcase.Ref, at int) ([]testcase.Statement, bool) {
	made := s.At(a.Stmt)
	if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil {
		return nil, false
	}
	var out []testcase.Statement
	args := slices.Clone(made.Args)
	changed := false
	for k, arg := range args {
		op := s.At(arg.Stmt).Op
		if changed || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			continue
		}
		lit, ok := anotherNumber(op)
		if n := pkg.Notated(made.Op.Func, k); !ok && n != nil && op.Lit.Kind == testcase.LitString {
			lit, ok = testcase.Literal{Kind: testcase.LitString, Str: n.Accepted[0].Value}, true
			if lit == op.Lit {
				lit.Str = n.Accepted[1].Value
			}
		}
		if !ok {
			continue
		}
		changed = true
		args[k] = testcase.Ref{Stmt: at + len(out)}
		out = append(out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}})
	}
	return append(out, testcase.Statement{Op: made.Op, Args: args}), changed
}

// anotherNumber returns a constant in place of a number, or of a text that is one.
func anotherNumber(op *testcase.Operation) (testcase.Literal, bool) {
	const other, otherText = 5, "3.25"
	b, ok := op.Type.Underlying().(*types.Basic)
	switch {
	case !ok || op.Choice != nil:
	case b.Info()&types.IsString != 0:
		if _, err := strconv.ParseFloat(op.Lit.Str, 64); err == nil && op.Lit.Str != otherText {
			return testcase.Literal{Kind: testcase.LitString, Str: otherText}, true
		}
	case b.Info()&types.IsNumeric != 0 && b.Info()&types.IsComplex == 0 && number(op) != other:
		return numeral(op.Type, other, whole), true
	}
	return testcase.Literal{}, false
}

// Fresh returns the sequence of a case whose own call is passed what its object has made, like m.Decode(data) with the data of m.Encode(),
// with an empty object as the receiver: m would be what it is if Decode did nothing.
func Fresh(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	target := c.TargetStmt()
	own := c.Seq.At(target)
	if own.Op.Kind != testcase.OpMethod || own.Op.Via != nil || len(own.Args) < 2 {
		return nil, false
	}
	recv := own.Args[0]
	t, ok := types.Unalias(c.Seq.ResultTypes()[recv.Stmt][recv.Result]).(*types.Pointer)
	if !ok || load.NamedOf(t) == nil || load.NamedOf(t).Obj().Pkg() != pkg.Types {
		return nil, false
	}
	if _, isStruct := t.Elem().Underlying().(*types.Struct); !isStruct {
		return nil, false
	}
	made := slices.ContainsFunc(own.Args[1:], func(a testcase.Ref) bool {
		st := c.Seq.At(a.Stmt)
		return st.Op.Kind == testcase.OpMethod && st.Op.Via == nil && st.Args[0] == recv
	})
	if !made {
		return nil, false
	}
	stmts := c.Seq.AppendTo(nil)
	out := append(slices.Clone(stmts[:target]),
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t.Elem()}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: t}, Args: []testcase.Ref{{Stmt: target}}})
	const shift = 2
	for _, st := range stmts[target:] {
		args := slices.Clone(st.Args)
		for n, a := range args {
			switch {
			case a == recv: // what is asked behind the call is asked of the new object
				args[n] = testcase.Ref{Stmt: target + 1}
			case a.Stmt >= target:
				args[n].Stmt += shift
			}
		}
		out = append(out, testcase.Statement{Op: st.Op, Args: args})
	}
	return testcase.NewSequence(out...), true
}

// mostParted is the number of ways that [Parted] returns.
const mostParted = 1 + mostTexts + mostTexts*(mostTexts-1)/2

// mostTexts is how many places of one text are told apart.
const mostTexts = 6

// Parted returns a way that tells the places apart in which the inputs of a case have one text that nobody chose: {"abc", "abc"} does
// not show which of the two is looked up in {"abc": {"abc": 3}}. The way for 0 numbers the places of each argument, so that the key of
// the outer map is the first element of the list and the key of the inner one the second. The next ones give one place a word of its
// own, the others two places, for texts that have to be equal.
func Parted(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		places := textPlaces(pkg, c)
		if len(places) < 2 || len(places) > mostTexts {
			return nil, false
		}
		words := make(map[[2]int]string)
		if n == 0 {
			in := make(map[int]int) // how many places of an argument have a word
			for _, p := range places {
				words[p.at] = otherWords[in[p.arg]]
				in[p.arg]++
			}
		} else {
			for _, k := range pairOf(n-1, len(places)) {
				words[places[k].at] = freshWords(c.Seq)[0]
			}
		}
		return withWords(c.Seq, words)
	}
}

// pairOf returns the n-th choice of one or two of so many places, the single ones first, but not all places at once; nothing if there
// are fewer choices.
func pairOf(n, places int) []int {
	if n < places {
		return []int{n}
	}
	if places == 2 {
		return nil
	}
	n -= places
	for i := range places {
		if rest := places - 1 - i; n >= rest {
			n -= rest
			continue
		}
		return []int{i, i + 1 + n}
	}
	return nil
}

// textPlace is where a statement takes a text: the statement and the number of its argument. The field arg has the argument of the
// case's own call that the text is part of.
type textPlace struct {
	at  [2]int
	arg int
}

// textPlaces returns the places of the text that most places of a case's inputs have, in the order in which they are written.
func textPlaces(pkg *load.Package, c *testcase.Case) []textPlace {
	if pkg.Literals == nil {
		return nil
	}
	v := vocabulary{all: pkg.Literals, near: pkg.Literals.ByFunc[c.Target]}
	byText := make(map[string][]textPlace)
	var texts []string
	seen := make(map[int]bool)
	var walk func(stmt, arg int)
	walk = func(stmt, arg int) {
		st := c.Seq.At(stmt)
		for k, a := range st.Args {
			if stmt == c.TargetStmt() {
				arg = k
			}
			op := c.Seq.At(a.Stmt).Op
			switch op.Kind {
			case testcase.OpLiteral:
				text := op.Lit.Str
				if op.Lit.Kind != testcase.LitString || op.Choice != nil || !slices.Contains(otherWords[:], text) && (!isWord(text) || v.has(text)) || IsEnumeration(pkg, op.Type) {
					continue
				}
				if byText[text] == nil {
					texts = append(texts, text)
				}
				byText[text] = append(byText[text], textPlace{[2]int{stmt, k}, arg})
			case testcase.OpComposite, testcase.OpConvert, testcase.OpAddr:
				if !seen[a.Stmt] {
					seen[a.Stmt] = true
					walk(a.Stmt, arg)
				}
			}
		}
	}
	walk(c.TargetStmt(), 0)
	var most []textPlace
	for _, text := range texts {
		if len(byText[text]) > len(most) {
			most = byText[text]
		}
	}
	return most
}

// otherWords are words for texts that have to differ.
var otherWords = [mostTexts]string{"abc", "def", "ghi", "jkl", "mno", "pqr"}

// freshWords returns the words that a sequence has nowhere, at least one.
func freshWords(s *testcase.Sequence) []string {
	has := make(map[string]bool)
	for i := range s.Len() {
		has[s.At(i).Op.Lit.Str] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(otherWords[:]), func(w string) bool { return has[w] })
	if len(fresh) == 0 {
		return otherWords[len(otherWords)-1:]
	}
	return fresh
}

// withWords returns a sequence with other texts in arguments: by the statement and the number of the argument.
func withWords(s *testcase.Sequence, words map[[2]int]string) (*testcase.Sequence, bool) {
	changed := false
	var out []testcase.Statement
	index := make([]int, s.Len())
	for i := range s.Len() {
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
			old := s.At(a.Stmt).Op
			if word, ok := words[[2]int{i, k}]; ok && word != old.Lit.Str {
				lit := old.Lit
				lit.Str = word
				args[k] = testcase.Ref{Stmt: len(out)}
				out = append(out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: old.Type, Lit: lit}})
				changed = true
			}
		}
		index[i] = len(out)
		out = append(out, testcase.Statement{Op: st.Op, Args: args})
	}
	if !changed {
		return nil, false
	}
	return trimmed(out)
}
