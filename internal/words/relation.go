package words

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// relation is how the keys of two maps relate. If a map has no keys the two have no relation, because it says
// more that the map is empty.
type relation int

const (
	unrelated   relation = iota // one map is empty, or not all keys are known
	disjoint                    // no key is in both
	overlapping                 // some keys are in both, and each has keys that the other does not have
	part                        // all keys of the first are in the second, which has more
	whole                       // all keys of the second are in the first, which has more
	same                        // the keys are the same
)

// relate returns the relation of the keys of two maps, or of two maps that pointers lead to.
func relate(x, y testcase.Value) (relation, truth) {
	a, okA := keysOf(x)
	b, okB := keysOf(y)
	switch {
	case !okA || !okB:
		return unrelated, unknown
	case len(a) == 0 || len(b) == 0:
		return unrelated, yes
	}
	common := 0
	for k := range a {
		if b[k] {
			common++
		}
	}
	switch {
	case common == 0:
		return disjoint, yes
	case common == len(a) && common == len(b):
		return same, yes
	case common == len(a):
		return part, yes
	case common == len(b):
		return whole, yes
	}
	return overlapping, yes
}

// keysOf returns the keys of a map, and false if not all keys are known.
func keysOf(v testcase.Value) (map[string]bool, bool) {
	if v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	if v.Kind == testcase.Nil {
		return nil, true
	}
	if v.Kind != testcase.Map || v.Cut {
		return nil, false
	}
	out := make(map[string]bool)
	for i := 0; i+1 < len(v.Elems); i += 2 {
		var b strings.Builder
		if !key(&b, v.Elems[i]) {
			return nil, false
		}
		out[b.String()] = true
	}
	return out, true
}

// addRelations adds the relations of two maps among the inputs. A person who tests sets thinks of
// disjoint and overlapping ones rather than of numbers of elements.
func (n *Namer) addRelations() {
	isMap := func(i int) bool {
		t := n.inputType(i)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		_, ok := t.Underlying().(*types.Map)
		return ok
	}
	for i := range min(n.inputs, 8) {
		for j := i + 1; j < min(n.inputs, 8); j++ {
			if !isMap(i) || !isMap(j) {
				continue
			}
			a, b := n.subjects[i], n.subjects[j]
			phrases := relationPhrases(a, b, n.inputs == 2)
			for r := disjoint; r <= same; r++ {
				q := predicate{reads: reads{inputs: 1<<i | 1<<j}, place: placeInput + i, phrase: phrases[r]}
				n.add(q, func(c *call) truth {
					got, known := relate(c.inputs[i], c.inputs[j])
					if known == unknown {
						return unknown
					}
					return truthOf(got == r)
				})
			}
		}
	}
}

// relationPhrases returns words for the relations of two inputs. The parameter alone says that the call has
// no other inputs that a reader could confuse with them.
func relationPhrases(a, b subject, alone bool) map[relation]phrase {
	name := a.name
	if name == "" {
		name = "receiver"
	}
	of := " " + name + " and " + b.name
	if alone {
		of = ""
	}
	return map[relation]phrase{
		disjoint:    {text: "disjoint" + of, clause: a.clause + " and " + b.clause + " have nothing in common"},
		overlapping: {text: "overlapping" + of, clause: a.clause + " and " + b.clause + " have some in common"},
		same:        {text: "equal" + of, clause: a.clause + " and " + b.clause + " have the same elements"},
		part:        {text: "proper subset of " + b.name, clause: a.clause + " is a proper subset of " + b.clause},
		whole:       {text: "proper superset of " + b.name, clause: a.clause + " is a proper superset of " + b.clause},
	}
}

// meets reports whether the function may compare an input, or an element of it, with the elements of a list or map that is
// another input. Where it does not, a percentage that is larger than all elements is so by chance.
func (n *Namer) meets(value, list int) bool {
	if n.decl == nil || n.pkg.Info == nil {
		return true
	}
	object := func(i int) types.Object {
		for obj, k := range n.params {
			if k == i {
				return obj
			}
		}
		return nil
	}
	const deepest = 3 // calls from function to function
	return n.compares(n.decl, object(value), object(list), deepest)
}

