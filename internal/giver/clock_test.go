package giver_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

const clocks = `package p

import "time"

type Sleeper interface {
	Now() time.Time
	Sleep(d time.Duration)
	After(d time.Duration) <-chan time.Time
}

type Reader interface{ Now() time.Time }

type Stopwatch interface {
	Now() time.Time
	Since(time.Time) time.Duration
}

type Timers interface {
	Now() time.Time
	NewTimer(d time.Duration) *time.Timer
}

type Seconds interface {
	Now() time.Time
	Sleep(seconds int)
}

type Delay interface{ Sleep(d time.Duration) }

func F(s Sleeper, r Reader, w Stopwatch, t Timers, n Seconds, d Delay) {}
`

// An interface for clocks has a fake, one that asks for anything else has none.
func TestClock(t *testing.T) {
	for _, source := range []string{clocks, clocks + "\nfunc G() { go F(nil, nil, nil, nil, nil, nil) }\n"} {
		prog, pkg := open(t, "1.21", source)
		givers, err := giver.New(prog, pkg)
		if err != nil {
			t.Fatal(err)
		}
		locks := source != clocks
		for _, tt := range []struct {
			param int
			doc   string // "" for no fake
			parts []string
		}{
			{0, "returns a clock that goes on when somebody sleeps.", []string{"return c.now", "Sleep(p «time».Duration)", "c.now = c.now.Add(p)", "After(p «time».Duration) <-chan «time».Time"}},
			{1, "returns a clock that goes on by a second each time it is read.", []string{"c.now = c.now.Add(«time».Second)"}},
			{2, "returns a clock that stands still.", []string{"Since(p «time».Time) «time».Duration", "return c.now.Sub(p)"}},
			{3, "", nil},
			{4, "", nil},
			{5, "", nil},
		} {
			p := pkg.Target("F").Obj.Signature().Params().At(tt.param)
			got, text := "", ""
			for _, s := range givers.Values(p.Type()) {
				if h := s.Last().Op.Via; h != nil {
					got, text = h.Doc, h.Text
				}
			}
			if got != tt.doc {
				t.Errorf("the value for %s %q, want %q", p.Name(), got, tt.doc)
			}
			for _, part := range tt.parts {
				if !strings.Contains(text, part) {
					t.Errorf("the value for %s lacks %s:\n%s", p.Name(), part, text)
				}
			}
			if text != "" && strings.Contains(text, "«sync».Mutex") != locks {
				t.Errorf("the value for %s has a lock: %t, want %t", p.Name(), !locks, locks)
			}
		}
	}
}
