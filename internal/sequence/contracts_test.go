package sequence

import (
	"context"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Contracts, whether by directives or by methods, are checked after each call. A sequence that breaks a
// contract is a case, the native run breaks the contract too, and no call follows the broken one.
func TestContracts(t *testing.T) {
	prog, pkg := loadDir(t, "testdata/promises")
	tests := []struct {
		typ    string
		broken []string // the last call of a case, and the contract that the call breaks
		never  string   // what no case may show
	}{
		{"Meter", []string{"Meter.Add ensures m.n == old(m.n)+k", "Meter.Sub invariant m.n >= 0"}, "negative"},
		{"Ring", []string{"Ring.CheckInvariants CheckInvariants", "Ring.CheckInvariants CheckInvariants"}, "out of range"},
		{"Half", []string{"Half.RepOK RepOK"}, "broken before"},
		{"Rat", []string{"Rat.RepOK RepOK", "Rat.RepOK RepOK"}, ""}, // by the constructor, and by a method from a valid one
		{"Zero", nil, ""},
	}
	h, err := native.Build(context.Background(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, tt := range tests {
		t.Run(tt.typ, func(t *testing.T) {
			cases := allCases(t, prog, pkg, Config{Depth: 4}, tt.typ)
			res, err := Run(context.Background(), Subject{prog, pkg, pkg.Types.Scope().Lookup(tt.typ).Type()}, Config{Depth: 4}, func(*testcase.Case) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			if res.Violations != len(tt.broken) {
				t.Errorf("%d violations, want %d", res.Violations, len(tt.broken))
			}
			seqs := make([]*testcase.Sequence, len(cases))
			for i, c := range cases {
				seqs[i] = c.Seq
			}
			outs, err := h.Run(context.Background(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for i, c := range cases {
				o := outs[i]
				if o.Status == testcase.Panicked && tt.never != "" && strings.Contains(o.Message+o.Panic.Message, tt.never) {
					t.Errorf("called on a broken object:\n%s", c.Seq)
				}
				if p := c.Predicted; p != nil && (p.Status != o.Status || p.At != o.At || p.Violated != o.Violated) {
					t.Errorf("predicted %v at %d breaks %q, observed %v at %d breaks %q\n%s", p.Status, p.At, p.Violated, o.Status, o.At, o.Violated, c.Seq)
				}
				// The harness notes a broken clause; a method reports a broken invariant by its result.
				said := o.Violated
				if name := c.Seq.Last().Op.Func.Name(); said == "" && tt.typ != "Zero" && (name == "RepOK" || name == "CheckInvariants") {
					if v := o.Results[o.At][0]; v.Kind == testcase.Bool && v.Bits == 0 || v.Kind == testcase.Interface {
						said = name
					}
				}
				if said != "" {
					broken = append(broken, c.Target+" "+said)
				}
			}
			if strings.Join(broken, "\n") != strings.Join(tt.broken, "\n") {
				t.Errorf("broken:\n%s\nwant:\n%s", strings.Join(broken, "\n"), strings.Join(tt.broken, "\n"))
			}
		})
	}
}
