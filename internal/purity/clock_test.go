package purity

import (
	"maps"
	"testing"
	"time"
)

func TestSleepers(t *testing.T) {
	pkg := loadSource(t, `package m

import "time"

type Clock interface{ Wait(d time.Duration) }

type real struct{}

func (real) Wait(d time.Duration) { time.Sleep(d) }

func Do(c Clock) { c.Wait(1) }
func Far() { Do(real{}) }
func Later(f func()) { time.AfterFunc(time.Second, f) }
func Now() time.Time { return time.Now() }
`)
	if got, want := Sleepers(pkg), map[string]bool{"real.Wait": true, "Do": true, "Far": true}; !maps.Equal(got, want) {
		t.Errorf("Sleepers = %v, want %v", got, want)
	}
	if !Clocked(pkg) {
		t.Error("Clocked = false for a package that sleeps")
	}
	still := loadSource(t, `package m

import "time"

func Now() time.Time { return time.Now().Add(time.Second) }
`)
	if Clocked(still) {
		t.Error("Clocked = true for a package that only reads the clock")
	}
	if !AsksTime(still) || !AsksTime(pkg) {
		t.Error("AsksTime = false for a package that reads the clock or waits for it")
	}
	if AsksTime(loadSource(t, "package m\n\nimport \"time\"\n\nfunc Day() time.Time { return time.Unix(0, 0) }\n")) {
		t.Error("AsksTime = true for a package that makes times")
	}
}

// Only what a function sleeps in each of its calls counts.
func TestPauses(t *testing.T) {
	pkg := loadSource(t, `package m

import "time"

const brief = 3 * time.Millisecond

type T struct{ n int }

func New() *T {
	t := &T{}
	go func() { time.Sleep(time.Hour) }()
	time.Sleep(2 * time.Millisecond)
	defer time.Sleep(time.Second)
	time.Sleep(brief)
	return t
}

func (t *T) Wait(d time.Duration) { time.Sleep(d) }

func (t *T) Often() {
	if t.n > 0 {
		return
	}
	time.Sleep(time.Second)
}

func (t *T) Back() { time.Sleep(-1) }
`)
	if got, want := Pauses(pkg), map[string]time.Duration{"New": 5 * time.Millisecond}; !maps.Equal(got, want) {
		t.Errorf("Pauses = %v, want %v", got, want)
	}
}
