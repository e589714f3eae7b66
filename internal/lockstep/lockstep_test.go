package lockstep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/lockstep"
	"github.com/goassay/assay/internal/pair"
)

// loadFiles writes files, by name and text, to the directory of a new module and loads its packages, by their paths.
func loadFiles(t *testing.T, files map[string]string) map[string]pair.Side {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module example.com/m\n\ngo 1.24\n"
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]pair.Side{}
	for _, pkg := range prog.Packages {
		if len(pkg.Errors) > 0 {
			t.Fatal(pkg.Errors)
		}
		out[pkg.Path] = pair.Side{Prog: prog, Pkg: pkg}
	}
	return out
}

// equal returns the proofs for a package of two versions.
func equal(t *testing.T, old, new map[string]pair.Side, path string) (map[string]lockstep.Proof, *pair.Pairing) {
	t.Helper()
	p, err := pair.Packages(old[path], new[path])
	if err != nil {
		t.Fatal(err)
	}
	return lockstep.Equal(p, nil), p
}

const header = `package m

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sort"
	"strings"
)

var (
	_ = errors.New
	_ = fmt.Sprint
	_ = strings.ToLower
	_ = sort.Ints
	_ = runtime.Caller
	_ = json.Marshal
	_ = slices.Sort[[]int]
	_ io.Reader
)

type T struct {
	n    int
	list []int
	next *T
}

func effect(n int) int { fmt.Println(n); return n }
func other(n int) int  { fmt.Println(n + 1); return n }
`

