package giver_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

// A function that is called with an object of the package is given functions that use the object: one method each, and one
// behind a method that adds something, under the same key.
func TestNew_callbacks(t *testing.T) {
	prog, pkg := open(t, "1.26", `package store

type Tx struct{}

func (*Tx) Set(key, value string) (string, error)         { return "", nil }
func (*Tx) Get(key string) (string, error)                { return "", nil }
func (*Tx) Each(index string, f func(key string) bool) error { return nil }
func (*Tx) Len() int                                      { return 0 }
func (*Tx) Into(c chan int)                               {}

type DB struct{}

func (*DB) Update(fn func(tx *Tx) error) error { return fn(&Tx{}) }
func (*DB) Hook(fn func(*DB))                  {}
func (*DB) Keep(fn func(tx *Tx) bool)          {}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	values := func(name string) string {
		var all []string
		for _, s := range room.Values(pkg.Target(name).Obj.Signature().Params().At(0).Type()) {
			all = append(all, strings.Join(strings.Fields(s.Last().Op.Text), " "))
		}
		return strings.Join(all, "\n")
	}
	got := values("DB.Update")
	for _, want := range []string{
		"func(tx *«example.com/m».Tx) error { _, err := tx.Get(\"ann\") return err }",
		"func(tx *«example.com/m».Tx) error { tx.Len() return nil }",
		"func(tx *«example.com/m».Tx) error { return tx.Each(\"names\", func(string) bool { return true }) }",
		"func(tx *«example.com/m».Tx) error { if _, err := tx.Set(\"ann\", \"7\"); err != nil { return err } _, err := tx.Get(\"ann\") return err }",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("callbacks of Update lack\n%s\nthey are\n%s", want, got)
		}
	}
	if strings.Contains(got, "Into") {
		t.Errorf("nothing is passed as a channel:\n%s", got)
	}
	if got := values("DB.Keep"); got != "" {
		t.Errorf("callbacks of Keep, whose result is nobody's to choose: %s", got)
	}
}

// Callbacks compile in the package's tests, also where these are outside of it: no parameter has the name of the package, no
// type is named that is not exported, and bytes are passed only for bytes.
func TestNew_callbacksOutside(t *testing.T) {
	prog, pkg := open(t, "1.26", `package store

type item struct{}

func (*item) Len() int { return 0 }

type MyByte byte

type Store struct{}

func (*Store) Len() int                  { return 0 }
func (*Store) Each(f func(*item) bool)   {}
func (*Store) Put(value []MyByte)        {}
func (*Store) Write(value []byte)        {}

func Update(f func(store *Store) error) error { return f(&Store{}) }
func Items(f func(*item) error) error         { return f(&item{}) }
`)
	for _, external := range []bool{false, true} {
		pkg.ExternalTests = external
		room, err := giver.New(prog, pkg)
		if err != nil {
			t.Fatal(err)
		}
		texts := func(name string) string {
			var all []string
			for _, s := range room.Values(pkg.Target(name).Obj.Signature().Params().At(0).Type()) {
				all = append(all, strings.Join(strings.Fields(s.Last().Op.Text), " "))
			}
			return strings.Join(all, "\n")
		}
		got := texts("Update")
		for want, is := range map[string]bool{
			"func(x *«example.com/m».Store) error { x.Len() return nil }": true,
			"func(store ": false, "x.Put(nil)": true, `x.Write([]byte("7"))`: true,
			"func(*«example.com/m».item) bool { return true }": !external,
		} {
			if strings.Contains(got, want) != is {
				t.Errorf("external %v: callbacks have %q: %v, want %v:\n%s", external, want, !is, is, got)
			}
		}
		if got := texts("Items"); (got == "") != external {
			t.Errorf("external %v: callbacks that name item: %q", external, got)
		}
	}
}
