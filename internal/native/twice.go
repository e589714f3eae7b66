package native

import (
	"go/types"
	"math"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// Merge compares the outcomes of two runs of a sequence. In the first outcome, values that differ become
// Opaque, and the outcome becomes Unstable.
func Merge(a, b *testcase.Outcome) {
	if b.Unstable {
		a.Unstable = true
	}
	a.Wavers = a.Wavers || b.Wavers || endsElsewhere(a, b)
	a.Held = a.Held || b.Held
	a.Leaves = a.Leaves || b.Leaves
	if a.Status != b.Status || a.At != b.At || a.Violated != b.Violated {
		a.Unstable = true
		return
	}
	differ := false
	for i := range a.Results {
		if i < len(b.Results) {
			differ = mergeResults(a.Results[i], b.Results[i]) || differ
		}
	}
	differ = mergeValues(a.Final, b.Final) || differ
	if a.Panic != nil && b.Panic != nil {
		differ = mergeValue(&a.Panic.Value, b.Panic.Value) || differ
		differ = differ || a.Panic.Message != b.Panic.Message
	}
	a.Unstable = a.Unstable || differ
}

// endsElsewhere reports whether two runs of a sequence ended in different ways.
func endsElsewhere(a, b *testcase.Outcome) bool {
	if a.Status != b.Status || a.At != b.At || a.Violated != b.Violated || (a.Panic == nil) != (b.Panic == nil) {
		return true
	}
	if a.Panic == nil {
		return false
	}
	if a.Panic.Kind != b.Panic.Kind || len(a.Panic.Stack) == 0 || len(b.Panic.Stack) == 0 {
		return a.Panic.Kind != b.Panic.Kind
	}
	return a.Panic.Stack[0].Pos != b.Panic.Stack[0].Pos
}

// mergeResults does for the results of a call what mergeValues does. Lists that have the same elements in another order stay known, and
// become Shuffled: a test can put these in order.
func mergeResults(a, b []testcase.Value) (differ bool) {
	for i := range a {
		if i >= len(b) {
			break
		}
		mine, sortable := a[i].Ascending()
		other, comparable := b[i].Ascending()
		switch {
		case sortable && comparable && !isBytes(mine) && mine.Equal(other) && (a[i].Shuffled || b[i].Shuffled || !a[i].Equal(b[i])):
			a[i] = mine
			a[i].Shuffled, differ = true, true
		case a[i].Shuffled: // now the elements differ, and which of them stood where is not known any more
			a[i].Shuffled, differ = false, true
			for k := range a[i].Elems {
				a[i].Elems[k] = testcase.Value{Kind: testcase.Opaque, Varies: true}
			}
		default:
			differ = mergeValue(&a[i], b[i]) || differ
		}
	}
	return differ
}

func mergeValues(a, b []testcase.Value) (differ bool) {
	for i := range a {
		if i < len(b) {
			differ = mergeValue(&a[i], b[i]) || differ
		}
	}
	return differ
}

// mergeValue makes those parts of a Opaque that differ from b. It chooses the smallest parts possible, and
// reports whether there were any.
func mergeValue(a *testcase.Value, b testcase.Value) (differ bool) {
	opaque := func() bool {
		*a = testcase.Value{Kind: testcase.Opaque, Type: a.Type, TypeName: a.TypeName, Err: a.Err, Varies: true,
			MaybeNil: a.MaybeNil || a.Kind == testcase.Nil || b.Kind == testcase.Nil}
		return true
	}
	if a.Err != nil && b.Err != nil && a.Err.Message != b.Err.Message {
		e := *a.Err
		e.Unstable = true
		a.Err = &e
		differ = true
	}
	if a.Kind != b.Kind || a.Len != b.Len || a.Cut != b.Cut || a.ID != b.ID || a.Again != b.Again || len(a.Elems) != len(b.Elems) {
		return opaque()
	}
	if a.Kind == testcase.Interface && !sameType(a.Elems[0], b.Elems[0]) {
		return opaque()
	}
	if a.Kind == testcase.Map && !sameKeys(a.Elems, b.Elems) {
		return opaque()
	}
	if len(a.Elems) == 0 {
		if !a.Equal(b) {
			return opaque()
		}
		return differ
	}
	part := false
	for i := range a.Elems {
		part = mergeValue(&a.Elems[i], b.Elems[i]) || part
	}
	if part && isText(b) {
		return opaque() // a byte that two random texts share by chance is no part of either
	}
	return part || differ
}

// isBytes reports whether a value is of a type of lists of bytes, or looks like one if its type is not known.
func isBytes(v testcase.Value) bool {
	if v.Type == nil {
		return isText(v)
	}
	list, ok := v.Type.Underlying().(*types.Slice)
	return ok && types.Identical(list.Elem().Underlying(), types.Typ[types.Uint8])
}

// isText reports whether a value looks like a list of bytes.
func isText(v testcase.Value) bool {
	return (v.Kind == testcase.Slice || v.Kind == testcase.Array) && !slices.ContainsFunc(v.Elems, func(e testcase.Value) bool {
		return e.Kind != testcase.Uint || e.Bits > math.MaxUint8
	})
}

func sameType(a, b testcase.Value) bool {
	if a.Type == nil || b.Type == nil {
		return a.TypeName == b.TypeName && a.Type == b.Type
	}
	return types.Identical(a.Type, b.Type)
}

// sameKeys reports whether two lists of map entries have the same keys.
func sameKeys(a, b []testcase.Value) bool {
	for i := 0; i+1 < len(a); i += 2 {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}
