package assayrt

import (
	"reflect"
	"sync"
)

// findLocks returns the mutexes among the package's variables, and those in the fields of variables that are
// structs.
func findLocks(r *Registry) []reflect.Value {
	var out []reflect.Value
	var visit func(v reflect.Value, depth int)
	visit = func(v reflect.Value, depth int) {
		switch v.Type() {
		case reflect.TypeFor[sync.Mutex](), reflect.TypeFor[sync.RWMutex]():
			out = append(out, v)
			return
		}
		if v.Kind() == reflect.Struct && depth < 4 {
			for i := range v.NumField() {
				visit(open(v.Field(i)), depth+1)
			}
		}
	}
	for _, p := range r.Vars {
		visit(reflect.ValueOf(p).Elem(), 0)
	}
	return out
}

// unlock opens the package's own locks after a case, and reports whether any were locked, because later
// cases would wait for them for ever. (In a real program a panic with a lock held would have ended the
// process.)
func (x *executor) unlock() (held bool) {
	for _, v := range x.locks {
		if !v.IsZero() {
			held = true
			v.SetZero()
		}
	}
	return held
}
