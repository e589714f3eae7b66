package queue

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

var smallDisk = flag.String("disk", "", "an empty directory on a file system of some 30 MB of its own, which TestQueue_diskFull fills")

var cutFor = flag.Duration("cut", time.Second, "how long TestQueue_networkCut cuts the network")

// network is a connection between clients and a server that can be cut.
type network struct {
	listener net.Listener
	mu       sync.Mutex
	whole    *sync.Cond // the network is no longer cut
	cut      bool
	drop     bool // while it is cut, connections are closed, and not only silent
	conns    map[net.Conn]bool
}

// cable returns a network to a server, and the server's URL through it.
func cable(t *testing.T, to string) (*network, string) {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	server := u.Host
	n := &network{conns: make(map[net.Conn]bool)}
	n.whole = sync.NewCond(&n.mu)
	if n.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.set(false, false); n.listener.Close() })
	go func() {
		for {
			near, err := n.listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil || !n.add(near, far) {
				near.Close()
				continue
			}
			go n.carry(near, far)
			go n.carry(far, near)
		}
	}()
	u.Host = n.listener.Addr().String()
	return n, u.String()
}

// add notes two ends of a connection, unless connections are dropped at present.
func (n *network) add(near, far net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cut && n.drop {
		far.Close()
		return false
	}
	n.conns[near], n.conns[far] = true, true
	return true
}

// carry copies what comes in at one end to the other end. While the network is cut it holds it back.
func (n *network) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	data := make([]byte, 64<<10)
	for {
		k, err := from.Read(data)
		n.mu.Lock()
		for n.cut && !n.drop {
			n.whole.Wait()
		}
		n.mu.Unlock()
		if _, failed := to.Write(data[:k]); err != nil || failed != nil {
			return
		}
	}
}

// set cuts the network, or makes it whole.
func (n *network) set(cut, drop bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut, n.drop = cut, drop
	if cut && drop {
		for c := range n.conns {
			c.Close()
		}
		clear(n.conns)
	}
	n.whole.Broadcast()
}

// If the network between everybody and the server is cut for a while in the middle of jobs, whether connections
// end or only nothing comes through, every job comes to its result.
func TestQueue_networkCut(t *testing.T) {
	t.Parallel() // most of the time it waits
	for name, drop := range map[string]bool{"connections end": true, "nothing comes through": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, through := cable(t, serve(t).URL())
			cfg := timings(through)
			cfg.Tries = patient
			q := open(t, cfg)
			half := make(chan struct{}, *many)
			for i := range 2 {
				work(t, cfg, fmt.Sprint("worker ", i), func(ctx context.Context, j Job, body []byte) ([]byte, error) {
					half <- struct{}{}
					time.Sleep(time.Millisecond)
					return answer(ctx, j, body)
				})
			}
			var asked sync.WaitGroup
			asked.Go(func() { waitAll(t, q, *many) })
			for range *many / 2 {
				<-half
			}
			go func() { // a job that is done again counts as well
				for range half {
				}
			}()
			n.set(true, drop)
			time.Sleep(*cutFor)
			n.set(false, false)
			asked.Wait()
			nothingLeft(t, q)
		})
	}
}

// A server whose store is full refuses jobs and blobs with a line that says what to do. A job that is asked for
// meanwhile is done once there is room.
func TestQueue_full(t *testing.T) {
	cfg := timings(serve(t).URL())
	notices := make(chan string, 1)
	cfg.Notice = func(text string) { notices <- text }
	q := open(t, cfg)
	limit := func(bytes int64) {
		t.Helper()
		info, err := q.jobs.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		info.Config.MaxBytes = bytes
		if _, err := q.js.UpdateStream(t.Context(), info.Config); err != nil {
			t.Fatal(err)
		}
	}
	limit(2000)
	i := 0
	for ; ; i++ {
		err := q.Submit(t.Context(), key(i), "job", []byte(fmt.Sprint("job ", i)))
		if err == nil && i < 100 {
			continue
		}
		var refused *jetstream.APIError
		if !errors.As(err, &refused) || refused.Description != "maximum bytes exceeded" {
			t.Errorf("after %d jobs: %v", i, err)
		}
		break
	}
	q.lookAround(t.Context(), key(i), q.publish(t.Context(), q.lane, Job{Key: key(i)}))
	if text := <-notices; !strings.Contains(text, "does not take jobs at present") || !strings.Contains(text, "maximum bytes exceeded (give its store more room, or empty it: assay jobs reset)") ||
		strings.Contains(text, "\n") || strings.Contains(text, "secret") {
		t.Errorf("the notice is %q", text)
	}
	var asked sync.WaitGroup
	asked.Go(func() { waitAll(t, q, i+1) })
	limit(-1)
	work(t, cfg, "worker", answer)
	asked.Wait()
	nothingLeft(t, q)
}

