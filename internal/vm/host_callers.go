package vm

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file implements what the runtime reports about the call stack: program counters, and the names, files
// and lines of functions. A program counter is that of a return: it is one more than the address of the call.

// A program counter is pcBase plus the numbers of the function and the instruction. The program sees
// instructions of pcStep bytes.
const (
	pcBase  = 1 << 24
	pcShift = 20
	pcStep  = 8
)

func pcOf(e stackEntry) uint64 {
	return pcBase + uint64(e.fn.ID)<<pcShift + (uint64(max(e.pc, 0))+1)*pcStep
}

// stackAt returns the function and the instruction at a program counter, or the function of a function value.
func (m *Machine) stackAt(pc uint64) (stackEntry, bool) {
	at := int32(-1)
	id := pc &^ funcBit
	if pc&funcBit == 0 {
		if pc < pcBase {
			return stackEntry{}, false
		}
		id = (pc - pcBase) >> pcShift
		if low := (pc - pcBase) & (1<<pcShift - 1); low > 0 {
			at = int32((low - 1) / pcStep)
		}
	}
	if id == 0 || id >= uint64(len(m.funcs)) {
		return stackEntry{}, false
	}
	return stackEntry{m.funcs[id], at}, true
}

// callers lists the frames of the running goroutine, the innermost first, as the runtime does: without
// wrappers, and during a panic with the frames that are being left.
func (m *Machine) callers(st *State) []stackEntry {
	var out []stackEntry
	add := func(e stackEntry) {
		if e.fn.ssa == nil || isWrapper(e.fn.ssa) {
			return
		}
		out = append(out, e)
	}
	g := st.g()
	for f := g.top; f != nil; f = f.parent {
		pc := f.pc
		if f != g.top && pc > 0 && !(f.mode != frameRuns) {
			pc--
		}
		add(stackEntry{f.fn, pc})
		if p := f.parent; f.viaDefer && p != nil && p.mode == framePanics && len(g.panics) > 0 {
			rec := g.panics[len(g.panics)-1]
			if !rec.goexit {
				out = append(out, stackEntry{m.pseudo("runtime.gopanic"), -1})
			}
			if rec.runtime && rec.kind == "nil-dereference" {
				out = append(out, stackEntry{m.pseudo("runtime.panicmem"), -1}, stackEntry{m.pseudo("runtime.sigpanic"), -1})
			}
			for _, e := range rec.stack {
				add(e)
			}
			break
		}
	}
	switch {
	case g.id == 0 && !m.program && !st.init:
		// A test is called by package testing, which the runtime starts: code that leaves out the outermost two has one left.
		caller := stackEntry{m.pseudo(testCaller), -1}
		return append(out, caller, caller, caller)
	case g.id == 0:
		out = append(out, stackEntry{m.pseudo("runtime.main"), -1})
	}
	return append(out, stackEntry{m.pseudo("runtime.goexit"), -1})
}

// testCaller stands for what calls the code under test: a test, or the harness. A path that asks for its name ends.
const testCaller = "a test"

// isWrapper reports whether the compiler has generated a function.
func isWrapper(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Synthetic, "wrapper") || strings.HasPrefix(fn.Synthetic, "bound") || strings.HasPrefix(fn.Synthetic, "thunk")
}

// pseudo stands for a function of the runtime that the machine does not run.
func (m *Machine) pseudo(name string) *Func {
	if f := m.byFull["vm·"+name]; f != nil {
		return f
	}
	f := &Func{ID: len(m.funcs), Name: name, stop: "a call of " + name}
	m.funcs = append(m.funcs, f)
	m.byFull["vm·"+name] = f
	return f
}

// vmCallers is vmCallers(skip, pcs): it stores the program counters of the stack above the calling model's
// first skip frames, and returns how many these are.
func vmCallers(m *Machine, st *State, c *call) ([]Value, signal) {
	all := m.callers(st)
	skip := min(int(m.concretize(st, c.args[0], 64)), len(all))
	all = all[max(skip, 0):]
	n := min(len(all), int(m.concretize(st, c.args[2], 64)))
	t := m.types.of(types.Typ[types.Uintptr])
	for i, e := range all[:n] {
		m.store(st, m.elemAddr(st, c.args[1], num(i), 1), t, []Value{{Bits: pcOf(e)}})
	}
	return []Value{num(n)}, sigNext
}

