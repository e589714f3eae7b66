package scenario

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the stories about channels.
const (
	mostRelays = 12 // pairs of methods that are tried for a type, each in two orders
	relayRuns  = 6  // how often a story is run: another goroutine may pass things on, or not yet
)

// A relay is a method that returns a channel, with a method that is given what comes from it.
type relay struct {
	gives, puts *load.Target
	param       int  // of puts, for what is put in
	before      bool // the channel is there before anything is put in, as those are that subscribe
}

// relays returns the case about a channel of an object: what is put in comes from it, in this order. It is nil if that does not hold, or
// if there is none.
func (s *subject) relays(ctx context.Context) (*testcase.Case, error) {
	var tried []relay
	for _, gives := range s.methods {
		results := callOf(gives).Signature().Results()
		if results.Len() == 0 {
			continue
		}
		elem, ok := observer.Receivable(results.At(0).Type())
		if !ok {
			continue
		}
		for _, puts := range s.methods {
			param := -1
			for k := range callOf(puts).Signature().Params().Len() {
				if types.Identical(callOf(puts).Signature().Params().At(k).Type(), elem) {
					param = k // the last one: before it stands where to put it
				}
			}
			if puts != gives && param >= 0 && len(tried) < 2*mostRelays {
				tried = append(tried, relay{gives, puts, param, true}, relay{gives, puts, param, false})
			}
		}
	}
	for _, r := range tried {
		c, err := s.tellRelay(ctx, r)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// tellRelay returns the case of a relay, or nil if it does not hold each time.
func (s *subject) tellRelay(ctx context.Context, r relay) (*testcase.Case, error) {
	seq, begins, received, put, ok := s.relaySequence(r)
	if !ok {
		return nil, nil
	}
	outcomes, err := s.Try(ctx, []*testcase.Sequence{seq})
	if err != nil || len(outcomes) == 0 || !comeInOrder(outcomes[0], received, put) {
		return nil, err
	}
	if outcomes, err = s.Run(ctx, slices.Repeat([]*testcase.Sequence{seq}, relayRuns)); err != nil || len(outcomes) < relayRuns {
		return nil, err
	}
	gives, puts := r.gives.Obj.Name(), r.puts.Obj.Name()
	story := &testcase.Story{Methods: []string{gives}, About: "From the channel of " + gives + " comes what " + puts + " is given.", Begins: begins}
	c := &testcase.Case{Package: s.Pkg.Path, Target: r.puts.Name, Engine: "scenario", Seq: seq, Story: story, Whole: true, Keep: true, Observed: outcomes[0]}
	for _, o := range outcomes {
		if !comeInOrder(o, received, put) || o.Unsteady(c.TargetStmt()) || slices.ContainsFunc(received, func(i int) bool { return !o.Results[i][0].Equal(outcomes[0].Results[i][0]) }) {
			return nil, nil
		}
	}
	return c, nil
}

// comeInOrder reports whether an outcome has the values that were put in where a channel was received from, and the channel was open.
func comeInOrder(o *testcase.Outcome, received []int, put []testcase.Literal) bool {
	if o == nil || o.Status != testcase.Returned || o.Violated != "" || slices.ContainsFunc(o.Results, failed) {
		return false
	}
	for k, i := range received {
		if i >= len(o.Results) || len(o.Results[i]) != 2 || o.Results[i][1].Bits != 1 {
			return false
		}
		v := o.Results[i][0]
		if v.Kind == testcase.Interface && len(v.Elems) == 1 {
			v = v.Elems[0]
		}
		if lit, ok := v.Literal(); !ok || lit != put[k] {
			return false
		}
	}
	return put[0] != put[1]
}

// relaySequence returns the sequence of a relay, the statement that it begins with, those that receive, and what is put in. It returns false
// if some argument cannot be made, or what is put in is no constant.
func (s *subject) relaySequence(r relay) (seq *testcase.Sequence, begins int, received []int, put []testcase.Literal, ok bool) {
	b := &testcase.Builder{}
	object := b.Append(s.make)
	ok = true
	call := func(m *load.Target, number int) testcase.Ref {
		op := callOf(m)
		args := []testcase.Ref{object}
		for k := range op.Signature().Params().Len() {
			p := op.Signature().Params().At(k)
			n := first // both are about the same topic
			if m == r.puts && k == r.param {
				n = number
			}
			if op.Signature().Variadic() && k == op.Signature().Params().Len()-1 {
				continue
			}
			place := k
			if j := bound(r.puts, p); j >= 0 && m != r.puts {
				place = j
			}
			arg, fits := s.values.add(b, p.Type(), p.Name(), place, n)
			args, ok = append(args, arg), ok && fits
			if m == r.puts && k == r.param && fits {
				made := b.Sequence().At(arg.Stmt)
				if made.Op.Kind == testcase.OpConvert {
					made = b.Sequence().At(made.Args[0].Stmt)
				}
				put, ok = append(put, made.Op.Lit), ok && made.Op.Kind == testcase.OpLiteral
			}
		}
		if !ok {
			return testcase.Ref{}
		}
		return b.Add(op, args...)
	}
	var channel testcase.Ref
	if r.before {
		channel = call(r.gives, first)
	}
	call(r.puts, first)
	begins = b.Len() - 1
	call(r.puts, second)
	if !r.before {
		channel = call(r.gives, first)
	}
	if !ok {
		return nil, 0, nil, nil, false
	}
	t := callOf(r.gives).Signature().Results().At(0).Type()
	for range 2 {
		received = append(received, b.Add(observer.Receive(t), channel).Stmt)
	}
	for _, m := range s.methods {
		if sig := m.Obj.Signature(); sig.Params().Len() == 0 && slices.Contains([]string{"close", "stop", "shutdown"}, strings.Join(gosyntax.Words(m.Obj.Name()), "")) {
			b.Add(callOf(m), object)
			break
		}
	}
	return b.Sequence(), begins, received, put, true
}