// compares does the same as meets for the variables of a function of the package. It follows static calls to the given depth
// and expects a comparison behind that.
func (n *Namer) compares(decl *ast.FuncDecl, value, list types.Object, depth int) bool {
	if decl == nil || decl.Body == nil || value == nil || list == nil || depth == 0 {
		return true
	}
	f := &flow{info: n.pkg.Info, values: map[types.Object]bool{value: true}, lists: map[types.Object]bool{list: true}, elems: map[types.Object]bool{}}
	for range 2 { // a variable may get its value behind the place where it is used, in a loop
		ast.Inspect(decl.Body, f.follow)
	}
	found := false
	ast.Inspect(decl.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.BinaryExpr:
			switch x.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				found = found || f.isValue(x.X) && f.isElem(x.Y) || f.isElem(x.X) && f.isValue(x.Y)
			}
		case *ast.SwitchStmt:
			found = found || x.Tag != nil && (f.isValue(x.Tag) || f.isElem(x.Tag))
		case *ast.IndexExpr:
			found = found || f.isList(x.X) && isMap(f.info.TypeOf(x.X)) && f.isValue(x.Index)
		case *ast.CallExpr:
			found = found || n.comparesInCall(f, x, depth)
		}
		return !found
	})
	return found
}

// comparesInCall reports whether a call is passed both and may compare them.
func (n *Namer) comparesInCall(f *flow, call *ast.CallExpr, depth int) bool {
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		args = append([]ast.Expr{sel.X}, args...)
	}
	value := slices.IndexFunc(args, func(e ast.Expr) bool { return f.isValue(e) })
	list := slices.IndexFunc(args, func(e ast.Expr) bool { return f.isList(e) || f.isElem(e) })
	if value < 0 || list < 0 || value == list {
		return false
	}
	if tv := f.info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	fn := gosyntax.Callee(f.info, call)
	if fn == nil || fn.Pkg() == nil {
		return true
	}
	if fn.Pkg() != n.pkg.Types {
		return fn.Pkg().Path() != "math" && fn.Pkg().Path() != "fmt"
	}
	var params []types.Object
	if sig := fn.Signature(); sig.Recv() != nil {
		params = append(params, sig.Recv())
	} else if len(args) > len(call.Args) {
		value, list = value-1, list-1 // the package's name is no argument
	}
	for v := range fn.Signature().Params().Variables() {
		params = append(params, v)
	}
	if value < 0 || list < 0 || value >= len(params) || list >= len(params) {
		return true
	}
	return n.compares(n.pkg.Func(fn), params[value], params[list], depth-1)
}

// flow says which variables of a function hold an input or a part of it, a list or a copy of it, and elements of the list.
type flow struct {
	info                 *types.Info
	values, lists, elems map[types.Object]bool
}

// follow notes what the variables that a statement assigns hold.
func (f *flow) follow(x ast.Node) bool {
	note := func(left ast.Expr, right ast.Expr, element bool) {
		id, ok := left.(*ast.Ident)
		obj := f.info.ObjectOf(id)
		if !ok || obj == nil {
			return
		}
		switch {
		case f.isValue(right):
			f.values[obj] = true
		case element && f.isList(right), !element && f.isElem(right):
			f.elems[obj] = true
		case f.isList(right):
			f.lists[obj] = true
		}
	}
	switch x := x.(type) {
	case *ast.AssignStmt:
		for i, left := range x.Lhs {
			if len(x.Lhs) == len(x.Rhs) {
				note(left, x.Rhs[i], false)
			} else {
				note(left, x.Rhs[0], false)
			}
		}
	case *ast.RangeStmt:
		if x.Value != nil {
			note(x.Value, x.X, true)
		}
		if x.Key != nil && isMap(f.info.TypeOf(x.X)) {
			note(x.Key, x.X, true)
		}
	}
	return true
}

// isValue reports whether an expression has the input or is computed from it.
func (f *flow) isValue(e ast.Expr) bool { return f.mentions(e, f.values) }

// isElem reports whether an expression is computed from elements of the list.
func (f *flow) isElem(e ast.Expr) bool {
	if f.mentions(e, f.elems) {
		return true
	}
	found := false
	ast.Inspect(e, func(x ast.Node) bool {
		if i, ok := x.(*ast.IndexExpr); ok && f.isList(i.X) {
			found = true
		}
		return !found
	})
	return found
}

// isList reports whether an expression is the list, a part of it, or made of it.
func (f *flow) isList(e ast.Expr) bool {
	if t := f.info.TypeOf(e); t == nil || elemOf(t) == nil {
		return false
	}
	if _, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		return false
	}
	return f.mentions(e, f.lists)
}

// mentions reports whether an expression mentions one of the variables, other than for its length.
func (f *flow) mentions(e ast.Expr, vars map[types.Object]bool) bool {
	found := false
	ast.Inspect(e, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok && f.info.Types[call.Fun].IsBuiltin() && len(call.Args) == 1 {
			return false
		}
		if id, ok := x.(*ast.Ident); ok && vars[f.info.Uses[id]] {
			found = true
		}
		return !found
	})
	return found
}
