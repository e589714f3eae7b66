package giver

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// contextFamily returns contexts that are done, and one that has a value.
func contextFamily() *family {
	return &family{
		name: "context", path: "context", imports: []string{"context"},
		helpers: []helper{{
			doc: "returns a context that is cancelled already.",
			code: `func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}`,
		}},
		givers: []giver{{typ: "context.Context", doc: "a context that is cancelled", code: `cancelled()`}},
	}
}

// errorsFamily returns errors that code distinguishes: timeouts, missing files, the end of a reader.
func errorsFamily() *family {
	return &family{
		name: "errors", path: "errors", imports: []string{"errors", "io", "os"},
		when: func(pkg *load.Package) bool {
			return mentions(pkg, "Timeout", "Temporary", "PathError", "ErrNotExist", "IsNotExist", "IsTimeout", "EOF", "As")
		},
		helpers: []helper{{
			doc: "returns an error that says that it is a timeout.",
			code: `func timeout() error { return timeoutError{} }

type timeoutError struct{}

func (timeoutError) Error() string   { return "timeout" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }`,
		}},
		givers: []giver{
			{typ: "error", doc: "an error that says that it is a timeout, and temporary", code: `timeout()`},
			{typ: "error", doc: "an error of a path", code: `&os.PathError{Op: "open", Path: "a.txt", Err: os.ErrNotExist}`},
			{typ: "error", doc: "the end of a reader", code: `io.EOF`},
			{typ: "error", doc: "any error", code: `errors.New("failed")`},
		},
	}
}

// base64Family returns encodings, which no user makes himself.
func base64Family() *family {
	return &family{
		name: "base64", path: "encoding/base64", imports: []string{"encoding/base64"},
		givers: []giver{
			{typ: "*encoding/base64.Encoding", doc: "the standard encoding", code: `base64.StdEncoding`},
			{typ: "*encoding/base64.Encoding", doc: "the encoding for URLs", code: `base64.RawURLEncoding`},
		},
	}
}

// base32Family does the same for base 32.
func base32Family() *family {
	return &family{
		name: "base32", path: "encoding/base32", imports: []string{"encoding/base32"},
		givers: []giver{{typ: "*encoding/base32.Encoding", doc: "the standard encoding", code: `base32.StdEncoding`}},
	}
}

// byteOrderFamily returns the orders of bytes in numbers.
func byteOrderFamily() *family {
	return &family{
		name: "byte orders", path: "encoding/binary", imports: []string{"encoding/binary"},
		givers: []giver{
			{typ: "encoding/binary.ByteOrder", doc: "the order of bytes in networks", code: `binary.BigEndian`},
			{typ: "encoding/binary.ByteOrder", doc: "the order of bytes in most machines", code: `binary.LittleEndian`},
		},
	}
}

// fsFamily returns file systems in memory.
func fsFamily() *family {
	return &family{
		name: "io/fs", path: "io/fs", imports: []string{"io/fs", "testing/fstest"},
		givers: []giver{
			{typ: "io/fs.FS", doc: "a file system with files in memory", since: "go1.16",
				code: `fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("hello")}, "dir/b.json": &fstest.MapFile{Data: []byte("{}")}}`},
			{typ: "io/fs.FS", doc: "an empty one", since: "go1.16", code: `fstest.MapFS{}`},
			{typ: "io/fs.ReadDirFS", doc: "a file system in memory", since: "go1.16", code: `fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("hello")}}`},
			{typ: "io/fs.ReadFileFS", doc: "a file system in memory", since: "go1.16", code: `fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("hello")}}`},
			{typ: "io/fs.StatFS", doc: "a file system in memory", since: "go1.16", code: `fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("hello")}}`},
		},
	}
}

