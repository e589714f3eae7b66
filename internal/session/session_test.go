package session

import (
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
)

// A run that ends before its time says when it ended.
func TestTimedOut(t *testing.T) {
	for _, tt := range []struct {
		ago  time.Duration
		want string
	}{
		{time.Hour + time.Minute, "p: timed out after 1h0m0s: not all"},
		{30 * time.Minute, "p: out of time after 30m0s of 1h0m0s, the rest of which running the tests may take: not all"},
	} {
		var said string
		s := &Session{
			Config: Config{Timeout: time.Hour}, Pkg: &load.Package{Path: "p"}, start: time.Now().Add(-tt.ago),
			Events: &event.Stream{Sink: func(e event.Event) { said = e.(event.Diagnostic).Message }},
		}
		s.TimedOut("not all")
		if said != tt.want {
			t.Errorf("%q, want %q", said, tt.want)
		}
	}
}
