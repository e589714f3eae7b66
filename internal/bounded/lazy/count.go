package lazy

import (
	"context"
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
)

// Result is the result of a count.
type Result struct {
	Valid int64 // structures that satisfy the predicate
	Paths int64 // the executions, which together stand for all candidates
}

// Counter counts the structures of a specification for which a predicate holds. Only one goroutine may use
// it.
type Counter struct {
	m  *machine
	fn *ssa.Function
}

// NewCounter makes a counter for fn, a function of a pointer to the root; the parameter typ has the types
// that the specification's numbers denote. An error is an [Unsupported].
func NewCounter(prog *load.Program, fn *ssa.Function, spec *candidate.Spec, typ []types.Type) (c *Counter, err error) {
	defer catch(&err)
	m := &machine{c: newCompiler(prog), stack: make([]val, maxStack)}
	m.layout(spec, typ)
	m.fixInterfaces(spec, typ)
	m.isPlain()
	return &Counter{m, fn}, nil
}

// catch turns the panic of an Unsupported into an error.
func catch(err *error) {
	if p := recover(); p != nil {
		u, ok := p.(Unsupported)
		if !ok {
			panic(p)
		}
		*err = u
	}
}

// Count counts the whole space, or only its first max executions if max is not 0. The result complete says
// whether it counted everything. Progress, if it is not nil, is called from time to time. An error is that of
// the context, with the counts so far, or an [Unsupported].
func (c *Counter) Count(ctx context.Context, max int64, progress func(Result)) (res Result, complete bool, err error) {
	defer catch(&err)
	c.m.parts, c.m.max = 0, max
	complete, err = c.m.walk(ctx, c.fn, progress)
	c.m.max = 0
	return c.m.res, complete, err
}

// Split prepares for counting parts of the space. The parts are those of candidate.Search.
func (c *Counter) Split(ctx context.Context, parts int) (err error) {
	defer catch(&err)
	m := c.m
	m.part, m.parts = -1, 1<<30 // no group belongs to this part
	m.depth, err = candidate.SplitDepth(parts, splitEffort, func(depth int) (int, error) {
		m.depth, m.node = depth, 0
		_, err := m.walk(ctx, c.fn, nil)
		return m.node + 1, err
	})
	m.parts = parts
	return err
}

// CountPart counts one of the parts that Split has made.
func (c *Counter) CountPart(ctx context.Context, part int, progress func(Result)) (res Result, err error) {
	defer catch(&err)
	c.m.part, c.m.node = part, 0
	_, err = c.m.walk(ctx, c.fn, progress)
	return c.m.res, err
}

// splitEffort bounds the executions that are begun to find places to split.
const splitEffort = 1 << 12

// mine reports whether the present group belongs to the part.
func (m *machine) mine() bool { return m.parts <= 1 || m.node%m.parts == m.part }

// progressEvery is after how many executions the context is checked.
const progressEvery = 1 << 12

// walk executes the predicate in all possible ways, or only in the first max ways.
func (m *machine) walk(ctx context.Context, fn *ssa.Function, progress func(Result)) (complete bool, err error) {
	m.res = Result{}
	m.choices, m.links, m.trail, m.barrier = m.choices[:0], m.links[:0], m.trail[:0], 0
	m.saved, m.savedFrames = m.saved[:0], m.savedFrames[:0]
	first := choice{mem: len(m.mem)}
	m.start(fn, val{b: m.addr[0][0]})
	for {
		holds, ok := m.run()
		if ok && m.mine() {
			m.res.Paths++
			if holds {
				m.res.Valid += m.completions()
			}
		}
		m.dead = false
		if m.res.Paths&(progressEvery-1) == 0 {
			if err := ctx.Err(); err != nil {
				m.unwind(&first)
				return false, err
			}
			if progress != nil {
				progress(m.res)
			}
		}
		m.steps = 0
		if !m.backtrack() {
			m.unwind(&first)
			return true, nil
		}
		if m.max > 0 && m.res.Paths >= m.max {
			m.unwind(&first)
			return false, nil
		}
	}
}

// counter counts the structures that an execution stands for.
type counter struct {
	res     Result
	keys    []val
	todo    []int32 // the slots that are reached
	reached [][]bool
	plain   []bool  // the classes whose objects have no slots
	linked  []int32 // the variables in constraints
	inLink  []bool
	simple  [][]int // by class: for each slot that may be any of its objects, how many other values the slot has
	ways0   []int64
	ways1   []int64
}

// isPlain finds the classes whose objects have no slots.
func (m *machine) isPlain() {
	for c := range m.own {
		plain := true
		var marks []bool
		for o := range m.own[c] {
			plain = plain && len(m.own[c][o]) == 0
			marks = append(marks, false)
		}
		m.plain = append(m.plain, plain)
		m.reached = append(m.reached, marks)
	}
	m.simple = make([][]int, len(m.own))
	m.inLink = make([]bool, len(m.vars))
}

// completions returns the number of structures on which the predicate takes this execution.
func (m *machine) completions() int64 {
	mark, links := len(m.trail), len(m.links)
	m.linked = m.linked[:0]
	for i := range m.links {
		for _, s := range [2]int32{m.links[i].x, m.links[i].y} {
			if !m.inLink[s] {
				m.inLink[s] = true
				m.linked = append(m.linked, s)
			}
		}
	}
	n := m.solutions(append([]int32(nil), m.linked...))
	if n > 0 {
		m.todo = m.todo[:0]
		for c := range m.reached {
			clear(m.reached[c])
			m.simple[c] = m.simple[c][:0]
		}
		m.reach(0, 0)
		n *= m.ways(0)
	}
	for _, s := range m.linked {
		m.inLink[s] = false
	}
	m.unwind(&choice{mem: len(m.mem), trail: mark, links: links})
	return n
}

