package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// connName is the name of the helper that makes connections.
const connName = "conn"

// Limits of what comes from connections.
const (
	maxConnTexts = 48
	maxLines     = 12 // lines that the package's code has
	maxCodes     = 12 // replies in one dialogue
)

// connTexts returns what comes from connections: what the other end says in the protocols whose packages a package imports,
// and the lines that the package itself looks for.
func connTexts(pkg *load.Package) []string {
	out := []string{"hello\n", ""}
	for _, p := range pkg.Types.Imports() {
		switch p.Path() {
		case "net/textproto":
			out = append(out, "220 ready\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 ok\r\n221 bye\r\n", "220 ready\r\n", "500 failed\r\n", "QUIT\r\n")
		case "net/http":
			out = append(out, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		}
	}
	for _, text := range lineTexts(pkg) {
		addTo(&out, text, maxConnTexts)
	}
	return out
}

// lineTexts returns what the other end says in a protocol of lines, as the package's code has it: each line that ends with a
// line feed ("STORED\r\n"), several times, and lines that begin with what the code looks for, with a name and numbers behind
// it and as many bytes of data as the last number says, as many protocols have it ("VALUE abc 0 5\r\nhello\r\n").
func lineTexts(pkg *load.Package) []string {
	var lines, begins []string
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if s, ok := constantText(pkg, n); ok && endsLine(s) && !strings.Contains(s, "%") {
					addTo(&lines, s, maxLines)
				}
			case *ast.CallExpr:
				if s, ok := lookedFor(pkg, n); ok {
					addTo(&begins, s, maxLines)
				}
			}
			return true
		})
	}
	eol := "\n"
	if slices.ContainsFunc(lines, func(s string) bool { return strings.HasSuffix(s, "\r\n") }) {
		eol = "\r\n"
	}
	out := slices.Clone(lines)
	for _, b := range begins {
		begin := strings.TrimSpace(b)
		data := "hello" + eol
		for _, numbers := range []string{" abc 0 5", " abc 5", " 7 5", " 5"} {
			whole := begin + numbers + eol + data
			for _, end := range lines {
				if word := strings.TrimSpace(end); len(word) > 1 && len(out) < maxConnTexts && numbers == " abc 0 5" {
					out = append(out, whole+end)
				}
			}
			out = append(out, whole)
		}
		out = append(out, strings.Repeat(begin+" ready"+eol, 4))
	}
	for _, line := range lines {
		out = append(out, strings.Repeat(line, 4))
	}
	return out
}

func endsLine(s string) bool {
	return strings.HasSuffix(s, "\n") && len(s) <= 40 && strings.Count(s, "\n") == 1
}

// constantText returns the value of a constant text.
func constantText(pkg *load.Package, e ast.Expr) (string, bool) {
	tv := pkg.Info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(tv.Value), true
}

// replyWord matches what lines of replies begin with: words in capitals, or a sign and a word.
var replyWord = regexp.MustCompile(`^[+$*:-]?[A-Z]{2,12} ?$`)

// lookedFor returns the constant that a call looks for at the beginning of a text or of bytes.
func lookedFor(pkg *load.Package, c *ast.CallExpr) (string, bool) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) != 2 {
		return "", false
	}
	fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return "", false
	}
	switch fn.FullName() {
	case "strings.HasPrefix", "bytes.HasPrefix", "strings.CutPrefix", "bytes.CutPrefix", "strings.TrimPrefix", "bytes.TrimPrefix":
	default:
		return "", false
	}
	arg := ast.Unparen(c.Args[1])
	if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 { // []byte("VALUE ")
		arg = conv.Args[0]
	}
	s, ok := constantText(pkg, arg)
	return s, ok && replyWord.MatchString(s)
}

