package vm

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// This file compares paths of two versions of a function. Two machines that share a term store and execute
// the versions on inputs of the same names have the same symbols for these. A path of one version and a path
// of the other thus have common inputs if both path conditions hold, and their results for such inputs can be
// compared as terms. Package product does this for all pairs of paths.

// Ended is a finished path that was kept.
type Ended struct {
	m *Machine
	p *Path
}

// Keep keeps a path that has ended, until Release.
func (m *Machine) Keep(p *Path) Ended {
	q := *p
	p.Keep()
	return Ended{m, &q}
}

// Release gives back memory that only this path holds.
func (e Ended) Release() { e.p.State.Release() }

// Stop returns how and why the path ended.
func (e Ended) Stop() (Stop, string) { return e.p.Stop, e.p.Reason }

// Unsure says why the path's result may not be the result of all executions on it, or "" if it is. Either the
// path stands for more executions than were followed, or a result is not known exactly.
func (e Ended) Unsure() string {
	st := e.p.State
	switch {
	case e.p.Stop == StopAssume:
		return "assumptions exclude some inputs"
	case e.p.Stop != StopReturn && e.p.Stop != StopPanic:
		if e.p.Reason != "" {
			return "a path was not followed to its end: " + e.p.Reason
		}
		return fmt.Sprintf("a path was not followed to its end (%s)", e.p.Stop)
	case !e.p.Last:
		return "what prepares the call did not succeed"
	case e.p.Partial():
		return "the machine followed one of several values, or of several orders of goroutines"
	case st.hasPhantom:
		return "a text is made of symbols that the machine does not follow"
	case st.nCalls > 0:
		return "functions of package math are beyond the solver"
	case st.handed || len(st.assumes) > 0:
		return "an assumption was made"
	case len(st.gs) > 1:
		return "goroutines may run in another order"
	case e.m.tainted:
		return "the initialiser of the package was not followed to its end"
	}
	return ""
}

// Differ returns the condition on inputs under which two paths, of two machines over one term store, have
// different effects: how the last call ended, its results, or the state of its receiver and arguments. unsure
// says why the condition may hold although nothing differs, or "" if it is exact. The condition always holds
// if something differs.
func Differ(a, b Ended) (cond term.ID, unsure string) {
	c := &contrast{ts: a.m.ts, a: half{a.m, a.p.State}, b: half{b.m, b.p.State}, seen: map[[2]uint64]bool{}, with: [2]map[uint64]uint64{{}, {}}}
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			cond, unsure = term.True, string(u)
		}
	}()
	if a.p.Stop != b.p.Stop {
		return term.True, ""
	}
	all := []term.ID{c.inputs()}
	switch a.p.Stop {
	case StopReturn:
		all = append(all, c.results())
	case StopPanic:
		all = append(all, c.panics())
	default:
		all = append(all, c.doubt("a path that was not followed"))
	}
	return c.ts.OrAll(all...), c.unsure
}

// Compatible reports whether two paths may have common inputs as far as lazy inputs are concerned: an input
// that is nil on one path must not be an object on the other.
func Compatible(a, b Ended) bool {
	kinds := map[string]lazyKind{}
	for _, e := range a.p.State.lazies.entries {
		kinds[e.name] = e.kind
	}
	for _, e := range b.p.State.lazies.entries {
		k := kinds[e.name]
		if k != undecided && e.kind != undecided && e.name != "" && (k == isNil) != (e.kind == isNil) {
			return false
		}
	}
	return true
}

// Both returns a path with the inputs of a that also take b and satisfy cond, for Solve and Sequence. The
// machine of b may be another one over the same term store. The verdict is Unsat if there are no such inputs.
// The caller releases the path's state.
func (m *Machine) Both(a, b Ended, cond term.ID) (*Path, solver.Verdict) {
	st := a.p.State.fork()
	query := m.ts.And(m.ts.AndAll(b.p.State.Conjuncts()...), cond)
	v := m.sctx.Feasible(st.pc, query)
	if v != solver.Sat {
		st.pc.Release()
		return nil, v
	}
	m.sctx.Assume(st.pc, query)
	return &Path{State: st, Stop: a.p.Stop, Reason: a.p.Reason, Last: a.p.Last, keep: true}, v
}

// half is a path of one machine.
type half struct {
	m  *Machine
	st *State
}

// contrast compares the effects of two paths.
type contrast struct {
	ts   *term.Store
	a, b half
	seen map[[2]uint64]bool // the pairs of objects that are compared
	// with has for each object of either side, by its address, the object of the other side that it was
	// compared with: one object on one side must be one object on the other.
	with   [2]map[uint64]uint64
	unsure string
	size   int
}

// doubt returns a difference that may not be one.
func (c *contrast) doubt(why string) term.ID {
	if c.unsure == "" {
		c.unsure = why
	}
	return term.True
}

// maxContrast bounds how many values are compared.
const maxContrast = 4000

// inputs compares the receiver and the arguments of the last call as they are afterwards.
func (c *contrast) inputs() term.ID {
	var all []term.ID
	x, y := c.a.st.driver.Calls[c.a.st.call], c.b.st.driver.Calls[c.b.st.call]
	if len(x.Args) != len(y.Args) || c.a.st.call != c.b.st.call {
		return c.doubt("other calls")
	}
	at := [2]int{}
	for i := range x.Args {
		tx, ty := c.a.m.types.of(x.Args[i].Type), c.b.m.types.of(y.Args[i].Type)
		vx := c.a.st.args[c.a.st.call][at[0] : at[0]+tx.Size]
		vy := c.b.st.args[c.b.st.call][at[1] : at[1]+ty.Size]
		at[0], at[1] = at[0]+tx.Size, at[1]+ty.Size
		all = append(all, c.value(vx, tx, vy, ty, 0))
	}
	return c.ts.OrAll(all...)
}

