package contract

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// variable is a parameter or a result of a generated function.
type variable struct {
	name string
	typ  string   // the type as the source spells it; a variadic parameter has the dots
	expr ast.Expr // the type
}

func declare(vs []variable) string {
	var parts []string
	for _, v := range vs {
		parts = append(parts, v.name+" "+v.typ)
	}
	return strings.Join(parts, ", ")
}

// pass lists variables as arguments of a call.
func pass(vs []variable) string {
	var parts []string
	for _, v := range vs {
		if strings.HasPrefix(v.typ, "...") {
			parts = append(parts, v.name+"...")
		} else {
			parts = append(parts, v.name)
		}
	}
	return strings.Join(parts, ", ")
}

// generic holds the type parameters of a generated function: the text that declares them, and the text
// that passes them on.
type generic struct{ decl, args string }

// variables lists the fields of a parameter or result list. Fields without a name get one from pick.
func (w *writer) variables(list *ast.FieldList, pick func(i int) string) []variable {
	var out []variable
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		typ := w.text(f.Type)
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "_"}}
		}
		for _, n := range names {
			name := n.Name
			if name == "_" {
				name = pick(len(out))
			}
			out = append(out, variable{name, typ, f.Type})
		}
	}
	return out
}

// typeParams lists the type parameters of a function.
func (w *writer) typeParams(list *ast.FieldList) generic {
	return w.renamed(list, nil)
}

// names returns the names that type parameters declare.
func (g generic) names() map[string]bool {
	out := make(map[string]bool)
	for _, name := range strings.FieldsFunc(g.args, func(c rune) bool { return strings.ContainsRune("[, ]", c) }) {
		out[name] = true
	}
	return out
}

// renamed lists type parameters under the names that a method's receiver gives them.
func (w *writer) renamed(list *ast.FieldList, as map[string]string) generic {
	if list == nil || len(list.List) == 0 {
		return generic{}
	}
	var decl, args []string
	for _, f := range list.List {
		constraint := w.text(f.Type)
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && as[id.Name] != "" && as[id.Name] != id.Name {
				pos := w.fset.Position(id.Pos())
				w.problem(pos, "a contract needs the receiver's type parameters to have the names of the type's: "+as[id.Name]+" is "+id.Name+" there")
			}
			return true
		})
		for _, n := range f.Names {
			name := n.Name
			if as[name] != "" {
				name = as[name]
			}
			decl = append(decl, name+" "+constraint)
			args = append(args, name)
		}
	}
	return generic{"[" + strings.Join(decl, ", ") + "]", "[" + strings.Join(args, ", ") + "]"}
}

// baseType returns the name of the type that e is or points to, and whether it is a pointer; or "" for types
// without a name in this package.
func baseType(e ast.Expr) (name string, pointer bool, args []ast.Expr) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e, pointer = ast.Unparen(star.X), true
	}
	switch x := e.(type) {
	case *ast.IndexExpr:
		e, args = x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		e, args = x.X, x.Indices
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return id.Name, pointer, args
	}
	return "", pointer, nil
}

// truth is an expression as a truth value, placed where a clause is. The conversion makes the compiler complain
// about a clause of another type in the place of the clause, and not in that of an operator around it.
func truth(pos token.Position, text string) string { return "bool(" + at(pos, text) + ")" }

// typeInvariant writes the function that checks a type's invariants.
func (w *writer) typeInvariant(t *Type, files []*ast.File) {
	if t.Spec.Assign.IsValid() {
		w.problem(t.Clauses[0].Pos, "an alias has no invariant: put it on the type "+t.Spec.Name.Name+" stands for")
		return
	}
	t.Object = "self"
	_, isStruct := t.Spec.Type.(*ast.StructType)
	t.Pointer = isStruct
	if recv, pointer := receiverOf(t.Spec.Name.Name, files); recv != "" {
		t.Object, t.Pointer = recv, pointer
	}
	tp := w.typeParams(t.Spec.TypeParams)
	object := "assay_object"
	if !t.Pointer {
		object = "*" + object
	}
	w.line(t.Spec)
	w.printf("func %s%s(assay_object *%s%s) bool {\n", t.Holds, tp.decl, t.Spec.Name.Name, tp.args)
	w.printf("if assay_object == nil { return true }\n%s := %s; _ = %s\nreturn ", t.Object, object, t.Object)
	for i, c := range t.Clauses {
		text, _ := w.oldCalls(c, func(int) string { return "" })
		if i > 0 {
			w.printf(" && ")
		}
		w.printf("%s", truth(c.Pos, text))
	}
	w.printf("\n}\n")
}

