package purity

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// This file finds where the value comes from that makes an instruction panic. It follows the data flow
// backwards, through the calls on the stack, to the argument, field or result that no code checked.
// Panics whose values come from one place have one cause, whichever line panics and whichever exported
// function leads there.

// Source is the kind of place that a value comes from.
type Source uint8

// The sources.
const (
	Elsewhere Source = iota // computed in the function that panics
	Argument                // an argument that a caller passed and the code handed on unchanged
	Field                   // read from a field of a struct
	Result                  // returned by a function
	Variable                // read from a package-level variable
	Element                 // read from a map, a slice or a channel
)

// Origin is where a wrong value comes from.
type Origin struct {
	Source Source
	Func   *types.Func // the function that has the argument, returns the result, or uses the value
	Param  int         // of an argument: its number, -1 for the receiver
	Field  *types.Var
	Key    string // equal for equal origins
	Text   string // in words: "the argument s of Get"
	// Pos is where the argument, the field, the variable or the function that returns the result is declared. It is
	// invalid for an origin that has no declaration, or none with a place.
	Pos token.Position
	// Door is the parameter of the outermost function on the stack that an argument is, with
	// -1 for the receiver, and whether there is one.
	Door   int
	AtDoor bool
}

// Trace returns the origins that the value which makes a panic of the kind may have; the stack
// begins with the innermost frame. Several are there where the line has several candidates.
func Trace(pkg *load.Package, kind string, stack []Frame) []Origin {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return nil
	}
	var out []Origin
	seen := make(map[string]bool)
	for _, v := range f.suspects(fn, stack[0].Line, kind) {
		o := f.origin(fn, v, stack, 0)
		if o.Key != "" && !seen[o.Key] {
			seen[o.Key] = true
			out = append(out, o)
		}
	}
	return out
}

// IndexesArray reports whether the line of a panic takes an element of an array. Its length is known to whoever keeps the index, so it is
// the index that is wrong, on whichever line that shows.
func IndexesArray(pkg *load.Package, stack []Frame) bool {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return false
	}
	found := false
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		x := indexed(in)
		if x == nil {
			return
		}
		t := x.Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		_, isArray := t.(*types.Array)
		found = found || isArray
	})
	return found
}

// HandedOn returns the origins of what the innermost function of a stack passes to functions of other packages on the line where it
// is: one of these has panicked. It returns nil if one of the values is computed there, so that its origin is not known.
func HandedOn(pkg *load.Package, stack []Frame) []Origin {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return nil
	}
	var out []Origin
	known := true
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() == nil || call.Common().StaticCallee().Pkg == fn.Pkg {
			return
		}
		for _, a := range call.Common().Args {
			if _, constant := unwrap(a).(*ssa.Const); constant {
				continue
			}
			o := f.origin(fn, a, stack, 0)
			known = known && o.Key != ""
			out = append(out, o)
		}
	})
	if !known {
		return nil
	}
	return out
}

// suspects returns the values that can make an instruction on the line panic in that way.
func (f *flow) suspects(fn *ssa.Function, line int, kind string) []ssa.Value {
	var out []ssa.Value
	add := func(vs ...ssa.Value) {
		for _, v := range vs {
			if v == nil {
				continue
			}
			if c, ok := v.(*ssa.Const); ok && !c.IsNil() {
				continue
			}
			out = append(out, v)
		}
	}
	f.eachOnLine(fn, line, func(in ssa.Instruction) {
		switch kind {
		case "nil-dereference", "fatal":
			add(dereferenced(in)...)
		case "nil-map-write":
			if u, ok := in.(*ssa.MapUpdate); ok {
				add(u.Map)
			}
		case "type-assertion":
			if a, ok := in.(*ssa.TypeAssert); ok && !a.CommaOk {
				add(a.X)
			}
		case "index-out-of-range", "slice-out-of-range", "division-by-zero", "negative-length", "negative-shift":
			numbers := f.panickingAt(in)
			add(numbers...)
			// Where the index is a constant, or counts the elements of another list, the slice or the text is too short.
			if x := indexed(in); x != nil && !slices.ContainsFunc(numbers, func(v ssa.Value) bool {
				_, constant := v.(*ssa.Const)
				return v != nil && !constant && !countsAnother(v, x)
			}) {
				add(x)
			}
		}
	})
	return out
}

// countsAnother reports whether an index is that of a range over another list than this one. SSA writes it as a number that begins
// at -1, is one more in each round, and is compared with the length of the list. Where that list is an array there is no length.
func countsAnother(index, list ssa.Value) bool {
	next, ok := index.(*ssa.BinOp)
	if !ok || next.Op != token.ADD {
		return false
	}
	phi, ok := next.X.(*ssa.Phi)
	if !ok || phi.Comment != "rangeindex" {
		return false
	}
	for _, r := range *next.Referrers() {
		cmp, ok := r.(*ssa.BinOp)
		if !ok || cmp.Op != token.LSS {
			continue
		}
		if length, ok := cmp.Y.(*ssa.Call); ok && len(length.Call.Args) == 1 {
			return length.Call.Args[0] != list
		}
	}
	return false
}

