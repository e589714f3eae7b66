package strategy

import (
	"context"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Work that a phase could not do in its share of the time is done in the time that the other phases leave.
// Exploration is called cut short only if that time is over, too.
func TestCatchUp(t *testing.T) {
	var did []string
	again := func(name string) phase {
		return phase{name: name, catchUp: func(*exploration, context.Context) error {
			did = append(did, name)
			return nil
		}}
	}
	g := &exploration{Session: &session.Session{Events: &event.Stream{}, Pkg: &load.Package{}}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx   context.Context
		short []phase
		cut   bool
		did   string
	}{
		{t.Context(), nil, false, ""},
		{t.Context(), []phase{again("exported"), again("random")}, false, "exported random"},
		{ended, []phase{again("exported")}, true, ""},
		{ended, nil, false, ""},
	} {
		did = nil
		cut, err := g.catchUp(tt.ctx, tt.short)
		if err != nil || cut != tt.cut || strings.Join(did, " ") != tt.did {
			t.Errorf("cut %v, did %q, %v; want %v, %q", cut, did, err, tt.cut, tt.did)
		}
	}
}

// The time that is kept for choosing among many cases is given back to the phases where there are few.
func TestCatchUpFew(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	idle := []phase{{name: "random", catchUp: func(*exploration, context.Context) error { return nil }}}
	for _, tt := range []struct {
		name         string
		first, found int
		ctx          context.Context
		cut, asked   bool
	}{
		{"no case", 0, 0, t.Context(), false, true},
		{"as many as are few", few / 2, few / 2, t.Context(), false, true},
		{"many", few, 1, t.Context(), true, false},
		{"this time is over, too", 1, 0, ended, true, true},
	} {
		e := &exploration{Session: &session.Session{User: t.Context(), Events: &event.Stream{}, Pkg: &load.Package{}}, first: make([]*testcase.Case, tt.first)}
		e.Explored = []engine.Explored{{Cases: make([]*testcase.Case, tt.found)}}
		asked := false
		e.cfg.IfFew = func() (context.Context, context.CancelFunc) {
			asked = true
			return tt.ctx, func() {}
		}
		cut, err := e.catchUpFew(idle)
		if err != nil || cut != tt.cut || asked != tt.asked {
			t.Errorf("%s: cut %v, asked for time %v, %v; want %v, %v", tt.name, cut, asked, err, tt.cut, tt.asked)
		}
	}
}

// Where less than a half of the package was reached, exploring goes on in the time for choosing, and the random engine begins.
func TestLittle(t *testing.T) {
	if !isLittle(0, 1) || !isLittle(49, 100) || isLittle(50, 100) || isLittle(0, 0) {
		t.Error("less than a half is little, and of nothing everything is reached")
	}
	var names []string
	for _, p := range randomBefore([]phase{{name: "exported"}, {name: "rest"}, {name: "random"}, {name: "flip again"}}) {
		names = append(names, p.name)
	}
	if got := strings.Join(names, ", "); got != "random, exported, rest, flip again" {
		t.Errorf("the phases are %s", got)
	}
}

// The time that is kept for running tests is given back to the phases where there is no test to run.
func TestCatchUpUntested(t *testing.T) {
	var until []bool // for each attempt, whether its time was over
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	given := func(ctx context.Context) func() (context.Context, context.CancelFunc) {
		return func() (context.Context, context.CancelFunc) {
			until = append(until, ctx.Err() != nil)
			return ctx, func() {}
		}
	}
	idle := []phase{{name: "random", catchUp: func(*exploration, context.Context) error { return nil }}}
	for _, tt := range []struct {
		name     string
		covered  testcase.Cover
		back     []func() (context.Context, context.CancelFunc)
		cut      bool
		attempts int
	}{
		{"there is a test", testcase.Cover{1}, []func() (context.Context, context.CancelFunc){given(t.Context())}, true, 0},
		{"the phases are done", nil, []func() (context.Context, context.CancelFunc){given(t.Context()), given(t.Context())}, false, 1},
		{"this time is over, too", nil, []func() (context.Context, context.CancelFunc){given(ended), given(ended)}, true, 2},
	} {
		until = nil
		e := &exploration{Session: &session.Session{User: t.Context(), Events: &event.Stream{}, Pkg: &load.Package{}}, cover: tt.covered}
		e.cfg.GivenBack = tt.back
		cut, err := e.catchUpUntested(idle)
		if err != nil || cut != tt.cut || len(until) != tt.attempts {
			t.Errorf("%s: cut %v after %d attempts, %v; want %v after %d", tt.name, cut, len(until), err, tt.cut, tt.attempts)
		}
	}
}

// In a round the engines that gained more have longer phases, and all phases together have the whole time.
func TestUntilWith(t *testing.T) {
	phases := hybrid()
	plain := untilWith(phases, nil)
	for i, p := range phases {
		if plain[i] != p.until {
			t.Errorf("without weights %s ends at %d %%, want %d", p.name, plain[i], p.until)
		}
	}
	part := func(until []int, engine string) (sum int) {
		before := 0
		for i, p := range phases {
			if p.engine == engine {
				sum += until[i] - before
			}
			before = until[i]
		}
		return sum
	}
	weighted := untilWith(phases, map[string]float64{"random": 2, "symbolic": .25})
	if got := weighted[len(weighted)-1]; got != 100 {
		t.Errorf("the last phase ends at %d %%", got)
	}
	for engine, more := range map[string]bool{"random": true, "symbolic": false} {
		if was, is := part(plain, engine), part(weighted, engine); is > was != more || is == 0 {
			t.Errorf("%s has %d %% instead of %d", engine, is, was)
		}
	}
}
