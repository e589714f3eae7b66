package called_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver/called"
	"github.com/goassay/assay/internal/load"
)

// open loads a package of one file.
func open(t *testing.T, src string) *load.Package {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "p.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range prog.Packages[0].Errors {
		t.Fatal(e)
	}
	return prog.Packages[0]
}

const busSource = `package p

import (
	"context"
	"errors"
	"reflect"
)

type entry struct {
	f    reflect.Value
	args []any
}

type Bus struct{ entries map[string][]*entry }

func (b *Bus) On(name string, h any) error { return b.add(name, h) }

func (b *Bus) add(name string, h any) error {
	if t := reflect.TypeOf(h); t.Kind() != reflect.Func || t.NumIn() != 2 || !t.In(0).Implements(reflect.TypeOf((*context.Context)(nil)).Elem()) {
		return errors.New("no function")
	}
	b.entries[name] = append(b.entries[name], &entry{f: reflect.ValueOf(h)})
	return nil
}

func (b *Bus) Off(name string, h any) bool {
	for _, e := range b.entries[name] {
		if e.f.Pointer() == reflect.ValueOf(h).Pointer() {
			return true
		}
	}
	return false
}

func (b *Bus) Emit(name string, args ...any) {
	for _, e := range b.entries[name] {
		e.f.Call(values(args))
	}
}

func values(args []any) []reflect.Value {
	var in []reflect.Value
	for _, a := range args {
		in = append(in, reflect.ValueOf(a))
	}
	return in
}

// Note keeps anything.
func (b *Bus) Note(name string, v any) {}

// Empty reports whether v is nil.
func Empty(v any) bool {
	k := reflect.ValueOf(v).Kind()
	return (k == reflect.Map || k == reflect.Func) && reflect.ValueOf(v).IsNil()
}
`

// Where any value may be, functions are passed if the code calls it by reflection, asks whether it is a function, or looks for it again.
func TestOf(t *testing.T) {
	pkg := open(t, busSource)
	c := called.Of(pkg)
	if c == nil {
		t.Fatal("nothing is called by reflection")
	}
	for name, want := range map[string]string{"Bus.On": "h takes", "Bus.Off": "h takes", "Bus.Emit": "args passes", "Bus.Note": "", "Empty": "", "values": "args passes"} {
		var got []string
		for p := range pkg.Target(name).Obj.Signature().Params().Variables() {
			if c.Takes(p) {
				got = append(got, p.Name()+" takes")
			}
			if c.Passes(p) {
				got = append(got, p.Name()+" passes")
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := c.Functions()[0].Text; got != "func(ctx «context».Context, s string) {}" {
		t.Errorf("the first function is %s", got)
	}
	refused := false
	for _, op := range c.Functions() {
		refused = refused || op.Text == "func() {}"
	}
	if !refused {
		t.Error("no function has another number of parameters than the code asks for")
	}
}

// A function that has to return an error returns one, and another one returns none.
func TestFunctions_results(t *testing.T) {
	pkg := open(t, `package p

import "reflect"

var failure = reflect.TypeFor[error]()

func Run(job any, args ...any) error {
	v := reflect.ValueOf(job)
	if v.Kind() != reflect.Func || v.Type().NumOut() != 1 || v.Type().Out(0) != failure {
		return nil
	}
	var in []reflect.Value
	for i := range args {
		in = append(in, reflect.ValueOf(args[i]))
	}
	err, _ := v.Call(in)[0].Interface().(error)
	return err
}
`)
	var all []string
	for _, op := range called.Of(pkg).Functions() {
		all = append(all, op.Text)
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"func(s string) error { return nil }", `func(s string) error { return «errors».New("failed") }`, "func(s string) string { return s }", "func() error { return nil }"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s among\n%s", want, text)
		}
	}
}

// A package that calls nothing by reflection, or only methods of objects, is given no functions.
func TestOf_nothing(t *testing.T) {
	for _, source := range []string{
		"package p\n\nfunc Keep(v any) {}\n",
		"package p\n\nimport \"reflect\"\n\nfunc Call(v any, name string) { reflect.ValueOf(v).MethodByName(name).Call(nil) }\n",
	} {
		if pkg := open(t, source); called.Of(pkg) != nil {
			t.Errorf("functions are passed in\n%s", source)
		}
	}
}
