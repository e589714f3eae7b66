package native_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// loops range over maps in all the ways that there are.
const loops = `
package p

import "math"

type set map[string]bool

type key struct {
	a [2]int
	b interface{}
}

type node struct{ name string }

func abc() map[string]int { return map[string]int{"c": 3, "a": 1, "b": 2} }

// What depends on the order.

func Keys() (s string) {
	for k := range abc() {
		s += k
	}
	return
}

func Pairs() (s string) {
	for k, v := range abc() {
		s += k + string(rune('0'+v))
	}
	return
}

func Values() (s string) {
	for _, v := range abc() {
		s += string(rune('0' + v))
	}
	return
}

func Assigned() string {
	var e interface{}
	var vs [4]int
	n := 0
	for e, vs[n] = range abc() {
		n++
	}
	return e.(string) + string(rune('0'+vs[0])) + string(rune('0'+vs[1])) + string(rune('0'+vs[2]))
}

func Labels() (s string) {
outer:
	for k := range abc() {
	inner:
		for l, v := range abc() {
			switch {
			case v == 2:
				continue inner
			case k == "b":
				continue outer
			case l == "none":
				break outer
			}
			s += k + l + " "
		}
	}
	return
}

func Closures() (s string) {
	var fs []func() string
	for k := range abc() {
		k := k
		fs = append(fs, func() string { return k })
	}
	for _, f := range fs {
		s += f()
	}
	return
}

func First() string {
	for k := range abc() {
		return k
	}
	return ""
}

func Pointers() (s string) {
	for n := range map[*node]bool{{"y"}: true, {"x"}: true, {"z"}: true} {
		s += n.name
	}
	return
}

func Interfaces() (s string) {
	for k, v := range map[interface{}]string{1: "1", "a": "a", 2.5: "2", key{b: "k"}: "k", nil: "n"} {
		_ = k
		s += v
	}
	return
}

func Structs() (s string) {
	m := map[key]string{{a: [2]int{0, 1}}: "b", {a: [2]int{0, 1}, b: "z"}: "c", {a: [2]int{0, 0}}: "a"}
	for _, v := range m { s += v }; return
}

var atInit = func() (s string) {
	for k := range abc() {
		s += k
	}
	return
}()

func Init() string { return atInit }

func Swallowed() (s string) {
	for k := range abc() { func() { defer func() { recover() }(); for l := range (set{"q": true, "p": true}) { s += k + l; panic(1) } }() }
	return
}

// What does not.

func Nothing() int {
	n := 0
	var none map[string]int
	for range none {
		n++
	}
	for k, v := range none {
		n += len(k) + v
	}
	for range abc() {
		n++
	}
	return n
}

func Deleted() int {
	n, m := 0, abc()
	for k := range m {
		delete(m, "a")
		delete(m, "b")
		delete(m, "c")
		n += len(k)
	}
	return n
}

func Inserted() bool {
	n, m := 0, abc()
	for k := range m {
		if len(k) < 3 {
			m[k+k] = n
		}
		n++
	}
	return n >= 3 && m["aa"] >= 0
}

func Changed() int {
	m, sum := abc(), 0
	for k := range m {
		for l := range m {
			m[l]++
		}
		sum += m[k]
		m[k] = 0
	}
	return len(m)
}

func NaNs() (sum int) {
	nan := math.NaN()
	for k, v := range map[float64]int{nan: 1, nan: 2, 1: 4} {
		if k != k || k == 1 {
			sum += v
		}
	}
	for _, v := range map[interface{}]int{nan: 8, key{b: nan}: 16} {
		sum += v
	}
	return
}

func Once() int {
	n := 0
	m := func() map[string]int { n++; return abc() }
	for range m() {
	}
	for k := range m() {
		_ = k
	}
	return n
}

func Replaced() int {
	m, n := abc(), 0
	for k := range m {
		m = nil
		n += len(k)
	}
	return n
}

func Jumps() int {
	n := 0
again:
	for range abc() {
		if n++; n < 3 {
			goto again
		}
		goto out
	}
	n = -1
out:
	return n
}

func Shadowed() int {
	type string = int
	nil, true, switched := 1, 2, 3
	for m := range map[string]bool{7: false} {
		m := m + nil + true + switched
		return m
	}
	return 0
}

func Deferred() (n int) {
	defer func() {
		recover()
		n += 10
	}()
	for k, v := range abc() {
		defer func() { n += v }()
		var none *node
		k = none.name
		_ = k
	}
	return
}

func Closed() int {
	fs := map[int]func() int{}
	for k, v := range map[int]int{1: 10, 2: 20} {
		fs[k] = func() int { v++; return k + v }
	}
	return fs[1]() + fs[2]() + fs[1]()
}

func Select(c chan int) int {
	n := 0
	for k := range abc() {
		select {
		case <-c:
			break
		default:
			n += len(k)
			if n == 2 {
				break
			}
		}
	}
	return n
}
`

