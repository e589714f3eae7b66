package observer

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
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

const throughSource = `package p

type Decoder struct{ n int }

func (d *Decoder) Read(p []byte) (int, error) { return 0, nil }

type Conn struct{ n int }

func (c *Conn) Read(p []byte) (int, error) { return 0, nil }
func (c *Conn) SetDeadline(seconds int)    {}

type Open struct{ Name string }

func (o *Open) Read(p []byte) (int, error) { return 0, nil }

type Odd struct{ n int }

func (o *Odd) Read(p []byte) int { return 0 }

type Shape interface {
	Area() int
	Delete() (bool, error)
	ExecuteAll() string
	Name() (string, error)
	Sides(of int) int
}
`

// What is read like a file is read through if users see nothing else of it and it has an end; what is behind an interface is asked by
// methods that do not sound as if they changed it.
func TestPartsByRule(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", throughSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"Decoder": 1, "Conn": 0, "Open": 0, "Odd": 0} {
		if got := ReadThrough(types.NewPointer(pkg.Scope().Lookup(name).Type())); len(got) != want {
			t.Errorf("ReadThrough(*%s) has %d parts, want %d", name, len(got), want)
		}
	}
	var paths []string
	for _, p := range AskedBehind(pkg.Scope().Lookup("Shape").Type()) {
		paths = append(paths, p.Path)
	}
	if want := []string{"Area()", "Name()"}; !slices.Equal(paths, want) {
		t.Errorf("AskedBehind(Shape) = %q, want %q", paths, want)
	}
}
