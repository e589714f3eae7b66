package finding

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file recognises values that only look usable: structs that users of a package do not make by a literal
// although the language lets them, and objects that contain themselves.

// hides reports whether a struct type has fields that are not exported.
func hides(named *types.Named) bool {
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}

// uninitialised reports whether a type of the package has a method Init, or a method Begin that returns nothing, which a sequence
// does not call on any of its values.
func uninitialised(pkg *load.Package, t types.Type, seq *testcase.Sequence) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	init, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, pkg.Types, "Init")
	fn, ok := init.(*types.Func)
	if !ok {
		begin, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, pkg.Types, "Begin")
		if fn, ok = begin.(*types.Func); !ok || fn.Signature().Results().Len() > 0 {
			return false
		}
	}
	for i := range seq.Len() {
		if op := seq.At(i).Op; op.Kind == testcase.OpMethod && op.Func.Origin() == fn.Origin() {
			return false
		}
	}
	return true
}

// leftNil reports whether a struct literal of a type of the package leaves a pointer, an interface or a
// function nil that its user may set. Such a literal counts like a nil argument.
func leftNil(pkg *load.Package, op *testcase.Operation, seq *testcase.Sequence, args []testcase.Ref) bool {
	named := load.NamedOf(op.Type)
	st, ok := op.Type.Underlying().(*types.Struct)
	if !ok || named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	for i := range st.NumFields() {
		set := false
		for k, ref := range args {
			if (op.Elems == nil && k == i || op.Elems != nil && op.Elems[k] == i) && seq.At(ref.Stmt).Op.Kind != testcase.OpZero {
				set = true
			}
		}
		if !set && st.Field(i).Exported() && lacks(st.Field(i).Type(), 0) {
			return true
		}
	}
	return false
}

// saysNone reports whether a value is a constant of another package whose name says that it stands for none of the values: geom.NoLayout,
// reflect.Invalid, types.Invalid, and what protocol buffers call UNSPECIFIED. A function that takes a layout cannot do anything for no
// layout, and who passes none has forgotten to say which.
func saysNone(pkg *load.Package, t types.Type, l testcase.Literal) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg() == pkg.Types {
		return false
	}
	declared := load.ConstantsOf(named)
	return len(declared) > 1 && slices.ContainsFunc(declared, func(c *types.Const) bool {
		if b, ok := named.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 || !sameConstant(c, l) {
			return false
		}
		name := c.Name()
		rest, isNo := strings.CutPrefix(name, "No")
		isNo = isNo && (rest == "" || rest == "ne" || rest[0] >= 'A' && rest[0] <= 'Z')
		lower := strings.ToLower(name)
		return isNo || slices.ContainsFunc([]string{"invalid", "unspecified", "undefined", "unknown", "unset"}, func(w string) bool { return strings.Contains(lower, w) })
	})
}

// lacks reports whether the zero value of a type is nil, or has a field that users may set and
// that is nil.
func lacks(t types.Type, depth int) bool {
	if couldBeNil(t) {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	for f := range st.Fields() {
		if f.Exported() && lacks(f.Type(), depth+1) {
			return true
		}
	}
	return false
}

// passesNilMap reports whether a nil map is among the arguments of a sequence.
func passesNilMap(seq *testcase.Sequence) bool {
	for i := range seq.Len() {
		for _, a := range seq.At(i).Args {
			op := seq.At(a.Stmt).Op
			if op.Kind != testcase.OpZero {
				continue
			}
			if _, ok := op.Type.Underlying().(*types.Map); ok {
				return true
			}
		}
	}
	return false
}

// ofAnotherType reports whether a panic is about the dynamic type of an argument: a type that cannot be
// compared or hashed, or another one than a type assertion on the test's argument wants.
func ofAnotherType(pkg *load.Package, kind string, o *testcase.Outcome) bool {
	if o.Panic == nil {
		return false
	}
	switch kind {
	case "other":
		return strings.Contains(o.Panic.Message, "comparing uncomparable type") || strings.Contains(o.Panic.Message, "hash of unhashable type")
	case "type-assertion":
		return len(o.Panic.Stack) > 0 && !strings.HasPrefix(o.Panic.Stack[0].Func, pkg.Path+".")
	}
	return false
}

// raisedElsewhere reports whether a panic comes from code of another module.
func raisedElsewhere(pkg *load.Package, o *testcase.Outcome) bool {
	return o.Panic != nil && len(o.Panic.Stack) > 0 && !OfModule(pkg, o.Panic.Stack[0].Func)
}

// foreignZero reports whether a panic comes from inside another package, and the sequence has a struct of
// that other package, or of one through which the panic goes, which no function made and in which something is not set: a zero
// xml.Encoder fails in the bufio.Writer that it lacks.
func foreignZero(pkg *load.Package, c *testcase.Case) bool {
	o := c.Observed
	if o == nil || o.Panic == nil {
		return false
	}
	own := slices.IndexFunc(o.Panic.Stack, func(f testcase.Frame) bool { return strings.HasPrefix(f.Func, pkg.Path+".") })
	if own < 0 {
		own = len(o.Panic.Stack)
	}
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite {
			continue
		}
		named := load.NamedOf(op.Type)
		if _, pointer := types.Unalias(op.Type).(*types.Pointer); pointer || named == nil || named.Obj().Pkg() == nil || !hides(named) && !lacks(op.Type, 0) {
			continue
		}
		inside := func(f testcase.Frame) bool { return strings.HasPrefix(f.Func, named.Obj().Pkg().Path()+".") }
		if named.Obj().Pkg() != pkg.Types && slices.ContainsFunc(o.Panic.Stack[:own], inside) {
			return true
		}
	}
	return false
}

