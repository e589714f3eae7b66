package check

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// The length of a map changes while the map stays the same value. The analysis therefore treats the length as
// a location in memory of its own (class 'm'), not as a number of the map's symbol. A write to one map may be
// a write to every map of the same type, unless both are known to be different maps. The length of a channel
// is not tracked, because each send and receive of any goroutine changes it.

// mapLength is the path of the place that stands for a map's length.
const mapLength = "#len"

// mapClass returns the class of the lengths of all maps of a type.
func mapClass(t types.Type) class { return class{kind: 'm', name: typeName(t)} }

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func isChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// lengthPlace returns the place that stands for the length of a map; the result ok is false if the map is
// nil.
func (a *analysis) lengthPlace(s *state, m ssa.Value) (l location, ok bool) {
	if _, isConst := m.(*ssa.Const); isConst {
		return 0, false
	}
	base := s.root(a.symbol(m))
	key := locationKey{base, mapLength}
	if l, ok := a.locations[key]; ok {
		return l, true
	}
	l = location(len(a.places))
	a.locations[key] = l
	made, _ := a.values[base].(*ssa.MakeMap)
	t := types.Typ[types.Int]
	a.places = append(a.places, &locationInfo{
		base: base, typ: t, name: a.typeName(t), addr: m,
		class: class{kind: 'm', name: a.typeName(m.Type())},
		local: made != nil && !a.mapEscapes(made),
	})
	return l, true
}

// mapEscapes reports whether anything may hold the map but the instructions of this function that look into
// it and write to it.
func (a *analysis) mapEscapes(m *ssa.MakeMap) bool {
	if e, ok := a.escaping[m]; ok {
		return e
	}
	e := false
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		case *ssa.MapUpdate:
			e = e || r.Key == ssa.Value(m) || r.Value == ssa.Value(m)
		case *ssa.Call:
			_, builtin := r.Call.Value.(*ssa.Builtin)
			e = e || !builtin
		default:
			e = true
		}
	}
	a.escaping[m] = e
	return e
}

// mapLen computes len(m).
func (a *analysis) mapLen(s *state, v *ssa.Call, m ssa.Value) {
	x := a.symbol(v)
	l, ok := a.lengthPlace(s, m)
	if !ok {
		s.restrict(x.value(), point(0))
		return
	}
	c, known := s.memory[l]
	if !known || !a.assumeUnchanged(s, l, v) {
		s.memory[l] = content{sym: x}
		s.restrict(x.value(), interval{0, noUpper})
		return
	}
	if y := s.root(c.symbol()); x != y {
		a.copyOf(s, x, y, v.Type())
	}
	if !s.bottom {
		s.restrict(x.value(), interval{0, noUpper})
	}
}

// mapChange is the effect of an instruction on the length of a map. The instruction removes at most fewer
// entries and adds at most more entries. If a key to add is there already, or a key to delete is missing, the
// length stays.
type mapChange struct {
	fewer, more int64
	least       int64 // a lower bound of the map's length afterwards
	empties     bool  // the map itself has no entries afterwards, whatever fewer says
}

// changeMap takes a state through an instruction that writes to a map.
func (a *analysis) changeMap(s *state, ins ssa.Instruction, m ssa.Value, ch mapChange) {
	if s.bottom {
		return
	}
	own, ok := a.lengthPlace(s, m)
	if !ok {
		return // a nil map has no entries to lose, and an update of it panics
	}
	for _, l := range a.sortedMemory(s) {
		info := a.places[l]
		if l == own || info.class != a.places[own].class || info.local || a.places[own].local {
			continue
		}
		// The location may belong to the same map under another name.
		a.moveLength(s, ins, l, ch, false)
	}
	a.moveLength(s, ins, own, ch, true)
}

// moveLength gives the length of a map a new symbol, and derives its bounds from those of the old one.
func (a *analysis) moveLength(s *state, ins ssa.Instruction, l location, ch mapChange, own bool) {
	old, known := s.memory[l]
	if known && !a.places[l].local && !a.assumeUnchanged(s, l, ins) {
		known = false
	}
	n := a.updateSymbol(ins, l)
	if own && ch.empties {
		s.memory[l] = content{sym: a.zeroSymbol(s, a.places[l].typ)}
		return
	}
	low := int64(0)
	if own {
		low = ch.least
	}
	if known {
		o := operand{n: s.root(old.symbol()).value()}
		if !ch.empties {
			s.atMost(o, operand{n: n.value()}, ch.fewer)
		}
		s.atMost(operand{n: n.value()}, o, ch.more)
	}
	if !s.bottom {
		s.restrict(n.value(), interval{low, noUpper})
		s.memory[l] = content{sym: n}
	}
}

// updateKey identifies a map's length behind an instruction that changes the length.
type updateKey struct {
	ins ssa.Instruction
	loc location
}

// updateSymbol returns the symbol of a map's length behind an instruction that changes the length.
func (a *analysis) updateSymbol(ins ssa.Instruction, l location) symbol {
	key := updateKey{ins, l}
	if s, ok := a.updates[key]; ok {
		return s
	}
	s := a.newSymbol(nil, ins.Block(), a.places[l].typ)
	a.updates[key] = s
	return s
}

// mapOfLength returns the type of the map whose length a number is, where the number is a result of len. It
// returns nil for other numbers.
func (a *analysis) mapOfLength(n number) *types.Map {
	if n%3 != 0 {
		return nil
	}
	c, ok := a.values[n.symbol()].(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
		return nil
	}
	m, _ := c.Call.Args[0].Type().Underlying().(*types.Map)
	return m
}
