package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// storing is how many results of a worker may be on their way to the server while it is at further jobs.
const storing = 4

// Work makes do work on jobs, one after the other, until ctx ends. The parameter name is the worker's name,
// and body is the content of the job's blob. If do returns an error, the job is tried again by some worker.
// Failures of the job's own subject therefore belong into do's result. If the server cannot be reached Work
// keeps trying. It returns when all results are stored.
func (q *Queue) Work(ctx context.Context, name string, do func(ctx context.Context, job Job, body []byte) ([]byte, error)) error {
	w := &hand{q: q, name: name, do: do, stored: make(chan error, storing), at: Worker{Name: name, Since: q.serverTime()}}
	for range storing {
		w.stored <- nil
	}
	stop, err := w.answerRollCall()
	if err != nil {
		return err
	}
	defer stop()
	from := newLanes(q)
	for ctx.Err() == nil {
		if err := w.workOnce(ctx, from); err != nil && ctx.Err() == nil {
			from = newLanes(q) // the server may have been restarted without its data
			select {
			case <-ctx.Done():
			case <-time.After(q.cfg.Pause):
			}
			if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
				_ = q.setUp(ctx) // if it fails, the next round fails as well
			}
		}
	}
	for range storing {
		<-w.stored // a job whose result could not be stored is not acknowledged, so another worker gets it
	}
	return ctx.Err()
}

// hand is one worker's work.
type hand struct {
	q    *Queue
	name string
	do   func(context.Context, Job, []byte) ([]byte, error)
	// stored has a value for each result that may be stored while the worker is at further jobs: the error of
	// the result before, or nil.
	stored chan error

	mu sync.Mutex
	at Worker // what the worker is at, with times by the server's clock
}

// workOnce waits a limited time for a job, and does it.
func (w *hand) workOnce(ctx context.Context, from *lanes) error {
	select {
	case err := <-w.stored:
		if err != nil {
			w.stored <- nil
			return err
		}
	case <-ctx.Done():
		return nil
	}
	release := func(err error) { w.stored <- err }
	msg, err := from.next(ctx)
	if msg == nil || err != nil {
		release(nil)
		return err
	}
	return w.handle(ctx, msg, release)
}

// giveBack returns a job that arrived too late to be done.
func giveBack(batch jetstream.MessageBatch) {
	for msg := range batch.Messages() {
		_ = msg.Nak() // if this fails, the server notices that nobody works on the job
	}
}

// handle does a job. Its result is stored and acknowledged in the background, and then release is called. An
// error is one of the server.
func (w *hand) handle(ctx context.Context, msg jetstream.Msg, release func(error)) error {
	finish, err := w.handleUntilStored(ctx, msg)
	if finish == nil {
		release(nil)
		return err
	}
	go func() { release(finish()) }()
	return nil
}

// handleUntilStored does a job. If there is a result it returns the function that stores it.
func (w *hand) handleUntilStored(ctx context.Context, msg jetstream.Msg) (finish func() error, err error) {
	store := context.WithoutCancel(ctx) // the result of a job is stored even if the worker has to end
	q := w.q
	var job Job
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	lane, key, ok := splitSubject(msg.Subject())
	if !ok || json.Unmarshal(msg.Data(), &job) != nil || key != job.Key {
		return nil, msg.TermWithReason("not a job")
	}
	dead := func(reason string) outcome {
		return outcome{State: Dead, Job: job, Worker: w.name, Lane: lane, Reason: reason}
	}
	before, mine, note, err := q.claim(store, job, outcome{Worker: w.name, Lane: lane}, meta.NumDelivered > 1)
	switch {
	case errors.Is(err, errElsewhere):
		return nil, msg.NakWithDelay(q.cfg.Pause) // it is looked after again, until the job is done there
	case err != nil:
		return nil, err
	case before.State == Done:
		return nil, msg.Ack() // the job was done before, and the acknowledgement came late
	case before.State == Dead:
		return nil, msg.TermWithReason(before.Reason)
	case mine.Tries > q.cfg.Tries:
		return nil, q.bury(store, msg, dead(fmt.Sprintf("%d workers were lost while they did it, the last one %s", q.cfg.Tries, before.Worker)), note)
	}
	beat, stop := context.WithCancel(store)
	go q.heartbeat(beat, msg)
	w.begins(job.What)
	data, err := q.attempt(ctx, job, w.do)
	w.ends(err)
	if err == nil {
		return func() error {
			defer stop()
			if err := q.insist(ctx, func() error { return q.finish(store, job, mine, data) }); err != nil {
				return err
			}
			return msg.Ack() // if the acknowledgement is lost, the next worker finds that the job is done
		}, nil
	}
	defer stop()
	switch {
	case ctx.Err() != nil: // the worker ends, which is no fault of the job
		mine.State, mine.Tries = Waiting, mine.Tries-1
		text, err := mine.bytes()
		if err == nil {
			_, err = q.replace(store, job.Key, text, note)
		}
		return nil, errors.Join(err, msg.Nak())
	case mine.Tries >= q.cfg.Tries:
		return nil, q.bury(store, msg, dead(err.Error()), note)
	}
	return nil, msg.NakWithDelay(q.cfg.Pause * time.Duration(mine.Tries))
}

