package assayrt

import (
	"errors"
	"reflect"
)

// isError reports whether v is described as an error.
func (c *capturer) isError(v reflect.Value) bool {
	t := v.Type()
	is, ok := c.errs[t]
	if !ok {
		is = t.Implements(c.errType)
		c.errs[t] = is
	}
	if !is {
		return false
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return !v.IsNil()
	}
	return true
}

// errorInfo writes the mark KErr and the facts about an error. It writes nothing and returns false if
// the error's methods panic.
func (c *capturer) errorInfo(e error) bool {
	msg, matches, ok := c.askError(e)
	if !ok {
		return false
	}
	w := c.w
	w.Byte(KErr)
	msg = lent.hide(msg)
	n := len(msg)
	if n > maxString {
		msg = msg[:maxString]
	}
	w.Str(msg)
	w.Num(len(matches))
	for _, m := range matches {
		w.Num(m)
	}
	w.Bool(len(matches) > 0 && c.same(e, matches[0]))
	return true
}

// askError calls the error's methods, which are code under test. It does not count the blocks that they
// cover, and it recovers from panics.
func (c *capturer) askError(e error) (msg string, matches []int, ok bool) {
	c.cover.pause()
	defer func() {
		c.cover.resume()
		if recover() != nil {
			ok = false
		}
	}()
	msg = e.Error()
	for _, i := range c.reg.Sentinels {
		if s := c.sentinel(i); s != nil && errors.Is(e, s) {
			if c.same(e, i) {
				matches = append([]int{i}, matches...)
			} else {
				matches = append(matches, i)
			}
		}
	}
	return msg, matches, true
}

// same reports whether e is identical to sentinel i.
func (c *capturer) same(e error, i int) bool {
	defer func() { _ = recover() }() // values of dynamic types that cannot be compared are different
	return e == c.sentinel(i)
}

// sentinel returns the error that variable i holds: as an error, or as a pointer of a type that is one. It is
// nil if the variable is.
func (c *capturer) sentinel(i int) error {
	if v, ok := c.reg.Vars[i].(*error); ok {
		return *v
	}
	v := reflect.ValueOf(c.reg.Vars[i]).Elem()
	if v.IsNil() {
		return nil
	}
	return v.Interface().(error)
}

// dynamicType writes the number of a type, followed by its description if the number is new.
func (c *capturer) dynamicType(t reflect.Type) {
	if c.hashing {
		c.w.Str(typeName(t)) // the hash must not depend on numbers, which depend on what ran before
		return
	}
	id, ok := c.types[t]
	if !ok {
		id = len(c.types)
		c.types[t] = id
	}
	c.w.Num(id)
	c.w.Bool(!ok)
	if !ok {
		c.w.Str(typeName(t))
		c.describe(t)
	}
}

// describe writes the structure of a type in a form that the parent can resolve.
func (c *capturer) describe(t reflect.Type) {
	w := c.w
	if n, ok := c.known[t]; ok {
		w.Byte(TKnown)
		w.Num(n)
		return
	}
	if t.Name() != "" {
		if t.PkgPath() == "" {
			w.Byte(TBasic)
			w.Str(t.Name())
			return
		}
		w.Byte(TNamed)
		w.Str(t.PkgPath())
		w.Str(t.Name())
		return
	}
	switch t.Kind() {
	case reflect.Slice:
		w.Byte(TSlice)
		c.describe(t.Elem())
	case reflect.Array:
		w.Byte(TArray)
		w.Num(t.Len())
		c.describe(t.Elem())
	case reflect.Pointer:
		w.Byte(TPtr)
		c.describe(t.Elem())
	case reflect.Map:
		w.Byte(TMap)
		c.describe(t.Key())
		c.describe(t.Elem())
	case reflect.Chan:
		w.Byte(TChan)
		w.Byte(byte(t.ChanDir()))
		c.describe(t.Elem())
	case reflect.Func:
		w.Byte(TFunc)
		w.Bool(t.IsVariadic())
		w.Num(t.NumIn())
		for i := range t.NumIn() {
			c.describe(t.In(i))
		}
		w.Num(t.NumOut())
		for i := range t.NumOut() {
			c.describe(t.Out(i))
		}
	case reflect.Struct:
		w.Byte(TStruct)
	default:
		w.Byte(TIface)
	}
}

// typeName returns reflect's name of a type with its full package path.
func typeName(t reflect.Type) string {
	if t.Name() != "" && t.PkgPath() != "" {
		return t.PkgPath() + "." + t.Name()
	}
	return t.String()
}
