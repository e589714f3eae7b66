package check

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/vm"
)

// analysis is one run over one function, under a set of assumptions.
type analysis struct {
	p       *Program
	fn      *ssa.Function
	enabled func(place) bool

	symbols   map[ssa.Value]symbol
	values    []ssa.Value       // the value of a symbol, or nil if the symbol stands for the content of memory
	blocks    []*ssa.BasicBlock // the block that defines a symbol, or nil if the symbol exists at the entry
	kinds     []types.Type      // by symbol: its type
	ranges    []interval        // by symbol: the range of its integer type
	ints      []integer         // the integer type of a symbol; bits is 0 if its type is no integer
	locations map[locationKey]location
	places    []*locationInfo // by location
	joins     map[joinKey]symbol
	updates   map[updateKey]symbol
	escaping  map[ssa.Value]bool
	zeros     map[types.Type]*ssa.Const
	typeNames map[types.Type]string

	prepared
	work  int
	edges map[edge]*state
	rec   *recorder // nil except in the last pass

	noOlds      bool // the old values of the function's contract are not had
	oldsMayFail bool // one of them needs something that does not always hold
}

// prepared is the part of an analysis that all runs over a function share.
type prepared struct {
	live       *liveness
	thresholds []int64
	helps      map[ssa.Instruction]bool // the calls of assay.Assert whose conditions are known behind them; nil means all
}

func (p *Program) prepare(fn *ssa.Function) prepared {
	return prepared{live: livenessOf(fn), thresholds: thresholds(fn)}
}

// edge is a control-flow edge by block number and number of the successor.
type edge struct{ from, succ int }

type joinKey struct {
	block *ssa.BasicBlock
	loc   location
}

// place is where an assumption is made.
type place struct {
	ins  ssa.Instruction // nil for the entry
	kind AssumptionKind
	n    int // tells several assumptions of a kind at one instruction apart: the number of the parameter, ...
}

func newAnalysis(p *Program, fn *ssa.Function, pre prepared, enabled func(place) bool) *analysis {
	return &analysis{
		p: p, fn: fn, enabled: enabled, prepared: pre,
		symbols: map[ssa.Value]symbol{}, values: []ssa.Value{nil}, blocks: []*ssa.BasicBlock{nil}, kinds: []types.Type{nil}, ranges: []interval{{}}, ints: []integer{{}},
		locations: map[locationKey]location{}, places: []*locationInfo{nil}, joins: map[joinKey]symbol{}, updates: map[updateKey]symbol{},
		escaping: map[ssa.Value]bool{}, zeros: map[types.Type]*ssa.Const{}, typeNames: map[types.Type]string{}, edges: map[edge]*state{},
	}
}

// symbol returns the symbol of an SSA value.
func (a *analysis) symbol(v ssa.Value) symbol {
	if s, ok := a.symbols[v]; ok {
		return s
	}
	var b *ssa.BasicBlock
	if ins, ok := v.(ssa.Instruction); ok && ins.Parent() == a.fn {
		b = ins.Block()
	}
	s := a.newSymbol(v, b, v.Type())
	a.symbols[v] = s
	return s
}

func (a *analysis) newSymbol(v ssa.Value, b *ssa.BasicBlock, t types.Type) symbol {
	s := symbol(len(a.values))
	i, _ := integerOf(t, a.p.Sizes)
	r := interval{}
	if i.bits > 0 {
		r = i.values()
	}
	a.values = append(a.values, v)
	a.blocks = append(a.blocks, b)
	a.kinds = append(a.kinds, t)
	a.ints = append(a.ints, i)
	a.ranges = append(a.ranges, r)
	return s
}

// typeRange returns the range of a number that its type implies.
func (a *analysis) typeRange(n number) interval {
	if n%3 != 0 {
		return interval{0, noUpper} // the number is a length or a capacity
	}
	s := n.symbol()
	if a.ints[s].bits == 0 {
		return interval{noLower, noUpper}
	}
	return a.ranges[s]
}

// unbounded reports whether a number may lie outside of an int64.
func (a *analysis) unbounded(n number) bool {
	s := n.symbol()
	return n%3 == 0 && (a.ints[s].bits == 0 || a.ints[s].bits == 64 && !a.ints[s].signed)
}

// assume asks whether an assumption may be made, and records that it was.
func (a *analysis) assume(p place, cond Condition, text func() string) bool {
	if !a.enabled(p) {
		return false
	}
	if a.rec != nil {
		a.rec.assume(p, cond, text)
	}
	return true
}

// operand is a number or a constant.
type operand struct {
	n  number
	k  int64
	is bool // the operand is a constant
}

// operand returns v as a number. The result ok is false for values that are no numbers, and for constants
// that an int64 cannot hold.
func (a *analysis) operand(v ssa.Value) (operand, bool) {
	if c, ok := v.(*ssa.Const); ok {
		k, ok := constantInt(c)
		return operand{k: k, is: true}, ok
	}
	if _, ok := integerOf(v.Type(), a.p.Sizes); !ok {
		return operand{}, false
	}
	return operand{n: a.symbol(v).value()}, true
}

