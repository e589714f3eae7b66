package random

import (
	"go/types"
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

// A struct of another package that has fields to set is made by a literal if what is hidden in it are locks.
func TestZeroUsable(t *testing.T) {
	lock := types.NewPackage("sync", "sync")
	mutex := types.NewNamed(types.NewTypeName(0, lock, "Mutex", nil), types.NewStruct(nil, nil), nil)
	other := types.NewPackage("example.com/o", "o")
	inner := types.NewNamed(types.NewTypeName(0, other, "Inner", nil), types.NewStruct(nil, nil), nil)
	field := func(name string, t types.Type) *types.Var { return types.NewField(0, other, name, t, false) }
	for _, tt := range []struct {
		name   string
		fields []*types.Var
		want   bool
	}{
		{"no fields", nil, true},
		{"fields to set", []*types.Var{field("Name", types.Typ[types.String])}, true},
		{"a lock beside them", []*types.Var{field("Name", types.Typ[types.String]), field("mu", mutex)}, true},
		{"a lock alone", []*types.Var{field("mu", mutex)}, false},
		{"a hidden number", []*types.Var{field("Name", types.Typ[types.String]), field("n", types.Typ[types.Int])}, false},
		{"a hidden struct", []*types.Var{field("Name", types.Typ[types.String]), field("in", inner)}, false},
	} {
		s := types.NewStruct(tt.fields, nil)
		if got := zeroUsable(types.NewNamed(types.NewTypeName(0, other, "T", nil), s, nil), s); got != tt.want {
			t.Errorf("%s: zeroUsable() = %t, want %t", tt.name, got, tt.want)
		}
	}
}
