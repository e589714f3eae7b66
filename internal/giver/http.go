package giver

// httpFamily returns requests, responses, handlers and clients that need no network.
func httpFamily() *family {
	return &family{
		name:    "net/http",
		path:    "net/http",
		imports: []string{"compress/gzip", "fmt", "io", "net/http", "net/http/httptest", "strings"},
		helpers: []helper{
			{
				doc: "returns a handler that answers with the method and the URL of the request: a response shows whether it was called, and with what.",
				code: `func next() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " ", r.URL) }
}`,
			},
			{
				doc: "returns a middleware that adds its name to the header Via of the response.",
				code: `func via(name string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Add("Via", name)
			next.ServeHTTP(w, r)
		})
	}
}`,
			},
			{
				doc: "returns a transport that answers each request with a status and a body, and needs no network.",
				// A status below 200 is not final, and a number below 100 is no status.
				guard: "«net/http/httptest».NewRecorder().WriteHeader(«0» - 100)",
				code: `func answers(code int, body string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		w.WriteHeader(code)
		io.WriteString(w, body)
		return w.Result(), nil
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }`,
			},
			{
				doc: "returns a transport on which each request fails with an error.",
				code: `func unreachable(err error) http.RoundTripper { return failedTrip{err} }

type failedTrip struct{ err error }

func (f failedTrip) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }`,
			},
		},
		givers: []giver{
			{typ: "net/http.ResponseWriter", doc: "a recorder", code: `httptest.NewRecorder()`},
			{typ: "net/http.Flusher", doc: "a recorder", code: `httptest.NewRecorder()`},
			{typ: "*net/http.Request", doc: "a request, over the methods, paths, headers and bodies that the package asks for", code: `httptest.NewRequest("GET", "/", nil)`, fixed: true},
			{typ: "net/http.Handler", doc: "a handler whose answer shows what it was asked", code: `next()`},
			{typ: "net/http.HandlerFunc", doc: "the same", code: `next()`},
			{typ: "func(net/http.ResponseWriter, *net/http.Request)", doc: "the same", code: `next()`},
			{typ: "func(net/http.Handler) net/http.Handler", doc: "a middleware that leaves its name in the response", code: `via("a")`},
			{typ: "net/http.RoundTripper", doc: "a transport that answers without a network", code: `answers(200, "{}")`, sending: `http.DefaultTransport`},
			{typ: "net/http.RoundTripper", doc: "a transport that fails", code: `unreachable(http.ErrHandlerTimeout)`},
			{typ: "*net/http.Client", doc: "a client with such a transport", code: `&http.Client{Transport: answers(200, "{}")}`, sending: `&http.Client{}`},
			{typ: "*net/http.Client", doc: "", code: `&http.Client{Transport: answers(404, "not found")}`, sending: noGiver},
			{typ: "*net/http.Client", doc: "", code: `&http.Client{Transport: unreachable(http.ErrHandlerTimeout)}`},
			{typ: "*net/http.Response", doc: "a response that was recorded", code: `httptest.NewRecorder().Result()`},
			{typ: "*net/http.Cookie", doc: "a cookie", code: `&http.Cookie{Name: "session", Value: "abc"}`},
			{typ: "net/http.Header", doc: "a header", code: `http.Header{"Accept": {"text/html"}}`},
		},
	}
}
