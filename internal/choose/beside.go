package choose

import (
	"context"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/testcase"
)

// This file finds tests that are beside the point: tests that a maintainer would not keep, whatever blocks
// they cover or mutants they kill. Code is better left without a test than with a test that misleads.

// findIdle notes the tests that would also pass if their function did nothing and returned zero values.
func (m *mutantChooser) findIdle(ctx context.Context, tests []*testcase.Case) error {
	body := make(map[string]int) // the mutant that empties a function's body
	for _, mutant := range m.planted.Mutants() {
		if mutant.Operator == mutate.Body && m.ofMutants[mutant.ID-1].Run { // one for which there is no time says nothing
			body[mutant.Func] = mutant.ID
		}
	}
	verdicts, err := m.planted.Cases(ctx, tests, mutate.Options{
		All:  true,
		Only: func(id int) bool { return m.planted.Mutants()[id-1].Operator == mutate.Body },
		Pair: func(k, id int) bool { return body[tests[k].Target] == id },
	})
	if err != nil {
		return err
	}
	m.idle = make(map[*testcase.Case]bool)
	for _, c := range tests {
		m.idle[c] = body[c.Target] != 0 && !m.unjudged(c) && !m.isFaulty(c.Target)
	}
	for _, v := range verdicts {
		for _, k := range v.By {
			delete(m.idle, tests[k])
		}
	}
	return nil
}

// besideThePoint returns the tests to leave out before any other test is weighed against them:
//
//   - tests of functions that no test can tell from a function that does nothing (see idles), unless
//     users call the function for its result; there the blocks alone count. The tests in kept stay, because the function
//     does something that has to leave all as it was (see keeping);
//   - tests of unexported functions on objects whose fields the test sets, or leaves at zero, if the
//     package itself brings its objects into their states by functions: such a state may never occur;
//   - tests of unexported functions with values that the package cannot come by: stand-ins for its own
//     unexported interfaces, and objects of other packages that their functions did not make;
//   - tests of exported functions on such objects, if other tests use objects that users have;
//   - tests of what an error says, if it always says the same words and tests of other functions get such errors.
//
// In a command (package main) no user calls functions from Go, so any argument may be meant, and only
// idle tests go.
func (m *mutantChooser) besideThePoint(tests []*testcase.Case, kept map[*testcase.Case]bool) map[*testcase.Case]bool {
	busy, natural, assembled := make(map[string]bool), make(map[string]bool), make(map[*testcase.Case]bool) // the first two by target
	for _, c := range tests {
		assembled[c] = m.assembles(c) || !m.given.Exported[c.Target] && (finding.Unmade(m.Rules, c) || m.contrived(c))
		natural[c.Target] = natural[c.Target] || !m.handBuilt(c)
		left := assembled[c] && !m.given.Exported[c.Target] && m.Pkg.Name != "main"
		busy[c.Target] = busy[c.Target] || (!m.idle[c] || kept[c]) && !left
	}
	said, out := m.saidElsewhere(tests), make(map[*testcase.Case]bool)
	for _, c := range tests {
		switch exported := m.given.Exported[c.Target]; {
		case c.Documented != "" || c.Keep:
		case said[c.Target]:
			out[c] = true
		case m.Pkg.Name == "main":
			out[c] = m.idle[c] && !busy[c.Target]
		case m.idle[c] && !kept[c] && !outcome.IsComparable(c), m.idle == nil && m.showsNothing(c):
			out[c] = true // the test could only say that a call which does nothing changes nothing
		case !busy[c.Target] && (!exported || outcome.ReturnsNothing(c)), assembled[c] && !exported, assembled[c] && natural[c.Target]:
			out[c] = true
		}
	}
	return out
}

// keeping returns the tests of exported methods that do work and leave what observers say as it was: they compact, sort what is in order, or
// do and undo. A method that did nothing would pass such a test, but the test notices other mutants of the method, and an observer answers
// something that could have been lost.
func (m *mutantChooser) keeping(tests []*testcase.Case, kills [][]int) map[*testcase.Case]bool {
	out := make(map[*testcase.Case]bool)
	for i, c := range tests {
		if !m.idle[c] || m.planted == nil || !m.given.Exported[c.Target] || !isMethod(c) || !outcome.ReturnsNothing(c) || m.handBuilt(c) || !asksForMore(c) {
			continue
		}
		out[c] = slices.ContainsFunc(kills[i], func(id int) bool {
			mutant := m.ofMutants[id-1].Mutant
			return mutant.Func == c.Target && mutant.Operator != mutate.Body
		})
	}
	return out
}

// asksForMore reports whether an observer that a test asks behind its call answers something else than zero values.
func asksForMore(c *testcase.Case) bool {
	for i := c.TargetStmt() + 1; i < min(c.Seq.Len(), len(c.Observed.Results)); i++ {
		if slices.ContainsFunc(c.Observed.Results[i], func(v testcase.Value) bool { return v.Err == nil && !v.IsZero() }) {
			return true
		}
	}
	return false
}

