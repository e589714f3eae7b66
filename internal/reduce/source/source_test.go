package source

import (
	"strings"
	"testing"
)

const suite = `package p

import (
	"errors"
	"fmt"
	"testing"
)

type helper struct{ n int }

func (h *helper) use() {}

// TestOne has a dead chain, a dead call that is not pure, and a use.
func TestOne(t *testing.T) {
	a := New()
	b := a.Len()
	c := b + 1
	a.Push(1)
	f := func() { a.Push(2) }
	if a.Len() != 1 {
		t.Error(errors.New("len"))
	}
}

func TestTwo(t *testing.T) {
	(&helper{}).use()
	fmt.Println(New())
}

func TestRows(t *testing.T) {
	for _, tt := range []struct{ n int }{
		{1}, // one
		{2},
		{3},
	} {
		if tt.n == 0 {
			t.Error()
		}
	}
}
`

func pure(name string, method bool) bool { return name == "New" || name == "Len" }

// TestKeep: parts, what is dead and pure, and what goes with a part.
func TestKeep(t *testing.T) {
	f, err := Parse("p_test.go", []byte(suite), pure)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, p := range f.Parts() {
		parts = append(parts, p.Name)
	}
	if got, want := strings.Join(parts, "; "), "TestOne; TestTwo; TestRows, row 1; TestRows, row 2; TestRows, row 3"; got != want {
		t.Errorf("parts: %s, want %s", got, want)
	}
	if n := f.Dead(); n != 3 {
		t.Errorf("%d statements are dead and pure, want 3", n)
	}
	out, err := f.Keep(func(test string, row int) bool { return test == "TestOne" || row == 1 }, true)
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import (
	"errors"
	"testing"
)

// TestOne has a dead chain, a dead call that is not pure, and a use.
func TestOne(t *testing.T) {
	a := New()
	a.Push(1)
	if a.Len() != 1 {
		t.Error(errors.New("len"))
	}
}

func TestRows(t *testing.T) {
	for _, tt := range []struct{ n int }{
		{2},
	} {
		if tt.n == 0 {
			t.Error()
		}
	}
}
`
	got := strings.ReplaceAll(string(out), " // one\n", "\n")
	got = strings.ReplaceAll(got, "\t\t// one\n", "")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out, err := f.Keep(func(string, int) bool { return false }, true); out != nil || err != nil {
		t.Errorf("nothing kept: %q, %v", out, err)
	}
}

// TestSplit: a function for each part, with everything else as it was.
func TestSplit(t *testing.T) {
	f, err := Parse("p_test.go", []byte(suite), pure)
	if err != nil {
		t.Fatal(err)
	}
	out, names := f.Split(7)
	if len(names) != 5 || names[0] != "TestAssayPart7" {
		t.Errorf("names: %v", names)
	}
	g, err := Parse("p_test.go", out, pure)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if n := len(g.Parts()); n != 5 {
		t.Errorf("%d parts of the split file:\n%s", n, out)
	}
	if !strings.Contains(string(out), "type helper struct") {
		t.Error("a helper is gone")
	}
}
