package campaign

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// How a case came to where it is, the worst first. What a user of the package could
// not have done, or should not have, makes a finding less than an error.
type approach struct {
	inside  bool // through something that is not exported: a function, a field, a variable
	raw     bool // a literal of a type that has constructors, or an undeclared value of an enumeration
	nils    bool // a nil argument
	failed  bool // a nil that came with an error, which nobody looked at
	stub    bool // a made-up implementation or function, which keeps no contract
	unset   bool // a literal whose user left nil what he may set
	knot    bool // a reference that the test writes into an object, which may lead back to it
	channel bool // a channel that the test makes, and gives what comes out of it
	large   bool // a number or a length so large that patience, not the code, ends
}

// approachOf looks at how a sequence makes what it tests.
func approachOf(pkg *load.Package, c *testcase.Case) approach {
	var a approach
	seq := c.Seq
	nils := make(map[testcase.Ref]bool)
	failures := make(map[int]bool) // calls that returned an error
	for i := range seq.Len() {
		st := seq.At(i)
		op := st.Op
		switch op.Kind {
		case testcase.OpLiteral:
			a.large = a.large || largeLiteral(op.Lit)
			a.raw = a.raw || undeclared(pkg, op) || address(op.Type)
		case testcase.OpZero:
			switch op.Type.Underlying().(type) {
			case *types.Pointer, *types.Signature, *types.Chan, *types.Interface:
				nils[testcase.Ref{Stmt: i}] = true
			case *types.Struct:
				a.raw = a.raw || unfilled(pkg, op.Type)
				a.literal(pkg, op, seq, nil)
			}
		case testcase.OpComposite:
			a.composite(pkg, op, seq, st.Args)
			a.large = a.large || op.N > 1<<16
		case testcase.OpFunc, testcase.OpMethod:
			if op.Func.Pkg() == pkg.Types && !exported(pkg, op.Func) {
				a.inside = true
			}
			// A nil that a call returned is as little of a value as one that is written.
			if c.Observed != nil && i < len(c.Observed.Results) {
				for k, v := range c.Observed.Results[i] {
					nils[testcase.Ref{Stmt: i, Result: k}] = v.Kind == testcase.Nil && nilable(v.Type)
					a.large = a.large || v.Kind == testcase.Int && i < seq.Len()-1 && (int64(v.Bits) > 1<<16 || int64(v.Bits) < -1<<16)
				}
				if erred(op, c.Observed.Results[i]) {
					failures[i] = true
				}
			}
		case testcase.OpField, testcase.OpSetField, testcase.OpGlobal, testcase.OpSetGlobal:
			if !op.Var.Exported() {
				a.inside = true
			}
			a.knot = a.knot || op.Kind == testcase.OpSetField && refers(op.Var.Type())
			if op.Kind == testcase.OpSetGlobal {
				a.raw = true // nobody promised that the variable may be changed
			}
		case testcase.OpMakeChan, testcase.OpSend, testcase.OpClose:
			a.channel = true
		case testcase.OpStubFunc, testcase.OpStubIface, testcase.OpClosure:
			a.stub = true
		}
		for _, ref := range st.Args {
			a.nils = a.nils || nils[ref]
			a.failed = a.failed || nils[ref] && failures[ref.Stmt]
		}
	}
	a.knot = a.knot || tied(seq)
	return a
}

// literal looks at a struct that is not made by a function.
func (a *approach) literal(pkg *load.Package, op *testcase.Operation, seq *testcase.Sequence, args []testcase.Ref) {
	a.raw = a.raw || hasConstructor(pkg, op.Type) || madeElsewhere(pkg, op.Type) || uninitialised(pkg, op.Type, seq)
	a.unset = a.unset || leftNil(pkg, op, seq, args)
	a.inside = a.inside || hidden(pkg, op.Type)
}

// erred reports whether a call's last result is an error, and not nil.
func erred(op *testcase.Operation, results []testcase.Value) bool {
	sig := op.Signature().Results()
	n := sig.Len()
	return n > 1 && n == len(results) && types.Identical(sig.At(n-1).Type(), types.Universe.Lookup("error").Type()) && results[n-1].Kind != testcase.Nil
}

