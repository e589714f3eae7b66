package standin

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the calls that make objects.
const (
	mostRecipes     = 3  // of one type
	longestRecipe   = 20 // statements
	mostRecipeCalls = 5  // that are no constants
	mostHeld        = 4  // types of one interface
)

// LearnRecipes finds the shortest calls that made objects of the package's types in executed cases, those that use no
// object written by hand.
func (p *Parts) LearnRecipes(cases []*testcase.Case) {
	p.recipes, p.passed = make(map[string][]plain.Part), make(map[string][]passed)
	seen := make(map[string]bool)
	for _, c := range cases {
		if c.Observed == nil || c.Observed.Status != testcase.Returned {
			continue
		}
		for i := range min(c.Seq.Len(), len(c.Observed.Results)) {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Via != nil || !p.isOwnFunc(op.Func) || !op.Func.Exported() {
				continue
			}
			results, values := c.Seq.ResultTypes()[i], c.Observed.Results[i]
			if len(results) == 0 || !p.isOwn(results[0]) || len(values) != len(results) || values[0].Kind == testcase.Nil || values[len(values)-1].Err != nil {
				continue
			}
			part, ok := p.recipe(c.Seq, i)
			if !ok {
				continue
			}
			t := results[0]
			if held := p.heldBehind(t, values[0]); held != nil {
				if op.Kind == testcase.OpFunc {
					p.learnPassed(t, held, part) // what a method hands out needs an object first, and says less than a stand-in
				}
				part, t = part.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAssert, Type: held}, Args: []testcase.Ref{{Stmt: part.Len() - 1}}}), held
			}
			if text := t.String() + " " + part.Key(); !seen[text] {
				seen[text] = true
				p.recipes[t.String()] = append(p.recipes[t.String()], plain.Part{Seq: part, Value: testcase.Ref{Stmt: part.Len() - 1}})
			}
		}
	}
	for t, parts := range p.recipes {
		slices.SortStableFunc(parts, func(a, b plain.Part) int {
			return cmp.Or(a.Seq.Len()-b.Seq.Len(), strings.Compare(a.Seq.Key(), b.Seq.Key()))
		})
		p.recipes[t] = parts[:min(len(parts), mostRecipes)]
	}
}

// passed is a call that made an object of a type and returned it as an interface.
type passed struct {
	held types.Type
	seq  *testcase.Sequence
}

// learnPassed keeps the shortest call for each type that an interface of the package holds.
func (p *Parts) learnPassed(t, held types.Type, part *testcase.Sequence) {
	if !p.isOwn(t) {
		return
	}
	list := p.passed[t.String()]
	shorter := func(a, b *testcase.Sequence) bool {
		return cmp.Or(a.Len()-b.Len(), strings.Compare(a.Key(), b.Key())) < 0
	}
	switch i := slices.IndexFunc(list, func(o passed) bool { return types.Identical(o.held, held) }); {
	case i < 0 && len(list) < mostHeld:
		p.passed[t.String()] = append(list, passed{held, part})
	case i >= 0 && shorter(part, list[i].seq):
		list[i].seq = part
	}
}

// held returns a way that takes the n-th object which calls return as an interface of the package in place of a stand-in for the interface:
// who uses a package passes what the package makes.
func (p *Parts) held(n int) plain.Way {
	return p.instead(func(op *testcase.Operation) (plain.Part, bool) {
		if op.Kind != testcase.OpStubIface || !p.isOwn(op.Type) || n >= len(p.passed[op.Type.String()]) {
			return plain.Part{}, false
		}
		seq := p.passed[op.Type.String()][n].seq
		return plain.Part{Seq: seq, Value: testcase.Ref{Stmt: seq.Len() - 1}}, true
	})
}

