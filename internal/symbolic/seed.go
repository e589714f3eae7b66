package symbolic

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// drivers returns two drivers that execute a concrete sequence symbolically, or nil if that is not possible.
// In the first driver only the arguments of the last call are symbols, so that the objects passed to the call
// stay the same. In the second one all numbers and texts are symbols.
func drivers(prog *load.Program, pkg *load.Package, seq *testcase.Sequence) []*vm.Driver {
	var out []*vm.Driver
	for _, whole := range []bool{false, true} {
		s := &seeder{prog: prog, pkg: pkg, seq: seq, whole: whole, types: seq.ResultTypes(), calls: map[int]int{}, used: map[testcase.Ref]vm.DriverArg{}}
		if s.addCalls() && (!whole || s.prepared) {
			out = append(out, &s.driver)
		}
	}
	return out
}

// seeder turns a sequence into a driver.
type seeder struct {
	prog     *load.Program
	pkg      *load.Package
	seq      *testcase.Sequence
	whole    bool // the arguments of all calls are symbols, not only those of the last one
	prepared bool // some call before the last one takes a literal
	driver   vm.Driver
	types    [][]types.Type
	calls    map[int]int                   // the driver's calls, by statement
	used     map[testcase.Ref]vm.DriverArg // for each object, the argument that introduced it
}

// addCalls adds the calls of the sequence, and reports whether it could. All other statements are made where
// a call needs their results.
func (s *seeder) addCalls() bool {
	for i := range s.seq.Len() {
		switch op := s.seq.At(i).Op; op.Kind {
		case testcase.OpFunc, testcase.OpMethod:
			if !s.call(i) {
				return false
			}
		case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpDeref, testcase.OpConvert,
			testcase.OpStubFunc, testcase.OpStubIface, testcase.OpFuncValue:
		default:
			return false // the statement has an effect, or needs one
		}
	}
	_, ok := s.calls[s.seq.Len()-1]
	return ok
}

// call adds the call of statement i.
func (s *seeder) call(i int) bool {
	st := s.seq.At(i)
	c := vm.DriverCall{Obj: st.Op.Func, TypeArgs: st.Op.TypeArgs}
	t := s.pkg.TargetOf(st.Op.Func, st.Op.TypeArgs)
	switch {
	case t != nil && t.Skip == "":
		c.Func, c.Checked = t.Func, t.Checked
	case t == nil && st.Op.Kind == testcase.OpFunc && len(st.Op.TypeArgs) == 0 && st.Op.Func.Pkg() != s.pkg.Types:
		fn, err := s.prog.LookupFunc(st.Op.Func.Pkg().Path(), st.Op.Func.Name())
		if err != nil || fn == nil {
			return false
		}
		c.Func = fn
	default:
		return false
	}
	sig := c.Func.Signature
	args := st.Args
	if sig.Recv() != nil {
		if len(args) == 0 {
			return false
		}
		a, ok := s.arg(i, 0, args[0], sig.Recv().Type(), "x")
		if !ok {
			return false
		}
		c.Args = append(c.Args, a)
		args = args[1:]
	}
	for n := range sig.Params().Len() {
		p := sig.Params().At(n)
		if sig.Variadic() && !st.Op.Spread && n == sig.Params().Len()-1 {
			// A call that prepares and passes no options goes on doing so.
			c.Args = append(c.Args, vm.DriverArg{Call: -1, Type: p.Type(), Name: p.Name(), Zero: len(args) == n && i < s.seq.Len()-1})
			break
		}
		if n >= len(args) {
			return false
		}
		a, ok := s.arg(i, len(c.Args), args[n], p.Type(), p.Name())
		if !ok {
			return false
		}
		c.Args = append(c.Args, a)
	}
	s.calls[i] = len(s.driver.Calls)
	s.driver.Calls = append(s.driver.Calls, c)
	return true
}

