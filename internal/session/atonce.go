package session

import (
	"context"
	"sync"
	"time"

	"github.com/goassay/assay/internal/event"
)

// Patience bounds the time that a package may wait for a worker and be worked on.
const Patience = 24 * time.Hour

// EachAtOnce does the same as Each for a verb whose work is done elsewhere: the verb is at n packages at the same time, and
// each of them may take as long as Patience, because most of the time it waits. Events come in the order of the packages.
func EachAtOnce(ctx context.Context, cfg Config, verb Verb, n int) (Result, error) {
	p, result, err := Open(ctx, cfg, verb)
	if p == nil {
		return result, err
	}
	type work struct {
		session *Session
		events  []event.Event
		done    chan struct{}
	}
	paths := p.Paths()
	works := make([]*work, len(paths))
	limit := make(chan struct{}, max(n, 1))
	var all sync.WaitGroup
	defer all.Wait()
	for i := range works {
		works[i] = &work{done: make(chan struct{})}
	}
	all.Go(func() {
		for i, w := range works {
			limit <- struct{}{}
			all.Go(func() {
				defer func() { close(w.done); <-limit }()
				if ctx.Err() == nil {
					w.session = p.Work(ctx, paths[i], Terms{Timeout: Patience, Events: &event.Stream{Sink: func(e event.Event) { w.events = append(w.events, e) }}})
				}
			})
		}
	})
	total := event.Summary{Verb: verb.Name}
	for _, w := range works {
		<-w.done
		if w.session == nil {
			result.Interrupted = true
			continue
		}
		for _, e := range w.events {
			p.Events.Send(e)
		}
		result.Add(w.session.Result)
		total.AddUp(w.session.Summary)
	}
	return result, p.Close(total)
}
