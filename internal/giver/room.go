package giver

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/giver/called"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Room has the givers of one package.
type Room struct {
	pkg    *load.Package
	values map[string][]*testcase.Sequence // by type
	serve  *testcase.Helper                // the driver of handlers, or nil if the package has none
	format *testcase.Helper                // the driver of Format methods, or nil if the package has none
	rows   [][]string
	setenv *testcase.Helper // sets a variable of the environment, or nil if the package asks for none by name
	args   *testcase.Helper // sets the process's command line, or nil if the package does not read it
	// dialogues are what comes from connections while functions run, by their names as targets.
	dialogues map[string][]string
	// answers is how the requests are answered that the package sends, or nil if it sends none.
	answers *Answers
	answer  *testcase.Helper // the helper of answers
	// callbacks says how many of the values of a type of functions use the object that they are given.
	callbacks map[string]int
	made      map[string][]*testcase.Sequence // values that the module writes out, by the full name of the function that makes them
	keys      []string                        // the keys of headers that the package's functions write
	// execute has the drivers of commands, by the commands' type.
	execute map[string]*testcase.Helper
	// called is where the package takes any value and calls it by reflection, or nil if it does not.
	called *called.Places
}

// New returns the givers for the types that the functions of a package take. The error is a bug in a
// giver or an error of the go command.
func New(prog *load.Program, pkg *load.Package) (*Room, error) {
	r := &Room{pkg: pkg, values: make(map[string][]*testcase.Sequence), made: make(map[string][]*testcase.Sequence), callbacks: make(map[string]int), execute: make(map[string]*testcase.Helper), called: called.Of(pkg)}
	wanted, interfaces := wantedTypes(pkg)
	implementing := implementations(interfaces, pkg.Types)
	for _, typ := range implementing {
		for _, t := range typ {
			wanted[t] = true
		}
	}
	asked := askedFor(pkg)
	for _, a := range asked {
		wanted[a.to] = wanted[a.to] || wanted[a.from]
	}
	// The code of a middleware may mention only handlers. The writer and the request are then parameters of
	// the function that it returns.
	serves := wanted["net/http.ResponseWriter"] || wanted["net/http.Handler"] || wanted["net/http.HandlerFunc"]
	parsed := parsedFamilies(prog, pkg)
	all := slices.Concat(families(), []*family{reflectedFamily(pkg)}, commandFamilies(), parsed, writtenFamilies(prog, pkg, parsed))
	if slices.ContainsFunc(pkg.Targets, func(t *load.Target) bool { return isFormat(t.Obj) }) {
		f := formatFamily()
		if err := r.add(prog, f, f.helpers, nil, nil); err != nil {
			return nil, err
		}
	}
	if err := r.addAnswers(prog); err != nil {
		return nil, err
	}
	for _, f := range all {
		givers := r.chosen(f, wanted)
		var site *web
		helpers := f.helpers[:len(f.helpers):len(f.helpers)]
		if f.path == "net/http" && (serves || wanted[requestType]) {
			site = webOf(pkg)
			r.rows, r.keys = site.rows, site.answers
			if serves {
				helpers = append(helpers, site.serveHelper())
			}
			if wanted[requestType] && site.asksMore() {
				helpers, givers = append(helpers, site.requestHelper()), append(givers, site.requestGiver())
			}
		}
		if f.when != nil && !f.when(pkg) {
			continue
		}
		if len(givers) == 0 && site == nil && !f.always {
			continue
		}
		if err := r.add(prog, f, helpers, givers, site); err != nil {
			return nil, err
		}
	}
	for i, typ := range implementing {
		for _, t := range typ {
			r.values[i] = append(r.values[i], r.values[t]...)
		}
	}
	for typ, list := range callbacks(pkg) {
		r.values[typ], r.callbacks[typ] = append(r.values[typ], list...), len(list)
	}
	for typ, list := range clients(pkg) {
		r.values[typ] = append(r.values[typ], list...)
	}
	for typ, list := range moments(pkg) {
		r.values[typ] = append(r.values[typ], list...)
	}
	for typ, list := range panicking(pkg) {
		r.values[typ] = append(r.values[typ], list...)
	}
	for _, i := range interfaces {
		r.values[key(i)] = slices.Concat(ordered(i), clock(pkg, i), r.values[key(i)])
	}
	for _, a := range asked {
		if wanted[a.from] {
			r.values[a.from] = append(r.values[a.from], r.values[a.to]...)
		}
	}
	return r, nil
}

