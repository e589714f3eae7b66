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
	ends := func(f func()) (ok bool) {
		defer func() { _, ok = recover().(unsupported) }()
		f()
		return false
	}
	for name, in := range map[string]intrinsic{"packEface": packEface, "TypeAssert": typeAssert, "ifaceE2I": ifaceE2I, "growslice": reflectGrow, "vmField": fieldAddress} {
		args := make([]Value, 6)
		args[2].Bits = rflagIndir
		if !ends(func() {
			in(m, nil, &call{args: args, result: m.types.of(types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Int])))})
		}) {
			t.Errorf("%s of no type, and the path goes on", name)
		}
	}
	if !panics(func() { valuePointer(m, nil, &call{args: []Value{pointer, {}, {Bits: rflagIndir}}}) }) {
		t.Error("a value that is nowhere was read, without a panic of the code under test")
	}
}

// No test can declare a type with the methods of reflect.Type, while a test within the package can declare those of its own interfaces.
func TestStandsIn(t *testing.T) {
	m, _ := speedMachine(t, "")
	hidden := func(pkg *types.Package) *Type {
		f := types.NewFunc(0, pkg, "hidden", types.NewSignatureType(nil, nil, nil, nil, nil, false))
		return m.types.of(types.NewInterfaceType([]*types.Func{f}, nil).Complete())
	}
	if m.standsIn(hidden(types.NewPackage("reflect", "reflect"))) {
		t.Error("there are stand-ins for an interface that only its own package can implement")
	}
	if !m.standsIn(hidden(m.pkg.Types)) || !m.standsIn(m.errorType()) {
		t.Error("there are no stand-ins for an interface that tests can implement")
	}
}
