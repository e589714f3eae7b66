// Package gosyntax answers small questions about Go's syntax and types that many rooms have. There are no steps: each
// function answers one question, such as the name of a declaration in targets, the words of an identifier, or
// the opposite of a comparison.
package gosyntax

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode"
)

// DeclName returns the name of a declared function in targets: "Func", or "Type.Method".
func DeclName(d *ast.FuncDecl) string {
	if r := ReceiverName(d); r != "" {
		return r + "." + d.Name.Name
	}
	return d.Name.Name
}

// ReceiverName returns the name of a method's receiver type, without pointers and type parameters; it returns
// "" for a function, and if the source is no valid Go.
func ReceiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.ParenExpr:
			t = u.X
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.Ident:
			return u.Name
		default:
			return ""
		}
	}
}

// Root returns the identifier that an operand begins with: x for x.F, x[i] and *x. It returns nil if the operand begins with
// something else, such as a call.
func Root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// Negated returns the comparison that holds if op does not, for numbers other than NaN. It returns
// false if op is no comparison.
func Negated(op token.Token) (token.Token, bool) {
	switch op {
	case token.EQL:
		return token.NEQ, true
	case token.NEQ:
		return token.EQL, true
	case token.LSS:
		return token.GEQ, true
	case token.GEQ:
		return token.LSS, true
	case token.GTR:
		return token.LEQ, true
	case token.LEQ:
		return token.GTR, true
	}
	return op, false
}

// Mirrored returns the comparison y op x for x op y.
func Mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// Words splits an identifier into lower-case words: "HTTPServer" into "http" and "server", "UsableIPs" into "usable" and "ips".
func Words(name string) []string {
	var out []string
	start := 0
	rs := []rune(name)
	for i := 1; i <= len(rs); i++ {
		if i == len(rs) || unicode.IsUpper(rs[i]) && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && !endsInitialism(rs[i+1:])) || rs[i] == '_' {
			if w := strings.Trim(string(rs[start:i]), "_"); w != "" {
				out = append(out, strings.ToLower(w))
			}
			start = i
		}
	}
	return out
}

// endsInitialism reports whether what follows capitals belongs to them: the s of several IPs, and the v4 of IPv4.
func endsInitialism(rest []rune) bool {
	next := func(is func(rune) bool) bool { return len(rest) > 1 && is(rest[1]) }
	return rest[0] == 's' && !next(unicode.IsLower) || rest[0] == 'v' && next(unicode.IsDigit)
}

// IsStandard reports whether an import path is one of the standard library by its look: its first part is no domain, and it is
// no package of this module. "" stands for no module.
func IsStandard(path, module string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && (module == "" || !strings.HasPrefix(path+"/", module+"/"))
}

// Importable reports whether from may import path, by the rules of internal and
// vendor directories.
func Importable(path, from string) bool {
	if strings.HasPrefix(path, "vendor/") || strings.Contains(path, "/vendor/") || path == "unsafe" || path == "C" {
		return false
	}
	rest := path
	for parent := ""; ; {
		i := strings.Index("/"+rest+"/", "/internal/")
		if i < 0 {
			return true
		}
		parent += rest[:i]
		p := strings.TrimSuffix(parent, "/")
		if p == "" || from != p && !strings.HasPrefix(from, p+"/") {
			return false
		}
		end := min(i+len("internal/"), len(rest))
		parent += rest[i:end]
		rest = rest[end:]
	}
}