// dialogues returns, by the names of functions as targets, what the other end says in a protocol of numbered replies (as FTP,
// SMTP and NNTP are) while a function runs: a reply with each number that the code asks for, in the order of the source,
// those first that functions ask for which make the receiver. Only packages that import net/textproto have any.
func dialogues(pkg *load.Package) map[string][]string {
	if !slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "net/textproto" }) {
		return nil
	}
	d := &dialogue{pkg: pkg, decls: make(map[*types.Func]*ast.FuncDecl), known: make(map[*types.Func][]int)}
	for _, f := range pkg.Syntax {
		for _, decl := range f.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Body != nil {
				if fn, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
					d.decls[fn] = fd
				}
			}
		}
	}
	out := make(map[string][]string)
	for _, t := range pkg.Targets {
		codes := d.of(t.Obj.Origin())
		greeting := d.maker(t)
		if len(codes) == 0 && len(greeting) == 0 {
			continue
		}
		texts := []string{dialogueText(slices.Concat(greeting, codes)...)}
		if len(codes) > 0 {
			// The command is refused; and what the greeting does not have yet comes at once.
			texts = append(texts, dialogueText(append(slices.Clone(greeting), 550)...), dialogueText(codes...))
		}
		out[t.Name] = texts
	}
	return out
}

// dialogue finds the numbers of replies that functions ask for.
type dialogue struct {
	pkg   *load.Package
	decls map[*types.Func]*ast.FuncDecl
	known map[*types.Func][]int // the numbers that functions ask for
}

// dialogueText writes lines of replies with the numbers.
func dialogueText(codes ...int) string {
	var b strings.Builder
	for _, c := range codes[:min(len(codes), maxCodes)] {
		fmt.Fprintf(&b, "%d ok\r\n", c)
	}
	return b.String()
}

// maker returns the numbers that the function asks for which makes a target's receiver.
func (d *dialogue) maker(t *load.Target) []int {
	if t.Recv == nil {
		return nil
	}
	for _, other := range d.pkg.Targets {
		results := other.Obj.Signature().Results()
		if other.Recv == nil && other.Exported && results.Len() > 0 && types.Identical(results.At(0).Type(), t.Recv) {
			if codes := d.of(other.Obj); len(codes) > 0 {
				return codes
			}
		}
	}
	return nil
}

// of returns the numbers that a function asks for, and those that it calls.
func (d *dialogue) of(fn *types.Func) []int {
	if codes, ok := d.known[fn]; ok || d.decls[fn] == nil {
		return codes
	}
	d.known[fn] = nil // what calls itself asks once
	var out []int
	ast.Inspect(d.decls[fn].Body, func(n ast.Node) bool {
		if len(out) >= maxCodes {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			out = append(out, d.called(n)...)
		case *ast.BinaryExpr:
			if c, ok := d.code(n.Y); ok && (n.Op == token.EQL || n.Op == token.NEQ) {
				out = append(out, c)
			}
		case *ast.CaseClause:
			if len(n.List) > 0 {
				if c, ok := d.code(n.List[0]); ok {
					out = append(out, c)
					return false // that it comes is enough
				}
			}
		}
		return true
	})
	d.known[fn] = out[:min(len(out), maxCodes)]
	return d.known[fn]
}

// called returns the numbers that are passed to a function of the package or of net/textproto, and those that it asks for itself.
func (d *dialogue) called(call *ast.CallExpr) []int {
	callee := gosyntax.Callee(d.pkg.Info, call)
	if callee == nil || callee.Pkg() == nil || callee.Pkg() != d.pkg.Types && callee.Pkg().Path() != "net/textproto" {
		return nil
	}
	var out []int
	for _, a := range call.Args {
		if c, ok := d.code(a); ok {
			out = append(out, c)
		}
	}
	return append(out, d.of(callee)...)
}

// code returns the number of a reply that an expression is.
func (d *dialogue) code(e ast.Expr) (int, bool) {
	v := d.pkg.Info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, err := strconv.Atoi(v.ExactString())
	return n, err == nil && 200 <= n && n < 400
}
