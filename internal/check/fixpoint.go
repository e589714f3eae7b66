package check

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file computes the fixed point in reverse postorder, with widening at the targets of backward edges. A
// few passes then narrow the result: their states only become stronger (Cousot, Cousot, PLILP 1992).

// joinsBeforeWidening is how often the state at a loop's head is joined before it is widened. Widening stops
// at thresholds for the next thresholdsBeforeNone times. The constant narrowings is how many narrowing passes
// follow.
const (
	joinsBeforeWidening  = 3
	thresholdsBeforeNone = 5
	narrowings           = 2
)

// maxVisits bounds the visits of one block; the analysis of a function gives up beyond. A dozen visits are
// enough in practice.
const maxVisits = 60

// maxWork bounds the work of a run, counted in upper bounds that were looked at. So much work takes some
// tenths of a second. It also bounds the total work of the runs that leave out assumptions.
const maxWork = 1_000_000

// run computes the state at the entry of each block, by block number. The result ok is false if the analysis
// gave up.
func (a *analysis) run() (entry []*state, ok bool) {
	order := ReversePostorder(a.fn)
	rank := make([]int, len(a.fn.Blocks))
	for i, b := range order {
		rank[b.Index] = i
	}
	heads := make([]bool, len(a.fn.Blocks))
	for _, b := range order {
		for _, s := range b.Succs {
			if rank[s.Index] <= rank[b.Index] {
				heads[s.Index] = true
			}
		}
	}
	entry = make([]*state, len(a.fn.Blocks))
	visits := make([]int, len(a.fn.Blocks))
	dirty := make([]bool, len(a.fn.Blocks))
	dirty[0] = true
	if a.fn.Recover != nil {
		dirty[a.fn.Recover.Index] = true
	}
	for again := true; again; {
		again = false
		for _, b := range order {
			if !dirty[b.Index] {
				continue
			}
			dirty[b.Index] = false
			again = true
			in := a.entryOf(b)
			if visits[b.Index]++; visits[b.Index] > maxVisits || a.work > maxWork {
				return nil, false
			}
			if visits[b.Index] > 1 {
				switch n := visits[b.Index]; {
				case heads[b.Index] && n > joinsBeforeWidening+thresholdsBeforeNone:
					in = entry[b.Index].widen(in, nil)
				case heads[b.Index] && n > joinsBeforeWidening:
					in = entry[b.Index].widen(in, a.thresholds)
				}
				if in.equal(entry[b.Index]) {
					continue
				}
			}
			entry[b.Index] = in
			a.through(b, in)
			for _, s := range b.Succs {
				dirty[s.Index] = true
			}
		}
	}
	for range narrowings {
		for _, b := range order {
			entry[b.Index] = a.entryOf(b)
			a.through(b, entry[b.Index])
		}
	}
	return entry, true
}

// ReversePostorder lists the reachable blocks, each before its successors except along back edges of
// loops. The block in which a recovered panic continues is among them.
func ReversePostorder(fn *ssa.Function) []*ssa.BasicBlock {
	seen := make([]bool, len(fn.Blocks))
	var out []*ssa.BasicBlock
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b.Index] {
			return
		}
		seen[b.Index] = true
		for i := len(b.Succs) - 1; i >= 0; i-- {
			visit(b.Succs[i])
		}
		out = append(out, b)
	}
	if fn.Recover != nil {
		visit(fn.Recover)
	}
	visit(fn.Blocks[0])
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// entryOf joins the states on the incoming edges of a block.
func (a *analysis) entryOf(b *ssa.BasicBlock) *state {
	if b.Index == 0 && len(b.Preds) == 0 {
		return a.start()
	}
	if b == a.fn.Recover {
		return a.newState()
	}
	var in *state
	if b.Index == 0 {
		in = a.start()
	}
	for i, p := range b.Preds {
		if earlier(b.Preds, i) {
			continue
		}
		for k, s := range p.Succs {
			if s == b {
				in = in.join(a.edges[edge{p.Index, k}])
			}
		}
	}
	if in == nil {
		in = &state{a: a, bottom: true}
	}
	return in
}