// indexed returns the slice or the text that an instruction takes something of.
func indexed(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.IndexAddr:
		return in.X
	case *ssa.Index:
		return in.X
	case *ssa.Lookup:
		return in.X
	case *ssa.Slice:
		return in.X
	}
	return nil
}

// dereferenced returns the pointers, interfaces and functions that an instruction needs not to
// be nil.
func dereferenced(in ssa.Instruction) []ssa.Value {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return []ssa.Value{in.X}
	case *ssa.IndexAddr:
		if _, ok := in.X.Type().Underlying().(*types.Pointer); ok {
			return []ssa.Value{in.X}
		}
	case *ssa.UnOp:
		if in.Op == token.MUL && !isAddress(in.X) {
			return []ssa.Value{in.X}
		}
	case *ssa.Store:
		if !isAddress(in.Addr) {
			return []ssa.Value{in.Addr}
		}
	case ssa.CallInstruction:
		common := in.Common()
		if common.IsInvoke() {
			return []ssa.Value{common.Value}
		}
		if common.StaticCallee() == nil {
			if _, builtin := common.Value.(*ssa.Builtin); !builtin {
				return []ssa.Value{common.Value}
			}
			return nil
		}
		// If a dependency's function panicked below, its arguments are followed.
		var out []ssa.Value
		if callee := common.StaticCallee(); callee.Pkg != in.Parent().Pkg {
			for _, a := range common.Args {
				switch a.Type().Underlying().(type) {
				case *types.Pointer, *types.Interface, *types.Signature:
					out = append(out, a)
				}
			}
		}
		return out
	}
	return nil
}

// isAddress reports whether a pointer is the address of something that is there: a local
// variable, a package-level one, a field or an element, which the instruction that makes the
// address has looked at.
func isAddress(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.FreeVar:
		return true
	}
	return false
}

// panickingAt returns the numbers that can make an instruction panic.
func (f *flow) panickingAt(in ssa.Instruction) []ssa.Value {
	switch in := in.(type) {
	case *ssa.IndexAddr:
		return []ssa.Value{in.Index}
	case *ssa.Index:
		return []ssa.Value{in.Index}
	case *ssa.Lookup:
		if _, ok := in.X.Type().Underlying().(*types.Basic); ok {
			return []ssa.Value{in.Index}
		}
	case *ssa.Slice:
		return []ssa.Value{in.Low, in.High, in.Max}
	case *ssa.MakeSlice:
		return []ssa.Value{in.Len, in.Cap}
	case *ssa.BinOp:
		switch in.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return []ssa.Value{in.Y}
		}
	}
	return nil
}

// origin follows a value backwards, in the function of frame i of the stack.
func (f *flow) origin(fn *ssa.Function, v ssa.Value, stack []Frame, i int) Origin {
	switch v := unwrap(v).(type) {
	case *ssa.Parameter:
		return f.argument(fn, v, stack, i)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.loaded(fn, v.X, stack, i)
		}
	case *ssa.BinOp:
		if _, constant := v.Y.(*ssa.Const); constant && (v.Op == token.ADD || v.Op == token.SUB) {
			return f.origin(fn, v.X, stack, i) // the element behind or before another one
		}
	case *ssa.Field:
		if st, ok := v.X.Type().Underlying().(*types.Struct); ok {
			return fieldOrigin(fn, v.X.Type(), st.Field(v.Field))
		}
	case *ssa.Call:
		return resultOf(fn, v)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			return resultOf(fn, t)
		case *ssa.Lookup:
			return elementOf(fn, t.X)
		}
	case *ssa.Lookup:
		return elementOf(fn, v.X)
	case *ssa.Const:
		if v.IsNil() {
			return Origin{Source: Elsewhere, Func: object(fn), Key: "nil in " + fn.String(), Text: "a nil of " + nameOf(fn)}
		}
	}
	return Origin{}
}

// loaded follows a value that is read from an address.
func (f *flow) loaded(fn *ssa.Function, addr ssa.Value, stack []Frame, i int) Origin {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		ptr, ok := a.X.Type().Underlying().(*types.Pointer)
		if !ok {
			return Origin{}
		}
		st, ok := ptr.Elem().Underlying().(*types.Struct)
		if !ok {
			return Origin{}
		}
		return fieldOrigin(fn, ptr.Elem(), st.Field(a.Field))
	case *ssa.Global:
		return Origin{Source: Variable, Func: object(fn), Key: "variable " + a.String(), Text: "the variable " + a.Name(), Pos: positionOf(fn, a.Pos())}
	case *ssa.IndexAddr:
		return elementOf(fn, a.X)
	case *ssa.Alloc:
		// A parameter whose address is taken is stored once at the beginning.
		for _, r := range *a.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(a) {
				if p, ok := st.Val.(*ssa.Parameter); ok {
					return f.argument(fn, p, stack, i)
				}
			}
		}
	}
	return Origin{}
}

