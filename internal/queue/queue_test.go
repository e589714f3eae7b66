package queue

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/goassay/assay/internal/bundle"
)

var many = flag.Int("jobs", 20, "how many jobs the tests of faults have; BenchmarkEmpty has its own")

// timings are short enough for tests, and long enough for slow machines. No test asserts how long something
// takes, and if a worker is taken for lost too early, that costs only another try.
func timings(url string) Config {
	return Config{URL: url, Version: "v1", AckWait: 2 * time.Second, Pause: 10 * time.Millisecond, Tries: 3}
}

// TestMain has more tests run at the same time than there are processors, because those that say so wait most of the
// time: for a worker to be taken for lost, for a server to come back.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// patient is the number of tries for jobs that have to be done in the end. If the machine stands still for a
// while, the server may take any worker for lost.
const patient = 1000

func serve(t testing.TB) *Server {
	t.Helper()
	s, err := Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func open(t testing.TB, cfg Config) *Queue {
	t.Helper()
	q, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// key names a job of the tests.
func key(i int) string { return bundle.Digest([]byte(strconv.Itoa(i))) }

// work starts a worker with a connection of its own. It works until the test ends or the returned function
// is called.
func work(t testing.TB, cfg Config, name string, do func(context.Context, Job, []byte) ([]byte, error)) (stop func()) {
	t.Helper()
	q := open(t, cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = q.Work(ctx, name, do) // it ends with ctx
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return stop
}

// answer returns the result of a job of the tests.
func answer(_ context.Context, _ Job, body []byte) ([]byte, error) {
	return []byte("done: " + string(body)), nil
}

// waitAll submits the given number of jobs and compares their results.
func waitAll(t *testing.T, q *Queue, n int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			body := []byte(fmt.Sprint("job ", i))
			got, err := q.Wait(t.Context(), key(i), "job", body, nil)
			if err != nil || string(got) != "done: "+string(body) {
				t.Errorf("job %d: %q, %v", i, got, err)
			}
		})
	}
	all.Wait()
}

// nothingLeft checks that no job waits, runs or is dead.
func nothingLeft(t *testing.T, q *Queue) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		left, err := q.List(t.Context(), false)
		if err == nil && len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left are %v (%v)", left, err)
		}
		time.Sleep(10 * time.Millisecond) // the acknowledgement of a job may still be on its way
	}
}

// Every job is done once. If somebody submits it again, later or at the same time, the same result is
// returned.
func TestQueue(t *testing.T) {
	cfg := timings(serve(t).URL())
	cfg.AckWait = time.Hour // no worker is lost here, so no job may be done twice
	var done atomic.Int32
	for i := range 3 {
		work(t, cfg, fmt.Sprint("worker ", i), func(ctx context.Context, j Job, body []byte) ([]byte, error) {
			done.Add(1)
			return answer(ctx, j, body)
		})
	}
	q, other := open(t, cfg), open(t, cfg)
	for q.Workers(t.Context()) < 3 {
		time.Sleep(time.Millisecond) // they are about to ask for jobs
	}
	var both sync.WaitGroup
	both.Go(func() { waitAll(t, q, *many) })
	both.Go(func() { waitAll(t, other, *many) })
	both.Wait()
	waitAll(t, q, *many)
	if int(done.Load()) != *many {
		t.Errorf("%d jobs were done, want %d", done.Load(), *many)
	}
	nothingLeft(t, q)
	all, err := q.List(t.Context(), true)
	if err != nil || len(all) != *many || all[0].State != Done {
		t.Errorf("List has %d jobs, %v", len(all), err)
	}
}

// If a worker disappears in the middle of a job, another worker gets the job.
func TestQueue_workerLost(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	cfg.Tries = patient
	for i := range 2 {
		lost := open(t, cfg)
		ctx, cancel := context.WithCancel(context.Background())
		has := make(chan struct{})
		go func() {
			_ = lost.Work(ctx, fmt.Sprint("lost ", i), func(ctx context.Context, _ Job, _ []byte) ([]byte, error) {
				lost.Close() // the worker behaves as if its process was killed: it sends nothing any more
				close(has)
				<-ctx.Done()
				return nil, ctx.Err()
			})
		}()
		t.Cleanup(cancel)
		q := open(t, cfg)
		if err := q.Submit(t.Context(), key(i), "job", []byte(fmt.Sprint("job ", i))); err != nil {
			t.Fatal(err)
		}
		<-has
	}
	work(t, cfg, "worker", answer)
	q := open(t, cfg)
	waitAll(t, q, *many)
	nothingLeft(t, q)
}

