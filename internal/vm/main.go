package vm

import "fmt"

// RunMain runs the initialisers of the machine's package and its main function with concrete values,
// for at most steps instructions, and says how the program ended. The program's output goes to
// Config.Stdout.
func (m *Machine) RunMain(steps int64, s Searcher) (Stop, string) {
	main := m.pkg.SSA.Func("main")
	if main == nil {
		return StopUnsupported, "no function main"
	}
	m.program, m.strictInit = true, true
	m.ensureInit(m.pkg.Path)
	m.strictInit = false
	if m.initStop != StopNone {
		return m.initStop, m.initReason
	}
	var stop Stop
	var reason string
	d := &Driver{Calls: []DriverCall{{Func: main}}}
	_, err := m.Explore(d, s, Limits{PathSteps: steps}, nil, func(p *Path) bool {
		stop, reason = p.Stop, p.Reason
		if stop == StopDeadlock && m.initGoroutines {
			stop, reason = StopUnsupported, "a goroutine that an initialiser started"
		}
		if p.Stop == StopPanic {
			rec := p.State.panicked
			reason = m.panicText(p.State, rec)
			for _, e := range rec.stack {
				reason += "\n\t" + m.position(e)
			}
		}
		return false
	})
	if err != nil {
		return StopUnsupported, err.Error()
	}
	return stop, reason
}

// panicText returns a panic's value as text, as far as it is known.
func (m *Machine) panicText(st *State, rec *panicRec) string {
	if rec.runtime {
		return rec.message
	}
	v := rec.value
	if v[0].Lazy != 0 || v[0].Bits == 0 {
		return "?"
	}
	t := m.types.all[v[0].Bits]
	c := m.unbox(st, t, v[1])
	if t.Kind == KString {
		s, _ := m.concreteString(st, c[0], c[1])
		return s
	}
	if h, ok := m.hostValue(st, v); ok {
		return fmt.Sprint(h)
	}
	return t.Name
}
