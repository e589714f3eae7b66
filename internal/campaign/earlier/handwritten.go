package earlier

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// HandWritten runs the package's hand-written tests, confined like everything else, while the engines work.
// The blocks that they cover need no other tests. If they do not build in a harness (because they come with a
// TestMain, say), they do not count.
type HandWritten struct {
	files  []gotest.File
	cancel context.CancelFunc
	done   chan struct{}

	// These fields may be read only once done is closed.
	blocks []testcase.Block
	cover  testcase.Cover // the blocks that passing tests cover
	err    error
}

// existingTimeout is the processor time after which a hand-written test does not count.
const existingTimeout = 5 * time.Second

// StartHandWritten starts the hand-written tests; it returns nil if there are none.
func StartHandWritten(s *session.Session) *HandWritten {
	e := &HandWritten{done: make(chan struct{})}
	for _, name := range s.Pkg.TestFiles {
		src, err := s.Prog.Source(name)
		if err != nil {
			continue // the file has been removed since it was listed
		}
		if generated, _ := testfile.Verify(src); !generated {
			e.files = append(e.files, gotest.File{Path: name, Content: src})
		}
	}
	if len(e.files) == 0 {
		return nil
	}
	var ctx context.Context
	ctx, e.cancel = context.WithCancel(s.Ctx)
	go func() {
		defer close(e.done)
		defer func() {
			if p := recover(); p != nil {
				e.err = s.ReportBug("the hand-written tests", p)
			}
		}()
		e.err = e.run(ctx, s)
	}()
	return e
}

func (e *HandWritten) run(ctx context.Context, s *session.Session) error {
	outcomes, blocks, err := s.RunSuite(ctx, session.SuiteConfig{Files: e.files, Tags: s.Config.Tags, Timeout: existingTimeout})
	for _, o := range outcomes {
		if o != nil && o.Status == testcase.Returned {
			e.cover.Union(o.Cover)
		}
	}
	e.blocks = blocks
	return err
}

// Stop ends the tests if they are still running.
func (e *HandWritten) Stop() {
	if e == nil {
		return
	}
	e.cancel()
	<-e.done
}

// Count waits until ctx ends for the hand-written tests. It returns the blocks that they cover,
// numbered like the given blocks of the harness, and their files. Both are nil if the tests do not
// count.
func (e *HandWritten) Count(ctx context.Context, s *session.Session, blocks []testcase.Block) (testcase.Cover, []gotest.File) {
	if e == nil {
		return nil, nil
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		s.MarkPartial()
		return nil, nil
	}
	if e.err != nil {
		if s.UnlessCut(e.err) != nil {
			s.Debug("stages", "%s: the hand-written tests do not count: %v", s.Pkg.Path, session.OneLine(e.err.Error()))
		}
		return nil, nil
	}
	name := func(b testcase.Block) string { return fmt.Sprint(b.Pos, b.End, b.Text, b.Value, b.Branch) }
	covered := make(map[string]bool)
	for i, b := range e.blocks {
		covered[name(b)] = e.cover.Has(i)
	}
	var existing testcase.Cover
	for i, b := range blocks {
		if covered[name(b)] {
			existing.Set(i)
		}
	}
	if existing == nil {
		return nil, nil
	}
	return existing, slices.Clone(e.files)
}
