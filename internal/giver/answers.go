package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
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
	// bodies are texts of the types that functions decode, by the functions' names as targets.
	bodies map[string][]string
	pkg    *load.Package
}

// answerName is the name of the helper that answers requests.
const answerName = "answerRequests"

// AnswersRequests reports whether a statement has requests answered without a network, and its result notes these.
func AnswersRequests(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.OfTest && op.Via.Name == answerName
}

// Bodies returns texts that are worth answering the requests of a function with, by its name as a target: JSON or XML of what it,
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

// Decodes reports whether it is known what a function decodes of the answers to its requests.
func (a *Answers) Decodes(function string) bool { return len(a.bodies[function]) > 0 }

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

// IsBody reports whether a statement is the body with which a later one has requests answered.
func IsBody(s *testcase.Sequence, i int) bool {
	for j := i + 1; j < s.Len(); j++ {
		if st := s.At(j); AnswersRequests(st.Op) && st.Args[len(st.Args)-1].Stmt == i {
			return true
		}
	}
	return false
}

// newAnswers reads in the package which answers to its requests are worth trying. It is nil for a package that sends none.
func newAnswers(pkg *load.Package) *Answers {
	if pkg.Info == nil || !pkg.Requests().Any() {
		return nil
	}
	a := &Answers{Codes: []int{200}, pkg: pkg}
	for _, code := range append(slices.Clone(pkg.Requests().Statuses), 404, 500) {
		a.code(code)
	}
	for i, key := range pkg.Requests().Keys {
		if i == 0 {
			a.Header = []string{""}
		}
		for _, v := range responseValues(key) {
			addTo(&a.Header, key+": "+v, maxHeaders)
		}
	}
	a.bodies = make(map[string][]string)
	for function, texts := range encoded.By(pkg, requests.JSON|requests.XML) {
		a.bodies[function] = encoded.Values(texts)
	}
	return a
}

// code adds a status that an answer can have for good: what is below 200 announces another one.
func (a *Answers) code(code int) {
	const most = 10
	if code >= 200 && code < 600 && len(a.Codes) < most && !slices.Contains(a.Codes, code) {
		a.Codes = append(a.Codes, code)
	}
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
	noted := ""
	if keys := sentKeys(pkg); len(keys) > 0 {
		noted = fmt.Sprintf(`		for _, key := range []string{%s} {
			if value := r.Header.Get(key); value != "" {
				note += " " + key + ": " + value
			}
		}
`, strings.Join(keys, ", "))
	}
	ended := ""
	if slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "context" }) {
		ended = "\t\tif err := r.Context().Err(); err != nil {\n\t\t\treturn nil, err\n\t\t}\n"
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
` + ended + `		note := r.Method + " " + r.URL.String()
` + noted + `		if r.Body != nil {
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

// sentKeys returns the keys of headers that the package sets and that say something of a request beside what any client says, as they are
// written in Go.
func sentKeys(pkg *load.Package) []string {
	const most = 3
	usual := []string{"Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "User-Agent"}
	var out []string
	add := func(key string) {
		if key = http.CanonicalHeaderKey(key); !slices.Contains(usual, key) {
			addTo(&out, strconv.Quote(key), most)
		}
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			callee := gosyntax.Callee(pkg.Info, call)
			if callee == nil {
				return true
			}
			switch callee.FullName() {
			case "(net/http.Header).Set", "(net/http.Header).Add":
				if v := pkg.Info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
					add(constant.StringVal(v))
				}
			case "(*net/http.Request).SetBasicAuth":
				add("Authorization")
			}
			return true
		})
	}
	return out
}

// Failures returns texts that tell a function of a failure, by its name as a target.
func (a *Answers) Failures(function string) []string {
	t := a.pkg.Target(function)
	if t == nil {
		return nil
	}
	return encoded.Failures(a.pkg, t.Obj)
}

// ServiceURL is where clients send their requests that tests make.
const ServiceURL = "https://api.example.com/"

// clients returns values of the clients that functions of the package take and whose types other packages of the module declare, by
// the types' keys: structs with the address of a service, and with what they need to send requests. Clients of the package itself are
// made by their constructors.
func clients(pkg *load.Package) map[string][]*testcase.Sequence {
	out := make(map[string][]*testcase.Sequence)
	for _, t := range pkg.Targets {
		if !pkg.Requests().Sends(t.Obj) {
			continue
		}
		for v := range t.Obj.Signature().Params().Variables() {
			p, ok := types.Unalias(v.Type()).(*types.Pointer)
			if !ok || out[key(p)] != nil || !IsClient(pkg, p.Elem()) {
				continue
			}
			var b testcase.Builder
			b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: p}, client(pkg, &b, p.Elem(), 0))
			out[key(p)] = []*testcase.Sequence{b.Sequence()}
		}
	}
	for _, t := range pkg.Targets {
		recv := t.Obj.Signature().Recv()
		if recv == nil || !t.Exported || !pkg.Requests().Sends(t.Obj) || out[key(recv.Type())] != nil {
			continue
		}
		if s := constructed(pkg, recv.Type()); s != nil {
			out[key(recv.Type())] = []*testcase.Sequence{s}
		}
	}
	return out
}

