package workers

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/queue"
)

// An entry that names files of the module where it was made names those of the module where it is found, until it is removed.
func TestShared(t *testing.T) {
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	member := func() (dir string, c *Coordinator) {
		dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.24\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "a"), 0o777); err != nil {
			t.Fatal(err)
		}
		q, err := queue.Open(context.Background(), queue.Config{URL: s.URL(), Version: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		if c, err = NewCoordinator(t.Context(), q, dir); err != nil {
			t.Fatal(err)
		}
		return dir, c
	}
	text := func(dir string) string {
		data, err := json.Marshal(map[string]string{"file": filepath.Join(dir, "a", "a.go"), "elsewhere": "/a.go"})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	here, one := member()
	there, other := member()
	key, further := cache.KeyOf("one"), cache.KeyOf("further")
	if data, ok := other.Shared().Recall(t.Context(), key, filepath.Join(there, "a")); ok {
		t.Errorf("there is an entry that nobody has stored: %s", data)
	}
	if err := one.Shared().Keep(t.Context(), filepath.Join(here, "a"), []byte(text(here)), key, further); err != nil {
		t.Fatal(err)
	}
	for _, k := range []cache.Key{key, further} {
		if data, ok := other.Shared().Recall(t.Context(), k, filepath.Join(there, "a")); !ok || string(data) != text(there) {
			t.Errorf("found is %s, %v, want %s", data, ok, text(there))
		}
	}
	if err := other.Shared().Remove(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if data, ok := one.Shared().Recall(t.Context(), key, filepath.Join(here, "a")); ok {
		t.Errorf("what was removed is there: %s", data)
	}
}
