package check

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/vm"
)

// This file treats memory as a map from named places (a variable, a field behind a pointer) to their
// contents. Elements of slices and maps are not tracked. Types decide what a store or a call may change: Go
// is memory-safe, so a field of one struct type is never a field of another struct type (Diwan, McKinley,
// Moss, PLDI 1998).

// locationKey names a location: a base and a path of fields and constant indices.
type locationKey struct {
	base symbol
	path string
}

// locationInfo describes a location.
type locationInfo struct {
	base  symbol
	typ   types.Type // the type of its content
	name  string     // the name of typ, as typeName returns it
	class class
	local bool // a variable whose address only this function has
	addr  ssa.Value
}

// class is a class of memory; two places of different classes cannot be the same memory. A class is a
// field of a struct type, a package-level variable, an element, or all other memory of a type.
type class struct {
	kind  byte // 'f' field, 'g' variable of a package, 'l' local variable, 'e' element, 'd' memory behind a pointer
	name  string
	field int
}

// locate returns the location of an address. The result ok is false if the place is not tracked. The class
// and the type still say which memory the address may denote.
func (a *analysis) locate(s *state, addr ssa.Value) (location, class, bool) {
	base, path, cl, ok := a.path(s, addr)
	t := elemType(addr.Type())
	if !ok || !followed(t) {
		return 0, cl, false
	}
	key := locationKey{base, path}
	if l, ok := a.locations[key]; ok {
		return l, cl, true
	}
	l := location(len(a.places))
	a.locations[key] = l
	info := &locationInfo{base: base, typ: t, name: a.typeName(t), class: cl, addr: addr}
	if v := a.values[base]; v != nil {
		if al, ok := v.(*ssa.Alloc); ok {
			info.local = !a.escapes(al)
		}
	}
	a.places = append(a.places, info)
	return l, cl, true
}

// elemType returns the type that a pointer points to.
func elemType(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// followed reports whether the analysis follows contents of the type.
func followed(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// path takes an address apart: it returns the pointer that the address begins at, and the fields and indices
// from there on.
func (a *analysis) path(s *state, addr ssa.Value) (base symbol, path string, cl class, ok bool) {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		owner := elemType(v.X.Type())
		base, path, _, ok = a.path(s, v.X)
		return base, path + "." + strconv.Itoa(v.Field), class{kind: 'f', name: a.typeName(owner), field: v.Field}, ok
	case *ssa.IndexAddr:
		if c, isConst := v.Index.(*ssa.Const); isConst {
			if _, array := arrayLength(v.X.Type()); array {
				if k, fits := constantInt(c); fits {
					base, path, _, ok = a.path(s, v.X)
					return base, path + fmt.Sprintf("[%d]", k), class{kind: 'e', name: a.typeName(elemType(v.Type()))}, ok
				}
			}
		}
		return 0, "", class{kind: 'e', name: a.typeName(elemType(v.Type()))}, false
	case *ssa.Alloc:
		return a.symbol(v), "", class{kind: 'l', name: strconv.Itoa(int(a.symbol(v)))}, true
	case *ssa.Global:
		return a.symbol(v), "", class{kind: 'g', name: v.String()}, true
	case *ssa.Phi, *ssa.Const:
		return 0, "", class{kind: 'd', name: a.typeName(elemType(addr.Type()))}, false
	case *ssa.FreeVar:
		if capturesVariable(v) {
			return a.symbol(v), "", class{kind: 'd', name: a.typeName(elemType(addr.Type()))}, true
		}
	}
	return s.root(a.symbol(addr)), "", class{kind: 'd', name: a.typeName(elemType(addr.Type()))}, true
}

// rootOf returns the pointer from which an address of a field or an element was computed.
func rootOf(addr ssa.Value) ssa.Value {
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			addr = v.X
		default:
			return addr
		}
	}
}

// typeName returns a name that is equal for two types if their values may share memory. A pointer to
// one type can be converted to a pointer to another type with the same underlying type, so such types
// have one name; struct tags do not count.
func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	return types.TypeString(withoutTags(t.Underlying()), nil)
}

// withoutTags returns a type without the struct tags in it, and in the types that its text spells out.
func withoutTags(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Struct:
		var fields []*types.Var
		for f := range t.Fields() {
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), withoutTags(f.Type()), f.Embedded()))
		}
		return types.NewStruct(fields, nil)
	case *types.Pointer:
		return types.NewPointer(withoutTags(t.Elem()))
	case *types.Slice:
		return types.NewSlice(withoutTags(t.Elem()))
	case *types.Array:
		return types.NewArray(withoutTags(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(withoutTags(t.Key()), withoutTags(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), withoutTags(t.Elem()))
	}
	return t
}

