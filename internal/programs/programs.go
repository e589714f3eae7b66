// Package programs writes random Go functions for the tests of the static analysis, which compare what
// the analysis verifies about them with what they do when they run.
//
//  1. Source writes a package of functions F0, F1, ... of one signature, with the types,
//     variables and small functions that they share.
//  2. Harness writes a main package's rest, which calls each function with many arguments
//     and prints at which lines which kinds of panics occurred.
//
// A function consists of guarded uses. Something is compared (an index with a length, a divisor with 0,
// a pointer with nil), then a few statements run, some of which change the compared value, and then the
// value is used as if the comparison still held. The comparisons are right, nearly right or wrong. The
// statements in between use maps, channels, goroutines, closures, deferred calls, generic functions,
// methods through interfaces, embedded structs and pointers to fields.
//
// To add a form of statement: statements.go. To add a guarded use: guards.go. Every statement has to
// end: loops are bounded by tick, and nothing waits for a goroutine that may not come.
package programs

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Source returns the text of a package of random functions. The same seed gives the same text.
func Source(seed uint64, functions int) string {
	p := &writer{rnd: rand.New(rand.NewPCG(seed, 0x50))}
	p.b.WriteString(shared)
	for i := range functions {
		p.function(i)
	}
	return p.b.String()
}

// writer writes the functions of one package.
type writer struct {
	rnd   *rand.Rand
	b     strings.Builder
	names int // how many names were made up so far
	depth int // how deep the present statement nests
	// The state for the function that is being written: the names in scope besides the parameters.
	scope scope
}

// scope is the set of names that statements may use, besides those that every function has.
type scope struct {
	ints  []string // variables of type int that may be assigned to
	reads []string // expressions of type int that cannot be assigned to
	flags []string // variables of type bool
}

func (p *writer) line(text string, args ...any) {
	p.b.WriteString(strings.Repeat("\t", p.depth))
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	p.b.WriteString(text)
	p.b.WriteByte('\n')
}

func (p *writer) one(of ...string) string { return of[p.rnd.IntN(len(of))] }

// chance returns true in so many of a hundred cases.
func (p *writer) chance(percent int) bool { return p.rnd.IntN(100) < percent }

// name makes up a name.
func (p *writer) name(prefix string) string {
	p.names++
	return fmt.Sprintf("%s%d", prefix, p.names)
}

// block writes statements with a scope of their own. The braces are written by the caller.
func (p *writer) block(f func()) {
	saved := p.scope
	p.scope = scope{append([]string(nil), saved.ints...), append([]string(nil), saved.reads...), append([]string(nil), saved.flags...)}
	p.depth++
	f()
	p.depth--
	p.scope = saved
}

// shared returns the declarations that all functions of a package use.
const shared = `package main

import (
	"strings"
	"sync"
)

type (
	E struct {
		k, w int
		tab  [4]int
	}
	P struct {
		E
		x, y int
		next *P
		m    map[int]int
		xs   []int
		ok   bool
		fn   func(int) int
	}
	Q P
	I interface {
		Get() int
		Put(int)
	}
	V int
	Small interface{ ~int8 | ~uint8 | ~int }
	G[T Small] struct {
		v  T
		xs []T
	}
	S struct{ p, q *P }
)

var (
	gx, gy = 1, 2
	gm     = map[int]int{1: 1}
	gs     = []int{1, 2, 3}
	gp     = &P{x: 1}
	gok    bool
	gf     = func(n int) int { return n }
	mu     sync.Mutex
)

//assay:assert
func holds(ok bool) {
	if !ok {
		panic(broken{})
	}
}

type broken struct{}

type tired struct{}

var fuel int

// tick ends what runs for too long.
func tick(n int) {
	if fuel--; fuel < 0 || n > 1000 {
		panic(tired{})
	}
}

func (e *E) Bump()           { e.k++ }
func (e *E) Inc(n int)       { e.w += n }
func (e E) Sum() int         { return e.k + e.w }
func (e *E) Tab(i int) *int  { return &e.tab[i&3] }
func (p *P) Get() int        { return p.x }
func (p *P) Put(n int)       { p.x = n; p.k-- }
func (p *P) Self() *P        { return p }
func (p *P) Next() *P        { return p.next }
func (p *P) Drop()           { p.next, p.m, p.xs = nil, nil, nil }
func (p *P) Each(f func(int)) {
	for i := range p.xs {
		f(p.xs[i])
	}
}
func (v V) Get() int  { return int(v) }
func (v V) Put(n int) { gx = n }

func (g *G[T]) Push(v T) { g.xs = append(g.xs, v); g.v = v }
func (g *G[T]) Pop() T {
	if len(g.xs) == 0 {
		return g.v
	}
	v := g.xs[len(g.xs)-1]
	g.xs = g.xs[:len(g.xs)-1]
	return v
}

func isInt(y any) bool         { _, ok := y.(int); return ok }
func index(s string) int     { return strings.IndexByte(s, 'B') }
func set(p *P, n int)        { p.x = n }
func setQ(q *Q)              { q.x, q.y = 100, -1 }
func setInt(p *int, n int)   { *p = n }
func drop(m map[int]int)     { clear(m) }
func insert(m map[int]int)   { m[len(m)] = 1 }
func take(c chan int)        { select { case <-c: default: } }
func give(c chan int)        { select { case c <- 1: default: } }
func call(f func())          { f() }
func touch()                 { gx, gp, gm, gs = -1, nil, nil, nil }
func least[T Small](x, y T) T {
	if x < y {
		return x
	}
	return y
}
func nth[T any](xs []T, i int) (z T) {
	if i >= 0 && i < len(xs) {
		return xs[i]
	}
	return z
}
func each[T any](xs []T, f func(int, T)) {
	for i, x := range xs {
		f(i, x)
	}
}
func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

`

// Signature is the type of the functions.
const Signature = "func(a, b int, u, v uint8, xs, ys []int, p, q *P, ar [4]int, y any, s string, m, n map[int]int, c chan int, pi *int, f func(int) int, it I, g *G[int8]) (r int)"

// function writes a function.
func (p *writer) function(i int) {
	p.line("func F%d%s {", i, strings.TrimPrefix(Signature, "func"))
	p.scope = scope{ints: []string{"a", "b", "p.x", "q.y", "p.k", "q.w", "ar[0]", "ar[2]", "gx", "gy", "*pi", "la[0]", "la[1]", "p.tab[1]", "p.E.k"}}
	p.block(func() {
		p.line("if p == nil || q == nil || pi == nil || g == nil {")
		p.line("\treturn 0")
		p.line("}")
		p.line("var la [4]int")
		p.line("ok, no := false, a > b")
		p.scope.flags = []string{"ok", "no", "p.ok", "gok"}
		for range 3 + p.rnd.IntN(5) {
			if p.chance(60) {
				p.guarded()
			} else {
				p.statement()
			}
		}
		p.line("_, _ = ok, no")
		p.line("return r + a + b + la[0] + len(ys)")
	})
	p.line("}")
	p.line("")
}
