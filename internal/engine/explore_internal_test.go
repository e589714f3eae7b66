package engine

import (
	"context"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// stuck counts three paths and does not notice that the time is up.
type stuck struct{ end chan struct{} }

func (stuck) Name() string { return "stuck" }
func (stuck) Unit() Unit   { return PerFunction }

func (e stuck) Run(_ context.Context, t Task, _ func(*testcase.Case) bool) (Report, error) {
	for _, stop := range []string{"return", "return", "panic"} {
		t.Ended(stop)
	}
	<-e.end
	return Report{}, nil
}

// TestLeftBehindCounts says that the paths which an engine has counted are known although it is left behind in the middle
// of a hard question, and that they are said to be not all.
func TestLeftBehindCounts(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	e := stuck{make(chan struct{})}
	defer close(e.end)
	s := &session.Session{Pkg: &load.Package{Path: "m"}}
	x := exploreTarget(ctx, s, Work{Engines: []Engine{e}}, &load.Target{Name: "F"})
	if r := x.Report; r.Paths != 3 || r.Stops["return"] != 2 || r.Stops["panic"] != 1 || !r.Cut {
		t.Errorf("the report is %+v, want 3 paths, 2 of which return, and more", r)
	}
}
