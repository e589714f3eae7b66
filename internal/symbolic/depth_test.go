package symbolic

import (
	"context"
	"go/ast"
	"sort"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Each function of testdata/depth returns a number for each of its branches, most of which only one input in
// millions takes. For every number there must be a case that returns it, also in the native run, and every
// prediction must come true.
func TestDepth(t *testing.T) {
	prog, err := load.Load(context.Background(), load.Config{Dir: "testdata/depth"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		t.Fatal(pkg.Errors)
	}
	h, err := native.Build(context.Background(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, target := range pkg.Targets {
		if !target.Exported || target.Recv != nil {
			continue
		}
		t.Run(target.Name, func(t *testing.T) {
			var cases []*testcase.Case
			var seqs []*testcase.Sequence
			_, err := Run(context.Background(), Subject{prog, pkg, target}, Config{}, func(c *testcase.Case) bool {
				cases = append(cases, c)
				seqs = append(seqs, c.Seq)
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			outs, err := h.Run(context.Background(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			got := map[uint64]bool{}
			for i, o := range outs {
				p := cases[i].Predicted
				if o.Status == testcase.Returned {
					r := o.Results[len(o.Results)-1][0]
					got[r.Bits] = true
					if p != nil && p.Status == o.Status {
						if q := p.Results[len(p.Results)-1][0]; q.Bits != r.Bits {
							t.Errorf("predicted %d, observed %d\n%s", q.Bits, r.Bits, cases[i].Seq)
						}
					}
				}
				if p != nil && p.Status != o.Status {
					t.Errorf("predicted %v, observed %v\n%s", p.Status, o.Status, cases[i].Seq)
				}
			}
			var missing []string
			for _, w := range returned(pkg.Func(target.Obj)) {
				if !got[uint64(w[0]-'0')] {
					missing = append(missing, w)
				}
			}
			if len(missing) > 0 {
				var b strings.Builder
				for _, c := range cases {
					b.WriteString(c.Seq.String() + " " + c.Stop + "\n")
				}
				t.Errorf("no case returns %s; %d cases:\n%.2000s", strings.Join(missing, ", "), len(cases), b.String())
			}
		})
	}
}

// returned lists the digits that a function returns.
func returned(d *ast.FuncDecl) []string {
	seen := map[string]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if lit, ok := n.Results[0].(*ast.BasicLit); ok {
				seen[lit.Value] = true
			}
		}
		return true
	})
	var out []string
	for s := range seen {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}