// typeName returns what the function typeName returns, and keeps the result because the function takes long.
func (a *analysis) typeName(t types.Type) string {
	name, ok := a.typeNames[t]
	if !ok {
		name = typeName(t)
		a.typeNames[t] = name
	}
	return name
}

// escapes reports whether the address of a variable is used for anything but reading and writing the
// variable in its function.
func (a *analysis) escapes(v *ssa.Alloc) bool {
	if e, ok := a.escaping[v]; ok {
		return e
	}
	e := addressEscapes(v)
	a.escaping[v] = e
	return e
}

func addressEscapes(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if addressEscapes(r) {
				return true
			}
		case *ssa.IndexAddr:
			if addressEscapes(r) {
				return true
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// joinSymbol returns the symbol of a location's content at the beginning of a block where branches meet.
func (a *analysis) joinSymbol(b *ssa.BasicBlock, l location) symbol {
	key := joinKey{b, l}
	if s, ok := a.joins[key]; ok {
		return s
	}
	s := a.newSymbol(nil, b, a.places[l].typ)
	a.joins[key] = s
	return s
}

// sortedMemory lists the locations of a state in their order.
func (a *analysis) sortedMemory(s *state) []location {
	out := make([]location, 0, len(s.memory))
	for l := range s.memory {
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}

// load returns the value at an address.
func (a *analysis) load(s *state, v *ssa.UnOp) {
	x := a.symbol(v)
	l, _, ok := a.locate(s, v.X)
	if !ok {
		return
	}
	if c, ok := s.memory[l]; ok && a.assumeUnchanged(s, l, v) {
		y := s.root(c.symbol())
		if x == y {
			return
		}
		a.copyOf(s, x, y, v.Type())
		return
	}
	s.memory[l] = content{sym: x}
}

// assumeUnchanged asks for the assumption that another goroutine has not changed a location since the function last
// read or wrote it. It does not ask if no other goroutine can have changed the location.
func (a *analysis) assumeUnchanged(_ *state, l location, at ssa.Instruction) bool {
	if a.places[l].local {
		return true
	}
	if v, ok := a.values[a.places[l].base].(*ssa.Alloc); ok && contract.Ours(v.Parent().Name()) {
		return true // the variable belongs to a contract
	}
	return a.alone()
}

// alone asks for the assumption that no other goroutine writes memory that the function and its callees
// read.
func (a *analysis) alone() bool {
	return a.assume(place{kind: Race}, Condition{Kind: vm.CondHolds}, func() string {
		return "no other goroutine writes what " + a.fn.Name() + " reads"
	})
}

// copyOf makes x another name of y.
func (a *analysis) copyOf(s *state, x, y symbol, t types.Type) {
	s.same[x] = y
	if a.ints[x].bits > 0 {
		if i := s.interval(y.value()); i != a.typeRange(x.value()) {
			s.ranges[x.value()] = i.meet(a.typeRange(x.value()))
		}
		s.equate(x.value(), y.value(), 0)
	}
	if hasLength(t) {
		s.equate(x.length(), y.length(), 0)
	}
	if hasLength(t) || isChan(t) {
		s.equate(x.size(), y.size(), 0)
	}
}

// store writes a value to an address.
func (a *analysis) store(s *state, ins *ssa.Store) {
	l, cl, ok := a.locate(s, ins.Addr)
	a.kill(s, l, cl, ok, ins)
	if ok {
		if c, isConst := ins.Val.(*ssa.Const); isConst {
			a.constantSymbol(s, c)
		}
		s.memory[l] = content{sym: s.root(a.symbol(ins.Val))}
		if f := s.factOf(ins.Val); f != 0 {
			s.facts[s.root(a.symbol(ins.Val))] = f
		}
	}
}

// constantSymbol makes the value of a constant known under its symbol.
func (a *analysis) constantSymbol(s *state, c *ssa.Const) {
	x := a.symbol(c)
	if k, ok := constantInt(c); ok && a.ints[x].bits > 0 {
		s.ranges[x.value()] = point(k)
	}
	if n, ok := a.lengthOf(s, c); ok && n.is && hasLength(c.Type()) {
		s.ranges[x.length()] = point(n.k)
	}
}

// kill forgets what a store may change: the location or, if ok is false, all places of the class.
func (a *analysis) kill(s *state, l location, cl class, ok bool, ins *ssa.Store) {
	t := elemType(ins.Addr.Type())
	whole := !followed(t)
	written := &effects{classes: map[class]bool{}}
	if whole {
		written.pointee(t)
	}
	var doubt []location // the same field, or the same type, reached through another pointer
	for _, m := range a.sortedMemory(s) {
		if ok && m == l {
			continue
		}
		info := a.places[m]
		if info.class.kind == 'm' {
			continue // the length of a map, which no store changes
		}
		if whole {
			if base, _, _, known := a.path(s, ins.Addr); !written.changes(info) && !(known && base == info.base) && rootOf(ins.Addr) != a.values[info.base] {
				continue
			}
			if base, _, _, known := a.path(s, ins.Addr); known && base != info.base && (info.local || a.isLocal(base)) {
				continue
			}
			delete(s.memory, m)
			continue
		}
		switch a.overlap(l, cl, ok, ins.Addr, info) {
		case never:
		case sometimes:
			doubt = append(doubt, m)
		default:
			delete(s.memory, m)
		}
	}
	if len(doubt) == 0 {
		return
	}
	cells := a.cells(s, doubt, ins)
	if !a.assume(place{ins: ins, kind: Alias}, Condition{Kind: vm.CondKeeps, Cells: cells, After: true}, func() string {
		return "what is written here is not " + a.describeCells(doubt) + " by another name"
	}) {
		for _, m := range doubt {
			delete(s.memory, m)
		}
	}
}

func (a *analysis) isLocal(base symbol) bool {
	al, ok := a.values[base].(*ssa.Alloc)
	return ok && !a.escapes(al)
}

// overlapping says whether two places can be the same memory.
type overlapping int

const (
	never overlapping = iota
	sometimes
	maybe // it is possible, and no assumption is made about it
)

// overlap compares a store's address with a location. If ok, the address is that of location l; otherwise
// only its class is known.
func (a *analysis) overlap(l location, cl class, ok bool, addr ssa.Value, m *locationInfo) overlapping {
	if t := elemType(addr.Type()); t != m.typ && a.typeName(t) != m.name {
		return never
	}
	if ok {
		base := a.places[l].base
		if base == m.base {
			return never // both have one base and different offsets
		}
		if m.local || a.isLocal(base) {
			return never
		}
	} else if m.local && rootOf(addr) != a.values[m.base] {
		return never
	}
	k := m.class
	switch {
	case cl.kind == 'f' && k.kind == 'f':
		if cl != k {
			return never
		}
		if ok {
			return sometimes
		}
		return maybe
	case cl.kind == 'g' && k.kind == 'g', cl.kind == 'l' && k.kind == 'l', cl.kind == 'g' && k.kind == 'l', cl.kind == 'l' && k.kind == 'g':
		if cl != k {
			return never
		}
		return maybe
	case cl.kind == 'e' && (k.kind == 'f' || k.kind == 'g' || k.kind == 'l'), k.kind == 'e' && (cl.kind == 'f' || cl.kind == 'g' || cl.kind == 'l'):
		return never
	case cl.kind == 'f' && (k.kind == 'g' || k.kind == 'l'), k.kind == 'f' && (cl.kind == 'g' || cl.kind == 'l'):
		return never
	case cl.kind == 'd' && k.kind == 'd' && ok:
		return sometimes
	}
	return maybe
}

// cells returns locations with their contents for the machine to compare. It leaves out locations whose
// pointer or content has no register at that place.
func (a *analysis) cells(s *state, ls []location, at ssa.Instruction) []Cell {
	there := func(v ssa.Value) bool {
		ins, ok := v.(ssa.Instruction)
		return v != nil && (!ok || ins.Parent() != a.fn || ins.Block() == at.Block() || ins.Block().Dominates(at.Block()))
	}
	var out []Cell
	for _, l := range ls {
		v := a.values[s.memory[l].symbol()]
		if !there(v) || !there(a.places[l].addr) {
			v = nil
		}
		out = append(out, Cell{Addr: a.places[l].addr, Value: v})
	}
	return out
}

func (a *analysis) describeCells(ls []location) string {
	text := ""
	for i, l := range ls {
		if i == 3 {
			return text + ", ..."
		}
		if i > 0 {
			text += ", "
		}
		text += describe(a.places[l].addr)
	}
	return text
}

// forget removes contents of memory that a call may change, or that other goroutines may change while
// it waits.
func (a *analysis) forget(s *state, m *effects, at ssa.Instruction, callee string) {
	var doubt []location
	for _, l := range a.sortedMemory(s) {
		info := a.places[l]
		if info.local {
			continue
		}
		switch {
		case m.changes(info):
			delete(s.memory, l)
		case m.unknown, m.waits:
			doubt = append(doubt, l)
		}
	}
	if len(doubt) == 0 {
		return
	}
	kind, who := Callee, callee+" leaves "
	if !m.unknown {
		kind, who = Race, "what others do while "+callee+" waits leaves "
	}
	if !a.assume(place{ins: at, kind: kind}, Condition{Kind: vm.CondKeeps, Cells: a.cells(s, doubt, at), After: true}, func() string {
		return who + a.describeCells(doubt) + " alone"
	}) {
		for _, l := range doubt {
			delete(s.memory, l)
		}
	}
}
