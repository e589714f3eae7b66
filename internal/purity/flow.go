package purity

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// This file answers one question about a run-time panic: is its cause a number that the caller passed
// and the code never looked at? Passing such a number is misuse if the code had no reason to expect it.
// A number that the code checked, and checked wrongly, is a bug.

// Frame is a frame of a panic's stack, as the runtime names it.
type Frame struct {
	Func string // "example.com/m/p.(*T).Method", "example.com/m/p.F[...].func1"
	Line int
}

// Numbers says where the number comes from that makes a panic about an index, a length, a divisor or a shift.
type Numbers struct {
	// Unchecked says that the number comes from scalar arguments that nothing compares with a bound on their way to the panic.
	Unchecked bool
	// Passed says that the call which panics is passed such an argument, and By are the functions, by the name of their target,
	// that store one in a field.
	Passed bool
	By     map[string]bool
}

// NumbersOf follows the number that makes a panic of a kind, or of any kind if that is empty. The way goes through arithmetic, through
// calls along the stack (innermost frame first), and through fields into which a function of the package stores an argument.
func NumbersOf(pkg *load.Package, kind string, stack []Frame) Numbers {
	f := flow{pkg: pkg, by: make(map[string]bool)}
	for i, frame := range stack {
		fn := f.function(frame.Func)
		if fn == nil {
			return Numbers{}
		}
		var operands []operand
		if i == 0 {
			operands = f.panicking(fn, frame.Line, kind)
		} else {
			operands = f.passed(fn, frame.Line, f.function(stack[i-1].Func), f.params)
		}
		f.params = nil
		f.follow(fn, operands)
		switch {
		case len(f.by) > 0:
			return Numbers{Unchecked: true, Passed: len(f.params) > 0, By: f.by}
		case len(f.params) == 0:
			return Numbers{}
		}
		// The value is a parameter of an unexported function, unchecked so far, so the search continues
		// in its caller. In the outermost frame the test passed the value.
		if i == len(stack)-1 || token.IsExported(fn.Name()) {
			return Numbers{Unchecked: true, Passed: true}
		}
	}
	return Numbers{}
}

// flowAt returns a flow and the function that the innermost frame of a stack is in. The function is nil if the stack is empty or
// the function is not known.
func flowAt(pkg *load.Package, stack []Frame) (flow, *ssa.Function) {
	f := flow{pkg: pkg}
	if len(stack) == 0 {
		return f, nil
	}
	return f, f.function(stack[0].Func)
}

// AssertsArgument reports whether a panic comes from a type assertion on a parameter of the
// function it is in, an exported one: x.(T) says that callers are to pass a T.
func AssertsArgument(pkg *load.Package, stack []Frame) bool {
	f, fn := flowAt(pkg, stack)
	if fn == nil || !token.IsExported(fn.Name()) {
		return false
	}
	found := false
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		if a, ok := in.(*ssa.TypeAssert); ok && !a.CommaOk && elementOfArgument(a.X) {
			found = true
		}
	})
	return found
}

// elementOfArgument reports whether a value is a parameter, an element of a parameter that is a list, or a
// field of any type of the receiver, as in a Value whose method Int is for those values that hold an int.
func elementOfArgument(v ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		switch at := load.X.(type) {
		case *ssa.IndexAddr:
			v = at.X
		case *ssa.FieldAddr:
			i, ok := v.Type().Underlying().(*types.Interface)
			if recv := at.Parent().Signature.Recv(); recv != nil && ok && i.Empty() && at.X == at.Parent().Params[0] {
				return true
			}
		}
	}
	return argument(v)
}

// flow follows values backwards.
type flow struct {
	pkg    *load.Package
	params []int // the parameters that the operands of the function followed last come from
	by     map[string]bool
}

// function finds the SSA function that the runtime's name means.
func (f *flow) function(name string) *ssa.Function {
	rest, ok := strings.CutPrefix(name, f.pkg.Path+".")
	if !ok {
		return nil
	}
	rest = strings.ReplaceAll(rest, "[...]", "")
	parts := strings.Split(strings.NewReplacer("(*", "", ")", "").Replace(rest), ".")
	for n := min(2, len(parts)); n > 0; n-- {
		t := f.pkg.Target(strings.Join(parts[:n], "."))
		if t == nil {
			continue
		}
		fn := t.Func
		for _, p := range parts[n:] {
			k, err := strconv.Atoi(strings.TrimPrefix(p, "func"))
			if err != nil || k < 1 || k > len(fn.AnonFuncs) {
				return nil
			}
			fn = fn.AnonFuncs[k-1]
		}
		return fn
	}
	return nil
}

