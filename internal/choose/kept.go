package choose

import (
	"context"
	"slices"
	"time"

	"github.com/goassay/assay/internal/choose/complete"
	"github.com/goassay/assay/internal/choose/layout"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// This file has the last steps on tests that are kept. What they pass without content gets some: an element of a list that is zero, an empty key of
// a map. Bytes that are read as numbers become small numbers. Engines and reducers end with such values because they take the same way, and
// code that forgets them passes the test as well, or nobody can check what the test wants.

// withContent gives content to what the tests leave hollow (complete.Content). A test takes it if its call ends as before, covers the same and
// notices the same mutants. A row whose point is an empty key stays. It may take half of the time that is left, and keeps the tests that it has
// changed by then.
func (m *mutantChooser) withContent(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	r := &respelling{tests: slices.Clone(tests), kills: slices.Clone(kills), long: make([]int, len(tests)), hollow: true}
	r.wants = func(i int) bool { return tests[i].Documented == "" && !tests[i].Keep }
	r.fits = func(i int, proposed *testcase.Case) bool {
		was := r.tests[i]
		return outcome.HasError(was) == outcome.HasError(proposed) && (outcome.ReturnsEmpty(was) || !outcome.ReturnsEmpty(proposed)) && !outcome.IsMisprinted(proposed)
	}
	var ways []plain.Way
	for n := range complete.MostContents {
		ways = append(ways, complete.Content(n))
	}
	const share = 2 // the part of the time left that this may take: a half
	return m.lastly(ctx, share, r, func(ctx context.Context) error { return m.step(ctx, ways, r) })
}

// lastly takes steps that give tests other values, for one part of the time that is left, of as many equal
// parts as share says. What they have changed by then is kept. The tests then run once more, and show the standard states that they
// showed before.
func (m *mutantChooser) lastly(ctx context.Context, share int, r *respelling, steps func(context.Context) error) ([]*testcase.Case, [][]int, error) {
	tests, kills := slices.Clone(r.tests), slices.Clone(r.kills)
	part, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/time.Duration(share))
	defer cancel()
	err := steps(part)
	if part.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		err = nil
	}
	if err != nil {
		return tests, kills, err
	}
	if err := m.runAgain(ctx, tests, kills, r); err != nil {
		return tests, kills, err
	}
	for i, c := range r.tests {
		if state, ok := m.standard.state[tests[i]]; ok {
			m.standard.state[c] = state
		}
	}
	return r.tests, r.kills, nil
}

// mostProbed is how many runs find out what the bytes of inputs mean.
const mostProbed = 3000

// laidOut gives tests of functions that read numbers from bytes bytes that a reader can follow (see package layout). A test takes them if it ends as
// before, covers the same and notices the same mutants.
func (m *mutantChooser) laidOut(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	const share = 4 // the part of the time left that this may take: a quarter
	r := &respelling{tests: slices.Clone(tests), kills: slices.Clone(kills), long: make([]int, len(tests)), kept: true}
	return m.lastly(ctx, share, r, func(ctx context.Context) error {
		proposals, err := m.layouts(ctx, tests)
		if err != nil || len(proposals) == 0 {
			return err
		}
		var ways []plain.Way
		for n := range layout.MostPlain {
			ways = append(ways, func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
				if of := proposals[c]; n < len(of) {
					return of[n], true
				}
				return nil, false
			})
		}
		err = m.step(ctx, ways, r)
		r.wants = func(i int) bool { return r.tests[i] != tests[i] }
		for n := 0; n < mostDropped && err == nil; n++ {
			err = m.step(ctx, []plain.Way{without(n)}, r) // calls whose results were bytes
		}
		return err
	})
}

