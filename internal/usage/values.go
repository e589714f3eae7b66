package usage

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Receiver is the number of a method's receiver among its parameters.
const Receiver = -1

// Nil says whether nil may be passed for a parameter of a function of the package. Nil may be passed if the
// documentation says so, or promises an error for what nil is, if the function itself compares the parameter with nil, or if the package passes nil
// there. For a receiver it may also be passed if most methods of the type check for nil.
func (r *Rules) Nil(fn *types.Func, param int) Word {
	f := r.facts(fn)
	if f == nil {
		return Word{}
	}
	sig := fn.Origin().Signature()
	v, name := sig.Recv(), receiverName
	if param >= 0 {
		if param >= sig.Params().Len() {
			param = sig.Params().Len() - 1 // the parameter is variadic
		}
		if param < 0 {
			return Word{}
		}
		v = sig.Params().At(param)
		name = v.Name()
	}
	if v == nil {
		return Word{}
	}
	for _, doc := range r.docs(fn) {
		if forbids := prohibition(doc, strings.ToLower(name), fn); forbids != "" {
			return Word{Evidence: "the documentation says " + Quote(forbids), Rank: Declared}
		}
		if allows := allowance(doc, strings.ToLower(name), fn); allows != "" {
			return Word{Allowed: true, Evidence: "the documentation says " + Quote(allows), Rank: Declared}
		}
	}
	if _, promises := r.Promised(fn, param); promises != "" {
		return Word{Allowed: true, Evidence: "the documentation says " + Quote(promises), Rank: Declared}
	}
	if f.nils[v] {
		return Word{Allowed: true, Evidence: fmt.Sprintf("%s looks whether its %s is nil", fn.Name(), called(name)), Rank: Shown}
	}
	if param == Receiver {
		if printedBy(fn) {
			return Word{Evidence: fmt.Sprintf("package fmt writes <nil> for a nil pointer on which %s panics", fn.Name()), Rank: Usual}
		}
		return r.nilReceiver(fn)
	}
	for _, other := range r.all {
		for _, p := range other.passes[fn.Origin()] {
			if p == param {
				return Word{Allowed: true, Evidence: fmt.Sprintf("the package itself passes nil to %s", fn.Name()), Rank: Shown}
			}
		}
	}
	return Word{}
}

// printedBy reports whether package fmt calls a method by itself. Its documentation says that a panic of Error, String or GoString
// on a nil receiver is printed as <nil>, so that methods like those of go-multierror's Error, url.URL and net.IPNet do
// without a check that their siblings have; and who calls Error has looked before whether there is an error.
func printedBy(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Params().Len() != 0 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.String]) {
		return false
	}
	return slices.Contains([]string{"Error", "String", "GoString"}, fn.Name())
}

func called(name string) string {
	if name == receiverName || name == "" || name == "_" {
		return "receiver"
	}
	return "argument " + name
}

// nilReceiver says whether the methods of a type expect to be called on nil: at least two of them, and at
// least half of the exported ones, check whether the receiver is nil. Methods with value receivers do not
// count.
func (r *Rules) nilReceiver(fn *types.Func) Word {
	if _, pointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); !pointer {
		return Word{}
	}
	named := load.NamedOf(fn.Signature().Recv().Type())
	guarded, all := 0, 0
	for _, f := range r.all {
		recv := f.fn.Signature().Recv()
		if recv == nil || !f.fn.Exported() || !SameNamed(load.NamedOf(recv.Type()), named) {
			continue
		}
		if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); !pointer {
			continue
		}
		all++
		if f.nils[recv] {
			guarded++
		}
	}
	if guarded >= 2 && 2*guarded >= all {
		return Word{Allowed: true, Evidence: fmt.Sprintf("%d of the %d methods of %s look whether their receiver is nil, this one does not", guarded, all, named.Obj().Name()), Rank: Shown}
	}
	return Word{}
}

// NilField says whether a field may be nil. An exported field may if its comment says so. Any field may if at
// least two functions check whether it is nil.
func (r *Rules) NilField(field *types.Var) Word {
	r.once.Do(r.read)
	looks := 0
	for _, f := range r.all {
		if f.nils[field.Origin()] {
			looks++
		}
	}
	if looks >= 2 {
		return Word{Allowed: true, Evidence: fmt.Sprintf("%d functions look whether %s is nil before they use it", looks, field.Name()), Rank: Shown}
	}
	return Word{}
}

// Maker returns the function that makes values of a type for users, or "" if there is none.
func (r *Rules) Maker(named *types.Named) string {
	r.once.Do(r.read)
	return r.made[named.Origin().Obj()]
}

