package random_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/random"
)

var update = flag.Bool("update", false, "rewrite the expected findings in testdata")

// TestContracts: each broken contract is found, once, with a short sequence; kept ones
// are not reported; what is switched off is not checked.
func TestContracts(t *testing.T) {
	const file = "testdata/contracts.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := &ar.Files[len(ar.Files)-1]
	s := open(t, &txtar.Archive{Files: ar.Files[:len(ar.Files)-1]})
	violations := func(off map[string]bool) string {
		var b strings.Builder
		cases, _ := s.run(t, random.Config{Seed: 1, Ops: 60_000, Checks: protocol.Of(s.pkg, off)})
		for _, c := range cases {
			if c.Observed.Violated != "" {
				fmt.Fprintf(&b, "%s: %s: %s: %s\n", c.Target, c.Observed.Violated, c.Seq, c.Observed.Message)
			}
		}
		return b.String()
	}
	if got := violations(nil); got != string(want.Data) {
		if *update {
			want.Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("got\n%s\nwant\n%s", got, want.Data)
	}
	if got := violations(map[string]bool{"equal": true}); strings.Contains(got, "contract equal") || !strings.Contains(got, "contract hash") {
		t.Errorf("without the contract equal:\n%s", got)
	}
}
