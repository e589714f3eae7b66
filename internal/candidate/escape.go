package candidate

import (
	"reflect"
	"unsafe"
)

// escape notes all slots that are reached from v.
func (r *recorder) escape(v any) {
	seen := map[unsafe.Pointer]bool{}
	var walk func(v reflect.Value, depth int)
	walk = func(v reflect.Value, depth int) {
		if depth > 200 {
			return // no structure is that deep, because bounds are small
		}
		if v.CanAddr() {
			if off := uintptr(v.Addr().UnsafePointer()) - r.base; off < r.size {
				r.noteAll(off, v.Type().Size())
			}
		}
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.UnsafePointer()] {
				seen[v.UnsafePointer()] = true
				walk(v.Elem(), depth+1)
			}
		case reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), depth+1)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), depth+1)
			}
		case reflect.Array, reflect.Slice:
			if v.Kind() == reflect.Slice {
				if off := uintptr(v.UnsafePointer()) - r.base; off < r.size && r.in[off] > 0 {
					r.note(r.in[off] - 1)
				}
			}
			for i := range v.Len() {
				walk(v.Index(i), depth+1)
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				walk(k, depth+1)
				walk(v.MapIndex(k), depth+1)
			}
		}
	}
	walk(reflect.ValueOf(v), 0)
}

// Behind notes what the compiler's own code reads if a method is called by way of v, an interface that holds a pointer:
// the object of which the method takes a copy. wrapped are the names of the types with such methods; a plus before the
// name says that the method is that of an embedded field, so that everything which the object leads to may be read.
func Behind[T any](v T, wrapped ...string) T {
	if rec.size == 0 {
		return v
	}
	r := reflect.ValueOf(&v).Elem()
	if r.Kind() == reflect.Interface {
		r = r.Elem()
	}
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return v
	}
	t := r.Type().Elem()
	name := t.Name()
	for i := range len(name) {
		if name[i] == '[' {
			name = name[:i] // type arguments
			break
		}
	}
	for _, w := range wrapped {
		switch {
		case w == name:
			if off := uintptr(r.UnsafePointer()) - rec.base; off < rec.size {
				rec.noteAll(off, t.Size())
			}
		case w[0] == '+' && w[1:] == name:
			rec.escape(v)
		}
	}
	return v
}
