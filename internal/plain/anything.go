package plain

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Anything returns a way that passes constants where a function of the package takes a value of any type and the case
// passes nil, a zero, or whatever object was at hand. A cache that holds nil under nil does not show whether it returned
// what it holds: c.Set("a", 1) and c.Get("a") do. Values that are equal stay equal. If byName is set, equal values stay
// equal only where the parameters have the same name, so that a key and a value that were both nil differ. Unless all is
// set, the calls go that only made or prepared values which are no longer passed. If numbers is set, keys become numbers,
// too: where a key is no text, its kind may be what matters.
func Anything(byName, all, numbers bool) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		slots := anySlots(pkg, c)
		if len(slots) == 0 {
			return nil, false
		}
		fresh := &anyConstants{given: make(map[string]testcase.Ref), names: make(map[string]int), byName: byName, numbers: numbers}
		var calls []testcase.Statement
		idle := make(map[int]bool) // calls that made what is passed no more
		for i := range c.Seq.Len() {
			st := c.Seq.At(i)
			args := slices.Clone(st.Args)
			for k := range args {
				if slot, ok := slots[[2]int{i, k}]; ok {
					if c.Seq.At(args[k].Stmt).Op.Kind == testcase.OpFunc {
						idle[args[k].Stmt] = true
					}
					args[k] = fresh.constant(slot)
				} else {
					args[k].Stmt = -1 - args[k].Stmt // a result of the old sequence; its place is not known yet
				}
			}
			calls = append(calls, testcase.Statement{Op: st.Op, Args: args})
		}
		n := len(fresh.made)
		for _, st := range calls {
			for k, a := range st.Args {
				if a.Stmt < 0 {
					st.Args[k].Stmt = n - 1 - a.Stmt
					delete(idle, st.Args[k].Stmt-n)
				}
			}
		}
		keep := slices.Repeat([]bool{true}, n+len(calls))
		for i := range idle {
			keep[n+i] = false
		}
		seq := testcase.NewSequence(append(fresh.made, calls...)...)
		for i, k := range related(seq, n+c.TargetStmt()) {
			keep[i] = keep[i] && (k || all)
		}
		seq, ok := seq.Keep(keep)
		if !ok {
			return nil, false
		}
		return trimmed(seq.AppendTo(nil))
	}
}

// Destination is a way that passes an empty struct where the case's own function decodes into whatever it is passed, as people do.
func Destination(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	at := c.TargetStmt()
	call := c.Seq.At(at)
	if !ownCall(pkg, call.Op) || pkg.Info == nil {
		return nil, false
	}
	into, _ := encoded.Destination(pkg, call.Op.Func)
	if into < 0 {
		return nil, false
	}
	into += call.Op.FirstParam()
	passed := call.Args[into].Stmt
	if c.Seq.At(passed).Op.Kind == testcase.OpAddr {
		return nil, false
	}
	seq, ok := rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if i != at {
			return st, false
		}
		t := encoded.Record()
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}})
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(t)}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}})
		st.Args = slices.Clone(st.Args)
		st.Args[into] = testcase.Ref{Stmt: len(*out) - 1}
		return st, true
	})
	if !ok || c.Seq.At(passed).Op.Kind != testcase.OpFunc {
		return seq, ok
	}
	// A call that only made what was passed goes, too.
	for i := range seq.Len() {
		if slices.ContainsFunc(seq.At(i).Args, func(a testcase.Ref) bool { return a.Stmt == passed }) {
			return seq, true
		}
	}
	keep := slices.Repeat([]bool{true}, seq.Len())
	keep[passed] = false
	if seq, ok = seq.Keep(keep); !ok {
		return nil, false
	}
	return trimmed(seq.AppendTo(nil))
}

// AnythingElse returns the ways of [Anything], the first choice first.
func AnythingElse() []Way {
	return []Way{Anything(true, false, false), Anything(true, true, false), Anything(false, false, false), Anything(true, false, true)}
}