// earlier reports whether a predecessor stands in the list before index i.
func earlier(preds []*ssa.BasicBlock, i int) bool {
	for j := range i {
		if preds[j] == preds[i] {
			return true
		}
	}
	return false
}

// through takes a state through a block and leaves the resulting states on its outgoing edges.
func (a *analysis) through(b *ssa.BasicBlock, in *state) {
	if in.bottom {
		for k := range b.Succs {
			a.edges[edge{b.Index, k}] = nil
		}
		if a.rec != nil {
			for _, ins := range b.Instrs {
				a.rec.unreachable(a, ins)
			}
		}
		return
	}
	st := in.clone()
	for _, ins := range b.Instrs {
		if st.bottom {
			if a.rec != nil {
				a.rec.unreachable(a, ins)
			}
			continue
		}
		a.step(st, ins)
	}
	for k, s := range b.Succs {
		if st.bottom {
			a.edges[edge{b.Index, k}] = nil
			continue
		}
		out := st.clone()
		if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && b.Succs[0] != b.Succs[1] {
			a.refine(out, br.Cond, k == 0)
		}
		if out.bottom {
			a.edges[edge{b.Index, k}] = nil
			continue
		}
		a.edges[edge{b.Index, k}] = a.cross(out, b, s, k)
	}
}

// cross takes a state over an edge. Phis get their values, a location whose content may differ between
// branches gets a symbol of its own, and values that are not defined in the next block are forgotten.
func (a *analysis) cross(s *state, from, to *ssa.BasicBlock, succ int) *state {
	index := edgeIndex(from, to, succ)
	there := func(x symbol) bool {
		b := a.blocks[x]
		return b == nil || b.Parent() != to.Parent() || b != to && b.Dominates(to)
	}
	needed := a.needed(s, to)
	kept := func(x symbol) bool { return int(x) < len(needed) && needed[x] && there(x) }
	var moves []move
	for _, ins := range to.Instrs {
		phi, ok := ins.(*ssa.Phi)
		if !ok {
			break
		}
		moves = append(moves, move{dst: a.symbol(phi), src: phi.Edges[index]})
	}
	out := a.newState()
	merges := len(to.Preds) > 1
	for _, l := range a.sortedMemory(s) {
		c := s.memory[l]
		info := a.places[l]
		if !kept(info.base) {
			continue // no instruction loads the place again
		}
		value := s.root(c.symbol())
		if !merges {
			if kept(value) {
				out.memory[l] = content{sym: value}
			}
			continue
		}
		j := a.joinSymbol(to, l)
		if value == j && kept(j) {
			out.memory[l] = content{sym: j}
			continue
		}
		moves = append(moves, move{dst: j, from: value})
		n := content{sym: j}
		if kept(value) {
			n.alt = value
		}
		out.memory[l] = n
	}
	s.project(out, kept)
	a.assign(s, out, moves, kept)
	return out
}

// needed marks the symbols that later queries from a block on may ask about: live values, values that
// are equal to them, and the contents of memory that can still be loaded.
func (a *analysis) needed(s *state, to *ssa.BasicBlock) []bool {
	out := make([]bool, len(a.values))
	for x, v := range a.values {
		if v != nil && a.live.at(to, v) {
			out[x] = true
			out[s.root(symbol(x))] = true
		}
	}
	for again := true; again; {
		again = false
		for l, c := range s.memory {
			if root := s.root(c.symbol()); out[a.places[l].base] && !(out[c.sym] && out[root]) {
				out[c.sym], out[root] = true, true
				again = true // the symbol may be a pointer to other places
			}
		}
	}
	return out
}

// move gives a symbol the value of an SSA value, or of another symbol.
type move struct {
	dst  symbol
	src  ssa.Value
	from symbol
}