// eachOnLine calls visit for the instructions of fn on the line.
func (f *flow) eachOnLine(fn *ssa.Function, line int, visit func(ssa.Instruction)) {
	fset := fn.Prog.Fset
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if in.Pos().IsValid() && fset.Position(in.Pos()).Line == line {
				visit(in)
			}
		}
	}
}

// operand is a number, and the block that uses it.
type operand struct {
	v  ssa.Value
	at *ssa.BasicBlock
}

// panicking returns the numbers that can make an instruction on the line panic in a way, or in any way if kind is empty.
func (f *flow) panicking(fn *ssa.Function, line int, kind string) []operand {
	may := func(kinds ...string) bool { return kind == "" || slices.Contains(kinds, kind) }
	var out []operand
	f.eachOnLine(fn, line, func(in ssa.Instruction) {
		add := func(vs ...ssa.Value) {
			for _, v := range vs {
				if v != nil {
					out = append(out, operand{v, in.Block()})
				}
			}
		}
		switch in := in.(type) {
		case *ssa.IndexAddr:
			if !may("index-out-of-range") {
				return
			}
			add(in.Index)
			if call, ok := in.X.(*ssa.Call); ok {
				// The length of a call's result depends on the numbers that the call is given.
				for _, a := range call.Call.Args {
					if b, ok := a.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
						add(a)
					}
				}
			}
		case *ssa.Index:
			if may("index-out-of-range") {
				add(in.Index)
			}
		case *ssa.Lookup:
			if _, ok := in.X.Type().Underlying().(*types.Basic); ok && may("index-out-of-range") {
				add(in.Index)
			}
		case *ssa.Slice:
			if may("slice-out-of-range") {
				add(in.Low, in.High, in.Max)
			}
		case *ssa.MakeSlice:
			if may("negative-length") {
				add(in.Len, in.Cap)
			}
		case *ssa.BinOp:
			switch in.Op {
			case token.QUO, token.REM:
				if may("division-by-zero") {
					add(in.Y)
				}
			case token.SHL, token.SHR:
				if may("negative-shift") {
					add(in.Y)
				}
			}
		case ssa.CallInstruction:
			if kind != "" {
				return
			}
			// If a call of a dependency panicked, its arguments are followed.
			for _, a := range in.Common().Args {
				if scalar(a.Type()) {
					add(a)
				}
			}
		}
	})
	return out
}

// passed returns the values that calls of callee on the line pass for the given parameters.
func (f *flow) passed(fn *ssa.Function, line int, callee *ssa.Function, params []int) []operand {
	var out []operand
	f.eachOnLine(fn, line, func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return
		}
		c := call.Common().StaticCallee()
		if c == nil || callee == nil || c != callee && c.Origin() != callee.Origin() {
			return
		}
		for _, p := range params {
			if p < len(call.Common().Args) {
				out = append(out, operand{call.Common().Args[p], in.Block()})
			}
		}
	})
	return out
}

// follow looks where the operands come from within fn. f.params are the scalar parameters among these that fn has compared with no bound
// before: the callers may have checked them. f.by gets the functions that store unchecked values in fields which the operands come from.
func (f *flow) follow(fn *ssa.Function, operands []operand) {
	for _, o := range operands {
		params, fields := leaves(o.v)
		for _, p := range params {
			if scalar(p.Type()) && !compared(fn, p, o.at) {
				f.params = append(f.params, indexOf(fn, p))
			}
		}
		for _, fa := range fields {
			f.storedUnchecked(fa)
		}
	}
}

func indexOf(fn *ssa.Function, p *ssa.Parameter) int {
	for i, q := range fn.Params {
		if p == q {
			return i
		}
	}
	return -1
}

// leaves returns the parameters and fields that v is computed from by arithmetic, conversions and phis.
// For a phi of a loop it also returns those that bound the loop.
func leaves(v ssa.Value) (params []*ssa.Parameter, fields []*ssa.FieldAddr) {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Parameter:
			params = append(params, v)
		case *ssa.BinOp:
			visit(v.X)
			visit(v.Y)
		case *ssa.UnOp:
			if v.Op == token.MUL {
				switch at := v.X.(type) {
				case *ssa.FieldAddr:
					fields = append(fields, at)
				case *ssa.IndexAddr:
					visit(arrayOf(at.X))
				}
				return
			}
			visit(v.X)
		case *ssa.Index:
			if p, ok := v.X.(*ssa.Parameter); ok {
				visit(p)
			}
		case *ssa.Convert:
			visit(v.X)
		case *ssa.ChangeType:
			visit(v.X)
		case *ssa.Phi:
			for _, e := range v.Edges {
				visit(e)
			}
			if n := len(v.Block().Instrs); n > 0 {
				if br, ok := v.Block().Instrs[n-1].(*ssa.If); ok {
					visit(br.Cond)
				}
			}
		}
	}
	visit(v)
	return params, fields
}

