package vm

import (
	"encoding/binary"
	"go/types"
	"hash/fnv"
	"sort"
)

// The machine runs package reflect from its source. Where the compiler would put a type's descriptor,
// the machine puts objects with the same fields (abi.Type, abi.StructType and so on, as the source of
// package abi declares them), written in cells. Numbers in them that the language shows (sizes,
// offsets, alignments) are bytes. reflect uses offsets as numbers of cells, so its few functions that
// add an offset to an address are replaced (_models/reflect, reflect.go).

// descriptors holds the machine's type descriptors. The descriptors are static objects, one for each type
// that was asked for. Each is filled in when it is first read.
type descriptors struct {
	byType map[*Type]ObjID
	names  map[string]int32 // name offsets, by encoded name
	bytes  []ObjID          // encoded names, by name offset
	method []methodText     // by text offset; offset 0 is not used
	small  ObjID            // the numbers 0 to 255
	lays   map[string]*Type // of package internal/abi, by name
}

// methodText is what a text offset in a method descriptor stands for.
type methodText struct {
	t   *Type
	sel *types.Selection
}

// descriptor returns the address of a type's descriptor.
func (m *Machine) descriptor(t *Type) Value {
	d := &m.descs
	if d.byType == nil {
		d.byType = map[*Type]ObjID{}
		d.names = map[string]int32{}
		d.lays = map[string]*Type{}
		d.method = make([]methodText, 1)
	}
	id, ok := d.byType[t]
	if !ok {
		m.static = append(m.static, &Object{kind: objType, elem: t})
		id = ObjID(len(m.static)-1) | staticRegion
		d.byType[t] = id
	}
	return ptr(id, 0)
}

// described returns the type whose descriptor an address is; nil for a nil address.
func (m *Machine) described(v Value) *Type {
	m.known(v)
	if v.Bits == 0 && v.Term == 0 {
		return nil
	}
	id := v.obj()
	if v.Term == 0 && v.off() == 0 && id&staticRegion != 0 {
		if t := m.static[id&^staticRegion].elem; t != nil && m.descs.byType[t] == id {
			return t
		}
	}
	panic(unsupported("a type descriptor that the machine did not make"))
}

// read does the same as described where package reflect reads the descriptor, which panics if there is none.
func (m *Machine) read(v Value) *Type {
	t := m.described(v)
	if t == nil {
		panic(goPanic{m.nilPanic()})
	}
	return t
}

// typeOf does the same as described where the runtime reads the descriptor, so that there must be one.
func (m *Machine) typeOf(v Value) *Type {
	t := m.described(v)
	if t == nil {
		panic(unsupported("reflection on no type"))
	}
	return t
}

// abiLayout returns a type of package internal/abi.
func (m *Machine) abiLayout(name string) *Type {
	if t := m.descs.lays[name]; t != nil {
		return t
	}
	t := m.sourceType("internal/abi", name)
	m.descs.lays[name] = t
	return t
}

// sourceType returns a type of a dependency by name, from its source.
func (m *Machine) sourceType(path, name string) *Type {
	pkg, err := m.prog.SourcePackage(path)
	if err != nil {
		panic(unsupported("package " + path + ": " + err.Error()))
	}
	t := pkg.Type(name)
	if t == nil {
		panic(unsupported("type " + path + "." + name + ", which this Go version does not have"))
	}
	return m.types.of(t.Type())
}

// field returns where a field of a struct is. Internal types differ from one Go version to the next.
func (t *Type) field(name string) Field {
	for _, f := range t.Fields {
		if f.Name == name {
			return f
		}
	}
	panic(unsupported("field " + name + " of " + t.Name + ", which this Go version does not have"))
}

// descBuilder writes the cells of one descriptor.
type descBuilder struct {
	m     *Machine
	t     *Type
	cells []Value
}

// put sets a field of the struct of type lay that begins at cell at.
func (b *descBuilder) put(at int, lay *Type, name string, v ...Value) {
	copy(b.cells[at+lay.field(name).Off:], v)
}

