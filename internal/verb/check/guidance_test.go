package check

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
)

// limits bounds the exploration of a function, in the same way for all modes of guiding.
type limits struct {
	paths, interrupts int
}

// compared calls f for each function of a package with its tallies by mode. If only is not nil, it calls f
// only for functions whose name matches.
func compared(t *testing.T, dir string, only *regexp.Regexp, l limits, f func(target *load.Target, by []*tally)) {
	how := Config{Bounds: symbolic.Budget{Paths: l.paths}, Interrupts: l.interrupts}
	_, err := session.Each(t.Context(), session.Config{Dir: dir, Run: only, Timeout: time.Hour, Seed: 1}, session.Verb{Name: "check", RunsNothing: true, Do: func(s *session.Session) error {
		return newComparison(s, how).each(f)
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// This is the example of Christakis, Müller and Wüstholz (ICSE 2016): of all paths through Deposit one
// breaks the assertion. With the modes may and both no test enters verified code, and one test remains
// beside that of the nil receiver. In the variant with a second assertion that is not verified, may prunes
// nothing, and must finds the overflow all the same.
func TestGuidanceOfDeposit(t *testing.T) {
	seen := 0
	compared(t, "../../check/testdata/subjects", regexp.MustCompile(`^Account\.Deposit`), limits{paths: 300, interrupts: interruptsPerUnit}, func(target *load.Target, by []*tally) {
		switch target.Name {
		case "Account.Deposit":
			seen++
			for _, mode := range []guide.Mode{guide.May, guide.Both} {
				// The other test is that of the nil receiver, which returns at once.
				if got := by[mode].runs; got.Failing != 1 || got.All() != 2 {
					t.Errorf("%s: %d tests, %d of them failing; want the one that fails, and the nil receiver's", guide.ModeNames()[mode], got.All(), got.Failing)
				}
			}
			for _, mode := range []guide.Mode{guide.Unguided, guide.Annotated, guide.Must} {
				if got := by[mode].runs; got.Failing == 0 || got.Redundant <= 5 {
					t.Errorf("%s: %d redundant tests, %d failing; want those of the verified paths too", guide.ModeNames()[mode], got.Redundant, got.Failing)
				}
			}
		case "Account.DepositChecked":
			seen++
			for mode, got := range by {
				if got.runs.Failing == 0 {
					t.Errorf("%s finds no overflow", guide.ModeNames()[mode])
				}
			}
		}
	})
	if seen != 2 {
		t.Errorf("%d of the examples are there", seen)
	}
}

// An exact executor that is not cut off meets the same unverified executions in each mode: each mode has the
// same number of tests that differ in their decisions before the last assertion whose premise does not hold.
// If a mode prunes verified code behind that assertion, one test remains of several that share these
// decisions, so there may be fewer tests that are not redundant. (There are more if a condition of the guide
// divides the inputs of one path into those for which a premise holds and the others.)
func TestGuidanceIsExact(t *testing.T) {
	// The tests that the unguided ways make of two functions, those that show the same in one line: docs/benchmarks.md has them.
	// Under may one test of each line is left.
	groups := map[string][]string{
		"Max3": {
			"Max3(nil, nil, nil)",
			"v1 := &0; Max3(v1, nil, nil)",
			"v1 := &0; v3 := &0; Max3(v1, v3, nil)",
			"v1 := &0; v3 := &0; v5 := &0; Max3(v1, v3, v5) | v1 := &1; v3 := &0; v5 := &2; Max3(v1, v3, v5)",
			"v1 := &0; v3 := &1; Max3(v1, v3, nil)",
			"v1 := &0; v3 := &1; v5 := &2; Max3(v1, v3, v5) | v1 := &0; v3 := &2; v5 := &1; Max3(v1, v3, v5)",
		},
		"Capital": {`Capital("")`, `Capital("0") | Capital("a") | Capital("{")`},
	}
	fewer := map[string]bool{}
	functions := 0
	only := regexp.MustCompile(`^(Average|CeilDiv|Discount|Triangle|Area|Overlap|Scale|Account\.Interest|Chunk|Matrix|Node\.Last|Swap|Max3|Largest|Inventory\.Add|Order\.Pay|Meter\.Read|Capital)$`)
	compared(t, "../../check/testdata/subjects", only, limits{paths: 1000}, func(target *load.Target, by []*tally) {
		functions++
		for mode, got := range by {
			if len(got.bounds) > 0 {
				t.Errorf("%s: %s was cut off: %v", target, guide.ModeNames()[mode], got.bounds)
			}
		}
		if !allEqual(by, func(a *tally) int { return a.unverified }) {
			t.Errorf("%s: not every way meets the same unverified executions", target)
		}
		// Each test of the one way shows the same as a test of the other way: the same assertions whose premises do not
		// hold, after the same decisions, with the same failure. What it meets besides is verified.
		kept := map[string]bool{}
		for _, k := range by[guide.May].ran {
			kept[k.shows] = true
		}
		for _, lost := range by[guide.Annotated].ran {
			if !kept[lost.shows] {
				t.Errorf("%s: no test under may shows what %s does: %s", target, lost.call, lost.shows)
			}
		}
		if want, ok := groups[target.String()]; ok {
			if got := grouped(by[guide.Annotated].ran); !slices.Equal(got, want) {
				t.Errorf("%s: tests that show the same: %q, want %q", target, got, want)
			}
		}
		if by[guide.May].nonRedundant() < by[guide.Annotated].nonRedundant() {
			fewer[target.String()] = true
			if by[guide.May].runs.All() >= by[guide.Annotated].runs.All() {
				t.Errorf("%s: may has not fewer tests", target)
			}
		}
	})
	if functions != 18 || !fewer["Max3"] || !fewer["Capital"] {
		t.Errorf("%d functions; fewer for %v", functions, fewer)
	}
}

// grouped joins the tests that show the same.
func grouped(tests []guidedTest) (out []string) {
	by := map[string][]string{}
	for _, k := range tests {
		by[k.shows] = append(by[k.shows], k.call)
	}
	for _, calls := range by {
		slices.Sort(calls)
		out = append(out, strings.Join(calls, " | "))
	}
	slices.Sort(out)
	return out
}
