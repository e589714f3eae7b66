package purity

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const pureSource = `package m

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"
	"unsafe"
)

var global int
var table = map[string]int{}
var ptr = new(int)

func PureOption(n int) func(*int) { return func(p *int) { if n > 0 { *p = n } } }

type T struct{ n int; next *T; m map[string]int; s []int }

func PureAdd(a, b int) int { return a + b }
func PureRead(t *T) int { return t.n + global + table["x"] }
func PureNew(n int) *T { t := &T{n: n}; t.next = &T{}; t.next.n = 2; return t }
func PureSlice(n int) []int { s := make([]int, n); for i := range s { s[i] = i }; return append(s, 1) }
func PureMap() map[string]int { m := map[string]int{}; m["a"] = 1; delete(m, "a"); return m }
func PureStrings(s string) string { return strings.ToUpper(strings.TrimSpace(s)) + s }
func PureErr(x float64) error { if math.Sqrt(x) > 2 { return errors.New("x") }; return nil }
func PureBuild(s string) string { var b strings.Builder; b.WriteString(s); return b.String() }
func PureRec(n int) int { if n == 0 { return 0 }; return PureRec2(n-1) }
func PureRec2(n int) int { return PureRec(n) }
func (t T) PureValue() int { t.n = 3; return t.n }
func PureClosure(n int) int { f := func() int { n++; return n }; return f() }
func PureLocalArg() int { t := &T{}; impureSet(t); return t.n }
func PureCopy(s []int) []int { c := make([]int, len(s)); copy(c, s); c[0] = 1; return c }
func PurePanic(b bool) { if b { panic("x") } }

// PureDeclared counts how often it is called, which nobody sees.
//
//assay:pure
func PureDeclared(t *T) int { global++; return t.n }
func PureCallsDeclared(t *T) int { return PureDeclared(t) }
func ImpureThroughDeclared(t *T) { *PureDeclaredPointer(t) = 1 }

//assay:pure
func PureDeclaredPointer(t *T) *int { return &t.n }

func impureSet(t *T) { t.n = 1 }
func ImpureGlobal() { global++ }
func ImpureTable() { table["x"] = 1 }
func ImpurePtr() { *ptr = 1 }
func (t *T) ImpureField() { t.next.n = 1 }
func (t *T) ImpureMap() { t.m["x"] = 1 }
func (t T) ImpureValue() { t.m["x"] = 1 }
func ImpureElem(s []int) { s[0] = 1 }
func ImpureAppend(s []int) []int { return append(s, 1) }
func ImpureSort(s []int) { sort.Ints(s) }
func ImpureSend(c chan int) { c <- 1 }
func ImpureGo() { go PureAdd(1, 2) }
func ImpureDyn(f func()) { f() }
func ImpurePrint() { fmt.Println() }
func ImpureCall(t *T) { impureSet(t) }
func ImpureStored(t *T) { h := &T{next: t}; h.next.n = 1 }
func ImpureThrough(t *T) { h := &T{}; put(h, t); h.next.n = 1 }
func put(h, t *T) { h.next = t }
func ImpureResult(t *T) { same(t).n = 1 }
func same(t *T) *T { return t }
func ImpureClosure(t *T) { f := func() { t.n = 1 }; f() }
func ImpureRec(n int) { if n > 0 { ImpureRec2(n-1) } }
func ImpureRec2(n int) { ImpureRec(n); global = 1 }
func ImpureRange(ts []*T) { for _, t := range ts { t.n = 1 } }
func wrap(t *T) *T { return &T{next: t} }
func ImpureWrapped(t *T) { h := wrap(t); h.next.n = 1 }
func ImpureTwice(t *T) { h := wrap(wrap(t)); h.next.next.n = 1 }
func PureAppendNew(t *T) []*T { var s []*T; s = append(s, t); return s }
func ImpureAppendNew(t *T) { var s []*T; s = append(s, t); s[0].n = 1 }
func ImpureMapOf(t *T) { m := map[int]*T{1: t}; m[1].n = 1 }
func ImpureArr(t *T) { a := [1]*T{t}; a[0].n = 1 }
func ImpureUpper(s string) string { return strings.Map(func(r rune) rune { global++; return r }, s) }
func ImpureIface(x any) { x.(*T).n = 1 }
func ImpureDefer() { defer PureAdd(1, 2) }
func ImpureSelect(c chan int) { select { case <-c: default: } }
func ImpureReceive(c chan int) int { return <-c }
func ImpureDrain(c chan int) { for range c { } }
func ImpureClose(c chan int) { close(c) }
func ImpureMethod(w fmt.Stringer) string { return w.String() }
func ImpureMethodValue(t *T) { f := t.ImpureField; f() }
func ImpureCopyInto(s []int) { copy(s, []int{1}) }
func ImpureClear(m map[string]int) { clear(m) }
func ImpureDelete(t *T) { delete(t.m, "x") }
func ImpureUnsafe(t *T) { *(*int)(unsafe.Add(unsafe.Pointer(t), 0)) = 1 }
func ImpureAddress(p uintptr) { *(*int)(unsafe.Pointer(p)) = 1 }
func ImpureYield(t *T, seq func(func(int) bool)) { for x := range seq { t.n = x } }
func ImpureField2(p **int) { **p = 1 }
func ImpureArrayParam(a [1]*T) { a[0].n = 1 }
func ImpureNested(t *T) { func() { func() { t.n++ }() }() }
func ImpureViaGlobal(t *T) { ptr = &t.n }
func ImpureGeneric(t *T) { set(&t.n, 1) }
func set[X any](p *X, x X) { *p = x }
func PureLen(c chan int) int { return len(c) + cap(c) }

type cell struct{ x int }
type holder struct{ f *cell }

// p and q change places in a loop: each is the other of the turn before.
func ImpureSwaps(p *cell, n int) int {
	q := &cell{}
	for i := 0; i < n; i++ {
		p, q = q, p
	}
	fresh := &holder{f: p}
	q.x = 1
	return fresh.f.x
}

func PureSwaps(n int) int {
	p, q := &cell{}, &cell{}
	for i := 0; i < n; i++ {
		p, q = q, p
	}
	q.x = 1
	return p.x
}
`

