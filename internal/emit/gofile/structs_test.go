package gofile

import (
	"fmt"
	"testing"
)

func TestNameStructs(t *testing.T) {
	const src = `
func TestA(t *testing.T) {
	tests := []struct {
		name string
		to   any
	}{
		{"a", &struct {
			Host string
			Port int
		}{}},
		{"b", &struct {
			Host string
			Port int
		}{Port: 1}},
		{"c", struct{ X int }{}},
		{"d", struct{ X int }{}},
	}
	_ = tests
}
`
	const want = `
func TestA(t *testing.T) {
	tests := []struct {
		name string
		to   any
	}{
		{"a", &record{}},
		{"b", &record{Port: 1}},
		{"c", struct{ X int }{}},
		{"d", struct{ X int }{}},
	}
	_ = tests
}

// record is what tests pass where any struct will do.
type record = struct {
			Host string
			Port int
		}
`
	n := 0
	name := func() string {
		n++
		return "record" + map[bool]string{false: fmt.Sprint(n)}[n == 1]
	}
	if got := string(NameStructs([]byte(src), name)); got != want {
		t.Errorf("got %s", got)
	}
	if n != 1 {
		t.Errorf("%d names", n)
	}
	for _, same := range []string{"", "func f() {", "func f() any { return struct{ A, B int }{} }\n", "type T struct {\n\tA int\n\tB int\n}\n\ntype U struct {\n\tA int\n\tB int\n}\n"} {
		if got := string(NameStructs([]byte(same), name)); got != same {
			t.Errorf("NameStructs(%q) = %q", same, got)
		}
	}
}