// isOutsidePackage reports whether a panic has no frame in the package, because the test called a function
// value that the package only passed on.
func isOutsidePackage(pkg *load.Package, o *testcase.Outcome) bool {
	if o.Status != testcase.Panicked || o.Panic == nil || len(o.Panic.Stack) == 0 {
		return false
	}
	for _, f := range o.Panic.Stack {
		if strings.HasPrefix(f.Func, pkg.Path+".") {
			return false
		}
	}
	return true
}

// tied reports whether a sequence, before its last statement, passes an object to one of its own methods,
// directly or inside another value, so that a walk through the object may not end. It also reports whether an
// argument of the last call was used to make its receiver, or is the receiver behind an interface, so that a writer may read its own output.
func tied(seq *testcase.Sequence) bool {
	sources := make([]map[int]bool, seq.Len()) // for each statement, the statements whose results its results may refer to
	for i := range seq.Len() {
		st := seq.At(i)
		sources[i] = map[int]bool{i: true}
		for _, a := range st.Args {
			for s := range sources[a.Stmt] {
				sources[i][s] = true
			}
		}
		if st.Op.Kind != testcase.OpMethod || len(st.Args) == 0 {
			continue
		}
		if i == seq.Len()-1 {
			for k, a := range st.Args[1:] {
				if a.Stmt == st.Args[0].Stmt && takesInterface(st.Op.Func, k) {
					return true
				}
				if a.Stmt != st.Args[0].Stmt && refersTo(seq, st.Args[0], a.Stmt, sources) && shared(seq, a) {
					return true
				}
			}
			continue
		}
		for _, a := range st.Args[1:] {
			if refersTo(seq, a, st.Args[0].Stmt, sources) || sources[st.Args[0].Stmt][a.Stmt] && returnsReceiver(seq, st.Args[0], a) {
				return true
			}
		}
	}
	return false
}

// takesInterface reports whether a parameter of a function is an interface with methods: an object that is passed there to its own
// method is read and written at once (ReadFrom of a buffer that is the reader).
func takesInterface(fn *types.Func, k int) bool {
	params := fn.Signature().Params()
	if k >= params.Len() {
		return false
	}
	iface, ok := params.At(k).Type().Underlying().(*types.Interface)
	return ok && iface.NumMethods() > 0
}

// returnsReceiver reports whether an object was returned by methods that may return their receiver, since it has the same
// type, the first of which was called on another one. So tabwriter.Writer.Init and bytes' and big's methods do, and
// those of builders: both names may mean one object.
func returnsReceiver(seq *testcase.Sequence, object, first testcase.Ref) bool {
	ts := seq.ResultTypes()
	for at := object; at.Stmt > first.Stmt; {
		st := seq.At(at.Stmt)
		if st.Op.Kind != testcase.OpMethod || at.Result >= len(ts[at.Stmt]) || !types.Identical(ts[at.Stmt][at.Result], ts[st.Args[0].Stmt][st.Args[0].Result]) {
			return false
		}
		if at = st.Args[0]; at == first {
			return true
		}
	}
	return false
}

// shared reports whether a value is an object that two other objects can refer to.
func shared(seq *testcase.Sequence, ref testcase.Ref) bool {
	ts := seq.ResultTypes()[ref.Stmt]
	if ref.Result >= len(ts) {
		return false
	}
	switch ts[ref.Result].Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// refersTo reports whether an argument may refer to the object that a statement made.
func refersTo(seq *testcase.Sequence, arg testcase.Ref, made int, sources []map[int]bool) bool {
	ts := seq.ResultTypes()[arg.Stmt]
	return arg.Result < len(ts) && MayRefer(ts[arg.Result]) && sources[arg.Stmt][made]
}