// Carried is a way that passes different constants, none of them zero, where the parameters of generic functions and methods have
// types without a constraint, and nobody chose what a case passes. Such a function can do nothing with a value but carry it about, so
// that any other one takes the same way; and if a map holds "", nobody sees whether Get returned what it holds.
func Carried(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	carried := make(map[int]bool)
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		first := st.Op.FirstParam()
		for k, a := range st.Args {
			_, before := carried[a.Stmt]
			carried[a.Stmt] = (carried[a.Stmt] || !before) && k >= first && ownCall(pkg, st.Op) && isUnconstrained(st.Op, k-first)
		}
	}
	texts, others := 0, distinct(whole)(pkg, c)
	fresh := func(op *testcase.Operation, name string) testcase.Literal {
		if op.Type.Underlying().(*types.Basic).Info()&types.IsString == 0 || texts == len(carriedTexts) {
			return others(op, name)
		}
		texts++
		return testcase.Literal{Kind: testcase.LitString, Str: carriedTexts[texts-1]}
	}
	return rewrite(pkg, c, fresh, func(i int) bool { return carried[i] && c.Seq.At(i).Op.Type != nil })
}

// carriedTexts are texts of which a reader sees which was there before which.
var carriedTexts = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// isUnconstrained reports whether a parameter of a function has a type parameter as its type that any type may take the place of.
func isUnconstrained(op *testcase.Operation, param int) bool {
	params := op.Func.Origin().Signature().Params()
	if params.Len() == 0 {
		return false
	}
	t := params.At(min(param, params.Len()-1)).Type()
	if list, ok := t.(*types.Slice); ok && op.Func.Signature().Variadic() && param >= params.Len()-1 && !op.Spread {
		t = list.Elem()
	}
	p, ok := t.(*types.TypeParam)
	return ok && p.Constraint().Underlying().(*types.Interface).Empty()
}

// anySlot is an argument that may have any value: the name of its parameter, and what the case passes, as text.
type anySlot struct{ name, passed string }

// anySlots returns the arguments of calls of the package's functions whose parameters take values of any type and
// whose values nobody chose, by statement and number of the argument.
func anySlots(pkg *load.Package, c *testcase.Case) map[[2]int]anySlot {
	s := c.Seq
	out := make(map[[2]int]anySlot)
	for i := range s.Len() {
		st := s.At(i)
		if list, ok := listOfAnything(st.Op); ok && i < c.TargetStmt() {
			pairs := feedsPairs(s, i)
			for k, a := range st.Args {
				name := ""
				if pairs && k%2 == 0 {
					name = "key"
				}
				if text, ok := unchosen(pkg, s, a); ok && types.Identical(list, s.ResultTypes()[a.Stmt][a.Result]) {
					out[[2]int{i, k}] = anySlot{name: name, passed: text}
				}
			}
		}
		if !ownCall(pkg, st.Op) {
			continue
		}
		first := 0
		if st.Op.Kind == testcase.OpMethod {
			first = 1
		}
		sig := st.Op.Signature()
		for k := first; k < len(st.Args); k++ {
			p := min(k-first, sig.Params().Len()-1)
			v := sig.Params().At(p)
			t, name := v.Type(), v.Name()
			if sig.Variadic() && p == sig.Params().Len()-1 && !st.Op.Spread {
				t, name = t.Underlying().(*types.Slice).Elem(), ""
				if isOfPairs(v.Name()) && (k-first-p)%2 == 0 {
					name = "key"
				}
			}
			if !gosyntax.IsAny(t) || isCause(name) {
				continue
			}
			text, ok := unchosen(pkg, s, st.Args[k])
			if isNil(c, st.Args[k]) {
				text = "nil" // whatever returned it
			}
			if ok {
				out[[2]int{i, k}] = anySlot{name: name, passed: text}
			}
		}
	}
	return out
}

// listOfAnything returns the type of the elements of a list that an operation makes, if they may be anything.
func listOfAnything(op *testcase.Operation) (types.Type, bool) {
	if op.Kind != testcase.OpComposite {
		return nil, false
	}
	list, ok := op.Type.Underlying().(*types.Slice)
	if !ok || !gosyntax.IsAny(list.Elem()) {
		return nil, false
	}
	return list.Elem(), true
}

// feedsPairs reports whether the list that a statement makes is passed for a parameter which takes keys and values.
func feedsPairs(s *testcase.Sequence, i int) bool { return isOfPairs(parameterNames(s)[i]) }

// isNil reports whether a value is nil: as it is written, or as it was seen to be.
func isNil(c *testcase.Case, a testcase.Ref) bool {
	if op := c.Seq.At(a.Stmt).Op; op.Kind == testcase.OpZero {
		return types.IsInterface(op.Type)
	}
	return c.Observed != nil && a.Stmt < len(c.Observed.Results) && a.Result < len(c.Observed.Results[a.Stmt]) && c.Observed.Results[a.Stmt][a.Result].Kind == testcase.Nil
}

