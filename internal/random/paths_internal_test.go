package random

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// A path that is made for one type of texts is not passed where another one is wanted.
func TestPath_types(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "p.go": `package p

import "os"

type Path string

func Both(from Path, to string) error { return os.Rename(string(from), to) }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	e := &engine{rnd: rand.New(rand.NewPCG(1, 2)), paths: purity.PathsOf(pkg)}
	params := pkg.Target("Both").Obj.Signature().Params()
	d := &draft{paths: []ownPath{{testcase.Ref{}, params.At(0).Type(), purity.FilePath}}}
	for i, want := range []bool{true, false} {
		got := false
		for range 100 {
			_, ok := e.path(d, params.At(i))
			got = got || ok
		}
		if got != want {
			t.Errorf("the path of type Path is passed as %s: %v, want %v", params.At(i), got, want)
		}
	}
}
