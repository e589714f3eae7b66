package suite

import (
	"context"
	"errors"
	"fmt"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Outcomes returns the outcomes of conditions that the tests of the package in cfg.Dir cover,
// and whether there are tests.
func Outcomes(ctx context.Context, cfg session.Config) (covered []event.Step, tests bool, err error) {
	done := false
	cfg.Events = func(e event.Event) {
		if d, ok := e.(event.Diagnostic); ok && !d.Warning && err == nil {
			err = errors.New(d.Message)
		}
	}
	_, failed := session.Each(ctx, cfg, session.Verb{Name: "outcomes", Do: func(s *session.Session) error {
		files, err := presentTests(s, "")
		if err != nil || len(files) == 0 {
			done = err == nil
			return err
		}
		tests = true
		outcomes, blocks, err := s.RunSuite(s.Ctx, session.SuiteConfig{Files: files, Tags: s.Config.Tags})
		if err != nil {
			return testsDoNotBuild(err)
		}
		var all testcase.Cover
		for _, o := range outcomes {
			if o != nil && o.Status == testcase.Returned {
				all.Union(o.Cover)
			}
		}
		for i, b := range blocks {
			if b.Text != "" && all.Has(i) {
				covered = append(covered, event.Step{Pos: b.Pos.String(), Text: fmt.Sprintf("%s is %t", b.Text, b.Value)})
			}
		}
		done = true
		return nil
	}})
	switch {
	case failed != nil:
		return nil, false, failed
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case !done && err == nil:
		err = errors.New("there was no time")
	}
	return covered, tests, err
}
