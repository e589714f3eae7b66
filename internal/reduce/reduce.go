package reduce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/testcase"
)

// Runner runs sequences natively. It returns an outcome for each sequence in their
// order; native.Harness is one. An error says that no more can be run.
type Runner interface {
	Run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error)
}

// Config says how much to reduce. The zero value works.
type Config struct {
	// MaxTests is the most cases that stay for one function; 0 means 20.
	MaxTests int
	// Pure reports whether a call of the operation changes nothing that outlives it;
	// nil means that no call does.
	Pure func(*testcase.Operation) bool
	// MaxRuns bounds how many sequences are run; 0 means 20,000. When it is reached the remaining cases
	// stay as they are.
	MaxRuns int
	// Blocks describes the blocks in Outcome.Cover, by number; nil means that the runner, if it is a
	// native.Harness, is asked for them. If blocks are known, a function's tests cover its own blocks
	// even if other tests cover them by calling the function, and for cases without a recorded path the
	// decisions are computed from the coverage.
	Blocks []BlockInfo
	// Kills returns a list for each case: the mutants that it kills, as numbers that package mutate knows. With it a
	// case also stays for a mutant that no smaller case kills, and making cases smaller lets no mutant
	// survive. Nil means that mutants do not count.
	Kills func(ctx context.Context, cases []*testcase.Case) ([][]int, error)
	// Covered are the blocks that existing tests cover. No case stays for these, nor for other outcomes
	// of a function that they cover completely.
	Covered testcase.Cover
	// Split reports for which targets cases may be made from calls in cases of other targets; nil means
	// for none.
	Split func(target string) bool
	// HandBuilt reports whether a case builds an object by hand, perhaps in a state that its own
	// methods never make. Such a case stays only for a block or a mutant that no other case shows. Nil
	// means that no case does.
	HandBuilt func(*testcase.Case) bool
	// KeepSize keeps all sequences as they are and only chooses among them.
	KeepSize bool
}

// BlockInfo is a block of the package under test.
type BlockInfo struct {
	Func     string              // Target.Name of the function that contains it
	Decision *testcase.Condition // the outcome of a condition, if the block stands for one
}

// Stats counts what was done.
type Stats struct {
	Cases      int // cases that were given
	Unfit      int // cases that are no test: not run, discarded, or failing (findings are another matter)
	Redundant  int // cases that equal another one when cleaned
	Kept       int
	Statements [2]int // statements of the kept cases, before and after
	Runs       int    // sequences that were run
}

// Cases returns the cases that show something new, each as short and simple as possible, in the order of
// their targets' first occurrence and of their size. Cases without an Observed outcome are left out.
//
// If the context ends or the runner fails, Cases returns the cases that it has by then along with the error.
// Every returned case was run.
func Cases(ctx context.Context, cases []*testcase.Case, r Runner, cfg Config) ([]*testcase.Case, Stats, error) {
	st := Stats{Cases: len(cases)}
	fit := make([]*testcase.Case, 0, len(cases))
	for _, c := range cases {
		if !testable(c) {
			st.Unfit++
			continue
		}
		fit = append(fit, c)
	}
	cfg.Blocks = cfg.blocks(r)
	parts, failed := cfg.split(ctx, fit, r)
	fit = distinct(append(fit, parts...), cfg, &st)
	kills, err := cfg.kills(ctx, fit)
	if err != nil {
		cfg.Kills = nil // without time for mutants, cases are chosen without them
	}
	err = errors.Join(failed, err)
	chosen := choose(fit, cfg, kills)
	m := &minimiser{ctx: ctx, runner: r, cfg: cfg, runsLeft: cmp.Or(cfg.MaxRuns, 20_000), stats: &st}
	for _, c := range chosen {
		st.Statements[0] += c.Seq.Len()
	}
	if !cfg.KeepSize {
		before := chosen
		var failed error
		chosen, failed = m.cases(slices.Clone(chosen), nil)
		err = errors.Join(err, failed)
		if after, failed := cfg.kills(ctx, chosen); failed != nil {
			err = errors.Join(err, failed)
			kills = nil
		} else if cfg.Kills != nil {
			chosen, failed = m.keepKills(before, chosen, kills, after)
			err = errors.Join(err, failed)
		}
		// Shortened cases may have become equal, or may cover less because another case was shortened, too.
		chosen = distinct(chosen, cfg, &st)
		chosen = choose(chosen, cfg, kills)
	}
	for i, c := range chosen {
		chosen[i] = withPath(c, cfg.Blocks)
	}
	for _, c := range chosen {
		st.Statements[1] += c.Seq.Len()
	}
	st.Kept = len(chosen)
	return chosen, st, err
}

