package native_test

import (
	"testing"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// A text with the name of a stand-in's type says something of the harness and not of the code: the type has another name in a test.
func TestNamesOfStandIns(t *testing.T) {
	prog, pkg := loadOne(t, module(t, source(`package p

import "fmt"

type Store interface{ Get() int }

func Name(s Store) string     { return fmt.Sprintf("%T", s) }
func Refuse(s Store) error    { return fmt.Errorf("no %T", s) }
func Panic(s Store)           { panic(fmt.Sprintf("no %T", s)) }
func Bytes(s Store) []byte { return fmt.Appendf(nil, "%T", s) }
func Double(s Store) string   { return fmt.Sprint(2 * s.Get()) }
`)))
	h, err := native.Build(t.Context(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	out := run(t, h, pkg, native.Options{}, `Name(stub(Store, "Get", 1))`, `Refuse(stub(Store, "Get", 1))`, `Panic(stub(Store, "Get", 1))`, `Double(stub(Store, "Get", 1))`, `Bytes(stub(Store, "Get", 1))`)
	last := func(i int) testcase.Value { return out[i].Results[len(out[i].Results)-1][0] }
	if v := last(0); v.Kind != testcase.Opaque {
		t.Errorf("Name = %v, want nothing that a test compares", v)
	}
	if e := last(1).Err; e == nil || !e.Unstable {
		t.Errorf("Refuse = %v, want an error whose message no test compares", e)
	}
	if v := out[2].Panic.Value; v.Kind != testcase.Interface || v.Elems[0].Kind != testcase.Opaque {
		t.Errorf("Panic panics with %v, want nothing that a test compares", v)
	}
	if v := last(4); v.Kind != testcase.Opaque {
		t.Errorf("Bytes = %v, want nothing that a test compares", v)
	}
	if v := last(3); v.Str != "2" {
		t.Errorf("Double = %v, want 2", v)
	}
}