// chosen returns the givers of a family that the package needs.
func (r *Room) chosen(f *family, wanted map[string]bool) []giver {
	var out []giver
	for _, g := range f.givers {
		if r.answers != nil && g.sending != "" {
			g.code = g.sending
		}
		if (wanted[g.typ] || f.always) && g.has(r.pkg.GoVersion) && g.code != noGiver {
			out = append(out, g)
		}
	}
	return out
}

// ask is a question of the package's code whether a value of one interface has another one as well, by their keys.
type ask struct{ from, to string }

// askedFor returns what the package's type assertions and switches ask of values of interfaces for other interfaces: whether an
// io.Writer is an http.ResponseWriter, say.
func askedFor(pkg *load.Package) []ask {
	var out []ask
	add := func(x, t ast.Expr) {
		from, to := pkg.Info.TypeOf(x), pkg.Info.TypeOf(t)
		if from == nil || to == nil || !types.IsInterface(from) || !types.IsInterface(to) {
			return
		}
		if a := (ask{key(from), key(to)}); a.from != a.to && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				if n.Type != nil {
					add(n.X, n.Type)
				}
			case *ast.TypeSwitchStmt:
				x := switched(n)
				for _, c := range n.Body.List {
					for _, t := range c.(*ast.CaseClause).List {
						add(x, t)
					}
				}
			}
			return true
		})
	}
	return out
}

// switched returns the value whose type a switch asks for.
func switched(n *ast.TypeSwitchStmt) ast.Expr {
	var e ast.Expr
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		e = a.Rhs[0]
	case *ast.ExprStmt:
		e = a.X
	}
	return ast.Unparen(e).(*ast.TypeAssertExpr).X
}

// add compiles the givers and helpers of a family that the package needs. The parameter site holds what the
// package asks of requests; it is nil for families that do not need to know.
func (r *Room) add(prog *load.Program, f *family, helpers []helper, givers []giver, site *web) error {
	if _, err := prog.Import(f.path, f.imports...); err != nil {
		return fmt.Errorf("givers of %s: %w", f.name, err)
	}
	s, err := typeCheck(f, helpers, givers, func(path string) (*types.Package, error) { return prog.Import(path) })
	if err != nil {
		return err
	}
	for i, g := range givers {
		seq, err := s.sequence(i, g.fixed)
		if err != nil {
			return fmt.Errorf("givers of %s: %s: %w", f.name, g.typ, err)
		}
		if seq != nil {
			r.values[g.typ] = append(r.values[g.typ], seq)
		}
		if seq != nil && f.written && seq.Last().Op.Kind == testcase.OpFunc {
			by := seq.Last().Op.Func.FullName()
			if !slices.ContainsFunc(r.made[by], func(o *testcase.Sequence) bool { return o.Key() == seq.Key() }) {
				r.made[by] = append(r.made[by], seq)
			}
		}
	}
	for _, h := range s.helpers {
		switch {
		case f.path == "flag" && h.Name == flagsName:
			h.Values, h.Closed = [][]string{commandLines(r.pkg)}, []bool{false}
		case f.path == "net" && h.Name == connName:
			texts := connTexts(r.pkg)
			r.dialogues = dialogues(r.pkg)
			for _, t := range r.pkg.Targets {
				for _, text := range r.dialogues[t.Name] {
					addTo(&texts, text, 4*maxConnTexts)
				}
			}
			h.Values, h.Closed = [][]string{texts}, []bool{false}
		case f.path == "go/ast" && (h.Name == parseFileName || h.Name == parseFuncName):
			var texts []string
			texts, h.Names = goTexts(r.pkg, h.Name == parseFileName)
			h.Values, h.Closed = [][]string{texts}, []bool{true}
		case len(f.parsed) > 0:
			h.Values, h.Closed, h.Names = [][]string{f.parsed}, []bool{true}, f.parsedNames
		case h.Name == executeName:
			r.driveCommand(h)
		case f.path == "fmt" && h.Name == formattedName:
			r.format = h
			driveFormat(h, formats(r.pkg))
		case f.path == "os" && h.Method == "":
			r.makesFiles(h)
		case h.Method == "Setenv":
			r.setenv = h
		case h.Name == answerName:
			r.answer = h
		case h.Name == argsName:
			r.args = h
			h.Values, h.Closed = [][]string{argLines(r.pkg)}, []bool{false}
		case site == nil:
		case h.Name == serveName:
			r.serve = h
			site.drive(h, s.pkg)
		case h.Name == requestName:
			site.makes(h)
		}
	}
	return nil
}