// project copies the facts of s about kept symbols to out. If x <= y <= z and only y is dropped, it
// records x <= z.
func (s *state) project(out *state, kept func(symbol) bool) {
	for x, i := range s.ranges {
		if kept(x.symbol()) {
			out.ranges[x] = i
		}
	}
	for x := range s.upper {
		if !kept(x.symbol()) {
			continue
		}
		if i := s.interval(x); i != s.a.typeRange(x) {
			out.ranges[x] = i // an upper bound that is forgotten may have narrowed the interval
		}
		out.upper[x] = s.bounds(x, kept, 2)
		if len(out.upper[x]) == 0 {
			delete(out.upper, x)
		}
	}
	for x, f := range s.facts {
		if kept(x) {
			out.facts[x] = f
		}
	}
	for x := range s.exact {
		if kept(x) {
			out.exact[x] = true
		}
	}
	for x, t := range s.types {
		if kept(x) {
			out.types[x] = t
		}
	}
	for x := range s.same {
		if !kept(x) {
			continue
		}
		if r := s.root(x); kept(r) {
			out.same[x] = r
		} else if f := s.fact(x); f != 0 {
			out.facts[x] = f
		}
	}
}

// bounds lists the upper bounds of x by kept symbols. It follows chains of at most the given number of
// dropped symbols.
func (s *state) bounds(x number, kept func(symbol) bool, steps int) []bound {
	var out []bound
	for y, c := range s.reach(x, steps+1, func(y number) bool { return !kept(y.symbol()) }) {
		if kept(y.symbol()) && y != x && c <= maxBound && c >= -maxBound {
			out = append(out, bound{y, c})
		}
	}
	slices.SortFunc(out, func(a, b bound) int { return int(a.y) - int(b.y) })
	if len(out) > maxBounds {
		out = out[:maxBounds]
	}
	return out
}

// chains lists the upper bounds of x that chains of at most the given number of bounds imply.
func (s *state) chains(x number, steps int) []bound {
	var out []bound
	for y, c := range s.reach(x, steps, nil) {
		out = append(out, bound{y, c})
	}
	slices.SortFunc(out, func(a, b bound) int { return int(a.y) - int(b.y) })
	return out
}

// maxBounds is how many upper bounds of one number are taken over an edge.
const maxBounds = 32

// tighten adds a bound to a list unless there is a better one.
func tighten(list []bound, b bound) []bound {
	for _, e := range list {
		if e.y == b.y && e.c <= b.c {
			return list
		}
	}
	return insertBound(list, b)
}

// assign makes the moves of an edge, all at once.
func (a *analysis) assign(s, out *state, moves []move, kept func(symbol) bool) {
	var numbers []numberMove
	for _, m := range moves {
		var f fact
		if m.src != nil {
			numbers, f = a.assignValue(s, out, m, numbers)
		} else {
			numbers, f = a.assignSymbol(s, out, m, numbers)
		}
		if f != 0 {
			out.facts[m.dst] = f
		}
	}
	for _, m := range numbers {
		a.boundByKept(s, out, m, kept)
	}
	// The upper bounds of kept symbols by moved ones.
	for x := range s.upper {
		if !kept(x.symbol()) || len(numbers) == 0 {
			continue
		}
		reached := s.reach(x, 3, nil)
		for _, m := range numbers {
			if d, ok := reached[m.src.n]; ok && !m.src.is && isRecorded(d) {
				out.upper[x] = tighten(out.upper[x], bound{m.dst, d})
			}
		}
	}
	for _, m := range numbers {
		a.boundByMoved(s, out, m, numbers)
	}
}

// numberMove gives a number the value of an operand.
type numberMove struct {
	dst number
	src operand
}

// isRecorded reports whether a bound is small enough to be recorded.
func isRecorded(d int64) bool { return -maxBound <= d && d <= maxBound }

