package choose

import (
	"cmp"
	"context"
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/oracle"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file shows what options do. What SetBorder(false) changes is seen when a table is rendered, and best on a table that
// has something in it. The documentation of a package has such programs. Each program is tried again with one further call
// before its last one, as people test options: one at a time. What WithRetries(5) changes is seen in what Dial(WithRetries(5))
// returns.

// Bounds of the programs that are tried with one further call.
const (
	mostPrograms = 4   // programs that a method is tried in
	mostOptions  = 400 // programs with a further call, for one package
)

// Bounds of the calls with one functional option.
const (
	mostTakers   = 3   // functions that an option is passed to
	mostArgs     = 2   // sets of arguments of the function that makes an option
	mostOptional = 100 // calls, for one package
)

// isProgram reports whether a case is a piece of code from the documentation, of whose result the documentation says nothing.
func isProgram(c *testcase.Case) bool {
	return c.Whole && c.Documented == "" && c.Engine == oracle.Contract
}

// programs returns the programs of the documentation that are no tests yet. A list of calls that have nothing to do with one
// another is no program.
func (ch *chooser) programs() standard {
	out := standard{state: make(map[*testcase.Case]container.State)}
	for _, c := range ch.given.Tests {
		if _, apart := plain.Related(ch.Pkg, c); isProgram(c) && !apart && !slices.Contains(ch.Tests, c) && ch.InScope(c.Target) {
			out.cases = append(out.cases, c)
			out.state[c] = container.Many
		}
	}
	return out
}

// optionsInTime does what options does, in a fifth of the time that is left.
func (m *mutantChooser) optionsInTime(ctx context.Context, calls map[string][]furtherCall) ([]*testcase.Case, error) {
	const share = 5
	part, cancel := session.PartOf(ctx, share)
	defer cancel()
	out, err := m.options(part, calls)
	if err != nil && part.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		return nil, nil
	}
	return out, err
}

// options returns programs of the documentation with one further call of a method that notice mutants of this method. They stay
// as they are: a shorter one would show the same of an object with nothing in it. It does not matter whether other tests notice
// the mutants too, because a program is worth more: one for each option is missed (see needed).
func (m *mutantChooser) options(ctx context.Context, further map[string][]furtherCall) ([]*testcase.Case, error) {
	programs := m.programsByType()
	var cases []*testcase.Case
	for _, t := range m.Pkg.Targets {
		if t.Recv == nil || !m.given.Exported[t.Name] || plain.Reads(t.Obj.Name()) { // what is read takes the place of the object
			continue
		}
		key := objectType(t.Recv)
		for _, f := range only(further, t.Name)[key] {
			list := programs[key]
			for _, p := range list[:min(len(list), mostPrograms)] {
				c := f.before(p)
				if p.Target != t.Name && c.Seq.Len() <= testcase.MaxKnown && !m.unjudged(c) && len(cases) < mostOptions {
					cases = append(cases, c)
				}
			}
		}
	}
	if len(cases) == 0 {
		return nil, nil
	}
	cases, err := m.observed(ctx, cases)
	if err != nil {
		return nil, err
	}
	if cases, err = m.observers.Tests(ctx, cases); err != nil {
		return nil, err
	}
	verdicts, err := m.planted.Cases(ctx, cases, mutate.Options{All: true, Public: true, Pair: func(k, id int) bool {
		return addedTo(cases[k]) == m.ofMutants[id-1].Mutant.Func
	}})
	if err != nil {
		return nil, err
	}
	noticed, chosen := make(map[int]bool), make(map[int]bool)
	for _, v := range verdicts {
		if len(v.By) > 0 && !noticed[v.Mutant.ID] {
			noticed[v.Mutant.ID], chosen[slices.Min(v.By)] = true, true
		}
	}
	var out []*testcase.Case
	m.optioned = make(map[string]bool)
	for _, k := range slices.Sorted(maps.Keys(chosen)) {
		out = append(out, cases[k])
		of := addedTo(cases[k])
		m.optioned[of] = !slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(programs))...), func(p *testcase.Case) bool {
			return calls(p, of, 0) // what programs call anyway is no option of theirs
		})
	}
	m.found(noticed)
	return out, nil
}

// addedTo returns the function that a program with a further call has right before its last call.
func addedTo(c *testcase.Case) string {
	for i := c.TargetStmt() - 1; i >= 0; i-- {
		if f := c.Seq.At(i).Op.Func; f != nil && c.Seq.At(i).Op.Kind == testcase.OpMethod {
			return testcase.TargetName(f)
		}
	}
	return ""
}

// programsByType returns, by the type of the object, the programs whose last call is a method that does much: it executes at
// least half as many of its blocks as the last call of any other program. What options change shows there. The programs in which
// it executes most come first.
func (m *mutantChooser) programsByType() map[string][]*testcase.Case {
	out := make(map[string][]*testcase.Case)
	own := make(map[*testcase.Case]int)
	for _, c := range m.given.Tests {
		st := c.Seq.At(c.TargetStmt())
		if _, apart := plain.Related(m.Pkg, c); isProgram(c) && !apart && m.InScope(c.Target) && st.Op.Kind == testcase.OpMethod && c.Observed != nil && c.Observed.Status == testcase.Returned && c.TargetStmt() == c.Seq.Len()-1 {
			key := objectType(c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result])
			out[key] = append(out[key], c)
			mine := m.own(c)
			own[c] = mine.CountBeyond(nil)
		}
	}
	for key, list := range out {
		slices.SortStableFunc(list, func(a, b *testcase.Case) int { return cmp.Compare(own[b], own[a]) })
		out[key] = slices.DeleteFunc(list, func(c *testcase.Case) bool { return 2*own[c] < own[list[0]] })
	}
	return out
}