// TestEqual checks for pairs of versions whether F, or T.F, is proved to be the same. Versions that differ must
// never be.
func TestEqual(t *testing.T) {
	tests := []struct {
		name, old, new string
		equal          bool
	}{
		{"another name for a variable", `func F(a []int) int { s := 0; for _, x := range a { s += x }; return s }`, `func F(list []int) int { sum := 0; for _, y := range list { sum += y }; return sum }`, true},
		{"another start", `func F(a []int) int { s := 0; for _, x := range a { s += x }; return s }`, `func F(a []int) int { s := 1; for _, x := range a { s += x }; return s }`, false},
		{"another operator in a loop", `func F(a []int) int { s := 0; for _, x := range a { s += x }; return s }`, `func F(a []int) int { s := 0; for _, x := range a { s -= x }; return s }`, false},
		{"the index for the element", `func F(a []int) int { s := 0; for i, x := range a { s += x; _ = i }; return s }`, `func F(a []int) int { s := 0; for i, x := range a { s += i; _ = x }; return s }`, false},
		{"an inverted condition", `func F(n int) int { if n < 3 { return effect(n) }; return other(n) }`, `func F(n int) int { if n >= 3 { return other(n) }; return effect(n) }`, true},
		{"an inverted condition with the same branches", `func F(n int) int { if n < 3 { return effect(n) }; return other(n) }`, `func F(n int) int { if n >= 3 { return effect(n) }; return other(n) }`, false},
		{"a boundary", `func F(n int) int { if n < 3 { return effect(n) }; return other(n) }`, `func F(n int) int { if n > 3 { return other(n) }; return effect(n) }`, false},
		{"an inverted comparison of floats", `func F(a, b float64) int { if a < b { return effect(1) }; return 2 }`, `func F(a, b float64) int { if a >= b { return 2 }; return effect(1) }`, false},
		{"a mirrored comparison of floats", `func F(a, b float64) int { if a < b { return effect(1) }; return 2 }`, `func F(a, b float64) int { if b > a { return effect(1) }; return 2 }`, true},
		{"one way to return", `func F(n int) (r int) { if n < 3 { r = effect(n) } else { r = other(n) }; return r }`, `func F(n int) int { if n < 3 { return effect(n) }; return other(n) }`, true},
		{"a switch", `func F(n int) int { switch { case n == 1: return effect(1); case n == 2: return other(2) }; return 0 }`, `func F(n int) int { if n == 1 { return effect(1) } else if n == 2 { return other(2) }; return 0 }`, true},
		{"two calls change places", `func F(n int) int { a := effect(n); b := other(n); return a + b }`, `func F(n int) int { b := other(n); a := effect(n); return a + b }`, false},
		{"operands change places", `func F(n, m int) int { return n + m }`, `func F(n, m int) int { return m + n }`, true},
		{"operands that may not", `func F(n, m int) int { return n - m }`, `func F(n, m int) int { return m - n }`, false},
		{"texts that may not", `func F(n, m string) string { return n + m }`, `func F(n, m string) string { return m + n }`, false},
		{"an extracted function", `func F(t *T) int { s := 0; for p := t; p != nil; p = p.next { var d int; if p.n > 3 { d = effect(p.n) } else { d = other(p.n) }; s += d }; return s }`,
			`func F(t *T) int { s := 0; for p := t; p != nil; p = p.next { s += one(p) }; return s }; func one(p *T) int { if p.n > 3 { return effect(p.n) }; return other(p.n) }`, true},
		{"an extracted function that does not do the same", `func F(t *T) int { s := 0; for p := t; p != nil; p = p.next { var d int; if p.n > 3 { d = effect(p.n) } else { d = other(p.n) }; s += d }; return s }`,
			`func F(t *T) int { s := 0; for p := t; p != nil; p = p.next { s += one(p) }; return s }; func one(p *T) int { if p.n > 3 { return other(p.n) }; return effect(p.n) }`, false},
		{"a function is put into its place", `func F(a, b int) (int, error) { x, err := half(a); if err != nil { return 0, err }; return x + b, nil }; func half(n int) (int, error) { if n%2 == 1 { return 0, errors.New("odd") }; return n / 2, nil }`,
			`func F(a, b int) (int, error) { if a%2 == 1 { return 0, errors.New("odd") }; return a/2 + b, nil }`, false}, // err != nil is not decided
		{"an extracted function with several results", `func F(a int) (int, int) { x, y := effect(a), other(a); return y, x }`, `func F(a int) (int, int) { x, y := both(a); return y, x }; func both(a int) (int, int) { return effect(a), other(a) }`, true},
		{"an extracted function whose results change places", `func F(a int) (int, int) { x, y := effect(a), other(a); return y, x }`, `func F(a int) (int, int) { x, y := both(a); return x, y }; func both(a int) (int, int) { return effect(a), other(a) }`, false},
		{"an extracted function with arguments in another order", `func F(a, b int) int { return a - b }`, `func F(a, b int) int { return minus(b, a) }; func minus(a, b int) int { return a - b }`, false},
		{"an extracted function that defers", `func F(t *T) int { defer effect(1); return other(2) + effect(3) }`, `func F(t *T) int { return inner() + effect(3) }; func inner() int { defer effect(1); return other(2) }`, false},
		{"an extracted function that recovers", `func F(n int) any { defer effect(n); return recover() }`, `func F(n int) any { defer effect(n); return rec() }; func rec() any { return recover() }`, false},
		{"an extracted method", `func (t *T) F(n int) int { t.n += n; return effect(t.n) }`, `func (t *T) F(n int) int { t.add(n); return effect(t.n) }; func (t *T) add(n int) { t.n += n }`, true},
		{"an extracted method that is exported", `func (t *T) F(n int) string { t.n += n; return fmt.Sprint(t.n, t) }`, `func (t *T) F(n int) string { t.n += n; return fmt.Sprint(t.n, t) + ""[0:0] }; func (t *T) String() string { return "T" }`, false},
		{"a new method that package fmt looks for", `func F(t T) string { return fmt.Sprint(t) }`, `func F(u T) string { return fmt.Sprint(u) }; func (t T) String() string { return "T" }`, false},
		{"a method that package fmt looked for is gone", `func F(t T) string { return fmt.Sprint(t) }; func (t T) String() string { return "T" }`, `func F(u T) string { return fmt.Sprint(u) }`, false},
		{"a method that an interface of the package asks for", `type doer interface{ do() int }; func F(x any) int { if d, ok := x.(doer); ok { return d.do() }; t := T{}; return t.n + effect(1) }`,
			`type doer interface{ do() int }; func F(x any) int { if d, ok := x.(doer); ok { return d.do() }; t := T{}; return t.do() + effect(1) }; func (t T) do() int { return t.n }`, false},
		{"something that has changed is called", `func F(n int) int { return inner(n) }; func inner(n int) int { return n + 1 }`, `func F(n int) int { return inner(n) }; func inner(n int) int { return n + 2 }`, false},
		{"something is called that says the same in other words", `func F(n int) int { return inner(n) }; func inner(n int) int { m := effect(n); return m }`, `func F(n int) int { return inner(n) }; func inner(n int) int { k := effect(n); return k }`, true},
		{"functions that call one another", `func F(n int) bool { if n == 0 { return true }; return odd(n - 1) }; func odd(n int) bool { if n == 0 { return false }; return F(n - 1) }`,
			`func F(k int) bool { if k != 0 { return odd(k - 1) }; return true }; func odd(k int) bool { if k != 0 { return F(k - 1) }; return false }`, true},
		{"functions that call one another, one of which differs", `func F(n int) bool { if n == 0 { return true }; return odd(n - 1) }; func odd(n int) bool { if n == 0 { return false }; return F(n - 1) }`,
			`func F(k int) bool { if k != 0 { return odd(k - 1) }; return true }; func odd(k int) bool { if k != 0 { return F(k - 1) }; return true }`, false},
		{"a constant with another value", `const c = 3; func F(n int) int { return inner(n) }; func inner(n int) int { return n + c }`, `const c = 4; func F(n int) int { return inner(n) }; func inner(n int) int { return n + c }`, false},
		{"a constant with a name", `func F(n int) int { return effect(n) + 3 }`, `const c = 3; func F(n int) int { return effect(n) + c }`, true},
		{"a type that depends on a constant", `const c = 3; type A [c]int; func F(n int) int { var a A; return len(a) + cap(a[:]) + effect(n) }`, `const c = 4; type A [c]int; func F(m int) int { var a A; return len(a) + cap(a[:]) + effect(m) }`, false},
		{"a field more", `type P struct{ a int }; func F(n int) string { return fmt.Sprint(P{a: n}) }`, `type P struct{ a, b int }; func F(m int) string { return fmt.Sprint(P{a: m}) }`, false},
		{"another variable of the package", `var v, w = 1, 2; func F(n int) int { return n + v }`, `var v, w = 1, 2; func F(n int) int { return n + w }`, false},
		{"a variable with another value", `var v = 1; func F(n int) int { return n + v }`, `var v = 2; func F(m int) int { return m + v }`, false},
		{"a variable whose value is made in another way", `var v = inner(1); func F(n int) int { return n + v }; func inner(n int) int { return n }`, `var v = inner(1); func F(m int) int { return m + v }; func inner(n int) int { return n + 1 }`, false},
		{"other initialisation", `var v = 1; func init() { v = 2 }; func F(n int) int { return n + v }`, `var v = 1; func init() { v = 3 }; func F(m int) int { return m + v }`, false},
		{"other words for a variable's value", `var v = inner(1); func F(n int) int { return n + v }; func inner(n int) int { m := effect(n); return m }`, `var v = inner(1); func F(m int) int { return m + v }; func inner(n int) int { k := effect(n); return k }`, true},
		{"other words for initialisation", `var v = 1; func init() { v = inner(2) }; func F(n int) int { return n + v }; func inner(n int) int { m := n; return m }`, `var v = 1; func init() { v = inner(2) }; func F(m int) int { return m + v }; func inner(n int) int { k := n; return k }`, true},
		{"initialisation by a function that differs", `var v = 1; func init() { set() }; func set() { v = 2 }; func F(n int) int { return n + v }`, `var v = 1; func init() { set() }; func set() { v = 3 }; func F(m int) int { return m + v }`, false},
		{"a variable without a name", `var v = 1; var _ = set(); func set() int { v = 2; return 0 }; func F(n int) int { return n + v }`, `var v = 1; var _ = set(); func set() int { v = 3; return 0 }; func F(m int) int { return m + v }`, false},
		{"a variable that the initialiser of another one sets", `var v = 1; var x = set(); func set() int { v = 2; return 0 }; func F(n int) int { return n + v }`, `var v = 1; var x = set(); func set() int { v = 3; return 0 }; func F(m int) int { return m + v }`, false},
		{"a variable that a function literal of another one sets", `var v = 1; var x = func() int { v = 2; return 0 }(); func F(n int) int { return n + v }`, `var v = 1; var x = func() int { v = 3; return 0 }(); func F(m int) int { return m + v }`, false},
		{"initialisers in another order", `var c int; func next() int { c++; return c }; var a = next(); var b = next(); func F(n int) int { return n + a }`, `var c int; func next() int { c++; return c }; var b = next(); var a = next(); func F(m int) int { return m + a }`, false},
		{"initialisers in another order, one of which only reads", `var c = 1; func next() int { c++; return c }; var a = next(); var b = c; func F(n int) int { return n + b }`, `var c = 1; func next() int { c++; return c }; var b = c; var a = next(); func F(m int) int { return m + b }`, false},
		{"an initialiser more before others", `var c int; func next() int { c++; return c }; var a = next(); var b = next(); func F(n int) int { return n + a }`, `var c int; func next() int { c++; return c }; var z = next(); var a = next(); var b = next(); func F(m int) int { return m + a }`, false},
		{"initialisers in another order that share nothing", `var a = errors.New("a"); var b = errors.New("b"); func F(n int) error { m := n; effect(m); return a }`, `var b = errors.New("b"); var c = errors.New("c"); var a = errors.New("a"); func F(n int) error { k := n; effect(k); return a }`, true},
		{"initialisers in another order that only read", `var size = 3; func times(n int) int { return n * size }; var a = times(2); var b = times(3); func F(n int) int { m := n; return effect(m) + a }`, `var size = 3; func times(n int) int { return n * size }; var b = times(3); var a = times(2); func F(n int) int { k := n; return effect(k) + a }`, true},
		{"a variable that the initialiser of another one only reads", `var size = 3; var a = size * inner(); func inner() int { return size }; func F(n int) int { m := n; return effect(m) + size }`, `var size = 3; var a = size * inner(); func inner() int { return size + 1 }; func F(n int) int { k := n; return effect(k) + size }`, true},
		{"a variable that the initialiser of another one sets by its address", `var v = 1; var x = set(&v); func set(p *int) int { *p = 2; return 0 }; func F(n int) int { return n + v }`, `var v = 1; var x = set(&v); func set(p *int) int { *p = 3; return 0 }; func F(m int) int { return m + v }`, false},
		{"a map that the initialiser of another variable fills", `var v = map[int]int{}; var x = set(v); func set(p map[int]int) int { p[1] = 2; return 0 }; func F(n int) int { return n + v[1] }`, `var v = map[int]int{}; var x = set(v); func set(p map[int]int) int { p[1] = 3; return 0 }; func F(m int) int { return m + v[1] }`, false},
		{"initialisation in another order", `var v = 1; func init() { v = 2 }; func init() { v *= 3 }; func F(n int) int { return n + v }`, `var v = 1; func init() { v *= 3 }; func init() { v = 2 }; func F(m int) int { return m + v }`, false},
		{"an error that is nil", `func F(n int) (int, error) { x, err := half(n); if err != nil { return 0, err }; return x, err }; func half(n int) (int, error) { return n, io.EOF }`, `func F(n int) (int, error) { x, err := half(n); if err != nil { return 0, err }; return x, nil }; func half(n int) (int, error) { return n, io.EOF }`, true},
		{"an error that is not nil", `func F(n int) (int, error) { x, err := half(n); if err == nil { return 0, err }; return x, err }; func half(n int) (int, error) { return n, io.EOF }`, `func F(n int) (int, error) { x, err := half(n); if err == nil { return 0, err }; return x, nil }; func half(n int) (int, error) { return n, io.EOF }`, false},
		{"an error that is nil and may be changed", `func F(n int) (x int, err error) { defer func() { if recover() != nil { x = 1 } }(); x, err = half(n); if err != nil { return 0, err }; other(x); return x, err }; func half(n int) (int, error) { return n, io.EOF }`,
			`func F(n int) (x int, err error) { defer func() { if recover() != nil { x = 1 } }(); x, err = half(n); if err != nil { return 0, err }; other(x); return x, nil }; func half(n int) (int, error) { return n, io.EOF }`, true},
		{"an error that a function literal changes", `func F(n int) (x int, err error) { set := func() { err = io.EOF }; x, err = half(n); if err != nil { return 0, err }; set(); return x, err }; func half(n int) (int, error) { return n, io.EOF }`,
			`func F(n int) (x int, err error) { set := func() { err = io.EOF }; x, err = half(n); if err != nil { return 0, err }; set(); return x, nil }; func half(n int) (int, error) { return n, io.EOF }`, false},
		{"what a deferred function sees after a panic", `func F(n int) (r int) { defer func() { recover(); r++ }(); r = 1; other(n); r = 2; return r }`, `func F(n int) (r int) { defer func() { recover(); r++ }(); r = 2; other(n); r = 2; return r }`, false},
		{"what a deferred function has changed", `func F(n int) (r int) { defer func() { r++ }(); r = effect(n); return r }`, `func F(n int) int { r := effect(n); defer func() { r++ }(); return r }`, false},
		{"a pointer to a result", `func F(n int) (r int) { p := &r; r = effect(n); *p = 3; return r }`, `func F(n int) (r int) { p := &r; x := effect(n); r = x; *p = 3; return x }`, false},
		{"a result in memory", `func F(n int) (r int) { defer func() { r++ }(); r = effect(n); other(1); return r }`, `func F(n int) (r int) { defer func() { r++ }(); x := effect(n); r = x; other(1); return x }`, true},
		{"a result in memory that a loop changes", `func F(n int) (r int) { defer func() { r++ }(); x := effect(0); for i := 0; i < n; i++ { r = x; x = effect(i) }; return r }`, `func F(n int) (r int) { defer func() { r++ }(); x := effect(0); for i := 0; i < n; i++ { r = x; x = effect(i) }; return x }`, false},
		{"a number that is known", `func F(n int) int { for i := 0; i < n; i++ { if i == 3 { return effect(i) } }; return 0 }`, `func F(n int) int { for i := 0; i < n; i++ { if i == 3 { return effect(3) } }; return 0 }`, true},
		{"a number that is known no longer", `func F(n int) int { if n == 3 { effect(n) }; return n }`, `func F(n int) int { if n == 3 { effect(n) }; return 3 }`, false},
		{"a number of the next step", `func F(n int) int { i := 0; for i < n { if i == 3 { i++; effect(i) } else { i += 2 } }; return i }`, `func F(n int) int { i := 0; for i < n { if i == 3 { i++; effect(3) } else { i += 2 } }; return i }`, false},
		{"a text that is known", `func F(s string) string { if s == "a" { effect(1); return s }; return "" }`, `func F(s string) string { if s == "a" { effect(1); return "a" }; return "" }`, true},
		{"zero, which has two signs", `func F(x float64) float64 { if x == 0 { effect(1); return x }; return 1 }`, `func F(x float64) float64 { if x == 0 { effect(1); return 0 }; return 1 }`, false},
		{"an interface with a value", `func F(x any) any { if x == 3 { effect(1); return x }; return 1 }`, `func F(x any) any { if x == int64(3) { effect(1); return x }; return 1 }`, false},
		{"a generic function", `func F[K comparable, V any](m map[K][]V, k K) int { n := 0; for _, x := range m[k] { if any(x) != nil { n++ } }; return n }`, `func F[A comparable, B any](all map[A][]B, key A) int { c := 0; for _, y := range all[key] { if any(y) != nil { c++ } }; return c }`, true},
		{"a generic function that differs", `func F[T ~int | ~string](a, b T) T { if a < b { return a }; return b }`, `func F[T ~int | ~string](a, b T) T { if a > b { return a }; return b }`, false},
		{"parameters of other types", `func F[K, V any](k K, v V) bool { _, ok := any(k).(int); return ok }`, `func F[K, V any](k K, v V) bool { _, ok := any(v).(int); return ok }`, false},
		{"another constraint", `func F[T ~int](a, b T) T { x := a; return x + b }`, `func F[T ~string](a, b T) T { y := a; return y + b }`, false},
		{"sums that may be texts", `func F[T ~int | ~string](a, b T) T { return a + b }`, `func F[T ~int | ~string](a, b T) T { return b + a }`, false},
		{"a division that may fail", `func F[T ~int | ~float64](a, b T) T { effect(1); return a / b }`, `func F[T ~int | ~float64](a, b T) T { q := a / b; effect(1); return q }`, false},
		{"a comparison that may fail", `func F[T comparable](a, b T) bool { effect(1); return a == b }`, `func F[T comparable](a, b T) bool { q := a == b; effect(1); return q }`, false},
		{"zero of a parameter's type", `func F[T comparable](x T) T { var zero T; if x == zero { return x }; return x }`, `func F[T comparable](x T) T { var zero T; if x == zero { return zero }; return x }`, false},
		{"a method of a generic type", `type L[E any] struct { list []E; n int }; func (l *L[E]) F(x E) int { l.list = append(l.list, x); l.n++; return len(l.list) }; func F(n int) int { l := &L[int]{}; return l.F(n) }`,
			`type L[E any] struct { list []E; n int }; func (m *L[T]) F(y T) int { m.list = append(m.list, y); m.n++; return len(m.list) }; func F(n int) int { m := &L[int]{}; return m.F(n) }`, true},
		{"a method of a generic type that differs", `type L[E any] struct { list []E; n int }; func (l *L[E]) F(x E) int { l.list = append(l.list, x); l.n++; return len(l.list) }; func F(n int) int { l := &L[int]{}; return l.F(n) }`,
			`type L[E any] struct { list []E; n int }; func (m *L[T]) F(y T) int { m.list = append(m.list, y); m.n++; return m.n }; func F(n int) int { m := &L[int]{}; return m.F(n) }`, false},
		{"an instance of another type", `func zero[T any]() any { var x T; return x }; func F(n int) any { m := n; _ = m; return zero[int32]() }`, `func zero[T any]() any { var x T; return x }; func F(n int) any { k := n; _ = k; return zero[int64]() }`, false},
		{"a method that package fmt finds in a field", `type V struct{ U W }; type W int; func F(n int) string { m := W(n); return fmt.Sprint(V{m}) }; func (w W) String() string { return "a" }`, `type V struct{ U W }; type W int; func F(n int) string { k := W(n); return fmt.Sprint(V{k}) }; func (w W) String() string { return "b" }`, false},
		{"a method that package fmt finds in an element", `type W int; func F(n int) string { m := W(n); return fmt.Sprint([]W{m}) }; func (w W) String() string { return "a" }`, `type W int; func F(n int) string { k := W(n); return fmt.Sprint([]W{k}) }; func (w W) String() string { return "b" }`, false},
		{"a method of what a variable holds", `type W int; func F(n int) string { var x any = W(n); return fmt.Sprint(x) }; func (w W) String() string { return "a" }`, `type W int; func F(n int) string { var y any = W(n); return fmt.Sprint(y) }; func (w W) String() string { return "b" }`, false},
		{"a method of what a slice holds", `type W int; func F(n int) string { x := []any{W(n)}; return fmt.Sprint(x...) }; func (w W) String() string { return "a" }`, `type W int; func F(n int) string { y := []any{W(n)}; return fmt.Sprint(y...) }; func (w W) String() string { return "b" }`, false},
		{"a method of what a literal returns", `type W int; func F(n int) string { f := func() any { return W(n) }; return fmt.Sprint(f()) }; func (w W) String() string { return "a" }`, `type W int; func F(n int) string { g := func() any { return W(n) }; return fmt.Sprint(g()) }; func (w W) String() string { return "b" }`, false},
		{"a method of an embedded type", `type W int; type V struct { W }; func F(n int) string { x := V{W(n)}; return fmt.Sprint(x) }; func (w W) String() string { return "a" }`, `type W int; type V struct { W }; func F(n int) string { y := V{W(n)}; return fmt.Sprint(y) }; func (w W) String() string { return "b" }`, false},
		{"a method that package json does not look for", `func F(n int) ([]byte, error) { m := T{n: n}; return json.Marshal(m) }; func (t T) String() string { return "a" }`, `func F(n int) ([]byte, error) { k := T{n: n}; return json.Marshal(k) }; func (t T) String() string { return "b" }`, true},
		{"a method that package json looks for", `func F(n int) ([]byte, error) { m := T{n: n}; return json.Marshal(m) }; func (t T) MarshalText() ([]byte, error) { return nil, nil }`, `func F(n int) ([]byte, error) { k := T{n: n}; return json.Marshal(k) }; func (t T) MarshalText() ([]byte, error) { return nil, io.EOF }`, false},
		{"a method of a value that goes to package json and elsewhere", `func F(n int) ([]byte, error) { var m any = T{n: n}; fmt.Println(m); return json.Marshal(m) }; func (t T) String() string { return "a" }`, `func F(n int) ([]byte, error) { var k any = T{n: n}; fmt.Println(k); return json.Marshal(k) }; func (t T) String() string { return "b" }`, false},
		{"a method of an error that is wrapped", `type E struct{}; func (e E) Error() string { return "" }; func (e E) Code() int { return 1 }; func F(n int) error { m := E{}; return fmt.Errorf("%w", m) }`, `type E struct{}; func (e E) Error() string { return "" }; func (e E) Code() int { return 2 }; func F(n int) error { k := E{}; return fmt.Errorf("%w", k) }`, false},
		{"a method of what generic code is given", `type W int; func (w W) String() string { return "a" }; func F(n int) string { m := W(n); return show(m) }; func show[E any](x E) string { return fmt.Sprint(x) }`, `type W int; func (w W) String() string { return "b" }; func F(n int) string { k := W(n); return show(k) }; func show[E any](x E) string { return fmt.Sprint(x) }`, false},
		{"a method of what generic code of a library is given", `type W int; func (w W) Compare(v W) int { return int(w - v) }; func F(n []W) { slices.SortFunc(n, W.Compare); m := n; _ = m }`, `type W int; func (w W) Compare(v W) int { return int(v - w) }; func F(n []W) { slices.SortFunc(n, W.Compare); k := n; _ = k }`, false},
		{"a type within the function", `func F(n int) int { type p struct { a, b int; next *p }; m := map[int]p{}; m[n] = p{a: n}; return m[n].a }`, `func F(k int) int { type p struct { a, b int; next *p }; all := map[int]p{}; all[k] = p{a: k}; return all[k].a }`, true},
		{"a type within the function that differs", `func F(n int) any { type p struct { a, b int }; m := p{a: n}; return m }`, `func F(n int) any { type p struct { a, c int }; k := p{a: n}; return k }`, false},
		{"types within the function that change places", `func F(x any) bool { f := func() bool { type p struct { a int }; _, ok := x.(p); return ok }; { type p struct { a int }; x = p{1} }; return f() }`, `func F(x any) bool { type p struct { a int }; f := func() bool { _, ok := x.(p); return ok }; { x = p{1} }; return f() }`, false},
		{"a field more that is not selected", `type R struct { a, b int; c *R }; func (r *R) F(n int) int { m := n; r.a += m; if r.c != nil { r.c.b = effect(m) }; return r.a }; func F(n int) int { r := R{a: n}; return r.F(n) }`, `type R struct { a, b, d int; c *R }; func (r *R) F(n int) int { k := n; r.a += k; if r.c != nil { r.c.b = effect(k) }; return r.a }; func F(n int) int { r := R{a: n}; return r.F(n) }`, true},
		{"a field more that is selected", `type R struct { a, b int; c *R }; func (r *R) F(n int) int { m := n; r.a += m; return r.a }`, `type R struct { a, b, d int; c *R }; func (r *R) F(n int) int { k := n; r.a += k; r.d++; return r.a }`, false},
		{"a field more that is selected by what is called", `type R struct { a, b int; c *R }; func (r *R) F(n int) int { m := n; r.a += m; r.g(); return r.a }; func (r *R) g() {}`, `type R struct { a, b, d int; c *R }; func (r *R) F(n int) int { k := n; r.a += k; r.g(); return r.a }; func (r *R) g() { r.d++ }`, false},
		{"a field more that is printed", `type R struct { a, b int; c *R }; func (r *R) F(n int) string { m := n; r.a += m; return fmt.Sprint(r) }`, `type R struct { a, b, d int; c *R }; func (r *R) F(n int) string { k := n; r.a += k; return fmt.Sprint(r) }`, false},
		{"a field more that is printed in a slice", `type R struct { a, b int; c *R }; func F(l []*R) string { m := l; return fmt.Sprint(m) }`, `type R struct { a, b, d int; c *R }; func F(l []*R) string { k := l; return fmt.Sprint(k) }`, false},
		{"a field more that is compared", `type R struct { a, b int; c *R }; func F(x, y *R) bool { m := *x == *y; return m }`, `type R struct { a, b, d int; c *R }; func F(x, y *R) bool { k := *x == *y; return k }`, false},
		{"a field more that is compared in an array", `type R struct { a, b int; c *R }; func F(x, y *[2]R) bool { m := *x == *y; return m }`, `type R struct { a, b, d int; c *R }; func F(x, y *[2]R) bool { k := *x == *y; return k }`, false},
		{"a field more in a key", `type R struct { a, b int; c *R }; func F(m map[R]int, x R) int { k := m[x]; return k }`, `type R struct { a, b, d int; c *R }; func F(m map[R]int, x R) int { l := m[x]; return l }`, false},
		{"a field more in a key that is deleted", `type K struct { a int }; func F(m map[K]int, k K) { n := k; delete(m, n) }`, `type K struct { a, b int }; func F(m map[K]int, k K) { o := k; delete(m, o) }`, false},
		{"a field more in elements that generic code makes", `type K struct { a int }; func F[S ~[]K](s S) S { out := make(S, len(s)); copy(out, s); return out }`, `type K struct { a, b int }; func F[S ~[]K](s S) S { all := make(S, len(s)); copy(all, s); return all }`, false},
		{"a field more in a map that generic code makes", `type K struct { a int }; func F[S ~map[string]K](s S) S { out := make(S, len(s)); return out }`, `type K struct { a, b int }; func F[S ~map[string]K](s S) S { all := make(S, len(s)); return all }`, false},
		{"a field more in what generic code compares", `type K struct { a int }; func F[E K](x, y E) bool { m := x == y; return m }`, `type K struct { a, b int }; func F[E K](x, y E) bool { k := x == y; return k }`, false},
		{"a field more in what generic code makes", `type K struct { a int }; func zero[E any]() any { var e E; return e }; func F() string { m := zero[K](); return fmt.Sprint(m) }`, `type K struct { a, b int }; func zero[E any]() any { var e E; return e }; func F() string { k := zero[K](); return fmt.Sprint(k) }`, false},
		{"a field more in what generic code prints", `type K struct { a int }; func F[S ~[]K](s S) string { m := []S{s}; return fmt.Sprint(m) }`, `type K struct { a, b int }; func F[S ~[]K](s S) string { k := []S{s}; return fmt.Sprint(k) }`, false},
		{"a field more in a key that an old function compares", `type K struct { a int }; func helper(x, y *K) bool { return *x == *y }; func F(x, y *K) bool { return helper(x, y) }`, `type K struct { a, b int }; func F(x, y *K) bool { return *x == *y }`, false},
		{"a field more that an old function selects", `type K struct { a int }; func helper(x *K) int { return effect(x.a) }; func F(x *K) int { return helper(x) }`, `type K struct { a, b int }; func F(x *K) int { return effect(x.a) }`, true},
		{"a field more that makes elements larger", `type R struct { a, b int; c *R }; func F(l []R, x R) int { m := append(l, x); return cap(m) }`, `type R struct { a, b, d int; c *R }; func F(l []R, x R) int { k := append(l, x); return cap(k) }`, false},
		{"a field more that is passed on", `type R struct { a, b int; c *R }; func F(x *R, f func(*R) string) string { m := f(x); return m }`, `type R struct { a, b, d int; c *R }; func F(x *R, f func(*R) string) string { k := f(x); return k }`, false},
		{"a field more that generic code sees", `type R struct { a, b int; c *R }; func F(l []R) bool { m := slices.Contains(l, R{}); return m }`, `type R struct { a, b, d int; c *R }; func F(l []R) bool { k := slices.Contains(l, R{}); return k }`, false},
		{"a field more that hides a method", `type R struct { a, b int; c *R }; type I struct { R; M }; type M struct{}; func (m M) d() string { return "d" }; func F(x any) bool { _, ok := x.(interface{ d() string }); r := R{}; return ok && r.a == 0 }`, `type R struct { a, b, d int; c *R }; type I struct { R; M }; type M struct{}; func (m M) d() string { return "d" }; func F(y any) bool { _, ok := y.(interface{ d() string }); r := R{}; return ok && r.a == 0 }`, false},
		{"a field more that the literal of a variable compares", `type R struct { a, b int; c *R }; var eq = func(x, y R) bool { return x == y }; func F(x, y R) bool { m := eq(x, y); return m }`, `type R struct { a, b, d int; c *R }; var eq = func(x, y R) bool { return x == y }; func F(x, y R) bool { k := eq(x, y); return k }`, false},
		{"a field more that the literal of a variable compares in another type", `type R struct { a, b int; c *R }; type U struct { r R }; var eq = func(x, y U) bool { return x == y }; func F(x, y U) bool { m := eq(x, y); return m }`, `type R struct { a, b, d int; c *R }; type U struct { r R }; var eq = func(x, y U) bool { return x == y }; func F(x, y U) bool { k := eq(x, y); return k }`, false},
		{"a field more that init prints", `type R struct { a, b int; c *R }; var v string; func init() { v = fmt.Sprint(R{}) }; func F(x *R) string { m := x.a; _ = m; return v }`, `type R struct { a, b, d int; c *R }; var v string; func init() { v = fmt.Sprint(R{}) }; func F(x *R) string { k := x.a; _ = k; return v }`, false},
		{"a field of another type", `type Q struct { a int; b int32 }; func F(q *Q) int { m := q.a; return m + int(q.b) }`, `type Q struct { a int; b int16 }; func F(q *Q) int { k := q.a; return k + int(q.b) }`, false},
		{"fields in another order", `type Q struct { a int; b int32 }; func F(q *Q) int { m := q.a; return m + int(q.b) }`, `type Q struct { b int32; a int }; func F(q *Q) int { k := q.a; return k + int(q.b) }`, true},
		{"fields in another order that are printed", `type Q struct { a int; b int32 }; func F(q Q) string { m := q.a; _ = m; return fmt.Sprint(q) }`, `type Q struct { b int32; a int }; func F(q Q) string { k := q.a; _ = k; return fmt.Sprint(q) }`, false},
		{"a field that is copied with the others", `type R struct { a, b int; c *R }; func F(x *R) *R { m := *x; return &m }`, `type R struct { a, b, d int; c *R }; func F(x *R) *R { k := *x; return &k }`, true},
		{"a renamed type", `type O struct { a, b int; c string }; func F(n int) int { m := O{a: n}; if m.a > 3 { return effect(m.b) }; return len(m.c) }`, `type N struct { a, b int; c string }; func F(n int) int { k := N{a: n}; if k.a <= 3 { return len(k.c) }; return effect(k.b) }`, true},
		{"a renamed type that is printed", `type O struct { a, b int; c string }; func F(n int) string { m := O{a: n}; return fmt.Sprintf("%T", m) }`, `type N struct { a, b int; c string }; func F(n int) string { k := N{a: n}; return fmt.Sprintf("%T", k) }`, false},
		{"a renamed field", `type O struct { a, b int; c string }; func F(x *O) int { m := x.c; return effect(len(m)) }`, `type O struct { a, b int; d string }; func F(x *O) int { k := x.d; return effect(len(k)) }`, true},
		{"a renamed field that is printed", `type O struct { a, b int; c string }; func F(x *O) string { m := x.c; _ = m; return fmt.Sprintf("%+v", x) }`, `type O struct { a, b int; d string }; func F(x *O) string { k := x.d; _ = k; return fmt.Sprintf("%+v", x) }`, false},
		{"fields whose names change places", `type O struct { a, b int; c string }; func F(x *O) int { m := x.a; return effect(m) }`, `type O struct { b, a int; c string }; func F(x *O) int { k := x.b; return effect(k) }`, false},
		{"a builtin that is a function now", `func F(n int) int { return effect(min(n, 3)) }`, `func F(n int) int { return effect(min(n, 3)) }; func min(a, b int) int { return b }`, false},
		{"a literal", `func F(a []int) []int { sort.Slice(a, func(i, j int) bool { return a[i] < a[j] }); return a }`, `func F(list []int) []int { less := func(x, y int) bool { return list[x] < list[y] }; sort.Slice(list, less); return list }`, true},
		{"a literal with another order", `func F(a []int) []int { sort.Slice(a, func(i, j int) bool { return a[i] < a[j] }); return a }`, `func F(a []int) []int { sort.Slice(a, func(i, j int) bool { return a[j] < a[i] }); return a }`, false},
		{"a literal that captures something else", `func F(a, b []int) { sort.Slice(a, func(i, j int) bool { return a[i] < a[j] }); effect(len(b)) }`, `func F(a, b []int) { sort.Slice(a, func(i, j int) bool { return b[i] < b[j] }); effect(len(b)) }`, false},
		{"variables that change places in a loop", `func F(n int) (int, int) { a, b := 0, 1; for i := 0; i < n; i++ { a, b = b, a+b }; return a, b }`, `func F(n int) (int, int) { x, y := 0, 1; for i := 0; i < n; i++ { x, y = y, x+y }; return x, y }`, true},
		{"variables that change places one after the other", `func F(n int) (int, int) { a, b := 0, 1; for i := 0; i < n; i++ { a, b = b, a+b }; return a, b }`, `func F(n int) (int, int) { a, b := 0, 1; for i := 0; i < n; i++ { a = b; b = a + b }; return a, b }`, false},
		{"results that change places", `func F(n int) (int, int) { a, b := 0, 0; for i := 0; i < n; i++ { a++; b += 2 }; return a, b }`, `func F(n int) (int, int) { a, b := 0, 0; for i := 0; i < n; i++ { a++; b += 2 }; return b, a }`, false},
		{"a bound that is read once", `func F(t *T) { for i := 0; i < t.n; i++ { t.next.n = effect(i) } }`, `func F(t *T) { n := t.n; for i := 0; i < n; i++ { t.next.n = effect(i) } }`, false},
		{"two objects or one", `func F() (*T, *T) { return &T{}, &T{} }`, `func F() (*T, *T) { t := &T{}; return t, t }`, false},
		{"two objects that change places", `func F(n int) (*T, *T) { a, b := &T{n: 1}, &T{n: 1}; return a, b }`, `func F(n int) (*T, *T) { x, y := &T{n: 1}, &T{n: 1}; return x, y }`, true},
		{"an object for each step", `func F(n int) []*T { var out []*T; for i := 0; i < n; i++ { t := &T{}; out = append(out, t) }; return out }`, `func F(n int) []*T { var out []*T; t := &T{}; for i := 0; i < n; i++ { out = append(out, t) }; return out }`, false},
		{"where nil fails", `func F(t *T) int { p := &t.n; effect(1); return *p }`, `func F(t *T) int { effect(1); p := &t.n; return *p }`, false},
		{"a division that comes earlier", `func F(a, b int) int { effect(1); return a / b }`, `func F(a, b int) int { q := a / b; effect(1); return q }`, false},
		{"arithmetic that comes earlier", `func F(a, b int) int { effect(1); return a ^ b }`, `func F(a, b int) int { q := a ^ b; effect(1); return q }`, true},
		{"another panic", `func F(n int) { if n < 0 { panic("a") } }`, `func F(n int) { if n < 0 { panic("b") } }`, false},
		{"the type of a panic", `func F(n int) { if n < 0 { panic(int32(1)) } }`, `func F(n int) { if n < 0 { panic(int64(1)) } }`, false},
		{"an assertion of another type", `func F(x any) bool { _, ok := x.(int); return ok }`, `func F(x any) bool { _, ok := x.(uint); return ok }`, false},
		{"interfaces and maps", `func F(r io.Reader, m map[string]int) (n int, err error) { var b [4]byte; n, err = r.Read(b[:]); m[string(b[:n])]++; return n, err }`, `func F(rd io.Reader, count map[string]int) (int, error) { var buf [4]byte; k, e := rd.Read(buf[:]); count[string(buf[:k])]++; return k, e }`, true},
		{"another method of an interface", `func F(r interface{ A() int; B() int }) int { return r.A() }`, `func F(r interface{ A() int; B() int }) int { return r.B() }`, false},
		{"lines of callers", `func F(n int) int { _, _, line, _ := runtime.Caller(0); return line + n }`, `func F(m int) int { _, _, line, _ := runtime.Caller(0); return line + m }`, false},
		{"a conversion with fewer bits", `func F(n int) int { return int(int32(n)) }`, `func F(n int) int { return int(int16(n)) }`, false},
		{"a deferred call that changes the result", `func F(n int) (r int) { defer func() { r++ }(); return effect(n) }`, `func F(n int) (r int) { defer func() { r += 2 }(); return effect(n) }`, false},
		{"a deferred call", `func F(n int) (r int, err error) { defer func() { if x := recover(); x != nil { err = errors.New("x") } }(); return effect(n), nil }`, `func F(n int) (res int, e error) { defer func() { if p := recover(); p != nil { e = errors.New("x") } }(); return effect(n), nil }`, true},
		{"what is done with a recovered panic", `func F(n int) (r int, err error) { defer func() { if x := recover(); x != nil { err = errors.New("x") } }(); return effect(n), nil }`, `func F(n int) (r int, err error) { defer func() { if x := recover(); x != nil { r = 1 } }(); return effect(n), nil }`, false},
		{"a method that package fmt finds in what it is given", `func F(x any) string { return fmt.Sprint(x) }; func (t T) String() string { return "a" }`, `func F(x any) string { y := x; return inner(y) }; func inner(x any) string { return fmt.Sprint(x) }; func (t T) String() string { return "b" }`, false},
		{"a new method that package fmt finds in what it is given", `func F(x any) string { return fmt.Sprint(x) }`, `func F(x any) string { return inner(x) }; func inner(x any) string { return fmt.Sprint(x) }; func (t T) String() string { return "b" }`, false},
		{"a new method that package fmt does not look for", `func F(x any) string { return fmt.Sprint(x) }`, `func F(x any) string { return inner(x) }; func inner(x any) string { return fmt.Sprint(x) }; func (t T) Other() string { return "b" }`, true},
		{"a new method that the function asks for", `func F(x any) bool { _, ok := x.(interface{ Other() string }); return ok }`, `func F(x any) bool { return inner(x) }; func inner(x any) bool { _, ok := x.(interface{ Other() string }); return ok }; func (t T) Other() string { return "b" }`, false},
		{"a method that a library calls", `func F(x sort.Interface) { sort.Sort(x) }; type L []int; func (l L) Less(i, j int) bool { return l[i] < l[j] }`, `func F(x sort.Interface) { inner(x) }; func inner(x sort.Interface) { sort.Sort(x) }; type L []int; func (l L) Less(i, j int) bool { return l[i] > l[j] }`, false},
		{"a new method and values of types that are seen", `func F(n int) string { return fmt.Sprint(n, "a") }`, `func F(n int) string { return inner(n) }; func inner(n int) string { return fmt.Sprint(n, "a") }; func (t T) String() string { return "b" }`, true},
		{"a receiver that is a pointer now", `func (t T) F() int { return effect(1) }; func inner() {}`, `func (t *T) F() int { inner(); return effect(1) }; func inner() {}`, false},
		{"a select", `func F(a, b chan int) int { select { case x := <-a: return x; case b <- 1: default: }; return 0 }`, `func F(a, b chan int) int { select { case y := <-a: return y; case b <- 1: default: }; return 0 }`, true},
		{"a select that waits", `func F(a, b chan int) int { select { case x := <-a: return x; case b <- 1: default: }; return 0 }`, `func F(a, b chan int) int { select { case x := <-a: return x; case b <- 1: }; return 0 }`, false},
		{"a select of other channels", `func F(a, b chan int) int { select { case x := <-a: return x; case b <- 1: default: }; return 0 }`, `func F(a, b chan int) int { select { case x := <-b: return x; case a <- 1: default: }; return 0 }`, false},
		{"the shift of a negative number", `func F(n int) int { return n >> 1 }`, `func F(n int) int { return int(uint(n) >> 1) }`, false},
		{"a renamed method that package fmt looked for", `type W int; func (w W) String() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { m := W(n); return fmt.Sprint(m) }`, `type W int; func (w W) Text() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { k := W(n); return fmt.Sprint(k) }`, false},
		{"a renamed method that package fmt looks for now", `type W int; func (w W) Text() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { m := W(n); return fmt.Sprint(m) }`, `type W int; func (w W) String() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { k := W(n); return fmt.Sprint(k) }`, false},
		{"a renamed method that package fmt finds in what it is given", `type W int; func (w W) String() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n any) string { m := n; return inner(m) }; func inner(x any) string { return fmt.Sprint(x) }`, `type W int; func (w W) Text() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n any) string { k := n; return inner(k) }; func inner(y any) string { return fmt.Sprint(y) }`, false},
		{"a renamed method that is called", `type W int; func (w W) String() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { m := W(n); return m.String() }`, `type W int; func (w W) Text() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { k := W(n); return k.Text() }`, true},
		{"a renamed method that nobody looks for", `type W int; func (w W) Word() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { m := W(n); return fmt.Sprint(m) }`, `type W int; func (w W) Text() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; func F(n int) string { k := W(n); return fmt.Sprint(k) }`, true},
		{"a renamed method that the function asks for", `type W int; func (w W) do() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; type doer interface{ do() string }; func F(n any) bool { _, ok := n.(doer); m := ok; return m }`, `type W int; func (w W) run() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; type doer interface{ do() string }; func F(n any) bool { _, ok := n.(doer); k := ok; return k }`, false},
		{"a renamed method of a variable's value", `type W int; func (w W) String() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; var v any = W(1); func F(n int) string { m := n; return fmt.Sprint(v, m) }`, `type W int; func (w W) Text() string { if w > 7 { return strings.ToLower("AAA") + "b" }; return strings.ToLower("B") + "c" }; var v any = W(1); func F(n int) string { k := n; return fmt.Sprint(v, k) }`, false},
		{"a renamed function", `func F(n int) int { m := n; return helperOfOld(m) }; func helperOfOld(n int) int { if n > 7 { return effect(n) }; return other(n) + 1 }`, `func F(n int) int { k := n; return helperOfNew(k) }; func helperOfNew(n int) int { if n > 7 { return effect(n) }; return other(n) + 1 }`, true},
	}
	// All pairs are packages of one module, because loading takes most of the time.
	olds, news := map[string]string{}, map[string]string{}
	for i, tt := range tests {
		olds[fmt.Sprintf("p%d/m.go", i)], news[fmt.Sprintf("p%d/m.go", i)] = header+tt.old, header+tt.new
	}
	old, new := loadFiles(t, olds), loadFiles(t, news)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			proofs, _ := equal(t, old, new, fmt.Sprintf("example.com/m/p%d", i))
			_, f := proofs["F"]
			_, m := proofs["T.F"]
			if (f || m) != tt.equal {
				t.Errorf("proved equal: %v, want %v", f || m, tt.equal)
			}
		})
	}
}