// recipe returns the statements that statement i needs, and false if they are many or write an object of the package by
// hand whose fields users cannot set. Where a method returns an interface, the earlier calls on its receiver are among them: a registry
// returns what it was given.
func (p *Parts) recipe(s *testcase.Sequence, i int) (*testcase.Sequence, bool) {
	keep := make([]bool, i+1)
	keep[i] = true
	var receiver *testcase.Ref
	if st := s.At(i); st.Op.Kind == testcase.OpMethod && types.IsInterface(s.ResultTypes()[i][0]) {
		receiver = &st.Args[0]
	}
	for k := i; k >= 0; k-- {
		st := s.At(k)
		keep[k] = keep[k] || receiver != nil && k > receiver.Stmt && st.Op.Kind == testcase.OpMethod && st.Args[0] == *receiver
		if !keep[k] {
			continue
		}
		if st.Op.Kind == testcase.OpStubFunc || st.Op.Kind == testcase.OpStubIface || p.isHidden(st.Op) {
			return nil, false
		}
		for _, a := range st.Args {
			keep[a.Stmt] = true
		}
	}
	part, ok := s.Prefix(i + 1).Keep(keep)
	if !ok || part.Len() > longestRecipe {
		return nil, false
	}
	calls := 0
	for k := range part.Len() {
		switch part.At(k).Op.Kind {
		case testcase.OpLiteral, testcase.OpZero, testcase.OpConvert, testcase.OpGlobal:
		default:
			calls++
		}
	}
	return part, calls <= mostRecipeCalls
}

// Object returns the n-th value of a type that nobody can write out: one that calls of the package have made, or a ready-made one of another
// package. It is nil if none is known.
func (p *Parts) Object(t types.Type, n int) *testcase.Sequence {
	if parts := p.recipes[t.String()]; len(parts) > 0 {
		part := parts[n%len(parts)]
		if part.Value == (testcase.Ref{Stmt: part.Seq.Len() - 1}) {
			return part.Seq
		}
		return nil
	}
	if values := p.Givers.Values(t); len(values) > 0 {
		return values[n%len(values)]
	}
	return nil
}

// heldBehind returns the type of the package's object that a value of an interface holds, or to which it has a pointer, or nil.
func (p *Parts) heldBehind(t types.Type, v testcase.Value) types.Type {
	if !types.IsInterface(t) || len(v.Elems) != 1 || v.Elems[0].Type == nil || !p.isOwn(v.Elems[0].Type) {
		return nil
	}
	if k := v.Elems[0].Kind; k != testcase.Pointer && k != testcase.Struct {
		return nil
	}
	return v.Elems[0].Type
}

// Makers returns the calls that made objects of a type.
func (p *Parts) Makers(t types.Type) []*testcase.Sequence {
	var out []*testcase.Sequence
	for _, part := range p.recipes[t.String()] {
		out = append(out, part.Seq)
	}
	return out
}

// made returns a way that takes the n-th call that makes an object in place of an object that is written by hand although
// users do not see all of its fields.
func (p *Parts) made(n int) plain.Way {
	return p.instead(func(op *testcase.Operation) (plain.Part, bool) {
		if !p.isHidden(op) || n >= len(p.recipes[op.Type.String()]) {
			return plain.Part{}, false
		}
		return p.recipes[op.Type.String()][n], true
	})
}

// WritesObject reports whether a case writes an object by hand that calls of the package make.
func (p *Parts) WritesObject(c *testcase.Case) bool {
	for i := range c.Seq.Len() {
		if op := c.Seq.At(i).Op; p.isHidden(op) && len(p.recipes[op.Type.String()]) > 0 {
			return true
		}
	}
	return false
}

// isHidden reports whether an operation writes a struct of the package that users cannot name, or that has fields which they do not
// see.
func (p *Parts) isHidden(op *testcase.Operation) bool {
	if op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite && op.Kind != testcase.OpAddr || op.Type == nil || !p.isOwn(op.Type) {
		return false
	}
	t := op.Type
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if named := load.NamedOf(t); ok && named != nil && !named.Obj().Exported() {
		return true
	}
	return ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return !f.Exported() })
}
