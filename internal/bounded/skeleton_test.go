package bounded

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// TestSkeleton uses the skeleton of a type as its finitization, and gets the default bounds.
func TestSkeleton(t *testing.T) {
	ctx := context.Background()
	prog, pkg := loadStructures(t)
	const typ, size = "SinglyLinkedList", 3
	text, err := Skeleton(prog, pkg, typ)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Enum(ctx, prog, pkg, Enumeration{Type: typ, Size: size, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{filepath.Join(pkg.Dir, "skeleton.go"): []byte(text)}
	prog, err = load.Load(ctx, load.Config{Dir: "testdata/structures", Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	if pkg = prog.Packages[0]; len(pkg.Errors) > 0 {
		t.Fatalf("%v\n%s", pkg.Errors[0], text)
	}
	own, err := Enum(ctx, prog, pkg, Enumeration{Type: typ, Size: size, Workers: 1, Finitization: "finite" + typ, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	if own.Valid != plain.Valid || own.Explored != plain.Explored || own.Valid == 0 {
		t.Errorf("%d of %d by the skeleton, %d of %d by default:\n%s", own.Valid, own.Explored, plain.Valid, plain.Explored, text)
	}
}