// errElsewhere says that a worker has the job by the message of another lane.
var errElsewhere = errors.New("queue: another worker has the job by another message")

// claim notes that a worker does a job. The parameter by names the worker and its lane. It returns what was known about the job before, the note, and the
// revision of the note. It notes nothing if the job is done, or was tried too often. Only a job that was claimed
// counts as tried: a server that refuses the note, since its disk is full, say, is no fault of the job. A worker
// that was taken for lost and is only slow cannot claim a job that another one has done meanwhile: each note
// names the revision that it replaces, and the server refuses it if there is a newer one.
func (q *Queue) claim(ctx context.Context, job Job, by outcome, again bool) (before, mine outcome, revision uint64, err error) {
	// There is hardly ever an outcome of a job that comes for the first time, so it is not asked for.
	for ask := again; ; ask = true {
		if ask {
			if before, revision, err = q.outcome(ctx, job.Key); err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
				return before, mine, 0, err
			}
		}
		mine = outcome{State: Running, Job: job, Worker: by.Worker, Lane: by.Lane, Tries: before.Tries + 1}
		if before.State == Done || before.State == Dead || mine.Tries > q.cfg.Tries {
			return before, mine, revision, nil
		}
		if before.State == Running && before.Lane != by.Lane {
			switch there, err := q.responsible(ctx, before.Lane, job.Key); {
			case err != nil:
				return before, mine, 0, err
			case there:
				return before, mine, 0, errElsewhere
			}
		}
		text, err := mine.bytes()
		if err != nil {
			return before, mine, 0, err
		}
		if revision, err = q.replace(ctx, job.Key, text, revision); !errors.Is(err, errNewer) {
			return before, mine, revision, err
		}
	}
}

// finish stores the result of a job, and sends it to the clients that wait for it.
func (q *Queue) finish(ctx context.Context, job Job, by outcome, data []byte) error {
	o := outcome{State: Done, Job: job, Worker: by.Worker, Lane: by.Lane, Result: data}
	if len(data) > small {
		digest, err := q.PutBlob(ctx, data)
		if err != nil {
			return err
		}
		o.Blob, o.Result = digest, nil
	}
	text, err := o.bytes()
	if err != nil {
		return err
	}
	if err := q.put(ctx, job.Key, text); err != nil {
		return err
	}
	return q.nc.Publish(doneWord+job.Key, text)
}

// insist tries something repeatedly for a while: waiting for a server to restart is better than losing
// a result. A worker that has to end tries twice.
func (q *Queue) insist(ctx context.Context, f func() error) error {
	const times, atEnd = 10, 2
	for try := 1; ; try++ {
		err := f()
		if err == nil || try == times || try >= atEnd && ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(q.cfg.Pause):
		}
	}
}

// attempt does a job. A panic counts as an error.
func (q *Queue) attempt(ctx context.Context, job Job, do func(context.Context, Job, []byte) ([]byte, error)) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a bug of assay's: %v", p)
		}
	}()
	body, err := q.body(ctx, job)
	if err != nil {
		return nil, err
	}
	return do(ctx, job, body)
}

// heartbeat tells the server that a job is being worked on.
func (q *Queue) heartbeat(ctx context.Context, msg jetstream.Msg) {
	tick := time.NewTicker(q.cfg.AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = msg.InProgress() // if one heartbeat is lost, the next one follows
		}
	}
}

// bury notes that a job is not tried again, and leaves its letter, unless there is a newer note than the given one: then
// another worker has the job, and what comes of it counts.
func (q *Queue) bury(ctx context.Context, msg jetstream.Msg, o outcome, note uint64) error {
	// A reason that does not fit into a message would keep the job from ever being dead.
	const longest = 8 << 10
	if len(o.Reason) > longest {
		o.Reason = strings.ToValidUTF8(o.Reason[:longest], "") + " ..."
	}
	text, err := o.bytes()
	if err != nil {
		return err
	}
	written, err := q.writeLetter(ctx, o)
	if err != nil {
		return err
	}
	if _, err := q.replace(ctx, o.Job.Key, text, note); err != nil {
		if errors.Is(err, errNewer) {
			return q.tearUp(ctx, o.Job.Key, written)
		}
		return err
	}
	if err := q.nc.Publish(doneWord+o.Job.Key, text); err != nil {
		return err
	}
	return msg.TermWithReason(o.Reason)
}