// netFamily returns connections without sockets, and addresses.
func netFamily() *family {
	return &family{
		name: "net", path: "net", imports: []string{"io", "net", "strings", "time"},
		helpers: []helper{{
			// The other end of a pipe would have to be read, or whoever writes first waits for ever, as most clients and servers do.
			doc: "returns a connection from which text comes, and which takes what is written.",
			code: `func conn(text string) net.Conn { return textConn{strings.NewReader(text)} }

// textConn is a connection without another end.
type textConn struct{ io.Reader }

func (textConn) Write(p []byte) (int, error)      { return len(p), nil }
func (textConn) Close() error                     { return nil }
func (textConn) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }
func (textConn) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 2), Port: 4000} }
func (textConn) SetDeadline(time.Time) error      { return nil }
func (textConn) SetReadDeadline(time.Time) error  { return nil }
func (textConn) SetWriteDeadline(time.Time) error { return nil }`,
		}, {
			doc: "returns the network that text says.",
			code: `func cidr(text string) *net.IPNet {
	_, network, err := net.ParseCIDR(text)
	if err != nil {
		panic(err)
	}
	return network
}`,
			titles: 1,
		}},
		givers: []giver{
			{typ: "net.Conn", doc: "a connection from which text comes, and which takes what is written", code: `conn("hello\n")`},
			{typ: "net.IP", doc: "an address", code: `net.ParseIP("192.0.2.1")`},
			{typ: "net.IP", doc: "another address", code: `net.ParseIP("10.1.2.3")`},
			{typ: "net.IP", doc: "an address of version 6", code: `net.ParseIP("2001:db8::1")`},
			{typ: "net.IPMask", doc: "a mask", code: `net.CIDRMask(24, 32)`},
			{typ: "net.Addr", doc: "an address with a port", code: `&net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 80}`},
			{typ: "*net.TCPAddr", doc: "the same", code: `&net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 80}`},
			{typ: "*net.IPNet", doc: "a network", code: `cidr("192.0.2.0/24")`, fixed: true},
			{typ: "*net.IPNet", doc: "another network", code: `cidr("10.0.0.0/8")`, fixed: true},
			{typ: "*net.IPNet", doc: "a network inside of it", code: `cidr("10.1.0.0/16")`, fixed: true},
			{typ: "*net.IPNet", doc: "a network of version 6", code: `cidr("2001:db8::/32")`, fixed: true},
			{typ: "net.IPNet", doc: "a network", code: `*cidr("192.0.2.0/24")`, fixed: true},
			{typ: "net.IPNet", doc: "another network", code: `*cidr("10.0.0.0/8")`, fixed: true},
			{typ: "net.IPNet", doc: "a network inside of it", code: `*cidr("10.1.0.0/16")`, fixed: true},
			{typ: "net.IPNet", doc: "a network of version 6", code: `*cidr("2001:db8::/32")`, fixed: true},
		},
	}
}

// netipFamily returns addresses.
func netipFamily() *family {
	return &family{
		name: "net/netip", path: "net/netip", imports: []string{"net/netip"},
		givers: []giver{
			{typ: "net/netip.Addr", doc: "an address", since: "go1.18", code: `netip.MustParseAddr("192.0.2.1")`},
			{typ: "net/netip.Addr", doc: "an address of version 6", since: "go1.18", code: `netip.MustParseAddr("2001:db8::1")`},
			{typ: "net/netip.Prefix", doc: "a network", since: "go1.18", code: `netip.MustParsePrefix("192.0.2.0/24")`},
			{typ: "net/netip.AddrPort", doc: "an address with a port", since: "go1.18", code: `netip.MustParseAddrPort("192.0.2.1:80")`},
		},
	}
}

// urlFamily returns URLs and values of queries.
func urlFamily() *family {
	return &family{
		name: "net/url", path: "net/url", imports: []string{"net/url"},
		givers: []giver{
			{typ: "*net/url.URL", doc: "a URL", code: `&url.URL{Scheme: "https", Host: "example.com", Path: "/a/b", RawQuery: "q=1"}`},
			{typ: "*net/url.URL", doc: "one without a host", code: `&url.URL{Path: "/a"}`},
			{typ: "net/url.URL", doc: "a URL", code: `url.URL{Scheme: "https", Host: "example.com", Path: "/a/b", RawQuery: "q=1"}`},
			{typ: "net/url.Values", doc: "values of a query", code: `url.Values{"a": {"1"}, "b": {"2", "3"}}`},
			{typ: "*net/url.Userinfo", doc: "a user with a password", code: `url.UserPassword("ann", "abc")`},
		},
	}
}

