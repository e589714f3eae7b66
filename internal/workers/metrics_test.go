package workers

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/queue"
)

// A worker says in the format of Prometheus what it has done and what waits, and goes on when the server is away.
func TestMetrics(t *testing.T) {
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	q := connect(t, queue.Config{URL: s.URL(), Version: "v1", Urgent: true})
	for i := range 3 {
		if err := q.Submit(t.Context(), fmt.Sprint(i), "job", nil); err != nil {
			t.Fatal(err)
		}
	}
	for n := (queue.Length{}); n.Waiting < 3; { // the server puts them into their lane a moment after it has taken them
		if n, err = q.Length(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w := &Worker{Name: `a "worker"`, Log: slog.New(slog.DiscardHandler)}
	for _, err := range []error{nil, nil, errors.New("failed")} {
		w.metrics.begin()
		w.metrics.end(err)
	}
	w.metrics.begin()
	w.metrics.fetch(100)
	at, stop, err := w.ServeMetrics(t.Context(), "127.0.0.1:0", q)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	get := func() string {
		t.Helper()
		r, err := http.Get("http://" + at.String() + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
			t.Errorf("%s, %v: %v", r.Status, r.Header, err)
		}
		return string(data)
	}
	text := get()
	// Each line of the format is a comment or a sample.
	line := regexp.MustCompile(`^(# (HELP [a-z_]+ .*|TYPE [a-z_]+ (gauge|counter|histogram))|[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+)$`)
	for l := range strings.Lines(text) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("no line of the format: %q", l)
		}
	}
	for _, want := range []string{
		`assay_worker_info{worker="a \"worker\""} 1`, "assay_worker_busy 1", `assay_worker_jobs_total{result="done"} 2`, `assay_worker_jobs_total{result="failed"} 1`,
		`assay_worker_job_seconds_bucket{le="1"} 3`, `assay_worker_job_seconds_bucket{le="+Inf"} 3`, "assay_worker_job_seconds_count 3",
		"assay_worker_fetched_bytes_total 100", `assay_queue_jobs{state="waiting"} 3`, `assay_queue_jobs{state="running"} 0`, "assay_queue_urgent_jobs 3", "assay_queue_dead_jobs 0",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	q.Close()
	if text := get(); !strings.Contains(text, "assay_worker_busy 1\n") || strings.Contains(text, "assay_queue") {
		t.Errorf("without the server:\n%s", text)
	}
	if _, _, err := w.ServeMetrics(t.Context(), at.String(), q); err == nil || !strings.HasPrefix(err.Error(), "-metrics: listen tcp") {
		t.Errorf("at an address that is taken: %v", err)
	}
}
