package strategy

import (
	"context"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
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