// Ready says whether users may use the zero value of a type of the package. They may if the
// documentation says so, if methods fill in fields that they find to be nil, or if nothing makes other
// values and the type has no fields that users can set.
func (r *Rules) Ready(named *types.Named) Word {
	r.once.Do(r.read)
	name := named.Obj().Name()
	said := firstSentence(r.typeDoc(named), func(s string) bool {
		if !containsAny(s, "zero value", "zero-value", "empty value", "new("+strings.ToLower(name)+")") {
			return false
		}
		return containsAny(s, "ready", "usable", "can be used", "is an empty", "valid", "is empty", "useful", "is a ", "works", "is equivalent", "represents") && !containsAny(s, "not ready", "not usable", "not valid", "invalid", "must not", "should not", "not be used", "not useful")
	})
	if said != "" {
		return Word{Allowed: true, Evidence: "the documentation says " + Quote(said), Rank: Declared}
	}
	denied := firstSentence(r.typeDoc(named), func(s string) bool {
		return containsAny(s, "zero value", "must be created", "must be initialized", "must be made", "must use new", "use new", "created with", "created using", "initialized with", "should be created")
	})
	if denied != "" {
		return Word{Evidence: "the documentation says " + Quote(denied), Rank: Declared}
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return Word{Allowed: true, Evidence: fmt.Sprintf("the zero value of %s is one that users can declare", name), Rank: Usual}
	}
	maker := r.made[named.Origin().Obj()]
	if by := r.filledBy(st, maker == "" || !r.hides(st)); by != "" {
		return Word{Allowed: true, Evidence: fmt.Sprintf("%s gives the zero value of %s what it lacks", by, name), Rank: Shown}
	}
	if scalars(st, 0) {
		return Word{Allowed: true, Evidence: fmt.Sprintf("nothing has to be set in a %s: its fields are numbers and texts", name), Rank: Usual}
	}
	if strings.Contains(maker, ".") && r.setsItself(named) {
		return Word{Allowed: true, Evidence: fmt.Sprintf("methods of %s set their receiver and return it, and no function makes one: users start from its zero value", name), Rank: Shown}
	}
	if maker != "" && r.hides(st) {
		return Word{Evidence: fmt.Sprintf("%s makes a %s for users", maker, name), Rank: Shown}
	}
	if hasNoNilFields(st, 0) {
		return Word{Allowed: true, Evidence: fmt.Sprintf("nothing has to be set in a %s: its fields are plain values", name), Rank: Usual}
	}
	if r.hides(st) {
		rank := Shown
		if r.isPart(named) {
			rank = Usual // nobody starts from it
		}
		for f := range st.Fields() {
			if !f.Exported() && isCalled(f.Type()) {
				rank = Usual // something sets the field before it is called
			}
		}
		return Word{Allowed: true, Evidence: fmt.Sprintf("the package has no function that makes a %s: users start from its zero value", name), Rank: rank}
	}
	return Word{}
}

// PreparedBy returns an exported method that prepares values of a type for the others: it returns an error and nothing else, and assigns an
// unexported field that would be nil, while no function makes values of the type. Frameworks make such values from a configuration and call the
// method before all others: Caddy's Provision, telegraf's Init, the Start of components of the OpenTelemetry collector. PreparedBy returns nil if
// there is no such method.
func (r *Rules) PreparedBy(named *types.Named) *types.Func {
	st, ok := named.Underlying().(*types.Struct)
	if !ok || r.Maker(named) != "" {
		return nil
	}
	hidden := make(map[*types.Var]bool)
	for f := range st.Fields() {
		if !f.Exported() && couldBeNil(f.Type()) {
			hidden[f.Origin()] = true
		}
	}
	for _, facts := range r.all {
		if r.prepares(facts.fn, named, func(f *types.Var) bool { return hidden[f] }) {
			return facts.fn
		}
	}
	return nil
}

// preparing are the verbs with which the names of methods begin that are called before all others, also on what a constructor has made: the
// Init of components of Dapr and of plugins of telegraf, the Start of components of the OpenTelemetry collector, the Configure of
// providers of Terraform, the Open of connections.
var preparing = []string{"Init", "Setup", "Configure", "Provision", "Prepare", "Open", "Start", "Connect"}

// Preparing returns the exported methods that prepare a value of a struct for the others by setting a field that would be nil: they return an error
// and nothing else, and their names say that they come first.
func (r *Rules) Preparing(named *types.Named, field *types.Var) []*types.Func {
	r.once.Do(r.read)
	var out []*types.Func
	for _, facts := range r.all {
		if gosyntax.HasVerb(facts.fn.Name(), preparing) && r.prepares(facts.fn, named, func(f *types.Var) bool { return f == field.Origin() }) {
			out = append(out, facts.fn)
		}
	}
	return out
}

