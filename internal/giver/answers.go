package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Answers is how the requests are answered that the package's functions send: without a network, by the transport that
// clients without one of their own use.
type Answers struct {
	// Op is the call of the helper that answers requests from then on, and notes them.
	Op *testcase.Operation
	// Codes are the statuses worth answering with, success first.
	Codes []int
	// Header are lines that the package looks for in the headers of responses, behind no line; nil if it looks for none, and
	// then the helper has no parameter for them.
	Header []string
	// bodies are JSON texts of the types that functions decode, by the functions' names as targets.
	bodies map[string][]string
	pkg    *load.Package
}

// answerName is the name of the helper that answers requests.
const answerName = "answerRequests"

// AnswersRequests reports whether a statement has requests answered without a network, and its result notes these.
func AnswersRequests(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.OfTest && op.Via.Name == answerName
}

// Bodies returns texts that are worth answering the requests of a function with, by its name as a target: JSON of what it,
// or a function that it calls, decodes, or else the words that it has itself, for it may look for one. It is never empty.
func (a *Answers) Bodies(function string) []string {
	if list := a.bodies[function]; len(list) > 0 {
		return list
	}
	list := slices.Clone(plainBodies)
	if a.pkg.Literals != nil && a.pkg.Literals.ByFunc[function] != nil {
		for _, text := range a.pkg.Literals.ByFunc[function].Strings {
			if !strings.ContainsAny(text, "%/:") {
				addTo(&list, text, len(plainBodies)+maxOwnWords)
			}
		}
	}
	return list
}

// maxOwnWords is how many of its own words a function is answered with.
const maxOwnWords = 4

// plainBodies are the bodies of answers for functions that decode nothing that is known.
var plainBodies = []string{"{}", "hello", ""}

// Answers returns how requests are answered that the package sends. It is nil if it sends none.
func (r *Room) Answers() *Answers {
	if r == nil {
		return nil
	}
	return r.answers
}

// addAnswers adds the helper that answers requests, if the package sends some.
func (r *Room) addAnswers(prog *load.Program) error {
	a := newAnswers(r.pkg)
	if a == nil {
		return nil
	}
	f := a.requestsFamily(r.pkg)
	if err := r.add(prog, f, f.helpers, nil, nil); err != nil {
		return err
	}
	if r.answer != nil { // this library has what the helper needs
		a.Op = &testcase.Operation{Kind: testcase.OpFunc, Func: r.answer.Func, Via: r.answer}
		r.answers = a
	}
	return nil
}

// IsStatus reports whether a statement is the status with which a later one has requests answered.
func IsStatus(s *testcase.Sequence, i int) bool {
	for j := i + 1; j < s.Len(); j++ {
		if st := s.At(j); AnswersRequests(st.Op) && st.Args[0].Stmt == i {
			return true
		}
	}
	return false
}

// newAnswers reads in the package which answers to its requests are worth trying. It is nil for a package that sends none.
func newAnswers(pkg *load.Package) *Answers {
	if pkg.Info == nil {
		return nil
	}
	a := &Answers{Codes: []int{200}, pkg: pkg}
	sends := false
	keys := []string{}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				sends = sends || isResponse(pkg.Info.TypeOf(n))
				if key, ok := responseKey(pkg, n); ok && !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			case *ast.BinaryExpr:
				// The 299 of "code > 299" is no status that servers send, the 400 of "code >= 400" is one.
				if n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.GEQ {
					a.compared(pkg, n.X, n.Y)
				}
				if n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.LEQ {
					a.compared(pkg, n.Y, n.X)
				}
			case *ast.SwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						a.compared(pkg, n.Tag, e)
					}
				}
			}
			return true
		})
	}
	if !sends {
		return nil
	}
	for _, code := range []int{404, 500} {
		a.code(code)
	}
	for i, key := range keys {
		if i == 0 {
			a.Header = []string{""}
		}
		for _, v := range responseValues(key) {
			addTo(&a.Header, key+": "+v, maxHeaders)
		}
	}
	a.bodies = DecodedBy(pkg)
	return a
}

// isResponse reports whether a call has the type of one that sends a request: it returns a response and an error, as
// http.Get does, the methods of clients, transports, and those of interfaces that stand for clients.
func isResponse(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && tuple.Len() == 2 && types.TypeString(tuple.At(0).Type(), nil) == "*net/http.Response"
}

// compared notes the status with which the code of a response is compared.
func (a *Answers) compared(pkg *load.Package, x, y ast.Expr) {
	if x == nil {
		return
	}
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	v := pkg.Info.Types[y].Value
	if !ok || v == nil || v.Kind() != constant.Int || sel.Sel.Name != "StatusCode" || !isA(pkg.Info.TypeOf(sel.X), "net/http.Response") {
		return
	}
	if code, exact := constant.Int64Val(v); exact {
		a.code(int(code))
	}
}

