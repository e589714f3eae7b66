package giver

import (
	"encoding/base64"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
	"github.com/goassay/assay/internal/testcase"
)

// web holds what a package's handlers ask of requests and write into responses.
type web struct {
	methods []string
	paths   []string // paths, with a query where the package asks for keys of queries
	headers []string // lines "Key: value"
	bodies  []string
	answers []string   // the keys of headers in responses
	asks    bool       // the package asks for headers of requests
	packs   bool       // the package imports a package called gzip
	rows    [][]string // texts that belong together, such as a header's name and its value
}

// Limits of how many texts are gathered.
const (
	maxPaths   = 40
	maxHeaders = 24
	maxBodies  = 24
	maxValues  = 8 // how many values one key of a query or header is tried with
	maxAnswers = 16
)

// usualHeaders are values of request headers as clients send them.
var usualHeaders = map[string]string{
	"Origin": "http://example.com", "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "X-Token",
	"Accept": "application/json", "Accept-Encoding": "gzip", "Accept-Language": "en", "Content-Type": "application/json",
	"X-Forwarded-For": "203.0.113.7", "X-Real-Ip": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.com",
	"X-Request-Id": "req-1", "If-None-Match": `"abc"`, "Range": "bytes=0-4", "Upgrade": "websocket", "Connection": "close",
}

// serveName is the name of the driver of handlers.
const serveName = "serve"

// webOf reads in the package what its handlers ask of requests.
func webOf(pkg *load.Package) *web {
	w := &web{}
	if pkg.Info == nil {
		return w
	}
	w.packs = slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return path.Base(p.Path()) == "gzip" })
	r := &webReader{pkg: pkg, web: w, queries: make(map[string][]string), written: make(map[ast.Expr]bool)}
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			r.declaration(d)
		}
	}
	r.finish()
	return w
}

// webReader gathers the parts of a web.
type webReader struct {
	*web
	pkg     *load.Package
	local   []string            // short constants of the declaration that is being read
	queries map[string][]string // the values of queries by their keys
	keys    []string            // the keys of queries, in order
	lines   []string            // the first line for each header that the package asks for
	written map[ast.Expr]bool   // the header expressions that are assigned to
	forms   bool                // the package asks for values of forms in bodies
}

// declaration reads one declaration.
func (r *webReader) declaration(d ast.Decl) {
	r.local = nil
	if fd, ok := d.(*ast.FuncDecl); ok {
		if l := r.pkg.Literals; l != nil && l.ByFunc[gosyntax.DeclName(fd)] != nil {
			for _, s := range l.ByFunc[gosyntax.DeclName(fd)].Strings {
				if len(s) <= 24 && !strings.ContainsAny(s, "\r\n%") {
					r.local = append(r.local, s)
				}
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			r.call(n)
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				r.compared(n.X, n.Y)
				r.compared(n.Y, n.X)
			}
		case *ast.SwitchStmt:
			if n.Tag != nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						r.compared(n.Tag, e)
					}
				}
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				r.written[e] = true
			}
		case *ast.IndexExpr:
			if s, ok := r.text(n.Index); ok && r.typeName(n.X) == "net/http.Header" {
				if r.written[n] {
					addTo(&r.answers, s, maxAnswers)
				} else {
					r.headerKey(s)
				}
			}
		case ast.Expr:
			if s, ok := r.text(n); ok {
				r.constant(s)
			}
		}
		return true
	})
}

// text returns the value of a constant string.
func (r *webReader) text(e ast.Expr) (string, bool) {
	tv := r.pkg.Info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(tv.Value), true
}

func (r *webReader) typeName(e ast.Expr) string {
	t := r.pkg.Info.TypeOf(e)
	if t == nil {
		return ""
	}
	return types.TypeString(types.Unalias(t), nil)
}

// constant takes a constant that looks like a path, or like a pattern of paths.
func (r *webReader) constant(s string) {
	method, path, ok := strings.Cut(s, " ")
	if !ok {
		method, path = "", s
	}
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, " %\t\r\n\"'<>\\") || len(path) > 60 || strings.HasPrefix(path, "//") {
		return
	}
	if method != "" {
		if !isMethod(method) {
			return
		}
		addTo(&r.methods, method, maxPaths)
	}
	addTo(&r.paths, PathOf(path), maxPaths)
}

