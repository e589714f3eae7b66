package finding

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// approach says how a case made the objects and arguments that it tests. If a user of the package could not,
// or should not, have made them so, a finding is less than an error.
type approach struct {
	inside  bool       // the case uses something that is not exported: a function, a field, a variable
	raw     bool       // the case has a literal of a type whose values the package makes for its users
	odd     bool       // the case has an undeclared value of an enumeration, a made-up address or position, or sets a variable of the package
	bare    bool       // the case has a struct of another package in which something is left nil
	ready   usage.Word // the weakest reason why the zero value of a struct of the package may be used
	aside   bool       // the statement that is read makes a struct that only helps to make others
	filled  bool       // the case sets more than numbers and texts in such a struct, so that what is said of its zero value says nothing
	edited  bool       // the case sets an exported field of an object that a function has made
	below   bool       // the case has a struct literal in which a field is a negative number
	beyond  bool       // the case has a struct literal in which a field is a whole number that no memory has elements for
	nils    []nilArgument
	failed  bool // the case uses an object that was returned with an error, or a zero value that came with false
	stub    bool // the case has a made-up implementation or function, which keeps no contract
	unset   bool // the case has a literal in which a field that users may set is nil
	node    bool // the case makes a node of a tree by hand whose kind says what else it has to have
	knot    bool // the case writes a reference into an object that the reference may lead back to
	channel bool // the case makes a channel, or receives from one
	large   bool // the case has a number or a length so large that a call seems endless although it ends
	vast    bool // a call returned settings with such a number
}

// nilArgument is a nil that a sequence passes: the function, and which of its parameters (usage.Receiver for
// the receiver). The field Func is nil if the nil is an element or a field.
type nilArgument struct {
	Func  *types.Func
	Param int
}

// approachOf reads from a sequence how it makes the values that it tests.
func approachOf(rules *usage.Rules, c *testcase.Case) approach {
	var a approach
	seq, pkg := c.Seq, rules.Pkg
	nils := make(map[testcase.Ref]bool)
	failures, notThere := make(map[int]bool), make(map[int]bool) // calls that returned an error; a zero value, and false
	data, ts, aside := asData(seq), seq.ResultTypes(), asideOf(seq)
	for i := range seq.Len() {
		st, op := seq.At(i), seq.At(i).Op
		a.aside = aside[i]
		switch op.Kind {
		case testcase.OpLiteral:
			a.large = a.large || largeLiteral(op.Lit, op.Type)
			a.odd = a.odd || undeclared(pkg, op) || address(op.Type) || position(op) || noRune(op) || saysNone(pkg, op.Type, op.Lit)
		case testcase.OpZero:
			a.raw, a.odd = a.raw || usage.Producer(pkg, op.Type) != nil, a.odd || saysNone(pkg, op.Type, testcase.Literal{Kind: testcase.LitInt})
			switch op.Type.Underlying().(type) {
			case *types.Pointer, *types.Signature, *types.Chan, *types.Interface:
				nils[testcase.Ref{Stmt: i}] = true
			case *types.Struct:
				if data[i] {
					break
				}
				a.bare = a.bare || unfilled(pkg, op.Type)
				a.literal(rules, op, seq, nil)
			case *types.Array:
				a.array(op.Type, 0)
			}
		case testcase.OpComposite:
			a.array(op.Type, len(st.Args))
			a.large = a.large || op.N > 1<<16
			a.numbers(seq, st)
			a.raw = a.raw || usage.Producer(pkg, op.Type) != nil || len(st.Args) > 0 && usage.Extended(pkg, op.Type)
			if data[i] {
				break
			}
			a.composite(rules, op, seq, st.Args)
		case testcase.OpFunc, testcase.OpMethod:
			a.call(pkg, seq, st)
			// A nil that a call returned counts like a nil that is written down.
			if c.Observed != nil && i < len(c.Observed.Results) {
				for k, v := range c.Observed.Results[i] {
					nils[testcase.Ref{Stmt: i, Result: k}] = v.Kind == testcase.Nil && nilable(v.Type)
					a.large = a.large || i < seq.Len()-1 && largeNumber(v)
					a.large = a.large || i < seq.Len()-1 && longResult(v)
					a.vast = a.vast || i < seq.Len()-1 && largeSetting(v)
				}
				if testcase.Erred(op, c.Observed.Results[i]) {
					failures[i] = true
				}
				notThere[i] = foundNothing(c.Observed.Results[i])
			}
		case testcase.OpField, testcase.OpSetField, testcase.OpGlobal, testcase.OpSetGlobal:
			a.variable(seq, st)
		case testcase.OpFuncValue:
			a.inside = a.inside || op.Func != nil && op.Func.Pkg() == pkg.Types && !exported(pkg, op.Func)
		case testcase.OpAssert:
			a.inside = a.inside || hidden(pkg, op.Type)
		case testcase.OpMakeChan, testcase.OpSend, testcase.OpClose:
			a.channel = true
		case testcase.OpStubFunc, testcase.OpStubIface, testcase.OpClosure:
			a.stub = true
		case testcase.OpFuncLit:
			if strings.Contains(op.Text, "(nil") || strings.Contains(op.Text, ", nil") {
				a.nils = append(a.nils, nilArgument{}) // the function passes the nil on, as influxql's With and bolt's View hand out objects
			}
		}
		for k, ref := range st.Args {
			// A container may keep a nil as an element. Only the call that fails may look into its arguments.
			if nils[ref] && (i == seq.Len()-1 || !anything(slotOf(op, k, st.Args, ts))) {
				a.nils = append(a.nils, nilPassed(op, k, st.Args, ts))
			} else if nils[ref] && op.Kind == testcase.OpConvert && isFunction(ts[ref.Stmt][ref.Result]) {
				a.nils = append(a.nils, nilArgument{}) // code that finds a function in a value of type any calls the function
			}
			a.inside = a.inside || writesHidden(pkg, seq.At(ref.Stmt).Op) && isInterface(slotOf(op, k, st.Args, ts))
			a.failed = a.failed || failures[ref.Stmt] && (nils[ref] || isUnready(ts, ref)) || notThere[ref.Stmt] && ref.Result == 0 && (op.Kind == testcase.OpMethod && k == 0 || op.Kind == testcase.OpCheck)
		}
	}
	a.knot = a.knot || tied(seq)
	return a
}

