package scenario

import (
	"cmp"
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the stories about functions that an object is handed as any value and calls by reflection.
const (
	mostHanding = 3 // methods of one type that take such functions
	mostHeard   = 6 // functions that are tried
	heardRuns   = 6 // how often a story is run: a call that comes from another goroutine may come or not
)

// A hearing is what a story about such a function is made of.
type hearing struct {
	hands            *load.Target        // takes the function
	param            *types.Var          // where
	function         *testcase.Operation // makes it
	calls            *load.Target        // has it called
	handed           testcase.Ref        // the function as it is handed over, once a sequence has it
	waits            *load.Target        // waits for the calls, nil if they are over at once
	undoes           *load.Target        // takes the function back, nil if nothing does
	elsewhere, again bool                // the story also has others called, under another name, and this one once more
}

// hearings returns one case for each method of a type that is handed a function as any value which another method then calls: what the
// function heard, and that it hears no more once it was taken back.
func (s *subject) hearings(ctx context.Context) ([]*testcase.Case, error) {
	var out []*testcase.Case
	for _, m := range s.methods {
		params := callOf(m).Signature().Params()
		i := slices.IndexFunc(slices.Collect(params.Variables()), s.Called.Takes)
		if i < 0 || len(out) == mostHanding {
			continue
		}
		h, err := s.heardBy(ctx, hearing{hands: m, param: params.At(i)})
		if err != nil {
			return out, err
		}
		if h == nil {
			continue
		}
		c, err := s.tellHearing(ctx, *h)
		if err != nil {
			return out, err
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// heardBy returns the first function of which another method makes its object call it, with this method. Calls that come at once
// are looked for before those that have to be waited for.
func (s *subject) heardBy(ctx context.Context, h hearing) (*hearing, error) {
	waits := []*load.Target{nil}
	for _, m := range s.methods {
		if sig := m.Obj.Signature(); sig.Params().Len() == 0 && gosyntax.Words(m.Obj.Name())[0] == "wait" {
			waits = append(waits, m)
		}
	}
	callers := slices.DeleteFunc(slices.Clone(s.methods), func(m *load.Target) bool {
		return m == h.hands || slices.Contains(waits, m) || endsUse(m.Obj.Name()) || s.takesFunction(m)
	})
	passes := func(m *load.Target) int {
		if slices.ContainsFunc(slices.Collect(callOf(m).Signature().Params().Variables()), s.Called.Passes) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(callers, func(a, b *load.Target) int { return cmp.Compare(passes(a), passes(b)) })
	var tried []hearing
	for _, w := range waits {
		for _, f := range s.Called.Functions()[:min(mostHeard, len(s.Called.Functions()))] {
			for _, m := range callers {
				h.function, h.calls, h.waits = f, m, w
				tried = append(tried, h)
			}
		}
	}
	heard, err := s.heard(ctx, s.Try, tried)
	if err != nil {
		return nil, err
	}
	for i, calls := range heard {
		if len(calls) != 1 {
			continue
		}
		same, err := s.heard(ctx, s.Run, slices.Repeat(tried[i:i+1], heardRuns))
		if err != nil {
			return nil, err
		}
		if len(same) == heardRuns && !slices.ContainsFunc(same, func(other []string) bool { return !slices.Equal(other, calls) }) {
			return &tried[i], nil
		}
	}
	return nil, nil
}

// takesFunction reports whether a method takes a function as any value.
func (s *subject) takesFunction(m *load.Target) bool {
	return slices.ContainsFunc(slices.Collect(callOf(m).Signature().Params().Variables()), s.Called.Takes)
}

// tellHearing returns the case about a function that is called, with what takes it back, or nil if it does not hold each time.
func (s *subject) tellHearing(ctx context.Context, h hearing) (*testcase.Case, error) {
	var tried []hearing
	twice := h
	twice.again = true
	for _, m := range s.methods {
		if m != h.hands && m != h.calls && m != h.waits && s.mayChange(m) && (s.takesFunction(m) || takesBound(h.hands, m)) {
			for _, elsewhere := range []bool{true, false} {
				with := h
				with.undoes, with.elsewhere = m, elsewhere
				tried = append(tried, with)
			}
		}
	}
	// What takes the function itself is told before what takes only the name that it was handed over with.
	slices.SortStableFunc(tried, func(a, b hearing) int {
		place := func(h hearing) int {
			if s.takesFunction(h.undoes) {
				return 0
			}
			return 1
		}
		return cmp.Compare(place(a), place(b))
	})
	other := h
	other.elsewhere = true
	tried = append([]hearing{twice}, append(tried, other, h)...)
	heard, err := s.heard(ctx, s.Run, tried)
	if err != nil || len(heard) == 0 {
		return nil, err
	}
	for i, calls := range heard {
		// Nothing shows that a function was taken back which is called no more than once.
		if i == 0 || len(calls) != 1 || tried[i].undoes != nil && len(heard[0]) != 2 {
			continue
		}
		c, err := s.holds(ctx, tried[i], calls)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// holds returns the case of a hearing if the function hears the same in each of several runs, else nil.
func (s *subject) holds(ctx context.Context, h hearing, calls []string) (*testcase.Case, error) {
	seq, begins, parts, ok := s.hearingSequence(h)
	if !ok {
		return nil, nil
	}
	outcomes, err := s.Run(ctx, slices.Repeat([]*testcase.Sequence{seq}, heardRuns))
	if err != nil || len(outcomes) < heardRuns {
		return nil, err
	}
	about := h.calls.Obj.Name() + " calls what " + h.hands.Obj.Name() + " was given"
	methods := []string{h.calls.Obj.Name()}
	if h.undoes != nil {
		methods = append(methods, h.undoes.Obj.Name())
		about += ", until " + h.undoes.Obj.Name() + " takes it back"
	}
	story := &testcase.Story{Methods: methods, About: about + ".", Begins: begins, Parts: parts}
	c := &testcase.Case{Package: s.Pkg.Path, Target: h.hands.Name, Engine: "scenario", Seq: seq, Story: story, Whole: true, Keep: true, Observed: outcomes[0]}
	for _, o := range outcomes {
		if got, ok := whatWasHeard(seq, o); !ok || !slices.Equal(got, calls) || o.Unsteady(c.TargetStmt()) {
			return nil, nil
		}
	}
	return c, nil
}

// heard returns what the functions of hearings were called with, each as text, nil where that is not known.
func (s *subject) heard(ctx context.Context, run Run, of []hearing) ([][]string, error) {
	var seqs []*testcase.Sequence
	var places []int
	for i, h := range of {
		if seq, _, _, ok := s.hearingSequence(h); ok {
			seqs, places = append(seqs, seq), append(places, i)
		}
	}
	out := make([][]string, len(of))
	if len(seqs) == 0 {
		return out, nil
	}
	outcomes, err := run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	for k, o := range outcomes {
		if calls, ok := whatWasHeard(seqs[k], o); ok {
			out[places[k]] = calls
		}
	}
	return out, nil
}

// whatWasHeard returns the calls that the last statement of a sequence looks at, and false if the sequence did not come so far, or
// a call failed.
func whatWasHeard(seq *testcase.Sequence, o *testcase.Outcome) ([]string, bool) {
	if o == nil || o.Status != testcase.Returned || o.Violated != "" || len(o.Results) < seq.Len() {
		return nil, false
	}
	if slices.ContainsFunc(o.Results, failed) {
		return nil, false
	}
	return heardAt(o, seq.Len()-1)
}

// hearingSequence returns the sequence of a hearing, the statement that hands the function over, and the one that takes it back. It
// returns false if some argument cannot be made.
func (s *subject) hearingSequence(h hearing) (seq *testcase.Sequence, begins int, parts []int, ok bool) {
	helper := s.Recorders.Of(h.function.Type, cmp.Or(strings.Trim(h.param.Name(), "_"), "f"))
	if helper == nil {
		return nil, 0, nil, false
	}
	b := &testcase.Builder{}
	object := b.Append(s.make)
	function := b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: helper.Func, Via: helper}, b.Add(h.function))
	h.handed, ok = function, true
	call := func(m *load.Target, named, number int) {
		op := callOf(m)
		args, fits := s.hearingArguments(b, h, m, named, number)
		ok = ok && fits
		if fits {
			b.Add(op, append([]testcase.Ref{object}, args...)...)
		}
	}
	calls := func(named, number int) {
		call(h.calls, named, number)
		if h.waits != nil {
			call(h.waits, named, number)
		}
	}
	call(h.hands, first, first)
	begins = b.Len() - 1
	calls(first, first)
	if h.elsewhere {
		if !namesBound(h.hands, h.calls) {
			return nil, 0, nil, false
		}
		calls(absent, second)
	}
	if h.undoes != nil {
		call(h.undoes, first, first)
		parts = append(parts, b.Len()-1)
	}
	if h.undoes != nil || h.again {
		calls(first, second)
	}
	b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: types.NewSlice(types.Typ[types.String])}, testcase.Ref{Stmt: function.Stmt, Result: 1})
	return b.Sequence(), begins, parts, ok
}

// namesBound reports whether two methods take a text for the same: the topic that a function is handed over for.
func namesBound(hands, calls *load.Target) bool {
	for p := range callOf(calls).Signature().Params().Variables() {
		if basic, ok := p.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 && bound(hands, p) >= 0 {
			return true
		}
	}
	return false
}

// hearingArguments appends the arguments of a call in a hearing: the function wherever one is taken, what fits its parameters
// where arguments are passed on, and the values of a number, by the names that the function was handed over with, elsewhere.
func (s *subject) hearingArguments(b *testcase.Builder, h hearing, m *load.Target, named, number int) ([]testcase.Ref, bool) {
	sig := callOf(m).Signature()
	takes := h.function.Type.(*types.Signature).Params()
	var out []testcase.Ref
	next := 0 // the parameter of the function that is passed next
	pass := func() bool {
		p := takes.At(next)
		ref, ok := s.values.add(b, p.Type(), "", next, number)
		out, next = append(out, ref), next+1
		return ok
	}
	for k := range sig.Params().Len() {
		p := sig.Params().At(k)
		last := sig.Variadic() && k == sig.Params().Len()-1
		switch {
		case s.Called.Takes(p):
			out = append(out, h.handed)
		case s.Called.Passes(p) && last:
			for next < takes.Len() {
				if !pass() {
					return nil, false
				}
			}
		case s.Called.Passes(p):
			if next < takes.Len() && load.IsNamed(takes.At(next).Type(), "context", "Context") {
				next++ // which the code passes by itself
			}
			if next == takes.Len() || !pass() {
				return nil, false
			}
		case last:
		default:
			of, place := p, k
			if j := bound(h.hands, p); j >= 0 && m != h.hands {
				of, place = callOf(h.hands).Signature().Params().At(j), j
			}
			n := first
			if basic, ok := p.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
				n = named
			}
			ref, ok := s.values.add(b, p.Type(), of.Name(), place, n)
			if !ok {
				return nil, false
			}
			out = append(out, ref)
		}
	}
	return out, next == takes.Len() || !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), s.Called.Passes)
}
