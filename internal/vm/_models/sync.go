package models

import (
	"errors"
	"sync"
)

// A pool returns the values that were put into it, in the order of a pool on one processor between two
// collections of garbage: the value that was put first comes first, then the others, the newest first.

func sync_Pool_Get(p *sync.Pool) any {
	if p == nil {
		panic("nil Pool")
	}
	s := *vmSide(p)
	if x := s[0]; x != nil {
		s[0] = nil
		return x
	}
	top := 1
	for s[top] != nil {
		top++
	}
	if top > 1 {
		x := s[top-1]
		s[top-1] = nil
		return x
	}
	if p.New != nil {
		return p.New()
	}
	return nil
}

func sync_Pool_Put(p *sync.Pool, x any) {
	if x == nil {
		return
	}
	if p == nil {
		panic("nil Pool")
	}
	s := vmSide(p)
	if *s == nil {
		*s = map[any]any{}
	}
	free := 0
	for (*s)[free] != nil {
		free++
	}
	(*s)[free] = x
}

// vmSide returns a map that the machine keeps for the object to which p points.
func vmSide(p any) *map[any]any

func sync_Map_Load(m *sync.Map, key any) (any, bool) {
	v, ok := (*vmSide(m))[key]
	return v, ok
}

func sync_Map_Store(m *sync.Map, key, value any) {
	s := vmSide(m)
	if *s == nil {
		*s = map[any]any{}
	}
	(*s)[key] = value
}

func sync_Map_LoadOrStore(m *sync.Map, key, value any) (any, bool) {
	if v, ok := sync_Map_Load(m, key); ok {
		return v, true
	}
	sync_Map_Store(m, key, value)
	return value, false
}

func sync_Map_LoadAndDelete(m *sync.Map, key any) (any, bool) {
	v, ok := sync_Map_Load(m, key)
	if ok {
		delete(*vmSide(m), key)
	}
	return v, ok
}

func sync_Map_Delete(m *sync.Map, key any) { sync_Map_LoadAndDelete(m, key) }

func sync_Map_Swap(m *sync.Map, key, value any) (any, bool) {
	v, ok := sync_Map_Load(m, key)
	sync_Map_Store(m, key, value)
	return v, ok
}

func sync_Map_CompareAndSwap(m *sync.Map, key, old, new any) bool {
	if v, ok := sync_Map_Load(m, key); ok && v == old {
		sync_Map_Store(m, key, new)
		return true
	}
	return false
}

func sync_Map_CompareAndDelete(m *sync.Map, key, old any) bool {
	if v, ok := sync_Map_Load(m, key); ok && v == old {
		sync_Map_Delete(m, key)
		return true
	}
	return false
}

func sync_Map_Clear(m *sync.Map) { *vmSide(m) = nil }

func sync_Map_Range(m *sync.Map, f func(key, value any) bool) {
	for k, v := range *vmSide(m) {
		if !f(k, v) {
			return
		}
	}
}

// In the machine an atomic.Value is a variable of type any, because goroutines run one at a time.

func sync_atomic_Value_Load(v *any) any { return *v }

func sync_atomic_Value_Store(v *any, val any) {
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	if *v != nil && !vmSameType(*v, val) {
		panic("sync/atomic: store of inconsistently typed value into Value")
	}
	*v = val
}

func sync_atomic_Value_Swap(v *any, val any) any {
	if val == nil {
		panic("sync/atomic: swap of nil value into Value")
	}
	if *v != nil && !vmSameType(*v, val) {
		panic("sync/atomic: swap of inconsistently typed value into Value")
	}
	old := *v
	*v = val
	return old
}

func sync_atomic_Value_CompareAndSwap(v *any, old, val any) bool {
	if val == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && !vmSameType(old, val) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	if *v == nil {
		if old != nil {
			return false
		}
	} else {
		if !vmSameType(*v, val) {
			panic("sync/atomic: compare and swap of inconsistently typed value into Value")
		}
		if *v != old {
			return false
		}
	}
	*v = val
	return true
}

// vmSameType reports whether two interfaces have one dynamic type.
func vmSameType(x, y any) bool

// Each goroutine that waits for a condition variable has a ticket, and a semaphore of its own for the ticket.

type notifyList struct{ wait, notify uint32 }

func vmSemacquire(s *uint32)

func vmSemrelease(s *uint32)

func sync_runtime_notifyListAdd(l *notifyList) uint32 {
	s := vmSide(l)
	if *s == nil {
		*s = map[any]any{}
	}
	t := l.wait
	l.wait++
	(*s)[t] = new(uint32)
	return t
}

func sync_runtime_notifyListWait(l *notifyList, t uint32) {
	vmSemacquire((*vmSide(l))[t].(*uint32))
	delete(*vmSide(l), t)
}

func sync_runtime_notifyListNotifyOne(l *notifyList) {
	if l.notify != l.wait {
		t := l.notify
		l.notify++
		vmSemrelease((*vmSide(l))[t].(*uint32))
	}
}

func sync_runtime_notifyListNotifyAll(l *notifyList) {
	for l.notify != l.wait {
		sync_runtime_notifyListNotifyOne(l)
	}
}

// vmComparable reports whether == on the value of an interface cannot panic.
func vmComparable(v any) bool

// vmAssign stores err in the variable to which target points, and reports whether the variable's type
// allows that.
func vmAssign(err error, target any) bool

func errors_Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return errorIs(err, target, vmComparable(target))
}

func errorIs(err, target error, comparable bool) bool {
	for {
		if comparable && err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
			if err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if errorIs(err, target, comparable) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

func errors_As(err error, target any) bool {
	if err == nil {
		return false
	}
	if target == nil {
		panic("errors: target cannot be nil")
	}
	for {
		if vmAssign(err, target) {
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
			if err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if err != nil && errors_As(err, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

var _ = errors.New

// vmSwap swaps two elements of a slice.
func vmSwap(slice any, i, j int)

// vmIsSlice ends the path if its argument is no slice.
func vmIsSlice(slice any)

// real_reflect_DeepEqual is the function itself, from its source.
func real_reflect_DeepEqual(x, y any) bool

// vmDeepEqual compares values that contain no maps, functions, interfaces, channels or cycles.
func vmDeepEqual(x, y any) (equal, ok bool)

func reflect_DeepEqual(x, y any) bool {
	if equal, ok := vmDeepEqual(x, y); ok {
		return equal
	}
	return real_reflect_DeepEqual(x, y)
}

func internal_reflectlite_Swapper(slice any) func(i, j int) {
	vmIsSlice(slice)
	return func(i, j int) { vmSwap(slice, i, j) }
}

func reflect_Swapper(slice any) func(i, j int) {
	vmIsSlice(slice)
	return func(i, j int) { vmSwap(slice, i, j) }
}