// argument follows a parameter to the calls on the stack. Where it comes from a caller's
// argument, and in the end from the test's, the innermost function that takes it is where a
// check is missing; where a caller makes it of something else, that is the origin.
func (f *flow) argument(fn *ssa.Function, p *ssa.Parameter, stack []Frame, i int) Origin {
	n := indexOf(fn, p)
	if fn.Signature.Recv() != nil {
		n--
	}
	own := Origin{
		Source: Argument, Func: object(fn), Param: n,
		Key: fmt.Sprintf("argument %d of %s", n, fn.String()), Text: fmt.Sprintf("the argument %s of %s", p.Name(), nameOf(fn)),
		Pos: positionOf(fn, p.Pos()),
	}
	if n < 0 {
		own.Text = "the receiver of " + nameOf(fn)
	}
	if i == len(stack)-1 {
		own.Door, own.AtDoor = n, true
		return own
	}
	caller := f.function(stack[i+1].Func)
	if caller == nil {
		return own
	}
	var above []Origin
	for _, o := range f.passed(caller, stack[i+1].Line, fn, []int{indexOf(fn, p)}) {
		above = append(above, f.origin(caller, o.v, stack, i+1))
	}
	if len(above) != 1 || above[0].Key == "" {
		return own
	}
	if above[0].Source == Argument {
		own.Door, own.AtDoor = above[0].Door, above[0].AtDoor
		return own
	}
	return above[0]
}

// unwrap removes conversions and selections of parts that do not change where a value comes from.
func unwrap(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.Convert:
			v = x.X
		default:
			return v
		}
	}
}

func fieldOrigin(fn *ssa.Function, of types.Type, field *types.Var) Origin {
	name := field.Name()
	if n := load.NamedOf(of); n != nil {
		name = n.Obj().Name() + "." + name
	}
	return Origin{Source: Field, Func: object(fn), Field: field.Origin(), Key: "field " + name, Text: "the field " + name, Pos: positionOf(fn, field.Pos())}
}

func resultOf(fn *ssa.Function, call *ssa.Call) Origin {
	common := call.Common()
	if common.IsInvoke() {
		return Origin{Source: Result, Func: common.Method, Key: "result of " + common.Method.FullName() + " in " + fn.String(), Text: "what " + common.Method.Name() + " returns", Pos: positionOf(fn, common.Method.Pos())}
	}
	callee := common.StaticCallee()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return Origin{}
	}
	if callee == nil {
		return Origin{Source: Result, Func: object(fn), Key: "result of a function value in " + fn.String(), Text: "what a function value returns to " + nameOf(fn)}
	}
	key := "result of " + callee.String()
	if callee.Pkg != fn.Pkg {
		key += " in " + fn.String() // a caller has to check results of others, so the caller is part of the cause
	}
	return Origin{Source: Result, Func: object(callee), Key: key, Text: "what " + nameOf(callee) + " returns", Pos: positionOf(fn, callee.Pos())}
}

func elementOf(fn *ssa.Function, of ssa.Value) Origin {
	o := Origin{Source: Element, Func: object(fn), Key: "element in " + fn.String(), Text: "an element that " + nameOf(fn) + " reads"}
	if load, ok := unwrap(of).(*ssa.UnOp); ok && load.Op == token.MUL {
		switch a := load.X.(type) {
		case *ssa.Global:
			o.Key, o.Text, o.Pos = "element of "+a.String(), "an element of "+a.Name(), positionOf(fn, a.Pos())
		case *ssa.FieldAddr:
			if ptr, ok := a.X.Type().Underlying().(*types.Pointer); ok {
				if st, ok := ptr.Elem().Underlying().(*types.Struct); ok {
					f := fieldOrigin(fn, ptr.Elem(), st.Field(a.Field))
					o.Key, o.Text, o.Field, o.Pos = "element of "+f.Key, "an element of "+f.Text[len("the field "):], f.Field, f.Pos
				}
			}
		}
	}
	return o
}

// positionOf returns the place of a declaration that a function refers to.
func positionOf(fn *ssa.Function, pos token.Pos) token.Position { return fn.Prog.Fset.Position(pos) }

// object returns the declared function of an SSA function; for a function literal it is the enclosing
// function's.
func object(fn *ssa.Function) *types.Func {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

// nameOf is a function's name as readers know it.
func nameOf(fn *ssa.Function) string {
	obj := object(fn)
	if obj == nil {
		return fn.Name()
	}
	if r := obj.Signature().Recv(); r != nil {
		if n := load.NamedOf(r.Type()); n != nil {
			return n.Obj().Name() + "." + obj.Name()
		}
	}
	return obj.Name()
}
