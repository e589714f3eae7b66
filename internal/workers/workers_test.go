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

// A worker does nothing with a task that is not what it says, and leaves nothing behind.
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

// A coordinator sends no files that are assay's own, and asks about packages of its module only.
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
