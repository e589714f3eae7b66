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

// This file makes cases that go on where others end. What a call leaves in an object may show in nothing
// that observers return right behind it, and in what a later call does: a queue that forgets to move its
// head shows that when the next element is taken. Where a mutant survives, the cases that reach it are
// continued by further calls on the object that they change, by one and then by two.

// Bounds of the cases that go on where others end.
const (
	mostBases    = 12  // cases that reach a mutant, the shortest
	mostPassed   = 2   // calls of one method with other arguments
	mostForOne   = 80  // cases that are made for one mutant in a round
	mostSequels  = 400 // cases in a round
	sequelRounds = 2   // further calls
)

// furtherCall is a call of a method with the arguments that a case has passed.
type furtherCall struct {
	target string
	op     *testcase.Operation
	from   *testcase.Sequence // has the arguments; nil if there are none
	recv   testcase.Ref       // the receiver in from
	args   []testcase.Ref     // of the call in from, without the receiver
}

// furtherCalls returns calls of the exported methods of the package's types, by type: with arguments as
// cases pass them.
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

// after returns a sequence with the call on an object behind it.
func (f furtherCall) after(base *testcase.Sequence, object testcase.Ref) *testcase.Sequence {
	b := &testcase.Builder{}
	b.Append(base)
	moved := map[testcase.Ref]testcase.Ref{}
	if f.from != nil {
		moved[f.recv] = object
	}
	args := []testcase.Ref{object}
	for _, a := range f.args {
		args = append(args, f.bring(b, a, moved))
	}
	b.Add(f.op, args...)
	return b.Sequence()
}

// bring appends the statements that make a result of from, and returns where it is.
func (f furtherCall) bring(b *testcase.Builder, ref testcase.Ref, moved map[testcase.Ref]testcase.Ref) testcase.Ref {
	if r, ok := moved[ref]; ok {
		return r
	}
	st := f.from.At(ref.Stmt)
	var args []testcase.Ref
	for _, a := range st.Args {
		args = append(args, f.bring(b, a, moved))
	}
	made := b.Add(st.Op, args...)
	made.Result = ref.Result
	moved[ref] = made
	return made
}

// sequels returns cases that notice what the tests and the killers so far let survive, by what calls behind
// those of other cases come to.
func (m *mutantChooser) sequels(ctx context.Context, bases []*testcase.Case, calls map[string][]furtherCall) ([]*testcase.Case, error) {
	var out []*testcase.Case
	bases = slices.DeleteFunc(slices.Clone(bases), func(c *testcase.Case) bool { return m.handBuilt(c) || m.unjudged(c) })
	for range sequelRounds {
		made, err := m.goOn(ctx, bases, calls)
		if err != nil || len(made.cases) == 0 {
			return out, err
		}
		killers, err := m.killersInTime(ctx, made.cases, made.pair)
		if err != nil {
			return out, err
		}
		out = append(out, killers...)
		bases = slices.Concat(bases, made.cases)
	}
	return out, nil
}

// continued are cases that go on where others end, and of which mutants each is to notice one.
type continued struct {
	cases []*testcase.Case
	meant map[*testcase.Case]map[int]bool // the IDs of mutants
}

// pair reports whether it is of interest if a case notices a mutant.
func (c continued) pair(of *testcase.Case, id int) bool { return c.meant[of][id] }

// goOn makes cases with one more call each of those that reach a surviving mutant.
func (m *mutantChooser) goOn(ctx context.Context, bases []*testcase.Case, calls map[string][]furtherCall) (continued, error) {
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
		for _, c := range slices.Concat(m.continuations(of[id+1], calls, mostBases), m.continuations(bases, only(calls, m.ofMutants[id].Mutant.Func), mostForOne)) {
			text := c.Seq.String()
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

// only returns the calls of one function: what is wrong in a method shows when it is called on other objects.
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

// continuations returns cases that go on behind the shortest of some, at most so many of these.
func (m *mutantChooser) continuations(bases []*testcase.Case, calls map[string][]furtherCall, most int) []*testcase.Case {
	order := slices.Clone(bases)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int { return cmp.Compare(a.Seq.Len(), b.Seq.Len()) })
	var out []*testcase.Case
	n := 0
	for _, c := range order {
		object, ok := m.observers.table.Subject(c)
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
		for _, f := range known {
			if len(out) == mostForOne {
				return out
			}
			further := &testcase.Case{Package: c.Package, Target: f.target, Engine: c.Engine, Seq: f.after(base, object)}
			if further.Seq.Len() <= testcase.MaxKnown && !m.unjudged(further) {
				out = append(out, further)
			}
		}
	}
	return out
}

// furtherOperations returns the calls of methods that sequels may have.
func furtherOperations(calls map[string][]furtherCall) []*testcase.Operation {
	var out []*testcase.Operation
	for _, key := range slices.Sorted(maps.Keys(calls)) {
		for _, f := range calls[key] {
			out = append(out, f.op)
		}
	}
	return out
}

// found notes mutants that cases notice which are no tests yet.
func (m *mutantChooser) found(ids map[int]bool) {
	if m.noticed == nil {
		m.noticed = make(map[int]bool)
	}
	for id := range ids {
		m.noticed[id] = true
	}
}