// receiverOf returns the name that the first method with a named receiver gives a
// type's objects.
func receiverOf(typ string, files []*ast.File) (name string, pointer bool) {
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv == nil || len(fd.Recv.List) == 0 || len(fd.Recv.List[0].Names) == 0 {
				continue
			}
			base, ptr, _ := baseType(fd.Recv.List[0].Type)
			if n := fd.Recv.List[0].Names[0].Name; base == typ && n != "_" {
				return n, ptr
			}
		}
	}
	return "", false
}

// function writes a function's contract, if it has one: its own clauses or, if users can call it, the
// invariants of its inputs and results.
func (w *writer) function(fd *ast.FuncDecl) {
	own := w.clauses(fd.Doc, Requires, Ensures)
	var base, display string
	var tp generic
	var recv []variable
	if fd.Recv != nil && len(fd.Recv.List) > 0 {
		typ, _, args := baseType(fd.Recv.List[0].Type)
		base, display = typ+"_"+fd.Name.Name, typ+"."+fd.Name.Name
		recv = w.variables(fd.Recv, func(int) string { return "assay_receiver" })
		if spec := w.specs[typ]; spec != nil && len(args) > 0 {
			tp = w.renamed(spec.TypeParams, receiverNames(spec.TypeParams, args, recv))
		}
	} else {
		base, display = fd.Name.Name, fd.Name.Name
		tp = w.typeParams(fd.Type.TypeParams)
	}
	w.hidden = tp.names()
	params := append(recv, w.variables(fd.Type.Params, func(i int) string { return "assay_p" + strconv.Itoa(i) })...)
	results := w.results(fd, params)

	var assumed, promised []string // the invariants on entry and on return
	if fd.Name.IsExported() && fd.Name.Name != "RepOK" && fd.Name.Name != "CheckInvariants" {
		for _, v := range params {
			t, cond := w.holds(v)
			_, pointer, _ := baseType(v.expr)
			if t != nil {
				assumed = append(assumed, cond)
				if pointer {
					promised = append(promised, t.promise(cond))
				}
			}
			for _, part := range w.parts(v) {
				assumed, promised = append(assumed, part.cond), append(promised, part.t.promise(part.cond))
			}
		}
		promised = append(promised, w.returned(results)...)
	}
	if len(own) == 0 && len(assumed) == 0 && len(promised) == 0 {
		return
	}
	for _, v := range params {
		if fd.Recv == nil && v.name == fd.Name.Name {
			w.problem(w.fset.Position(fd.Pos()), "a contract cannot call "+display+": a parameter has its name")
			return
		}
	}
	fn := &Func{Decl: fd, Clauses: own, Run: w.name("run_" + base), Pre: w.name("pre_" + base)}
	w.out.Funcs = append(w.out.Funcs, fn)
	w.out.byFunc[fd] = fn

	w.line(fd)
	w.printf("func %s%s(%s) (assay_ok bool) {\n", fn.Pre, tp.decl, declare(params))
	requires := false
	for _, c := range own {
		requires = requires || c.Kind == Requires
	}
	if requires {
		// A condition that panics counts as not satisfied.
		w.printf("defer func() { if recover() != nil { assay_ok = false } }()\n")
	}
	w.printf("return true")
	for _, cond := range assumed {
		w.printf(" && %s", cond)
	}
	for _, c := range own {
		if c.Kind == Requires {
			text, _ := w.oldCalls(c, func(int) string { return "" })
			w.printf(" && %s", truth(c.Pos, text))
		}
	}
	w.printf("\n}\n")
	w.run(wrapped{fd, fn, tp, recv, params, results, promised})
}