// arrayOf returns the parameter that a local variable was made of, if it is an array, and nil otherwise.
func arrayOf(addr ssa.Value) ssa.Value {
	local, ok := addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range *local.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
			if p, ok := st.Val.(*ssa.Parameter); ok {
				return p
			}
		}
	}
	return nil
}

// compared reports whether fn branches on p on the way to a block, other than by the
// condition of a loop that counts up to it, and by a comparison with another argument,
// which is as little of a bound.
func compared(fn *ssa.Function, p *ssa.Parameter, at *ssa.BasicBlock) bool {
	for _, b := range fn.Blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !LeadsTo(b, at) || at.Dominates(b) {
			continue // the condition is not on the way to the use, or the first use comes before it
		}
		cmp, ok := br.Cond.(*ssa.BinOp)
		if !ok || argument(cmp.X) && argument(cmp.Y) {
			continue
		}
		for _, side := range []ssa.Value{cmp.X, cmp.Y} {
			params, _ := leavesNoPhi(side)
			for _, q := range params {
				if q == p && !counts(cmp, side) {
					return true
				}
			}
		}
	}
	return false
}

// argument reports whether v is a parameter.
func argument(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

// LeadsTo reports whether there is a path from one block to the other, or they are the same.
func LeadsTo(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, s := range b.Succs {
			if visit(s) {
				return true
			}
		}
		return false
	}
	return visit(from)
}

// leavesNoPhi is leaves, of a value that is no phi itself.
func leavesNoPhi(v ssa.Value) ([]*ssa.Parameter, []*ssa.FieldAddr) {
	if _, ok := v.(*ssa.Phi); ok {
		return nil, nil
	}
	return leaves(v)
}

// counts reports whether the other side of the comparison is a loop's counter.
func counts(cmp *ssa.BinOp, side ssa.Value) bool {
	other := cmp.X
	if other == side {
		other = cmp.Y
	}
	phi, ok := other.(*ssa.Phi)
	return ok && phi.Block() == cmp.Block()
}

// storedUnchecked notes the functions of the package that store a scalar parameter, which they do not compare, into the field.
func (f *flow) storedUnchecked(fa *ssa.FieldAddr) {
	want := structOf(fa)
	for _, t := range f.pkg.Targets {
		fn := t.Func
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				to, ok := st.Addr.(*ssa.FieldAddr)
				if !ok || to.Field != fa.Field || want == nil || structOf(to) != want {
					continue
				}
				params, _ := leaves(st.Val)
				for _, p := range params {
					if scalar(p.Type()) && !compared(fn, p, b) {
						f.by[t.Name] = true
					}
				}
			}
		}
	}
}

// structOf returns the struct type whose field an address denotes, or nil if the type has no name.
func structOf(fa *ssa.FieldAddr) *types.TypeName {
	ptr, ok := fa.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if n, ok := types.Unalias(ptr.Elem()).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// scalar reports whether t is a number.
func scalar(t types.Type) bool {
	if a, ok := t.Underlying().(*types.Array); ok {
		t = a.Elem() // some numbers at once, like the beginning and the end of a part
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// MissingEntry returns the declared constant for which a table of the package has no entry, if that is why an index was out
// of range in the innermost frame: names[kind], with fewer names than there are kinds. It returns nil otherwise.
func MissingEntry(pkg *load.Package, stack []Frame, index int64) *types.Const {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return nil
	}
	var missing *types.Const
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		var table, at ssa.Value
		switch in := in.(type) {
		case *ssa.IndexAddr:
			table, at = in.X, in.Index
		case *ssa.Index:
			table, at = in.X, in.Index
		}
		if at == nil || !isOwnTable(table) {
			return
		}
		for _, c := range load.ConstantsOf(unwrap(at).Type()) {
			if v, ok := constant.Int64Val(constant.ToInt(c.Val())); ok && v == index && missing == nil {
				missing = c
			}
		}
	})
	return missing
}

// isOwnTable reports whether a value is a list that the code itself has: a variable of the package, or a literal.
func isOwnTable(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Global, *ssa.Const, *ssa.Alloc:
		return true
	case *ssa.Slice:
		return isOwnTable(v.X)
	case *ssa.UnOp:
		if _, array := v.Type().Underlying().(*types.Array); array {
			return v.Op == token.MUL // the code itself says how long it is
		}
		_, global := v.X.(*ssa.Global)
		return v.Op == token.MUL && global // a local variable may hold any list
	}
	return false
}
