package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A job that is not tried any more leaves a letter in a stream of its own, with all that is needed to try it again and with
// the reason. The outcome, by which clients that wait hear of it, is forgotten after some days; the letter stays longer, for
// whoever looks after the queue. There is one letter for each job: a job that dies again has a new one in the place of the old.
//
// The letter is stored before the outcome, so a job that is dead has one. Where a letter is left of a job that is
// done by now, List removes it.

const (
	lettersStream = "ASSAY_DEAD"
	letters       = "assay.dead."
	lettersKept   = 30 * 24 * time.Hour
	// mostLetters bounds the stream. Beyond it the oldest letters go.
	mostLetters = 10_000
	// reasonHeader is where programs other than this one see the reason.
	reasonHeader = "Assay-Reason"
)

// letter is what is kept of a dead job.
type letter struct {
	outcome
	sequence uint64 // of the message in the stream
}

// makeLetters creates the stream, unless it exists.
func (q *Queue) makeLetters(ctx context.Context) (err error) {
	q.letters, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: lettersStream, Subjects: []string{letters + "*"}, MaxAge: lettersKept, MaxMsgs: mostLetters, MaxMsgsPerSubject: 1,
	})
	return err
}

// writeLetter stores the letter of a dead job, and returns its sequence number.
func (q *Queue) writeLetter(ctx context.Context, o outcome) (uint64, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	msg := nats.NewMsg(letters + o.Job.Key)
	msg.Data = text
	msg.Header.Set(reasonHeader, strconv.Quote(o.Reason)) // a header is one line
	ack, err := q.js.PublishMsg(ctx, msg)
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// letter returns the letter of a job, if there is one.
func (q *Queue) letter(ctx context.Context, key string) (l letter, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	msg, err := q.letters.GetLastMsgForSubject(ctx, letters+key)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return l, false, nil
	}
	if err == nil {
		err = json.Unmarshal(msg.Data, &l.outcome)
	}
	if err != nil {
		return l, false, fmt.Errorf("queue: %w", err)
	}
	l.Since, l.sequence = msg.Time, msg.Sequence
	return l, true, nil
}

// allLetters returns all letters, by the keys of their jobs.
func (q *Queue) allLetters(ctx context.Context) (map[string]letter, error) {
	info, err := q.letters.Info(ctx, jetstream.WithSubjectFilter(letters+"*"))
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	out := make(map[string]letter)
	for subject := range info.State.Subjects {
		key := subject[len(letters):]
		l, ok, err := q.letter(ctx, key)
		if err != nil {
			return nil, err
		}
		if ok {
			out[key] = l
		}
	}
	return out, nil
}

// tearUp removes a letter, unless another one of the same job has taken its place.
func (q *Queue) tearUp(ctx context.Context, key string, sequence uint64) error {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	if err := q.letters.Purge(ctx, jetstream.WithPurgeSubject(letters+key), jetstream.WithPurgeSequence(sequence+1)); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// Retry puts a dead job into the queue again.
func (q *Queue) Retry(ctx context.Context, s Status) error {
	if s.State != Dead {
		return fmt.Errorf("%s %.12s is %s, and not dead", s.What, s.Key, s.State)
	}
	l, ok, err := q.letter(ctx, s.Key)
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("%s %.12s is not among the dead jobs any more: drop it, and run again what wanted it", s.What, s.Key)
	case q.serverTime().Sub(l.Since) > blobsKept:
		return fmt.Errorf("%s %.12s is older than the files that the server keeps: drop it, and run again what wanted it", s.What, s.Key)
	}
	if err := q.outcomes.Purge(ctx, s.Key); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if err := q.publish(ctx, retriedLane, l.Job); err != nil {
		return err
	}
	return q.tearUp(ctx, s.Key, l.sequence)
}
