package programs

import (
	"fmt"
	"strings"
)

// Harness returns the rest of a main package with the functions of Source. Its program calls each of these
// with the given number of arguments and prints a line "LINE KIND FUNCTION ARGUMENTS" for each place and kind
// of panic, once. Kinds have the names of package check's assertions.
func Harness(functions, calls int) string {
	var list strings.Builder
	for i := range functions {
		fmt.Fprintf(&list, "\tF%d,\n", i)
	}
	return strings.NewReplacer("SIGNATURE", Signature, "LIST", list.String(), "CALLS", fmt.Sprint(calls)).Replace(harness)
}

// Runtime returns the part of the package that observes Source's functions. It is not analysed.
const Runtime = `package main

func rescue()                        { recover() }
func recv(c chan int) (int, bool)    { select { case w, ok := <-c: return w, ok; default: return 0, false } }
`

const harness = `package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

type function SIGNATURE

var functions = []function{
LIST}

// rescue recovers from a panic of a function literal and reports it.
func rescue() {
	if e := recover(); e != nil {
		report(e)
	}
}

func recv(c chan int) (int, bool) {
	select {
	case w, ok := <-c:
		return w, ok
	default:
		return 0, false
	}
}

var (
	lock    sync.Mutex
	seen    = map[string]bool{}
	current string
)

// report prints where a panic comes from, once.
func report(e any) {
	if _, ok := e.(tired); ok {
		return
	}
	kind := kindOf(e)
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	panicked := false
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" || f.Function == "runtime.sigpanic" || strings.HasPrefix(f.Function, "runtime.panic") || strings.HasPrefix(f.Function, "runtime.goPanic") {
			panicked = true
		} else if panicked && strings.HasPrefix(f.Function, "main.") && filepath.Base(f.File) == "p.go" && f.Function != "main.holds" {
			lock.Lock()
			line := fmt.Sprintf("%d %s", f.Line, kind)
			if !seen[line] {
				seen[line] = true
				fmt.Println(line, current)
			}
			lock.Unlock()
			return
		} else if panicked && strings.HasPrefix(f.Function, "main.") && f.Function != "main.holds" {
			return // elsewhere
		}
		if !more {
			return
		}
	}
}

func kindOf(e any) string {
	if _, ok := e.(broken); ok {
		return "assertion"
	}
	text := fmt.Sprint(e)
	for _, k := range [][2]string{
		{"index out of range", "index-out-of-range"}, {"slice bounds", "slice-out-of-range"}, {"divide by zero", "division-by-zero"}, {"nil pointer", "nil-dereference"},
		{"interface conversion", "type-assertion"}, {"makeslice", "negative-length"}, {"makechan", "negative-length"}, {"growslice", "negative-length"}, {"negative shift", "negative-shift"},
		{"nil map", "nil-map-write"}, {"closed channel", "closed-channel"}, {"nil channel", "closed-channel"}, {"cannot convert slice", "conversion"},
	} {
		if strings.Contains(text, k[0]) {
			return k[1]
		}
	}
	return "other:" + strings.ReplaceAll(text, " ", "_")
}

type swapper struct{ p, q *P; m map[int]int }

func (s *swapper) Get() int  { s.p.x++; return s.p.x }
func (s *swapper) Put(n int) { s.p.x, s.q.y, s.p.next, gx, gp = n, n, nil, n, nil; clear(s.m); s.p.xs = nil }

func invoke(n, seed int) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
	num := func() int {
		switch r.IntN(6) {
		case 0:
			return r.IntN(1000) - 500
		case 1:
			return []int{-1 << 63, 1<<63 - 1, 1 << 31, -1 << 31, 255, 256, 127, 128, -128, -1}[r.IntN(10)]
		}
		return r.IntN(9) - 2
	}
	nums := func(n int) []int {
		out := make([]int, n, n+r.IntN(4))
		for i := range out {
			out[i] = num()
		}
		return out
	}
	entries := func() map[int]int {
		if r.IntN(6) == 0 {
			return nil
		}
		out := map[int]int{}
		for range r.IntN(5) {
			out[r.IntN(7)-1] = num()
		}
		return out
	}
	gx, gy, gok, gs, gm, gp = num(), num(), r.IntN(2) == 0, nums(r.IntN(4)), entries(), &P{x: num(), m: entries()}
	gf = func(n int) int { return n + 1 }
	fuel = 300
	xs := nums(r.IntN(6))
	ys := nums(r.IntN(6))
	switch r.IntN(4) {
	case 0:
		ys = xs
	case 1:
		ys = xs[len(xs)/2:]
	case 2:
		xs = xs[:len(xs)/2]
	}
	fresh := func() *P {
		p := &P{x: num(), y: num(), E: E{k: num(), w: num()}, xs: nums(r.IntN(4)), m: entries(), ok: r.IntN(2) == 0}
		p.tab[r.IntN(4)] = num()
		return p
	}
	p, q := fresh(), fresh()
	switch r.IntN(5) {
	case 0:
		q = p
	case 1:
		p.next = q
	case 2:
		p.next, q.next, q.m = fresh(), p, p.m
	case 3:
		p.xs, gp, gs = xs, p, xs
	}
	m, k := entries(), entries()
	switch r.IntN(5) {
	case 0:
		k = m
	case 1:
		m = p.m
	case 2:
		gm = m
	}
	pi := new(int)
	switch r.IntN(6) {
	case 0:
		pi = &p.x
	case 1:
		pi = &q.k
	case 2:
		pi = &gx
	case 3:
		if len(xs) > 0 {
			pi = &xs[0]
		}
	case 4:
		pi = &p.tab[1]
	}
	c := make(chan int, r.IntN(3))
	for len(c) < cap(c) && r.IntN(2) == 0 {
		c <- num()
	}
	f := func(n int) int { return n }
	switch r.IntN(4) {
	case 0:
		f = func(n int) int { p.x, gx = n-1, n; return -n }
	case 1:
		f = func(n int) int { clear(m); q.next, gp = nil, nil; return gx }
	case 2:
		f = func(n int) int { p.xs, gs, p.E = nil, nil, E{}; q.m, *pi = nil, n; return p.x }
	}
	p.fn = f
	var it I = V(num())
	switch r.IntN(3) {
	case 0:
		it = p
	case 1:
		it = &swapper{p, q, m}
	}
	var y any
	switch r.IntN(4) {
	case 0:
		y = num()
	case 1:
		y = p
	case 2:
		y = "x"
	}
	g := &G[int8]{v: int8(num())}
	for range r.IntN(3) {
		g.xs = append(g.xs, int8(num()))
	}
	defer func() {
		if e := recover(); e != nil {
			report(e)
		}
	}()
	lock.Lock()
	current = fmt.Sprintf("F%d %d", n, seed)
	lock.Unlock()
	functions[n](num(), num(), uint8(num()), uint8(r.IntN(9)), xs, ys, p, q, [4]int{num(), 1, num(), 3}, y, []string{"", "A", "AB", "ABC", "BA", "\xff\xfeB"}[r.IntN(6)], m, k, c, pi, f, it, g)
}

func main() {
	for n := range functions {
		for seed := range CALLS {
			invoke(n, seed)
		}
	}
	fmt.Println("done", len(functions)*CALLS)
	os.Exit(0)
}
`
