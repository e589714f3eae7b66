package assayrt

import (
	"path/filepath"
	"testing"
)

// A case whose working directory is gone is refused, and the process asks for another one.
func TestStrays(t *testing.T) {
	t.Chdir(t.TempDir())
	x := &executor{home: filepath.Join(t.TempDir(), "gone")}
	if !x.strays() || !x.homeless || x.refused == "" {
		t.Errorf("strays left homeless = %v, refused = %q; want true and a reason", x.homeless, x.refused)
	}
}