// arg makes the argument number k of the call of statement i.
func (s *seeder) arg(i, k int, ref testcase.Ref, want types.Type, name string) (vm.DriverArg, bool) {
	fresh := vm.DriverArg{Call: -1, Type: want, Name: name}
	st := s.seq.At(ref.Stmt)
	have := s.types[ref.Stmt][ref.Result]
	if call, ok := s.calls[ref.Stmt]; ok {
		return passed(vm.DriverArg{Call: call, Result: ref.Result, Type: want}, have)
	}
	switch st.Op.Kind {
	case testcase.OpLiteral:
		return s.literal(i, &st.Op.Lit, fresh), true
	case testcase.OpConvert, testcase.OpAddr, testcase.OpDeref:
		from := s.seq.At(st.Args[0].Stmt)
		if call, ok := s.calls[st.Args[0].Stmt]; ok {
			return passed(vm.DriverArg{Call: call, Result: st.Args[0].Result, Type: want}, s.types[st.Args[0].Stmt][st.Args[0].Result])
		}
		if from.Op.Kind == testcase.OpLiteral && st.Op.Kind == testcase.OpConvert {
			return s.literal(i, &from.Op.Lit, fresh), true
		}
	}
	// The argument is an object. The driver uses one object for all its occurrences in the sequence.
	if first, ok := s.used[ref]; ok {
		return first, types.Identical(first.Type, want)
	}
	switch want.Underlying().(type) {
	case *types.Pointer:
		fresh.New = st.Op.Kind == testcase.OpAddr || !isPointer(have)
		fresh.Zero = fresh.New && s.zero(ref)
		s.used[ref] = vm.DriverArg{Call: -1, Type: want, Of: len(s.driver.Calls) + 1, Result: k}
	case *types.Map, *types.Interface, *types.Chan, *types.Slice:
		s.used[ref] = vm.DriverArg{Call: -1, Type: want, Of: len(s.driver.Calls) + 1, Result: k}
	}
	return fresh, true
}

// passed adapts a result of an earlier call, whose type is have, to the type of a.
func passed(a vm.DriverArg, have types.Type) (vm.DriverArg, bool) {
	switch {
	case types.Identical(have, a.Type):
	case types.IsInterface(a.Type):
		a.Box = have
		return a, types.AssignableTo(have, a.Type)
	case types.Identical(types.NewPointer(have), a.Type):
		a.Addr = true
	default:
		p, ok := types.Unalias(have).(*types.Pointer)
		a.Deref = ok && types.Identical(p.Elem(), a.Type)
		return a, a.Deref
	}
	return a, true
}

// literal makes an argument of a literal: the literal itself, or a symbol that has the literal as its seed.
func (s *seeder) literal(i int, lit *testcase.Literal, a vm.DriverArg) vm.DriverArg {
	b, basic := a.Type.Underlying().(*types.Basic)
	last := i == s.seq.Len()-1
	if !last && basic && b.Info()&types.IsComplex == 0 {
		s.prepared = true
		if !s.whole {
			a.Lit = lit
			return a
		}
	}
	if vm.Seeds(lit, a.Type) {
		a.Seed = lit
	}
	return a
}

// zero reports whether a variable holds the zero value of its type.
func (s *seeder) zero(ref testcase.Ref) bool {
	st := s.seq.At(ref.Stmt)
	switch st.Op.Kind {
	case testcase.OpZero:
		return true
	case testcase.OpComposite:
		return len(st.Args) == 0
	case testcase.OpAddr:
		return s.zero(st.Args[0])
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// seeded is a searcher that follows the seeds' path to its end. Only then it takes the states that branched
// off that path.
type seeded struct {
	vm.Searcher
	path search.DFS[*vm.State]
}

// Push adds a state.
func (s *seeded) Push(st *vm.State) {
	if st.Seeded() {
		s.path.Push(st)
		return
	}
	s.Searcher.Push(st)
}

// Pop takes the next state.
func (s *seeded) Pop() (*vm.State, bool) {
	if st, ok := s.path.Pop(); ok {
		return st, true
	}
	return s.Searcher.Pop()
}

// Len returns the number of states.
func (s *seeded) Len() int { return s.path.Len() + s.Searcher.Len() }