// vmFrame is vmFrame(pc) (name, file, line, entry, params): the function at a program counter; entry is
// 0 if there is none.
func vmFrame(m *Machine, st *State, c *call) ([]Value, signal) {
	e, ok := m.stackAt(m.concretize(st, c.args[0], 64))
	switch {
	case !ok:
		return make([]Value, 7), sigNext
	case e.fn.Name == testCaller:
		panic(unsupported("the place from which a test calls"))
	}
	file, line := m.fileLine(e)
	out := append(m.newString(st, runtimeName(e.fn)), m.newString(st, file)...)
	params := e.fn.ssa != nil && len(e.fn.ssa.Params) > 0
	return append(out, num(line), Value{Bits: pcBase + uint64(e.fn.ID)<<pcShift}, boolean(params)), sigNext
}

// vmFunc returns the address that stands for a function: the address of a variable with its entry.
func vmFunc(m *Machine, st *State, c *call) ([]Value, signal) {
	e, ok := m.stackAt(m.concretize(st, c.args[0], 64))
	if !ok {
		return []Value{{}}, sigNext
	}
	if e.fn.entry == 0 {
		entry := Value{Bits: pcBase + uint64(e.fn.ID)<<pcShift}
		m.static = append(m.static, &Object{cells: []Value{entry}, elem: m.types.of(types.Typ[types.Uintptr])})
		e.fn.entry = ObjID(len(m.static)-1) | staticRegion
	}
	return []Value{ptr(e.fn.entry, 0)}, sigNext
}

// fileLine returns the file and line of an instruction. Without an instruction it returns where the function
// begins.
func (m *Machine) fileLine(e stackEntry) (string, int) {
	if e.fn.ssa == nil {
		return "", 0
	}
	pos := e.fn.ssa.Pos()
	if e.pc >= 0 && int(e.pc) < len(e.fn.pos) && e.fn.pos[e.pc].IsValid() {
		pos = e.fn.pos[e.pc]
	}
	if !pos.IsValid() {
		return "<autogenerated>", 1
	}
	p := m.prog.Fset.Position(pos)
	if raw := m.prog.Fset.PositionFor(pos, false); raw.Filename != p.Filename {
		// The line has a //line directive, whose relative names the scanner makes absolute.
		if rel, err := filepath.Rel(filepath.Dir(raw.Filename), p.Filename); err == nil && p.Filename != "" && filepath.IsLocal(rel) {
			return rel, p.Line
		}
	}
	if p.Filename == "" {
		return "??", p.Line
	}
	return p.Filename, p.Line
}

// runtimeName returns the name that the runtime has for a function.
func runtimeName(f *Func) string {
	if f.ssa == nil {
		return f.Name
	}
	if strings.HasPrefix(f.ssa.String(), modelPath) {
		return f.Name // the model has the name of the function that it replaces
	}
	return symbolName(f.ssa)
}

// symbolName returns the linker's name of a function: main.(*T).M, main.f.func1.2.
func symbolName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		outer := symbolName(p)
		n := 0
		body := fn.Synthetic == "range-over-func yield"
		for _, a := range p.AnonFuncs {
			if (a.Synthetic == "range-over-func yield") == body {
				n++
			}
			if a == fn {
				break
			}
		}
		switch {
		case body:
			return fmt.Sprintf("%s-range%d", outer, n)
		case p.Parent() != nil:
			return fmt.Sprintf("%s.%d", outer, n)
		}
		return fmt.Sprintf("%s.func%d", outer, n)
	}
	targs := ""
	if len(fn.TypeArgs()) > 0 {
		targs = "[...]"
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	pkg := ""
	if p := fn.Pkg; p != nil {
		pkg = reflectPath(p.Pkg) + "."
	} else if o := fn.Object(); o != nil && o.Pkg() != nil {
		pkg = reflectPath(o.Pkg()) + "."
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		star := false
		if p, ok := t.(*types.Pointer); ok {
			t, star = types.Unalias(p.Elem()), true
		}
		name := t.String()
		if n, ok := t.(*types.Named); ok {
			name = n.Obj().Name()
		}
		if star {
			return pkg + "(*" + name + targs + ")." + fn.Name()
		}
		return pkg + name + targs + "." + fn.Name()
	}
	name := fn.Name()
	if n, ok := strings.CutPrefix(name, "init#"); ok {
		var k int
		fmt.Sscan(n, &k)
		name = fmt.Sprintf("init.%d", k-1)
	}
	return pkg + name + targs
}
