// Package generic shows generic types and functions, and functions as parameters.
package generic

import (
	"cmp"
	"errors"
	"slices"
)

// ErrEmpty is returned where an element is asked for and there is none.
var ErrEmpty = errors.New("generic: empty")

// Stack is a stack. The zero value is empty; a nil *Stack is empty and takes nothing.
type Stack[T any] struct {
	items []T
}

// NewStack returns a stack of the given items, the last on top.
func NewStack[T any](items ...T) *Stack[T] {
	return &Stack[T]{items: slices.Clone(items)}
}

// Len returns the number of items.
func (s *Stack[T]) Len() int {
	if s == nil {
		return 0
	}
	return len(s.items)
}

// Push puts x on top.
func (s *Stack[T]) Push(x T) {
	if s != nil {
		s.items = append(s.items, x)
	}
}

// Pop takes the item on top, or returns ErrEmpty.
func (s *Stack[T]) Pop() (T, error) {
	if s.Len() == 0 {
		var zero T
		return zero, ErrEmpty
	}
	top := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return top, nil
}

// Set is a set of ordered values. A nil Set is empty; Add makes a new one of it.
type Set[T cmp.Ordered] map[T]struct{}

// Add returns the set with x in it.
func (s Set[T]) Add(x T) Set[T] {
	if s == nil {
		s = Set[T]{}
	}
	s[x] = struct{}{}
	return s
}

// Has reports whether x is in the set.
func (s Set[T]) Has(x T) bool {
	_, ok := s[x]
	return ok
}

// Sorted returns the elements in ascending order.
func (s Set[T]) Sorted() []T {
	out := make([]T, 0, len(s))
	for x := range s {
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// Map returns f of each element; nil if f is nil.
func Map[T, U any](xs []T, f func(T) U) []U {
	if f == nil {
		return nil
	}
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

// Filter returns the elements for which keep is true; all if keep is nil.
func Filter[T any](xs []T, keep func(T) bool) []T {
	var out []T
	for _, x := range xs {
		if keep == nil || keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Largest returns the largest element, or ErrEmpty.
func Largest[T cmp.Ordered](xs ...T) (T, error) {
	if len(xs) == 0 {
		var zero T
		return zero, ErrEmpty
	}
	best := xs[0]
	for _, x := range xs[1:] {
		if x > best {
			best = x
		}
	}
	return best, nil
}