// A worker that is told to end gives its job back at once, and that is no try.
func TestQueue_workerEnds(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	cfg.Tries = 1
	cfg.AckWait = time.Hour // the server would not notice
	has := make(chan struct{})
	stop := work(t, cfg, "leaver", func(ctx context.Context, _ Job, _ []byte) ([]byte, error) {
		close(has)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	q := open(t, cfg)
	if err := q.Submit(t.Context(), key(0), "job", []byte("job 0")); err != nil {
		t.Fatal(err)
	}
	<-has
	stop()
	work(t, cfg, "worker", answer)
	waitAll(t, q, 1)
}

// A job that takes longer than AckWait stays with its worker, because the worker tells the server that it is
// at work.
func TestQueue_slow(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	cfg.Tries = patient
	work(t, cfg, "slow", func(ctx context.Context, j Job, body []byte) ([]byte, error) {
		select {
		case <-time.After(2 * cfg.AckWait):
		case <-ctx.Done():
		}
		return answer(ctx, j, body)
	})
	q := open(t, cfg)
	waitAll(t, q, 1)
	nothingLeft(t, q)
}

// A job that fails, panics or ends its worker is dead after some tries, and keeps no other job from being
// done. Retry gives a dead job another chance.
func TestQueue_poisoned(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	cfg.AckWait = time.Hour // the worker is never taken for lost, however slow the machine is
	var mended atomic.Bool
	do := func(ctx context.Context, j Job, body []byte) ([]byte, error) {
		switch {
		case mended.Load():
		case string(body) == "job 1":
			return nil, errors.New("no such module")
		case string(body) == "job 2":
			panic("bug: a poisoned job")
		}
		return answer(ctx, j, body)
	}
	work(t, cfg, "worker", do)
	q := open(t, cfg)
	for i, reason := range map[int]string{1: "no such module", 2: "a bug of assay's: bug: a poisoned job"} {
		_, err := q.Wait(t.Context(), key(i), "job", []byte(fmt.Sprint("job ", i)), nil)
		var dead *DeadError
		if !errors.As(err, &dead) || dead.Reason != reason {
			t.Errorf("job %d: %v, want %s", i, err, reason)
		}
	}
	if _, err := q.Wait(t.Context(), key(0), "job", []byte("job 0"), nil); err != nil {
		t.Error(err)
	}
	list, err := q.List(t.Context(), false)
	if err != nil || len(list) != 2 || list[0].State != Dead || list[0].Worker != "worker" {
		t.Fatalf("List = %v, %v", list, err)
	}
	mended.Store(true)
	for _, s := range list {
		if err := q.Retry(t.Context(), s); err != nil {
			t.Error(err)
		}
	}
	waitAll(t, q, 3)
	nothingLeft(t, q)
	if err := q.Retry(t.Context(), Status{State: Done}); err == nil {
		t.Error("what is done was put into the queue again")
	}
}

// A job is dead if every worker that had it was lost.
func TestQueue_fatal(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	cfg.Tries = 2
	q := open(t, cfg)
	for i := range cfg.Tries {
		lost := open(t, cfg)
		has := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		go func() {
			_ = lost.Work(ctx, fmt.Sprint("lost ", i), func(ctx context.Context, _ Job, _ []byte) ([]byte, error) {
				lost.Close()
				close(has)
				<-ctx.Done()
				return nil, ctx.Err()
			})
		}()
		if err := q.Submit(t.Context(), key(0), "job", []byte("job 0")); err != nil {
			t.Fatal(err)
		}
		<-has
	}
	work(t, cfg, "worker", answer)
	_, err := q.Wait(t.Context(), key(0), "job", []byte("job 0"), nil)
	var dead *DeadError
	if !errors.As(err, &dead) || dead.Reason != "2 workers were lost while they did it, the last one lost 1" {
		t.Errorf("Wait = %v", err)
	}
}

// A worker that was taken for lost, and was only slow, changes nothing about a job that another worker has
// claimed since: it does not bury the job, and it does not claim one that is done.
func TestQueue_late(t *testing.T) {
	t.Parallel() // most of the time it waits
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	ctx := t.Context()
	job := Job{Key: key(0), What: "job"}
	state := func(want, worker string) {
		t.Helper()
		if o, _, err := q.outcome(ctx, job.Key); err != nil || o.State != want || o.Worker != worker {
			t.Errorf("the job is %s by %s (%v), want %s by %s", o.State, o.Worker, err, want, worker)
		}
	}
	_, _, slow, err := q.claim(ctx, job, outcome{Worker: "slow"}, false)
	if err != nil {
		t.Fatal(err)
	}
	state(Running, "slow")
	before, mine, _, err := q.claim(ctx, job, outcome{Worker: "other"}, true)
	if err != nil || before.Worker != "slow" || mine.Tries != 2 {
		t.Fatalf("claimed after %v, %v", before, err)
	}
	// There is no message to end here, so the test would panic if the job was buried.
	if err := q.bury(ctx, nil, outcome{State: Dead, Job: job, Worker: "slow", Reason: "too late"}, slow); err != nil {
		t.Error(err)
	}
	state(Running, "other")
	if err := q.finish(ctx, job, outcome{Worker: "other"}, []byte("result")); err != nil {
		t.Error(err)
	}
	for _, again := range []bool{false, true} {
		if before, _, _, err := q.claim(ctx, job, outcome{Worker: "slow"}, again); err != nil || before.State != Done {
			t.Errorf("again %v: claimed what was %s, %v", again, before.State, err)
		}
	}
	state(Done, "other")
}

// A job whose reason is longer than a message can be is dead all the same.
func TestQueue_longReason(t *testing.T) {
	cfg := timings(serve(t).URL())
	cfg.Tries = 1
	work(t, cfg, "worker", func(context.Context, Job, []byte) ([]byte, error) {
		return nil, errors.New(strings.Repeat("x", 4<<20))
	})
	q := open(t, cfg)
	_, err := q.Wait(t.Context(), key(0), "job", nil, nil)
	var dead *DeadError
	if !errors.As(err, &dead) || !strings.HasPrefix(dead.Reason, "xxx") || len(dead.Reason) > 10_000 {
		t.Errorf("Wait = %.100v", err)
	}
}

// If the server goes away and comes back, with or without its data, no job is lost.
func TestQueue_serverRestarts(t *testing.T) {
	t.Parallel() // most of the time it waits for answers that the old server took along
	for name, keeps := range map[string]bool{"with its store": true, "empty": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, port := startServer(t, dir)
			cfg := timings(s.URL())
			cfg.Tries = patient
			q := open(t, cfg)
			first, again := make(chan struct{}), make(chan struct{})
			once := sync.OnceFunc(func() { close(first) })
			work(t, cfg, "worker", func(ctx context.Context, j Job, body []byte) ([]byte, error) {
				once()
				<-again
				return answer(ctx, j, body)
			})
			var asked sync.WaitGroup
			asked.Go(func() { waitAll(t, q, *many/2) })
			<-first
			s.Close()
			if !keeps {
				dir = t.TempDir()
			}
			var err error
			if s, err = start(dir, port, "secret"); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			close(again)
			asked.Wait()
			nothingLeft(t, q)
		})
	}
}