// assignValue moves an SSA value. It appends the moves of its numbers, and returns the fact about the value.
func (a *analysis) assignValue(s, out *state, m move, numbers []numberMove) ([]numberMove, fact) {
	if o, ok := a.operand(m.src); ok {
		numbers = append(numbers, numberMove{m.dst.value(), o})
	}
	if hasLength(m.src.Type()) {
		if o, ok := a.lengthOf(s, m.src); ok {
			numbers = append(numbers, numberMove{m.dst.length(), o})
		}
	}
	if hasLength(m.src.Type()) || isChan(m.src.Type()) {
		if o, ok := a.capacityOf(s, m.src); ok {
			numbers = append(numbers, numberMove{m.dst.size(), o})
		}
	}
	f := s.factOf(m.src)
	if f == 0 && isBoolean(m.src.Type()) {
		f = a.decide(s, m.src)
	}
	if t, ok := a.dynamicType(s, m.src); ok {
		out.types[m.dst] = t
	}
	return numbers, f
}

// assignSymbol does for the value of another symbol what assignValue does for an SSA value.
func (a *analysis) assignSymbol(s, out *state, m move, numbers []numberMove) ([]numberMove, fact) {
	r := s.root(m.from)
	if a.ints[r].bits > 0 {
		numbers = append(numbers, numberMove{m.dst.value(), operand{n: r.value()}})
	}
	if hasLength(a.kinds[m.dst]) {
		numbers = append(numbers, numberMove{m.dst.length(), operand{n: r.length()}})
	}
	if hasLength(a.kinds[m.dst]) || isChan(a.kinds[m.dst]) {
		numbers = append(numbers, numberMove{m.dst.size(), operand{n: r.size()}})
	}
	if t, ok := s.types[r]; ok {
		out.types[m.dst] = t
	}
	if v := a.values[r]; v != nil {
		return numbers, s.factOf(v)
	}
	return numbers, s.facts[r]
}

// boundByKept records the interval of a moved number, and its upper bounds by kept symbols.
func (a *analysis) boundByKept(s, out *state, m numberMove, kept func(symbol) bool) {
	if i := s.intervalOf(m.src); i != a.typeRange(m.dst) {
		out.ranges[m.dst] = i.meet(a.typeRange(m.dst))
	}
	if m.src.is {
		return
	}
	if kept(m.src.n.symbol()) {
		out.upper[m.dst] = tighten(out.upper[m.dst], bound{m.src.n, 0})
		out.upper[m.src.n] = tighten(out.upper[m.src.n], bound{m.dst, 0})
	}
	for _, b := range s.bounds(m.src.n, kept, 2) {
		out.upper[m.dst] = tighten(out.upper[m.dst], b)
	}
}

// boundByMoved records the upper bounds of a moved number by the other moved ones.
func (a *analysis) boundByMoved(s, out *state, m numberMove, numbers []numberMove) {
	var reached map[number]int64
	if !m.src.is {
		reached = s.reach(m.src.n, maxSteps, nil)
	}
	for _, n := range numbers {
		if m.dst == n.dst || m.src.is && n.src.is {
			continue
		}
		d := int64(noUpper)
		switch r, ok := reached[n.src.n]; {
		case m.src.is || n.src.is:
			d = s.diffOf(m.src, n.src)
		case m.src.n == n.src.n:
			d = 0
		case ok:
			d = s.diffBy(m.src.n, n.src.n, r)
		default:
			d = s.diffBy(m.src.n, n.src.n, noUpper)
		}
		if isRecorded(d) {
			out.upper[m.dst] = tighten(out.upper[m.dst], bound{n.dst, d})
		}
	}
}

func edgeIndex(from, to *ssa.BasicBlock, succ int) int {
	k := 0 // how many earlier edges of from lead to the same block
	for i := range succ {
		if from.Succs[i] == to {
			k++
		}
	}
	for i, p := range to.Preds {
		if p == from {
			if k == 0 {
				return i
			}
			k--
		}
	}
	panic("bug: check: an edge without its predecessor")
}
