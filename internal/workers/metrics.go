package workers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/queue"
)

// buckets are the upper bounds, in seconds, of the histogram of how long tasks take.
var buckets = [...]float64{1, 3, 10, 30, 100, 300, 1000}

// tally counts what a worker does, for Prometheus.
type tally struct {
	mu           sync.Mutex
	done, failed int
	seconds      float64           // of all tasks
	within       [len(buckets)]int // how many tasks took so long at most
	busySince    time.Time         // zero if the worker waits
	fetched      int64             // bytes of the modules' files
}

// begin notes that a task begins.
func (m *tally) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busySince = time.Now()
}

// end notes that the task has ended.
func (m *tally) end(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	took := time.Since(m.busySince).Seconds()
	m.busySince = time.Time{}
	if err != nil {
		m.failed++
	} else {
		m.done++
	}
	m.seconds += took
	for i, most := range buckets {
		if took <= most {
			m.within[i]++
		}
	}
}

// fetch notes that so many bytes came from the server.
func (m *tally) fetch(bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fetched += int64(bytes)
}

// text returns the metrics in the format of Prometheus. The length of the queue is left out if it is not known.
func (m *tally) text(worker string, n queue.Length, known bool) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	family := func(name, kind, help string, samples ...any) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
		for i := 0; i < len(samples); i += 2 {
			fmt.Fprintf(&b, "%s%s %v\n", name, samples[i], samples[i+1])
		}
	}
	busy, at := 0, 0.0
	if !m.busySince.IsZero() {
		busy, at = 1, time.Since(m.busySince).Seconds()
	}
	family("assay_worker_info", "gauge", "The worker's name.", fmt.Sprintf("{worker=%q}", worker), 1)
	family("assay_worker_busy", "gauge", "1 while the worker is at a job.", "", busy)
	family("assay_worker_job_age_seconds", "gauge", "How long the worker has been at its present job.", "", at)
	family("assay_worker_jobs_total", "counter", "Jobs that the worker has ended.", `{result="done"}`, m.done, `{result="failed"}`, m.failed)
	samples := []any{}
	for i, most := range buckets {
		samples = append(samples, fmt.Sprintf("_bucket{le=\"%v\"}", most), m.within[i])
	}
	samples = append(samples, `_bucket{le="+Inf"}`, m.done+m.failed, "_sum", m.seconds, "_count", m.done+m.failed)
	family("assay_worker_job_seconds", "histogram", "How long jobs took.", samples...)
	family("assay_worker_fetched_bytes_total", "counter", "Bytes of modules that came from the server.", "", m.fetched)
	family("assay_worker_memory_bytes", "gauge", "Memory that the Go runtime has from the system, without the programs that it runs.", "", memory())
	if known {
		family("assay_queue_jobs", "gauge", "Jobs at the server, by state.", `{state="waiting"}`, n.Waiting, `{state="running"}`, n.Running)
		family("assay_queue_urgent_jobs", "gauge", "Waiting jobs of urgent runs.", "", n.Urgent)
		family("assay_queue_dead_jobs", "gauge", "Jobs that are not tried any more.", "", n.Dead)
	}
	return b.String()
}

// ServeMetrics answers requests for /metrics at an address until the returned function is called. The address is that at
// which it listens: port 0 means any.
func (w *Worker) ServeMetrics(ctx context.Context, address string, q *queue.Queue) (at net.Addr, stop func(), err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, nil, fmt.Errorf("-metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(rw http.ResponseWriter, r *http.Request) {
		const patience = 2 * time.Second // while the server is away, the rest is told all the same
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		n, err := q.Length(ctx)
		rw.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		fmt.Fprint(rw, w.metrics.text(w.Name, n, err == nil))
	})
	const patience = 10 * time.Second
	s := &http.Server{Handler: mux, ReadHeaderTimeout: patience, ReadTimeout: patience, WriteTimeout: patience}
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			w.Log.Error("no metrics any more", "error", err)
		}
	}()
	return l.Addr(), func() { _ = s.Close() }, nil // requests that are under way do not matter
}
