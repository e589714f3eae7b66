package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// submitAll submits jobs for keys from first on, each called by the name of its run.
func submitAll(t *testing.T, q *Queue, run string, first, n int) {
	t.Helper()
	for i := range n {
		if err := q.Submit(t.Context(), key(first+i), run, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// settled waits until the server has put so many jobs into their lanes, which it does a moment after it has taken them.
func settled(t *testing.T, q *Queue, want Length) {
	t.Helper()
	for {
		n, err := q.Length(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == want {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// inTurn lets one worker do so many jobs, and returns the names of their runs in the order in which they were done.
func inTurn(t *testing.T, cfg Config, n int) []string {
	t.Helper()
	var mu sync.Mutex
	var order []string
	done := make(chan struct{})
	work(t, cfg, "worker", func(_ context.Context, j Job, _ []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if order = append(order, j.What); len(order) == n {
			close(done)
		}
		return nil, nil
	})
	<-done
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(order[:n])
}

// Runs are served in turn: a run with few jobs does not wait for all of those that came before.
func TestLanes_fair(t *testing.T) {
	cfg := timings(serve(t).URL())
	large, small, later := open(t, cfg), open(t, cfg), open(t, cfg)
	submitAll(t, large, "large", 0, 30)
	submitAll(t, small, "small", 100, 4)
	submitAll(t, later, "later", 200, 2)
	settled(t, large, Length{Waiting: 36})
	order := inTurn(t, cfg, 36)
	for run, within := range map[string]int{"small": 3*4 + 1, "later": 3*2 + 1} {
		last := 0
		for i, what := range order {
			if what == run {
				last = i + 1
			}
		}
		if last > within {
			t.Errorf("the last job of %s is number %d, want at most %d: %v", run, last, within, order)
		}
	}
}

// Jobs of urgent runs come before those of others, which get one turn in eight all the same.
func TestLanes_urgent(t *testing.T) {
	cfg := timings(serve(t).URL())
	usual := open(t, cfg)
	urgent := cfg
	urgent.Urgent = true
	submitAll(t, usual, "usual", 0, 10)
	submitAll(t, open(t, urgent), "urgent", 100, 12)
	settled(t, usual, Length{Waiting: 22, Urgent: 12})
	list, err := usual.List(t.Context(), false)
	if err != nil || len(list) != 22 {
		t.Fatalf("List has %d jobs, %v", len(list), err)
	}
	for _, s := range list {
		if s.Urgent != (s.What == "urgent") {
			t.Errorf("%s: urgent %v", s.What, s.Urgent)
		}
	}
	order := inTurn(t, cfg, 22)
	want := slices.Concat(slices.Repeat([]string{"urgent"}, 7), []string{"usual"}, slices.Repeat([]string{"urgent"}, 5), slices.Repeat([]string{"usual"}, 9))
	if !slices.Equal(order, want) {
		t.Errorf("the order is %v", order)
	}
}

// A job that two runs want is done once, also if the worker that has it is lost, and if the message by which that
// worker had the job is gone. If the job is dead for one run it is for both.
func TestLanes_shared(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	one, other := open(t, cfg), open(t, cfg)
	var at atomic.Int32
	has, again := make(chan struct{}), make(chan struct{})
	lost := open(t, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	submitAll(t, one, "shared", 0, 1)
	go func() {
		_ = lost.Work(ctx, "lost", func(ctx context.Context, _ Job, _ []byte) ([]byte, error) {
			close(has)
			<-again
			lost.Close()
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}()
	<-has
	submitAll(t, other, "shared", 0, 1)
	list, err := one.List(t.Context(), false)
	if err != nil || len(list) != 1 || list[0].State != Running || list[0].Worker != "lost" {
		t.Fatalf("List = %v, %v", list, err)
	}
	var tries atomic.Int32
	do := func(ctx context.Context, j Job, body []byte) ([]byte, error) {
		at.Add(1)
		if j.What == "poison" {
			tries.Add(1)
			return nil, errors.New("poisoned")
		}
		return answer(ctx, j, body)
	}
	work(t, cfg, "first", do)
	work(t, cfg, "second", do)
	for range 20 { // the workers look at the other message meanwhile, and leave it
		time.Sleep(cfg.Pause)
	}
	if at.Load() != 0 {
		t.Error("the job was begun by a second worker")
	}
	close(again)
	for _, q := range []*Queue{one, other} {
		if _, err := q.Wait(t.Context(), key(0), "shared", nil, nil); err != nil {
			t.Error(err)
		}
	}
	nothingLeft(t, one)
	if n := at.Load(); n != 1 {
		t.Errorf("the job was done %d times after its worker was lost", n)
	}

	// The note says that a worker has it, by a message that nobody has any more.
	text, err := outcome{State: Running, Job: Job{Key: key(1)}, Worker: "gone", Lane: "usual-gone", Tries: 1}.bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := one.put(t.Context(), key(1), text); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Wait(t.Context(), key(1), "shared", nil, nil); err != nil {
		t.Error(err)
	}

	var both sync.WaitGroup
	for _, q := range []*Queue{one, other} {
		both.Go(func() {
			_, err := q.Wait(t.Context(), key(2), "poison", nil, nil)
			if dead := (*DeadError)(nil); !errors.As(err, &dead) {
				t.Errorf("Wait = %v", err)
			}
		})
	}
	both.Wait()
	for { // the other message is looked at, too
		info, err := one.jobs.Info(t.Context())
		if err == nil && info.State.Msgs == 0 {
			break
		}
		time.Sleep(cfg.Pause)
	}
	if n := tries.Load(); int(n) != cfg.Tries {
		t.Errorf("the poisoned job was tried %d times, want %d", n, cfg.Tries)
	}
}

// A lane goes with its run, unless there are jobs left in it. One that the server has forgotten is made anew by whoever
// waits for a job in it.
func TestLanes_change(t *testing.T) {
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	names := func() (out []string) {
		t.Helper()
		all := q.jobs.ListConsumers(t.Context())
		for info := range all.Info() {
			out = append(out, info.Name)
		}
		if all.Err() != nil {
			t.Fatal(all.Err())
		}
		return out
	}
	idle, leaves := open(t, cfg), open(t, cfg)
	idle.Close()
	submitAll(t, leaves, "left", 0, 1)
	leaves.Close()
	if got := names(); !slices.Equal(got, []string{leaves.lane}) {
		t.Errorf("the lanes are %v, want that of the run which has left a job", got)
	}
	stop := work(t, cfg, "worker", answer)
	nothingLeft(t, q)
	if _, err := q.Wait(t.Context(), key(1), "job", nil, nil); err != nil {
		t.Error(err)
	}
	stop()
	submitAll(t, q, "job", 2, 1)
	if err := q.jobs.DeleteConsumer(t.Context(), q.lane); err != nil {
		t.Fatal(err)
	}
	q.laneSeen[q.lane] = time.Time{} // some time has passed
	work(t, cfg, "worker", answer)
	if _, err := q.Wait(t.Context(), key(2), "job", nil, nil); err != nil {
		t.Error(err)
	}
	nothingLeft(t, q)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) { // the stream may forget the job a moment later
		q.leaveLane()
		got := names()
		if !slices.Contains(got, q.lane) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the lanes are %v, among them that of a run without jobs", got)
		}
	}
}

// Workers say what they are at.
func TestCrew(t *testing.T) {
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	if crew, err := q.Crew(t.Context()); err != nil || len(crew) != 0 {
		t.Errorf("Crew = %v, %v, want nobody", crew, err)
	}
	has, goOn := make(chan struct{}), make(chan struct{})
	for _, name := range []string{"b", "a"} {
		work(t, cfg, name, func(ctx context.Context, j Job, body []byte) ([]byte, error) {
			has <- struct{}{}
			<-goOn
			if strings.Contains(j.What, "fails") {
				return nil, errors.New("as told")
			}
			return answer(ctx, j, body)
		})
	}
	submitAll(t, q, "at work", 0, 2)
	<-has
	<-has
	crew, err := q.Crew(t.Context())
	if err != nil || len(crew) != 2 || crew[0].Name != "a" || crew[0].What != "at work" || crew[1].What != "at work" || time.Since(crew[1].Since) > time.Minute {
		t.Errorf("Crew = %+v, %v", crew, err)
	}
	goOn <- struct{}{}
	goOn <- struct{}{}
	submitAll(t, q, "fails", 2, 1)
	for range cfg.Tries {
		<-has
		goOn <- struct{}{}
	}
	nothing := func() bool {
		crew, err := q.Crew(t.Context())
		if err != nil || len(crew) != 2 {
			t.Fatalf("Crew = %+v, %v", crew, err)
		}
		return crew[0].What == "" && crew[1].What == "" && crew[0].Done+crew[1].Done == 2 && crew[0].Failed+crew[1].Failed == cfg.Tries
	}
	for !nothing() {
		time.Sleep(cfg.Pause)
	}
	if got := fmt.Sprint(q.Workers(t.Context())); got != "2" {
		t.Errorf("there are %s workers", got)
	}
}
