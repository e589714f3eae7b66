package campaign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/emit"
)

// mostReasons is how many reasons of one test are shown.
const mostReasons = 6

// debugWhy prints for each written test, row and subtest why it is there: the mutants that only it
// kills, the outcome that only it shows, the blocks that only it covers.
func (g *gen) debugWhy(suite *verify.Suite) {
	if !g.cfg.Debug["why"] {
		return
	}
	for _, f := range suite.Files {
		for _, t := range f.Tests {
			for i, c := range t.Cases {
				g.Debug("why", "%s: %s", whichCase(f, t, i), reasons(suite.Why[c.Seq]))
			}
		}
	}
}

// whichCase names a case of a test.
func whichCase(f emit.File, t emit.Test, i int) string {
	name := fmt.Sprintf("%s: %s", filepath.Base(f.Path), t.Name)
	if i < len(t.Rows) && t.Rows[i] != "" {
		name += "/" + t.Rows[i]
	}
	return name
}

// reasons joins the reasons to one line.
func reasons(why []string) string {
	if n := len(why) - mostReasons; n > 0 {
		why = append(append([]string(nil), why[:mostReasons]...), fmt.Sprintf("and %d more", n))
	}
	return cmp.Or(strings.Join(why, "; "), "nothing alone: it was not weighed against the others")
}
