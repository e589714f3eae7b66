package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Work makes do work on jobs, one after the other, until ctx ends. The parameter name is the worker's name,
// and body is the content of the job's blob. If do returns an error, the job is tried again by some worker.
// Failures of the job's own subject therefore belong into do's result. If the server cannot be reached Work
// keeps trying.
func (q *Queue) Work(ctx context.Context, name string, do func(ctx context.Context, job Job, body []byte) ([]byte, error)) error {
	var from jetstream.Consumer
	for ctx.Err() == nil {
		var err error
		if from == nil {
			from, err = q.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.cfg.AckWait, MaxDeliver: -1, MaxAckPending: 1 << 16,
			})
		}
		if err == nil {
			err = q.workOnce(ctx, from, name, do)
		}
		if err != nil {
			from = nil // the server may have been restarted without its data
			select {
			case <-ctx.Done():
			case <-time.After(q.cfg.Pause):
			}
			if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
				_ = q.setUp(ctx) // if it fails, the next round fails as well
			}
		}
	}
	return ctx.Err()
}

// workOnce waits a limited time for a job, and does it.
func (q *Queue) workOnce(ctx context.Context, from jetstream.Consumer, name string, do func(context.Context, Job, []byte) ([]byte, error)) error {
	const patience = 5 * time.Second
	batch, err := from.Fetch(1, jetstream.FetchMaxWait(patience))
	if err != nil {
		return err
	}
	for {
		select {
		case msg, ok := <-batch.Messages():
			if !ok {
				return batch.Error()
			}
			if err := q.handle(ctx, msg, name, do); err != nil {
				return err
			}
		case <-ctx.Done():
			go giveBack(batch)
			return nil
		}
	}
}

// giveBack returns a job that arrived too late to be done.
func giveBack(batch jetstream.MessageBatch) {
	for msg := range batch.Messages() {
		_ = msg.Nak() // if this fails, the server notices that nobody works on the job
	}
}

// handle does a job and acknowledges it. An error is one of the server.
func (q *Queue) handle(ctx context.Context, msg jetstream.Msg, name string, do func(context.Context, Job, []byte) ([]byte, error)) error {
	store := context.WithoutCancel(ctx) // the result of a job is stored even if the worker has to end
	var job Job
	meta, err := msg.Metadata()
	if err != nil {
		return err
	}
	if json.Unmarshal(msg.Data(), &job) != nil || msg.Subject() != subjects+job.Key {
		return msg.TermWithReason("not a job")
	}
	o, err := q.outcome(store, job.Key)
	if err == nil && o.State == Done {
		return msg.Ack() // the job was done before, and the acknowledgement came late
	}
	tries := int(meta.NumDelivered)
	if tries > q.cfg.Tries {
		return q.bury(store, msg, job, name, fmt.Sprintf("%d workers were lost while they did it, the last one %s", q.cfg.Tries, o.Worker))
	}
	if err := q.noteRunning(job, name); err != nil {
		return err
	}
	beat, stop := context.WithCancel(ctx)
	defer stop()
	go q.heartbeat(beat, msg)
	data, err := q.attempt(ctx, job, do)
	switch {
	case err != nil && ctx.Err() != nil:
		return msg.Nak() // the worker ends, which is no fault of the job
	case err != nil && tries >= q.cfg.Tries:
		return q.bury(store, msg, job, name, err.Error())
	case err != nil:
		return msg.NakWithDelay(q.cfg.Pause * time.Duration(tries))
	}
	if err := q.insist(func() error { return q.finish(store, job, name, data) }); err != nil {
		return err
	}
	return msg.Ack() // if the acknowledgement is lost, the next worker finds that the job is done
}

// finish stores the result of a job, and notifies the clients that wait for it.
func (q *Queue) finish(ctx context.Context, job Job, name string, data []byte) error {
	o := outcome{State: Done, Job: job, Worker: name, Result: data}
	if len(data) > small {
		digest, err := q.PutBlob(ctx, data)
		if err != nil {
			return err
		}
		o.Blob, o.Result = digest, nil
	}
	if err := q.setOutcome(ctx, o); err != nil {
		return err
	}
	return q.nc.Publish(doneWord+job.Key, nil)
}

// insist tries something repeatedly for a while: waiting for a server to restart is better than losing
// a result.
func (q *Queue) insist(f func() error) error {
	const times = 10
	for try := 1; ; try++ {
		err := f()
		if err == nil || try == times {
			return err
		}
		time.Sleep(q.cfg.Pause)
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

// bury notes that a job is not tried again.
func (q *Queue) bury(ctx context.Context, msg jetstream.Msg, job Job, name, reason string) error {
	if err := q.setOutcome(ctx, outcome{State: Dead, Job: job, Worker: name, Reason: reason}); err != nil {
		return err
	}
	if err := q.nc.Publish(doneWord+job.Key, nil); err != nil {
		return err
	}
	return msg.TermWithReason(reason)
}
