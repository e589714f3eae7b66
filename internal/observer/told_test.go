package observer

import (
	"go/importer"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Each row of the table names a type of the standard library, and parts that its objects have.
func TestToldParts(t *testing.T) {
	imp := importer.Default()
	imported := func(path, name string) (*types.Func, error) {
		p, err := imp.Import(path)
		if err != nil {
			return nil, err
		}
		return p.Scope().Lookup(name).(*types.Func), nil
	}
	for name, parts := range tellingParts {
		if testing.Short() && strings.Contains(name, "http") {
			continue // checking its source takes seconds
		}
		at := strings.LastIndexByte(name, '.')
		p, err := imp.Import(name[:at])
		if err != nil {
			t.Fatal(err)
		}
		obj := p.Scope().Lookup(name[at+1:])
		if obj == nil {
			t.Errorf("%s is not declared", name)
			continue
		}
		typ := obj.Type()
		if !types.IsInterface(typ) {
			typ = types.NewPointer(typ)
		}
		for _, part := range parts {
			if part.Path == "" && part.kind == isSelected {
				continue // the object itself
			}
			steps := part.Steps(typ, imported)
			if len(steps) == 0 {
				t.Errorf("%s has no %s", name, part.Path)
				continue
			}
			for _, op := range steps {
				if op.Kind == testcase.OpMethod && op.Signature().Params().Len() > 0 {
					t.Errorf("%s: %s takes arguments", name, op.Func.Name())
				}
			}
		}
	}
}

// A method of pointers is no part of a value, which a harness cannot take the address of.
func TestToldOfValues(t *testing.T) {
	p, err := importer.Default().Import("net/url")
	if err != nil {
		t.Fatal(err)
	}
	url := p.Scope().Lookup("URL").Type()
	part := Told(url)[0]
	if steps := part.Steps(url, nil); steps != nil {
		t.Errorf("a URL that is no pointer has %d steps to its String", len(steps))
	}
	if steps := part.Steps(types.NewPointer(url), nil); len(steps) != 1 {
		t.Errorf("a URL has %d steps to its String, want 1", len(steps))
	}
}