// TestRenamedModule compares functions of a module that had another path, so that all keys differ.
func TestRenamedModule(t *testing.T) {
	const f, g = "func F(x, y *K) bool { return *x == *y }\n", "func G(x *K) int { return x.a }\n"
	const oldF, oldG = "func F(x, y *K) bool { return helper(x, y) }\nfunc helper(x, y *K) bool { return *x == *y }\n", "func G(x *K) int { return first(x) }\nfunc first(x *K) int { return x.a }\n"
	old := loadFiles(t, map[string]string{"go.mod": "module example.com/before\n\ngo 1.24\n", "m.go": "package m\n\ntype K struct{ a int }\n" + oldF + oldG})
	new := loadFiles(t, map[string]string{"m.go": "package m\n\ntype K struct{ a, b int }\n" + f + g})
	p, err := pair.Packages(old["example.com/before"], new["example.com/m"])
	if err != nil {
		t.Fatal(err)
	}
	proofs := lockstep.Equal(p, nil)
	if _, proved := proofs["F"]; proved {
		t.Error("F is proved equal, though it compares values with another field")
	}
	if _, proved := proofs["G"]; !proved {
		t.Error("G is not proved equal")
	}
}

// TestPanic checks that a panic is reported and proves nothing.
func TestPanic(t *testing.T) {
	old := loadFiles(t, map[string]string{"m.go": "package m\n\nfunc F(n int) int { m := n; return m }\n"})
	new := loadFiles(t, map[string]string{"m.go": "package m\n\nfunc F(n int) int { k := n; return k }\n"})
	proofs, p := equal(t, old, new, "example.com/m")
	if len(proofs) != 1 {
		t.Fatalf("%d proofs, want 1", len(proofs))
	}
	p.Old.Prog = nil // whatever it is asked for panics
	reports := 0
	if proofs := lockstep.Equal(p, func(any) { reports++ }); len(proofs) > 0 || reports == 0 {
		t.Errorf("%d proofs and %d reports after a panic", len(proofs), reports)
	}
}

