package vm

import (
	"go/types"
	"testing"
)

// Values that a seed or an input makes up may have a kind and no type, and point to nothing. What package reflect
// dereferences then panics in the code under test; it is no bug of the machine's.
func TestReflect_nil(t *testing.T) {
	m, _ := speedMachine(t, "")
	iface, pointer := m.descriptor(m.errorType()), m.descriptor(m.types.of(types.NewPointer(types.Typ[types.Int])))
	panics := func(f func()) (ok bool) {
		defer func() { _, ok = recover().(goPanic) }()
		f()
		return false
	}
	if !panics(func() { reflectImplements(m, nil, &call{args: []Value{iface, {}}}) }) {
		t.Error("no type has methods, without a panic of the code under test")
	}
	for _, name := range []string{"(*rtype).ptrTo", "SliceOf", "ChanOf", "MapOf"} {
		if !panics(func() { makeType(name)(m, nil, &call{args: make([]Value, 4)}) }) {
			t.Errorf("%s of no type, without a panic of the code under test", name)
		}
	}
	if !panics(func() { valuePointer(m, nil, &call{args: []Value{pointer, {}, {Bits: rflagIndir}}}) }) {
		t.Error("a value that is nowhere was read, without a panic of the code under test")
	}
}