// wildcard matches the variable parts of the usual routers' patterns.
var wildcard = regexp.MustCompile(`\{[^/]*\}|:[A-Za-z_]+|\*[A-Za-z_]*`)

// PathOf returns a path that the pattern of a router matches: "/items/7" for "/items/{id}".
func PathOf(pattern string) string {
	return wildcard.ReplaceAllStringFunc(pattern, func(w string) string {
		name := strings.ToLower(strings.Trim(w, "{}:*$"))
		name, _, _ = strings.Cut(name, ":")
		switch {
		case w == "{$}":
			return ""
		case strings.HasPrefix(w, "*") || strings.HasSuffix(w, "...}"):
			return "a/b"
		case strings.Contains(name, "name") || strings.Contains(name, "user") || strings.Contains(name, "slug"):
			return "ann"
		}
		return "7"
	})
}

func isMethod(s string) bool {
	switch s {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE":
		return true
	}
	return false
}

// compared notes the constant with which the method or path of a request is compared.
func (r *webReader) compared(x, y ast.Expr) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	s, isText := r.text(y)
	if !ok || !isText {
		return
	}
	if sel.Sel.Name == "Method" && r.typeName(sel.X) == "*net/http.Request" && isMethod(s) {
		addTo(&r.methods, s, maxPaths)
	}
}

// call takes the keys that calls on requests and responses name, and the types that calls decode.
func (r *webReader) call(c *ast.CallExpr) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := r.pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return
	}
	first := func() (string, bool) {
		if len(c.Args) == 0 {
			return "", false
		}
		return r.text(c.Args[0])
	}
	switch name := fn.FullName(); name {
	case "(net/http.Header).Get", "(net/http.Header).Values":
		if key, ok := first(); ok {
			r.headerKey(key)
		}
	case "(net/http.Header).Set", "(net/http.Header).Add":
		if key, ok := first(); ok {
			addTo(&r.answers, key, maxAnswers)
		}
	case "net/http.Redirect":
		addTo(&r.answers, "Location", maxValues)
	case "net/http.SetCookie":
		addTo(&r.answers, "Set-Cookie", maxValues)
	case "(net/url.Values).Get", "(net/url.Values).Has", "(*net/http.Request).FormValue", "(*net/http.Request).PostFormValue":
		if key, ok := first(); ok {
			r.queryKey(key)
			r.forms = r.forms || strings.HasSuffix(name, "FormValue")
		}
	case "(*net/http.Request).Cookie":
		if key, ok := first(); ok {
			r.header("Cookie: " + key + "=abc")
		}
	case "(*net/http.Request).UserAgent":
		r.header("User-Agent: curl/8.0")
	case "(*net/http.Request).Referer":
		r.header("Referer: http://example.com/a")
	case "(*net/http.Request).BasicAuth":
		r.credentials()
	case "(*encoding/json.Decoder).Decode", "encoding/json.Unmarshal":
		r.decoded(c.Args[len(c.Args)-1])
	}
}

// credentials adds the header by which clients authenticate themselves, with a name and a password that the
// handler may have been set up with.
func (r *webReader) credentials() {
	line := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("ann:secret"))
	r.header(line)
	r.rows = append(r.rows, []string{"ann", "secret", line})
}

// queryKey takes a key that the query of a request is asked for.
func (r *webReader) queryKey(key string) {
	if !slices.Contains(r.keys, key) {
		r.keys = append(r.keys, key)
	}
	values := r.queries[key]
	for _, v := range append([]string{"1", "abc"}, r.local...) {
		if v != key && !strings.ContainsAny(v, " /&=?#;+\"'<>{}[]\\") {
			addTo(&values, v, maxValues)
		}
	}
	r.queries[key] = values
}