// array notes that an array has elements that are nil, since fewer were given than it has. A slice would only have
// those that were given.
func (a *approach) array(t types.Type, given int) {
	if arr, ok := t.Underlying().(*types.Array); ok && couldBeNil(arr.Elem()) && int64(given) < arr.Len() {
		a.nils = append(a.nils, nilArgument{})
	}
}

// noRune reports whether an operation makes a rune below zero. No text has one: what is no code point is decoded as U+FFFD.
func noRune(op *testcase.Operation) bool {
	return op.Type == types.Universe.Lookup("rune").Type() && op.Lit.Kind == testcase.LitInt && int64(op.Lit.Bits) < 0
}

// nilPassed returns the place that argument number k of an operation, which is nil, is passed to. A nil
// pointer in an interface is no nil interface, so no permission to pass nil applies to it.
func nilPassed(op *testcase.Operation, k int, args []testcase.Ref, ts [][]types.Type) nilArgument {
	ref, slot := args[k], slotOf(op, k, args, ts)
	if slot != nil && types.IsInterface(slot) && ref.Result < len(ts[ref.Stmt]) && !types.IsInterface(ts[ref.Stmt][ref.Result]) {
		return nilArgument{}
	}
	return passedTo(op, k)
}

// isInterface reports whether what is passed keeps its own type, which users have to name then. Where a parameter has an unexported type, like a
// number of some kind, they can pass a constant.
func isInterface(slot types.Type) bool { return slot != nil && types.IsInterface(slot) }

// isFunction reports whether a type is a function type.
func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isUnready reports whether a result is an object, which may not be used if the call returned an error as well.
func isUnready(ts [][]types.Type, ref testcase.Ref) bool {
	return ref.Result < len(ts[ref.Stmt]) && testcase.IsObject(ts[ref.Stmt][ref.Result])
}

// foundNothing reports whether a call returned a zero value together with false, by which it says that there
// is no value.
func foundNothing(results []testcase.Value) bool {
	n := len(results)
	return n == 2 && results[1].Kind == testcase.Bool && results[1].Bits == 0 && isZero(results[0])
}