// unchosen returns a value as text if it looks as if nobody chose it for a place where any value will do: nil, a
// small number, a short text, an error, an object that the package makes from nothing.
func unchosen(pkg *load.Package, s *testcase.Sequence, a testcase.Ref) (string, bool) {
	st := s.At(a.Stmt)
	switch st.Op.Kind {
	case testcase.OpLiteral, testcase.OpZero:
		const longest, largest = 1, 2 // longer texts and larger numbers look chosen
		if b, ok := st.Op.Type.Underlying().(*types.Basic); ok && (st.Op.Choice != nil || b.Info()&types.IsString != 0 && len(st.Op.Lit.Str) > longest || b.Info()&types.IsInteger != 0 && st.Op.Lit.Bits+largest > 2*largest) {
			return "", false
		}
		return fmt.Sprint(types.TypeString(st.Op.Type, nil), st.Op.Lit), true
	case testcase.OpConvert:
		return unchosen(pkg, s, st.Args[0])
	case testcase.OpComposite:
		var parts []string
		for _, e := range st.Args {
			text, ok := unchosen(pkg, s, e)
			if !ok {
				return "", false
			}
			parts = append(parts, text)
		}
		return fmt.Sprint(types.TypeString(st.Op.Type, nil), parts), true
	case testcase.OpAddr:
		_, ok := unchosen(pkg, s, st.Args[0])
		return fmt.Sprint("object ", a.Stmt), ok
	case testcase.OpFunc, testcase.OpMethod:
		if st.Op.Kind == testcase.OpFunc && !ownCall(pkg, st.Op) && st.Op.Func.FullName() != "errors.New" {
			return "", false
		}
		return fmt.Sprint("object ", a), true
	case testcase.OpAssert:
		return unchosen(pkg, s, st.Args[0])
	}
	return "", false
}

// anyConstants makes the constants of one case.
type anyConstants struct {
	made    []testcase.Statement
	given   map[string]testcase.Ref // the constants, by what was passed in their place
	names   map[string]int          // how many constants there are for keys and for other values
	byName  bool
	numbers bool // keys are numbers, like other values
}

// constant returns the constant for a slot. Keys are letters and other values are numbers, so that a reader cannot take one
// for the other.
func (f *anyConstants) constant(slot anySlot) testcase.Ref {
	class := slot.passed
	if f.byName {
		class = slot.name + " " + class
	}
	if a, ok := f.given[class]; ok {
		return a
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	kind, op := "value", &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int]}
	if isKey(slot.name) && !f.numbers {
		kind, op.Type = "key", types.Typ[types.String]
		n := f.names[kind] % len(letters)
		op.Lit = testcase.Literal{Kind: testcase.LitString, Str: letters[n : n+1]}
	} else {
		op.Lit = testcase.Literal{Kind: testcase.LitInt, Bits: uint64(f.names[kind] + 1)}
	}
	f.names[kind]++
	a := testcase.Ref{Stmt: len(f.made)}
	f.made = append(f.made, testcase.Statement{Op: op})
	f.given[class] = a
	return a
}

// isKey reports whether a parameter of this name is what something is found by.
func isKey(name string) bool {
	name = strings.ToLower(name)
	return name == "k" || name == "id" || name == "name" || strings.HasSuffix(name, "key")
}

// isCause reports whether a parameter of this name takes errors, although its type takes anything.
func isCause(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "err") || strings.HasSuffix(name, "err") || strings.HasSuffix(name, "error") || name == "cause"
}

// mostNested is how many nils and empty lists of a case get constants one by one (see [Nested]).
const mostNested = 3

// Nested returns a way that puts constants, different ones, in the place of nil among the values of any type that lists and maps
// hold, and gives elements to empty lists which are passed as such a value: a function that picks an element, or joins them, shows
// with {"a", "b"} what it picked, and nothing with {nil, nil}. The way changes the n-th of them, or all if n is negative.
func Nested(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		own, foreign := feeds(c), foreignArguments(pkg, c.Seq)
		held, words := heldAsAnything(c.Seq), freshWords(c.Seq)
		seen, used := 0, 0
		word := func() testcase.Statement {
			lit := testcase.Literal{Kind: testcase.LitString, Str: words[used%len(words)]}
			used++
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: lit}}
		}
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			list := listForElements(st)
			isNothing := st.Op.Kind == testcase.OpZero && gosyntax.IsAny(st.Op.Type)
			if !own[i] || foreign[i] || !held[i] || list == nil && !isNothing {
				return st, false
			}
			if seen++; n >= 0 && seen != n+1 {
				return st, false
			}
			if isNothing {
				return word(), true
			}
			if gosyntax.IsBytes(list) {
				return bytesLiteral(st.Op.Type, word().Op.Lit.Str, out), true
			}
			const elements = 3
			made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type, N: elements}}
			for range elements {
				made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
				*out = append(*out, word())
			}
			return made, true
		})
	}
}

