package check

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file checks the builtin make. It panics if a length is negative or larger than the capacity, or if the
// memory is larger than an address space. How long a slice may be depends on the size of its elements.

// Limits of memory that the analysis takes for granted: a make of at most maxMake bytes does not panic, and
// nothing in memory takes more than maxThere bytes. The runtime's own limit is 1<<48 bytes where addresses
// have 64 bits (except on iOS), and 1<<31 where addresses have 32 bits.
const (
	maxMake64  = 1 << 47
	maxMake32  = 1 << 31
	maxThere64 = 1 << 40
	maxThere32 = 1 << 30
)

// memoryLimits returns maxMake and maxThere for the sizes of a program.
func memoryLimits(sizes types.Sizes) (most, there int64) {
	if sizes.Sizeof(types.Typ[types.Uintptr]) < 8 {
		return maxMake32, maxThere32
	}
	return maxMake64, maxThere64
}

// makeSlice checks and computes make([]T, n, c).
func (a *analysis) makeSlice(s *state, v *ssa.MakeSlice) {
	n, ok := a.operand(v.Len)
	c, ok2 := a.operand(v.Cap)
	if !ok || !ok2 {
		a.check(s, v, NegativeLength, func(*state) bool { return false }, nil)
		return
	}
	zero := operand{is: true}
	size := a.elemSize(v.Type())
	if !n.is || !c.is || n.k < 0 || n.k > c.k || !s.fitsMemory(c, size) {
		a.check(s, v, NegativeLength, func(s *state) bool {
			return s.intervalOf(n).lo >= 0 && (v.Len == v.Cap || s.diffOf(n, c) <= 0) && s.fitsMemory(c, size)
		}, func(s *state) {
			s.addUpperOf(zero, n, 0)
			s.addUpperOf(n, c, 0)
		})
	}
	if s.bottom {
		return
	}
	x := a.symbol(v)
	s.facts[x] = nonNil
	s.difference(x.length(), n, zero)
	s.difference(x.size(), c, zero)
}

// makeArray checks make([]T, n, c) with a constant c. For such a make go/ssa slices a new array.
func (a *analysis) makeArray(s *state, v *ssa.Slice) {
	arr, ok := v.X.(*ssa.Alloc)
	if !ok || arr.Comment != "makeslice" {
		return
	}
	n, _ := arrayLength(arr.Type())
	size := a.elemSize(v.Type())
	if c := (operand{k: n, is: true}); !s.fitsMemory(c, size) {
		a.check(s, v, NegativeLength, func(*state) bool { return false }, nil)
	}
}

// makeChan checks and computes make(chan T, n).
func (a *analysis) makeChan(s *state, v *ssa.MakeChan) {
	n, ok := a.operand(v.Size)
	if !ok {
		a.check(s, v, NegativeLength, func(*state) bool { return false }, nil)
		return
	}
	size := a.elemSize(v.Type())
	holds := func(s *state) bool { return s.intervalOf(n).lo >= 0 && s.fitsMemory(n, size) }
	if !n.is || !holds(s) {
		a.check(s, v, NegativeLength, holds, func(s *state) { s.addUpperOf(operand{is: true}, n, 0) })
	}
	if !s.bottom {
		s.difference(a.symbol(v).size(), n, operand{is: true})
	}
}

// elemSize returns the size of an element of a slice or channel type, or -1 if the size is not known.
func (a *analysis) elemSize(t types.Type) int64 {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return sizeOf(u.Elem(), a.p.Sizes)
	case *types.Chan:
		return sizeOf(u.Elem(), a.p.Sizes)
	}
	return -1
}

// sizeOf returns the size of a type, or -1 if the size depends on a type parameter or is larger than an
// address space.
func sizeOf(t types.Type, sizes types.Sizes) int64 {
	if _, ok := t.(*types.TypeParam); ok {
		return -1
	}
	return sizes.Sizeof(t)
}

// fitsMemory reports whether make can allocate so many elements of a size. It can if their number is small
// enough, or if there is a value in memory that has at least nearly as many elements.
func (s *state) fitsMemory(o operand, size int64) bool {
	most, there := memoryLimits(s.a.p.Sizes)
	i := s.intervalOf(o)
	switch {
	case size == 0:
		return true
	case size < 0:
		return false
	case i.hi <= most/size:
		return true
	case o.is:
		return false
	}
	near := func(n number, c int64) bool {
		unit := s.a.memoryOf(n)
		return unit > 0 && c <= 1<<10 && there/unit <= most/size-1<<10
	}
	if near(o.n, 0) {
		return true
	}
	for y, c := range s.reach(o.n, 3, nil) {
		if near(y, c) {
			return true
		}
	}
	return false
}

// memoryOf returns how many bytes of memory each unit of a length stands for. It returns 0 if the number is
// no length, or if the elements take no memory. An entry of a map takes at least one byte in addition to its
// key and its element.
func (a *analysis) memoryOf(n number) int64 {
	if n%3 == 0 {
		if m := a.mapOfLength(n); m != nil {
			return 1 + max(sizeOf(m.Key(), a.p.Sizes), 0) + max(sizeOf(m.Elem(), a.p.Sizes), 0)
		}
		return 0
	}
	switch u := a.kinds[n.symbol()].Underlying().(type) {
	case *types.Slice:
		return max(sizeOf(u.Elem(), a.p.Sizes), 0)
	case *types.Chan:
		return max(sizeOf(u.Elem(), a.p.Sizes), 0)
	case *types.Basic:
		return 1
	}
	return 0
}
