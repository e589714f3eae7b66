package report

import (
	"fmt"
	"io"
	"time"

	"github.com/goassay/assay/internal/event"
)

// JSON writes one event on each line. Events that the format does not have go to the text reporter.
type JSON struct {
	out  io.Writer
	rest *Text
	now  func() time.Time
	err  error
}

// NewJSON returns a reporter that writes events to out, and the diagnostics to rest.
func NewJSON(out io.Writer, rest *Text) *JSON {
	return &JSON{out: out, rest: rest, now: time.Now}
}

// Event reports an event.
func (j *JSON) Event(e event.Event) {
	if _, ok := e.(event.States); ok {
		return // progress is for people; the summary has the counts
	}
	action := e.Action()
	if action == "" {
		j.rest.Event(e)
		return
	}
	if j.err != nil {
		return
	}
	line, err := event.Encode(j.now(), e)
	if err == nil {
		_, err = j.out.Write(append(line, '\n'))
	}
	j.err = err
}

// Err returns the first error of writing, for example that the reader has closed the pipe or that the disk is
// full.
func (j *JSON) Err() error {
	if j.err != nil {
		return fmt.Errorf("writing events: %w", j.err)
	}
	return nil
}