// TestOtherPackages compares functions that reach changes in another package of their module.
func TestOtherPackages(t *testing.T) {
	const user = "package m\n\nimport \"example.com/m/inner\"\n\nfunc F(n int) int { return inner.Twice(n) + inner.Size }\n\nfunc G(s []inner.T) int { return inner.Sum(s) }\n"
	const inner = "package inner\n\nconst Size = 2\n\ntype T struct{ N int }\n\nfunc Twice(n int) int { return n + n }\n\nfunc Sum(s []T) int { sum := 0; for _, t := range s { sum += int(t.N) }; return sum }\n"
	for _, tt := range []struct {
		name, from, to string
		f, g           bool
	}{
		{"other names", "sum", "all", true, true},
		{"other names and another result", "n + n }\n\nfunc Sum(s []T) int { sum := 0; for _, t := range s { sum += int(t.N) }; return sum", "n - n }\n\nfunc Sum(s []T) int { all := 0; for _, t := range s { all += int(t.N) }; return all", false, true},
		{"another constant", "Size = 2", "Size = 3", false, true},
		{"a field more", "T struct{ N int }", "T struct{ M, N int }", true, true},
		{"another type", "T struct{ N int }", "T struct{ N int; _ [0]func() }", true, true},
		{"another type of a field", "T struct{ N int }", "T struct{ N int32 }", true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sides [2]map[string]pair.Side
			for i, text := range []string{inner, strings.ReplaceAll(inner, tt.from, tt.to)} {
				sides[i] = loadFiles(t, map[string]string{"m.go": user, "inner/inner.go": text})
			}
			proofs, p := equal(t, sides[0], sides[1], "example.com/m")
			for name, want := range map[string]bool{"F": tt.f, "G": tt.g} {
				_, proved := proofs[name]
				affected := p.Affected("example.com/m." + name)
				if affected && proved != want || !affected && !want {
					t.Errorf("%s: affected %v, proved %v, want %v", name, affected, proved, want)
				}
			}
		})
	}
}