// Drop removes a job, whatever the job's state is.
func TestQueue_drop(t *testing.T) {
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	for i := range 3 {
		if err := q.Submit(t.Context(), key(i), fmt.Sprint("job ", i), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	list, err := q.List(t.Context(), false)
	if err != nil || len(list) != 3 || list[1].What != "job 1" || list[1].State != Waiting {
		t.Fatalf("List = %v, %v", list, err)
	}
	if err := q.Drop(t.Context(), list[1]); err != nil {
		t.Error(err)
	}
	if list, err = q.List(t.Context(), false); err != nil || len(list) != 2 || list[1].What != "job 2" {
		t.Errorf("after Drop: %v, %v", list, err)
	}
}

// A program of another version is refused until somebody resets the server. A server that is not there or
// refuses the credentials is an error.
func TestOpen_refused(t *testing.T) {
	s := serve(t)
	cfg := timings(s.URL())
	open(t, cfg)
	other := cfg
	other.Version = "v2"
	if _, err := Open(t.Context(), other); err == nil || !strings.Contains(err.Error(), "used by assay v1, and this is v2") {
		t.Errorf("another version: %v", err)
	}
	if err := Reset(t.Context(), other); err != nil {
		t.Error(err)
	}
	open(t, other)
	if _, err := Open(t.Context(), cfg); err == nil {
		t.Error("the version before is not refused after starting over")
	}

	stranger := cfg
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User("guess")
	stranger.URL = u.String()
	if _, err := Open(t.Context(), stranger); err == nil || !strings.Contains(err.Error(), "cannot reach the server at") || !strings.Contains(err.Error(), "or the token, in the URL") || strings.Contains(err.Error(), "guess") {
		t.Errorf("another secret: %v", err)
	}
	stranger = cfg
	stranger.Creds = filepath.Join(t.TempDir(), "none")
	if _, err := Open(t.Context(), stranger); err == nil || !strings.Contains(err.Error(), "-creds has to name a file with NATS credentials") {
		t.Errorf("no file with credentials: %v", err)
	}
	s.Close()
	if _, err := Open(t.Context(), cfg); err == nil || !strings.HasSuffix(err.Error(), "is a server running there? (nats-server -js)") || strings.Contains(err.Error(), "\n") {
		t.Errorf("no server: %v", err)
	}
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	plain.Start()
	defer plain.Shutdown()
	if !plain.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	cfg.URL = plain.ClientURL()
	if _, err := Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "has no JetStream: start it with -js") {
		t.Errorf("a server without JetStream: %v", err)
	}
}

// A blob is what was stored, whatever its size. One whose content does not have its digest is refused.
func TestBlob(t *testing.T) {
	q := open(t, timings(serve(t).URL()))
	for _, size := range []int{0, 1, 100, inMessage, inMessage + 1, 3*inMessage + 5} {
		content := bytes.Repeat([]byte("c"), size)
		digest, err := q.PutBlob(t.Context(), content)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := q.Blob(t.Context(), digest); err != nil || !bytes.Equal(data, content) {
			t.Errorf("a blob of %d bytes has %d, %v", size, len(data), err)
		}
		if !q.HasBlob(t.Context(), content) {
			t.Errorf("a blob of %d bytes is not there", size)
		}
		if _, err := q.blobs.objects.PutBytes(t.Context(), digest, append(content, "forgery"...)); err != nil {
			t.Fatal(err)
		}
		if data, err := q.Blob(t.Context(), digest); !errors.Is(err, errNoBlob) {
			t.Errorf("a forged blob is believed: %d bytes, %v", len(data), err)
		}
	}
	if _, err := q.Blob(t.Context(), bundle.Digest([]byte("nothing"))); !errors.Is(err, errNoBlob) {
		t.Errorf("a blob that is not there: %v", err)
	}
}

// BenchmarkEmpty measures jobs in which nothing is to be done: how many four workers drain while 64 are in
// flight, and how long a single one takes from its submission to its result.
func BenchmarkEmpty(b *testing.B) {
	for _, tt := range []struct {
		name              string
		workers, inFlight int
	}{{"drain", 4, 64}, {"single", 1, 1}} {
		b.Run(tt.name, func(b *testing.B) {
			cfg := timings(serve(b).URL())
			cfg.AckWait = time.Minute
			for i := range tt.workers {
				work(b, cfg, fmt.Sprint("worker ", i), answer)
			}
			q := open(b, cfg)
			b.ResetTimer()
			var asked sync.WaitGroup
			limit := make(chan struct{}, tt.inFlight)
			for i := range b.N {
				limit <- struct{}{}
				asked.Go(func() {
					if _, err := q.Wait(b.Context(), key(i), "job", []byte(strconv.Itoa(i)), nil); err != nil {
						b.Error(err)
					}
					<-limit
				})
			}
			asked.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkLatency prints thirty samples of how long an empty job takes from its submission to its result, in milliseconds: the
// quantiles of all b.N, from the middle of the first thirtieth to that of the last. The simulation in package workers draws from
// such samples.
func BenchmarkLatency(b *testing.B) {
	const samples = 30
	cfg := timings(serve(b).URL())
	cfg.AckWait = time.Minute
	work(b, cfg, "worker", answer)
	q := open(b, cfg)
	b.ResetTimer()
	took := make([]float64, b.N)
	for i := range b.N {
		begin := time.Now()
		if _, err := q.Wait(b.Context(), key(i), "job", []byte(strconv.Itoa(i)), nil); err != nil {
			b.Fatal(err)
		}
		took[i] = float64(time.Since(begin)) / float64(time.Millisecond)
	}
	if b.N < samples {
		return
	}
	slices.Sort(took)
	text := ""
	for i := range samples {
		text += fmt.Sprintf(" %.2f", took[(2*i+1)*b.N/(2*samples)])
	}
	b.Logf("%d jobs:%s", b.N, text)
}

// BenchmarkStart measures what -workers needs before its first job: a server, and a client with all that it
// sets up there.
func BenchmarkStart(b *testing.B) {
	for range b.N {
		s, err := Start(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		q, err := Open(b.Context(), timings(s.URL()))
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		q.Close()
		s.Close()
		b.StartTimer()
	}
}

// Small work travels within the job, and a small result within the outcome, and neither is stored as a blob.
// Larger ones are stored as blobs. A job is not done if its work does not have the digest that the job
// names.
func TestSmall(t *testing.T) {
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	blobs := func() int {
		list, err := q.blobs.objects.List(t.Context())
		if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
			t.Fatal(err)
		}
		return len(list)
	}
	work(t, cfg, "worker", func(_ context.Context, _ Job, body []byte) ([]byte, error) {
		return []byte(strings.Repeat("r", len(body)*2)), nil
	})
	for _, tt := range []struct{ size, blobs int }{
		{0, 0},             // neither the work nor the result is a blob
		{small / 2, 0},     // the result has the largest size that travels within the outcome
		{small/2 + 1, 1},   // the result is one
		{small, 2},         // the work has the largest size that travels within the job
		{small + 1, 2 + 2}, // both are
	} {
		got, err := q.Wait(t.Context(), key(tt.size), "job", []byte(strings.Repeat("w", tt.size)), nil)
		if err != nil || len(got) != 2*tt.size {
			t.Errorf("work of %d bytes: a result of %d, %v", tt.size, len(got), err)
		}
		if n := blobs(); n != tt.blobs {
			t.Errorf("after work of %d bytes there are %d blobs, want %d", tt.size, n, tt.blobs)
		}
	}
	if err := q.publish(t.Context(), q.lane, Job{Key: key(-1), What: "forged", Body: bundle.Digest([]byte("this")), Small: []byte("that")}); err != nil {
		t.Fatal(err)
	}
	_, err := q.Wait(t.Context(), key(-1), "forged", []byte("this"), nil)
	var dead *DeadError
	if !errors.As(err, &dead) || !strings.Contains(dead.Reason, "blob") {
		t.Errorf("forged work: %v", err)
	}
	// The work of a dead job is kept, so that the job can be tried again. The work of other jobs is not kept.
	for _, s := range must(q.List(t.Context(), true)) {
		if (len(s.Small) > 0) != (s.State == Dead) {
			t.Errorf("%s %.12s: %d bytes of work are kept", s.State, s.Key, len(s.Small))
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// startServer starts a server that is to be started anew, and returns its port.
func startServer(t *testing.T, dir string) (*Server, int) {
	t.Helper()
	s, err := start(dir, server.RANDOM_PORT, "secret")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return s, port
}