// Values returns sequences whose last statement makes a value that can be passed as a t. A nil Room has none.
func (r *Room) Values(t types.Type) []*testcase.Sequence {
	if r == nil {
		return nil
	}
	return r.values[key(t)]
}

// MadeBy returns the ready-made values that a function of another package makes, each once.
func (r *Room) MadeBy(f *types.Func) []*testcase.Sequence {
	if r == nil {
		return nil
	}
	return r.made[f.FullName()]
}

// Parses reports whether values of a type are read from text: nobody writes the syntax of Go code node by node.
func (r *Room) Parses(t types.Type) bool {
	return len(r.Values(t)) > 0 && load.IsSyntax(t)
}

// Dialogues returns what comes from a connection while a function runs, by its name as a target, if the package's protocol
// says so. These are among the values of the helper that makes connections.
func (r *Room) Dialogues(function string) []string {
	if r == nil {
		return nil
	}
	return r.dialogues[function]
}

// Called returns where the package takes any value and calls it by reflection, or nil if it does not.
func (r *Room) Called() *called.Places {
	if r == nil {
		return nil
	}
	return r.called
}

// Rows returns groups of texts that belong together: a function that is given one of them is likely to
// do more if the others are used with it.
func (r *Room) Rows() [][]string {
	if r == nil {
		return nil
	}
	return r.rows
}

// PlainRequest reports whether a statement makes a request by the package's helper with only a method and a
// URL. httptest.NewRequest can make such a request.
func (r *Room) PlainRequest(s *testcase.Sequence, at int) bool {
	st := s.At(at)
	if r == nil || st.Op.Via == nil || st.Op.Via.Name != requestName || len(r.values[requestType]) == 0 {
		return false
	}
	for _, a := range st.Args[2:] {
		if s.At(a.Stmt).Op.Lit.Str != "" {
			return false
		}
	}
	return true
}

// NeedlessBody reports whether a statement makes a request by httptest with a reader as its body, or without a
// method. Where the function under test does not read the body, nothing is plainer.
func (r *Room) NeedlessBody(s *testcase.Sequence, at int) bool {
	st := s.At(at)
	if r == nil || st.Op.Kind != testcase.OpFunc || st.Op.Via != nil || st.Op.Func.FullName() != "net/http/httptest.NewRequest" || len(st.Args) != 3 || len(r.values[requestType]) == 0 {
		return false
	}
	for _, a := range st.Args[:2] {
		if s.At(a.Stmt).Op.Kind != testcase.OpLiteral && s.At(a.Stmt).Op.Kind != testcase.OpZero {
			return false
		}
	}
	return s.At(st.Args[2].Stmt).Op.Kind != testcase.OpZero || s.At(st.Args[0].Stmt).Op.Lit.Str == ""
}

// HeaderKeys are the keys of headers that the package's functions write into responses.
func (r *Room) HeaderKeys() []string {
	if r == nil {
		return nil
	}
	return r.keys
}

// key returns the text of a type by which givers are found. The text leaves out the names of parameters.
func key(t types.Type) string {
	if s, ok := types.Unalias(t).(*types.Signature); ok {
		t = types.NewSignatureType(nil, nil, nil, bare(s.Params()), bare(s.Results()), s.Variadic())
	}
	return types.TypeString(t, nil)
}

