package question

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// described returns the tests with calls behind their own that ask a returned object of another package, or
// one behind an interface, for what it is. Such an object cannot be compared as a whole, and a test that only
// wants it not to be nil would also pass if the function returned any other. Of the methods that describe an
// object those are asked whose answers differ between the tests. If an interface has none, and the object in it is one
// of the package's, these are the observers of that object, behind a type assertion.
func (o *Asker) described(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	asked := o.askDescriptions(tests)
	if err := o.runDescriptions(ctx, asked); err != nil {
		return nil, err
	}
	if err := o.leaveOutPlain(ctx, asked); err != nil {
		return nil, err
	}
	runs := make(map[string][]observer.Run)
	echoes := make(echo)
	for _, d := range asked {
		runs[d.typ] = append(runs[d.typ], d.run)
		echoes.note(d.base, d.base.Len()-1, d.run)
	}
	for _, d := range asked {
		chosen := observer.Informative(d.ops, runs[d.typ], echoes.mostly())
		if len(runs[d.typ]) == 1 {
			chosen = withoutParts(d) // there is nothing to compare the answers with
		}
		if text := observer.Telling(echoes.without(d.ops), runs[d.typ]); text != nil {
			chosen = []*testcase.Operation{text}
		}
		d.ops = slices.DeleteFunc(slices.Clone(chosen), func(op *testcase.Operation) bool { return d.run[op.Func] == nil })
		d.ops = d.ops[:min(len(d.ops), maxObservers)]
	}
	if err := o.runDescriptions(ctx, asked); err != nil {
		return nil, err
	}
	out := slices.Clone(tests)
	for _, d := range asked {
		if len(d.ops) > 0 && len(d.run) == len(d.ops) {
			c := *tests[d.test]
			c.Seq, c.Observed, c.Predicted = d.seq, d.outcome, nil
			out[d.test] = &c
		}
	}
	return out, nil
}

// description holds what the methods that describe an object say of what a test's call returned.
type description struct {
	test    int // the number of the test
	typ     string
	ops     []*testcase.Operation
	base    *testcase.Sequence // the test's statements up to its call, and the type assertion behind it if there is one
	seq     *testcase.Sequence // the base with a call of each of ops
	outcome *testcase.Outcome
	run     observer.Run // the answers that are data and were the same twice
}

// askDescriptions returns the tests that have something to ask, and what.
func (o *Asker) askDescriptions(tests []*testcase.Case) []*description {
	var out []*description
	for i, c := range tests {
		at := c.TargetStmt()
		if c.Observed == nil || c.Observed.Status != testcase.Returned || at != c.Seq.Len()-1 || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 || c.CallFailed() {
			continue
		}
		st := c.Seq.At(at)
		if v := c.Observed.Results[at][0]; st.Op.Func == nil || testcase.TargetName(st.Op.Func) != c.Target || v.Kind == testcase.Nil || !isHidden(c.Seq.ResultTypes()[at][0], v) {
			continue
		}
		t := c.Seq.ResultTypes()[at][0]
		if observer.HasRow(t) {
			continue
		}
		if ops := observer.Describing(o.Pkg, t); len(ops) > 0 {
			out = append(out, &description{test: i, typ: t.String(), ops: ops, base: c.Seq})
		} else if held := o.ownInside(t, c.Observed.Results[at][0]); held != nil {
			inside := c.Seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAssert, Type: held}, Args: []testcase.Ref{{Stmt: at}}})
			out = append(out, &description{test: i, typ: held.String(), ops: o.Table.Of(held), base: inside})
		}
	}
	return out
}

// ownInside returns the type of the object in an interface, if it is a pointer to an exported type of the package that has
// observers; nil for all others.
func (o *Asker) ownInside(t types.Type, v testcase.Value) types.Type {
	if !types.IsInterface(t) || len(v.Elems) != 1 || v.Elems[0].Kind != testcase.Pointer || v.Elems[0].Type == nil {
		return nil
	}
	held := v.Elems[0].Type
	named := load.NamedOf(held)
	if named == nil || named.Obj().Pkg() != o.Pkg.Types || !named.Obj().Exported() || named.TypeArgs().Len() > 0 || len(o.Table.Of(held)) == 0 {
		return nil
	}
	return held
}

