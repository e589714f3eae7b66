package observer

import (
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// Run holds the results of one object's observers, by observer.
type Run map[*types.Func][]testcase.Value

// Answers returns the results of the observers' calls at the end of a sequence, from a statement on.
func Answers(seq *testcase.Sequence, from int, o *testcase.Outcome) Run {
	out := make(Run)
	for i := seq.Len() - 1; i >= from && i < len(o.Results); i-- {
		st := seq.At(i)
		if !st.Op.Observes() || len(st.Args) != 1 {
			break
		}
		out[st.Op.Func] = o.Results[i]
	}
	return out
}

// Equal reports whether the same observers have the same results.
func (r Run) Equal(other Run) bool {
	return maps.EqualFunc(r, other, func(x, y []testcase.Value) bool { return slices.EqualFunc(x, y, testcase.Value.Equal) })
}

// enoughRuns is after how many runs two observers that always agreed are taken for one fact. In fewer runs
// they may agree by chance.
const enoughRuns = 6

// Informative returns the observers that say something, in their order: their results differed between
// runs, and no earlier observer implies them. Two observers that always change together (Len and Size,
// Len and IsEmpty) are one fact. A number or a truth never stands for a text: with other objects the text may say more.
// Texts of pages are left out where others say something. A list of bytes comes behind the others, because the same as a text is easier to read. Observers that echo what the object was
// made of imply nothing, and come last.
func Informative(ops []*testcase.Operation, runs []Run, echoes map[*types.Func]bool) []*testcase.Operation {
	var out, echoing, texts, bytes []*testcase.Operation
	for _, op := range ops {
		if returnsBytes(op) {
			bytes = append(bytes, op)
		} else {
			texts = append(texts, op)
		}
	}
	for _, op := range append(texts, bytes...) {
		if constant(op.Func, runs) {
			continue
		}
		if echoes[op.Func] {
			echoing = append(echoing, op)
			continue
		}
		implied := false
		for _, other := range out {
			implied = implied || implies(other.Func, op.Func, runs) && !(returnsText(op) && !returnsText(other))
		}
		if !implied {
			out = append(out, op)
		}
	}
	if short := slices.DeleteFunc(slices.Clone(out), func(op *testcase.Operation) bool { return overlong(op.Func, runs) }); len(short) > 0 {
		out = short // nobody reads pages to see what a call did, where a number says it
	}
	return append(out, echoing...)
}

// overlong reports whether an observer has returned a text of more than a few lines.
func overlong(f *types.Func, runs []Run) bool {
	return slices.ContainsFunc(runs, func(r Run) bool { return slices.ContainsFunc(r[f], testcase.Value.FillsPage) })
}

// returnsText reports whether the first result of an observer is a text, or something that has parts.
func returnsText(op *testcase.Operation) bool {
	b, ok := op.Func.Signature().Results().At(0).Type().Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsString != 0
}

// returnsBytes reports whether the first result of an observer is a list of bytes.
func returnsBytes(op *testcase.Operation) bool {
	list, ok := op.Func.Signature().Results().At(0).Type().Underlying().(*types.Slice)
	return ok && types.Identical(list.Elem().Underlying(), types.Typ[types.Uint8])
}

// constant reports whether an observer returned the same results in all runs.
func constant(f *types.Func, runs []Run) bool {
	var first []testcase.Value
	for _, r := range runs {
		v, ok := r[f]
		switch {
		case !ok:
		case first == nil:
			first = v
		case !equal(first, v):
			return false
		}
	}
	return true
}

// implies reports whether the results of a determined the results of b in every run, and there were enough
// runs.
func implies(a, b *types.Func, runs []Run) bool {
	type pair struct{ a, b []testcase.Value }
	var seen []pair
	n := 0
next:
	for _, r := range runs {
		va, okA := r[a]
		vb, okB := r[b]
		if !okA || !okB {
			continue
		}
		n++
		for _, p := range seen {
			if equal(p.a, va) {
				if !equal(p.b, vb) {
					return false
				}
				continue next
			}
		}
		seen = append(seen, pair{va, vb})
	}
	// A value of a that was seen once proves nothing of b.
	return n >= enoughRuns && n >= 2*len(seen)
}

func equal(a, b []testcase.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

// Derived reports whether an observer's result followed in all runs from the list of all elements: it is
// their number, whether there are any, the first one, or the last one.
func Derived(list, f *types.Func, runs []Run) bool {
	derivations := []func(elems []testcase.Value, v testcase.Value) bool{
		func(elems []testcase.Value, v testcase.Value) bool {
			return (v.Kind == testcase.Int || v.Kind == testcase.Uint) && v.Bits == uint64(len(elems))
		},
		func(elems []testcase.Value, v testcase.Value) bool {
			return v.Kind == testcase.Bool && (v.Bits != 0) == (len(elems) == 0)
		},
		func(elems []testcase.Value, v testcase.Value) bool { return len(elems) == 0 || v.Equal(elems[0]) },
		func(elems []testcase.Value, v testcase.Value) bool {
			return len(elems) == 0 || v.Equal(elems[len(elems)-1])
		},
	}
	for _, derives := range derivations {
		said, always := 0, true
		for _, r := range runs {
			elems, ok := r[list]
			v, asked := r[f]
			if !ok || !asked || len(elems) != 1 || len(v) == 0 {
				continue
			}
			said++
			always = always && derives(elems[0].Elems, v[0])
		}
		if said > 0 && always {
			return true
		}
	}
	return false
}