// code adds a status that an answer can have for good: what is below 200 announces another one.
func (a *Answers) code(code int) {
	const most = 10
	if code >= 200 && code < 600 && len(a.Codes) < most && !slices.Contains(a.Codes, code) {
		a.Codes = append(a.Codes, code)
	}
}

// isA reports whether a type, or what it points to, has a name.
func isA(t types.Type, name string) bool {
	return t != nil && strings.TrimPrefix(types.TypeString(t, nil), "*") == name
}

// responseKey returns the key that a call asks the header of a response for.
func responseKey(pkg *load.Package, c *ast.CallExpr) (string, bool) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) != 1 {
		return "", false
	}
	fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "(net/http.Header).Get" && fn.FullName() != "(net/http.Header).Values" {
		return "", false
	}
	if of, ok := ast.Unparen(sel.X).(*ast.SelectorExpr); ok && isA(pkg.Info.TypeOf(of.X), "net/http.Request") {
		return "", false
	}
	v := pkg.Info.Types[c.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return http.CanonicalHeaderKey(constant.StringVal(v)), true
}

// responseValues returns what servers put behind a key of a response's header.
func responseValues(key string) []string {
	const date = "Mon, 06 May 2024 07:08:09 GMT"
	switch key {
	case "Content-Type":
		return []string{"application/json", "text/html; charset=utf-8"}
	case "Etag":
		return []string{`"abc"`}
	case "Date", "Last-Modified", "Expires":
		return []string{date, "abc"}
	case "Location":
		return []string{"/a"}
	case "Cache-Control":
		return []string{"max-age=60", "no-store"}
	case "Link":
		return []string{`<https://example.com/?page=2>; rel="next"`}
	case "Content-Encoding":
		return []string{"gzip"}
	}
	return []string{"3", "abc"}
}

// requestsFamily has the helper that answers the requests which the package sends. It makes no values. What polls a service for
// ever would do so without a pause where all requests succeed at once, so that no more than a few do.
func (a *Answers) requestsFamily(pkg *load.Package) *family {
	lock, unlock, imports := "", "", []string{"errors", "io", "net/http", "net/http/httptest", "strings", "testing"}
	if pkg.StartsGoroutines() {
		lock, unlock, imports = "\tvar mu sync.Mutex\n", "\t\tmu.Lock()\n\t\tdefer mu.Unlock()\n", append(imports, "sync")
	}
	header, set, doc := "", "", "a status and a body"
	if len(a.Header) > 0 {
		doc, header = "a status, lines of a header and a body", ", header"
		set = `		for _, line := range strings.Split(header, "\n") {
			if kv := strings.SplitN(line, ": ", 2); len(kv) == 2 {
				w.Header().Add(kv[0], kv[1])
			}
		}
`
	} else if len(a.bodies) > 0 {
		set = "\t\tw.Header().Set(\"Content-Type\", \"application/json\")\n"
	}
	params := "body string"
	if header != "" {
		params = "header, body string"
	}
	codes := " "
	for _, c := range a.Codes {
		codes += strconv.Itoa(c) + " "
	}
	return &family{
		name: "requests", path: "net/http", imports: append(imports, "strconv"), always: true,
		helpers: []helper{{
			doc: "has all requests answered with " + doc + " until the test ends, but for those of clients with a transport of their own. It returns where the requests are noted.",
			// Only statuses that the package knows are worth answering with.
			guard: fmt.Sprintf("«strings».Repeat(\"\", «strings».Index(%q, \" \"+«strconv».Itoa(«0»)+\" \"))", codes),
			code: "func " + answerName + "(t testing.TB, code int, " + params + `) (requests *[]string) {
	requests = new([]string)
` + lock + `	old := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = old })
	http.DefaultTransport = answering(func(r *http.Request) (*http.Response, error) {
		note := r.Method + " " + r.URL.String()
		if r.Body != nil {
			sent := new(strings.Builder)
			if n, err := io.Copy(sent, r.Body); n > 0 && err == nil {
				note += " " + sent.String()
			}
		}
` + unlock + `		if len(*requests) == 20 {
			return nil, errors.New("too many requests")
		}
		*requests = append(*requests, note)
		w := httptest.NewRecorder()
` + set + `		w.WriteHeader(code)
		io.WriteString(w, body)
		answer := w.Result()
		answer.Request = r
		return answer, nil
	})
	return requests
}

type answering func(*http.Request) (*http.Response, error)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }`,
		}},
	}
}

// maxReplies is how many texts answer the requests of one function at the most.
const maxReplies = 24

// replies finds out into which types functions decode JSON, through parameters and type parameters.
type replies struct {
	pkg    *load.Package
	params map[*types.Var]bool      // the parameters into which a function decodes
	kinds  map[*types.TypeName]bool // the type parameters of whose values functions decode
	own    map[*types.Func][]types.Type
	calls  map[*types.Func][]*types.Func
	grown  bool
}

