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

func TestImportable(t *testing.T) {
	tests := []struct {
		path, from string
		want       bool
	}{
		{"strings", "example.com/m", true},
		{"example.com/m/internal/x", "example.com/m/p", true},
		{"example.com/m/internal", "example.com/m", true},
		{"example.com/n/internal/x", "example.com/m", false},
		{"example.com/m/p/internal/x", "example.com/m/q", false},
		{"example.com/m/internal/x/internal/y", "example.com/m/internal/x/z", true},
		{"example.com/m/internal/x/internal/y", "example.com/m/p", false},
		{"internal/abi", "example.com/m", false},
		{"vendor/golang.org/x/net", "example.com/m", false},
		{"unsafe", "example.com/m", false},
	}
	for _, tt := range tests {
		if got := gosyntax.Importable(tt.path, tt.from); got != tt.want {
			t.Errorf("Importable(%q, %q) = %t, want %t", tt.path, tt.from, got, tt.want)
		}
	}
}