func constantInt(c *ssa.Const) (int64, bool) {
	if c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

// intervalOf returns the known interval of an operand.
func (s *state) intervalOf(o operand) interval {
	if o.is {
		return point(o.k)
	}
	return s.interval(o.n)
}

// diffOf returns an upper bound for x - y.
func (s *state) diffOf(x, y operand) int64 {
	if !x.is && !y.is {
		return s.diff(x.n, y.n)
	}
	ix, iy := s.intervalOf(x), s.intervalOf(y)
	if ix.hi == noUpper && (!x.is) || iy.lo == noLower && !y.is {
		return noUpper
	}
	d, out := subBound(ix.hi, iy.lo)
	if out && d == noUpper {
		return noUpper
	}
	return d
}

// addUpperOf records x <= y + c.
func (s *state) addUpperOf(x, y operand, c int64) {
	switch {
	case x.is && y.is:
		if d, out := subBound(x.k, y.k); !out && d > c {
			s.bottom = true
		}
	case x.is:
		if l, out := subBound(x.k, c); !out {
			s.restrict(y.n, interval{l, noUpper})
		}
	case y.is:
		if h, below, above := addBound(y.k, c); !below && !above {
			s.restrict(x.n, interval{noLower, h})
		}
	default:
		s.addUpper(x.n, y.n, c)
	}
}

// thresholds returns the numbers at which widening stops: the constants of the function, and their
// neighbours.
func thresholds(fn *ssa.Function) []int64 {
	out := []int64{-1, 0, 1}
	var buf [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			for _, op := range ins.Operands(buf[:0]) {
				if *op == nil {
					continue
				}
				if c, ok := (*op).(*ssa.Const); ok {
					if k, ok := constantInt(c); ok && k > -maxBound && k < maxBound {
						out = append(out, k-1, k, k+1)
					}
				}
				if s, ok := arrayLength((*op).Type()); ok {
					out = append(out, s-1, s)
				}
			}
		}
	}
	for _, bits := range []int{8, 16, 32} {
		out = append(out, -1<<(bits-1), 1<<(bits-1)-1, 1<<bits-1)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// arrayLength returns the length of an array, or of the array that a pointer points to.
func arrayLength(t types.Type) (int64, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if arr, ok := t.Underlying().(*types.Array); ok {
		return arr.Len(), true
	}
	return 0, false
}

// lengthOf returns the length of a string, slice or array as an operand. The length of a map or channel
// changes while its value stays the same. Such a length is therefore no number of the value: see
// maplength.go.
func (a *analysis) lengthOf(s *state, v ssa.Value) (operand, bool) {
	if n, ok := arrayLength(v.Type()); ok {
		return operand{k: n, is: true}, true
	}
	if c, ok := v.(*ssa.Const); ok {
		switch {
		case c.Value == nil:
			return operand{is: true}, true
		case c.Value.Kind() == constant.String:
			return operand{k: int64(len(constant.StringVal(c.Value))), is: true}, true
		}
		return operand{}, false
	}
	if !hasLength(v.Type()) {
		return operand{}, false
	}
	return operand{n: s.root(a.symbol(v)).length()}, true
}

func (a *analysis) capacityOf(s *state, v ssa.Value) (operand, bool) {
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Chan:
		if _, ok := v.(*ssa.Const); ok {
			return operand{is: true}, true
		}
		return operand{n: s.root(a.symbol(v)).size()}, true
	}
	return a.lengthOf(s, v)
}

// hasLength reports whether values of a type have a length that never changes.
func hasLength(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// factOf returns the known fact about a value that is no number.
func (s *state) factOf(v ssa.Value) fact {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			if isReference(v.Type()) {
				return isNil
			}
			return 0
		}
		if v.Value.Kind() == constant.Bool {
			if constant.BoolVal(v.Value) {
				return isTrue
			}
			return isFalse
		}
		return 0
	case *ssa.Global, *ssa.Function, *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeInterface, *ssa.Builtin:
		return nonNil
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return nonNil // with a nil operand the instruction has panicked already
	case *ssa.FreeVar:
		if capturesVariable(v) {
			return nonNil
		}
	}
	return s.fact(s.a.symbol(v))
}

// capturesVariable reports whether a free variable is the address of a variable of the
// enclosing function.
func capturesVariable(v *ssa.FreeVar) bool {
	fn := v.Parent()
	if fn.Parent() == nil {
		return false
	}
	i := slices.Index(fn.FreeVars, v)
	found := false
	for _, b := range fn.Parent().Blocks {
		for _, ins := range b.Instrs {
			mk, ok := ins.(*ssa.MakeClosure)
			if !ok || mk.Fn != fn {
				continue
			}
			switch x := mk.Bindings[i].(type) {
			case *ssa.Alloc:
			case *ssa.FreeVar:
				if !capturesVariable(x) {
					return false
				}
			default:
				return false
			}
			found = true
		}
	}
	return found
}

// isReference reports whether values of the type can be nil.
func isReference(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	}
	return false
}

// Position returns the position of an instruction in the source, or of a neighbouring instruction if it has
// none.
func Position(ins ssa.Instruction) token.Pos {
	if p := vm.Position(ins); p.IsValid() {
		return p
	}
	var buf [8]*ssa.Value
	for _, op := range ins.Operands(buf[:0]) {
		if *op != nil && (*op).Pos().IsValid() {
			if in, ok := (*op).(ssa.Instruction); ok && in.Parent() == ins.Parent() {
				return in.Pos()
			}
		}
	}
	b := ins.Block()
	for i := slices.Index(b.Instrs, ins); i >= 0; i-- {
		if p := b.Instrs[i].Pos(); p.IsValid() {
			return p
		}
	}
	return ins.Parent().Pos()
}