// TestLoopVariables compares versions of which only the newer has new variables for each step of a loop.
func TestLoopVariables(t *testing.T) {
	tests := []struct {
		name, old, new string
		equal          bool
	}{
		{"a variable that is read", `func F(l []T) { for i, t := range l { if t.next != nil { effect(t.n) }; l[i].n = 0 } }`, "", true},
		{"the same with another field", `func F(l []T) { for i, t := range l { if t.next != nil { effect(t.n) }; l[i].n = 0 } }`, `func F(l []T) { for i, t := range l { if t.list != nil { effect(t.n) }; l[i].n = 0 } }`, false},
		{"a variable that is kept", `func F(l []T) (out []*T) { for _, t := range l { out = append(out, &t) }; return out }`, "", false},
		{"a variable that is captured", `func F(l []T) (out []func() int) { for _, t := range l { out = append(out, func() int { return t.n }) }; return out }`, "", false},
		{"a variable that is written to", `func F(l []T) { for _, t := range l { t.n++; effect(t.n) } }`, "", true},
		{"a variable that is written to before it is read", `func F(l []T) { var t T; for i := range l { t.n++; effect(t.n); t = l[i] } }`, `func F(l []T) { for i := range l { var t T; t.n++; effect(t.n); t = l[i] } }`, false},
		{"a variable that is written to in part", `func F(l []int) { var t T; for _, n := range l { t.n = n; effect(len(t.list)); t.list = l } }`, `func F(l []int) { for _, n := range l { var t T; t.n = n; effect(len(t.list)); t.list = l } }`, false},
		{"a method of the variable", `func F(l []T) { for _, t := range l { t.add(); effect(t.n) } }; func (t *T) add() { t.n++ }`, "", true},
		{"a method that keeps the variable", `func F(l []T) { for _, t := range l { t.keep(); effect(t.n) } }; func (t *T) keep() { all = append(all, t) }; var all []*T`, "", false},
		{"a method that returns the variable", `func F(l []T) { var last *T; for _, t := range l { if last != nil { effect(last.n) }; last = t.self() } }; func (t *T) self() *T { return t }`, "", false},
		{"a method that captures the variable", `func F(l []T) { for _, t := range l { t.later(); effect(t.n) } }; func (t *T) later() { fs = append(fs, func() { t.n++ }) }; var fs []func()`, "", false},
		{"a function that is not known", `func F(l []T, f func(*T)) { for _, t := range l { f(&t) } }`, "", false},
		{"the loop of an initialiser", `var v int; func init() { for _, t := range []T{{n: 1}} { v += t.n } }; func F(n int) int { return n + v }`, "", true},
		{"the loop of an initialiser that differs", `var v int; func init() { for _, t := range []T{{n: 1}} { v += t.n } }; func F(n int) int { return n + v }`, `var v int; func init() { for _, t := range []T{{n: 1}} { v -= t.n } }; func F(m int) int { return m + v }`, false},
		{"what an earlier step has left", `func F(l []T) { var t T; for i := range l { effect(t.n); t = l[i] } }`, `func F(l []T) { for i := range l { var t T; effect(t.n); t = l[i] } }`, false},
	}
	olds, news := map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n"}, map[string]string{}
	for i, tt := range tests {
		if tt.new == "" {
			tt.new = tt.old
		}
		olds[fmt.Sprintf("p%d/m.go", i)], news[fmt.Sprintf("p%d/m.go", i)] = header+tt.old, header+tt.new
	}
	old, new := loadFiles(t, olds), loadFiles(t, news)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			proofs, _ := equal(t, old, new, fmt.Sprintf("example.com/m/p%d", i))
			if _, proved := proofs["F"]; proved != tt.equal {
				t.Errorf("proved equal: %v, want %v", proved, tt.equal)
			}
		})
	}
}
