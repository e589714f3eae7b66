package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"time"
)

// Decode reads a line that -json has printed. An event of a kind that this program does not know
// is an error.
func Decode(line []byte) (Event, error) {
	var head struct {
		Action string `json:"action"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("not an event: %w", err)
	}
	switch head.Action {
	case "test":
		return decode[Test](line)
	case "finding":
		return decode[Finding](line)
	case "known":
		return decode[Known](line)
	case "seed":
		return decode[Seed](line)
	case "skip":
		return decode[Skip](line)
	case "pass":
		return decode[Pass](line)
	case "shard":
		return decode[Shard](line)
	case "unreachable":
		return decode[Unreachable](line)
	case "changed":
		return decode[Changed](line)
	case "versions":
		return decode[Versions](line)
	case "difference":
		return decode[Difference](line)
	case "same":
		return decode[Same](line)
	case "added":
		return decode[Added](line)
	case "unpaired":
		return decode[Unpaired](line)
	case "assertion":
		return decode[Assertion](line)
	case "space":
		return decode[Space](line)
	case "confinement":
		return decode[Confinement](line)
	case "summary":
		var s Summary
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, err
		}
		if s.Coverage != nil && s.Statements != nil {
			s.StmtsTotal = *s.Statements
			s.StmtsCovered = int(math.Round(*s.Coverage * float64(s.StmtsTotal) / 100))
		}
		return s, nil
	}
	return nil, fmt.Errorf("no event %q that is known here", head.Action)
}

func decode[E Event](line []byte) (Event, error) {
	var e E
	err := json.Unmarshal(line, &e)
	return e, err
}

// Encode returns the line of -json for an event that has an action: the time and the action in front of the event's own
// fields.
func Encode(now time.Time, e Event) ([]byte, error) {
	if reflect.ValueOf(e).Kind() != reflect.Struct {
		panic("bug: event: an event that is no struct")
	}
	head, err := marshal(struct {
		Time   time.Time `json:"time"`
		Action string    `json:"action"`
	}{now, e.Action()})
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