// isZero reports whether a struct or a pointer has the value of a variable that nothing was assigned
// to.
func isZero(v testcase.Value) bool {
	switch v.Kind {
	case testcase.Nil:
		return true
	case testcase.Bool, testcase.Int, testcase.Uint, testcase.Float:
		return v.Bits == 0
	case testcase.String:
		return v.Len == 0
	case testcase.Slice, testcase.Map:
		return v.Len == 0
	case testcase.Struct, testcase.Array:
		return !v.Cut && !slices.ContainsFunc(v.Elems, func(e testcase.Value) bool { return !isZero(e) })
	}
	return false
}

// longResult reports whether a call has made a text or a list so long that the next call may take longer than
// a test waits. Sequences of calls on earlier results can grow values without bounds.
func longResult(v testcase.Value) bool {
	switch v.Kind {
	case testcase.String, testcase.Slice, testcase.Map:
		return v.Len > 1<<14
	case testcase.Pointer, testcase.Interface, testcase.Struct:
		return slices.ContainsFunc(v.Elems, longResult)
	}
	return false
}

// passedTo returns the place of argument number k of an operation. An element of a list of arguments, `options ...Option`, has
// none: what is said of the list is said of no element.
func passedTo(op *testcase.Operation, k int) nilArgument {
	switch op.Kind {
	case testcase.OpFunc:
	case testcase.OpMethod:
		k-- // usage.Receiver for the first argument of a method
	default:
		return nilArgument{}
	}
	if sig := op.Signature(); sig.Variadic() && !op.Spread && k >= sig.Params().Len()-1 {
		return nilArgument{}
	}
	return nilArgument{op.Func, k}
}

// call reads a call: what it calls, and what it is called on.
func (a *approach) call(pkg *load.Package, seq *testcase.Sequence, st testcase.Statement) {
	fn := st.Op.Func
	a.inside = a.inside || fn.Pkg() == pkg.Types && !exported(pkg, fn) ||
		st.Op.Kind == testcase.OpMethod && len(st.Args) > 0 && writesHidden(pkg, seq.At(st.Args[0].Stmt).Op)
	a.odd, a.large = a.odd || placed(seq, st), a.large || largeProduct(seq, st)
	a.node = a.node || usage.MakesNode(pkg, fn)
}

// variable reads what is done with a field or a variable of a package.
func (a *approach) variable(seq *testcase.Sequence, st testcase.Statement) {
	op := st.Op
	a.inside = a.inside || !op.Var.Exported()
	a.knot = a.knot || op.Kind == testcase.OpSetField && MayRefer(op.Var.Type())
	a.edited = a.edited || op.Kind == testcase.OpSetField && madeByCall(seq, st.Args[0])
	a.odd = a.odd || op.Kind == testcase.OpSetGlobal // the package does not say that users may change the variable
}

// madeByCall reports whether a call returned the value.
func madeByCall(seq *testcase.Sequence, ref testcase.Ref) bool {
	k := seq.At(ref.Stmt).Op.Kind
	return k == testcase.OpFunc || k == testcase.OpMethod
}

// literal reads a struct that no function made.
func (a *approach) literal(rules *usage.Rules, op *testcase.Operation, seq *testcase.Sequence, args []testcase.Ref) {
	pkg := rules.Pkg
	a.inside = a.inside || hidden(pkg, op.Type)
	a.unset = a.unset || leftNil(pkg, op, seq, args)
	a.node = a.node || rules.IsNode(op.Type)
	a.raw = a.raw || uninitialised(pkg, op.Type, seq)
	named := load.NamedOf(op.Type)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return
	}
	word := rules.Ready(named)
	made := HasConstructor(pkg, op.Type) || rules.Maker(named) != "" && hides(named)
	a.raw = a.raw || made && !word.Allowed
	if by := rules.PreparedBy(named); by != nil && !calls(seq, by) {
		a.raw, word = true, usage.Word{Evidence: fmt.Sprintf("%s prepares a %s, and was not called", testcase.TargetName(by), named.Obj().Name()), Rank: usage.Shown}
	}
	if word.Allowed && made && word.Rank == usage.Usual && (hides(named) || !isLaw(seq.Last().Op.Check) && !readsAny(rules, named, seq)) {
		word.Allowed = false // the package makes other values, and the only argument for the zero value is that it looks usable
		if maker := rules.Maker(named); maker != "" {
			word.Evidence += ", though " + maker + " makes others"
		}
	}
	if a.aside && word.Allowed {
		return
	}
	if a.ready.Evidence == "" || word.Rank < a.ready.Rank || word.Rank == a.ready.Rank && a.ready.Allowed && !word.Allowed {
		a.ready = word
	}
}