// prepares reports whether an exported method of a type returns an error and nothing else, and assigns one of some fields of its receiver.
func (r *Rules) prepares(fn *types.Func, named *types.Named, fields func(*types.Var) bool) bool {
	sig := fn.Signature()
	decl := r.Pkg.Func(fn)
	if sig.Recv() == nil || !fn.Exported() || !SameNamed(load.NamedOf(sig.Recv().Type()), named) || sig.Results().Len() != 1 || !gosyntax.IsError(sig.Results().At(0).Type()) || decl == nil || decl.Body == nil {
		return false
	}
	found := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, to := range assign.Lhs {
				sel, ok := ast.Unparen(to).(*ast.SelectorExpr)
				if !ok {
					continue
				}
				f, ok := r.Pkg.Info.Uses[sel.Sel].(*types.Var)
				found = found || ok && fields(f.Origin()) && usesReceiver(r.Pkg.Info, sel.X, sig.Recv())
			}
		}
		return !found
	})
	return found
}

// usesReceiver reports whether an expression is the receiver of a method.
func usesReceiver(info *types.Info, e ast.Expr, recv *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.Uses[id] == recv
}

// isPart reports whether values of a type are made as parts of another one: an exported struct of the package lists them in an exported
// field, as Reader.File does in archive/zip and in bodgit/sevenzip, and File.Sheets in tealeg/xlsx.
func (r *Rules) isPart(named *types.Named) bool {
	scope := r.Pkg.Types.Scope()
	for _, name := range scope.Names() {
		other, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !other.Exported() || other == named.Obj() {
			continue
		}
		st, ok := other.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			list, ok := f.Type().Underlying().(*types.Slice)
			if ok && f.Exported() && SameNamed(load.NamedOf(list.Elem()), named) {
				return true
			}
		}
	}
	return false
}

// filledBy names a method that gives a zero value of a struct what the value lacks: it sets a field that it finds to be nil. Where
// something else makes the values for users, one such field is not enough: a method may make a buffer where there is none
// yet, and need a field that only the maker fills (websocket's Conn, yamux's Stream). Nor is it where users cannot set another
// field whose methods or which itself is called, and no method fills it (go-logging's Record). filledBy returns "" if there is no
// such method.
func (r *Rules) filledBy(st *types.Struct, one bool) (method string) {
	for f := range st.Fields() {
		by := ""
		for _, facts := range r.all {
			if facts.fills[f.Origin()] && facts.fn.Signature().Recv() != nil && !starts(facts.fn.Name()) {
				by = testcase.TargetName(facts.fn)
				break
			}
		}
		switch {
		case by != "":
			method = cmp.Or(method, by)
		case !one && couldBeNil(f.Type()), !f.Exported() && isCalled(f.Type()):
			return ""
		}
	}
	return method
}

// isCalled reports whether nothing but calls can be made of a field's values: functions, and interfaces with methods other than error.
func isCalled(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return !u.Empty() && !gosyntax.IsError(t)
	}
	return false
}

// setsItself reports whether at least three exported methods of a type take values of the type and return their receiver, as
// those of big.Int do, of saferith.Nat and of bigmod.Nat: z.Add(x, y) sets z, and z is often new. Methods of other types that
// return such values are then not what users begin with. Methods that return their receiver and take no such value, as those
// of sqlmock's expectations, only save writing it again.
func (r *Rules) setsItself(named *types.Named) bool {
	n := 0
	for _, f := range r.all {
		recv := f.fn.Signature().Recv()
		if recv == nil || !f.itself || !f.fn.Exported() || !SameNamed(load.NamedOf(recv.Type()), named) {
			continue
		}
		for p := range f.fn.Signature().Params().Variables() {
			if SameNamed(load.NamedOf(p.Type()), named) {
				n++
				break
			}
		}
	}
	return n >= 3
}

// starts reports whether a method's name says that the method begins anew, like bufio's Reset or a scanner's
// Init. If such a method fills in nil fields, this says nothing about an object on which it was not called.
func starts(name string) bool {
	for _, verb := range []string{"Reset", "Init", "Set", "Open", "Load", "Unmarshal", "Decode", "Start"} {
		if strings.HasPrefix(name, verb) {
			return true
		}
	}
	return false
}

func (r *Rules) hides(st *types.Struct) bool {
	for f := range st.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}

// scalars reports whether all fields of a struct are numbers, texts and truth values.
func scalars(st *types.Struct, depth int) bool {
	for f := range st.Fields() {
		switch u := f.Type().Underlying().(type) {
		case *types.Basic:
			if u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr {
				return false
			}
		case *types.Struct:
			if depth > 3 || !scalars(u, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// hasNoNilFields reports whether no field of a struct can be nil: its fields are numbers, texts, slices and the
// like, whose zero values can be used.
func hasNoNilFields(st *types.Struct, depth int) bool {
	for f := range st.Fields() {
		switch u := f.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Signature, *types.Chan, *types.Map:
			return false
		case *types.Struct:
			if depth > 3 || !hasNoNilFields(u, depth+1) {
				return false
			}
		}
	}
	return true
}
