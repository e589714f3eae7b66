package standin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Nil and stand-ins are odd among elements that have an order, and not where a type is no such element.
func TestHasOddElements(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.21\n", "p.go": "package p\n\ntype Item interface{ Less(Item) bool }\n\ntype Sink interface{ Put(string) }\n\nfunc Push(x Item, s Sink) {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	givers, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	p := &Parts{Pkg: pkg, Givers: givers}
	for _, tt := range []struct {
		typ  string
		kind testcase.OpKind
		want bool
	}{{"Item", testcase.OpZero, true}, {"Item", testcase.OpStubIface, true}, {"Sink", testcase.OpZero, false}, {"Sink", testcase.OpStubIface, false}} {
		op := &testcase.Operation{Kind: tt.kind, Type: pkg.Types.Scope().Lookup(tt.typ).Type()}
		if got := p.HasOddElements(&testcase.Case{Seq: testcase.NewSequence(testcase.Statement{Op: op})}); got != tt.want {
			t.Errorf("%s %s: odd is %t, want %t", tt.kind, tt.typ, got, tt.want)
		}
	}
}
