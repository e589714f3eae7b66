package scenario

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A step is a call of a method with the values of a number.
type step struct {
	method *load.Target
	n      int
}

// A change is a method that changes its object, with what was learnt about it.
type change struct {
	main   *load.Target
	shown  []*load.Target                    // by these methods, those that take what the change was given first
	undone []*load.Target                    // by these methods
	takes  map[*load.Target]bool             // methods that take something that the change was given
	moves  map[*load.Target]bool             // of shown, those that change the object themselves: Pop
	fresh  map[*load.Target][]testcase.Value // what those of shown return on a fresh object
}

// sequence returns the sequence that makes an object and takes the steps, and the statements of the steps. The arguments of all
// steps are those of a change by the main method. It returns false if some argument cannot be made.
func (s *subject) sequence(main *load.Target, steps ...step) (*testcase.Sequence, []int, bool) {
	b := &testcase.Builder{}
	object := b.Append(s.make)
	var at []int
	for _, st := range steps {
		op := callOf(st.method)
		args, ok := s.values.arguments(b, op, func(p *types.Var, k int) (testcase.Ref, bool) {
			if st.method == main {
				return s.values.add(b, p.Type(), p.Name(), k, st.n)
			}
			if j := bound(main, p); j >= 0 {
				of := callOf(main).Signature().Params().At(j)
				return s.values.add(b, p.Type(), of.Name(), j, st.n)
			}
			if isBytes(p.Type()) {
				return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Type()}), true // a buffer to append to
			}
			return s.values.add(b, p.Type(), p.Name(), k, other)
		})
		if !ok {
			return nil, nil, false
		}
		b.Add(op, append([]testcase.Ref{object}, args...)...)
		at = append(at, b.Len()-1)
	}
	return b.Sequence(), at, true
}

func callOf(m *load.Target) *testcase.Operation {
	return &testcase.Operation{Kind: testcase.OpMethod, Func: m.Obj, TypeArgs: m.TypeArgs}
}

// bound returns which parameter of the main method takes the same as a parameter of another method: that of its name and type,
// or else the first one of its type, unless the other's name says that the result is written to it. It returns -1 if none does.
func bound(main *load.Target, p *types.Var) int {
	params := callOf(main).Signature().Params()
	same := -1
	for j := range params.Len() {
		of := params.At(j)
		if !types.Identical(of.Type(), p.Type()) {
			continue
		}
		if of.Name() == p.Name() {
			return j
		}
		if same < 0 && !isBuffer(p.Name()) {
			same = j
		}
	}
	return same
}

// isBuffer reports whether a parameter's name says that the result is written to it.
func isBuffer(name string) bool { return slices.Contains([]string{"dst", "buf", "out", "dest"}, name) }

// takesBound reports whether a method takes something that the main one takes.
func takesBound(main, m *load.Target) bool {
	for p := range callOf(m).Signature().Params().Variables() {
		if bound(main, p) >= 0 {
			return true
		}
	}
	return false
}

// trials are runs of steps on fresh objects.
type trials struct {
	s     *subject
	seqs  []*testcase.Sequence
	last  []int
	place map[string]int // by what is tried
	known map[string]int // by the text of the sequence: two trials may be the same
}

func (s *subject) trials() *trials {
	return &trials{s: s, place: make(map[string]int), known: make(map[string]int)}
}

func trialKey(main *load.Target, steps []step) string {
	key := main.Name
	for _, st := range steps {
		key += fmt.Sprint(" ", st.method.Name, st.n)
	}
	return key
}

func (t *trials) add(main *load.Target, steps ...step) {
	seq, at, ok := t.s.sequence(main, steps...)
	if !ok {
		return
	}
	i, ok := t.known[seq.Key()]
	if !ok {
		i = len(t.seqs)
	}
	t.place[trialKey(main, steps)], t.known[seq.Key()] = i, i
	if ok {
		return
	}
	t.seqs, t.last = append(t.seqs, seq), append(t.last, at[len(at)-1])
}

// answers has the trials run and returns what the last steps returned, by what was tried, for those that returned and
// whose results are the same in each run.
func (t *trials) answers(ctx context.Context, run Run) (map[string][]testcase.Value, error) {
	outcomes, err := run(ctx, t.seqs)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]testcase.Value)
	for key, i := range t.place {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned || outcomes[i].Violated != "" || outcomes[i].Unsteady(t.last[i]) {
			continue
		}
		if results := outcomes[i].Results; t.last[i] < len(results) {
			out[key] = results[t.last[i]]
		}
	}
	return out, nil
}