// fillDescriptor writes the descriptor of the type that o stands for.
func (m *Machine) fillDescriptor(o *Object) {
	t := o.elem
	b := &descBuilder{m: m, t: t}
	lay := m.abiLayout("Type")
	switch t.Kind {
	case KArray:
		lay = m.abiLayout("ArrayType")
	case KChan:
		lay = m.abiLayout("ChanType")
	case KFunc:
		lay = m.abiLayout("FuncType")
	case KInterface:
		lay = m.abiLayout("InterfaceType")
	case KMap:
		lay = m.abiLayout("MapType")
	case KPointer:
		lay = m.abiLayout("PtrType")
	case KSlice:
		lay = m.abiLayout("SliceType")
	case KStruct:
		lay = m.abiLayout("StructType")
	}
	b.cells = make([]Value, lay.Size)
	named := t.named()
	methods := m.exportedMethods(t)
	uncommon := named || len(methods) > 0
	b.common(m.abiLayout("Type"), named, uncommon)
	b.kindPart(lay)
	at := len(b.cells)
	if uncommon {
		b.cells = append(b.cells, make([]Value, m.abiLayout("UncommonType").Size)...)
	}
	if t.Kind == KFunc {
		b.parameters(lay, uncommon)
	}
	if uncommon {
		b.uncommon(at, methods)
	}
	o.cells, o.kind = b.cells, objCells
}

// The bits of abi.TFlag.
const (
	tflagUncommon    = 1 << 0
	tflagNamed       = 1 << 2
	tflagDirectIface = 1 << 5
)

// common writes the fields that all descriptors have.
func (b *descBuilder) common(lay *Type, named, uncommon bool) {
	m, t := b.m, b.t
	size := uint64(m.prog.Sizes.Sizeof(t.Go))
	b.put(0, lay, "Size_", Value{Bits: size})
	if hasPointers(t.Go) {
		b.put(0, lay, "PtrBytes", Value{Bits: max(size, 1)})
	}
	h := fnv.New32a()
	h.Write([]byte(t.Name))
	b.put(0, lay, "Hash", Value{Bits: uint64(h.Sum32())})
	var flags uint64
	if uncommon {
		flags |= tflagUncommon
	}
	if named {
		flags |= tflagNamed
	}
	kind := uint64(reflectKind(t))
	if m.direct(t) {
		if m.directInKind() {
			kind |= 1 << 5
		} else {
			flags |= tflagDirectIface
		}
	}
	b.put(0, lay, "TFlag", Value{Bits: flags})
	align := uint64(m.prog.Sizes.Alignof(t.Go))
	b.put(0, lay, "Align_", Value{Bits: align})
	b.put(0, lay, "FieldAlign_", Value{Bits: align})
	b.put(0, lay, "Kind_", Value{Bits: kind})
	if t.comparable() {
		m.static = append(m.static, &Object{cells: []Value{{Bits: funcBit | uint64(m.equalFunc().ID)}, m.descriptor(t)}})
		b.put(0, lay, "Equal", ptr(ObjID(len(m.static)-1)|staticRegion, 0))
	}
	b.put(0, lay, "Str", Value{Bits: uint64(m.nameOff(encodeName(m.typeString(t), "", isExported(t), false)))})
}

// directInKind says that the flag of direct interfaces is among the bits of the kind in this Go version.
func (m *Machine) directInKind() bool {
	pkg, err := m.prog.SourcePackage("internal/abi")
	return err == nil && pkg.Const("TFlagDirectIface") == nil
}