// textFamily returns patterns.
func textFamily() *family {
	return &family{
		name: "regexp, template", path: "regexp", imports: []string{"regexp"},
		givers: []giver{
			{typ: "*regexp.Regexp", doc: "a pattern with a group", code: `regexp.MustCompile("^([a-z]+)=(.*)$")`},
			{typ: "*regexp.Regexp", doc: "a pattern of digits", code: `regexp.MustCompile("[0-9]+")`},
		},
	}
}

// templateFamily returns templates of text.
func templateFamily() *family {
	return &family{
		name: "text/template", path: "text/template", imports: []string{"text/template"},
		givers: []giver{
			{typ: "*text/template.Template", doc: "a template that prints what it is given", code: `template.Must(template.New("page").Parse("{{.}}\n"))`},
		},
	}
}

// htmlTemplateFamily returns templates of HTML.
func htmlTemplateFamily() *family {
	return &family{
		name: "html/template", path: "html/template", imports: []string{"html/template"},
		givers: []giver{
			{typ: "*html/template.Template", doc: "a template that prints what it is given", code: `template.Must(template.New("page").Parse("<p>{{.}}</p>\n"))`},
		},
	}
}

// logFamily returns loggers that write nowhere.
func logFamily() *family {
	return &family{
		name: "log", path: "log", imports: []string{"bytes", "log"},
		givers: []giver{
			{typ: "*log.Logger", doc: "a logger into memory, without the time", code: `log.New(&bytes.Buffer{}, "", 0)`},
		},
	}
}

// slogFamily returns structured loggers.
func slogFamily() *family {
	return &family{
		name: "log/slog", path: "log/slog", imports: []string{"bytes", "log/slog"},
		givers: []giver{
			{typ: "*log/slog.Logger", doc: "a logger into memory", since: "go1.21", code: `slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil))`},
			{typ: "log/slog.Handler", doc: "a handler into memory", since: "go1.21", code: `slog.NewTextHandler(&bytes.Buffer{}, nil)`},
		},
	}
}

// timeFamily returns time zones.
func timeFamily() *family {
	return &family{
		name: "time", path: "time", imports: []string{"time"},
		givers: []giver{
			{typ: "*time.Location", doc: "a zone that is not UTC", code: `time.FixedZone("CET", 3600)`},
		},
	}
}

// sortFamily returns lists that can be sorted.
func sortFamily() *family {
	return &family{
		name: "sort", path: "sort", imports: []string{"sort"},
		givers: []giver{
			{typ: "sort.Interface", doc: "numbers, one of them twice", code: `sort.IntSlice{3, 5, 7, 1, 5}`},
			{typ: "sort.Interface", doc: "numbers in order", code: `sort.IntSlice{2, 4, 6}`},
			{typ: "sort.Interface", doc: "texts", code: `sort.StringSlice{"b", "a", "c"}`},
		},
	}
}

// imageFamily returns pictures and colours.
func imageFamily() *family {
	return &family{
		name: "image", path: "image/color", imports: []string{"image", "image/color"},
		givers: []giver{
			{typ: "image/color.Color", doc: "red", code: `color.RGBA{R: 255, A: 255}`},
			{typ: "image/color.Color", doc: "a grey", code: `color.Gray{Y: 128}`},
			{typ: "image.Image", doc: "a black picture of 3 by 2 pixels", code: `image.NewRGBA(image.Rect(0, 0, 3, 2))`},
		},
	}
}

