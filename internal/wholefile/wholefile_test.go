package wholefile

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReplace checks that a file has the new content and can be read by others, and that no temporary file stays, neither
// afterwards nor after a failure.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report")
	for _, content := range []string{"old", "new"} {
		if err := Replace(name, []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != content {
			t.Errorf("the file has %q, %v, want %q", got, err, content)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Replace(filepath.Join(dir, "taken"), nil); err == nil {
		t.Error("a directory was replaced by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory has %v, %v, want the file and the directory", entries, err)
	}
}
