package testfile

import (
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	const head = "package p\n\nimport (\n\t\"errors\"\n\t\"strings\"\n\t\"testing\"\n)\n"
	old := Seal([]byte(head + `
// TestA is old.
func TestA(t *testing.T) {
	if !errors.Is(f(), nil) || helper(1) != 1 {
		t.Error("A")
	}
}

func TestC(t *testing.T) { stub{}.M() }

// stub is a stub.
type stub struct{}

func (stub) M() { strings.ToUpper("") }

func helper(n int) int { return n }
`))
	fresh := Seal([]byte("package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n" + `
func TestB(t *testing.T) { os.Exit(helper(1)) }

func helper(n int) int { return n }
`))
	order := func(name string) int { return int(name[4]) }
	got, err := Merge(fresh, old, func(test string) bool { return test != "TestB" }, order)
	if err != nil {
		t.Fatal(err)
	}
	want := string(Seal([]byte("package p\n\nimport (\n\t\"errors\"\n\t\"os\"\n\t\"strings\"\n\t\"testing\"\n)\n" + `
// TestA is old.
func TestA(t *testing.T) {
	if !errors.Is(f(), nil) || helper(1) != 1 {
		t.Error("A")
	}
}

func TestB(t *testing.T) { os.Exit(helper(1)) }

func TestC(t *testing.T) { stub{}.M() }

func helper(n int) int { return n }

// stub is a stub.
type stub struct{}

func (stub) M() { strings.ToUpper("") }
`)))
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// What only dropped tests used goes with them.
	if got, err = Merge(nil, old, func(test string) bool { return test == "TestC" }, order); err != nil || strings.Contains(string(got), "helper") || strings.Contains(string(got), "errors") {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err = Merge(nil, old, func(string) bool { return false }, order); err != nil || got != nil {
		t.Errorf("nothing is left of it, but %v\n%s", err, got)
	}
	other := strings.Replace(string(fresh), "return n", "return -n", 1)
	if _, err = Merge([]byte(other), old, func(string) bool { return true }, order); err == nil || !strings.Contains(err.Error(), "helper means something else") {
		t.Errorf("a helper that differs: %v", err)
	}
	outside := strings.Replace(string(fresh), "package p", "package p_test", 1)
	if _, err = Merge([]byte(outside), old, func(string) bool { return true }, order); err == nil {
		t.Error("tests of two packages were merged")
	}
}
