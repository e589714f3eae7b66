package gosyntax_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/gosyntax"
)

func TestDeclName(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "", `package p
func F() {}
func (t T) M() {}
func (t *(T)) N() {}
func (t *List[E]) Add() {}
func (m Map[K, V]) Get() {}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"F", "T.M", "T.N", "List.Add", "Map.Get"} {
		if got := gosyntax.DeclName(f.Decls[i].(*ast.FuncDecl)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestNegated(t *testing.T) {
	for _, op := range []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ} {
		n, ok := gosyntax.Negated(op)
		if !ok || n == op {
			t.Errorf("%s becomes %s, %t", op, n, ok)
		}
		if back, _ := gosyntax.Negated(n); back != op {
			t.Errorf("%s becomes %s, which becomes %s", op, n, back)
		}
	}
	if _, ok := gosyntax.Negated(token.ADD); ok {
		t.Error("+ is taken for a comparison")
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"HTTPServer": "http server", "UsableIPs": "usable ips", "IsIPv4": "is ipv4", "IDsOf": "ids of", "DNSServer": "dns server", "max_size": "max size", "IPsum": "i psum", "a": "a",
	} {
		if got := strings.Join(gosyntax.Words(name), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", name, got, want)
		}
	}
}