// kindPart writes the fields that depend on the kind.
func (b *descBuilder) kindPart(lay *Type) {
	m, t := b.m, b.t
	desc := func(g types.Type) Value { return m.descriptor(m.types.of(g)) }
	switch u := t.Go.Underlying().(type) {
	case *types.Array:
		b.put(0, lay, "Elem", m.descriptor(t.Elem))
		b.put(0, lay, "Slice", desc(types.NewSlice(u.Elem())))
		b.put(0, lay, "Len", num(t.Len))
	case *types.Chan:
		b.put(0, lay, "Elem", m.descriptor(t.Elem))
		b.put(0, lay, "Dir", num([...]int{types.SendRecv: 3, types.SendOnly: 2, types.RecvOnly: 1}[u.Dir()]))
	case *types.Interface:
		b.put(0, lay, "PkgPath", m.namePtr(pathOfInterface(u)))
		lm := m.abiLayout("Imethod")
		ms := sortedMethods(t.iface)
		cells := make([]Value, lm.Size*len(ms))
		for i, f := range ms {
			at := i * lm.Size
			cells[at+lm.field("Name").Off] = Value{Bits: uint64(m.nameOff(encodeName(f.Name(), "", f.Exported(), false)))}
			cells[at+lm.field("Typ").Off] = Value{Bits: uint64(m.types.of(f.Type()).ID)}
		}
		b.put(0, lay, "Methods", m.staticSlice(cells, lm, len(ms))...)
	case *types.Map:
		b.put(0, lay, "Key", m.descriptor(t.Key))
		b.put(0, lay, "Elem", m.descriptor(t.Elem))
	case *types.Pointer, *types.Slice:
		b.put(0, lay, "Elem", m.descriptor(t.Elem))
	case *types.Struct:
		lf := m.abiLayout("StructField")
		cells := make([]Value, lf.Size*u.NumFields())
		var vars []*types.Var
		for i := range u.NumFields() {
			vars = append(vars, u.Field(i))
		}
		offsets := m.prog.Sizes.Offsetsof(vars)
		path := ""
		for i, f := range vars {
			at := i * lf.Size
			if !f.Exported() && f.Pkg() != nil {
				path = reflectPath(f.Pkg())
			}
			cells[at+lf.field("Name").Off] = m.namePtr(encodeName(f.Name(), u.Tag(i), f.Exported(), f.Embedded()))
			cells[at+lf.field("Typ").Off] = desc(f.Type())
			cells[at+lf.field("Offset").Off] = Value{Bits: uint64(offsets[i])}
		}
		b.put(0, lay, "PkgPath", m.namePtr(encodePath(path)))
		b.put(0, lay, "Fields", m.staticSlice(cells, lf, len(vars))...)
	}
}

// uncommon writes, at cell at, the part that only types with a name or methods have; the methods come
// last.
func (b *descBuilder) uncommon(at int, methods []*types.Selection) {
	m := b.m
	lay, lm := m.abiLayout("UncommonType"), m.abiLayout("Method")
	if n, ok := types.Unalias(b.t.Go).(*types.Named); ok && n.Obj().Pkg() != nil {
		b.put(at, lay, "PkgPath", Value{Bits: uint64(m.nameOff(encodePath(reflectPath(n.Obj().Pkg()))))})
	} else if b.t.Kind == KUnsafePointer {
		b.put(at, lay, "PkgPath", Value{Bits: uint64(m.nameOff(encodePath("unsafe")))})
	}
	b.put(at, lay, "Mcount", num(len(methods)))
	b.put(at, lay, "Xcount", num(len(methods)))
	b.put(at, lay, "Moff", num(len(b.cells)-at))
	for _, sel := range methods {
		cells := make([]Value, lm.Size)
		cells[lm.field("Name").Off] = Value{Bits: uint64(m.nameOff(encodeName(sel.Obj().Name(), "", true, false)))}
		sig := sel.Obj().Type().(*types.Signature)
		cells[lm.field("Mtyp").Off] = Value{Bits: uint64(m.types.of(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).ID)}
		text := Value{Bits: uint64(len(m.descs.method))}
		m.descs.method = append(m.descs.method, methodText{b.t, sel})
		cells[lm.field("Ifn").Off], cells[lm.field("Tfn").Off] = text, text
		b.cells = append(b.cells, cells...)
	}
}

