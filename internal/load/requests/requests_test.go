package requests_test

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
)

const module = `
-- go.mod --
module example.com/m

go 1.24
-- wire/wire.go --
package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
)

// Failure is what a service says of a request that failed.
type Failure struct {
	Code int
	Text string
}

type Envelope struct {
	Status string
	Data   any
}

type List[T any] struct{ Items []T }

func Send(uri string) (*Reply, error) {
	res, err := http.Get(uri)
	if err != nil {
		return nil, err
	}
	if c := res.StatusCode; c == 429 || c >= 400 {
		return nil, fmt.Errorf("wait for %s", res.Header.Get("Retry-After"))
	}
	return &Reply{res}, nil
}

type Reply struct{ *http.Response }

// Into decodes an answer, whatever it is.
func (r *Reply) Into(v any) error {
	switch v := v.(type) {
	case nil:
		return nil
	default:
		e := Envelope{Data: v}
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil || e.Status != "ok" {
			return fmt.Errorf("status %s of %s", e.Status, reflect.TypeOf(v))
		}
		return nil
	}
}

// Page returns the first page of a list.
func Page[T any](uri string) ([]T, error) {
	r, err := Send(uri)
	if err != nil {
		return nil, err
	}
	var l List[T]
	return l.Items, r.Into(&l)
}

type Service interface{ Find(name string) (string, error) }

type remote struct{}

func (remote) Find(name string) (string, error) {
	_, err := Send("https://example.com/" + name)
	return name, err
}

func Unused() bool { res, _ := http.Get(""); return res.StatusCode == 418 }
-- clock/clock.go --
package clock

func Now() int { return 1 }
-- client/client.go --
package client

import (
	"example.com/m/clock"
	"example.com/m/wire"
)

type User struct{ Name string }

type Item struct{ ID int }

func Get(uri string) (u User, err error) {
	r, err := wire.Send(uri)
	if err != nil {
		return u, err
	}
	return u, r.Into(&u)
}

func Again(uri string) error {
	_, err := Get(uri)
	return err
}

func Items() ([]Item, error) { return wire.Page[Item]("https://example.com/items") }

func Find(s wire.Service) (string, error) { return s.Find("ann") }

func Zero(f wire.Failure) bool { return f.Code == 0 }

func Time() int { return clock.Now() }
-- plain/plain.go --
package plain

import "example.com/m/clock"

func Time() int { return clock.Now() }
`

// open loads packages of the module.
func open(t *testing.T, patterns ...string) *load.Program {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(module)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// What a package sends by way of another one is known, with the types that are decoded there: through a parameter of any type, a
// type switch, a field of an envelope and a type parameter. The same is found where the other package is under test as well.
func TestOf(t *testing.T) {
	for _, patterns := range [][]string{{"./client"}, {"./client", "./wire"}} {
		pkg := open(t, patterns...).Packages[0]
		facts := pkg.Requests()
		if !facts.Any() {
			t.Fatal("the package sends nothing")
		}
		if want := []int{429, 400}; !slices.Equal(facts.Statuses, want) {
			t.Errorf("statuses %v, want %v", facts.Statuses, want)
		}
		if want := []string{"Retry-After"}; !slices.Equal(facts.Keys, want) {
			t.Errorf("keys %q, want %q", facts.Keys, want)
		}
		for name, want := range map[string]string{
			"Get":   "true User Envelope",
			"Again": "true User Envelope",
			"Items": "true List[Item] Envelope",
			"Find":  "true",
			"Zero":  "false",
			"Time":  "false",
		} {
			fn := pkg.Types.Scope().Lookup(name).(*types.Func)
			got := fmt.Sprint(facts.Sends(fn))
			for _, d := range facts.Decoded(fn) {
				if d.As != requests.JSON {
					t.Errorf("%s decodes %v as %d", name, d.Type, d.As)
				}
				got += " " + types.TypeString(d.Type, func(*types.Package) string { return "" })
			}
			if got != want {
				t.Errorf("%v: %s: %s, want %s", patterns, name, got, want)
			}
		}
	}
}

// It is known what code wants in the fields of what it decodes, in this package and in the other one.
func TestFacts_Compared(t *testing.T) {
	pkg := open(t, "./client").Packages[0]
	facts := pkg.Requests()
	var wire *types.Package
	for _, imp := range pkg.Types.Imports() {
		if strings.HasSuffix(imp.Path(), "/wire") {
			wire = imp
		}
	}
	field := func(typ string, k int) *types.Var {
		return wire.Scope().Lookup(typ).Type().Underlying().(*types.Struct).Field(k)
	}
	if got := facts.Compared(field("Envelope", 0)); got == nil || len(got.Unequal) != 1 || got.Unequal[0].ExactString() != `"ok"` {
		t.Errorf("Status: %+v, want ok", got)
	}
	if got := facts.Compared(field("Failure", 0)); got == nil || len(got.Equal) != 1 || got.Equal[0].ExactString() != "0" {
		t.Errorf("Code: %+v, want 0", got)
	}
	if got := facts.Compared(field("Failure", 1)); got != nil {
		t.Errorf("Text: %+v, want nothing", got)
	}
}

// A package that leads to no code which sends requests has none.
func TestOf_nothing(t *testing.T) {
	pkg := open(t, "./plain").Packages[0]
	if facts := pkg.Requests(); facts.Any() || facts.Sends(pkg.Types.Scope().Lookup("Time").(*types.Func)) {
		t.Error("the package sends requests")
	}
}
