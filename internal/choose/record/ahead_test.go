package record

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
)

func TestAhead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": `package m

import "reflect"

type Store interface{ Put(key string) error }

type Options struct {
	OnError func(error)
	hidden  func(int)
	Size    int
}

type T struct {
	s      Store
	OnDone func(n int)
}

func New(s Store, o *Options) *T                { return &T{s: s} }
func (t *T) Each(fn func(key string) bool)      {}
func (t *T) Again(fn func(key string) bool)     {}
func (t *T) Count(n int) int                    { return n }
func Call(job any)                              { reflect.ValueOf(job).Call(nil) }
func inner(f func(string) string) string        { return f("") }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range Ahead(prog.Packages[0]) {
		got = append(got, op.Via.Name)
	}
	if want := []string{"recordStore", "recordOnError", "recordOnDone", "recordFn", "recordJob", "recordJob", "recordJob", "recordJob", "recordJob", "recordF"}; !slices.Equal(got, want) {
		t.Errorf("recorders known beforehand: %v, want %v", got, want)
	}
}