// withoutParts returns the operations of a description whose answer is no part of another one's text: the usage of a command has its name.
func withoutParts(d *description) []*testcase.Operation {
	text := func(op *testcase.Operation) string {
		if run := d.run[op.Func]; len(run) == 1 && run[0].Kind == testcase.String {
			return run[0].Str
		}
		return ""
	}
	return slices.DeleteFunc(slices.Clone(d.ops), func(op *testcase.Operation) bool {
		mine := text(op)
		return mine != "" && slices.ContainsFunc(d.ops, func(other *testcase.Operation) bool {
			theirs := text(other)
			return other != op && strings.Contains(theirs, mine) && (theirs != mine || slices.Index(d.ops, other) < slices.Index(d.ops, op))
		})
	})
}

// leaveOutPlain leaves out the answers of objects of other packages that an object with nothing in it gives as well: ErrPrefix is "Error:" for each
// command. They say nothing of what the call has made.
func (o *Asker) leaveOutPlain(ctx context.Context, asked []*description) error {
	type question struct {
		d  *description
		op *testcase.Operation
		at int // the number of its sequence
	}
	var of []question
	var seqs []*testcase.Sequence
	known := make(map[string]int) // the sequences, by the type and the method
	for _, d := range asked {
		last := d.base.ResultTypes()[d.base.Len()-1]
		if len(last) == 0 {
			continue
		}
		p, ok := last[0].Underlying().(*types.Pointer)
		if !ok || load.NamedOf(p.Elem()) == nil || load.NamedOf(p.Elem()).Obj().Pkg() == o.Pkg.Types {
			continue
		}
		for _, op := range d.ops {
			at, found := known[d.typ+" "+op.Func.FullName()]
			if !found {
				var b testcase.Builder
				zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Elem()})
				b.Add(op, b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: last[0]}, zero))
				at = len(seqs)
				known[d.typ+" "+op.Func.FullName()], seqs = at, append(seqs, b.Sequence())
			}
			of = append(of, question{d, op, at})
		}
	}
	outcomes, err := o.bench.Proposals(false).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking what objects with nothing in them are: %w", err)
	}
	for _, q := range of {
		if q.at < len(outcomes) && returned(outcomes[q.at]) && answersAlike(outcomes[q.at].Results[2], q.d.run[q.op.Func]) {
			delete(q.d.run, q.op.Func)
			q.d.ops = slices.DeleteFunc(slices.Clone(q.d.ops), func(op *testcase.Operation) bool { return op == q.op })
		}
	}
	return nil
}

// isHidden reports whether a test cannot compare a value with a literal, or should not because the literal would
// have what is behind an interface.
func isHidden(t types.Type, v testcase.Value) bool {
	if !gofile.Whole(v) {
		return true
	}
	if load.IsNamed(t, "time", "Time") {
		return false // written as a call of time.Date, and compared by Equal
	}
	if _, ok := t.Underlying().(*types.Interface); ok {
		if len(v.Elems) != 1 || v.Elems[0].Type == nil {
			return true
		}
		_, basic := v.Elems[0].Type.Underlying().(*types.Basic)
		return !basic
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return !f.Exported() })
}

// runDescriptions runs the calls of all descriptions, each of them twice in one process, and notes the
// answers.
func (o *Asker) runDescriptions(ctx context.Context, asked []*description) error {
	var seqs []*testcase.Sequence
	for _, d := range asked {
		d.seq = d.base.Extend(describing(d)...)
		seqs = append(seqs, d.seq, d.seq.Extend(describing(d)...))
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking what objects are: %w", err)
	}
	for k, d := range asked {
		d.run = make(observer.Run)
		if 2*k+1 >= len(outcomes) || !returned(outcomes[2*k]) || !returned(outcomes[2*k+1]) {
			continue
		}
		d.outcome = outcomes[2*k]
		once, twice, from := outcomes[2*k].Results, outcomes[2*k+1].Results, d.base.Len()
		for n, op := range d.ops {
			first, second := from+n, from+len(d.ops)+n
			if first < len(once) && second < len(twice) && answersAlike(once[first], twice[first]) && answersAlike(once[first], twice[second]) {
				d.run[op.Func] = once[first]
			}
		}
	}
	return nil
}

// describing returns a call of each operation of a description.
func describing(d *description) []testcase.Statement {
	var out []testcase.Statement
	for _, op := range d.ops {
		out = append(out, testcase.Statement{Op: op, Args: []testcase.Ref{{Stmt: d.base.Len() - 1}}})
	}
	return out
}

func returned(o *testcase.Outcome) bool {
	return o != nil && o.Status == testcase.Returned && o.Violated == ""
}

// answersAlike reports whether two answers are the same data.
func answersAlike(a, b []testcase.Value) bool {
	return len(a) == len(b) && slices.EqualFunc(a, b, func(x, y testcase.Value) bool {
		return gofile.Whole(x) && gofile.Whole(y) && x.Equal(y)
	})
}