// learnInTime returns the main change of the subject's type, or nil if no method shows what another does. It takes half of the
// time that is left, and what was learnt by then counts.
func (s *subject) learnInTime(ctx context.Context) (*change, error) {
	part, cancel := half(ctx)
	defer cancel()
	var all []*change
	for _, main := range s.changing() {
		c, err := s.learn(part, main)
		if err != nil && part.Err() != nil && ctx.Err() == nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if c != nil {
			all = append(all, c)
		}
	}
	all, err := s.steadyOnes(ctx, all)
	if err != nil {
		return nil, err
	}
	best := mainOf(all)
	if best == nil {
		return nil, nil
	}
	if open := slices.DeleteFunc(slices.Clone(best.shown), isClosed); len(open) > 0 {
		best.shown = open
	}
	fillsPage := func(r *load.Target) bool { return slices.ContainsFunc(best.fresh[r], testcase.Value.FillsPage) }
	if short := slices.DeleteFunc(slices.Clone(best.shown), fillsPage); len(short) > 0 {
		best.shown = short
	}
	changes := make(map[*load.Target]bool)
	for _, c := range all {
		changes[c.main] = true
	}
	slices.SortStableFunc(best.shown, func(a, b *load.Target) int { return best.place(a, changes[a]) - best.place(b, changes[b]) })
	return best, nil
}

// steadyOnes returns the changes without the methods whose answer differs from object to object: a key that each object makes for itself is not what a
// call has done. Changes that nothing else shows are left out.
func (s *subject) steadyOnes(ctx context.Context, all []*change) ([]*change, error) {
	t := s.trials()
	for _, c := range all {
		for _, r := range c.shown {
			t.add(c.main, step{r, first})
		}
	}
	steady, err := t.answers(ctx, s.Run)
	if err != nil {
		return nil, err
	}
	var out []*change
	for _, c := range all {
		c.shown = slices.DeleteFunc(c.shown, func(r *load.Target) bool {
			answer, ok := steady[trialKey(c.main, []step{{r, first}})]
			return !ok || !same(answer, c.fresh[r])
		})
		if len(c.shown) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// half returns a context that ends when half of the time is over that is left.
func half(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Until(deadline)/2)
	}
	return context.WithCancel(ctx)
}

// mainOf returns the change that a person would tell: among those that are shown by at least half as many methods as any other,
// the one with the plainest name. Set is told before GetOrSet and SetBig.
func mainOf(all []*change) *change {
	most := 0
	for _, c := range all {
		most = max(most, c.worth())
	}
	var best *change
	for _, c := range all {
		if 2*c.worth() < most {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(len(gosyntax.Words(c.main.Obj.Name())), len(gosyntax.Words(best.main.Obj.Name()))), cmp.Compare(best.worth(), c.worth())) < 0 {
			best = c
		}
	}
	return best
}

// changing returns the methods that may change their object, those first that are given something to put into it.
func (s *subject) changing() []*load.Target {
	out := slices.DeleteFunc(slices.Clone(s.methods), func(m *load.Target) bool { return !s.mayChange(m) })
	slices.SortStableFunc(out, func(a, b *load.Target) int {
		return min(1, b.Obj.Signature().Params().Len()) - min(1, a.Obj.Signature().Params().Len())
	})
	return out
}

// mayChange reports whether a method may change its object, which can be used behind it.
func (s *subject) mayChange(m *load.Target) bool {
	return !s.ReadsOnly(callOf(m)) && !endsUse(m.Obj.Name())
}

// learn returns what other methods show of a change by one method, or nil if they show nothing.
func (s *subject) learn(ctx context.Context, main *load.Target) (*change, error) {
	t := s.trials()
	t.add(main, step{main, first})
	for _, r := range s.methods {
		if r != main && s.mayAsk(r) {
			t.add(main, step{r, first})
			t.add(main, step{main, first}, step{r, first})
		}
	}
	got, err := t.answers(ctx, s.Try)
	if err != nil {
		return nil, err
	}
	if results, ok := got[trialKey(main, []step{{main, first}})]; !ok || failed(results) {
		return nil, nil
	}
	c := &change{main: main, takes: make(map[*load.Target]bool), moves: make(map[*load.Target]bool), fresh: make(map[*load.Target][]testcase.Value)}
	for _, r := range s.methods {
		before, okBefore := got[trialKey(main, []step{{r, first}})]
		after, okAfter := got[trialKey(main, []step{{main, first}, {r, first}})]
		if r != main && okBefore && okAfter && !same(before, after) && !failed(after) {
			c.shown = append(c.shown, r)
			c.takes[r], c.fresh[r] = takesBound(main, r), before
		}
	}
	if len(c.shown) == 0 {
		return nil, nil
	}
	return c, nil
}

// sharesName reports whether a method takes nothing, or something that the main one takes by the same name: what it is asked for. A
// parameter that has only its type in common with another may be anything.
func sharesName(main, m *load.Target) bool {
	params := callOf(m).Signature().Params()
	for p := range params.Variables() {
		for q := range callOf(main).Signature().Params().Variables() {
			if p.Name() == q.Name() && types.Identical(p.Type(), q.Type()) {
				return true
			}
		}
	}
	return params.Len() == 0
}

// mayAsk reports whether a method may be a question: it returns something beside an error, or changes nothing. What returns its own object to go
// on with, as builders do, is none.
func (s *subject) mayAsk(r *load.Target) bool {
	results := callOf(r).Signature().Results()
	if results.Len() == 1 && types.Identical(results.At(0).Type(), r.Recv) {
		return false
	}
	return results.Len() > 1 || results.Len() == 1 && (!gosyntax.IsError(results.At(0).Type()) || s.ReadsOnly(callOf(r)))
}

