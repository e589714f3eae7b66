package check

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// Depends names what may differ between two executions with the same inputs.
func TestDepends(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"nothing", "func F(x int) int { return x + 1 }", ""},
		{"a table", "var t = [3]int{1, 2, 3}\nfunc F(x int) int { return t[x] }", ""},
		{"a table of slices", "var t = []string{\"a\"}\nfunc F(x int) int { for _, s := range t { x += len(s) }; return x }", ""},
		{"a map to numbers", "var t = map[string]int{\"a\": 1}\nfunc F(s string) int { return t[s] }", ""},
		{"an error", "import \"errors\"\nvar ErrNo = errors.New(\"no\")\nfunc F() error { return ErrNo }", ""},
		{"what init sets", "var n int\nfunc init() { n = 3 }\nfunc F() int { return n }", ""},
		{"a variable that is written to", "var n int\nfunc F() int { n++; return n }", "the variable n"},
		{"that another function writes to", "var n int\nfunc set(k int) { n = k }\nfunc F() int { return n }", "the variable n"},
		{"that a method writes to", "var n int\ntype T int\nfunc (t T) set() { n = int(t) }\nfunc F() int { return n }", "the variable n"},
		{"that a literal writes to", "var n int\nvar set = func(k int) { n = k }\nfunc F() int { return n }", "the variable n"},
		{"whose address is passed on", "var n int\nfunc p() *int { return &n }\nfunc F() int { return n }", "the variable n"},
		{"that users can set", "var N int\nfunc F() int { return N }", "the variable N"},
		{"a slice that is written to", "var t = []int{1}\nfunc set() { t[0] = 2 }\nfunc F() int { return t[0] }", "the variable t"},
		{"a slice that is handed out", "var t = []int{1}\nfunc T() []int { return t }\nfunc F() int { return t[0] }", "the variable t"},
		{"a map that is written to", "var t = map[int]int{}\nfunc set() { t[0] = 2 }\nfunc F() int { return t[0] }", "the variable t"},
		{"a map of slices that are written to", "var t = map[int][]int{1: {1}}\nfunc set() { t[1][0] = 2 }\nfunc F() int { return t[1][0] }", "the variable t"},
		{"a pointer's field", "type T struct{ n int }\nvar t = &T{}\nfunc (t *T) set() { t.n = 1 }\nfunc set() { t.set() }\nfunc F() int { return t.n }", "the variable t"},
		{"a goroutine", "func F() { go F() }", "goroutines"},
		{"a channel", "func F(c chan int) int { return <-c }", "goroutines"},
		{"a lock", "import \"sync\"\nvar mu sync.Mutex\nfunc F() { mu.Lock(); mu.Unlock() }", "Lock"},
		{"an atomic", "import \"sync/atomic\"\nfunc F(p *int64) int64 { return atomic.LoadInt64(p) }", "LoadInt64"},
		{"spare capacity", "func F(xs []int) int { return cap(xs) }", "capacity"},
		{"spare capacity that is written to", "func F(xs []int) []int { return append(xs, 1) }", "capacity"},
		{"spare capacity that is read", "func F(xs []int, n int) []int { return xs[:n] }", "capacity"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, pkg := build(t, tt.src)
			fn := pkg.Func("F")
			if got := p.Depends(fn, []*ssa.Function{fn}, true); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// If other code gets hold of a function literal, that code may call the literal later, and more than once.
func TestDependsOfLiterals(t *testing.T) {
	tests := []struct {
		name, src string
		inPlace   bool
	}{
		{"called", "func F() int { i := 0; f := func() int { i++; return i }; return f() + f() }", true},
		{"deferred", "func F() (n int) { defer func() { n++ }(); return 1 }", true},
		{"returned", "func F() func() int { i := 0; return func() int { i++; return i } }", false},
		{"returned, without captures", "func F() func() int { return func() int { return 1 } }", false},
		{"kept", "var f func()\nfunc F() { i := 0; f = func() { i++ } }", false},
		{"passed on", "func do(f func()) { f() }\nfunc F() { i := 0; do(func() { i++ }) }", false},
		{"in a goroutine", "func F() { i := 0; go func() { i++ }() }", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, pkg := build(t, tt.src)
			got := p.Depends(pkg.Func("F").AnonFuncs[0], nil, false)
			if (got == "") != tt.inPlace {
				t.Errorf("got %q", got)
			}
		})
	}
}