// The Go code that parsed syntax is made of: what linters and generators count, rename and look for.
const (
	goBranches = "func sign(n int) int {\n\tif n < 0 && n != -1 {\n\t\treturn -1\n\t} else if n == 0 {\n\t\treturn 0\n\t}\n\treturn 1\n}"
	goLoops    = "func count(words []string) (n int, err error) {\n\tfor i, w := range words {\n\t\tfor len(w) > i {\n\t\t\tn++\n\t\t\tbreak\n\t\t}\n\t\tswitch w {\n\t\tcase \"a\", \"b\":\n\t\t\tcontinue\n\t\tdefault:\n\t\t\tn += 2\n\t\t}\n\t}\n\treturn n, nil\n}"
	goMethod   = "// Close closes the file.\nfunc (f *File) Close() error {\n\tdefer func() { f.open = false }()\n\tgo f.wait(f.done)\n\tselect {\n\tcase <-f.done:\n\tcase f.ready <- 1:\n\t}\n\treturn f.closeAll(\"now\", 3)\n}"
	goHead     = "// Package p is an example.\npackage p\n\nimport (\n\t\"fmt\"\n\tstr \"strings\"\n)\n\n"
	goTypes    = "// Limit bounds the size.\nconst Limit = 10\n\nvar names = map[string]int{\"a\": 1}\n\n// User is a user.\ntype User struct {\n\tName string\n\tage  *int\n}\n\ntype Namer interface{ Name() (string, error) }\n"
)

// The helpers that parse texts which the package's code has a word in.
const (
	parseFileName = "parseFile"
	parseFuncName = "parseFunc"
)

// mostComments bounds the comments of the package's code that texts are made with.
const mostComments = 6

// goTexts returns Go files, or functions, with names: the usual ones, and a function with each of the comments that the package's
// code has a text for, like a linter's directive.
func goTexts(pkg *load.Package, files bool) (texts []string, names map[string]string) {
	names = make(map[string]string)
	add := func(name, text string) {
		if files {
			text = "package p\n\n" + text + "\n"
		}
		texts, names[text] = append(texts, text), name
	}
	add("branches", goBranches)
	add("loops", goLoops)
	add("method", goMethod)
	for _, comment := range commentsOf(pkg) {
		add(comment+" above", comment+"\n"+goBranches)
		add(comment+" beside", strings.Replace(goBranches, "return 0", "return 0 "+comment, 1))
	}
	if files {
		texts, names[goHead+goTypes] = append(texts, goHead+goTypes), "types"
	}
	return texts, names
}

// commentsOf returns the comments that the package's code has a text for. One that ends with a colon is followed by one of the words
// of the code.
func commentsOf(pkg *load.Package) []string {
	if pkg.Literals == nil {
		return nil
	}
	var comments []string
	add := func(comment string) {
		if len(comments) < mostComments && !slices.Contains(comments, comment) {
			comments = append(comments, comment)
		}
	}
	for _, l := range pkg.Literals.Strings {
		comment := strings.TrimSpace(l)
		if !strings.HasPrefix(comment, "//") || strings.ContainsAny(comment, "\n%") {
			continue
		}
		if strings.HasSuffix(comment, ":") {
			for _, word := range pkg.Literals.Strings {
				if token.IsIdentifier(word) && len(word) > 2 {
					add(comment + word)
				}
			}
		}
		add(comment)
	}
	return comments
}

