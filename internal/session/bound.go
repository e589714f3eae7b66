package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/goassay/assay/internal/event"
)

// This file limits the damage of panics of ours, and of work that does not notice that its time is over.

// Bug is a panic of ours, as an error.
type Bug struct {
	where string
	what  any
	stack []byte
}

func (e *Bug) Error() string {
	return fmt.Sprintf("a bug of assay's: %s", strings.TrimPrefix(OneLine(fmt.Sprint(e.what)), "bug: "))
}

// IsBug reports whether an error is a panic of ours.
func IsBug(err error) bool {
	var bug *Bug
	return errors.As(err, &bug)
}

// ReportBug turns a recovered panic into an error and reports it as ours.
func (s *Session) ReportBug(where string, what any) error {
	e := &Bug{where, what, debug.Stack()}
	s.MarkPartial()
	s.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s: %v", s.Pkg.Path, where, e), Warning: true})
	if s.Config.Debug["stages"] {
		s.Events.Send(event.Debug{Topic: "stages", Text: string(e.stack)})
	}
	return e
}

// Grace is how long work may take to notice that its context has ended. Then the work is left behind.
const Grace = 500 * time.Millisecond

// RunOrLeave runs f, and then the function use that f returned, which handles f's results. If f does not
// notice in time that ctx has ended, RunOrLeave returns without it, and its results are dropped: only use may
// change state that others see. RunOrLeave returns f's error, unless the error only says that a context has
// ended.
func (s *Session) RunOrLeave(ctx context.Context, f func() (use func(), err error)) error {
	type answer struct {
		use func()
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				answers <- answer{func() {}, s.ReportBug("the reducer", p)}
			}
		}()
		use, err := f()
		answers <- answer{use, err}
	}()
	var a answer
	select {
	case a = <-answers:
	case <-ctx.Done():
		select {
		case a = <-answers:
		case <-time.After(Grace):
			s.MarkPartial()
			return nil
		}
	}
	if err := s.UnlessCut(a.err); err != nil {
		return err
	}
	a.use()
	return nil
}

// UnlessCut drops the error that says that a context ended, because partial results count.
func (s *Session) UnlessCut(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		s.MarkPartial()
		return nil
	}
	return err
}

// DeadlineOf returns when ctx ends. The context must have a deadline, as every context of a package's work
// has.
func DeadlineOf(ctx context.Context) time.Time {
	d, ok := ctx.Deadline()
	if !ok {
		panic("bug: session: a context without a deadline")
	}
	return d
}

// PartOf returns a context that ends when one of so many parts of the time left is over.
func PartOf(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Until(DeadlineOf(ctx))/time.Duration(parts))
}
