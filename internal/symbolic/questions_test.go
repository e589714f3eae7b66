package symbolic

import (
	"context"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Each function and method of testdata/asked but those named Keeps, the constructors and the predicates breaks an object
// that it returns or changes, for few inputs and without a branch. Some case of each shows it natively, and its inputs are
// valid.
func TestAskObjects(t *testing.T) {
	prog, err := load.Load(context.Background(), load.Config{Dir: "testdata/asked"}, ".")
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
	valid := finding.PredicatesOf(pkg)
	for _, target := range pkg.Targets {
		if load.IsPredicate(target.Obj) {
			continue
		}
		t.Run(target.Name, func(t *testing.T) {
			var seqs []*testcase.Sequence
			_, err := Run(context.Background(), Subject{prog, pkg, target}, Config{}, func(c *testcase.Case) bool {
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
			broken := false
			for i, o := range outs {
				for _, q := range valid.Questions(pkg, seqs[i], o) {
					said, err := h.Run(context.Background(), []*testcase.Sequence{q.Seq})
					if err != nil {
						t.Fatal(err)
					}
					if finding.SaysBroken(q.Seq, said[0]) {
						broken = broken || q.At == seqs[i].Len()-1
						if q.At < seqs[i].Len()-1 {
							break // the call is not to blame
						}
					}
				}
			}
			if keeps := strings.HasSuffix(target.Name, "Keeps") || strings.HasPrefix(target.Name, "New"); broken == keeps {
				t.Errorf("a call breaks an object: %v", broken)
			}
		})
	}
}