// calls reports whether a statement before the last one of a sequence calls a function.
func calls(seq *testcase.Sequence, f *types.Func) bool {
	for i := range seq.Len() - 1 {
		if op := seq.At(i).Op; op.Func != nil && op.Func.Origin() == f.Origin() {
			return true
		}
	}
	return false
}

// judge excuses a sequence for writing out values which the package makes for its users, if each of these values has a predicate. It is
// for broken predicates alone: a call is blamed for one only if the values were asked before it, and were valid.
func (a *approach) judge(pkg *load.Package, s *testcase.Sequence) {
	for i := range s.Len() {
		op := s.At(i).Op
		if op.Kind != testcase.OpComposite && op.Kind != testcase.OpZero {
			continue
		}
		named := load.NamedOf(op.Type)
		if named == nil {
			continue
		}
		if named.Obj().Pkg() != pkg.Types || !slices.ContainsFunc(slices.Collect(named.Origin().Methods()), func(m *types.Func) bool { return load.IsInvariant(m.Name()) }) {
			return
		}
	}
	a.raw, a.bare, a.unset, a.ready = false, false, false, usage.Word{}
}

// isLaw reports whether a check is of an order or an equality, whose laws are about all values that users can write.
func isLaw(c *testcase.Check) bool {
	return c != nil && (c.Contract == "compare" || c.Contract == "equal" || c.Contract == "hash")
}

func (a *approach) composite(rules *usage.Rules, op *testcase.Operation, seq *testcase.Sequence, args []testcase.Ref) {
	pkg := rules.Pkg
	st, ok := op.Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	named := load.NamedOf(op.Type)
	if named != nil && named.Obj().Pkg() != pkg.Types && named.Obj().Pkg() != nil {
		// The struct belongs to another package, and a reader, a function or the like is left out.
		for i := range st.NumFields() {
			if nilable(st.Field(i).Type()) && couldBeNil(st.Field(i).Type()) && op.Elems != nil && !slices.Contains(op.Elems, i) {
				a.bare = true
			}
		}
		a.bare = a.bare || halfMade(named, st, op, seq, args)
	}
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return
	}
	a.literal(rules, op, seq, args)
	for k, ref := range args {
		_, basic := fieldOf(op, k).Type().Underlying().(*types.Basic)
		a.filled = a.filled || !basic && seq.At(ref.Stmt).Op.Kind != testcase.OpZero
	}
	for _, f := range op.Elems {
		if !st.Field(f).Exported() {
			a.inside = true
		}
	}
	if op.Elems == nil && st.NumFields() > 0 && !st.Field(0).Exported() {
		a.inside = true
	}
}

// halfMade reports whether a struct of another package has some fields set and a list left empty, although that package
// has a function New with the type's name: &image.Gray{Rect: r} has bounds and no pixels, which image.NewGray(r)
// has. Nobody makes such a value, and code that is given one may rely on the other package.
func halfMade(named *types.Named, st *types.Struct, op *testcase.Operation, seq *testcase.Sequence, args []testcase.Ref) bool {
	maker, ok := named.Obj().Pkg().Scope().Lookup("New" + named.Obj().Name()).(*types.Func)
	if !ok || !maker.Exported() {
		return false
	}
	set, empty := false, st.NumFields() > len(args)
	for k, a := range args {
		field := k
		if op.Elems != nil {
			field = op.Elems[k]
		}
		made := seq.At(a.Stmt).Op
		zero := made.Kind == testcase.OpZero || made.Kind == testcase.OpLiteral && made.Lit.Bits == 0 && made.Lit.Str == ""
		set = set || !zero
		if _, isList := st.Field(field).Type().Underlying().(*types.Slice); isList && zero {
			empty = true
		}
	}
	return set && empty
}