// returned returns the promises that what results are, hold and lead to is valid.
func (w *writer) returned(results []variable) []string {
	var out []string
	for _, v := range results {
		var own []part
		if t, cond := w.holds(v); t != nil {
			own = append(own, part{t, cond})
		}
		last := results[len(results)-1]
		for _, p := range slices.Concat(own, w.parts(v), w.elements(v.expr, v.name), w.held(v)) {
			if id, ok := last.expr.(*ast.Ident); ok && id.Name == "error" && last.name != v.name {
				p.cond = last.name + " != nil || " + p.cond // results are not used if there is an error
			}
			out = append(out, p.t.promise(p.cond))
		}
	}
	return out
}

// wrapped is a function with a contract, as the functions that are generated for it need it.
type wrapped struct {
	decl     *ast.FuncDecl
	fn       *Func
	generic  generic
	recv     []variable // the receiver, if it has one
	params   []variable // the receiver and the parameters
	results  []variable
	promised []string // the invariants that hold when it returns
}

// run writes the function that calls a function behind its contract: it assumes the requirements, remembers
// old values, calls the function, and asserts the promises.
func (w *writer) run(f wrapped) {
	w.line(f.decl)
	w.printf("func %s%s(%s) (%s) {\n", f.fn.Run, f.generic.decl, declare(f.params), declare(f.results))
	w.printf("%sassume(%s%s(%s))\n", prefix, f.fn.Pre, f.generic.args, pass(f.params))
	call := f.decl.Name.Name
	if f.decl.Recv != nil {
		call = f.recv[0].name + "." + call
	} else {
		call += f.generic.args
	}
	call += "(" + pass(f.params[len(f.recv):]) + ")"
	var checks []string
	n := 0
	for _, c := range f.fn.Clauses {
		if c.Kind != Ensures {
			continue
		}
		first := n
		text, olds := w.oldCalls(c, func(i int) string { return "assay_old" + strconv.Itoa(first+i) })
		for _, o := range olds {
			if name := f.resultIn(o); name != "" {
				w.problem(c.Pos, "old takes what is there before the call: "+name+" is a result")
			}
			if n == 0 {
				w.withoutOld(f, call)
			}
			w.printf("assay_old%d := %s\n", n, placed(c.Pos, o))
			n++
		}
		checks = append(checks, fmt.Sprintf("%sensure(%q, %s)", prefix, c.String(), at(c.Pos, text)))
	}
	w.line(f.decl) // what the old values left as the current line may be that of another clause, to which a panic of the code would be put down
	if n > 0 {
		w.printf("%s = true\n", hadOld)
	}
	if len(f.results) > 0 {
		var names []string
		for _, r := range f.results {
			names = append(names, r.name)
		}
		w.printf("%s = ", strings.Join(names, ", "))
	}
	w.printf("%s\n", call)
	taken := map[string]bool{}
	for _, v := range slices.Concat(f.params, f.results) {
		taken[v.name] = true
	}
	for i, r := range f.results {
		names := []string{"result" + strconv.Itoa(i)}
		if len(f.results) == 1 {
			names = append(names, "result")
		}
		for _, alias := range names {
			if !taken[alias] {
				w.printf("%s := %s; _ = %s\n", alias, r.name, alias)
			}
		}
	}
	for _, c := range checks {
		w.printf("%s\n", c)
	}
	for _, c := range f.promised {
		w.line(f.decl)
		w.printf("%s\n", c)
	}
	w.line(f.decl)
	w.printf("return\n}\n")
}

// hadOld is the variable of a generated function that says whether the old values are there.
const hadOld = "assay_had_old"

// withoutOld makes the generated function call f's function also where an old value cannot be had: that is a panic of the
// clause, which then says nothing, while a panic of the code is the code's own, and takes the place of the clause's. What is
// deferred gets all that it needs as arguments, so that the analysis (package check) keeps what it knows of the parameters.
func (w *writer) withoutOld(f wrapped, call string) {
	w.line(f.decl)
	w.printf("%s := false\ndefer func(%s) { if !*%s { %s } }(&%s", hadOld, declare(append([]variable{{name: hadOld, typ: "*bool"}}, f.params...)), hadOld, call, hadOld)
	if len(f.params) > 0 {
		w.printf(", %s", pass(f.params))
	}
	w.printf(")\n")
}