// unfilled reports whether the zero value of another package's struct lacks something that
// its user has to set: a reader, a function or the like.
func unfilled(pkg *load.Package, t types.Type) bool {
	n := namedOf(t)
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

// refers reports whether a value of the type can lead to the object that it is written into.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Signature, *types.Struct, *types.Array:
		return true
	}
	return false
}

// nilable reports whether nil of the type is no value to call methods on or to pass on:
// nil slices and maps are, nil errors too.
func nilable(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return false
	}
	return !types.Identical(t, types.Universe.Lookup("error").Type())
}

func (a *approach) composite(pkg *load.Package, op *testcase.Operation, seq *testcase.Sequence, args []testcase.Ref) {
	st, ok := op.Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	named := namedOf(op.Type)
	if named != nil && named.Obj().Pkg() != pkg.Types && named.Obj().Pkg() != nil {
		// Another package's struct with a reader, a function or the like left out.
		for i := range st.NumFields() {
			if nilable(st.Field(i).Type()) && couldBeNil(st.Field(i).Type()) && op.Elems != nil && !slices.Contains(op.Elems, i) {
				a.raw = true
			}
		}
	}
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return
	}
	a.literal(pkg, op, seq, args)
	for _, f := range op.Elems {
		if !st.Field(f).Exported() {
			a.inside = true
		}
	}
	if op.Elems == nil && st.NumFields() > 0 && !st.Field(0).Exported() {
		a.inside = true
	}
}

// hidden reports whether t is a type of the package that users cannot name.
func hidden(pkg *load.Package, t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Obj().Pkg() == pkg.Types && !named.Obj().Exported()
}

// exported reports whether users of the package can call the function.
func exported(pkg *load.Package, fn *types.Func) bool {
	for _, t := range pkg.Targets {
		if t.Obj == fn.Origin() {
			return t.Exported
		}
	}
	return fn.Exported()
}

// hasConstructor reports whether the package offers users a function that makes a t.
func hasConstructor(pkg *load.Package, t types.Type) bool {
	named := namedOf(t)
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

func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// largeLiteral reports whether a number is large enough to make a loop that counts to
// it look like one that never ends.
func largeLiteral(l testcase.Literal) bool {
	switch l.Kind {
	case testcase.LitInt:
		return int64(l.Bits) > 1<<16 || int64(l.Bits) < -1<<16
	case testcase.LitUint:
		return l.Bits > 1<<16
	case testcase.LitFloat:
		return math.Abs(math.Float64frombits(l.Bits)) > 1<<16
	case testcase.LitString:
		return len(l.Str) > 1<<16
	}
	return false
}

// address reports whether a type's numbers are addresses: to make one up is to break what
// the language promises.
func address(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}

// undeclared reports whether the literal is of a type of the package that declares
// constants, and is none of them: an enumeration's value that is not one.
func undeclared(pkg *load.Package, op *testcase.Operation) bool {
	named, ok := types.Unalias(op.Type).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg.Types {
		return false
	}
	if flags := load.Flags(named); flags != 0 && op.Lit.Bits&^flags == 0 {
		return false // they are there to be combined
	}
	declared := 0
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), named) {
			continue
		}
		declared++
		if sameConstant(c, op.Lit) {
			return false
		}
	}
	return declared >= 2 // one constant is a name for a value, not an enumeration
}