// results compares the results of the last calls.
func (c *contrast) results() term.ID {
	tx := c.a.m.types.of(c.a.st.driver.Calls[c.a.st.call].Func.Signature.Results())
	ty := c.b.m.types.of(c.b.st.driver.Calls[c.b.st.call].Func.Signature.Results())
	if len(tx.Fields) != len(ty.Fields) {
		return term.True
	}
	rx, ry := c.a.st.results[c.a.st.call], c.b.st.results[c.b.st.call]
	var all []term.ID
	for i, f := range tx.Fields {
		g := ty.Fields[i]
		all = append(all, c.value(rx[f.Off:f.Off+f.Type.Size], f.Type, ry[g.Off:g.Off+g.Type.Size], g.Type, 0))
	}
	return c.ts.OrAll(all...)
}

// panics compares panics: run-time errors by their kind, others by the argument of panic.
func (c *contrast) panics() term.ID {
	x, y := c.a.st.panicked, c.b.st.panicked
	if c.a.st.cur != 0 || c.b.st.cur != 0 || x == nil || y == nil {
		return c.doubt("a panic of another goroutine")
	}
	if x.runtime || y.runtime {
		return c.ts.Bool(x.runtime != y.runtime || x.kind != y.kind)
	}
	return c.iface(x.value[:], y.value[:], 0)
}

// value compares values of a type of either machine.
func (c *contrast) value(x []Value, tx *Type, y []Value, ty *Type, depth int) term.ID {
	c.size++
	if c.size > maxContrast || depth > 20 {
		return c.doubt("there is more to compare than the machine does")
	}
	if tx.Kind != ty.Kind {
		return term.True
	}
	switch tx.Kind {
	case KBool, KInt, KUint:
		return c.scalars(x[0], y[0], tx)
	case KFloat:
		return c.floats(x[0], y[0], int(tx.Bits))
	case KComplex:
		return c.ts.Or(c.floats(x[0], y[0], int(tx.Bits)), c.floats(x[1], y[1], int(tx.Bits)))
	case KString:
		return c.arrays(x[0], x[1], c.a.m.byteType, y[0], y[1], c.b.m.byteType, depth)
	case KSlice:
		return c.slices(x, tx, y, ty, depth)
	case KArray:
		if tx.Len != ty.Len {
			return term.True
		}
		var all []term.ID
		for i := range tx.Len {
			n, k := tx.Elem.Size, ty.Elem.Size
			all = append(all, c.value(x[i*n:(i+1)*n], tx.Elem, y[i*k:(i+1)*k], ty.Elem, depth+1))
		}
		return c.ts.OrAll(all...)
	case KStruct:
		return c.structs(x, tx, y, ty, depth)
	case KPointer:
		return c.pointers(x[0], tx, y[0], ty, depth)
	case KInterface:
		return c.iface(x, y, depth)
	}
	if isNilCell(x[0]) && isNilCell(y[0]) {
		return term.False
	}
	return c.doubt("maps, channels and functions are not compared")
}

func (c *contrast) scalars(x, y Value, t *Type) term.ID {
	w := t.width()
	return c.ts.Not(c.ts.Eq(c.a.m.termOf(x, w), c.b.m.termOf(y, w)))
}

// floats compares floats by their bits. All NaN are equal.
func (c *contrast) floats(x, y Value, w int) term.ID {
	a, b := c.a.m.termOf(x, w), c.b.m.termOf(y, w)
	if a == b {
		return term.False
	}
	return c.ts.Not(c.ts.Or(c.ts.Eq(a, b), c.ts.And(c.ts.FIsNaN(a), c.ts.FIsNaN(b))))
}

// structs compares field by field; the fields must be the same.
func (c *contrast) structs(x []Value, tx *Type, y []Value, ty *Type, depth int) term.ID {
	if len(tx.Fields) != len(ty.Fields) {
		return c.doubt("a type of another shape")
	}
	var all []term.ID
	for i, f := range tx.Fields {
		g := ty.Fields[i]
		if f.Name != g.Name {
			return c.doubt("a type of another shape")
		}
		all = append(all, c.value(x[f.Off:f.Off+f.Type.Size], f.Type, y[g.Off:g.Off+g.Type.Size], g.Type, depth+1))
	}
	return c.ts.OrAll(all...)
}

// iface compares interfaces by their dynamic types and values.
func (c *contrast) iface(x, y []Value, depth int) term.ID {
	c.a.m.known(x[0])
	c.b.m.known(y[0])
	if x[0].Lazy != 0 || y[0].Lazy != 0 {
		return c.doubt("an interface that nobody has looked into")
	}
	if x[0].Bits == 0 || y[0].Bits == 0 {
		return c.ts.Bool(x[0].Bits != y[0].Bits)
	}
	tx, ty := c.a.m.types.all[x[0].Bits], c.b.m.types.all[y[0].Bits]
	if shortName(tx) != shortName(ty) {
		return term.True
	}
	return c.value(c.a.m.unbox(c.a.st, tx, x[1]), tx, c.b.m.unbox(c.b.st, ty, y[1]), ty, depth+1)
}

// shortName returns the name of a type with the names of packages instead of their paths, which may differ
// between versions.
func shortName(t *Type) string {
	return strings.TrimSpace(types.TypeString(t.Go, func(p *types.Package) string { return p.Name() }))
}

// Fuses reports whether paths went through code that computes floats differently on some platforms: a product
// that is added to something may be rounded once there instead of twice.
func (m *Machine) Fuses() bool {
	return slices.ContainsFunc(m.Entered(), purity.MultipliesFloats)
}
