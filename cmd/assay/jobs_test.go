package main

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/queue"
)

// cancelling is a writer that ends a context when something was written.
type cancelling struct {
	bytes.Buffer
	cancel func()
}

func (w *cancelling) Write(data []byte) (int, error) {
	defer w.cancel()
	return w.Buffer.Write(data)
}

// The table of -watch shows who is at what, what waits, and what is dead and why; it ends with an interrupt.
func TestJobs_watch(t *testing.T) {
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	cfg := queue.Config{URL: s.URL(), Version: "v1", Tries: 1, Pause: time.Millisecond}
	open := func(cfg queue.Config) *queue.Queue {
		q, err := queue.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		return q
	}
	q, worker := open(cfg), open(cfg)
	cfg.Urgent = true
	urgent := open(cfg)
	submit := func(q *queue.Queue, key, what string) {
		if err := q.Submit(t.Context(), key, what, nil); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	worked := make(chan struct{})
	has := make(chan struct{})
	go func() {
		defer close(worked)
		_ = worker.Work(ctx, "host/1", func(ctx context.Context, j queue.Job, _ []byte) ([]byte, error) { // it ends with ctx
			if j.What == "poison" {
				return nil, errors.New("no such module")
			}
			close(has)
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}()
	t.Cleanup(func() { cancel(); <-worked })
	if _, err := q.Wait(t.Context(), "aaa", "poison", nil, nil); err == nil {
		t.Fatal("the poisoned job is done")
	}
	submit(q, "bbb", "example.com/m/a 15s")
	<-has
	submit(q, "ccc", "example.com/m/b 5s")
	submit(urgent, "ddd", "example.com/m/c 5s")

	watching, interrupt := context.WithCancel(t.Context())
	out := &cancelling{cancel: interrupt}
	c := &command{ctx: t.Context(), stdout: out}
	table := string(c.jobsTable(q, false))
	for _, want := range []string{
		`^\d\d:\d\d:\d\d  2 waiting \(1 urgent\), 1 running, 1 dead; 1 workers\n`,
		`\nWORKER +AT +FOR +DONE +FAILED\nhost/1 +example.com/m/a 15s +\d+s +0 +1\n`,
		`\naaa +dead +poison +\d+s +host/1 no such module\n`,
		`\nbbb +running +example.com/m/a 15s +\d+s +host/1\n`,
		`\nccc +waiting +example.com/m/b 5s +\d+s *\n`,
		`\nddd +waiting \(urgent\) +example.com/m/c 5s +\d+s *\n`,
	} {
		if !regexp.MustCompile(want).MatchString(table) {
			t.Errorf("nothing matches %s in\n%s", want, table)
		}
	}
	c.ctx = watching
	if err := c.watchJobs(cfg, false); err != nil || strings.Count(out.String(), "WORKER") != 1 {
		t.Errorf("watching ends with %v after\n%s", err, out)
	}
	soon, end := context.WithTimeout(t.Context(), time.Second)
	defer end()
	c.ctx = soon
	s.Close()
	if table := string(c.jobsTable(q, false)); !strings.Contains(table, "the server does not answer: ") || strings.Count(table, "\n") != 1 {
		t.Errorf("without a server:\n%s", table)
	}
}

// A dead job is listed with the reason, is tried again when it is asked for, and is gone when it is dropped.
func TestJobs_dead(t *testing.T) {
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	cfg := queue.Config{URL: s.URL(), Version: "v1", Tries: 1, Pause: time.Millisecond}
	q, err := queue.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	ctx, cancel := context.WithCancel(t.Context())
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		_ = q.Work(ctx, "host/1", func(_ context.Context, j queue.Job, _ []byte) ([]byte, error) { // it ends with ctx
			return nil, errors.New("no such module")
		})
	}()
	t.Cleanup(func() { cancel(); <-worked })
	said := func(what string, named ...string) string {
		t.Helper()
		var out bytes.Buffer
		c := &command{ctx: t.Context(), stdout: &out}
		if err := c.lookAfterJobs(cfg, what, named, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	dead := regexp.MustCompile(`^aaa dead    poison, since \S+ \S+, by host/1: no such module\n$`)
	for _, again := range []string{"", "retry: aaa poison\n"} {
		if again != "" {
			if text := said("retry"); text != again {
				t.Errorf("retry says %q, want %q", text, again)
			}
		}
		if _, err := q.Wait(t.Context(), "aaa", "poison", nil, nil); err == nil {
			t.Fatal("the poisoned job is done")
		}
		if text := said("list"); !dead.MatchString(text) {
			t.Errorf("list says %q, want %s", text, dead)
		}
	}
	if text := said("drop", "aa"); text != "drop: aaa poison\n" {
		t.Errorf("drop says %q", text)
	}
	if text := said("list"); text != "" {
		t.Errorf("after drop list says %q", text)
	}
}
