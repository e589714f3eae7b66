package random_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/random"
)

// TestContracts: each broken contract is found, once, with a sequence that is not long;
// kept ones are not reported; what is switched off is not checked.
func TestContracts(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/contracts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	want := string(ar.Files[len(ar.Files)-1].Data)
	s := open(t, &txtar.Archive{Files: ar.Files[:len(ar.Files)-1]})
	violations := func(off map[string]bool) string {
		var out []string
		cases, _ := s.run(t, random.Config{Seed: 1, Ops: 60_000, Checks: protocol.Of(s.pkg, off)})
		for _, c := range cases {
			if c.Observed.Violated == "" {
				continue
			}
			out = append(out, c.Target+": "+c.Observed.Violated+"\n")
			if c.Seq.Len() > 24 {
				t.Errorf("long: %s", c.Seq)
			}
		}
		slices.Sort(out)
		return strings.Join(out, "")
	}
	if got := violations(nil); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := violations(map[string]bool{"equal": true}); strings.Contains(got, "contract equal") || !strings.Contains(got, "contract hash") {
		t.Errorf("without the contract equal:\n%s", got)
	}
}