// syntaxFamily returns the syntax of Go code: nobody writes a tree node by node.
func syntaxFamily() *family {
	parsed := func(name, doc, result, src, part string) helper {
		titles := 0
		if name == parseFileName || name == parseFuncName {
			titles = 1
		}
		return helper{doc: doc, titles: titles, code: fmt.Sprintf(`func %s(src string) %s {
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", %s, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	return f%s
}`, name, result, src, part)}
	}
	const decl, body = `"package p\n\n"+src`, `"package p\n\nfunc f() {\n"+src+"\n}"`
	f := &family{
		name: "go/ast", path: "go/ast", imports: []string{"go/ast", "go/parser", "go/token"},
		helpers: []helper{
			parsed(parseFileName, "returns the syntax of a Go file.", "*ast.File", "src", ""),
			parsed(parseFuncName, "returns the syntax of a declared function.", "*ast.FuncDecl", decl, ".Decls[0].(*ast.FuncDecl)"),
			parsed("parseDecl", "returns the syntax of a declaration that is no function.", "*ast.GenDecl", decl, ".Decls[0].(*ast.GenDecl)"),
			parsed("parseBlock", "returns the syntax of statements.", "*ast.BlockStmt", body, ".Decls[0].(*ast.FuncDecl).Body"),
			parsed("parseStmt", "returns the syntax of a statement.", "ast.Stmt", body, ".Decls[0].(*ast.FuncDecl).Body.List[0]"),
			parsed("parseDoc", "returns the comment above a declared function.", "*ast.CommentGroup", decl, ".Decls[0].(*ast.FuncDecl).Doc"),
			{doc: "returns the syntax of an expression.", code: `func parseExpr(src string) ast.Expr {
	x, err := parser.ParseExpr(src)
	if err != nil {
		panic(err)
	}
	return x
}`},
		},
		givers: []giver{
			{typ: "*go/token.FileSet", doc: "an empty set of files", code: `token.NewFileSet()`},
			{typ: "*go/ast.Ident", doc: "a name", code: `ast.NewIdent("name")`},
		},
	}
	add := func(typ, doc, helper, src string) {
		f.givers = append(f.givers, giver{typ: typ, doc: doc, code: fmt.Sprintf("%s(%q)", helper, src), fixed: true})
	}
	add("*go/ast.File", "a file with imports, a constant, a variable and types", "parseFile", goHead+goTypes)
	add("*go/ast.File", "a file with branches", "parseFile", "package p\n\n"+goBranches+"\n")
	add("*go/ast.File", "a file with loops and a switch", "parseFile", "package p\n\n"+goLoops+"\n")
	add("*go/ast.File", "a file with a method", "parseFile", "package p\n\n"+goMethod+"\n")
	for _, typ := range []string{"*go/ast.FuncDecl", "go/ast.Decl", "go/ast.Node"} {
		add(typ, "a function with branches", "parseFunc", goBranches)
		add(typ, "a function with loops and a switch", "parseFunc", goLoops)
		add(typ, "a method with a comment", "parseFunc", goMethod)
	}
	for _, typ := range []string{"*go/ast.GenDecl", "go/ast.Decl"} {
		add(typ, "a type", "parseDecl", "// User is a user.\ntype User struct {\n\tName string\n\tage  *int\n}")
		add(typ, "constants", "parseDecl", "const (\n\tA = iota\n\tB\n)")
		add(typ, "a variable", "parseDecl", `var names = map[string]int{"a": 1}`)
		add(typ, "imports", "parseDecl", "import (\n\t\"fmt\"\n\tstr \"strings\"\n)")
	}
	add("*go/ast.BlockStmt", "a loop", "parseBlock", "for i := 0; i < 3; i++ {\n\tprintln(i)\n}")
	add("*go/ast.BlockStmt", "a branch", "parseBlock", "if a > 0 {\n\treturn\n}\nb++")
	add("*go/ast.CommentGroup", "a comment", "parseDoc", "// Close closes the file.\nfunc Close() {}")
	for _, x := range []string{`a && !b`, `fmt.Println("hello", 1)`, `p.Name`, `name`, `[]int{1, 2}`, `a + 2*b`, `-a`, `func(n int) int { return n }`, `*p`, `list[0]`, `map[string][]int`, `interface{ Name() string }`} {
		add("go/ast.Expr", "an expression", "parseExpr", x)
	}
	for _, s := range []string{
		"if a > 0 && b {\n\treturn\n} else {\n\ta++\n}", "for i := 0; i < 3; i++ {\n\tcontinue\n}", "for _, x := range list {\n\tprintln(x)\n}", "switch a {\ncase 1, 2:\n\tbreak\ndefault:\n}",
		"a, b = b, a", "return", "defer close(c)", "go run()", "println(1)", "select {\ncase <-c:\ndefault:\n}", "switch x := v.(type) {\ncase int:\n\tprintln(x)\n}",
	} {
		add("go/ast.Stmt", "a statement", "parseStmt", s)
	}
	return f
}