// A result that cannot be stored is not lost: the worker keeps it until the server takes it.
func TestQueue_resultRefused(t *testing.T) {
	cfg := timings(serve(t).URL())
	q := open(t, cfg)
	info, err := q.js.Stream(t.Context(), "KV_assay_outcomes")
	if err != nil {
		t.Fatal(err)
	}
	config := info.CachedInfo().Config
	limit := func(bytes int64) {
		config.MaxBytes = bytes
		if _, err := q.js.UpdateStream(context.Background(), config); err != nil {
			t.Error(err)
		}
	}
	var done atomic.Int32
	result := strings.Repeat("r", small)
	work(t, cfg, "worker", func(context.Context, Job, []byte) ([]byte, error) {
		done.Add(1)
		limit(small)
		time.AfterFunc(3*cfg.Pause, func() { limit(-1) })
		return []byte(result), nil
	})
	got, err := q.Wait(t.Context(), key(0), "job", nil, nil)
	if err != nil || string(got) != result {
		t.Errorf("Wait = %d bytes, %v", len(got), err)
	}
	if nothingLeft(t, q); done.Load() != 1 {
		t.Errorf("the job was done %d times", done.Load())
	}
}

// A job is no nearer to being dead if workers get it while the server cannot note that they do it.
func TestQueue_noteRefused(t *testing.T) {
	cfg := timings(serve(t).URL())
	cfg.AckWait = 200 * time.Millisecond
	q := open(t, cfg)
	work(t, cfg, "worker", answer)
	outcomes, err := q.js.Stream(t.Context(), "KV_assay_outcomes")
	if err != nil {
		t.Fatal(err)
	}
	config := outcomes.CachedInfo().Config
	config.MaxBytes = 1
	if _, err := q.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	var asked sync.WaitGroup
	asked.Go(func() { waitAll(t, q, 1) })
	for given := uint64(0); given <= uint64(2*cfg.Tries); time.Sleep(time.Millisecond) {
		if c, err := q.jobs.Consumer(t.Context(), q.lane); err == nil {
			given = c.CachedInfo().Delivered.Consumer
		}
	}
	config.MaxBytes = -1
	if _, err := q.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	asked.Wait()
	nothingLeft(t, q)
}

// If the disk of the server becomes full in the middle of jobs, and the server is started again when there is
// room, every job comes to its result. Until then users are told.
func TestQueue_diskFull(t *testing.T) {
	if *smallDisk == "" {
		t.Skip("NOT TESTED: needs -disk")
	}
	dir, fill := filepath.Join(*smallDisk, "store"), filepath.Join(*smallDisk, "fill")
	clear := func() {
		if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(fill)); err != nil {
			t.Error(err)
		}
	}
	clear()
	defer clear()
	s, port := startServer(t, dir)
	cfg := timings(s.URL())
	cfg.Tries = patient
	notices := make(chan string, 1)
	cfg.Notice = func(text string) { notices <- text }
	q := open(t, cfg)
	started := make(chan struct{}, 2**many)
	work(t, cfg, "worker", func(ctx context.Context, j Job, body []byte) ([]byte, error) {
		started <- struct{}{}
		time.Sleep(10 * time.Millisecond)
		return answer(ctx, j, body)
	})
	var asked sync.WaitGroup
	asked.Go(func() { waitAll(t, q, *many) })
	<-started
	f, err := os.Create(fill)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 1<<20))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// Jobs that nobody waits for are refused, and so is what anybody waits for after a while.
	if err := q.Submit(t.Context(), key(-1), "job", make([]byte, small)); err == nil {
		t.Error("a job was taken although the disk is full")
	}
	if text := <-notices; !strings.Contains(text, "is there room on its disk") && !strings.Contains(text, "no space left on device (give its store more room") {
		t.Errorf("the notice is %q", text)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = start(dir, port, "secret"); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	asked.Wait()
	nothingLeft(t, q)
	// The disk may have been full when a job was taken out of the queue, and it is there again, but nobody gets it.
	for i := range *many {
		if err := q.outcomes.Purge(t.Context(), key(i)); err != nil {
			t.Fatal(err)
		}
	}
	waitAll(t, q, *many)
}