// constructed returns the call of the first constructor of a client of the package that can be told the address of a service, by a
// text or in a struct; nil if there is none. Engines find other ways to make the client by themselves.
func constructed(pkg *load.Package, t types.Type) *testcase.Sequence {
	for _, c := range pkg.Constructors(t) {
		sig := c.Obj.Signature()
		if !c.Exported || sig.TypeParams().Len() > 0 || sig.Results().Len() == 0 || !types.Identical(sig.Results().At(0).Type(), t) {
			continue
		}
		var b testcase.Builder
		var args []testcase.Ref
		addressed := false
		for i := range sig.Params().Len() {
			v := sig.Params().At(i)
			arg, address := argument(pkg, &b, v)
			args, addressed = append(args, arg), addressed || address
		}
		if addressed {
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: c.Obj}, args...)
			return b.Sequence()
		}
	}
	return nil
}

// argument adds what a constructor of a client is passed for a parameter, and reports whether it has the address of a service.
func argument(pkg *load.Package, b *testcase.Builder, v *types.Var) (testcase.Ref, bool) {
	t := v.Type()
	p, isPointer := types.Unalias(t).(*types.Pointer)
	switch {
	case isPointer && load.IsNamed(p.Elem(), "net/http", "Client"):
		return httpClient(b, p), false
	case isAddress(v):
		return address(b, t), true
	case types.Identical(t, types.Typ[types.String]):
		text := "abc"
		if texts := everyday.TextsFor(v.Name(), true); len(texts) > 0 {
			text = texts[0]
		}
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}), false
	case isPointer && hasAddress(p.Elem()):
		return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: p}, client(pkg, b, p.Elem(), 0)), true
	case hasAddress(t):
		return client(pkg, b, t, 0), true
	}
	return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t}), false
}

// isAddress reports whether a parameter or field is a text that is called as the address of a service is.
func isAddress(v *types.Var) bool {
	return types.Identical(v.Type(), types.Typ[types.String]) && NamesAddress(v.Name())
}

// hasAddress reports whether a type is a struct with the address of a service in an exported field.
func hasAddress(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return f.Exported() && isAddress(f) })
}

// address adds the address of a service.
func address(b *testcase.Builder, t types.Type) testcase.Ref {
	op := &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: ServiceURL}}
	op.Choice, op.Closed = []string{ServiceURL}, true
	return b.Add(op)
}

// httpClient adds a client without a transport of its own.
func httpClient(b *testcase.Builder, p *types.Pointer) testcase.Ref {
	zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Elem()})
	return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: p}, zero)
}

// IsClient reports whether a type is an exported struct of another package with a method that sends requests.
func IsClient(pkg *load.Package, t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !n.Obj().Exported() || n.Obj().Pkg() == pkg.Types || n.TypeParams().Len() > 0 {
		return false
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return false
	}
	for m := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		if fn, ok := m.Obj().(*types.Func); ok && pkg.Requests().Sends(fn) {
			return true
		}
	}
	return false
}

// client adds the statements that make a struct of a client: its exported fields that name an address, and those that point to
// clients.
func client(pkg *load.Package, b *testcase.Builder, t types.Type, depth int) testcase.Ref {
	const deepest = 3
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	var args []testcase.Ref
	st := t.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Exported() {
			continue
		}
		p, isPointer := types.Unalias(f.Type()).(*types.Pointer)
		switch {
		case isPointer && load.IsNamed(p.Elem(), "net/http", "Client"):
			args, op.Elems = append(args, httpClient(b, p)), append(op.Elems, i)
		case isPointer && depth < deepest && IsClient(pkg, p.Elem()):
			inner := client(pkg, b, p.Elem(), depth+1)
			args, op.Elems = append(args, b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: p}, inner)), append(op.Elems, i)
		case isAddress(f):
			args, op.Elems = append(args, address(b, f.Type())), append(op.Elems, i)
		}
	}
	if len(args) == 0 {
		op = &testcase.Operation{Kind: testcase.OpZero, Type: t}
	}
	return b.Add(op, args...)
}

// NamesAddress reports whether a field is called as the address of a service is: BaseURL, Endpoint, Host.
func NamesAddress(name string) bool {
	words := gosyntax.Words(name)
	return len(words) > 0 && slices.Contains([]string{"url", "uri", "endpoint", "host", "server"}, strings.ToLower(words[len(words)-1]))
}