// binaryInput returns the first bytes that the call of a test is passed, and the statement that makes them, if they may have a layout.
func (m *mutantChooser) binaryInput(c *testcase.Case) (stmt int, text string, ok bool) {
	if c.Whole || c.Documented != "" || c.Observed.Status != testcase.Returned || outcome.HasError(c) {
		return 0, "", false
	}
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		if !gosyntax.IsBytes(c.Seq.ResultTypes()[a.Stmt][a.Result]) {
			continue
		}
		at := a.Stmt
		if st := c.Seq.At(at); st.Op.Kind == testcase.OpConvert {
			at = st.Args[0].Stmt
		}
		if text, ok = plain.TextOf(m.Pkg, c.Seq, at); !ok && c.Seq.At(at).Op.Kind == testcase.OpComposite && len(c.Observed.Results[at]) == 1 {
			for _, e := range c.Observed.Results[at][0].Elems {
				text += string([]byte{byte(e.Bits)}) // some are what other calls return
			}
			ok = true
		}
		if ok {
			return at, text, len(text) > 1 && len(text) <= layout.Longest
		}
	}
	return 0, "", false
}

// layouts returns sequences of tests with inputs that are easier to read, by the test.
func (m *mutantChooser) layouts(ctx context.Context, tests []*testcase.Case) (map[*testcase.Case][]*testcase.Sequence, error) {
	type input struct {
		of   *testcase.Case
		stmt int
		text string
		from int // its first run, of the input as it is
	}
	var inputs []input
	var seqs []*testcase.Sequence
	for _, c := range tests {
		at, text, ok := m.binaryInput(c)
		if !ok || len(seqs)+len(text) >= mostProbed {
			continue
		}
		inputs = append(inputs, input{c, at, text, len(seqs)})
		seqs = append(seqs, c.Seq)
		for _, other := range layout.Probes(text) {
			seq, ok := plain.WithText(c.Seq, at, other)
			if !ok {
				return nil, nil
			}
			seqs = append(seqs, seq)
		}
	}
	outcomes, err := m.bench.Runner(false).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := make(map[*testcase.Case][]*testcase.Sequence)
	for _, in := range inputs {
		base := outcomes[in.from]
		if base == nil || base.Status != testcase.Returned {
			continue
		}
		l := layout.Learn(in.text, in.of, base, outcomes[in.from+1:in.from+1+len(in.text)])
		if l == nil {
			continue
		}
		for _, text := range l.Plain() {
			if seq, ok := plain.WithText(in.of.Seq, in.stmt, text); ok {
				out[in.of] = append(out[in.of], seq)
			}
		}
	}
	return out, nil
}

// keep returns the tests that somebody would miss, with plainer values (see respellKept), and the mutants that they kill.
func (m *mutantChooser) keep(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	tests, kills = m.needed(tests, kills)
	tests, kills, err := m.respellKept(ctx, tests, kills)
	if err != nil {
		return nil, nil, err
	}
	if tests, kills, err = m.withContent(ctx, tests, kills); err != nil {
		return nil, nil, err
	}
	if tests, kills, err = m.laidOut(ctx, tests, kills); err != nil {
		return nil, nil, err
	}
	if kills, err = m.exactKills(ctx, tests, kills); err != nil {
		return nil, nil, err
	}
	tests, kills = m.needed(tests, kills)
	return tests, kills, nil
}

// exactKills returns all mutants that tests kill. What is known of these until now may be less: a test that was added for one mutant
// was run against that mutant alone, and two tests that show the same would both be missed, each for what nobody tried on
// the other. If there is no time for it, exactKills returns what is known.
func (m *mutantChooser) exactKills(ctx context.Context, tests []*testcase.Case, known [][]int) ([][]int, error) {
	if m.planted == nil {
		return known, nil
	}
	_, kills, late, err := inTime(ctx, func(ctx context.Context) ([]*testcase.Case, [][]int, error) {
		kills, err := m.chooseFields(ctx, tests, func(int, int) bool { return true })
		return nil, kills, err
	})
	if late {
		m.MarkPartial()
		m.Debug("stages", "%s: choose: no time for all that each test kills", m.Pkg.Path)
		return known, nil
	}
	return kills, err
}

// respellKept gives those of the tests that are kept plainer values once more. What a test had to show for want of another one
// it need not show any more: an error that only its preparing call met, say. Calls in standard states keep their values.
func (m *mutantChooser) respellKept(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	r := &respelling{kept: true, fixed: make([]bool, len(tests))}
	for i, c := range tests {
		r.fixed[i] = m.standard.state[c] != container.Unknown
	}
	return m.respellAs(ctx, tests, kills, r)
}