// reach adds the slots of an object to those that have to be completed.
func (m *machine) reach(class, object int32) {
	if m.reached[class][object] {
		return
	}
	m.reached[class][object] = true
	m.todo = append(m.todo, m.own[class][object]...)
}

// ways returns in how many ways the slots from i on, and the slots that they lead to, can be completed.
func (m *machine) ways(i int) int64 {
	factor := int64(1)
	for ; i < len(m.todo); i++ {
		slot := m.todo[i]
		v := &m.vars[slot]
		if v.elems < 0 && v.mask&v.dom.objects == 0 {
			if !m.inLink[slot] {
				factor *= int64(bits.OnesCount64(v.mask))
			}
			continue
		}
		if k := v.single(); k >= 0 {
			m.expand(slot, k)
			continue
		}
		if c := v.dom.one; c >= 0 && v.elems < 0 && m.plain[c] && !v.dom.labelled && v.mask&v.dom.objects == v.dom.objects {
			m.simple[c] = append(m.simple[c], bits.OnesCount64(v.mask&^v.dom.objects))
			continue
		}
		return factor * m.branch(slot, i)
	}
	for c := range m.simple {
		if len(m.simple[c]) > 0 {
			factor *= m.assignments(c)
		}
	}
	return factor
}

// branch sums over the values of a slot.
func (m *machine) branch(slot int32, i int) int64 {
	sum := int64(0)
	v := &m.vars[slot]
	mask := v.mask
	todo := len(m.todo)
	marks := make([][]bool, len(m.reached))
	counts := make([]int, len(m.simple))
	for c := range m.reached {
		marks[c] = append([]bool(nil), m.reached[c]...)
		counts[c] = len(m.simple[c])
	}
	tops := append([]int32(nil), m.top...)
	for a := m.allowed(v); a != 0; a &= a - 1 {
		v.mask = a & -a
		m.expand(slot, bits.TrailingZeros64(a))
		sum += m.ways(i + 1)
		m.todo = m.todo[:todo]
		for c := range m.reached {
			copy(m.reached[c], marks[c])
			m.simple[c] = m.simple[c][:counts[c]]
		}
		copy(m.top, tops)
	}
	v.mask = mask
	return sum
}

// expand reaches the object or the slice elements that a decided slot leads to.
func (m *machine) expand(slot int32, k int) {
	v := &m.vars[slot]
	if v.elems >= 0 {
		for e := range int32(v.dom.vals[k][0]) * v.elems {
			m.todo = append(m.todo, slot+1+e)
		}
		return
	}
	if c, x := v.dom.class[k], v.dom.index[k]; c >= 0 {
		if !v.dom.labelled {
			m.top[c] = max(m.top[c], x)
		}
		m.reach(c, x)
	}
}

// assignments returns in how many ways objects of a class can be assigned to the slots that may have any of
// them. Objects that nothing else refers to are alike.
func (m *machine) assignments(class int) int64 {
	n := len(m.own[class])
	cur, next := append(m.ways0[:0], make([]int64, n+1)...), append(m.ways1[:0], make([]int64, n+1)...)
	cur[m.top[class]+1] = 1
	for _, others := range m.simple[class] {
		clear(next)
		for t, w := range cur {
			if w == 0 {
				continue
			}
			next[t] += w * int64(others+t)
			if t < n {
				next[t+1] += w
			}
		}
		cur, next = next, cur
	}
	sum := int64(0)
	for _, w := range cur {
		sum += w
	}
	m.ways0, m.ways1 = cur, next
	return sum
}

// solutions returns the number of solutions of the constraints between the given variables. The constraints
// fall apart into components, and into more of them when a variable is decided.
func (m *machine) solutions(vars []int32) int64 {
	total := int64(1)
	open := vars[:0]
	for _, s := range vars {
		if m.vars[s].single() < 0 {
			open = append(open, s)
		}
	}
	for len(open) > 0 {
		comp := m.component(&open)
		if len(comp) == 1 {
			total *= int64(bits.OnesCount64(m.vars[comp[0]].mask))
			continue
		}
		// To decide the variable with the most constraints separates the other variables best.
		best, most := 0, -1
		for i, s := range comp {
			if d := m.degree(s); d > most {
				best, most = i, d
			}
		}
		s := comp[best]
		comp[best] = comp[0]
		sum := int64(0)
		for a := m.vars[s].mask; a != 0; a &= a - 1 {
			mark := len(m.trail)
			m.narrow(s, a&-a)
			if m.propagate() {
				sum += m.solutions(append([]int32(nil), comp[1:]...))
			}
			m.unwind(&choice{mem: len(m.mem), trail: mark, links: len(m.links)})
		}
		total *= sum
		if total == 0 {
			return 0
		}
	}
	return total
}

// component takes from open the variables that are connected with the first one.
func (m *machine) component(open *[]int32) []int32 {
	rest := append([]int32(nil), (*open)[1:]...)
	comp := []int32{(*open)[0]}
	for i := 0; i < len(comp); i++ {
		for j := range m.links {
			c := &m.links[j]
			other := int32(-1)
			if c.x == comp[i] {
				other = c.y
			} else if c.y == comp[i] {
				other = c.x
			}
			for k, s := range rest {
				if s == other {
					comp = append(comp, s)
					rest = append(rest[:k], rest[k+1:]...)
					break
				}
			}
		}
	}
	*open = rest
	return comp
}

// degree returns in how many constraints a variable is together with undecided variables.
func (m *machine) degree(s int32) int {
	n := 0
	for i := range m.links {
		c := &m.links[i]
		if c.x == s && m.vars[c.y].single() < 0 || c.y == s && m.vars[c.x].single() < 0 {
			n++
		}
	}
	return n
}