func TestPure(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": pureSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range prog.Packages[0].Errors {
		t.Fatal(d)
	}
	p := New(prog)
	for _, target := range prog.Packages[0].Targets {
		_, method, ok := strings.Cut(target.Name, ".")
		if !ok {
			method = target.Name
		}
		switch got := p.Pure(target.Func); {
		case strings.HasPrefix(method, "Pure") && !got:
			t.Errorf("%s is not found to be pure", target.Name)
		case strings.HasPrefix(strings.ToLower(method), "impure") && got:
			t.Errorf("%s is called pure", target.Name)
		}
	}
}

// A function that may call more functions than the analysis looks at is not pure, even if earlier questions
// have answered for its callees.
func TestPure_bound(t *testing.T) {
	var src strings.Builder
	src.WriteString("package m\n\n")
	const n = maxFunctions + 100
	for i := range n {
		fmt.Fprintf(&src, "func f%d(x int) int { return f%d(x) + 1 }\n", i, i+1)
	}
	fmt.Fprintf(&src, "func f%d(x int) int { return x }\n", n)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": src.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	first, middle := pkg.Target("f0"), pkg.Target("f300")
	for _, order := range [][]*load.Target{{first, middle}, {middle, first}} {
		p := New(prog)
		for _, target := range order {
			if got, want := p.Pure(target.Func), target == middle; got != want {
				t.Errorf("%s is pure: %t, want %t", target.Name, got, want)
			}
		}
	}
}

// The effects of a function that is not pure are what is known of them, and everything if nothing is.
func TestEffectsOf(t *testing.T) {
	dir := t.TempDir()
	const src = `package m

var global int

type T struct{ n int }

func Global() { global++ }
func Set(t *T) { t.n = 1 }
func Same(t *T) *T { return t }
func Get(t *T) int { return t.n }
func Unknown(f func(*T) *T, t *T) *T { return f(t) }
func Deferred(t *T) (r *T) { defer func() { r = t }(); return nil }
func ThroughDeferred(t *T) *T { return Deferred(t) }
`
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	everything := Effects{Beyond: true, Arguments: true, Results: true}
	want := map[string]Effects{
		"Global": {Beyond: true}, "Set": {Arguments: true}, "Same": {Results: true}, "Get": {},
		"Unknown": everything, "Deferred": everything, "ThroughDeferred": everything,
	}
	a := New(prog)
	for name, w := range want {
		if got := a.EffectsOf(prog.Packages[0].Target(name).Func); got != w {
			t.Errorf("%s has the effects %+v, want %+v", name, got, w)
		}
	}
}
