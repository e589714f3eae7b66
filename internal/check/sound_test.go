package check

import (
	"slices"
	"strings"
	"testing"
)

// No assertion is verified that an execution breaks. Each program breaks at least one of its assertions of
// the named kind. "proved" beside that kind would be wrong for the last of these assertions.
func TestNeverProvesWhatFails(t *testing.T) {
	const asserts = "//assay:assert\nfunc holds(b bool) {}\n//assay:verified\nfunc verified(b bool, ids ...string) {}\n//assay:assumed\nfunc assumed(id string, b bool) {}\n"
	const point, inRange = "type P struct { x, y int }\n", "if p == nil || p.x < 0 || p.x >= len(xs) { return 0 }; "
	tests := []struct {
		name string
		kind Kind
		src  string
	}{
		// In these programs the length of a map changes.
		{"delete", Division, "func F(m map[int]int, k int) int { if len(m) == 0 { return 0 }; delete(m, k); return 10 / len(m) }"},
		{"clear", Division, "func F(m map[int]int) int { if len(m) == 0 { return 0 }; clear(m); return 10 / len(m) }"},
		{"delete by another name", Division, "func F(m, n map[int]int, k int) int { if len(m) == 0 { return 0 }; delete(n, k); return 10 / len(m) }"},
		{"delete in a loop", Division, "func F(m map[int]int) int { n := len(m); if n == 0 { return 0 }; for k := range m { delete(m, k) }; return 10 / len(m) }"},
		{"delete in a callee", Division, "func drop(m map[int]int) { delete(m, 0) }\nfunc F(m map[int]int) int { if len(m) == 0 { return 0 }; drop(m); return 10 / len(m) }"},
		{"delete in a closure", Division, "func F(m map[int]int) int { if len(m) == 0 { return 0 }; f := func() { delete(m, 0) }; f(); return 10 / len(m) }"},
		{"delete in a deferred call", Division, "func F(m map[int]int) (r int) { if len(m) == 0 { return 0 }; func() { defer delete(m, 0) }(); return 10 / len(m) }"},
		{"clear by a dependency", Division, "import \"maps\"\nfunc F(m map[int]int) int { if len(m) == 0 { return 0 }; maps.DeleteFunc(m, func(int, int) bool { return true }); return 10 / len(m) }"},
		{"insert by a dependency", Index, "import \"maps\"\nfunc F(m, n map[int]int) int { xs := [3]int{}; if len(m) > 2 { return 0 }; maps.Copy(m, n); return xs[len(m)] }"},
		{"delete of a converted map", Division, "type M map[int]int\nfunc F(m map[int]int) int { if len(m) == 0 { return 0 }; delete(M(m), 0); return 10 / len(m) }"},
		{"insert", Index, "func F(m map[int]int, k int) int { xs := [3]int{}; if len(m) > 2 { return 0 }; m[k] = 1; return xs[len(m)] }"},
		{"insert by another name", Index, "func F(m, n map[int]int, k int) int { xs := [3]int{}; if len(m) > 2 { return 0 }; n[k] = 1; return xs[len(m)] }"},
		{"insert in a callee", Index, "func put(m map[int]int, k int) { m[k] = 1 }\nfunc F(m map[int]int, k int) int { xs := [3]int{}; if len(m) > 2 { return 0 }; put(m, k); return xs[len(m)] }"},
		{"clear by another name", Division, "func F(m, n map[int]int) int { if len(m) == 0 { return 0 }; clear(n); return 10 / len(m) }"},
		{"a map of one's own that a callee clears", Division, "func drop(m map[int]int) { clear(m) }\nfunc F() int { m := map[int]int{1: 1}; drop(m); return 10 / len(m) }"},
		{"a map of one's own that a closure clears", Division, "func F() int { m := map[int]int{1: 1}; f := func() { clear(m) }; f(); return 10 / len(m) }"},
		{"a map of one's own that is returned by another name", Division, "func id(m map[int]int) map[int]int { return m }\nfunc F() int { m := map[int]int{1: 1}; n := id(m); clear(n); return 10 / len(m) }"},
		{"insert in a loop", Index, "func F(n int) int { m, xs := map[int]int{}, [3]int{}; for i := range n { m[i] = 1 }; return xs[len(m)] }"},
		{"a map in a field", Division, "type T struct { m map[int]int }\nfunc F(t *T) int { if len(t.m) == 0 { return 0 }; t.m = nil; return 10 / len(t.m) }"},
		{"a map in a variable", Division, "var m map[int]int\nfunc drop() { m = nil }\nfunc F() int { if len(m) == 0 { return 0 }; drop(); return 10 / len(m) }"},
		// What memory holds changes.
		{"a struct that is stored", Index, point + "func F(p, q *P, xs []int) int { " + inRange + "*q = P{x: 99}; return xs[p.x] }"},
		{"the struct itself that is stored", Index, point + "func F(p *P, xs []int) int { " + inRange + "*p = P{x: 99}; return xs[p.x] }"},
		{"an embedded struct that is stored", Index, "type E struct { x int }\ntype P struct { E }\nfunc F(p, q *P, xs []int) int { " + inRange + "q.E = E{99}; return xs[p.x] }"},
		{"a field by its address", Index, point + "func F(p *P, i *int, xs []int) int { " + inRange + "*i = 99; return xs[p.x] }"},
		{"a field in a callee", Index, point + "func set(p *P) { p.x = 99 }\nfunc F(p, q *P, xs []int) int { " + inRange + "set(q); return xs[p.x] }"},
		{"a field by its address in a callee", Index, point + "func set(i *int) { *i = 99 }\nfunc F(p *P, xs []int) int { " + inRange + "set(&p.x); return xs[p.x] }"},
		{"a struct in a callee", Index, point + "func set(p *P) { *p = P{x: 99} }\nfunc F(p, q *P, xs []int) int { " + inRange + "set(q); return xs[p.x] }"},
		{"an element in a callee", Index, point + "func set(ps []P) { ps[0] = P{x: 99} }\nfunc F(p *P, ps []P, xs []int) int { " + inRange + "set(ps); return xs[p.x] }"},
		{"an appended element in a callee", Index, point + "func add(ps []P) { _ = append(ps, P{x: 99}) }\nfunc F(p *P, ps []P, xs []int) int { " + inRange + "add(ps); return xs[p.x] }"},
		{"appended elements of another slice in a callee", Index, point + "func add(ps, qs []P) { _ = append(ps, qs...) }\nfunc F(p *P, ps, qs []P, xs []int) int { " + inRange + "add(ps, qs); return xs[p.x] }"},
		{"appended numbers in a callee", Index, "func add(is, js []int) { _ = append(is, js...) }\nfunc F(i *int, is, js, xs []int) int { if i == nil || *i < 0 || *i >= len(xs) { return 0 }; add(is, js); return xs[*i] }"},
		{"while a channel waits", Index, point + "func F(p *P, c chan int, xs []int) int { " + inRange + "<-c; return xs[p.x] }"},
		{"while a callee waits", Index, point + "func wait(c chan int) { <-c }\nfunc F(p *P, c chan int, xs []int) int { " + inRange + "wait(c); return xs[p.x] }"},
		{"in a goroutine", Index, point + "func F(p *P, xs []int) int { " + inRange + "go func() { p.x = 99 }(); return xs[p.x] }"},
		{"on one branch", Index, point + "func F(p *P, i *int, c bool, xs []int) int { " + inRange + "if c { *i = 99 }; return xs[p.x] }"},
		{"on the first branch", Index, point + "func F(p *P, i *int, c int, xs []int) int { " + inRange + "if c > 0 { *i = 99 } else { c = 1 }; return xs[p.x] + c }"},
		{"on the second branch", Index, point + "func F(p *P, i *int, c int, xs []int) int { " + inRange + "if c > 0 { c = 1 } else { *i = 99 }; return xs[p.x] + c }"},
		{"in a loop", Index, point + "func F(p *P, i *int, c int, xs []int) (r int) { " + inRange + "for ; c > 0; c-- { r += xs[p.x]; *i = 99 }; return r }"},
		{"a variable in a closure", Index, "func F(xs [3]int) int { i := 1; f := func() { i = 9 }; f(); return xs[i] }"},
		{"a variable by its address", Index, "func set(i *int) { *i = 9 }\nfunc F(xs [3]int) int { i := 1; set(&i); return xs[i] }"},
		{"an element of an array that is sliced", Index, "func F(xs [3]int) int { a := [2]int{1, 1}; s := a[:]; s[0] = 9; return xs[a[0]] }"},
		{"an element of an array in a callee", Index, "func set(s []int) { s[0] = 9 }\nfunc F(xs [3]int) int { a := [2]int{1, 1}; set(a[:]); return xs[a[0]] }"},
		{"an element of an array that is copied to", Index, "func F(xs [3]int, ys []int) int { a := [2]int{1, 1}; copy(a[:], ys); return xs[a[0]] }"},
		{"an element of an array that is appended to", Index, "func F(xs [3]int) int { a := [2]int{1, 1}; _ = append(a[:0], 9); return xs[a[0]] }"},
		{"a variable of the package in a callee", Index, "var g int\nfunc set() { g = 9 }\nfunc F(xs [3]int) int { g = 1; set(); return xs[g] }"},
		// In these programs the length of a channel changes.
		{"receive", Division, "func F(c chan int) int { if len(c) == 0 { return 0 }; <-c; return 10 / len(c) }"},
		{"receive by range", Division, "func F(c chan int) int { if len(c) == 0 { return 0 }; for range c { break }; return 10 / len(c) }"},
		{"receive by select", Division, "func F(c chan int) int { if len(c) == 0 { return 0 }; select { case <-c: default: }; return 10 / len(c) }"},
		{"send", Index, "func F() int { c, xs := make(chan int, 3), [1]int{}; if len(c) > 0 { return 0 }; c <- 1; return xs[len(c)] }"},
		{"receive elsewhere", Division, "func F(c chan int) int { if len(c) == 0 { return 0 }; return 10 / len(c) }"},
		// The longest slice that make can make depends on the size of an element.
		{"large elements", NegativeLength, "func F(n uint32) int { return len(make([][1<<20]byte, n)) }"},
		{"as many large ones", NegativeLength, "func F(s string) int { return len(make([][1<<20]byte, len(s))) }"},
		{"as many large ones as entries", NegativeLength, "func F(m map[int]int) int { return len(make([][1<<20]byte, len(m))) }"},
		{"a constant number of large ones", NegativeLength, "func F() int { return len(make([][1<<20]byte, 1<<30)) }"},
		{"a channel of large ones", NegativeLength, "func F(n uint) int { if n > 1<<40 { return 0 }; return cap(make(chan [1<<10]byte, n)) }"},
		{"a channel of many", NegativeLength, "func F(n uint) int { return cap(make(chan int, n)) }"},
		{"appended to what takes no memory", NegativeLength, "func F(xs, ys []struct{}) int { return len(append(xs, ys...)) }"},
		// An assertion that may fail proves neither itself nor another one.
		{"asserted twice", Assert, asserts + "func F(x int) { ok := x != -7; holds(ok); holds(ok) }"},
		{"asserted three times", Assert, asserts + "func F(x int) { ok := x != -7; holds(ok); holds(x != -7); holds(ok) }"},
		{"asserted again behind another one", Assert, asserts + "func F(x int) { ok := x*x > 3; holds(ok); if x > 5 { holds(ok) } }"},
		{"asserted as another type", Assert, asserts + "type B bool\nfunc F(x int) { b := B(x != -7); holds(bool(b)); c := b; holds(bool(c)) }"},
		{"asserted and compared", Assert, asserts + "func F(x int) { ok := x != -7; holds(ok == true); holds(ok != false); holds(ok && true) }"},
		{"asserted of a bound that follows", Assert, asserts + "func F(x int) { holds(x < 7); holds(x < 9) }"},
		{"asserted three times, each by the one before", Assert, asserts + "func F(x int) { holds(x < 7); holds(x < 9); holds(x < 11) }"},
		{"asserted behind an overflow", Assert, asserts + "func F(x int) { if x > 0 { y := x + 1; holds(y > 1); holds(y != 1) } }"},
		{"verified and asserted", Assert, asserts + "func F(x int) { ok := x != -7; verified(ok, \"a\"); holds(ok) }"},
		{"verified under two", Assert, asserts + "func F(x int) { assumed(\"a\", x > 5); assumed(\"b\", x < -9); ok := x != -7; verified(ok, \"a\"); verified(ok, \"b\") }"},
		{"verified on two branches", Assert, asserts + "func F(x int) { assumed(\"a\", x > 5); ok := x != -7; if x&1 > 0 { verified(ok, \"a\") } else { verified(ok) } }"},
		// Differences may be larger than an int64.
		{"a sum far above the least integer", Index, "func F(xs []int, x int) int { if x < 100 { y := x + 255; return xs[y&7] }; return 0 }"},
		{"a difference far above it", Index, "func F(xs []int, x int) int { if x < 100 { y := x - -255; return xs[y&7] }; return 0 }"},
		{"a sum far below the greatest", Index, "func F(xs []int, x int) int { if x > -100 { y := x + -255; return xs[y&7] }; return 0 }"},
		// A condition of an earlier turn of a loop says nothing about this turn.
		{"a flag of an earlier iteration", Index, `func F(xs []int, n int) int {
	l, i, ok := len(xs), 0, false
	for ; i < n; i++ { ok = i < l }
	if ok { return xs[i] }
	return 0
}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, pkg := build(t, tt.src)
			f := p.Analyse(pkg.Func("F"))
			found, verified := 0, 0
			for _, as := range f.Assertions {
				if as.Kind == tt.kind {
					found++
					if !as.Foreign && slices.ContainsFunc(as.Premise, func(c []int) bool { return ofItself(f, c) }) {
						verified++
					}
				}
			}
			if found == 0 || verified == found || tt.kind == Assert && verified > 0 {
				t.Errorf("%d of %d assertions of kind %s are verified in\n%s", verified, found, tt.kind, show(f))
			}
		})
	}
}

// ofItself reports whether the assumptions of a premise hold in every execution with one goroutine in which
// no argument is nil.
func ofItself(f *Function, conjunction []int) bool {
	return !slices.ContainsFunc(conjunction, func(i int) bool {
		as := f.Assumptions[i]
		return as.Instr != nil || as.Kind != Race && as.Kind != Receiver && as.Kind != NonNilArgs
	})
}

// An analysis that forgets too much would be of no use: facts stay known across instructions that do not
// affect them.
func TestStaysKnown(t *testing.T) {
	const asserts = "//assay:assert\nfunc holds(b bool) {}\n//assay:verified\nfunc verified(b bool, ids ...string) {}\n//assay:assumed\nfunc assumed(id string, b bool) {}\n"
	tests := []struct{ name, src, want string }{
		{"a length", "func F(m map[int]int) int { if len(m) == 0 { return 0 }; return 10 / len(m) }", "len(m) is not 0: race@2:6\n"},
		{"of a map of one's own", "func F(k int) int { m := map[int]int{}; m[k] = 1; return 10 / len(m) }", "is not 0: proved"},
		{"an update adds", "func F(m map[int]int, k int) int { m[k] = 1; return 10 / len(m) }", "len(m) is not 0: race@2:6\n"},
		{"another type of map", "func F(m map[int]int, n map[int]string) int { if len(m) == 0 { return 0 }; delete(n, 1); return 10 / len(m) }", "len(m) is not 0: race@2:6\n"},
		{"only one is deleted", "func F() int { m := map[int]int{1: 1, 2: 2}; n := len(m); delete(m, 1); holds(len(m) >= n-1); return 0 }\n" + asserts, ">= (len(...) - 1): proved"},
		{"an index of a channel", "func F(c chan int) int { n := len(c); holds(n <= cap(c)); return 0 }\n" + asserts, "assertion len(c) <= cap(c): proved"},
		{"the capacity of a channel", "func F(n int) int { if n < 1 || n > 9 { return 0 }; c := make(chan int, n); <-c; return 10 / cap(c) }", "cap(...) is not 0: proved"},
		{"as many keys", "func F(m map[string]int) []string { return make([]string, 0, len(m)) }", "0 is a length: proved"},
		{"as many twice as large", "func F(xs []int) []string { return make([]string, len(xs)) }", "is a length: proved"},
		{"32 bits of small ones", "func F(n uint32) int { return len(make([]int, n)) }", "is a length: proved"},
		{"stores into structs leave others alone", "type T struct { x int }\ntype U struct { y, z int }\nfunc F(t *T, u *U, xs []int) int { if t.x < 0 || t.x >= len(xs) { return 0 }; *u = U{}; return xs[t.x] }", "len(xs): race@"},
		{"a verified condition again", asserts + "func F(x int) { ok := x*x != 7; verified(ok, \"a\"); verified(ok, \"b\"); assumed(\"a\", x > 5); assumed(\"b\", x < -9) }", "assertion (x * x) != 7: a b\nassertion (x * x) != 7: b a\n"},
		{"a sum of two squares", "func F(x, y int16) int { dx, dy := int(x)-3, int(y)+4; d := dx*dx + dy*dy; holds(d >= 0); return 0 }\n" + asserts, ">= 0: proved"},
		{"squares of conversions", "func F(x int16) int { holds(int(x)*int(x) >= 0); return 0 }\n" + asserts, ">= 0: proved"},
		{"behind what was asserted", asserts + "func F(x int) int { holds(x > 0); return 10 / x }", "x is not 0: proved"},
		{"an assertion behind what proves it", asserts + "func F(x int) { ok := x > 3; holds(ok); if x > 5 { holds(ok) } }", "x > 3: unverified\nassertion x > 3: proved"},
		{"an assertion that may fail proves no other one", asserts + "func F(x int) { ok := x > 3; holds(ok); holds(x > 5); holds(ok) }", "x > 3: unverified\nassertion x > 5: unverified\nassertion x > 3: unverified"},
		{"one that holds does", asserts + "func F(x int) { i := 0; for i < 9 { holds(i < 9); i++ }; holds(i >= 9); holds(i > 7); holds(x > 3) }", "i >= 9: proved\nassertion i > 7: proved\nassertion x > 3: unverified"},
		{"a condition that is verified on each branch", asserts + "func F(x, y int) { assumed(\"a\", x > 5); assumed(\"b\", x < 90); ok := y != 7; if x&1 > 0 { verified(ok, \"a\") } else { verified(ok, \"b\") } }", "y != 7: a\nassertion y != 7: b\n"},
		{"a flag of this iteration", "func F(xs []int, i int) int { l, ok := len(xs), false; if i > 0 { ok = i < l }; if ok { return xs[i] }; return 0 }", "len(xs): unverified"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, pkg := build(t, tt.src)
			if got := show(p.Analyse(pkg.Func("F"))); !strings.Contains(got, tt.want) {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
}