// parameters writes the types of a function's parameters and results. Their place is computed with
// unsafe.Sizeof, so in bytes.
func (b *descBuilder) parameters(lay *Type, uncommon bool) {
	m := b.m
	sig := b.t.Go.Underlying().(*types.Signature)
	out := uint64(sig.Results().Len())
	if sig.Variadic() {
		out |= 1 << 15
	}
	b.put(0, lay, "InCount", num(sig.Params().Len()))
	b.put(0, lay, "OutCount", Value{Bits: out})
	at := m.prog.Sizes.Sizeof(lay.Go)
	if uncommon {
		at += m.prog.Sizes.Sizeof(m.abiLayout("UncommonType").Go)
	}
	b.cells = append(b.cells, make([]Value, int(at)+sig.Params().Len()+sig.Results().Len()-len(b.cells))...)
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			b.cells[at] = m.descriptor(m.types.of(v.Type()))
			at++
		}
	}
}

// staticSlice makes a constant slice of n elements of type elem.
func (m *Machine) staticSlice(cells []Value, elem *Type, n int) []Value {
	if n == 0 {
		return make([]Value, 3)
	}
	m.static = append(m.static, &Object{cells: cells, elem: elem})
	return []Value{ptr(ObjID(len(m.static)-1)|staticRegion, 0), num(n), num(n)}
}

// encodeName encodes a name as package internal/abi wants it: flags, length, text, and
// the same for the tag.
func encodeName(name, tag string, exported, embedded bool) string {
	var flags byte
	if exported {
		flags |= 1
	}
	if tag != "" {
		flags |= 2
	}
	if embedded {
		flags |= 8
	}
	b := binary.AppendUvarint([]byte{flags}, uint64(len(name)))
	b = append(b, name...)
	if tag != "" {
		b = append(binary.AppendUvarint(b, uint64(len(tag))), tag...)
	}
	return string(b)
}

// encodePath encodes an import path. An empty path has no name at all.
func encodePath(path string) string {
	if path == "" {
		return ""
	}
	return encodeName(path, "", false, false)
}

// nameOff returns the name offset of an encoded name; offset 0 is no name.
func (m *Machine) nameOff(encoded string) int32 {
	d := &m.descs
	if len(d.bytes) == 0 {
		d.bytes = []ObjID{0}
		d.names[""] = 0
	}
	if n, ok := d.names[encoded]; ok {
		return n
	}
	m.static = append(m.static, &Object{kind: objBytes, str: encoded})
	n := int32(len(d.bytes))
	d.bytes = append(d.bytes, ObjID(len(m.static)-1)|staticRegion)
	d.names[encoded] = n
	return n
}

// namePtr returns the address of an encoded name.
func (m *Machine) namePtr(encoded string) Value {
	n := m.nameOff(encoded)
	if n == 0 {
		return Value{}
	}
	return ptr(m.descs.bytes[n], 0)
}

// exportedMethods lists the exported methods of a type by name. The type is not an interface.
func (m *Machine) exportedMethods(t *Type) []*types.Selection {
	if t.Kind == KInterface {
		return nil
	}
	ms := m.msets.MethodSet(t.Go)
	var out []*types.Selection
	for i := range ms.Len() {
		if sel := ms.At(i); sel.Obj().Exported() {
			out = append(out, sel)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Obj().Name() < out[j].Obj().Name() })
	return out
}

// sortedMethods lists the methods of an interface by name, exported or not.
func sortedMethods(t *types.Interface) []*types.Func {
	var out []*types.Func
	for f := range t.Methods() {
		out = append(out, f)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name() < out[j].Name() })
	return out
}

// pathOfInterface returns the encoded import path of the package to which an interface with unexported
// methods belongs.
func pathOfInterface(t *types.Interface) string {
	for f := range t.Methods() {
		if f.Pkg() != nil {
			return encodePath(reflectPath(f.Pkg()))
		}
	}
	return ""
}

// reflectPath returns a package's import path in the form of the linker: the path of a program is main.
func reflectPath(p *types.Package) string {
	if p.Name() == "main" {
		return "main"
	}
	return p.Path()
}
