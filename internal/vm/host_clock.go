package vm

import "strings"

// This file has the clock of a whole program (RunMain). The clock advances by a nanosecond with each
// instruction. If all goroutines wait, it jumps to the end of the first sleep. A path of a function has no
// clock, because a native run would have another time.

// clockStart is the time when a program starts: 2026-01-01, in seconds since 1970.
const clockStart = 1767225600

// nanotime returns the time in nanoseconds since the program's start.
func (st *State) nanotime() int64 { return st.slept + st.steps }

// readClock makes the functions of package time that ask the runtime for the time.
func readClock(name string) intrinsic {
	return func(m *Machine, st *State, c *call) ([]Value, signal) {
		if !m.program {
			panic(unsupported("the clock"))
		}
		ns := st.nanotime()
		sec, nsec := Value{Bits: uint64(clockStart + ns/1e9)}, Value{Bits: uint64(ns % 1e9)}
		switch name {
		case "time.Now":
			// The machine's Time has no monotonic part: it has nanoseconds, seconds since year 1, and UTC.
			const yearOne = 62135596800
			return []Value{nsec, {Bits: sec.Bits + yearOne}, {}}, sigNext
		case "time.now", "time.runtimeNow":
			return []Value{sec, nsec, {Bits: uint64(ns) + 1}}, sigNext
		}
		return []Value{{Bits: uint64(ns) + 1}}, sigNext
	}
}

// sleepUntil is vmSleepUntil(when): the running goroutine waits for the clock.
func sleepUntil(m *Machine, st *State, c *call) ([]Value, signal) {
	if !m.program {
		panic(unsupported("the clock"))
	}
	return nil, m.sleep(st, int64(c.args[0].Bits)-1)
}

// sleep makes the running goroutine wait until a time. When the goroutine wakes up it executes the
// instruction again.
func (m *Machine) sleep(st *State, when int64) signal {
	g := st.g()
	if g.until == 0 {
		g.until = max(when, 1)
	}
	if st.nanotime() < g.until {
		return st.block()
	}
	g.until, g.blocked = 0, false
	return sigNext
}

// wakeSleepers advances the clock to the end of the first sleep. It reports whether any goroutine sleeps.
func (st *State) wakeSleepers() bool {
	first := int64(0)
	for _, g := range st.gs {
		if !g.done && g.until > 0 && (first == 0 || g.until < first) {
			first = g.until
		}
	}
	if first == 0 {
		return false
	}
	st.slept += max(0, first-st.nanotime())
	return true
}

// ownGoroutine reports whether a goroutine belongs to the machine: it runs a timer.
func ownGoroutine(g *goroutine) bool {
	f := g.top
	for f != nil && f.parent != nil {
		f = f.parent
	}
	return f != nil && f.fn.ssa != nil && strings.Contains(f.fn.Name, modelPath)
}
