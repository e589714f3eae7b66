package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// remembered is what the cache keeps of a comparison: its events, and the sums.
type remembered struct {
	Events        []rememberedEvent
	Summary       event.Summary
	ErrorFindings int
}

type rememberedEvent struct {
	Kind string
	Data json.RawMessage
}

// keptKey is the key of the comparison of two versions of a package. It depends on the content of both
// versions, and not on their directories, so a revision that is read from git again has the same key. The
// result is false if the comparison is not kept, because it writes files, its internals are to be shown, or
// no key can be made.
func (r *run) keptKey(s *session.Session, old *load.Package) (cache.Key, bool) {
	if r.how.Cache == nil || r.how.Write || len(s.Config.Debug) > 0 {
		return cache.Key{}, false
	}
	before, err := r.old.prog.ContentPrint(old, files.IsOwn)
	if err != nil {
		return cache.Key{}, false
	}
	after, err := s.Prog.ContentPrint(s.Pkg, files.IsOwn)
	if err != nil {
		return cache.Key{}, false
	}
	match := ""
	if s.Config.Run != nil {
		match = s.Config.Run.String()
	}
	return cache.KeyOf("diff", r.how.Program, before, after, r.two.Old.Name, r.two.New.Name, s.Config.Tags, match,
		strconv.FormatUint(s.Config.Seed, 10), fmt.Sprint(s.Config.Unsafe, s.Config.Unexported, s.Config.Confine, r.how.Fail)), true
}

// recallOrDo repeats the events of an earlier comparison of the same versions. If there was none it does the
// work, and keeps the result if nothing was cut off. The function whole reports this for the other session.
func (r *run) recallOrDo(s *session.Session, old *load.Package, work func() (whole bool, err error)) error {
	key, keeps := r.keptKey(s, old)
	if !keeps {
		_, err := work()
		return err
	}
	if data, ok := r.how.Cache.Get(key); ok && recall(s, data) {
		return nil
	}
	said := s.Events
	var heard []event.Event
	s.Events = &event.Stream{Sink: func(e event.Event) {
		heard = append(heard, renamed(e, r.two)) // the temporary directories will have other names
		said.Send(e)
	}}
	whole, err := work()
	s.Events = said
	if err != nil || !whole || !s.Whole() {
		return err
	}
	m := remembered{Summary: s.Summary, ErrorFindings: s.Result.ErrorFindings}
	for _, e := range heard {
		kind := kindOf(e)
		if kind == "" {
			continue
		}
		data, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("cache: %w", err)
		}
		m.Events = append(m.Events, rememberedEvent{kind, data})
	}
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if err := r.how.Cache.Put(key, data); err != nil {
		s.Warn("%v", err) // without an entry the next run compares again
	}
	return nil
}

// recall repeats the events. It returns false if the entry cannot be understood; then it has sent nothing.
func recall(s *session.Session, data []byte) bool {
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil {
		return false
	}
	events := make([]event.Event, len(m.Events))
	for i, e := range m.Events {
		var err error
		if events[i], err = eventFrom(e); err != nil {
			return false
		}
	}
	for _, e := range events {
		s.Events.Send(e)
	}
	s.Summary, s.Result.ErrorFindings = m.Summary, m.ErrorFindings
	s.Summary.Cached = true
	return true
}

// kindOf names the kind of an event, or "" for events that are not remembered.
func kindOf(e event.Event) string {
	switch e.(type) {
	case event.Difference:
		return "difference"
	case event.Same:
		return "same"
	case event.Added:
		return "added"
	case event.Unpaired:
		return "unpaired"
	case event.Diagnostic:
		return "diagnostic"
	}
	return ""
}

// eventFrom returns the event that was remembered.
func eventFrom(e rememberedEvent) (event.Event, error) {
	switch e.Kind {
	case "difference":
		return decode[event.Difference](e.Data)
	case "same":
		return decode[event.Same](e.Data)
	case "added":
		return decode[event.Added](e.Data)
	case "unpaired":
		return decode[event.Unpaired](e.Data)
	case "diagnostic":
		return decode[event.Diagnostic](e.Data)
	}
	return nil, errors.New("an event of another kind")
}

func decode[E event.Event](data []byte) (event.Event, error) {
	var e E
	err := json.Unmarshal(data, &e)
	return e, err
}