// saidElsewhere returns the methods Error that always say the same words of an error, and of whose types the calls of other
// functions return errors that a test compares by what they say.
func (m *mutantChooser) saidElsewhere(tests []*testcase.Case) map[string]bool {
	parts, out := make(map[string]int), make(map[string]bool) // parts are blocks with statements, by function
	for _, b := range m.bench.Blocks() {
		if b.Stmts > 0 {
			parts[b.Func]++
		}
	}
	for _, c := range tests {
		at := c.TargetStmt()
		if c.Observed.Status != testcase.Returned || at >= len(c.Observed.Results) || outcome.AssertsNothing(c) {
			continue
		}
		for _, v := range c.Observed.Results[at] {
			if t := outcome.ErrorType(v); t != nil && len(v.Err.Sentinels) == 0 && t.Obj().Pkg() == m.Pkg.Types {
				name := t.Obj().Name() + ".Error"
				out[name] = parts[name] == 1
			}
		}
	}
	return out
}

// showsNothing reports whether nothing that the call of a case did can be asserted, as far as is known without
// mutants: a method that moves no observer and returns nothing that could be compared.
func (m *mutantChooser) showsNothing(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Kind != testcase.OpMethod || c.Observed.Status != testcase.Returned {
		return false
	}
	for _, a := range st.Args[1:] {
		switch c.Seq.ResultTypes()[a.Stmt][a.Result].Underlying().(type) {
		case *types.Basic, *types.Chan:
		default:
			return false // the call may show in the argument
		}
	}
	return m.observers.IsInert(c.Target) || m.observers.IsStill(c.Target) && !outcome.IsComparable(c)
}

// idles returns the functions that no test can tell from a function that does nothing.
func (m *mutantChooser) idles(tests []*testcase.Case) map[string]bool {
	out := make(map[string]bool)
	for _, c := range tests {
		idle, known := out[c.Target]
		out[c.Target] = (idle || !known) && m.isIdle(c)
	}
	return out
}

// isIdle reports whether a test would also pass if its function did nothing and returned zero values. Where no mutant has
// shown that, the test's results say so.
func (m *mutantChooser) isIdle(c *testcase.Case) bool {
	if m.idle != nil {
		return m.idle[c]
	}
	return outcome.ReturnsZero(c) && !m.isFaulty(c.Target)
}

// isFaulty reports whether a finding is about a function. What it does where it works is worth a test then, though it be nothing.
func (m *mutantChooser) isFaulty(name string) bool {
	return slices.ContainsFunc(m.Findings, func(f *testcase.Finding) bool { return f.Func == name })
}

// assembles reports whether a case sets fields, which users do not see, of an object that functions of the
// package bring into its states: a constructor, or methods that change it.
func (m *mutantChooser) assembles(c *testcase.Case) bool {
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if st.Op.Kind == testcase.OpComposite && len(st.Args) > 0 && !c.Whole && m.hasStates(st.Op.Type) && m.handBuilt(c) {
			return true
		}
	}
	return false
}

// contrived reports whether a case passes values that only a test makes: a stand-in for an interface that the package keeps
// for itself and implements, or a zero object of another module that hides its fields.
func (m *mutantChooser) contrived(c *testcase.Case) bool {
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		named := load.NamedOf(op.Type)
		if op.Type == nil || named == nil || named.Obj().Pkg() == nil {
			continue
		}
		own := named.Obj().Pkg() == m.Pkg.Types
		switch op.Kind {
		case testcase.OpStubIface:
			if own && !named.Obj().Exported() && m.implemented(named) {
				return true
			}
		case testcase.OpZero, testcase.OpComposite:
			_, isStruct := op.Type.Underlying().(*types.Struct)
			if isStruct && !own && strings.Contains(named.Obj().Pkg().Path(), ".") && !load.IsRecord(named) {
				return true
			}
		}
	}
	return false
}

// implemented reports whether a type of the package implements an interface.
func (m *mutantChooser) implemented(n *types.Named) bool {
	i, ok := n.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	scope := m.Pkg.Types.Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		t, isType := scope.Lookup(name).(*types.TypeName)
		return isType && !types.IsInterface(t.Type()) && (types.Implements(t.Type(), i) || types.Implements(types.NewPointer(t.Type()), i))
	})
}

// hasStates reports whether methods of a struct of the package change their receiver.
func (m *mutantChooser) hasStates(t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != m.Pkg.Types {
		return false
	}
	for i := range named.NumMethods() {
		f := named.Method(i)
		if _, byPointer := f.Signature().Recv().Type().(*types.Pointer); byPointer && !m.ReadsOnly(&testcase.Operation{Kind: testcase.OpMethod, Func: f}) {
			return true
		}
	}
	return false
}

// unfinished matches what panics of the code under test say where its authors have not written it yet. A test of such a panic would have to go with the next change.
var unfinished = regexp.MustCompile(`(?i)\b(not (yet )?implemented|unimplemented|implement me)\b`)

// withoutOddities returns the tests without those that compare what is printed of a struct with nothing in it, or what package fmt writes
// where verbs and arguments do not fit, those that pin that something is not implemented, those that send a request without a context, and those
// that call a method on nothing which another call returned, and the mutants of the others. Nobody asks for any of that.
func (m *mutantChooser) withoutOddities(tests []*testcase.Case, ids [][]int) (kept []*testcase.Case, of [][]int) {
	for i, c := range tests {
		if c.Observed.Panic != nil && unfinished.MatchString(c.Observed.Panic.Message) {
			continue
		}
		if !c.Keep && (outcome.LacksContext(c) || outcome.IsOnNothing(c) || c.Documented == "" && !c.Whole && outcome.FillsPages(c)) {
			continue
		}
		if !c.Keep && outcome.IsMisprinted(c) && (outcome.HasComplaint(c) || m.passesHollow(c)) {
			continue
		}
		kept, of = append(kept, c), append(of, ids[i])
	}
	return kept, of
}