// TestOrder checks that loops over maps go through the keys in their order, and in second runs in the
// opposite order, and that they do otherwise what they did before.
func TestOrder(t *testing.T) {
	ordered := map[string]string{
		"Keys": "abc", "Pairs": "a1b2c3", "Values": "123", "Assigned": "c123", "Labels": "aa ac ca cc ", "Closures": "abc", "First": "a",
		"Pointers": "xyz", "Interfaces": "n21ka", "Structs": "abc", "Init": "abc", "Swallowed": "apbpcp",
	}
	same := map[string]int64{"Nothing": 3, "Deleted": 1, "Changed": 3, "NaNs": 31, "Once": 2, "Replaced": 3, "Jumps": 3, "Shadowed": 13}
	for _, goVersion := range []string{"1.16", "1.21", "1.24"} {
		t.Run(goVersion, func(t *testing.T) {

			a := txtar.Parse([]byte("-- go.mod --\nmodule m\n\ngo " + goVersion + "\n-- p/p.go --" + loops))
			h, pkg := build(t, a, native.Config{})
			run := func(name string) *testcase.Outcome {
				arg := ""
				if name == "Select" {
					arg = "nil"
				}
				out, err := h.RunTwice(t.Context(), []*testcase.Sequence{sequence(t, pkg, name+"("+arg+")")})
				if err != nil || out[0].Status != testcase.Returned {
					t.Fatalf("%s: %v, %v", name, out[0], err)
				}
				return out[0]
			}
			for name, want := range ordered {
				h.Fresh()
				out, err := h.Run(t.Context(), []*testcase.Sequence{sequence(t, pkg, name+"()")})
				if err != nil || out[0].Status != testcase.Returned || out[0].Results[0][0].Str != want {
					t.Errorf("%s: %v, %v; want %q", name, out[0].Results, err, want)
				}
				if !run(name).Unstable {
					t.Errorf("%s does not depend on the order of a map", name)
				}
			}
			for name, want := range same {
				o := run(name)
				if got := int64(o.Results[0][0].Bits); o.Unstable || got != want {
					t.Errorf("%s() = %d, unstable %t; want %d", name, got, o.Unstable, want)
				}
			}
			closed := int64(12 + 23 + 13)
			if goVersion != "1.24" {
				closed = 0 // Before Go 1.22 one variable serves all turns, so it ends with the key of the last turn, which depends on the order.
			}
			if o := run("Closed"); closed != 0 && int64(o.Results[0][0].Bits) != closed {
				t.Errorf("Closed() = %v, want %d", o.Results, closed)
			} else if closed == 0 && !o.Unstable {
				t.Errorf("Closed() does not depend on the order")
			}
			if o := run("Select"); int64(o.Results[1][0].Bits) != 3 {
				t.Errorf("Select() = %v", o.Results)
			}
			if o := run("Inserted"); o.Results[0][0].Bits != 1 {
				t.Errorf("Inserted() = %v", o.Results)
			}
			if o := run("Deferred"); !o.Unstable {
				t.Errorf("Deferred() = %v", o.Results)
			}
		})
	}
}
