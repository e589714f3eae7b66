package observer

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// A cursor is gone through by its methods: one that moves and one that returns, or one that does both. Elements that are no data, and
// methods with parameters, make none.
func TestCursor(t *testing.T) {
	pkg := loaded(t, `package m

import "io"

type Rows struct{ n int }

func (r *Rows) Next() bool { return false }
func (r *Rows) Row() *Row  { return nil }
func (r *Rows) Err() error { return nil }

type Row struct{ A int }

type Words struct{}

func (w *Words) Next() (string, bool) { return "", false }

type Lines struct{}

func (l *Lines) Read() (string, error) { return "", io.EOF }

type Funcs struct{}

func (f *Funcs) Next() bool    { return false }
func (f *Funcs) Value() func() { return nil }

type Asked struct{}

func (a *Asked) Next(n int) bool { return false }
func (a *Asked) Value() int      { return 0 }

type Bytes struct{}

func (b *Bytes) Read() (int, error) { return 0, nil }
`)
	for name, want := range map[string]string{
		"Rows":  "func «.»(r *«example.com/m».Rows) (list []«example.com/m».Row, _ error) {\n\tfor r.Next() {\n\t\tlist = append(list, *r.Row())\n\t}\n\treturn list, r.Err()\n}\n",
		"Words": "func «.»(w *«example.com/m».Words) (list []string) {\n\tfor v, ok := w.Next(); ok; v, ok = w.Next() {\n\t\tlist = append(list, v)\n\t}\n\treturn list\n}\n",
		"Lines": "func «.»(l *«example.com/m».Lines) (list []string, err error) {\n\tfor {\n\t\tv, err := l.Read()\n\t\tif err == «io».EOF {\n\t\t\treturn list, nil\n\t\t}\n\t\tif err != nil {\n\t\t\treturn list, err\n\t\t}\n\t\tlist = append(list, v)\n\t}\n}\n",
		"Funcs": "", "Asked": "", "Bytes": "",
	} {
		op := Cursor(pkg, pkg.Types.Scope().Lookup(name).Type().(*types.Named))
		switch {
		case op == nil && want != "":
			t.Errorf("%s is no cursor", name)
		case op == nil:
		case op.Via.Text != want:
			t.Errorf("%s is gone through by\n%swant\n%s", name, op.Via.Text, want)
		case !strings.Contains(op.Via.Brief, "too many elements"):
			t.Errorf("%s: a harness goes on without an end:\n%s", name, op.Via.Brief)
		}
	}
}

// What is read to the end is an io.Reader of the package: with the list that io.Reader has, and without deadlines.
func TestWhole(t *testing.T) {
	pkg := loaded(t, `package m

import (
	"io"
	"time"
)

type Reader struct{}

func (r *Reader) Read(p []byte) (int, error) { return 0, io.EOF }

type Buf []byte

type Named struct{}

func (n *Named) Read(p Buf) (int, error) { return 0, io.EOF }

type Conn struct{}

func (c *Conn) Read(p []byte) (int, error)      { return 0, io.EOF }
func (c *Conn) SetDeadline(t time.Time) error { return nil }
`)
	imported := func(path, name string) (*types.Func, error) {
		for _, p := range pkg.Types.Imports() {
			if p.Path() == path {
				return p.Scope().Lookup(name).(*types.Func), nil
			}
		}
		return nil, os.ErrNotExist
	}
	for name, want := range map[string]bool{"Reader": true, "Named": false, "Conn": false} {
		ptr := types.NewPointer(pkg.Types.Scope().Lookup(name).Type())
		obj, _, _ := types.LookupFieldOrMethod(ptr, false, pkg.Types, "Read")
		read := obj.(*types.Func)
		if got := IsRead(read); got != want {
			t.Errorf("IsRead of %s = %v, want %v", name, got, want)
		}
		if !want {
			continue
		}
		if Whole(read, ptr, imported) == nil {
			t.Errorf("%s is not read to its end", name)
		}
		if Whole(read, types.Universe.Lookup("any").Type(), imported) != nil {
			t.Errorf("%s is read to its end as any value", name)
		}
	}
}

// loaded returns a package of one file.
func loaded(t *testing.T, src string) *load.Package {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return prog.Packages[0]
}

// What is read like a file is read to its end; a connection is not.
func TestIsRead(t *testing.T) {
	pkg := loaded(t, `package m

import "time"

type File struct{}

func (f *File) Read(p []byte) (int, error) { return 0, nil }

type Conn struct{}

func (c *Conn) Read(p []byte) (int, error)     { return 0, nil }
func (c *Conn) SetDeadline(t time.Time) error { return nil }

type Words struct{}

func (w *Words) Read(p []string) (int, error) { return 0, nil }

type Lines struct{}

func (l *Lines) Read() (string, error) { return "", nil }

type Name string

func (n Name) Reader(p []byte) (int, error) { return 0, nil }
`)
	for name, want := range map[string]bool{"File": true, "Conn": false, "Words": false, "Lines": false, "Name": false} {
		named := pkg.Types.Scope().Lookup(name).Type().(*types.Named)
		for m := range named.Methods() {
			if m.Name() != "SetDeadline" && IsRead(m) != want {
				t.Errorf("IsRead(%s.%s) = %t, want %t", name, m.Name(), !want, want)
			}
		}
	}
}