// DecodedBy returns JSON texts of the types that functions, and those that they call, decode, by the functions' names as targets.
func DecodedBy(pkg *load.Package) map[string][]string {
	r := &replies{pkg: pkg, params: make(map[*types.Var]bool), kinds: make(map[*types.TypeName]bool), own: make(map[*types.Func][]types.Type), calls: make(map[*types.Func][]*types.Func)}
	for r.grown = true; r.grown; {
		r.grown = false
		for _, f := range pkg.Syntax {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					r.function(fd)
				}
			}
		}
	}
	out := make(map[string][]string)
	for _, t := range pkg.Targets {
		if list := r.texts(t.Obj.Origin()); len(list) > 0 {
			out[t.Name] = list
		}
	}
	return out
}

// function notes what one function decodes, and calls.
func (r *replies) function(fd *ast.FuncDecl) {
	fn, ok := r.pkg.Info.Defs[fd.Name].(*types.Func)
	if !ok {
		return
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		id := calledIdent(call.Fun)
		if id == nil {
			return true
		}
		callee, ok := r.pkg.Info.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		origin := callee.Origin()
		if origin.Pkg() == r.pkg.Types && !slices.Contains(r.calls[fn], origin) {
			r.calls[fn] = append(r.calls[fn], origin)
		}
		for k, arg := range call.Args {
			if r.decodesInto(origin, k) {
				r.into(fn, r.pkg.Info.TypeOf(arg), arg)
			}
		}
		if tps := origin.Signature().TypeParams(); tps.Len() > 0 {
			args := r.pkg.Info.Instances[id].TypeArgs
			for i := range min(tps.Len(), args.Len()) {
				if r.kinds[tps.At(i).Obj()] {
					r.decodes(fn, args.At(i))
				}
			}
		}
		return true
	})
}

// calledIdent returns the name of what a call calls, or nil.
func calledIdent(fun ast.Expr) *ast.Ident {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	case *ast.IndexExpr:
		return calledIdent(f.X)
	case *ast.IndexListExpr:
		return calledIdent(f.X)
	}
	return nil
}

// decodesInto reports whether a function decodes into what its k-th parameter points to.
func (r *replies) decodesInto(fn *types.Func, k int) bool {
	switch fn.FullName() {
	case "encoding/json.Unmarshal":
		return k == 1
	case "(*encoding/json.Decoder).Decode":
		return k == 0
	}
	params := fn.Signature().Params()
	return params.Len() > 0 && r.params[params.At(min(k, params.Len()-1))]
}

// into notes that a function decodes into what an argument points to.
func (r *replies) into(fn *types.Func, t types.Type, arg ast.Expr) {
	if types.IsInterface(t) && !isTypeParam(t) {
		id, ok := ast.Unparen(arg).(*ast.Ident)
		if v, isVar := r.pkg.Info.Uses[id].(*types.Var); ok && isVar && !r.params[v] && isParam(fn, v) {
			r.params[v], r.grown = true, true
		}
		return
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		r.decodes(fn, p.Elem())
	}
}

// decodes notes that a function decodes values of a type.
func (r *replies) decodes(fn *types.Func, t types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if !r.kinds[tp.Obj()] {
			r.kinds[tp.Obj()], r.grown = true, true
		}
		return
	}
	if !types.IsInterface(t) && !slices.ContainsFunc(r.own[fn], func(o types.Type) bool { return types.Identical(o, t) }) {
		r.own[fn], r.grown = append(r.own[fn], t), true
	}
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// isParam reports whether a variable is a parameter of a function.
func isParam(fn *types.Func, v *types.Var) bool {
	for p := range fn.Signature().Params().Variables() {
		if p == v {
			return true
		}
	}
	return false
}

// texts returns JSON of what a function decodes: its own types before those of the functions that it calls. Where one type
// leaves a part open (json.RawMessage), the others stand in its place.
func (r *replies) texts(fn *types.Func) []string {
	var list []types.Type
	reached := []*types.Func{fn}
	for i := 0; i < len(reached); i++ {
		list = append(list, r.own[reached[i]]...)
		for _, callee := range r.calls[reached[i]] {
			if !slices.Contains(reached, callee) {
				reached = append(reached, callee)
			}
		}
	}
	var out, whole []string
	for _, t := range list {
		whole = append(whole, jsonOf(t, 0, all))
	}
	for _, t := range list { // what has an open part is the outer one, and answers with the others in it
		for k, inner := range whole {
			if text := jsonOf(t, 0, all); !strings.Contains(inner, openJSON) && strings.Contains(text, openJSON) {
				addTo(&out, strings.ReplaceAll(text, openJSON, whole[k]), maxReplies/2)
			}
		}
	}
	for _, t := range list {
		for _, text := range sampleJSON(t) {
			addTo(&out, strings.ReplaceAll(text, openJSON, "{}"), maxReplies)
		}
	}
	return out
}
