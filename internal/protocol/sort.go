package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// isSort reports whether the type is a sort.Interface, and which of value and pointer.
func (s *subject) isSort() (*types.Func, types.Type) {
	n, t1 := s.method("Len")
	less, t2 := s.method("Less")
	swap, t3 := s.method("Swap")
	if !hasSignature(n, nil, []types.Type{intType}) || !hasSignature(less, []types.Type{intType, intType}, []types.Type{boolType}) || !hasSignature(swap, []types.Type{intType, intType}, nil) {
		return nil, nil
	}
	t := t1
	for _, u := range []types.Type{t2, t3} {
		if _, ok := u.(*types.Pointer); ok {
			t = u
		}
	}
	return less, t
}

// sorting checks that a sort.Interface can be sorted. The tested function is Less.
func sorting(s *subject) []*testcase.Check {
	f, t := s.isSort()
	if f == nil {
		return nil
	}
	return s.check(f, "checkSort", "reports whether x can be sorted. It sorts it.", t, 1,
		`n := x.Len()`,
		`if n < 0 {`,
		`	return «errors».New("Len() is negative")`,
		`}`,
		`for i := 0; i < n; i++ {`,
		`	if x.Less(i, i) {`,
		`		return «errors».New("an element is less than itself")`,
		`	}`,
		`}`,
		`«sort».Sort(x)`,
		`if x.Len() != n || !«sort».IsSorted(x) {`,
		`	return «errors».New("sort.Sort does not sort it")`,
		`}`,
		`return nil`)
}

// heaping checks that a heap.Interface returns its elements in order. The tested function is Pop.
func heaping(s *subject) []*testcase.Check {
	less, t := s.isSort()
	push, u := s.method("Push")
	pop, v := s.method("Pop")
	empty := types.NewInterfaceType(nil, nil)
	if less == nil || push == nil || pop == nil || push.Signature().Params().Len() != 1 || push.Signature().Results().Len() != 0 ||
		pop.Signature().Params().Len() != 0 || pop.Signature().Results().Len() != 1 ||
		!types.Identical(push.Signature().Params().At(0).Type().Underlying(), empty) ||
		!types.Identical(pop.Signature().Results().At(0).Type().Underlying(), empty) {
		return nil
	}
	for _, p := range []types.Type{u, v} {
		if _, ok := p.(*types.Pointer); ok {
			t = p
		}
	}
	return s.check(pop, "checkHeap", "reports whether x keeps a heap's order. It takes all elements.", t, 1,
		`«container/heap».Init(x)`,
		`for n := x.Len(); n > 0; n-- {`,
		`	for i := 1; i < n; i++ {`,
		`		if x.Less(i, 0) {`,
		`			return «errors».New("the first element is not the least")`,
		`		}`,
		`	}`,
		`	e := «container/heap».Pop(x)`,
		`	if x.Len() != n-1 {`,
		`		return «errors».New("Pop does not take one element")`,
		`	}`,
		`	«container/heap».Push(x, e)`,
		`	if x.Len() != n {`,
		`		return «errors».New("Push does not add one element")`,
		`	}`,
		`	«container/heap».Pop(x)`,
		`}`,
		`return nil`)
}