// typesFamily returns types of Go code, as generators and linters ask about them: what a type expression or a declaration means.
func typesFamily() *family {
	spelled := func(name, doc, result, part string) helper {
		return helper{doc: doc, code: fmt.Sprintf(`func %s(src string) %s {
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, src)
	if err != nil {
		panic(err)
	}
	return tv.Type%s
}`, name, result, part)}
	}
	declared := func(name, doc, result, part string) helper {
		return helper{doc: doc, titles: 1, code: fmt.Sprintf(`func %s(src, name string) %s {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n\n"+src, 0)
	if err != nil {
		panic(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		panic(err)
	}
	return pkg.Scope().Lookup(name)%s
}`, name, result, part)}
	}
	f := &family{
		name: "go/types", path: "go/types", imports: []string{"go/ast", "go/parser", "go/token", "go/types"},
		helpers: []helper{
			spelled("typeOf", "returns the type that Go code spells.", "types.Type", ""),
			spelled("signatureOf", "returns the type of a function that Go code spells.", "*types.Signature", ".(*types.Signature)"),
			spelled("structOf", "returns the struct that Go code spells.", "*types.Struct", ".(*types.Struct)"),
			spelled("interfaceOf", "returns the interface that Go code spells.", "*types.Interface", ".(*types.Interface)"),
			declared("declaredObject", "returns what Go code declares under a name.", "types.Object", ""),
			declared("declaredType", "returns the type that Go code declares under a name.", "*types.Named", ".Type().(*types.Named)"),
			declared("declaredFunc", "returns the function that Go code declares under a name.", "*types.Func", ".(*types.Func)"),
		},
	}
	add := func(typ, doc, code string) {
		f.givers = append(f.givers, giver{typ: typ, doc: doc, code: code, fixed: true})
	}
	for _, t := range []string{"int", "string", "[]string", "*int", "map[string][]int", "error", "func(n int, names ...string) (ok bool, err error)", "struct{ Name string; age *int }", "interface{ Close() error }", "chan int", "[4]byte", "any"} {
		add("go/types.Type", "a type", fmt.Sprintf("typeOf(%q)", t))
	}
	for _, v := range [][2]string{{"n", "int"}, {"names", "[]string"}, {"err", "error"}, {"user", "*struct{ Name string }"}} {
		add("*go/types.Var", "a parameter", fmt.Sprintf("types.NewParam(token.NoPos, nil, %q, typeOf(%q))", v[0], v[1]))
	}
	const function, variadic = "func Add(a, b int) int { return a + b }", "func(n int, names ...string) (ok bool, err error)"
	const user = "type User struct {\n\tName string\n\tage  *int\n}\n\nfunc (u *User) Greet(name string) (string, error) { return name, nil }"
	for _, o := range [][2]string{{user, "User"}, {"type Closer interface {\n\tClose() error\n}", "Closer"}, {"type List[T any] []T", "List"}} {
		add("*go/types.Named", "a declared type", fmt.Sprintf("declaredType(%q, %q)", o[0], o[1]))
		add("*go/types.TypeName", "the name of a declared type", fmt.Sprintf("declaredType(%q, %q).Obj()", o[0], o[1]))
		add("go/types.Object", "a type", fmt.Sprintf("declaredObject(%q, %q)", o[0], o[1]))
	}
	add("go/types.Object", "a function", fmt.Sprintf("declaredObject(%q, %q)", function, "Add"))
	add("go/types.Object", "a variable", fmt.Sprintf("declaredObject(%q, %q)", "var Count = 3", "Count"))
	add("*go/types.Func", "a function", fmt.Sprintf("declaredFunc(%q, %q)", function, "Add"))
	add("*go/types.Signature", "the type of a function", fmt.Sprintf("signatureOf(%q)", "func(a, b int) int"))
	add("*go/types.Signature", "the type of a function with variable arguments", fmt.Sprintf("signatureOf(%q)", variadic))
	add("*go/types.Tuple", "parameters", fmt.Sprintf("signatureOf(%q).Params()", variadic))
	add("*go/types.Interface", "an interface", `interfaceOf("interface{ Close() error; Len() int }")`)
	add("*go/types.Struct", "a struct", `structOf("struct{ Name string; age *int }")`)
	add("*go/types.Package", "a package", fmt.Sprintf("declaredObject(%q, %q).Pkg()", user, "User"))
	add("*go/types.Package", "another package", `types.NewPackage("example.com/shop/v2", "shop")`)
	add("*go/types.Scope", "what a package declares", fmt.Sprintf("declaredObject(%q, %q).Parent()", user, "User"))
	return f
}