// unfilled reports whether the zero value of another package's struct lacks something that
// its user has to set: a reader, a function or the like.
func unfilled(pkg *load.Package, t types.Type) bool {
	n := load.NamedOf(t)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg() == pkg.Types {
		return false
	}
	for f := range st.Fields() {
		if f.Exported() && couldBeNil(f.Type()) && nilable(f.Type()) {
			return true
		}
	}
	return false
}

// couldBeNil reports whether a type has the value nil.
func couldBeNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Signature, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// MayRefer reports whether a value of the type can lead to the object that it is written into.
func MayRefer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Signature, *types.Struct, *types.Array:
		return true
	}
	return false
}

// nilable reports whether a nil of the type cannot be used as a value: nothing can be called on it. Nil
// slices, maps and errors can be used.
func nilable(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return false
	}
	return !gosyntax.IsError(t)
}

// hidden reports whether t is a type of the package that users cannot name.
func hidden(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	return named != nil && named.Obj().Pkg() == pkg.Types && !named.Obj().Exported()
}

// writesHidden reports whether an operation writes down a value of a type that users cannot name. They
// get such values from functions of the package only.
func writesHidden(pkg *load.Package, op *testcase.Operation) bool {
	switch op.Kind {
	case testcase.OpZero, testcase.OpLiteral, testcase.OpComposite, testcase.OpConvert:
		return hidden(pkg, op.Type)
	}
	return false
}

// exported reports whether users of the package can call the function.
func exported(pkg *load.Package, fn *types.Func) bool {
	if t := pkg.FirstTargetOf(fn); t != nil {
		return t.Exported
	}
	return fn.Exported()
}

// HasConstructor reports whether the package offers users a function that makes a t.
func HasConstructor(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	for _, c := range pkg.Constructors(t) {
		if c.Exported {
			return true
		}
	}
	return false
}

// largeNumber reports whether a number that a call returned is as large as largeLiteral has it.
func largeNumber(v testcase.Value) bool {
	const much = 1 << 16
	return v.Kind == testcase.Int && (int64(v.Bits) > much || int64(v.Bits) < -much) || v.Kind == testcase.Uint && v.Bits > much
}

// largeSetting reports whether a struct that a call returned, and of which users can set each field, has such a number: the size of
// a cache in its default settings, the bounds of an image without an end. A number that users cannot set may be
// anything, like a seed.
func largeSetting(v testcase.Value) bool {
	switch v.Kind {
	case testcase.Pointer, testcase.Interface:
		return slices.ContainsFunc(v.Elems, largeSetting)
	case testcase.Struct:
		if v.Type == nil {
			return false
		}
		st, ok := v.Type.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for f := range st.Fields() {
			if !f.Exported() {
				return false
			}
		}
		return slices.ContainsFunc(v.Elems, func(e testcase.Value) bool { return largeNumber(e) || largeSetting(e) })
	}
	return false
}

// largeLiteral reports whether a number is so large that a loop which counts to it seems endless.
func largeLiteral(l testcase.Literal, t types.Type) bool {
	switch l.Kind {
	case testcase.LitInt:
		return int64(l.Bits) > 1<<16 || int64(l.Bits) < -1<<16
	case testcase.LitUint:
		return l.Bits > 1<<16
	case testcase.LitFloat:
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
			return math.Abs(float64(math.Float32frombits(uint32(l.Bits)))) > 1<<16
		}
		return math.Abs(math.Float64frombits(l.Bits)) > 1<<16
	case testcase.LitString:
		return len(l.Str) > 1<<16
	}
	return false
}

// largeProduct reports whether the numbers that a call is passed are small each but as large as largeLiteral has it if they are
// multiplied, and more: rows and columns, or how many texts of how many characters.
func largeProduct(seq *testcase.Sequence, st testcase.Statement) bool {
	product := uint64(1)
	for _, a := range st.Args {
		op := seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt && op.Lit.Kind != testcase.LitUint || op.Lit.Bits > 1<<16 {
			continue
		}
		if b, ok := op.Type.Underlying().(*types.Basic); ok && (b.Kind() == types.Int32 || b.Kind() == types.Uint8) {
			continue // a character is no count
		}
		product = min(product*max(op.Lit.Bits, 1), 1<<32)
	}
	return product > 1<<18
}

