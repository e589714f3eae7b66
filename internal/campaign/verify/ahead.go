package verify

import (
	"context"

	"github.com/goassay/assay/internal/gotest"
)

// ahead is the binary with which a suite is doubted. It is built while the suite runs for the first time, because most
// suites pass then.
type ahead struct {
	s      *Suite
	stop   context.CancelFunc
	done   chan struct{} // closed when binary and err are set
	binary gotest.Binary
	err    error
}

// buildAhead begins to build the binary of a suite, and drops the one of an earlier suite.
func (v *verifier) buildAhead(ctx context.Context, s *Suite) {
	v.dropAhead()
	ctx, stop := context.WithCancel(ctx)
	a := &ahead{s: s, stop: stop, done: make(chan struct{})}
	build, err := v.building(s, plainName, nil, false)
	if err != nil {
		stop()
		return // the run of the tests meets the same error and reports it
	}
	v.ahead = a
	go func() {
		defer close(a.done)
		a.binary, a.err = build(ctx)
	}()
}

// dropAhead ends what is built ahead. It waits for that, because the directory of the files is removed after the
// verification.
func (v *verifier) dropAhead() {
	if v.ahead != nil {
		v.ahead.stop()
		<-v.ahead.done
		v.ahead = nil
	}
}

// plainName is the name of the binary that is built ahead.
const plainName = "plain.test"

// buildPlain returns the binary of the suite as it is, which may have been built ahead.
func (d *doubter) buildPlain(ctx context.Context) (gotest.Binary, error) {
	if a := d.ahead; a != nil && a.s == d.s {
		<-a.done
		if a.err == nil {
			return a.binary, nil
		}
	}
	return d.build(ctx, plainName, nil)
}
