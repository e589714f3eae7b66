package workers

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/lock"
	"github.com/goassay/assay/internal/queue"
)

func open(t *testing.T) *queue.Queue {
	t.Helper()
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	q, err := queue.Open(context.Background(), queue.Config{URL: s.URL(), Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// A worker refuses a task with a digest that is none, with a file that is missing or has another content, or with
// a name that leads out of the module, and leaves nothing behind.
func TestWorker_refuses(t *testing.T) {
	q := open(t)
	put := func(m bundle.Manifest) string {
		digest, err := q.PutBlob(t.Context(), m.Encode())
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	if _, err := q.PutBlob(t.Context(), []byte("module m\n")); err != nil {
		t.Fatal(err)
	}
	mod := bundle.File{Name: "go.mod", Size: 9, Digest: bundle.Digest([]byte("module m\n"))}
	w := &Worker{Name: "w", Log: slog.New(slog.DiscardHandler), Dir: t.TempDir()}
	for _, name := range []string{"blobs", "jobs"} {
		if err := os.Mkdir(filepath.Join(w.Dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		want string
		b    body
	}{
		{`"../../etc/passwd" is no digest`, body{Module: "../../etc/passwd"}},
		{"blob", body{Module: bundle.Digest([]byte("not there"))}},
		{`a file named "../go.mod"`, body{Module: put(bundle.Manifest{Files: []bundle.File{{Name: "../go.mod", Size: mod.Size, Digest: mod.Digest}}})}},
		{`is no digest`, body{Module: put(bundle.Manifest{Files: []bundle.File{{Name: "go.mod", Size: 1, Digest: "x/y"}}})}},
		{"is not what its digest says", body{Module: put(bundle.Manifest{Files: []bundle.File{{Name: "go.mod", Size: 8, Digest: mod.Digest}}})}},
		{"is no file of gen's", body{Module: put(bundle.Manifest{Files: []bundle.File{mod}}), Task: campaign.Task{
			Package: "m", Dir: ".", Own: []campaign.OwnFile{{Name: "../x_assay_test.go", Content: []byte("package x\n")}}}}},
		{"is no file of gen's", body{Module: put(bundle.Manifest{Files: []bundle.File{mod}}), Task: campaign.Task{
			Package: "m", Dir: "..", Own: []campaign.OwnFile{{Name: "x_assay_test.go", Content: []byte("package x\n")}}}}},
	} {
		data, err := json.Marshal(tt.b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.do(t.Context(), q, data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("do = %v, want %s", err, tt.want)
		}
	}
	if _, err := w.do(t.Context(), q, []byte("{")); err == nil {
		t.Error("half of a task was done")
	}
	if left, err := os.ReadDir(filepath.Join(w.Dir, "jobs")); err != nil || len(left) != 0 {
		t.Errorf("left are %v (%v)", left, err)
	}
}

// A coordinator does not send files of assay's own, and sends tasks only for packages of its module.
func TestCoordinator(t *testing.T) {
	q := open(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n", "m_assay_test.go": "package m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := NewCoordinator(t.Context(), q, dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := q.Blob(t.Context(), c.module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bundle.Decode(list)
	if err != nil || len(m.Files) != 2 || m.Files[0].Name != "go.mod" || m.Files[1].Name != "m.go" {
		t.Errorf("sent was %v (%v)", m, err)
	}
	if _, err := c.Do(t.Context(), [32]byte{}, t.TempDir(), campaign.Task{Package: "other"}); err == nil || !strings.Contains(err.Error(), "is not of the module") {
		t.Errorf("Do = %v", err)
	}
	if _, err := NewCoordinator(t.Context(), q, t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no go.mod here") {
		t.Errorf("without a module: %v", err)
	}
}

// The build cache knows what was built in a directory before. So jobs are unpacked in the directory of the
// job before, unless another worker may be using that directory.
func TestDirectories(t *testing.T) {
	if !lock.Supported {
		t.Skip("NOT TESTED: there are no locks here, and directories have other names each time")
	}
	q := open(t)
	mod := bundle.File{Name: "go.mod", Size: 9, Digest: bundle.Digest([]byte("module m\n"))}
	list := bundle.Manifest{Files: []bundle.File{mod}}
	for _, data := range [][]byte{list.Encode(), []byte("module m\n")} {
		if _, err := q.PutBlob(t.Context(), data); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	left := filepath.Join(dir, "jobs", "module", "of a worker that was killed")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	// The first worker has the directory to itself, and the second one does not.
	first, second := &Worker{Dir: dir, Log: slog.New(slog.DiscardHandler)}, &Worker{Dir: dir, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	ready := make(chan struct{}, 1)
	first.Log = slog.New(slog.NewTextHandler(writer(func() { ready <- struct{}{} }), nil))
	go func() { defer close(done); _ = first.Work(ctx, q) }() // it ends with ctx
	<-ready
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what a killed worker left is there: %v", err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if err := second.Work(ended, q); err == nil {
		t.Error("a worker that is to end works")
	}
	for name, tt := range map[string]struct {
		w    *Worker
		same bool
	}{"first": {first, true}, "second": {second, false}} {
		var places []string
		for range 2 {
			p, err := tt.w.place()
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, p)
			if err := os.RemoveAll(p); err != nil {
				t.Fatal(err)
			}
		}
		if (places[0] == places[1]) != tt.same {
			t.Errorf("the %s worker unpacks to %v", name, places)
		}
	}
	cancel()
	<-done
}

type writer func()

func (w writer) Write(p []byte) (int, error) { w(); return len(p), nil }

// A worker that was given no directory uses one that an earlier worker has used.
func TestOwnDir(t *testing.T) {
	if !lock.Supported {
		t.Skip("NOT TESTED: there are no locks here")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	own := func() (string, func()) {
		t.Helper()
		dir, release, err := OwnDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return dir, release
	}
	a, releaseA := own()
	b, releaseB := own()
	if a == b {
		t.Errorf("two workers have %s", a)
	}
	releaseA()
	if left, err := os.ReadDir(a); err != nil || len(left) > 0 {
		t.Errorf("left in %s: %v, %v", a, left, err)
	}
	c, releaseC := own()
	if c != a {
		t.Errorf("the next worker has %s and not %s", c, a)
	}
	releaseB()
	releaseC()
}
