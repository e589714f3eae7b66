package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
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
	line, err := encode(j.now(), action, e)
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

// encode puts time and action in front of the event's own fields.
func encode(now time.Time, action string, e event.Event) ([]byte, error) {
	if reflect.ValueOf(e).Kind() != reflect.Struct {
		panic("bug: report: an event that is no struct")
	}
	head, err := marshal(struct {
		Time   time.Time `json:"time"`
		Action string    `json:"action"`
	}{now, action})
	if err != nil {
		return nil, err
	}
	body, err := marshal(e)
	if err != nil {
		return nil, err
	}
	if len(body) == 2 { // the event has no fields
		return head, nil
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

// marshal leaves "<" and "&" as they are. Conditions are full of them, and nobody puts events into HTML
// without escaping them.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
