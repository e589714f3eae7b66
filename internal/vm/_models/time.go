package models

import "unsafe"

// timer is the layout of time.Timer and time.Ticker: first the fields of these types, then the fields
// that the runtime keeps behind them. Each time a timer is set, a goroutine is started that sleeps until
// the timer is due.
type timer struct {
	c            unsafe.Pointer
	initialised  bool
	when, period int64
	f            func(any, uintptr, int64)
	arg          any
	setting      int
	active       bool
}

// vmSleepUntil makes the running goroutine sleep until a time of the runtime's clock.
func vmSleepUntil(when int64)

func time_newTimer(when, period int64, f func(any, uintptr, int64), arg any, _ unsafe.Pointer) *timer {
	t := &timer{initialised: true, f: f, arg: arg}
	t.set(when, period)
	return t
}

func (t *timer) set(when, period int64) {
	t.when, t.period, t.active = when, period, true
	t.setting++
	go t.run(t.setting)
}

func (t *timer) run(setting int) {
	for {
		vmSleepUntil(t.when)
		if setting != t.setting {
			return
		}
		if t.period <= 0 {
			t.active = false
			t.f(t.arg, 0, 0)
			return
		}
		t.when += t.period
		t.f(t.arg, 0, 0)
	}
}

func time_stopTimer(t *timer) bool {
	was := t.active
	t.active = false
	t.setting++
	return was
}

func time_resetTimer(t *timer, when, period int64) bool {
	was := t.active
	t.set(when, period)
	return was
}