// resultIn returns the name of a result that an expression mentions, or "".
func (f *wrapped) resultIn(text string) string {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "" // the type checker reports this
	}
	results := make(map[string]bool)
	for i, r := range f.results {
		results[r.name], results["result"+strconv.Itoa(i)] = true, true
	}
	if len(f.results) == 1 {
		results["result"] = true
	}
	for _, p := range f.params {
		delete(results, p.name)
	}
	found := ""
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(m ast.Node) bool {
				if id, ok := m.(*ast.Ident); ok && results[id.Name] {
					found = id.Name
				}
				return true
			})
			return false // the name of a field is none
		case *ast.Ident:
			if results[n.Name] {
				found = n.Name
			}
		}
		return true
	})
	return found
}

// results lists the results of a function under the names that clauses use for them.
func (w *writer) results(fd *ast.FuncDecl, params []variable) []variable {
	taken := map[string]bool{}
	for _, p := range params {
		taken[p.name] = true
	}
	one := fd.Type.Results.NumFields() == 1
	return w.variables(fd.Type.Results, func(i int) string {
		name := "result" + strconv.Itoa(i)
		if one {
			name = "result"
		}
		if taken[name] {
			name = "assay_" + name
		}
		return name
	})
}

// typeNamed returns the type with invariants that a name stands for in the function that is being written, or nil. A type parameter of
// the function may hide the package's type.
func (w *writer) typeNamed(name string) *Type {
	if w.hidden[name] {
		return nil
	}
	return w.types[name]
}

// holds returns the invariants of a variable's type and the condition that they hold for the variable, or nil
// if there are none.
func (w *writer) holds(v variable) (*Type, string) {
	name, pointer, _ := baseType(v.expr)
	t := w.typeNamed(name)
	if t == nil || strings.HasPrefix(v.typ, "...") {
		return nil, ""
	}
	if pointer {
		return t, t.Holds + "(" + v.name + ")"
	}
	return t, t.Holds + "(&" + v.name + ")"
}

// part is what a field of a variable holds: the type whose invariants it has, and the condition that they hold.
type part struct {
	t    *Type
	cond string
}

// parts returns the objects with invariants that the fields of a variable's struct hold, lead to by a pointer, or list. A
// method that changes an object of which its receiver only keeps hold can break it as well.
func (w *writer) parts(v variable) []part {
	name, pointer, _ := baseType(v.expr)
	spec := w.specs[name]
	if spec == nil || w.hidden[name] || strings.HasPrefix(v.typ, "...") {
		return nil
	}
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	there := ""
	if pointer {
		there = v.name + " == nil || "
	}
	var out []part
	for _, f := range st.Fields.List {
		base, _, _ := baseType(f.Type)
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: base}}
		}
		for _, n := range names {
			if n.Name == "_" {
				continue
			}
			field := v.name + "." + n.Name
			list := w.elements(f.Type, field)
			if t := w.typeNamed(base); t != nil {
				list = append(list, w.part(t, f.Type, field)...)
			}
			for _, p := range list {
				if elem := p.t.Spec.Name.Name; !isTypeParam(spec.TypeParams, elem) {
					out = append(out, part{p.t, "(" + there + p.cond + ")"})
				}
			}
		}
	}
	return out
}

// part returns what a field holds as an object with invariants. A field that holds its zero value by itself has no object
// yet: it may be set later.
func (w *writer) part(t *Type, expr ast.Expr, field string) []part {
	if _, pointer, _ := baseType(expr); pointer {
		return []part{{t, t.Holds + "(" + field + ")"}}
	}
	if t.Spec.TypeParams != nil || !w.comparable(t.Spec.Type, make(map[string]bool)) {
		return nil
	}
	return []part{{t, "(" + field + " == *new(" + t.Spec.Name.Name + ") || " + t.Holds + "(&" + field + "))"}}
}

// comparable reports whether values of a type can be compared, as far as the package's own source says so.
func (w *writer) comparable(e ast.Expr, seen map[string]bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr, *ast.ChanType:
		return true
	case *ast.ArrayType:
		return e.Len != nil && w.comparable(e.Elt, seen)
	case *ast.StructType:
		for _, f := range e.Fields.List {
			if !w.comparable(f.Type, seen) {
				return false
			}
		}
		return true
	case *ast.Ident:
		if spec := w.specs[e.Name]; spec != nil {
			if seen[e.Name] || spec.TypeParams != nil {
				return false
			}
			seen[e.Name] = true
			defer delete(seen, e.Name)
			return w.comparable(spec.Type, seen)
		}
		return basicTypes[e.Name]
	}
	return false
}

