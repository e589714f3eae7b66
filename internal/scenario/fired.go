package scenario

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the stories about what a call has happen later.
const (
	mostArmed   = 3 // methods of one type that take a function or return a channel
	mostFiring  = 6 // methods that may have the function called, or something come from the channel
	firedRuns   = 6 // how often a story is run: another goroutine may do it, or not yet
	mostCallsOf = 4 // that a story compares
)

// An arming is what a story about a method is made of that prepares something for later: it takes a function which another method
// has called, or returns a channel from which something comes once another method was called. The clock of a test is such
// an object, and so is whatever has subscribers, or closes a channel when it is done.
type arming struct {
	arms, fires *load.Target
	param       int           // of arms, for the function; -1 if arms returns a channel
	part        observer.Part // leads from the first result of arms to the channel
	again       bool          // the story fires once more
	undoes      *load.Target  // takes the function back in between, nil if nothing does
}

// armings returns cases for methods that prepare something for later, but for one of which a story is told already.
func (s *subject) armings(ctx context.Context, but string) ([]*testcase.Case, error) {
	var out []*testcase.Case
	tried := 0
	for _, m := range s.methods {
		of := s.armedBy(m)
		if len(of) == 0 || m.Obj.Name() == but {
			continue
		}
		if tried++; tried > mostArmed {
			break
		}
		c, err := s.tellArming(ctx, of)
		if err != nil {
			return out, err
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// armedBy returns the stories that may be about a method, those first whose firing method is given the same as this one. It returns nil if the
// method prepares nothing.
func (s *subject) armedBy(m *load.Target) []arming {
	a := arming{arms: m, param: -1}
	sig := callOf(m).Signature()
	for k := range sig.Params().Len() {
		f, ok := sig.Params().At(k).Type().Underlying().(*types.Signature)
		// A goroutine might call the function while the test reads what it was called with.
		if ok && f.Results().Len() == 0 && !(sig.Variadic() && k == sig.Params().Len()-1) && !s.Pkg.StartsGoroutines() {
			a.param = k
		}
	}
	if a.param < 0 {
		if sig.Results().Len() == 0 || endsUse(m.Obj.Name()) {
			return nil
		}
		for _, p := range observer.Told(sig.Results().At(0).Type()) {
			if p.Received() && !strings.Contains(p.Path, "(") {
				a.part = p
			}
		}
		if !a.part.Received() {
			return nil
		}
	}
	var bound, others, ending []arming
	for _, f := range s.methods {
		if f == m || s.ReadsOnly(callOf(f)) || hasFunction(f) {
			continue
		}
		a.fires = f
		switch {
		case endsUse(f.Obj.Name()):
			ending = append(ending, a)
		case takesBound(m, f):
			bound = append(bound, a)
		default:
			others = append(others, a)
		}
	}
	all := slices.Concat(bound, others, ending)
	return all[:min(len(all), mostFiring)]
}

// hasFunction reports whether a method takes a function.
func hasFunction(m *load.Target) bool {
	return slices.ContainsFunc(slices.Collect(callOf(m).Signature().Params().Variables()), func(p *types.Var) bool {
		_, ok := p.Type().Underlying().(*types.Signature)
		return ok
	})
}

// tellArming returns the case of the first of these stories that holds each time, or nil if none does. Where nothing comes from a channel the
// harness has to wait for it, so the most likely ones are tried by themselves first.
func (s *subject) tellArming(ctx context.Context, of []arming) (*testcase.Case, error) {
	idle := of[0]
	idle.fires = nil
	likely := slices.IndexFunc(of, func(a arming) bool { return !takesBound(a.arms, a.fires) })
	if likely <= 0 {
		likely = len(of)
	}
	for _, part := range [][]arming{append([]arming{idle}, of[:likely]...), of[likely:]} {
		var seqs []*testcase.Sequence
		var stories []arming
		for _, a := range part {
			if seq, _, _, ok := s.armingSequence(a); ok {
				seqs, stories = append(seqs, seq), append(stories, a)
			}
		}
		outcomes, err := s.Try(ctx, seqs)
		if err != nil || len(outcomes) < len(seqs) {
			return nil, err
		}
		for i, a := range stories {
			switch happens := happened(seqs[i], a, outcomes[i]); {
			case happens && a.fires == nil:
				return nil, nil // by itself, or at once
			case happens:
				return s.tellFiring(ctx, a)
			}
		}
	}
	return nil, nil
}

// tellFiring returns the case of a story that holds, with what takes the function back if something does, or nil if it does not hold each time.
func (s *subject) tellFiring(ctx context.Context, a arming) (*testcase.Case, error) {
	if a.param < 0 {
		return s.firing(ctx, a)
	}
	again := a
	again.again = true
	twice, err := s.firing(ctx, again)
	if err != nil {
		return nil, err
	}
	if twice != nil && callsIn(twice, again) > 1 {
		for _, u := range s.methods {
			if u == a.arms || u == a.fires || !s.mayChange(u) || !takesBound(a.arms, u) {
				continue
			}
			undone := again
			undone.undoes = u
			c, err := s.firing(ctx, undone)
			if err != nil {
				return nil, err
			}
			if c != nil && callsIn(c, undone) == 1 {
				return c, nil
			}
		}
	}
	return s.firing(ctx, a)
}

// firing returns the case of a story if it is the same in each of several runs, else nil.
func (s *subject) firing(ctx context.Context, a arming) (*testcase.Case, error) {
	seq, begins, parts, ok := s.armingSequence(a)
	if !ok {
		return nil, nil
	}
	outcomes, err := s.Run(ctx, slices.Repeat([]*testcase.Sequence{seq}, firedRuns))
	if err != nil || len(outcomes) < firedRuns {
		return nil, err
	}
	for _, o := range outcomes {
		if !happened(seq, a, o) || !same(o.Results[seq.Len()-1], outcomes[0].Results[seq.Len()-1]) {
			return nil, nil
		}
	}
	arms, fires := a.arms.Obj.Name(), a.fires.Obj.Name()
	about := fires + " calls the function that " + arms + " was given"
	methods := []string{fires}
	switch {
	case a.param < 0 && isClosing(seq, outcomes[0]):
		about = fires + " closes the channel of " + arms
	case a.param < 0:
		about = "Behind " + fires + " something comes from the channel of " + arms
	case a.undoes != nil:
		about += ", until " + a.undoes.Obj.Name() + " takes it back"
		methods = append(methods, a.undoes.Obj.Name())
	}
	story := &testcase.Story{Methods: methods, About: about + ".", Begins: begins, Parts: parts}
	c := &testcase.Case{Package: s.Pkg.Path, Target: a.arms.Name, Engine: "scenario", Seq: seq, Story: story, Whole: true, Keep: true, Observed: outcomes[0]}
	if slices.ContainsFunc(outcomes, func(o *testcase.Outcome) bool { return o.Unsteady(c.TargetStmt()) }) {
		return nil, nil
	}
	return c, nil
}

// callsIn returns how many calls of its function a case has noted in the end.
func callsIn(c *testcase.Case, a arming) int {
	calls, _ := heardAt(c.Observed, c.Seq.Len()-1)
	return len(calls)
}

// isClosing reports whether the last statement of a sequence found a channel closed.
func isClosing(seq *testcase.Sequence, o *testcase.Outcome) bool {
	last := o.Results[seq.Len()-1]
	return len(last) == 2 && last[1].Bits == 0
}

// happened reports whether the function of a story was called, and not before it was to be, or something came from its channel.
func happened(seq *testcase.Sequence, a arming, o *testcase.Outcome) bool {
	if o == nil || o.Status != testcase.Returned || o.Violated != "" || len(o.Results) < seq.Len() || slices.ContainsFunc(o.Results, failed) {
		return false
	}
	if a.param < 0 {
		return !slices.ContainsFunc(o.Results[seq.Len()-1], func(v testcase.Value) bool { return v.Varies || v.Cut })
	}
	calls, ok := heardAt(o, seq.Len()-1)
	return ok && 0 < len(calls) && len(calls) <= mostCallsOf
}

// heardAt returns the calls that a statement of a sequence looks at, and false if they cannot be compared.
func heardAt(o *testcase.Outcome, i int) ([]string, bool) {
	var out []string
	for _, v := range o.Results[i] {
		if v.Varies || v.Shuffled || v.Cut {
			return nil, false
		}
		for _, call := range v.Elems {
			if call.Varies || strings.Contains(call.Str, "0x") {
				return nil, false
			}
			out = append(out, call.Str)
		}
	}
	return out, true
}

// givenTo returns which parameter of one method takes the same as the k-th of another, or -1 if none does. Where another parameter has its
// name, or stands before and has its type, it is that one.
func givenTo(arms, m *load.Target, k int) int {
	params := callOf(m).Signature().Params()
	j := bound(arms, params.At(k))
	if j < 0 {
		return -1
	}
	name := callOf(arms).Signature().Params().At(j).Name()
	for i := range params.Len() {
		if i != k && params.At(k).Name() != name && bound(arms, params.At(i)) == j && (i < k || params.At(i).Name() == name) {
			return -1
		}
	}
	return j
}

// armingSequence returns the sequence of a story, the statement that prepares what comes later, and the one that takes it back. Without a method
// that fires it is the story of nothing. It returns false if some argument cannot be made.
func (s *subject) armingSequence(a arming) (seq *testcase.Sequence, begins int, parts []int, ok bool) {
	b := &testcase.Builder{}
	object := b.Append(s.make)
	op := callOf(a.arms)
	var calls testcase.Ref
	args, ok := s.values.arguments(b, op, func(p *types.Var, k int) (testcase.Ref, bool) {
		if k != a.param {
			return s.values.add(b, p.Type(), p.Name(), k, first)
		}
		helper := s.Recorders.Of(p.Type(), strings.Trim(p.Name(), "_"))
		if helper == nil {
			return testcase.Ref{}, false
		}
		stub := b.Add(&testcase.Operation{Kind: testcase.OpStubFunc, Type: p.Type()})
		recorded := b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: helper.Func, Via: helper}, stub)
		calls = testcase.Ref{Stmt: recorded.Stmt, Result: 1}
		return recorded, true
	})
	if !ok {
		return nil, 0, nil, false
	}
	armed := b.Add(op, append([]testcase.Ref{object}, args...)...)
	begins = armed.Stmt
	step := func(m *load.Target, n int) {
		args, fits := s.values.arguments(b, callOf(m), func(p *types.Var, k int) (testcase.Ref, bool) {
			if j := givenTo(a.arms, m, k); j >= 0 {
				return s.values.add(b, p.Type(), callOf(a.arms).Signature().Params().At(j).Name(), j, first)
			}
			return s.values.add(b, p.Type(), p.Name(), k, n)
		})
		if ok = ok && fits; ok {
			b.Add(callOf(m), append([]testcase.Ref{object}, args...)...)
		}
	}
	if a.fires != nil {
		step(a.fires, first)
	}
	if a.undoes != nil {
		step(a.undoes, first)
		parts = append(parts, b.Len()-1)
	}
	if a.again {
		step(a.fires, second)
	}
	if !ok {
		return nil, 0, nil, false
	}
	if a.param >= 0 {
		b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: types.NewSlice(types.Typ[types.String])}, calls)
		return b.Sequence(), begins, parts, true
	}
	at := armed
	for _, op := range a.part.Steps(op.Signature().Results().At(0).Type(), nil) {
		at = b.Add(op, at)
	}
	return b.Sequence(), begins, parts, at != armed
}
