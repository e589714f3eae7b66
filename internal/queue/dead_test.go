package queue

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// die has a worker fail at a job until it is dead, and returns how it is listed.
func die(t *testing.T, q *Queue, key string, body []byte) Status {
	t.Helper()
	_, err := q.Wait(t.Context(), key, "job", body, nil)
	if dead := (*DeadError)(nil); !errors.As(err, &dead) {
		t.Fatalf("the job is not dead: %v", err)
	}
	list := must(q.List(t.Context(), false))
	if len(list) != 1 || list[0].State != Dead || list[0].Reason != "no such\nmodule" || list[0].Worker != "worker" {
		t.Fatalf("List = %v", list)
	}
	return list[0]
}

// failing starts a worker that fails until the returned value is true.
func failing(t *testing.T, cfg Config) *atomic.Bool {
	var mended atomic.Bool
	work(t, cfg, "worker", func(ctx context.Context, j Job, body []byte) ([]byte, error) {
		if !mended.Load() {
			return nil, errors.New("no such\nmodule")
		}
		return answer(ctx, j, body)
	})
	return &mended
}

// A dead job has one letter in the stream of dead jobs, with its work and with the reason, which stays when the outcome is
// forgotten. It goes when the job was done, or is dropped.
func TestLetters(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	mended := failing(t, cfg)
	ctx := t.Context()
	count := func(want int) {
		t.Helper()
		if n := must(q.Length(ctx)).Dead; n != want {
			t.Errorf("there are %d letters, want %d", n, want)
		}
	}
	die(t, q, key(0), []byte("job 0"))
	count(1)
	msg, err := q.letters.GetLastMsgForSubject(ctx, "assay.dead."+key(0))
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	if err := json.Unmarshal(msg.Data, &o); err != nil || string(o.Job.Small) != "job 0" || o.Reason != "no such\nmodule" {
		t.Errorf("the letter is %s, %v", msg.Data, err)
	}
	if got := msg.Header.Get("Assay-Reason"); got != `"no such\nmodule"` {
		t.Errorf("the header says %s", got)
	}
	if err := q.outcomes.Purge(ctx, key(0)); err != nil { // after some days the server does it
		t.Fatal(err)
	}
	s := die(t, q, key(0), []byte("job 0")) // by itself the job is tried again then
	count(1)
	if err := q.outcomes.Purge(ctx, key(0)); err != nil {
		t.Fatal(err)
	}
	mended.Store(true)
	if list := must(q.List(ctx, false)); len(list) != 1 || list[0].State != Dead || list[0].Since.IsZero() {
		t.Errorf("without the outcome List = %v", list)
	}
	if err := q.Retry(ctx, s); err != nil {
		t.Fatal(err)
	}
	waitAll(t, q, 1)
	nothingLeft(t, q)
	count(0)
	if err := q.Retry(ctx, s); err == nil || !strings.Contains(err.Error(), "not among the dead jobs any more") {
		t.Errorf("Retry of what is done: %v", err)
	}

	mended.Store(false)
	s = die(t, q, key(1), []byte("job 1"))
	if err := q.Drop(ctx, s); err != nil {
		t.Fatal(err)
	}
	count(0)
	nothingLeft(t, q)
}

// A letter is no more than what it says: List removes one of a job that was done since, a worker that was taken for lost
// leaves none, and a job of which the server has forgotten the work is not put into the queue.
func TestLetters_old(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	failing(t, cfg)
	ctx := t.Context()
	s := die(t, q, key(0), []byte("job 0"))
	q.cfg.now = func() time.Time { return time.Now().Add(blobsKept + time.Hour) }
	if err := q.Retry(ctx, s); err == nil || !strings.Contains(err.Error(), "drop it, and run again what wanted it") {
		t.Errorf("Retry after a long time: %v", err)
	}
	q.cfg.now = nil
	if err := q.finish(ctx, s.Job, outcome{Worker: "other"}, []byte("result")); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, q)
	if n := must(q.Length(ctx)).Dead; n != 0 {
		t.Errorf("there are %d letters of a job that is done", n)
	}
	// A worker that knows only an older note of the job does not bury it.
	if err := q.bury(ctx, nil, outcome{State: Dead, Job: s.Job, Worker: "slow", Reason: "too late"}, 1); err != nil {
		t.Error(err)
	}
	if n := must(q.Length(ctx)).Dead; n != 0 {
		t.Errorf("a worker that was too late has left %d letters", n)
	}
}