// isClosed reports whether a method returns an object or something behind an interface with methods, which a test has to ask in turn.
func isClosed(r *load.Target) bool {
	for v := range callOf(r).Signature().Results().Variables() {
		switch u := v.Type().Underlying().(type) {
		case *types.Pointer, *types.Signature, *types.Chan:
			return true
		case *types.Interface:
			if u.NumMethods() > 0 && !gosyntax.IsError(v.Type()) {
				return true
			}
		}
	}
	return false
}

// place says how early a method that shows a change is asked: before others those that only read and take what the change was
// given, among these those that return the rest of what it was given, and those last that return objects.
func (c *change) place(r *load.Target, changes bool) int {
	place := 0
	if changes {
		place += 8 // it shows what the main method does, and does something itself
	}
	if !c.takes[r] {
		place += 4
	}
	if isClosed(r) {
		place++
	}
	returnsGiven := false
	for v := range callOf(r).Signature().Results().Variables() {
		for p := range callOf(c.main).Signature().Params().Variables() {
			returnsGiven = returnsGiven || types.Identical(p.Type(), v.Type())
		}
	}
	if !returnsGiven {
		place += 2
	}
	return place
}

// worth is by how many methods a change is shown; those count more which take what the change was given.
func (c *change) worth() int {
	const taking = 3
	n := 0
	for _, r := range c.shown {
		if n++; c.takes[r] {
			n += taking - 1
		}
	}
	return n
}

// mostShown is how many methods are asked whether a change was undone.
const mostShown = 4

// learnUndoing finds out which methods undo a change, and which methods that show it change the object as well. It takes half of
// the time that is left; if that is too short, nothing is known to undo the change.
func (s *subject) learnUndoing(ctx context.Context, c *change) error {
	t := s.trials()
	shown := slices.Clone(c.shown[:min(len(c.shown), mostShown)])
	for _, r := range c.shown {
		t.add(c.main, step{c.main, first}, step{r, first})
		t.add(c.main, step{c.main, first}, step{r, first}, step{r, first})
	}
	probes := slices.DeleteFunc(slices.Clone(s.methods), func(o *load.Target) bool {
		return o == c.main || o.Obj.Signature().Params().Len() > 0 || o.Obj.Signature().Results().Len() == 0
	})
	for _, r := range c.shown {
		if !sharesName(c.main, r) {
			for _, o := range probes {
				t.add(c.main, step{o, first})
				t.add(c.main, step{r, second}, step{o, first})
			}
		}
	}
	for _, r := range shown {
		t.add(c.main, step{r, first})
		for _, u := range s.methods {
			if u != c.main && u != r && s.mayChange(u) {
				t.add(c.main, step{c.main, first}, step{u, first}, step{r, first})
			}
		}
	}
	part, cancel := half(ctx)
	defer cancel()
	got, err := t.answers(part, s.Run)
	if err != nil && part.Err() != nil && ctx.Err() == nil {
		return nil
	}
	if err != nil {
		return err
	}
	c.shown = slices.DeleteFunc(c.shown, func(r *load.Target) bool {
		_, ok := got[trialKey(c.main, []step{{c.main, first}, {r, first}})]
		return !ok // it varies from run to run
	})
	for _, r := range c.shown {
		once, ok := got[trialKey(c.main, []step{{c.main, first}, {r, first}})]
		twice, okTwice := got[trialKey(c.main, []step{{c.main, first}, {r, first}, {r, first}})]
		c.moves[r] = !ok || !okTwice || !same(once, twice)
		if sharesName(c.main, r) {
			continue
		}
		// Resize(1) returns the same twice, and is not there to be asked: behind Resize(2) the capacity is another one.
		for _, o := range probes {
			fresh, okFresh := got[trialKey(c.main, []step{{o, first}})]
			behind, okBehind := got[trialKey(c.main, []step{{r, second}, {o, first}})]
			c.moves[r] = c.moves[r] || okFresh && okBehind && o != r && !same(fresh, behind)
		}
	}
	for _, u := range s.methods {
		for _, r := range shown {
			fresh, okFresh := got[trialKey(c.main, []step{{r, first}})]
			undone, okUndone := got[trialKey(c.main, []step{{c.main, first}, {u, first}, {r, first}})]
			if !c.moves[r] && okFresh && okUndone && same(fresh, undone) {
				c.undone = append(c.undone, u)
				c.takes[u] = takesBound(c.main, u)
				break
			}
		}
	}
	return nil
}

// endsUse reports whether a method's name says that its object cannot be used behind it.
func endsUse(name string) bool {
	words := gosyntax.Words(name)
	return len(words) > 0 && slices.Contains([]string{"close", "stop", "shutdown", "destroy", "free", "release", "dispose"}, words[0])
}

// same reports whether two calls returned the same.
func same(a, b []testcase.Value) bool { return slices.EqualFunc(a, b, testcase.Value.Equal) }

// failed reports whether a call returned an error.
func failed(results []testcase.Value) bool {
	return slices.ContainsFunc(results, func(v testcase.Value) bool { return v.Err != nil })
}