// kills returns for each case the mutants that it kills, or nil if Kills is nil.
func (cfg Config) kills(ctx context.Context, cases []*testcase.Case) (map[*testcase.Case][]int, error) {
	if cfg.Kills == nil {
		return nil, nil
	}
	list, err := cfg.Kills(ctx, cases)
	if err != nil {
		return nil, err
	}
	out := make(map[*testcase.Case][]int, len(cases))
	for i, c := range cases {
		out[c] = list[i]
	}
	return out, nil
}

// keepKills returns the smaller cases. If all smaller cases let a mutant survive that a case killed before,
// this case is made smaller only as far as it still kills the mutant. It notes in kills the mutants of the
// returned cases.
func (m *minimiser) keepKills(before, smaller []*testcase.Case, kills, after map[*testcase.Case][]int) ([]*testcase.Case, error) {
	out := slices.Clone(smaller)
	killed := map[int]bool{}
	for _, c := range smaller {
		for _, id := range after[c] {
			killed[id] = true
		}
	}
	var places []int
	var back []*testcase.Case
	var needed [][]int
	for i, c := range smaller {
		var lost []int
		for _, id := range kills[before[i]] {
			if !killed[id] {
				lost = append(lost, id)
			}
		}
		if lost == nil {
			kills[c] = after[c]
			continue
		}
		places, back, needed = append(places, i), append(back, before[i]), append(needed, lost)
		for _, id := range kills[before[i]] {
			killed[id] = true
		}
	}
	if back == nil {
		return out, nil
	}
	m.runsLeft = min(m.runsLeft, maxKillRuns)
	again, err := m.cases(back, needed)
	for k, c := range again {
		out[places[k]] = c
		if c != back[k] {
			kills[c] = needed[k] // the mutants that the case must kill in any case
		}
	}
	return out, err
}

// maxKillRuns bounds how many sequences run to make cases smaller that must kill mutants, because each
// sequence also runs against all these mutants.
const maxKillRuns = 1500

// blocks returns the blocks that the runner counts, as far as they are known.
func (cfg Config) blocks(r Runner) []BlockInfo {
	h, ok := r.(interface{ Blocks() []testcase.Block })
	if cfg.Blocks != nil || !ok {
		return cfg.Blocks
	}
	var out []BlockInfo
	for _, b := range h.Blocks() {
		block := BlockInfo{Func: b.Func}
		if b.Text != "" {
			block.Decision = &testcase.Condition{Pos: b.Pos, Text: b.Text, True: b.Value}
		}
		out = append(out, block)
	}
	return out
}

// testable reports whether a case can become a test: it returned, or its last statement panicked on purpose.
func testable(c *testcase.Case) bool {
	o := c.Observed
	switch {
	case o == nil:
		return false
	case o.Status == testcase.Returned:
		return o.Violated == ""
	}
	return o.Status == testcase.Panicked && o.Panic != nil && o.Panic.Kind == "explicit" && o.At == c.Seq.Len()-1
}

