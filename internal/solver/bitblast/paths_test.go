package bitblast

import (
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// These small explorers are written by hand, and use a Context as the virtual machine does. They measure
// path conditions without a machine around them.

type explorer struct {
	st    *term.Store
	x     *solver.Context
	paths int
}

func newExplorer(cfg solver.Config) *explorer {
	st := term.NewStore()
	return &explorer{st: st, x: solver.NewContext(st, New(st, Config{}), cfg)}
}

// branch runs the continuation on each feasible side.
func (e *explorer) branch(p *solver.PathCond, c term.ID, then func(p *solver.PathCond, on bool)) {
	on, off := e.x.Branch(p, c)
	switch {
	case on == solver.Unknown || off == solver.Unknown:
		panic("unknown")
	case on == solver.Sat && off == solver.Sat:
		q := p.Fork()
		e.x.Assume(p, c)
		then(p, true)
		e.x.Assume(q, e.st.Not(c))
		then(q, false)
	case on == solver.Sat:
		then(p, true)
	default:
		then(p, false)
	}
}

func (e *explorer) done(p *solver.PathCond) { e.paths++; p.Release() }

// base64 explores subjects/paths' Base64x4 and x8: 1424 and 890624 paths.
func base64(n int, cfg solver.Config) *explorer {
	e := newExplorer(cfg)
	var in []term.ID
	for i := range n {
		in = append(in, e.st.Var(8, string(rune('a'+i))))
	}
	k := func(c byte) term.ID { return e.st.Const(8, uint64(c)) }
	var step func(p *solver.PathCond, i, pad int)
	digit := func(p *solver.PathCond, c term.ID, then func(p *solver.PathCond, ok bool)) {
		ranges := [][2]byte{{'A', 'Z'}, {'a', 'z'}, {'0', '9'}}
		var next func(p *solver.PathCond, r int)
		next = func(p *solver.PathCond, r int) {
			if r == 3 {
				e.branch(p, e.st.Eq(c, k('+')), func(p *solver.PathCond, on bool) {
					if on {
						then(p, true)
						return
					}
					e.branch(p, e.st.Eq(c, k('/')), then)
				})
				return
			}
			e.branch(p, e.st.Ule(k(ranges[r][0]), c), func(p *solver.PathCond, on bool) {
				if !on {
					next(p, r+1)
					return
				}
				e.branch(p, e.st.Ule(c, k(ranges[r][1])), func(p *solver.PathCond, on bool) {
					if on {
						then(p, true)
					} else {
						next(p, r+1)
					}
				})
			})
		}
		next(p, 0)
	}
	step = func(p *solver.PathCond, i, pad int) {
		if i == n {
			e.done(p)
			return
		}
		plain := func(p *solver.PathCond) {
			if pad > 0 {
				e.done(p)
				return
			}
			digit(p, in[i], func(p *solver.PathCond, ok bool) {
				if ok {
					step(p, i+1, pad)
				} else {
					e.done(p)
				}
			})
		}
		if i >= n-4 && i%4 >= 2 {
			e.branch(p, e.st.Eq(in[i], k('=')), func(p *solver.PathCond, on bool) {
				if on {
					step(p, i+1, pad+1)
				} else {
					plain(p)
				}
			})
			return
		}
		plain(p)
	}
	step(e.x.NewPath(), 0, 0)
	return e
}

// bst explores the insertion of n keys into a search tree: 75, 541, 4683 paths for 4, 5, 6.
func bst(n int, cfg solver.Config) *explorer {
	e := newExplorer(cfg)
	type node struct {
		key         term.ID
		left, right *node
	}
	var keys []term.ID
	for i := range n {
		keys = append(keys, e.st.Var(32, string(rune('a'+i))))
	}
	// insert returns the new tree: nodes are copied on the way.
	var insert func(p *solver.PathCond, t *node, k term.ID, then func(p *solver.PathCond, t *node))
	insert = func(p *solver.PathCond, t *node, k term.ID, then func(p *solver.PathCond, t *node)) {
		if t == nil {
			then(p, &node{key: k})
			return
		}
		e.branch(p, e.st.Slt(k, t.key), func(p *solver.PathCond, on bool) {
			if on {
				insert(p, t.left, k, func(p *solver.PathCond, l *node) { then(p, &node{t.key, l, t.right}) })
				return
			}
			e.branch(p, e.st.Slt(t.key, k), func(p *solver.PathCond, on bool) {
				if on {
					insert(p, t.right, k, func(p *solver.PathCond, r *node) { then(p, &node{t.key, t.left, r}) })
				} else {
					then(p, t)
				}
			})
		})
	}
	var all func(p *solver.PathCond, t *node, i int)
	all = func(p *solver.PathCond, t *node, i int) {
		if i == n {
			if _, v := e.x.Model(p); v != solver.Sat {
				panic("no model")
			}
			e.done(p)
			return
		}
		insert(p, t, keys[i], func(p *solver.PathCond, t *node) { all(p, t, i+1) })
	}
	all(e.x.NewPath(), nil, 0)
	return e
}

// bubble explores bubble sort of n numbers: n! paths.
func bubble(n int, cfg solver.Config) *explorer {
	e := newExplorer(cfg)
	a := make([]term.ID, n)
	for i := range n {
		a[i] = e.st.Var(32, string(rune('a'+i)))
	}
	var step func(p *solver.PathCond, a []term.ID, i, j int)
	step = func(p *solver.PathCond, a []term.ID, i, j int) {
		switch {
		case i == n-1:
			e.done(p)
			return
		case j == n-1-i:
			step(p, a, i+1, 0)
			return
		}
		e.branch(p, e.st.Slt(a[j+1], a[j]), func(p *solver.PathCond, on bool) {
			if on {
				b := append([]term.ID(nil), a...)
				b[j], b[j+1] = b[j+1], b[j]
				step(p, b, i, j+1)
			} else {
				step(p, a, i, j+1)
			}
		})
	}
	step(e.x.NewPath(), a, 0, 0)
	return e
}

// gcd explores Euclid's algorithm on 16 bits up to 8 steps.
func gcd(cfg solver.Config) *explorer {
	e := newExplorer(cfg)
	var step func(p *solver.PathCond, a, b term.ID, n int)
	step = func(p *solver.PathCond, a, b term.ID, n int) {
		if n == 8 {
			e.done(p)
			return
		}
		e.branch(p, e.st.Eq(b, e.st.Const(16, 0)), func(p *solver.PathCond, on bool) {
			if on {
				e.done(p)
			} else {
				step(p, b, e.st.URem(a, b), n+1)
			}
		})
	}
	step(e.x.NewPath(), e.st.Var(16, "a"), e.st.Var(16, "b"), 0)
	return e
}

// fnv explores a search for 4 bytes whose FNV-1a hash has certain low bits set.
func fnv(cfg solver.Config) *explorer {
	e := newExplorer(cfg)
	p := e.x.NewPath()
	h := e.st.Const(32, 2166136261)
	var step func(p *solver.PathCond, h term.ID, i int)
	step = func(p *solver.PathCond, h term.ID, i int) {
		if i == 4 {
			e.done(p)
			return
		}
		h = e.st.Mul(e.st.Xor(h, e.st.ZExt(e.st.Var(8, string(rune('a'+i))), 32)), e.st.Const(32, 16777619))
		e.branch(p, e.st.Ult(e.st.And(h, e.st.Const(32, 0xFFFF)), e.st.Const(32, 1000)), func(p *solver.PathCond, _ bool) {
			step(p, h, i+1)
		})
	}
	step(p, h, 0)
	return e
}

// triangle explores subjects/paths' Triangle.
func triangle(cfg solver.Config) *explorer {
	e := newExplorer(cfg)
	st := e.st
	a, b, c := st.Var(32, "a"), st.Var(32, "b"), st.Var(32, "c")
	type pc = *solver.PathCond
	var chain func(p pc, cs []func(p pc, then func(pc, bool)), then func(pc, bool))
	// chain stops at the first condition that holds.
	chain = func(p pc, cs []func(p pc, then func(pc, bool)), then func(pc, bool)) {
		if len(cs) == 0 {
			then(p, false)
			return
		}
		cs[0](p, func(p pc, on bool) {
			if on {
				then(p, true)
			} else {
				chain(p, cs[1:], then)
			}
		})
	}
	is := func(c term.ID) func(p pc, then func(pc, bool)) {
		return func(p pc, then func(pc, bool)) { e.branch(p, c, then) }
	}
	notExceeds := func(a, b, c term.ID) func(p pc, then func(pc, bool)) {
		return func(p pc, then func(pc, bool)) {
			e.branch(p, st.Slt(st.Sub(st.Const(32, 1<<31-1), b), a), func(p pc, on bool) {
				if on {
					then(p, false)
					return
				}
				e.branch(p, st.Slt(c, st.Add(a, b)), func(p pc, on bool) { then(p, !on) })
			})
		}
	}
	zero := st.Const(32, 0)
	chain(e.x.NewPath(), []func(p pc, then func(pc, bool)){
		is(st.Sle(a, zero)), is(st.Sle(b, zero)), is(st.Sle(c, zero)),
		notExceeds(a, b, c), notExceeds(b, c, a), notExceeds(a, c, b),
	}, func(p pc, invalid bool) {
		if invalid {
			e.done(p)
			return
		}
		e.branch(p, st.Eq(a, b), func(p pc, on bool) {
			rest := func(p pc) {
				chain(p, []func(p pc, then func(pc, bool)){is(st.Eq(a, b)), is(st.Eq(b, c)), is(st.Eq(a, c))}, func(p pc, _ bool) { e.done(p) })
			}
			if !on {
				rest(p)
				return
			}
			e.branch(p, st.Eq(b, c), func(p pc, on bool) {
				if on {
					e.done(p)
				} else {
					rest(p)
				}
			})
		})
	})
	return e
}

func TestPathCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(solver.Config) *explorer
		want int
	}{
		{"Base64x4", func(c solver.Config) *explorer { return base64(4, c) }, 1424},
		{"BST4", func(c solver.Config) *explorer { return bst(4, c) }, 75},
		{"BST5", func(c solver.Config) *explorer { return bst(5, c) }, 541},
		{"Bubble5", func(c solver.Config) *explorer { return bubble(5, c) }, 120},
		{"Triangle", triangle, 32},
		{"fnv", fnv, 16},
	} {
		for _, cfg := range []solver.Config{{Validate: true}, {NoDomains: true, NoOrder: true}} {
			if cfg.NoDomains && c.name == "Base64x4" {
				continue
			}
			e := c.run(cfg)
			if e.paths != c.want {
				t.Errorf("%s: %d paths, want %d", c.name, e.paths, c.want)
			}
			t.Logf("%s: %+v", c.name, e.x.Stats())
		}
	}
}

func benchPaths(b *testing.B, run func(solver.Config) *explorer) {
	b.ReportAllocs()
	for b.Loop() {
		e := run(solver.Config{})
		s := e.x.Stats()
		b.ReportMetric(float64(e.paths), "paths")
		b.ReportMetric(float64(s.Backend), "queries")
	}
}

func BenchmarkBase64x4(b *testing.B) {
	benchPaths(b, func(c solver.Config) *explorer { return base64(4, c) })
}
func BenchmarkBase64x8(b *testing.B) {
	benchPaths(b, func(c solver.Config) *explorer { return base64(8, c) })
}
func BenchmarkBST6(b *testing.B) {
	benchPaths(b, func(c solver.Config) *explorer { return bst(6, c) })
}
func BenchmarkBubble7(b *testing.B) {
	benchPaths(b, func(c solver.Config) *explorer { return bubble(7, c) })
}
func BenchmarkTriangle(b *testing.B) { benchPaths(b, triangle) }
func BenchmarkGCD(b *testing.B)      { benchPaths(b, gcd) }
func BenchmarkFNV(b *testing.B)      { benchPaths(b, fnv) }