// headerKey takes a key that the header of a request is asked for.
func (r *webReader) headerKey(key string) {
	if http.CanonicalHeaderKey(key) == "Authorization" && slices.ContainsFunc(r.local, func(s string) bool { return strings.TrimSpace(s) == "Basic" }) {
		r.credentials()
	}
	values := []string{"abc"}
	if usual := usualHeaders[http.CanonicalHeaderKey(key)]; usual != "" {
		values = []string{usual}
		r.rows = append(r.rows, []string{usual, key + ": " + usual})
	}
	for _, v := range r.local {
		switch {
		case strings.EqualFold(v, key) || !strings.ContainsFunc(v, unicode.IsLetter) && !strings.ContainsFunc(v, unicode.IsDigit) || strings.Contains(v, ": "):
		case usualHeaders[http.CanonicalHeaderKey(v)] != "" || http.CanonicalHeaderKey(v) == v && strings.Contains(v, "-"): // the constant is the name of another header
		case strings.HasSuffix(v, " ") || strings.HasSuffix(v, "="):
			values = append([]string{v + "abc"}, values...)
			r.rows = append(r.rows, []string{"abc", key + ": " + v + "abc"})
		default:
			addTo(&values, v, maxValues)
		}
	}
	if slices.Contains(values, "abc") {
		r.rows = append(r.rows, []string{"abc", key + ": abc"})
	}
	for _, v := range values {
		r.header(key + ": " + v)
	}
	if line := key + ": " + values[0]; !slices.Contains(r.lines, line) {
		r.lines = append(r.lines, line)
	}
}

func (r *webReader) header(line string) {
	r.asks = true
	addTo(&r.headers, line, maxHeaders)
}

