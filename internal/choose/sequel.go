package choose

import (
	"cmp"
	"context"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// This file makes cases that continue other cases. What a call leaves in an object may show in no observer's
// answer right behind the call, but only in a later call: a queue that forgets to move its head shows that
// when the next element is taken. Where a mutant survives, the cases that reach it are continued by one
// further call, then by two, on the object that they change.

// Bounds of the cases that continue other cases.
const (
	mostBases    = 12  // cases that reach a mutant: the shortest, or those that change different fields
	mostPassed   = 2   // calls of one method, each with other arguments
	mostForOne   = 80  // cases that are made for one mutant in a round
	mostSequels  = 400 // cases in a round
	sequelRounds = 2   // each round appends one further call
)

// furtherCall is a call of a method with the arguments that a case has passed.
type furtherCall struct {
	target string
	op     *testcase.Operation
	from   *testcase.Sequence // the sequence that makes the arguments, or nil if there are none
	recv   testcase.Ref       // the receiver in from
	args   []testcase.Ref     // of the call in from, without the receiver
}

// furtherCalls returns calls of the exported methods of the package's types, by type. Their arguments are
// arguments that cases pass.
func (m *mutantChooser) furtherCalls(cases []*testcase.Case) map[string][]furtherCall {
	out := make(map[string][]furtherCall)
	passed := make(map[string]bool)
	count := make(map[string]int)
	for _, t := range m.Pkg.Targets {
		if t.Recv != nil && t.Exported && t.Skip == "" && t.Obj.Signature().Params().Len() == 0 {
			op := &testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj, TypeArgs: t.TypeArgs}
			key := objectType(t.Recv)
			out[key] = append(out[key], furtherCall{target: t.Name, op: op})
		}
	}
	for _, c := range cases {
		st := c.Seq.At(c.TargetStmt())
		if st.Op.Kind != testcase.OpMethod || len(st.Args) < 2 || !m.given.Exported[c.Target] {
			continue
		}
		key := objectType(c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result])
		var texts []string
		for _, a := range st.Args[1:] {
			texts = append(texts, c.Seq.Expression(a, m.Pkg.Types))
		}
		call := key + " " + c.Target
		text := call + "(" + strings.Join(texts, ", ") + ")"
		if passed[text] || count[call] >= mostPassed {
			continue
		}
		passed[text] = true
		count[call]++
		out[key] = append(out[key], furtherCall{c.Target, st.Op, c.Seq, st.Args[0], st.Args[1:]})
	}
	return out
}

// objectType names the type of an object or of a pointer to one, with its type arguments.
func objectType(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.TypeString(t, nil)
}

// after returns a sequence that continues base with the call on an object.
func (f furtherCall) after(base *testcase.Sequence, object testcase.Ref) *testcase.Sequence {
	b := &testcase.Builder{}
	b.Append(base)
	f.appendTo(b, object)
	return b.Sequence()
}

// appendTo appends the call on an object, behind the statements that make its arguments.
func (f furtherCall) appendTo(b *testcase.Builder, object testcase.Ref) {
	moved := map[testcase.Ref]testcase.Ref{}
	if f.from != nil {
		moved[f.recv] = object
	}
	args := []testcase.Ref{object}
	for _, a := range f.args {
		args = append(args, b.Bring(f.from, a, moved))
	}
	b.Add(f.op, args...)
}

// sequelsInTime returns the sequels that are found in a third of the time that is left. What comes behind them
// makes tests readable, and must not be lost for a few mutants more.
func (m *mutantChooser) sequelsInTime(ctx context.Context, bases []*testcase.Case, calls map[string][]furtherCall) ([]*testcase.Case, error) {
	out, _, err := m.inThird(ctx, func(ctx context.Context) ([]*testcase.Case, error) { return m.sequels(ctx, bases, calls) })
	return out, err
}

// mostStandIns is how many cases that are no tests are continued for a function without a test.
const mostStandIns = 4

// basesOf adds, for each function that none of the tests is about, the first cases about it that are no tests. Where the tests
// of another method cover all of a method, no test ends behind the method.
func (m *mutantChooser) basesOf(tests, others []*testcase.Case) []*testcase.Case {
	count := make(map[string]int)
	for _, c := range tests {
		count[c.Target] = mostStandIns
	}
	out := tests
	for _, c := range others {
		if count[c.Target] < mostStandIns {
			count[c.Target]++
			out = append(out, c)
		}
	}
	return out
}

// sequels returns cases that notice mutants which the tests and killers so far let survive. Each case
// continues one of the bases by further calls.
func (m *mutantChooser) sequels(ctx context.Context, bases []*testcase.Case, calls map[string][]furtherCall) ([]*testcase.Case, error) {
	var out []*testcase.Case
	bases = slices.DeleteFunc(slices.Clone(bases), func(c *testcase.Case) bool { return m.handBuilt(c) || m.unjudged(c) })
	for range sequelRounds {
		made, killers, err := m.goOn(ctx, shortest(bases), calls, false)
		if err != nil {
			return out, err
		}
		if len(made) == 0 {
			break
		}
		out = append(out, killers...)
		bases = slices.Concat(bases, made)
	}
	grown := slices.DeleteFunc(slices.Clone(m.grown), m.unjudged)
	changed, err := m.changedFields(ctx, grown)
	if err != nil {
		return out, err
	}
	_, killers, err := m.goOn(ctx, varied(grown, changed), calls, true)
	return append(out, killers...), err
}