// listForElements returns the type of an empty list, without a length that was chosen, whose elements may be anything, texts or bytes;
// nil if the statement makes none.
func listForElements(st testcase.Statement) types.Type {
	if st.Op.Kind != testcase.OpZero && (st.Op.Kind != testcase.OpComposite || len(st.Args) > 0 || st.Op.N > 0) {
		return nil
	}
	list, ok := st.Op.Type.Underlying().(*types.Slice)
	if !ok || !gosyntax.IsAny(list.Elem()) && !isTextType(list.Elem()) && !gosyntax.IsBytes(list) {
		return nil
	}
	return list
}

// heldAsAnything marks the statements whose values are elements of lists and maps of values of any type, or become such values.
func heldAsAnything(s *testcase.Sequence) []bool {
	out := make([]bool, s.Len())
	for i := range s.Len() {
		st := s.At(i)
		switch st.Op.Kind {
		case testcase.OpConvert:
			if gosyntax.IsAny(st.Op.Type) {
				out[st.Args[0].Stmt] = true
			}
		case testcase.OpComposite:
			holdsAnything := false
			switch u := st.Op.Type.Underlying().(type) {
			case *types.Slice:
				holdsAnything = gosyntax.IsAny(u.Elem())
			case *types.Map:
				holdsAnything = gosyntax.IsAny(u.Elem())
			}
			if holdsAnything {
				for _, a := range st.Args {
					out[a.Stmt] = true
				}
			}
		}
	}
	return out
}

// MostKeyed is the number of kinds of data that [Keyed] knows.
const MostKeyed = 4

// Keyed returns a way that passes data for the names in the texts of a case, if its own call takes a map from texts or a value
// of any type: {"name": "ann"} beside "Hello, {{name}}!". Without data a template, an expression or a statement with
// parameters shows nothing but what it does with names that are missing. The n-th data are texts, numbers, lists, truths.
func Keyed(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		at := c.TargetStmt()
		st := c.Seq.At(at)
		if !ownCall(pkg, st.Op) || at != c.Seq.Len()-1 {
			return nil, false
		}
		k, t := dataArgument(pkg, st)
		names := namesIn(pkg, c.Seq)
		if k < 0 || len(names) == 0 {
			return nil, false
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil)[:at])
		add := func(st testcase.Statement) testcase.Ref {
			stmts = append(stmts, st)
			return testcase.Ref{Stmt: len(stmts) - 1}
		}
		list, isList := t.Underlying().(*types.Slice)
		of := t
		if isList {
			of = list.Elem()
		}
		maker := makerOfMap(pkg, of)
		if maker != nil {
			of = maker.Signature().Params().At(0).Type()
		}
		data, ok := dictionaryOf(names, of, n, &stmts)
		if !ok {
			return nil, false
		}
		ref := add(data)
		if !types.Identical(data.Op.Type, of) {
			ref = add(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpConvert, Type: of}, Args: []testcase.Ref{ref}})
		}
		if maker != nil {
			ref = add(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: maker}, Args: []testcase.Ref{ref}})
		}
		if isList && st.Op.Spread {
			ref = add(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t, N: 1}, Args: []testcase.Ref{ref}})
		}
		args := append(slices.Clone(st.Args[:k]), ref)
		if !isList {
			args = append(args, st.Args[k+1:]...)
		}
		add(testcase.Statement{Op: st.Op, Args: args})
		return trimmed(stmts)
	}
}

// isDictionary reports whether a type is a map from texts to texts or to anything.
func isDictionary(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	return ok && isTextType(m.Key()) && (gosyntax.IsAny(m.Elem()) || isTextType(m.Elem()))
}

