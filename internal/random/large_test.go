package random_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// Where an argument that another package makes is too large for the memory, numbers get smaller from then on, and what it cost
// counts: only a few processes end so.
func TestLargeArguments(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "p.go": `package p

import (
	"errors"
	"image"
)

func Corner(m image.Image) (int, error) {
	b := m.Bounds()
	if b.Dx() > 2 && b.Dy() > 2 {
		r, _, _, _ := m.At(b.Min.X, b.Min.Y).RGBA()
		return int(r), nil
	}
	return 0, errors.New("too small")
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := measurable(t, dir)
	if _, err := random.Run(t.Context(), random.Subject{Prog: m.prog, Pkg: m.pkg, Harness: m.h}, random.Config{Seed: 1, Ops: 40_000}, func(*testcase.Case) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if n := m.log.ended; n > 8 {
		t.Errorf("%d processes ended", n)
	} else {
		t.Logf("%d processes ended", n)
	}
}