// withPath returns the case with the decisions on its path, if it has none yet: the outcomes of those
// conditions of the target that went only one way.
func withPath(c *testcase.Case, blocks []BlockInfo) *testcase.Case {
	if c.Path != nil || blocks == nil {
		return c
	}
	var path []testcase.Condition
	at := map[string]int{} // by condition: its index in path, or -1 if it went both ways
	for i, b := range blocks {
		if b.Decision == nil || b.Func != c.Target || !c.Observed.Cover.Has(i) {
			continue
		}
		key := fmt.Sprint(b.Decision.Pos, b.Decision.Text)
		if _, both := at[key]; both {
			at[key] = -1
			continue
		}
		at[key] = len(path)
		path = append(path, *b.Decision)
	}
	var out []testcase.Condition
	for i, d := range path {
		if at[fmt.Sprint(d.Pos, d.Text)] == i {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b testcase.Condition) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	named := *c
	named.Path = out
	return &named
}

// distinct drops cases that are redundant with an earlier or a smaller one.
func distinct(cases []*testcase.Case, cfg Config, st *Stats) []*testcase.Case {
	best := map[string]int{}
	var out []*testcase.Case
	for _, c := range cases {
		key := c.Target + "\n" + Key(c.Seq, cfg.Pure)
		if i, ok := best[key]; ok {
			st.Redundant++
			if size(c.Seq).less(size(out[i].Seq)) {
				out[i] = c
			}
			continue
		}
		best[key] = len(out)
		out = append(out, c)
	}
	return out
}

// choose returns the cases that show something which no smaller case shows, at most MaxTests for each target.
func choose(cases []*testcase.Case, cfg Config, kills map[*testcase.Case][]int) []*testcase.Case {
	natural, handBuilt := cfg.splitHandBuilt(cases)
	order := slices.Clone(cases)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int {
		return cmp.Or(compareBools(handBuilt[a], handBuilt[b]), cmp.Compare(a.Observed.Disliked, b.Observed.Disliked), size(a.Seq).compare(size(b.Seq)))
	})
	tested := testedBlocks(natural, cfg.Blocks)
	reached := testcase.CoverOf(natural)
	done := cfg.fullyCovered()
	shows := make([][]string, len(order))
	seen := map[string]int{} // how many of the chosen cases show each element
	var chosen []int
	for i, c := range order {
		shows[i] = elements(c, cfg, tested, done[c.Target] || handBuilt[c] && !coversBeyond(c, cfg.Blocks, reached))
		for _, id := range kills[c] {
			shows[i] = append(shows[i], "m"+strconv.Itoa(id))
		}
		isNew := false
		for _, e := range shows[i] {
			isNew = isNew || seen[e] == 0
		}
		if !isNew {
			continue
		}
		for _, e := range shows[i] {
			seen[e]++
		}
		chosen = append(chosen, i)
	}
	// A case that was chosen early may show nothing that the later, larger ones do not show. Such cases are
	// dropped, the largest first. Hand-built cases come last, and make no other case superfluous.
	uncounted := false
	for k := len(chosen) - 1; k >= 0; k-- {
		if !handBuilt[order[chosen[k]]] && !uncounted {
			uncounted = true
			for _, i := range chosen[k+1:] {
				for _, e := range shows[i] {
					seen[e]--
				}
			}
		}
		needed := false
		for _, e := range shows[chosen[k]] {
			needed = needed || seen[e] == 1
		}
		if !needed {
			for _, e := range shows[chosen[k]] {
				seen[e]--
			}
			chosen = slices.Delete(chosen, k, k+1)
		}
	}
	chosen = capped(order, chosen, shows, cmp.Or(cfg.MaxTests, 20))

	// The cases are sorted by target, in the order in which the targets came.
	rank := map[string]int{}
	for _, c := range cases {
		if _, ok := rank[c.Target]; !ok {
			rank[c.Target] = len(rank)
		}
	}
	slices.SortStableFunc(chosen, func(a, b int) int { return cmp.Compare(rank[order[a].Target], rank[order[b].Target]) })
	out := make([]*testcase.Case, len(chosen))
	for k, i := range chosen {
		out[k] = order[i]
	}
	return out
}

// capped keeps at most the given number of cases for each target: those that add most to the cases kept
// before them.
func capped(order []*testcase.Case, chosen []int, shows [][]string, most int) []int {
	perTarget := map[string][]int{}
	for _, i := range chosen {
		perTarget[order[i].Target] = append(perTarget[order[i].Target], i)
	}
	var out []int
	for _, target := range slices.Sorted(maps.Keys(perTarget)) {
		rest := perTarget[target]
		if len(rest) <= most {
			out = append(out, rest...)
			continue
		}
		seen := map[string]bool{}
		kept := 0
		for _, k := range Greedily(len(rest), func(k int) int {
			if kept == most {
				return -1
			}
			n := 0
			for _, e := range shows[rest[k]] {
				if !seen[e] {
					n++
				}
			}
			return n
		}, func(k int) {
			kept++
			for _, e := range shows[rest[k]] {
				seen[e] = true
			}
		}) {
			out = append(out, rest[k])
		}
	}
	slices.Sort(out)
	return out
}