// makerOfMap returns the package's function that makes a value of an interface of the package of a map with data by name, or nil.
func makerOfMap(pkg *load.Package, t types.Type) *types.Func {
	named := load.NamedOf(t)
	if named == nil || !types.IsInterface(t) || named.Obj().Pkg() != pkg.Types || pkg.Types == nil {
		return nil
	}
	for _, name := range pkg.Types.Scope().Names() {
		f, ok := pkg.Types.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 {
			continue
		}
		sig := f.Signature()
		if sig.Params().Len() == 1 && !sig.Variadic() && isDictionary(sig.Params().At(0).Type()) && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), t) {
			return f
		}
	}
	return nil
}

// dataArgument returns the number of the argument of a call that takes data by name, and the type of its parameter, or -1. The
// type is a slice for a variadic parameter.
func dataArgument(pkg *load.Package, st testcase.Statement) (int, types.Type) {
	params := st.Op.Signature().Params()
	first := 0
	if st.Op.Kind == testcase.OpMethod {
		first = 1
	}
	for i := range params.Len() {
		t := params.At(i).Type()
		of := t
		if st.Op.Signature().Variadic() && i == params.Len()-1 {
			of = t.Underlying().(*types.Slice).Elem()
		}
		if gosyntax.IsAny(of) && !isCause(params.At(i).Name()) || isDictionary(of) || makerOfMap(pkg, of) != nil {
			return first + i, t
		}
	}
	return -1, nil
}

func isTextType(t types.Type) bool { return types.Identical(t, types.Typ[types.String]) }

// namesIn returns the names in the texts that a case passes to functions of the package: words beside a sign, like those in
// braces, or all words if there are no others.
func namesIn(pkg *load.Package, s *testcase.Sequence) []string {
	const most = 4
	var named, words []string
	add := func(list []string, word string) []string {
		if len(list) == most || slices.Contains(list, word) {
			return list
		}
		return append(list, word)
	}
	eachArgument(pkg, s, func(_ *types.Func, _ int, a testcase.Ref) {
		text, _ := TextOf(pkg, s, a.Stmt)
		ps := parts(text)
		for i, p := range ps {
			if p.kind != letters || i > 0 && ps[i-1].text == "_" {
				continue
			}
			name := p.text
			for k := i + 1; k+1 < len(ps) && ps[k].text == "_" && ps[k+1].kind != others; k += 2 {
				name += "_" + ps[k+1].text
			}
			words = add(words, name)
			if i > 0 && ps[i-1].kind == others && strings.Contains("{[<(%$#^/&:.@=", ps[i-1].text) {
				named = add(named, name)
			}
		}
	})
	if len(named) > 0 {
		return named
	}
	return words
}

// dictionaryOf returns the statement that makes a map of the given type, or one from texts to anything where any value will do, with
// the n-th kind of values under each of the names.
func dictionaryOf(names []string, t types.Type, n int, out *[]testcase.Statement) (testcase.Statement, bool) {
	m, isMap := t.Underlying().(*types.Map)
	if !isMap {
		m = types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type())
		t = m
	}
	texts := [MostKeyed]string{"ann", "bob", "carl", "dave"}
	literal := func(t types.Type, lit testcase.Literal) testcase.Ref {
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}})
		return testcase.Ref{Stmt: len(*out) - 1}
	}
	text := func(s string) testcase.Ref {
		return literal(types.Typ[types.String], testcase.Literal{Kind: testcase.LitString, Str: s})
	}
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}}
	for i, name := range names {
		var value testcase.Ref
		key := text(name)
		switch n {
		case 0:
			value = text(texts[i%len(texts)])
		case 1:
			value = literal(types.Typ[types.Int], testcase.Literal{Kind: testcase.LitInt, Bits: uint64(3 + 2*i)})
		case 2:
			list := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Typ[types.String]), N: 2}}
			list.Args = []testcase.Ref{text("apple"), text("cherry")}
			*out = append(*out, list)
			value = testcase.Ref{Stmt: len(*out) - 1}
		default:
			value = literal(types.Typ[types.Bool], testcase.Literal{Kind: testcase.LitBool, Bits: 1})
		}
		if gosyntax.IsAny(m.Elem()) {
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpConvert, Type: m.Elem()}, Args: []testcase.Ref{value}})
			value = testcase.Ref{Stmt: len(*out) - 1}
		} else if n > 0 {
			return testcase.Statement{}, false
		}
		made.Args = append(made.Args, key, value)
	}
	return made, true
}
