package scenario

import (
	"context"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mostAsked is how many methods that show the change a story asks.
const mostAsked = 3

// compose returns the longest story of a change that ends well, or nil if none does. That Size returns what SetSize set is no story: a test of
// SetSize says so.
func (s *subject) compose(ctx context.Context, c *change) (*testcase.Case, error) {
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, t := range c.tellings() {
		seq, at, ok := s.sequence(c.main, t.steps...)
		if !ok {
			continue
		}
		t.story.Begins = at[0]
		if t.absent > 0 {
			t.story.Absent = at[t.absent]
		}
		for _, part := range t.parts {
			t.story.Parts = append(t.story.Parts, at[part])
		}
		cases = append(cases, &testcase.Case{Package: s.Pkg.Path, Target: c.main.Name, Engine: "scenario", Seq: seq, Story: &t.story, Whole: true, Keep: true})
		seqs = append(seqs, seq)
	}
	outcomes, err := s.Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	for i, told := range cases {
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status == testcase.Returned && outcomes[i].Violated == "" && !outcomes[i].Unsteady(told.TargetStmt()) {
			told.Observed = outcomes[i]
			if readsBack(told) {
				return nil, nil
			}
			if at := told.Story.Absent; at > 0 && !same(told.Observed.Results[at], c.fresh[c.methodOf(told.Seq.At(at).Op)]) {
				told.Story.Absent, told.Story.Fills = 0, false // a hash ring finds something for each key
			}
			return told, nil
		}
	}
	return nil, nil
}

// readsBack reports whether all that a case tells is that a method returns the last constant that another one was passed.
func readsBack(c *testcase.Case) bool {
	last := c.Seq.Len() - 1
	asks, sets := c.Seq.At(last), testcase.Statement{}
	for i := range last {
		if st := c.Seq.At(i); st.Op.Func != nil && testcase.TargetName(st.Op.Func) == c.Target {
			sets = st
		} else if i > c.Story.Begins && st.Op.IsCall() {
			return false // something else is asked as well
		}
	}
	if len(asks.Args) != 1 || sets.Op == nil || len(sets.Args) != 2 || len(c.Observed.Results) <= last || len(c.Observed.Results[last]) != 1 {
		return false
	}
	set, got := c.Seq.At(sets.Args[1].Stmt).Op, c.Observed.Results[last][0]
	switch {
	case set.Kind != testcase.OpLiteral:
		return false
	case got.Kind == testcase.String:
		return got.Str == set.Lit.Str
	case got.Kind == testcase.Int, got.Kind == testcase.Uint, got.Kind == testcase.Bool, got.Kind == testcase.Float:
		return got.Bits == set.Lit.Bits
	}
	return false
}

// A telling is the steps of a story.
type telling struct {
	steps []step
	parts []int // the steps with which new parts begin
	// absent is the step that asks for what is not there, 0 if none does.
	absent int
	story  testcase.Story
}

// tellings returns the stories of a change, the one that says most first: with what is absent and with all that undoes the
// change, then without the one or the other.
func (c *change) tellings() []telling {
	still := slices.DeleteFunc(slices.Clone(c.shown), func(r *load.Target) bool { return c.moves[r] })
	asked := c.someOf(still)
	keyed := slices.DeleteFunc(slices.Clone(asked), func(r *load.Target) bool { return !c.takes[r] })
	undone := c.undoing()
	var out []telling
	for _, shown := range [][]*load.Target{asked, keyed} { // what lists all elements may list them in another order each time
		for n := len(undone); n >= 0 && len(shown) > 0; n-- {
			for _, withAbsent := range []bool{true, false} {
				out = append(out, c.telling(shown, undone[:n], withAbsent))
			}
		}
	}
	return out
}

// someOf returns the methods that a story asks: those that are asked for what the change was given, and of the others one at least.
func (c *change) someOf(shown []*load.Target) []*load.Target {
	keyed := slices.DeleteFunc(slices.Clone(shown), func(r *load.Target) bool { return !c.takes[r] })
	others := slices.DeleteFunc(slices.Clone(shown), func(r *load.Target) bool { return c.takes[r] })
	keyed = keyed[:min(len(keyed), mostAsked-min(1, len(others)))]
	return append(keyed, others[:min(len(others), mostAsked-len(keyed))]...)
}

// methodOf returns the method that an operation calls.
func (c *change) methodOf(op *testcase.Operation) *load.Target {
	i := slices.IndexFunc(c.shown, func(r *load.Target) bool { return r.Obj == op.Func })
	return c.shown[max(i, 0)]
}

// undoing returns the methods that a story undoes the change by: one that says what is to be undone first, then one that does
// not. Those that do nothing else are told before those that are asked as well: Remove before Pop.
func (c *change) undoing() []*load.Target {
	asked := func(u *load.Target) bool { return slices.Contains(c.shown, u) }
	silent := slices.DeleteFunc(slices.Clone(c.undone), asked)
	undone := slices.Concat(silent, slices.DeleteFunc(slices.Clone(c.undone), func(u *load.Target) bool { return !asked(u) }))
	var out []*load.Target
	for _, taking := range []bool{true, false} {
		if i := slices.IndexFunc(undone, func(u *load.Target) bool { return c.takes[u] == taking }); i >= 0 {
			out = append(out, undone[i])
		}
	}
	return out
}

func (c *change) telling(shown, undone []*load.Target, withAbsent bool) telling {
	steps, asked := []step{{c.main, first}, {c.main, second}}, 0
	for _, r := range shown {
		steps = append(steps, step{r, first})
		if c.takes[r] && r == shown[0] {
			steps = append(steps, step{r, second})
			if withAbsent {
				asked = len(steps)
				steps = append(steps, step{r, absent})
			}
		}
	}
	var parts []int
	for _, u := range undone {
		parts = append(parts, len(steps))
		steps = append(steps, step{u, first})
		for i, r := range shown {
			switch {
			case i > 0 && c.takes[r]:
			case c.takes[r] && c.takes[u]:
				steps = append(steps, step{r, first}, step{r, second})
			case c.takes[r]:
				steps = append(steps, step{r, second})
			default:
				steps = append(steps, step{r, first})
			}
		}
	}
	story := testcase.Story{Methods: []string{shown[0].Obj.Name()}, Fills: c.takes[shown[0]]}
	story.About = names(shown) + verb(shown, " shows", " show") + " what " + c.main.Obj.Name() + " has done"
	if len(undone) > 0 {
		story.Methods = append(story.Methods, undone[0].Obj.Name())
		story.About += ", and " + names(undone) + verb(undone, " undoes", " undo") + " it"
	}
	story.About += "."
	return telling{steps, parts, asked, story}
}

// names lists the names of methods in words.
func names(methods []*load.Target) string {
	var out []string
	for _, m := range methods {
		out = append(out, m.Obj.Name())
	}
	if len(out) == 1 {
		return out[0]
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}

func verb(of []*load.Target, one, several string) string {
	if len(of) == 1 {
		return one
	}
	return several
}
