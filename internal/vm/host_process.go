package vm

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file answers what a function asks of its process: its environment, its memory, its goroutines, random
// numbers. Whole programs get answers that any process could give. The path of a function mostly ends,
// because a native run would get another answer.

// approximate makes an intrinsic that returns a number which differs between processes, so that nothing is
// predicted from then on.
func approximate(n uint64) intrinsic {
	return func(_ *Machine, st *State, c *call) ([]Value, signal) {
		st.approx = true
		out := make([]Value, c.result.Size)
		if len(out) > 0 {
			out[0] = Value{Bits: n}
		}
		return out, sigNext
	}
}

// toolVersion is the version of the tool chain that compiles the code under test, which the linker writes into a variable.
func toolVersion(m *Machine, st *State, _ *call) ([]Value, signal) {
	text, err := os.ReadFile(filepath.Join(m.prog.GOROOT(), "VERSION"))
	if err != nil {
		panic(unsupported("runtime.Version of a tool chain without a file VERSION"))
	}
	version, _, _ := strings.Cut(string(text), "\n")
	return m.newString(st, strings.TrimSpace(version)), sigNext
}

// readMemStats says how much memory a whole program has in use, as far as that is in cells. Nothing is known
// of the other numbers, nor of any number on the path of a function: a branch that depends on these ends the
// path. The counters of single objects stay the same, because the machine allocates none in the process.
func readMemStats(m *Machine, st *State, c *call) ([]Value, signal) {
	t := m.types.of(c.fn.ssa.Signature.Params().At(0).Type()).Elem
	for _, name := range []string{"Alloc", "TotalAlloc", "Sys", "HeapAlloc", "HeapSys", "HeapInuse", "HeapIdle", "HeapObjects", "StackInuse", "NumGC"} {
		f := t.field(name)
		p := c.args[0]
		p.Bits += uint64(f.Off)
		if m.program && !m.huge && strings.HasSuffix(name, "Alloc") && name != "TotalAlloc" {
			m.store(st, p, f.Type, []Value{{Bits: 8 * uint64(st.heap.cells)}})
			continue
		}
		m.store(st, p, f.Type, []Value{m.phantomNumber(st, int(f.Type.Bits), "memory")})
	}
	return nil, sigNext
}

// random returns a random number. A whole program gets the next number of a fixed sequence. The path of a
// function ends, because a native run would continue with another number.
func random(m *Machine, st *State, c *call) ([]Value, signal) {
	if !m.program || len(c.args) > 0 {
		panic(unsupported("random numbers"))
	}
	// The sequence is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
	m.seed += 0x9e3779b97f4a7c15
	z := m.seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return []Value{{Bits: z ^ z>>31}}, sigNext
}

// setFinalizer notes that there are finalizers. They need never run, so a program that only sets finalizers
// behaves as if none of them ran.
func setFinalizer(m *Machine, st *State, c *call) ([]Value, signal) {
	x, f := m.iface(st, c.args[:2]), m.iface(st, c.args[2:4])
	if x[0].Bits == 0 || m.types.all[x[0].Bits].Kind != KPointer || f[0].Bits != 0 && m.types.all[f[0].Bits].Kind != KFunc {
		m.endPath(st, StopFatal, "runtime.SetFinalizer: invalid argument")
		return nil, sigStop
	}
	st.finalizers = true
	m.finalizers = m.finalizers || st.init
	return nil, sigNext
}

// doGC collects garbage if a whole program runs. It ends a path with finalizers, because a program that asks
// for a collection is about to look at their effects.
func doGC(m *Machine, st *State, _ *call) ([]Value, signal) {
	if st.finalizers {
		panic(unsupported("finalizers"))
	}
	if m.program && !st.init {
		m.collect(st)
	}
	return nil, sigNext
}

// numGoroutine counts the goroutines that are not done.
func numGoroutine(_ *Machine, st *State, _ *call) ([]Value, signal) {
	st.approx = true
	n := 0
	for _, g := range st.gs {
		if !g.done && !ownGoroutine(g) {
			n++
		}
	}
	return []Value{num(n)}, sigNext
}

// runnersOwn are the variables that the native runner sets, to other values in each process.
var runnersOwn = []string{"HOME", "TMPDIR", "TMP", "TEMP", "PATH", "PWD", "TZ"}

// environment makes the functions on the process's arguments and environment. The configuration gives both.
func environment(name string) intrinsic {
	return func(m *Machine, st *State, c *call) ([]Value, signal) {
		if st.init && m.anyArgs() {
			if name == "os.runtime_args" {
				// Programs of tests have some directory in front of it. Code asks by its end whether it runs in a test, and package
				// flag gives CommandLine that name.
				return m.stringSlice(st, []string{"p.test"}), sigNext
			}
			if len(c.args) >= 2 {
				if key, ok := m.concreteString(st, c.args[0], c.args[1]); ok && slices.Contains(runnersOwn, key) {
					panic(unsupported("the environment"))
				}
			}
			return noop(m, st, c) // the native runner's environment has no other variables
		}
		if name == "os.runtime_args" {
			return m.stringSlice(st, m.cfg.Args), sigNext
		}
		if m.cfg.Env == nil {
			panic(unsupported("the environment"))
		}
		switch name {
		case "os.Environ", "syscall.Environ", "syscall.runtime_envs":
			return m.stringSlice(st, m.cfg.Env), sigNext
		}
		key, ok := m.concreteString(st, c.args[0], c.args[1])
		if !ok {
			panic(unsupported("the environment"))
		}
		found, val := false, ""
		for _, e := range m.cfg.Env {
			if k, v, _ := strings.Cut(e, "="); k == key {
				found, val = true, v
			}
		}
		out := m.newString(st, val)
		if c.result.Size > 2 {
			out = append(out, boolean(found))
		}
		return out, sigNext
	}
}

// anyArgs reports whether the process's arguments and environment are not known. Each way to run a test passes
// others.
func (m *Machine) anyArgs() bool { return m.cfg.Env == nil && m.cfg.Args == nil }

// hideArgs makes os.Args unknown behind the initialiser of package os, but for other initialisers. A path that
// reads the variable ends, unless it has assigned to it.
func (m *Machine) hideArgs() {
	if v := m.globals["os.Args"]; v != nil && m.anyArgs() {
		m.image[v.obj&^imageRegion].kind = objPoison
		m.argsVar = v.obj
	}
}

// stringSlice makes a slice of strings.
func (m *Machine) stringSlice(st *State, ss []string) []Value {
	if len(ss) == 0 {
		return make([]Value, 3)
	}
	var cells []Value
	for _, s := range ss {
		cells = append(cells, m.newString(st, s)...)
	}
	p := ptr(st.newObject(&Object{cells: cells, elem: m.types.of(types.Typ[types.String])}), 0)
	return []Value{p, num(len(ss)), num(len(ss))}
}
