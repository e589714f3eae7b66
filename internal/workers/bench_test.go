package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/queue"
)

// BenchmarkModule measures what it costs that a module of 2,000 files travels: sending it to a server that has
// nothing of it ("sent") and to one that has it all ("again"), only fetching it ("fetched"), and unpacking it at a worker for the first job
// ("first") and for each further one ("next").
func BenchmarkModule(b *testing.B) {
	s, err := queue.Start(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	cfg := queue.Config{URL: s.URL(), Version: "v1"}
	q, err := queue.Open(context.Background(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(q.Close)
	n := 0
	module := func() string {
		n++
		dir := b.TempDir()
		write := func(name, text string) {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		write("go.mod", "module example.com/m\n\ngo 1.24\n")
		for i := range 2000 {
			write(fmt.Sprintf("p%d/f%d.go", i/10, i%10), fmt.Sprintf("package p%d\n\n// %d %d\n", i/10, n, i)+strings.Repeat("// A comment of some length.\n", 140))
		}
		return dir
	}
	send := func(dir string) *Coordinator {
		c, err := NewCoordinator(context.Background(), q, dir)
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	b.Run("sent", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			dir := module()
			b.StartTimer()
			send(dir)
		}
	})
	dir := module()
	c := send(dir)
	b.Run("again", func(b *testing.B) {
		for range b.N {
			send(dir)
		}
	})
	b.Run("fetched", func(b *testing.B) {
		var size int64
		for range b.N {
			var fetch errgroup.Group
			fetch.SetLimit(8)
			for _, p := range c.files.Packs {
				fetch.Go(func() error {
					data, err := q.Blob(context.Background(), p.Digest)
					atomic.AddInt64(&size, int64(len(data)))
					return err
				})
			}
			if err := fetch.Wait(); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(size / int64(b.N))
	})
	task, err := json.Marshal(body{Module: c.module, Task: campaign.Task{Package: "example.com/m/none"}})
	if err != nil {
		b.Fatal(err)
	}
	worker := func() *Worker {
		w := &Worker{Log: slog.New(slog.DiscardHandler), Dir: b.TempDir()}
		leave, err := w.settle()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(leave)
		return w
	}
	do := func(w *Worker) {
		if _, err := w.do(context.Background(), q, task); err == nil {
			b.Fatal("a package that is not there was worked on")
		}
	}
	b.Run("first", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			w := worker()
			b.StartTimer()
			do(w)
		}
	})
	b.Run("next", func(b *testing.B) {
		w := worker()
		do(w)
		b.ResetTimer()
		for range b.N {
			do(w)
		}
	})
}