// before returns a program with the call on its object right before its last call.
func (f furtherCall) before(program *testcase.Case) *testcase.Case {
	b := &testcase.Builder{}
	at := program.TargetStmt()
	b.Append(program.Seq.Prefix(at))
	st := program.Seq.At(at)
	object := st.Args[0]
	f.appendTo(b, object)
	b.Add(st.Op, st.Args...)
	return &testcase.Case{Package: program.Package, Target: program.Target, Engine: program.Engine, Whole: true, Seq: b.Sequence()}
}

// optional runs calls of functions that take options (see [usage.IsOption]) with one option each, and keeps them. Whether an
// option makes a difference is decided where tests are compared (needed.go).
func (s *sampling) optional(ctx context.Context, cases []*testcase.Case) error {
	makers, takers := s.options(cases)
	var made []*testcase.Case
	var seqs []*testcase.Sequence
	for _, maker := range makers {
		option := s.ch.Pkg.Target(maker.Target).Obj.Signature().Results().At(0).Type()
		tried := 0
		for _, taker := range takers {
			if !types.Identical(optionOf(taker.Seq.At(taker.TargetStmt()).Op.Signature()), option) || tried == mostTakers {
				continue
			}
			tried++
			for _, c := range s.unknown(taker, s.withOption(maker, taker)) {
				if len(made) < mostOptional {
					made, seqs = append(made, c), append(seqs, c.Seq)
				}
			}
		}
	}
	outcomes, err := s.ch.bench.Proposals(true).Run(ctx, seqs)
	if err := s.ch.UnlessCut(err); err != nil {
		return err
	}
	for _, c := range s.ch.fit(made, outcomes) {
		s.out.state[c] = container.Many
		s.out.cases = append(s.out.cases, c)
	}
	return nil
}

// options returns the shortest case of each exported function that returns an option, and of each that takes any number of options
// and returns something.
func (s *sampling) options(cases []*testcase.Case) (makers, takers []*testcase.Case) {
	shortest := make(map[string]*testcase.Case)
	for _, c := range cases {
		if c.Observed == nil || c.Observed.Status != testcase.Returned || c.Whole || !s.ch.given.Exported[c.Target] || !s.ch.InScope(c.Target) || outcome.HasError(c) || !outcome.IsPlainCall(c.Seq.At(c.TargetStmt()).Op) {
			continue
		}
		if was := shortest[c.Target]; was == nil || c.Seq.Len() < was.Seq.Len() {
			shortest[c.Target] = c
		}
	}
	for _, target := range slices.Sorted(maps.Keys(shortest)) {
		c := shortest[target]
		sig := c.Seq.At(c.TargetStmt()).Op.Signature()
		if t := optionOf(sig); t != nil && usage.IsOption(s.ch.Pkg, t) && sig.Results().Len() > 0 {
			takers = append(takers, c)
		}
		if sig.Recv() == nil && sig.Results().Len() == 1 && usage.IsOption(s.ch.Pkg, sig.Results().At(0).Type()) {
			makers = append(makers, c)
		}
	}
	return makers, takers
}

// optionOf returns the type of the values of which a function takes any number, nil if there is none.
func optionOf(sig *types.Signature) types.Type {
	if !sig.Variadic() {
		return nil
	}
	list, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return nil
	}
	return list.Elem()
}

// withOption returns sequences of a case that takes options in which it is passed the option of another case and no other one.
func (s *sampling) withOption(maker, taker *testcase.Case) []*testcase.Sequence {
	var out []*testcase.Sequence
	for n := range mostArgs {
		from := maker
		if seq, ok := plain.Typical(n)(s.ch.Pkg, maker); ok {
			d := *maker
			d.Seq, from = seq, &d
		}
		if typical, ok := plain.Typical(n)(s.ch.Pkg, taker); ok {
			d := *taker
			d.Seq, taker = typical, &d
		}
		call := taker.Seq.At(taker.TargetStmt())
		fixed := call.Op.Signature().Params().Len() - 1 // the parameters before the options
		if call.Op.Kind == testcase.OpMethod {
			fixed++
		}
		if len(call.Args) < fixed || call.Op.Spread {
			continue
		}
		b, moved := &testcase.Builder{}, make(map[testcase.Ref]testcase.Ref)
		var args []testcase.Ref
		for _, a := range call.Args[:fixed] {
			args = append(args, b.Bring(taker.Seq, a, moved))
		}
		option := b.Bring(from.Seq, testcase.Ref{Stmt: from.TargetStmt()}, make(map[testcase.Ref]testcase.Ref))
		b.Add(call.Op, append(args, option)...)
		out = append(out, b.Sequence())
	}
	return out
}
