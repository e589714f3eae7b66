package vm

import (
	"go/token"
	"go/types"
)

// makeType makes the functions of package reflect that construct types.
func makeType(name string) intrinsic {
	return func(m *Machine, st *State, c *call) ([]Value, signal) {
		a := c.args
		of := func(v Value) types.Type { return m.read(v).Go }
		// A reflect.Type is an interface that holds a *rtype, the address of a descriptor.
		give := func(g types.Type) ([]Value, signal) {
			rtype := m.types.of(types.NewPointer(m.sourceType("reflect", "rtype").Go))
			return []Value{{Bits: uint64(rtype.ID)}, m.descriptor(m.types.of(g))}, sigNext
		}
		switch name {
		case "(*rtype).ptrTo":
			return []Value{m.descriptor(m.types.of(types.NewPointer(of(a[0]))))}, sigNext
		case "SliceOf":
			return give(types.NewSlice(of(a[1])))
		case "ArrayOf":
			n := m.concretize(st, a[0], 64)
			if int64(n) < 0 {
				return nil, m.panicString(st, "reflect: negative length passed to ArrayOf")
			}
			return give(types.NewArray(of(a[2]), int64(n)))
		case "ChanOf":
			dir := [...]types.ChanDir{types.SendRecv, types.RecvOnly, types.SendOnly, types.SendRecv}[a[0].Bits&3]
			return give(types.NewChan(dir, of(a[2])))
		case "MapOf":
			key := m.read(a[1])
			if !types.Comparable(key.Go) {
				return nil, m.panicString(st, "reflect.MapOf: invalid key type "+m.typeString(key))
			}
			return give(types.NewMap(key.Go, of(a[3])))
		case "FuncOf":
			in, out := m.typeSlice(st, a[0:3]), m.typeSlice(st, a[3:6])
			variadic := a[6].Bits != 0
			if variadic && (len(in) == 0 || m.types.of(in[len(in)-1]).Kind != KSlice) {
				return nil, m.panicString(st, "reflect.FuncOf: last arg of variadic func must be slice")
			}
			tuple := func(ts []types.Type) *types.Tuple {
				var vars []*types.Var
				for _, t := range ts {
					vars = append(vars, types.NewParam(token.NoPos, nil, "", t))
				}
				return types.NewTuple(vars...)
			}
			return give(types.NewSignatureType(nil, nil, nil, tuple(in), tuple(out), variadic))
		}
		return give(m.structOf(st, a))
	}
}

// typeSlice reads a slice of reflect.Type.
func (m *Machine) typeSlice(st *State, s []Value) []types.Type {
	var out []types.Type
	for i := range m.fixedLen(st, s[1]) {
		var v [2]Value
		m.load(st, m.elemAddr(st, s[0], num(i), 2), m.anyType(), v[:])
		out = append(out, m.read(v[1]).Go)
	}
	return out
}

// structOf makes a struct type from a slice of reflect.StructField. Methods of embedded fields are promoted.
// The real function refuses this in most cases.
func (m *Machine) structOf(st *State, s []Value) types.Type {
	lay := m.sourceType("reflect", "StructField")
	var vars []*types.Var
	var tags []string
	for i := range m.fixedLen(st, s[1]) {
		v := make([]Value, lay.Size)
		m.load(st, m.elemAddr(st, s[0], num(i), lay.Size), lay, v)
		text := func(name string) string {
			at := lay.field(name).Off
			t, ok := m.concreteString(st, v[at], v[at+1])
			if !ok {
				panic(unsupported("a struct type with symbolic names"))
			}
			return t
		}
		name, path := text("Name"), text("PkgPath")
		var pkg *types.Package
		if path != "" {
			pkg = types.NewPackage(path, path)
		}
		if name == "" || v[lay.field("Type").Off].Bits == 0 {
			panic(unsupported("an invalid argument of reflect.StructOf"))
		}
		vars = append(vars, types.NewField(token.NoPos, pkg, name, m.typeOf(v[lay.field("Type").Off+1]).Go, v[lay.field("Anonymous").Off].Bits != 0))
		tags = append(tags, text("Tag"))
	}
	return types.NewStruct(vars, tags)
}

// panicString panics with a string.
func (m *Machine) panicString(st *State, s string) signal {
	v := m.box(st, m.types.of(types.Typ[types.String]), m.newString(st, s))
	return m.startPanic(st, &panicRec{value: [2]Value(v), kind: "explicit", site: -1})
}