// decoded adds texts for a body that is decoded into the type of arg: JSON of a value of the type, JSON
// without each field, JSON with an unusual number, and text that is no JSON.
func (r *webReader) decoded(arg ast.Expr) {
	t := r.pkg.Info.TypeOf(arg)
	if t == nil {
		return
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if types.IsInterface(t) {
		return
	}
	for _, text := range encoded.Values(encoded.Samples(t, requests.JSON, nil)) {
		addTo(&r.bodies, text, maxBodies)
	}
}

// finish adds texts that are worth trying for every package, and appends queries to the paths.
func (r *webReader) finish() {
	r.methods = append([]string{"GET"}, slices.DeleteFunc(r.methods, func(m string) bool { return m == "GET" })...)
	if len(r.bodies) > 0 || r.forms {
		addTo(&r.methods, "POST", maxPaths)
	}
	if len(r.methods) < 3 {
		addTo(&r.methods, "POST", maxPaths)
		addTo(&r.methods, "DELETE", maxPaths)
	}
	// Some headers have a meaning only together, so lines are also joined.
	for i := 1; i < min(len(r.lines), 5); i++ {
		r.header(strings.Join(r.lines[:i+1], "\n"))
	}
	for _, route := range r.pkg.Routes() {
		r.constant(route.Value)
	}
	r.paths = append([]string{"/"}, slices.DeleteFunc(r.paths, func(p string) bool { return p == "/" })...)
	base := r.paths
	for _, p := range base {
		if strings.Contains(p, "7") {
			addTo(&r.paths, strings.Replace(p, "7", "abc", 1), maxPaths)
		}
	}
	addTo(&r.paths, "/nope", maxPaths+1)
	for _, p := range base[:min(len(base), 6)] {
		for _, k := range r.keys {
			for _, v := range r.queries[k] {
				addTo(&r.paths, p+"?"+k+"="+v, 3*maxPaths)
			}
		}
	}
	if len(r.keys) > 1 {
		var all []string
		for _, k := range r.keys {
			all = append(all, k+"="+r.queries[k][0])
		}
		addTo(&r.paths, base[0]+"?"+strings.Join(all, "&"), 4*maxPaths)
		if r.forms {
			r.header("Content-Type: application/x-www-form-urlencoded")
			addTo(&r.bodies, strings.Join(all, "&"), maxBodies+1)
		}
	}
}

// addTo appends a text that is not in the list yet, up to a number of texts.
func addTo(list *[]string, s string, most int) {
	if len(*list) < most && !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// requestName is the name of the helper that makes requests.
const requestName = "request"

// asksMore reports whether the package's answers depend on anything in a request but its method and URL.
func (w *web) asksMore() bool { return w.asks || len(w.bodies) > 0 }

// addHeader has the statements of a helper that add the lines of a header to a request.
const addHeader = `	for _, line := range strings.Split(header, "\n") {
		if kv := strings.SplitN(line, ": ", 2); len(kv) == 2 {
			r.Header.Add(kv[0], kv[1])
		}
	}
`

// requestHelper returns a helper that makes a request, with a parameter for headers if the package
// reads headers of requests, and one for the body if it decodes bodies.
func (w *web) requestHelper() helper {
	doc, params, body, set := "returns a request", "method, target", "nil", ""
	if w.asks {
		doc, params, set = doc+" with lines of a header", params+", header", addHeader
	}
	if len(w.bodies) > 0 {
		doc, params, body = doc+" and a body", params+", body", "strings.NewReader(body)"
		if !w.asks {
			doc = "returns a request with a body"
		}
	}
	return helper{
		doc: doc + ".", guard: `«net/http/httptest».NewRequest(«0», «1», nil)`, titles: 2,
		code: "func " + requestName + "(" + params + ` string) *http.Request {
	r := httptest.NewRequest(method, target, ` + body + `)
` + set + `	return r
}`,
	}
}

// requestGiver returns the giver that makes the simplest request by the helper.
func (w *web) requestGiver() giver {
	args := `"GET", "/"`
	if w.asks {
		args += `, ""`
	}
	if len(w.bodies) > 0 {
		args += `, ""`
	}
	return giver{typ: requestType, code: requestName + "(" + args + ")"}
}

// requestType is the name of the type of requests in givers.
const requestType = "*net/http.Request"

// makes sets the values that are worth passing for each parameter of the compiled helper of requests.
func (w *web) makes(h *testcase.Helper) {
	h.Values, h.Closed = [][]string{w.methods, w.paths}, []bool{true, false}
	if w.asks {
		h.Values, h.Closed = append(h.Values, append([]string{""}, w.headers...)), append(h.Closed, true)
	}
	if len(w.bodies) > 0 {
		h.Values, h.Closed = append(h.Values, append([]string{""}, w.bodies...)), append(h.Closed, false)
	}
}

// serveHelper returns the driver of handlers. It has a parameter for headers if the package reads
// headers of requests, and a result for headers if the package writes headers. What is packed it unpacks: how it is packed differs from
// version to version of the compressor, and nobody can read it.
func (w *web) serveHelper() helper {
	params, results, returned := "method, target", "code int, content string", "w.Code, w.Body.String()"
	var set, get string
	doc := "returns what h answers to a request: the status"
	if w.asks {
		params += ", header"
		set = addHeader
	}
	if len(w.answers) > 0 {
		doc += ", lines of the header,"
		results, returned = "code int, lines, content string", `w.Code, strings.Join(lines, "\n"), w.Body.String()`
		var keys []string
		for _, k := range w.answers {
			keys = append(keys, strconv.Quote(k))
		}
		get = `	for _, key := range []string{` + strings.Join(keys, ", ") + `} {
		for _, value := range w.Header()[http.CanonicalHeaderKey(key)] {
			lines = append(lines, key+": "+value)
		}
	}
`
	}
	if len(w.answers) > 0 {
		get = "	var lines []string\n" + get
		results = "code int, header, content string"
		if w.asks {
			results = "code int, answered, content string"
		}
	}
	doc += " and the body"
	if w.packs {
		returned = strings.Replace(returned, "w.Body.String()", "content", 1)
		get += unpack
		doc += ", unpacked"
	}
	return helper{
		doc: doc + ".", guard: `«net/http/httptest».NewRequest(«0», «1», nil)`, titles: 2,
		code: "func " + serveName + "(h http.Handler, " + params + ", body string) (" + results + `) {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
` + set + `	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
` + get + "	return " + returned + "\n}",
	}
}

// unpack has the body of a response as text, whether it is packed or not.
const unpack = `	content = w.Body.String()
	if z, err := gzip.NewReader(w.Body); err == nil {
		if unpacked, err := io.ReadAll(z); err == nil {
			content = string(unpacked)
		}
	}
`

// drive makes the compiled helper a driver: its first parameter is the handler.
func (w *web) drive(h *testcase.Helper, pkg *types.Package) {
	sig := h.Sig
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	results := make([]*types.Var, sig.Results().Len())
	for i := range results {
		v := sig.Results().At(i)
		name := map[string]string{"answered": "header", "content": "body"}[v.Name()]
		if name == "" {
			name = v.Name()
		}
		results[i] = types.NewParam(token.NoPos, pkg, name, v.Type())
	}
	h.Drives = sig.Params().At(0).Type()
	h.Adapt = "«net/http».HandlerFunc(«f»)"
	h.Sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), false)
	h.Values, h.Closed = [][]string{w.methods, w.paths}, []bool{true, false}
	if w.asks {
		h.Values, h.Closed = append(h.Values, append([]string{""}, w.headers...)), append(h.Closed, true)
	}
	h.Closed = append(h.Closed, false)
	h.Values = append(h.Values, append([]string{""}, w.bodies...))
}
