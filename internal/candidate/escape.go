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