// severityOf says how bad a finding is, given its kind.
func severityOf(pkg *load.Package, c *testcase.Case, kind string) testcase.Severity {
	o := c.Observed
	a := approachOf(pkg, c)
	if c.Whole {
		a.inside, a.raw = false, false // a predicate vouches for what was made by literals
	}
	target := pkg.Target(c.Target)
	if c.Seq.Last().Op.Kind == testcase.OpCheck && (a.inside || a.raw) {
		return testcase.Note // of what was made by hand nobody said that it is valid
	}
	if op := c.Seq.Last().Op; op.Kind == testcase.OpCheck && op.Check.Severity != testcase.Error && target != nil && target.Exported {
		return op.Check.Severity // assay only inferred it
	}
	switch {
	case kind == "explicit" || a.failed || target == nil || !target.Exported:
		// The code says itself that this is misuse, or nobody outside can call it.
		return testcase.Note
	case o.Status == testcase.Panicked && documented(pkg, target):
		return testcase.Note // misuse, although the code leaves it to the run time to say so
	case a.inside || a.raw || a.nils || a.stub || a.unset && kind == "nil-dereference":
		return testcase.Warning
	case a.unset && o.Violated == "contract string":
		return testcase.Warning // printing it panics
	case elsewhere(pkg, o) || kind == "nil-dereference" && foreignZero(pkg, c) || kind == "nil-map-write" && passesNilMap(c.Seq) || ofAnotherType(pkg, kind, o):
		return testcase.Warning
	case a.channel && (kind == "hang" || kind == "deadlock" || kind == "closed-channel"):
		// Who sends, who receives and who closes is agreed with the caller.
		return testcase.Warning
	case a.knot && (kind == "hang" || kind == "stack-overflow"):
		return testcase.Warning // a ring of the test's making has no end
	case a.large && (kind == "hang" || kind == "fatal" || kind == "stack-overflow" || kind == "deadlock" || kind == "negative-length"):
		// A length can be too large for any machine without being wrong.
		return testcase.Warning
	}
	stack := framesOf(pkg, o)
	switch kind {
	case "type-assertion":
		if purity.AssertsArgument(pkg, stack) {
			return testcase.Warning
		}
	case "index-out-of-range", "slice-out-of-range", "division-by-zero", "negative-length", "negative-shift", "other":
		if ofSort(target) {
			return testcase.Warning
		}
		if purity.Unchecked(pkg, stack) || purity.ShortBuffer(pkg, stack) {
			return testcase.Warning
		}
	}
	return testcase.Error
}

// ofSort reports whether a method is one that packages sort and container/heap call, with
// what they make sure of: indices below Len, and elements to pop.
func ofSort(t *load.Target) bool {
	switch t.Obj.Name() {
	case "Less", "Swap", "Pop":
	default:
		return false
	}
	if t.Recv == nil || namedOf(t.Recv) == nil {
		return false
	}
	named := namedOf(t.Recv)
	methods := types.NewMethodSet(types.NewPointer(named))
	for _, want := range []struct {
		name   string
		params int
	}{{"Len", 0}, {"Less", 2}, {"Swap", 2}} {
		m := methods.Lookup(named.Obj().Pkg(), want.name)
		if m == nil || m.Type().(*types.Signature).Params().Len() != want.params {
			return false
		}
	}
	return true
}

// documented reports whether the function's comment says that it may panic.
func documented(pkg *load.Package, t *load.Target) bool {
	fd := pkg.Func(t.Obj)
	if fd == nil {
		return false
	}
	doc := strings.ToLower(oneLine(fd.Doc.Text()))
	for _, denial := range []string{"not panic", "never panic", "without panic", "no panic", "n't panic"} {
		doc = strings.ReplaceAll(doc, denial, "")
	}
	return strings.Contains(doc, "panic")
}

// framesOf returns the frames of a panic that are in the package, nil if there was none.
func framesOf(pkg *load.Package, o *testcase.Outcome) []purity.Frame {
	if o.Panic == nil {
		return nil
	}
	var stack []purity.Frame
	for _, f := range inPackage(pkg, o.Panic.Stack) {
		stack = append(stack, purity.Frame{Func: f.Func, Line: f.Pos.Line})
	}
	return stack
}

// inPackage drops the frames outside the package under test.
func inPackage(pkg *load.Package, stack []testcase.Frame) []testcase.Frame {
	var out []testcase.Frame
	for _, f := range stack {
		if strings.HasPrefix(f.Func, pkg.Path+".") {
			out = append(out, f)
		}
	}
	return out
}