// bare returns a tuple with the same types and no names.
func bare(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(0, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// Driver returns the helper that calls a function and returns its effects as data, or nil if no helper does.
func (r *Room) Driver(f *types.Func) *testcase.Helper {
	switch {
	case r == nil:
	case r.serve != nil && isHandler(f.Signature()):
		return r.serve
	case r.format != nil && isFormat(f):
		return r.format
	}
	return nil
}

// ServeHTTP returns the method by which a type handles HTTP requests, or nil if it has none or there is no
// driver.
func (r *Room) ServeHTTP(t types.Type) *types.Func {
	if r == nil || r.serve == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, "ServeHTTP")
	f, ok := obj.(*types.Func)
	if !ok || !isHandler(f.Signature()) {
		return nil
	}
	return f
}

// isHandler reports whether a function takes a ResponseWriter and a Request and returns nothing.
func isHandler(sig *types.Signature) bool {
	return sig.Params().Len() == 2 && sig.Results().Len() == 0 && sig.TypeParams().Len() == 0 &&
		types.TypeString(sig.Params().At(0).Type(), nil) == "net/http.ResponseWriter" &&
		types.TypeString(sig.Params().At(1).Type(), nil) == "*net/http.Request"
}

// maxDepth bounds how deep the types of fields and of functions' results are searched.
const maxDepth = 4

// implementations returns, for each interface that the package declares, the types of givers that implement it: a store that
// asks for something with QueryContext is given a database. Only packages that the package imports are looked at, because
// code that does not mention a type's package was written for other types, too.
func implementations(interfaces []*types.Named, pkg *types.Package) map[string][]string {
	out := make(map[string][]string)
	if len(interfaces) == 0 {
		return out
	}
	for _, f := range families() {
		for _, g := range f.givers {
			t := importedType(g.typ, pkg)
			if t == nil {
				continue
			}
			for _, i := range interfaces {
				if k := key(i); types.Implements(t, i.Underlying().(*types.Interface)) && !slices.Contains(out[k], g.typ) {
					out[k] = append(out[k], g.typ)
				}
			}
		}
	}
	return out
}

// importedType returns the type with a giver's name for it if a package imports the type's package. It returns nil for all
// other types, and for interfaces.
func importedType(typ string, pkg *types.Package) types.Type {
	at := strings.LastIndex(typ, ".")
	if at < 0 || strings.ContainsAny(typ, "([ ") {
		return nil
	}
	path := strings.TrimPrefix(typ[:at], "*")
	i := slices.IndexFunc(pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
	if i < 0 {
		return nil
	}
	obj := pkg.Imports()[i].Scope().Lookup(typ[at+1:])
	if obj == nil || types.IsInterface(obj.Type()) {
		return nil // an obj is missing where this library is too old for the type
	}
	if strings.HasPrefix(typ, "*") {
		return types.NewPointer(obj.Type())
	}
	return obj.Type()
}

// wantedTypes returns the keys of the types that functions of the package take, and of the types in
// fields, parameters and results of these, down to maxDepth. It also returns the interfaces with methods among them that
// the package declares.
func wantedTypes(pkg *load.Package) (map[string]bool, []*types.Named) {
	out := make(map[string]bool)
	nearest := make(map[string]int) // a type that was found far below one is looked into again below another
	var interfaces []*types.Named
	var visit func(t types.Type, depth int)
	visit = func(t types.Type, depth int) {
		k := key(t)
		if before, found := nearest[k]; depth > maxDepth || found && before <= depth {
			return
		}
		nearest[k] = depth
		known := out[k]
		out[k] = true
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			if u.Obj().Pkg() == nil || u.Obj().Pkg().Path() != pkg.Path && depth > 1 {
				return
			}
			if i, ok := u.Underlying().(*types.Interface); ok && !known && u.Obj().Pkg() == pkg.Types && i.NumMethods() > 0 && i.IsMethodSet() {
				interfaces = append(interfaces, u)
			}
			visit(u.Underlying(), depth+1)
		case *types.Pointer:
			visit(u.Elem(), depth)
		case *types.Slice:
			visit(u.Elem(), depth)
		case *types.Array:
			visit(u.Elem(), depth)
		case *types.Map:
			visit(u.Key(), depth)
			visit(u.Elem(), depth)
		case *types.Signature:
			for v := range u.Params().Variables() {
				visit(v.Type(), depth+1)
			}
			for v := range u.Results().Variables() {
				visit(v.Type(), depth+1)
			}
		case *types.Struct:
			for f := range u.Fields() {
				if f.Exported() || f.Pkg() == pkg.Types {
					visit(f.Type(), depth+1)
				}
			}
		case *types.Interface:
			for m := range u.Methods() {
				visit(m.Type(), depth+1)
			}
		}
	}
	for _, t := range pkg.Targets {
		if t.Skip == "" {
			if t.Recv != nil {
				visit(t.Recv, 0)
			}
			visit(t.Obj.Signature(), 0)
			if t.Func != nil { // an instance of a generic function takes other types than its origin
				visit(t.Func.Signature, 0)
			}
		}
	}
	for t := range askedTypes(pkg) {
		out[t] = true
	}
	return out, interfaces
}

// askedTypes returns the types of other packages for which the code asks values that may be anything, in type switches and assertions.
func askedTypes(pkg *load.Package) map[string]bool {
	out := make(map[string]bool)
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			var asked []ast.Expr
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				asked = append(asked, n.Type)
			case *ast.CaseClause:
				asked = n.List
			}
			for _, e := range asked {
				if tv := pkg.Info.Types[e]; e != nil && tv.IsType() && !types.IsInterface(tv.Type) {
					out[key(tv.Type)] = true
				}
			}
			return true
		})
	}
	return out
}
