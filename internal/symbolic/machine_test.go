package symbolic

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// explore runs a target of a package given as source and returns its cases as text:
// the calls and, where it is known, what they return. If texts are wanted it ends when
// it has them all.
func explore(t *testing.T, src, target string, want ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": "package p\n" + src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		t.Fatal(pkg.Errors)
	}
	var b strings.Builder
	_, err = Run(context.Background(), Subject{prog, pkg, pkg.Target(target)}, Config{Validate: true}, func(c *testcase.Case) bool {
		fmt.Fprint(&b, c.Seq)
		if p := c.Predicted; p != nil {
			if p.Panic != nil {
				fmt.Fprint(&b, " panics: ", p.Panic.Kind)
			} else {
				fmt.Fprint(&b, " = ", p.Results[len(p.Results)-1])
			}
		} else {
			fmt.Fprint(&b, " ", c.Stop)
		}
		b.WriteString("\n")
		return len(want) == 0 || slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(b.String(), w) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Code that only one input reaches is reached, and Go does what is predicted.
func TestExplore(t *testing.T) {
	tests := []struct {
		name, src, target string
		want              []string // each is in the cases
	}{
		{
			"an index into a table of tables",
			`var lut = func() (l [2][3000]byte) { for i := range l[1] { l[1][i] = byte(i % 7) }; return }()
			func F(i uint16, b bool) byte { k := 0; if b { k = 1 }; if i >= 2000 { return 9 }; return lut[k][i] }`,
			"F", []string{"F(0, true) = [0]", "false) = [9]"},
		},
		{
			"a symbolic index into an array of arrays in structs",
			`type s struct { a [3]int; b int }
			var xs = [2]s{{a: [3]int{1, 2, 3}, b: 4}, {a: [3]int{5, 6, 7}, b: 8}}
			func F(i, j uint8) int { if i < 2 && j < 3 && xs[i].a[j] == 6 { return 1 }; return 0 }`,
			"F", []string{"F(1, 1) = [1]"},
		},
		{
			"numbers of more than 32 bits", `func F(x int, y uint64) int { switch { case x == 1<<40+5: return 1; case x == -1<<63: return 2; case y != 1<<63: return 3 }; return 4 }`,
			"F", []string{"F(1099511627781, 0) = [1]", "F(-9223372036854775808, 0) = [2]", "= [3]", "F(0, 9223372036854775808) = [4]"},
		},
		{
			"addresses of elements at a symbolic index",
			`func F(i uint8, a, b []int) int { if len(a) < 4 || len(b) < 4 || i > 3 { return 0 }; p := &a[i]; if p == &a[2] { return 1 }; if p == nil { return 2 }; return 3 }`,
			"F", []string{"F(2, ", "= [1]", "= [3]"},
		},
		{
			"an array of the bytes of a constant", `import "unsafe"
			func F(n byte) [4]byte { const s = "xabcd"; b := unsafe.Slice(unsafe.StringData(s[n&1:]), 4); if n == 1 { return [4]byte(b) }; return [4]byte{} }`,
			"F", []string{"F(1) = [[4]byte{97, 98, 99, 100}]"},
		},
		{
			"an array that ends behind a constant", `import "unsafe"
			func F(n byte) [4]byte { const s = "xabc"; b := unsafe.Slice(unsafe.StringData(s), 4); if n == 1 { return *(*[4]byte)(unsafe.Pointer(&b[1])) }; return [4]byte{} }`,
			"F", []string{"F(1) unsupported: a read beyond a string (unsafe)"},
		},
		{
			"the address of an empty text, which may be nil", `import "unsafe"
			func F(s string) (bool, []byte) { b := unsafe.Slice(unsafe.StringData(s), len(s)); if len(s) > 2 { return b == nil, nil }; if b == nil { return true, b }; return false, b }`,
			"F", []string{`F("") unsupported: a value that the machine could not compute`, `F("a") = [false []byte{97}]`, `= [false nil]`},
		},
		{
			"the bytes of an empty text", `import "unsafe"
			func F(s string) int { n := 0; for range unsafe.Slice(unsafe.StringData(s), len(s)) { n++ }; if n > 2 { return 1 }; return 0 }`,
			"F", []string{`F("") = [0]`, `= [1]`},
		},
		{
			"text", `import "strings"
			func F(s string) int { if strings.HasPrefix(s, "ab") && strings.HasSuffix(s, "yz") { return 1 }; return 0 }`,
			"F", []string{`F("abyz") = [1]`},
		},
		{
			"long constants are told apart",
			`func F(s string) int { switch s { case "a long constant, number one": return 1; case "a long constant, number two": return 2 }; return 0 }`,
			"F", []string{`F("a long constant, number one") = [1]`, `F("a long constant, number two") = [2]`},
		},
		{
			"a map with two known entries and a thousand others",
			`func F(m map[string]int) bool { return m["a"] == 1 && m["b"] == 2 && len(m) > 3 }`,
			"F", []string{`"a": 1`, `"b": 2`, "= [true]"},
		},
		{
			"division", `func F(x, y int) int { return x / y }`,
			"F", []string{"panics: division-by-zero"},
		},
		{
			"package variables that functions make",
			`import "errors"
			var ErrX = errors.New("x")
			func F(err error) int { if errors.Is(err, ErrX) { return 1 }; if err != nil { return 2 }; return 0 }`,
			"F", []string{"v0 := ErrX; F(v0) = [1]", `New("boom"); F(v1) = [2]`, "F(nil) = [0]"},
		},
		{
			"functions that the package's initialiser calls",
			`var lut [2]int; func init() { F(3) }; func F(i int) int { lut[0] = 4; lut[1] += i; if lut[1] == 12 { return 1 }; return 2 }`,
			"F", []string{"F(9) = [1]", "= [2]"},
		},
		{
			"other methods leave their receiver to a method that takes a copy",
			`type T struct { n int }
			func (t *T) Inc(k int) { if k == 7 { t.n++ } }
			func (t T) F() int { if t.n == 1 { return 1 }; return 0 }`,
			"T.F", []string{"Inc(7)", "= [1]", "= [0]"},
		},
		{
			"recovered panics",
			`func F(p *int) (n int) { defer func() { if r := recover(); r != nil { n = -1 } }(); return *p }`,
			"F", []string{"F(nil) = [-1]"},
		},
		{
			"floats", `func F(x float64) int { if x != x { return 1 }; if x*2 == 5 { return 2 }; return 0 }`,
			"F", []string{"F(2.5) = [2]", "NaN"},
		},
		{
			"a slice that nothing is appended to",
			`func F(b []byte, s string) []byte { if len(s) > 1 { return nil }; return append(b, s...) }`,
			"F", []string{`F(nil, "") = [nil]`},
		},
		{
			"sorting what is no slice",
			`import "reflect"
			func F(s []int, x any) int { if len(s) != 2 { reflect.Swapper(x) } else { reflect.Swapper(s)(0, 1) }; if s[1] == 7 { return 1 }; return 2 }`,
			"F", []string{"v2 := []int{7, 0}; F(v2, nil) = [1]", "F(nil, nil) unsupported"},
		},
		{
			"printing what cannot be printed",
			`import "fmt"
			type E struct { msg string }
			func (e E) Error() string { if e.msg == "x" { panic("no") }; return e.msg }
			func F(s string) string { if s == "nil" { var e *E; return fmt.Sprint(e) }; return fmt.Sprintf("%s:", E{s}) + fmt.Sprint(E{s}) }`,
			"F", []string{`F("nil") = ["<nil>"]`, `F("x") = ["%!s(PANIC=Error method: no):%!v(PANIC=Error method: no)"]`},
		},
		{
			"a deferred builtin that panics while another panic is under way",
			`func F(k int) (s string) {
				defer func() { if r := recover(); r != nil { s += "outer" } }()
				func() {
					defer func() { if recover() != nil { s = "inner " } }()
					c := make(chan int)
					defer close(c)
					if k == 3 { close(c); close(c) }
					if k == 4 { var f func(); defer f(); panic("x") }
				}()
				if k == 4 { panic("y") }
				return s + "returned"
			}`,
			"F", []string{`F(3) = ["inner returned"]`, `F(4) = ["inner outer"]`, `F(0) = ["returned"]`},
		},
		{
			"a deferred builtin that panics for good",
			`func F(k int) { var c chan int; defer close(c); if k == 3 { panic("x") } }`,
			"F", []string{`F(3) panics: closed-channel`, `F(0) panics: closed-channel`},
		},
		{
			"a slice of an array in a slice",
			`import "bytes"
			func F(a [][3]byte) int { if len(a) == 2 && bytes.Compare(a[1][:], a[0][:]) < 0 { return int(a[0][1]) }; return -1 }`,
			"F", []string{`v1 := [3]byte{1: 1}; v2 := [3]byte{}; v3 := [][3]byte{v1, v2}; F(v3) = [1]`, `F(nil) = [-1]`},
		},
		{
			"bytes seen as numbers through a header",
			`import ("reflect"; "unsafe")
			func F(b []byte) uint16 { if len(b) != 4 { return 0 }; var s []uint16; h := (*reflect.SliceHeader)(unsafe.Pointer(&s)); h.Data = (*reflect.SliceHeader)(unsafe.Pointer(&b)).Data; h.Len, h.Cap = 2, 2; return s[0] + 1 }`,
			"F", []string{`F(nil) = [0]`, `F(v4) unsupported`},
		},
		{
			"a goroutine of no function, and one that panics while the caller waits",
			`import "sync"
			func F(k int, f func()) int { if k == 1 { go f(); return 1 }; var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); f() }(); wg.Wait(); return 2 }`,
			"F", []string{`F(1, nil) fatal: go of nil func value`, `F(0, nil) panic`, `= [2]`},
		},
		{
			"a string that is written into",
			`import "unsafe"
			func F(s string) string { if len(s) != 3 { return "" }; b := unsafe.Slice(unsafe.StringData(s), len(s)); b[0] = 'x'; return s[:2] }`,
			"F", []string{`F("") = [""]`, `unsupported: a write to a string (unsafe)`},
		},
		{
			"an address with an offset that is a symbol",
			`import "unsafe"
			var key = unsafe.Pointer(&[...]byte{1, 2, 3, 4})
			func F(i int) byte { if i < 0 || i > 3 { return 0 }; return *(*byte)(unsafe.Pointer(uintptr(key) + uintptr(i))) }`,
			"F", []string{`F(-1) = [0]`, `unsupported: an address computed from a symbol (unsafe)`},
		},
		{
			"a list whose elements the initialiser could not compute",
			`import "math/rand"
			type node struct{ n int }
			var nodes = [...]*node{mk(1), mk(2), mk(3)}
			func mk(n int) *node { if rand.Intn(2) == 7 { return nil }; return &node{n} }
			func F(i int) int { if i != 1 { return 0 }; return nodes[i].n }`,
			"F", []string{`F(0)`, `unsupported: a global variable whose initialiser the machine could not run`},
		},
		{
			"large numbers, by the Go twins of what is in assembly",
			`import "math/big"
			var p = must("170141183460469231731687303715884105727")
			func must(s string) *big.Int { z, ok := new(big.Int).SetString(s, 10); if !ok { panic(s) }; return z }
			func F(n int8) int { return new(big.Int).Mul(p, big.NewInt(int64(n)%2)).Sign() }`,
			"F", []string{`= [0]`, `= [1]`, `= [-1]`},
		},
		{
			"a channel whose elements take no memory",
			`func F(c chan struct{}) int { if c == nil { return 0 }; <-c; <-c; return 2 }`,
			"F", []string{`v1 := struct{}{}; v2 := make(chan struct{}, 8){v0, v1}; F(v2) = [2]`},
		},
		{
			"a channel of as many elements without a size as an int counts",
			`func F(n int) int { if n >= 0 && n != 1<<50 { return 0 }; return cap(make(chan struct{}, n)) }`,
			"F", []string{"F(1125899906842624) = [1125899906842624]", "F(-1) panics: negative-length"},
		},
		{
			"a slice of as many elements without a size as an int counts",
			`func F(n int) int { if n >= 0 && n != 1<<50 { return 0 }; return len(make([]struct{}, n)) }`,
			"F", []string{"F(1125899906842624) = [1125899906842624]", "F(-1) panics: negative-length"},
		},
		{
			"the callers of code under test",
			`import ("path/filepath"; "runtime")
			func at(n int) string { _, file, _, ok := runtime.Caller(n); if !ok { return "none" }; return filepath.Base(file) }
			func F(n int) string { if n == 1 { return at(1) }; if n == 2 { return at(2) }; return "" }`,
			"F", []string{`F(1) = ["p.go"]`, "F(2) unsupported: the place from which a test calls"},
		},
		{
			"lengths beyond an int are of one kind, whoever makes the slice",
			`import "unsafe"
			func F(n int, p *byte) string { if n >= 0 { return "" }; if p == nil { return string(unsafe.Slice(new(byte), n)) }; return unsafe.String(p, n) }`,
			"F", []string{"F(-1, nil) panics: negative-length", "F(-1, v2) panics: negative-length"},
		},
		{
			"a sync.Map that an initialiser fills",
			`import "sync"
			var all sync.Map
			var _ = keep("known")
			func init() { if _, ok := all.Load("known"); ok { all.Store("late", 2) } }
			func keep(s string) int { all.Store(s, 1); return 1 }
			func F(s string) int { v, _ := all.Load(s); n, _ := v.(int); all.Delete("known"); if _, ok := all.Load("known"); ok { return 3 }; return n }`,
			"F", []string{`F("known") = [1]`, `F("late") = [2]`, "= [0]"},
		},
		{
			"the arguments of the process",
			`import ("flag"; "os")
			var f = flag.Int("f", 5, "")
			func F(n int) int { if n == *f { return 1 }; if n == 6 { os.Args = []string{"x"} }; return len(os.Args[1:]) }`,
			"F", []string{"F(5) = [1]", "F(6) = [0]", "F(0) unsupported: the program's arguments"},
		},
		{
			"a deferred builtin that decides an input",
			`func F(c chan int, m map[string]int, k string) int { defer close(c); defer delete(m, k); return len(k) }`,
			"F", []string{`F(nil, nil, "") panics: closed-channel`, `, nil, "") = [0]`},
		},
		{
			"a run-time error that is passed on",
			`import "runtime"
			func F(p *int, m map[string]int) { defer func() { if e, ok := recover().(runtime.Error); ok { panic(e) } }(); if p == nil { m["a"] = 1 }; *p = 2 }`,
			"F", []string{"F(nil, nil) panics: nil-map-write", "panics: nil-dereference"},
		},
		{
			"a program of tests, which Go code tells by its name",
			`import ("os"; "strings")
			var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")
			func F(n int) int { if inTest && n > 3 { return 1 }; return 0 }`,
			"F", []string{"F(4) = [1]", "F(0) = [0]"},
		},
		{
			"runes", `func F(s string) int { for _, r := range s { if r == 'é' { return 1 } }; return 0 }`,
			"F", []string{`F("é") = [1]`},
		},
		{"a part of a joined text that is itself a part of a text", `import "path/filepath"
func tag(name string) string {
	dir, file := filepath.Dir(name), filepath.Base(name)
	ext := filepath.Ext(file)
	return filepath.Join(dir, file[:len(file)-len(ext)]+"~x"+ext)
}
func F(name string) bool { return filepath.Join(filepath.Dir(name), tag(filepath.Base(name))) == "a/b~x.c" }`, "F", []string{`F("././") = [false]`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := explore(t, tt.src, tt.target, tt.want...)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("no case with %q among\n%s", w, got)
				}
			}
		})
	}
}

// If an input of an interface type is not nil, its dynamic type implements the interface.
func TestErrorIsError(t *testing.T) {
	got := explore(t, `func F(err error) int { var x any = err; if err == nil { return 0 }; if _, ok := x.(error); ok { return 1 }; return 2 }`, "F")
	if !strings.Contains(got, `New("boom"); F(v1) = [1]`) || !strings.Contains(got, "F(nil) = [0]") || strings.Contains(got, "[2]") {
		t.Errorf("an error is no error:\n%s", got)
	}
	got = explore(t, `func F(err error) (n int) { defer func() { if recover() != nil { n = 3 } }(); var x any = err; _ = x.(error).Error(); return 1 }`, "F")
	if !strings.Contains(got, `New("boom"); F(v1) = [1]`) || !strings.Contains(got, "F(nil) = [3]") {
		t.Errorf("an assertion fails for nil alone:\n%s", got)
	}
}

// If nothing satisfies an assumption, there is no case, and the result says why.
func TestAssumeNothing(t *testing.T) {
	if got := explore(t, "//assay:assume\nfunc must(c bool) {}\nfunc F(x int) { must(x > 0); must(x < 0) }", "F"); got != "" {
		t.Errorf("cases of a function without inputs:\n%s", got)
	}
}