// address reports whether the numbers of a type are addresses. To make up an address breaks the rules of the
// language.
func address(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}

// position reports whether a literal is a made-up place in a text: a number of a type called Pos or Position. Parsers
// make them, and who has none leaves them zero: go/token's are such, text/template/parse's, and those of mvdan.cc/sh.
func position(op *testcase.Operation) bool {
	named, ok := types.Unalias(op.Type).(*types.Named)
	return ok && op.Lit.Bits != 0 && (named.Obj().Name() == "Pos" || named.Obj().Name() == "Position")
}

// placed reports whether a statement puts an object at a made-up place, by a method that is called like SetPosition and is
// passed a number, or like LoadCheckpoint and Restore and is passed what a method of another object returned. It takes what a
// method of the object itself has returned before (goldmark's reader, participle's lexers, go/token's files), so that
// no method has to look again.
func placed(seq *testcase.Sequence, st testcase.Statement) bool {
	if st.Op.Kind != testcase.OpMethod {
		return false
	}
	name := st.Op.Func.Name()
	sets := slices.Contains([]string{"SetPosition", "SetPos", "SetOffset", "SetCursor"}, name)
	restores := sets || slices.ContainsFunc([]string{"Load", "Restore", "Rewind", "Reset"}, func(verb string) bool { return strings.HasPrefix(name, verb) })
	return restores && slices.ContainsFunc(st.Args[1:], func(a testcase.Ref) bool {
		from := seq.At(a.Stmt)
		switch from.Op.Kind {
		case testcase.OpLiteral:
			return sets && from.Op.Lit.Kind == testcase.LitInt && from.Op.Lit.Bits != 0
		case testcase.OpMethod:
			recv, own := from.Op.Func.Signature().Recv().Type(), st.Op.Func.Signature().Recv().Type()
			return types.Identical(recv, own) && from.Args[0] != st.Args[0] && !returnsReceiver(seq, st.Args[0], from.Args[0])
		}
		return false
	})
}

// undeclared reports whether the literal has a type of the package with declared constants, and equals none
// of these: it is no value of the enumeration. The constants of another package make an enumeration if they follow each other, as
// time.Month's, reflect.Kind's and the encryption levels of quic-go do, and not time.Duration's.
func undeclared(pkg *load.Package, op *testcase.Operation) bool {
	named, ok := types.Unalias(op.Type).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg() != pkg.Types && !isNumbered(named) {
		return false
	}
	if flags := load.Flags(named); flags != 0 && op.Lit.Bits&^flags == 0 {
		return false // flags are meant to be combined
	}
	declared := load.ConstantsOf(named)
	if slices.ContainsFunc(declared, func(c *types.Const) bool { return sameConstant(c, op.Lit) }) {
		return false
	}
	return len(declared) >= 2 // a single constant names a value, and makes no enumeration
}

// isNumbered reports whether the constants of a type are at least three whole numbers that follow each other.
func isNumbered(named *types.Named) bool {
	var numbers []int64
	for _, c := range load.ConstantsOf(named) {
		n, ok := constant.Int64Val(constant.ToInt(c.Val()))
		if b, basic := named.Underlying().(*types.Basic); !ok || !basic || b.Info()&types.IsInteger == 0 {
			return false
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	return len(numbers) > 2 && numbers[len(numbers)-1]-numbers[0] == int64(len(numbers)-1)
}

// sameConstant reports whether a declared constant has the value of the literal.
func sameConstant(c *types.Const, l testcase.Literal) bool {
	switch l.Kind {
	case testcase.LitInt:
		v, ok := constant.Int64Val(constant.ToInt(c.Val()))
		return ok && v == int64(l.Bits)
	case testcase.LitUint:
		v, ok := constant.Uint64Val(constant.ToInt(c.Val()))
		return ok && v == l.Bits
	case testcase.LitString:
		return c.Val().Kind() == constant.String && constant.StringVal(c.Val()) == l.Str
	case testcase.LitBool:
		return c.Val().Kind() == constant.Bool && constant.BoolVal(c.Val()) == (l.Bits != 0)
	}
	return true // a float type is no enumeration, so its values are not told apart
}
