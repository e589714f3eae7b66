package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Status describes a job.
type Status struct {
	Job
	State  string
	Urgent bool      // the job is one of an urgent run
	Worker string    // the worker that does or did the job, or "" for a job that waits
	Since  time.Time // when the job came into this state, by the clock of this machine, or zero
	Reason string    // why a dead job is dead
}

// List returns the jobs that wait, run or are dead, and if all is set those that are done, too. They
// are sorted by state, then by description.
func (q *Queue) List(ctx context.Context, all bool) ([]Status, error) {
	states := make(map[string]Status)
	keys, err := q.outcomes.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, fmt.Errorf("queue: %w", err)
	}
	for _, key := range keys {
		o, _, err := q.outcome(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // the job was removed meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("queue: %w", err)
		}
		states[key] = q.status(o)
	}
	info, err := q.jobs.Info(ctx, jetstream.WithSubjectFilter(subject("*", "*")))
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	var out []Status
	queued := make(map[string]bool) // the jobs that wait or run
	for subject := range info.State.Subjects {
		lane, key, _ := splitSubject(subject)
		switch s := states[key]; s.State {
		case Running:
			if !queued[key] { // two runs may wait for it
				out = append(out, s)
			}
			queued[key] = true
			continue
		case Done, Dead: // the job is about to be taken out of the queue; what is dead comes below
			continue
		}
		msg, err := q.jobs.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		s := Status{State: Waiting, Urgent: strings.HasPrefix(lane, urgentLane)}
		if err != nil || json.Unmarshal(msg.Data, &s.Job) != nil {
			return nil, errors.Join(errors.New("queue: a job cannot be read"), err)
		}
		s.Since = q.here(msg.Time)
		out = append(out, s)
		queued[key] = true
	}
	if err := q.addDead(ctx, states, queued); err != nil {
		return nil, err
	}
	for _, s := range states {
		if s.State == Dead || s.State == Done && all {
			out = append(out, s)
		}
	}
	order := []string{Dead, Running, Waiting, Done}
	slices.SortFunc(out, func(a, b Status) int {
		return cmp.Or(slices.Index(order, a.State)-slices.Index(order, b.State), cmp.Compare(a.What, b.What), cmp.Compare(a.Key, b.Key))
	})
	return out, nil
}

// status describes a job by its outcome.
func (q *Queue) status(o outcome) Status {
	return Status{Job: o.Job, State: o.State, Urgent: strings.HasPrefix(o.Lane, urgentLane), Worker: o.Worker, Since: q.here(o.Since), Reason: o.Reason}
}

// addDead completes the states by the letters of dead jobs, whose outcomes are forgotten earlier. A job that was put into the
// queue again is not dead, and the letter of one that was done since is removed.
func (q *Queue) addDead(ctx context.Context, states map[string]Status, queued map[string]bool) error {
	dead, err := q.allLetters(ctx)
	if err != nil {
		return err
	}
	for key, l := range dead {
		switch s, known := states[key]; {
		case s.State == Done:
			if err := q.tearUp(ctx, key, l.sequence); err != nil {
				return err
			}
		case s.State == Dead, !known && !queued[key]:
			states[key] = q.status(l.outcome)
		}
	}
	return nil
}

// Drop removes a job, whatever its state is. If a worker is doing the job, nobody will read the result.
func (q *Queue) Drop(ctx context.Context, s Status) error {
	if err := q.jobs.Purge(ctx, jetstream.WithPurgeSubject(subject("*", s.Key))); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if err := q.outcomes.Purge(ctx, s.Key); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if err := q.letters.Purge(ctx, jetstream.WithPurgeSubject(letters+s.Key)); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// Reset makes the server forget everything of assay's, so that another version can begin.
func Reset(ctx context.Context, cfg Config) error {
	nc, err := connect(cfg)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	for _, forget := range []func() error{
		func() error { return js.DeleteStream(ctx, jobsStream) },
		func() error { return js.DeleteStream(ctx, lettersStream) },
		func() error { return js.DeleteKeyValue(ctx, "assay_outcomes") },
		func() error { return js.DeleteObjectStore(ctx, newBlobs().bucket) },
		func() error { return js.DeleteKeyValue(ctx, "assay_small_blobs") }, // of earlier versions
		func() error { return js.DeleteKeyValue(ctx, keysBucket) },
		func() error { return js.DeleteObjectStore(ctx, newShelf().contents.bucket) },
		func() error { return js.DeleteKeyValue(ctx, "assay_state") },
	} {
		if err := forget(); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) && !errors.Is(err, jetstream.ErrBucketNotFound) {
			return fmt.Errorf("the server at %s: %w", withoutSecret(cfg.URL), err)
		}
	}
	return nil
}