// basicTypes are the predeclared types whose values can be compared.
var basicTypes = map[string]bool{
	"bool": true, "string": true, "byte": true, "rune": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true, "float32": true, "float64": true,
	"complex64": true, "complex128": true,
}

// elements returns the objects with invariants that a list or a map holds, given its type and its text.
func (w *writer) elements(expr ast.Expr, text string) []part {
	elem, key := ast.Expr(nil), "assay_i := range "
	switch e := ast.Unparen(expr).(type) {
	case *ast.ArrayType:
		elem = e.Elt
	case *ast.MapType:
		elem, key = e.Value, "_, assay_e := range "
	default:
		return nil
	}
	name, pointer, args := baseType(elem)
	t := w.typeNamed(name)
	if t == nil || len(args) > 0 != (t.Spec.TypeParams != nil) {
		return nil
	}
	object := text + "[assay_i]"
	if strings.HasPrefix(key, "_") {
		object = "assay_e"
	}
	if !pointer {
		object = "&" + object
	}
	return []part{{t, "func() bool { for " + key + text + " { if !" + t.Holds + "(" + object + ") { return false } }; return true }()"}}
}

// held returns the objects with invariants that a variable of an interface type may hold.
func (w *writer) held(v variable) []part {
	expr := ast.Unparen(v.expr)
	if id, ok := expr.(*ast.Ident); ok {
		if spec := w.specs[id.Name]; spec != nil && spec.TypeParams == nil {
			expr = ast.Unparen(spec.Type)
		}
	}
	id, ok := expr.(*ast.Ident)
	if _, isInterface := expr.(*ast.InterfaceType); !isInterface && (!ok || id.Name != "any" || w.declared["any"]) {
		return nil
	}
	var out []part
	for _, t := range w.out.Types {
		if t.Spec.TypeParams != nil || t.Spec.Assign.IsValid() || w.hidden[t.Spec.Name.Name] {
			continue
		}
		held := "interface{}(" + v.name + ")"
		for _, of := range [][2]string{{t.Spec.Name.Name, "&assay_x"}, {"*" + t.Spec.Name.Name, "assay_x"}} {
			out = append(out, part{t, "func() bool { assay_x, assay_is := " + held + ".(" + of[0] + "); return !assay_is || " + t.Holds + "(" + of[1] + ") }()"})
		}
	}
	return out
}

// isTypeParam reports whether a list of type parameters declares a name.
func isTypeParam(params *ast.FieldList, name string) bool {
	if params == nil {
		return false
	}
	for _, f := range params.List {
		for _, n := range f.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}

// Text returns the invariants as one expression.
func (t *Type) Text() string {
	if len(t.Clauses) == 1 {
		return t.Clauses[0].Text
	}
	var parts []string
	for _, c := range t.Clauses {
		parts = append(parts, c.Text)
	}
	return "(" + strings.Join(parts, ") && (") + ")"
}

// promise returns the check of a type's invariants.
func (t *Type) promise(cond string) string {
	return fmt.Sprintf("%sensure(%q, %s)", prefix, Invariant.String()+" "+t.Text(), at(t.Clauses[0].Pos, cond))
}

// receiverNames maps the names of a type's type parameters to those in a method's receiver. A blank
// name in the receiver is replaced.
func receiverNames(params *ast.FieldList, args []ast.Expr, recv []variable) map[string]string {
	as := map[string]string{}
	i := 0
	if params == nil {
		return as
	}
	for _, f := range params.List {
		for _, n := range f.Names {
			if i < len(args) {
				if id, ok := args[i].(*ast.Ident); ok {
					as[n.Name] = id.Name
					if id.Name == "_" {
						as[n.Name] = n.Name
					}
				}
			}
			i++
		}
	}
	// The receiver's type is spelled with the names that are declared.
	name, pointer, _ := baseType(recv[0].expr)
	var list []string
	for _, f := range params.List {
		for _, n := range f.Names {
			list = append(list, as[n.Name])
		}
	}
	recv[0].typ = name + "[" + strings.Join(list, ", ") + "]"
	if pointer {
		recv[0].typ = "*" + recv[0].typ
	}
	return as
}