// goOn returns cases with one more call each than the first of the bases that reach a surviving mutant, and those of
// these cases, shortened, that notice one. If own is set, the further calls also take what their case passed before.
func (m *mutantChooser) goOn(ctx context.Context, bases []*testcase.Case, calls map[string][]furtherCall, own bool) (made, killers []*testcase.Case, err error) {
	further, err := m.continued(ctx, bases, calls, own)
	if err != nil || len(further.cases) == 0 {
		return nil, nil, err
	}
	killers, err = m.killersInTime(ctx, further.cases, further.pair)
	return further.cases, killers, err
}

// continued holds cases that continue others, and for each case the mutants that it is meant to notice.
type continued struct {
	cases []*testcase.Case
	meant map[*testcase.Case]map[int]bool // the IDs of mutants
}

// pair reports whether a case is meant to notice a mutant.
func (c continued) pair(of *testcase.Case, id int) bool { return c.meant[of][id] }

// continued makes cases with one more call each from the first of the bases that reach a surviving mutant.
func (m *mutantChooser) continued(ctx context.Context, bases []*testcase.Case, calls map[string][]furtherCall, own bool) (continued, error) {
	reached, err := m.planted.Reached(ctx, bases)
	if err != nil {
		return continued{}, err
	}
	of := make(map[int][]*testcase.Case) // by mutant, the bases that reach it
	for i, c := range bases {
		for _, id := range reached[i] {
			if m.survives(id) {
				of[id] = append(of[id], c)
			}
		}
	}
	made := make(map[string]*testcase.Case) // by the text of the sequence
	out := continued{meant: make(map[*testcase.Case]map[int]bool)}
	for id := range m.ofMutants {
		if !m.survives(id + 1) {
			continue
		}
		for _, c := range slices.Concat(m.continuations(of[id+1], calls, mostBases, own), m.continuations(bases, only(calls, m.ofMutants[id].Mutant.Func), mostForOne, own)) {
			text := c.Seq.Key()
			if made[text] == nil {
				if len(out.cases) == mostSequels {
					continue
				}
				made[text], out.meant[c] = c, make(map[int]bool)
				out.cases = append(out.cases, c)
			}
			out.meant[made[text]][id+1] = true
		}
	}
	seqs := make([]*testcase.Sequence, len(out.cases))
	for i, c := range out.cases {
		seqs[i] = c.Seq
	}
	outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
	out.cases = m.fit(out.cases, outcomes)
	return out, err
}

// only returns the calls of one function. A mutant of a method may show when the method is called on other
// objects.
func only(calls map[string][]furtherCall, target string) map[string][]furtherCall {
	out := make(map[string][]furtherCall)
	for key, list := range calls {
		for _, f := range list {
			if f.target == target {
				out[key] = append(out[key], f)
			}
		}
	}
	return out
}

// shortest returns the bases in the order of their length.
func shortest(bases []*testcase.Case) []*testcase.Case {
	order := slices.Clone(bases)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int { return cmp.Compare(a.Seq.Len(), b.Seq.Len()) })
	return order
}

// varied returns the bases in an order in which the first ones are short and each of these changes other fields of its
// object than the bases before it. A base whose call changes nothing is seldom worth continuing, so it comes last.
func varied(bases []*testcase.Case, changed map[*testcase.Case]string) []*testcase.Case {
	order := shortest(bases)
	rank := make(map[*testcase.Case]int)
	count := make(map[string]int)
	for _, c := range order {
		key := c.Target + " " + changed[c]
		rank[c] = count[key]
		count[key]++
		if fields, ok := changed[c]; ok && fields == "" {
			rank[c] += len(bases)
		}
	}
	slices.SortStableFunc(order, func(a, b *testcase.Case) int { return cmp.Compare(rank[a], rank[b]) })
	return order
}

// continuations returns cases that continue the first of the bases by one call each, at most the given
// number. If own is set, the calls also take what their case passed before; without these calls more cases are gone on
// from.
func (m *mutantChooser) continuations(bases []*testcase.Case, calls map[string][]furtherCall, most int, own bool) []*testcase.Case {
	var out []*testcase.Case
	n := 0
	for _, c := range bases {
		object, ok := m.observers.Table.Subject(c)
		if !ok || c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned {
			continue
		}
		known := calls[objectType(c.Seq.ResultTypes()[object.Stmt][object.Result])]
		if len(known) == 0 {
			continue
		}
		if n++; n > most {
			break
		}
		base := c.Seq.Prefix(c.TargetStmt() + 1)
		further := slices.Concat(known, m.heldCalls(c, object))
		if own {
			further = slices.Concat(further, slices.DeleteFunc(m.ownCalls(c, object, known), func(f furtherCall) bool {
				return !slices.ContainsFunc(known, func(k furtherCall) bool { return k.target == f.target })
			}))
		}
		for _, f := range further {
			if len(out) == mostForOne {
				return out
			}
			longer := &testcase.Case{Package: c.Package, Target: f.target, Engine: c.Engine, Seq: f.after(base, object)}
			if longer.Seq.Len() <= testcase.MaxKnown && !m.unjudged(longer) {
				out = append(out, longer)
			}
		}
	}
	return out
}

// furtherOperations returns the operations of the calls that sequels may make.
func furtherOperations(calls map[string][]furtherCall) []*testcase.Operation {
	var out []*testcase.Operation
	for _, key := range slices.Sorted(maps.Keys(calls)) {
		for _, f := range calls[key] {
			out = append(out, f.op)
		}
	}
	return out
}

// found notes the mutants that the chosen cases notice, although these cases are no tests yet.
func (m *mutantChooser) found(ids map[int]bool) {
	if m.noticed == nil {
		m.noticed = make(map[int]bool)
	}
	for id := range ids {
		m.noticed[id] = true
	}
}
