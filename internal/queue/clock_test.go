package queue

import (
	"context"
	"regexp"
	"sync"
	"testing"
	"time"
)

// A client and a worker whose clocks are days ahead of the server's or behind it do the same as others: what is stored is as old as
// it is, jobs come to their results, runs are served in turn, and lists have this machine's times. The user is told of the clock.
func TestClocks(t *testing.T) {
	const day = 24 * time.Hour
	for _, wrong := range []time.Duration{day, -day, 3 * day, -3 * day} {
		t.Run(wrong.String(), func(t *testing.T) {
			cfg := timings(serve(t).URL())
			var mu sync.Mutex
			var elapsed time.Duration
			cfg.now = func() time.Time {
				mu.Lock()
				defer mu.Unlock()
				return time.Now().Add(wrong + elapsed)
			}
			var notices []string
			cfg.Notice = func(text string) { notices = append(notices, text) }
			q := open(t, cfg)
			how := "behind"
			if wrong < 0 {
				how = "ahead of"
			}
			if want := `^the clock of the server at nats://\S+ is \d+h\d+m\d+s ` + how + ` this machine's: [^\n]+$`; len(notices) != 1 || !regexp.MustCompile(want).MatchString(notices[0]) {
				t.Errorf("the notices are %q, want one like %q", notices, want)
			}
			recently := func(what string, at time.Time) {
				t.Helper()
				if ago := q.now().Sub(at); ago < -time.Second || ago > time.Minute {
					t.Errorf("%s is %s ago, want that it was just now", what, ago)
				}
			}

			large := []byte{inMessage: 0} // several messages
			for _, content := range [][]byte{[]byte("content"), large} {
				if q.HasBlob(t.Context(), content) {
					t.Fatal("a content is stored that nobody has stored")
				}
				if _, err := q.PutBlob(t.Context(), content); err != nil {
					t.Fatal(err)
				}
				for _, tt := range []struct {
					after time.Duration
					fresh bool
				}{{0, true}, {q.blobs.fresh - time.Hour, true}, {q.blobs.fresh + time.Hour, false}} {
					mu.Lock()
					elapsed = tt.after
					mu.Unlock()
					if fresh := q.HasBlob(t.Context(), content); fresh != tt.fresh {
						t.Errorf("%d bytes, %s after they were stored: fresh is %v", len(content), tt.after, fresh)
					}
				}
				mu.Lock()
				elapsed = 0
				mu.Unlock()
			}

			right := cfg
			right.now, right.Notice = nil, func(text string) { t.Error(text) }
			other := open(t, right)
			submitAll(t, q, "wrong", 0, 3)
			submitAll(t, other, "right", 100, 3)
			settled(t, q, Length{Waiting: 6})
			for _, s := range must(q.List(t.Context(), true)) {
				recently("a job that waits", s.Since)
			}
			at := make(chan struct{})
			goOn := make(chan struct{})
			stop := work(t, right, "right", func(ctx context.Context, j Job, body []byte) ([]byte, error) {
				at <- struct{}{}
				<-goOn
				return answer(ctx, j, body)
			})
			<-at
			for _, w := range must(q.Crew(t.Context())) {
				recently("what a worker is at", w.Since)
			}
			for _, s := range must(q.List(t.Context(), true)) {
				recently(s.State+" job", s.Since)
			}
			goOn <- struct{}{}
			go func() { // the worker may have begun with another job
				for range at {
					goOn <- struct{}{}
				}
			}()
			stop()
			close(at)
			order := inTurn(t, cfg, 4)
			if order[0] == order[1] && order[1] == order[2] {
				t.Errorf("runs are served in the order %v, want in turn", order)
			}
			if _, err := q.Wait(t.Context(), key(200), "job", nil, nil); err != nil {
				t.Error(err)
			}
			nothingLeft(t, q)
		})
	}
}
