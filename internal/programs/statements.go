package programs

import (
	"strings"
)

// maxDepth is how deep statements nest.
const maxDepth = 4

// statement writes a statement.
func (p *writer) statement() {
	if p.depth > maxDepth {
		p.line("r++")
		return
	}
	switch n := p.rnd.IntN(100); {
	case n < 18:
		p.line("%s = %s", p.one(p.scope.ints...), p.number(2))
	case n < 21:
		p.line("u = " + p.one("u+v", "u-v", "u*3", "v>>1", "u&15", "uint8(a)", "u|v", "u^v", "u<<1", "uint8(len(m))"))
	case n < 24:
		p.line("%s = %s", p.one(p.scope.flags...), p.condition())
	case n < 30:
		p.guarded()
	case n < 36:
		p.branch()
	case n < 44:
		p.loop()
	case n < 50:
		p.line(strings.ReplaceAll(p.one("xs = xs[N:]", "xs = xs[:N]", "ys = xs[N:]", "ys = ys[:N]", "xs = append(xs, N)", "xs = append(ys, xs...)", "p.xs = xs", "xs = p.xs", "gs = xs", "gs = gs[N:]", "p.xs = append(p.xs, N)", "copy(xs, ys)", "clear(xs)", "xs = nil", "xs, ys = ys, xs"),
			"N", p.one("1", "2", "len(xs)/2", "len(ys)", "a", "b")))
		p.line("tick(len(xs) + len(p.xs))")
	case n < 58:
		p.line(p.one("p = q", "q, p = p, q", "q = &P{x: a, y: b}", "p = (*P)((*Q)(q))", "set(p, a)", "setQ((*Q)(q))", "p.next = q", "p.next = nil", "p.next = p", "gp = p", "gp = nil", "*p = *q", "p.E = q.E", "p.E = E{k: a}", "*q = P{x: b}", "pi = &p.x", "pi = &q.y", "pi = &a", "pi = &p.k", "pi = &ar[2]", "pi = &la[1]", "setInt(pi, b)", "setInt(&p.w, a)", "p = p.Self()", "q.Drop()", "touch()", "p.Bump()", "q.Inc(a)", "p.Put(b)", "q.E.Bump()", "*p.Tab(a) = b", "{ e := &p.E; e.k = b }", "{ e := p.E; e.k = b }", "{ s := S{p, q}; s.q.x, s.p.y = a, b }"))
	case n < 65:
		p.line(strings.ReplaceAll(p.one("M[a] = b", "if M != nil { M[a] = 1 }", "delete(M, a)", "clear(M)", "M = map[int]int{a: b}", "drop(M)", "if M != nil { insert(M) }", "for k := range M { delete(M, k); break }", "for k := range M { delete(M, k) }", "for k, w := range M { r += k + w }", "M = nil", "m, n = n, m", "p.m = m", "if w, is := M[b]; is { a = w }", "M = m"), "M", p.one("m", "n", "p.m", "gm", "m")))
	case n < 70:
		p.channel()
	case n < 77:
		p.line(p.one("it.Put(a)", "a = it.Get()", "b = f(a)", "it = p", "it = V(a)", "it = I(q)", "if p.fn != nil { a = p.fn(b) }", "p.fn = f", "gf = f", "f = gf", "r += gf(a)", "y = a", "y = p", "y = it", "call(touch)", "{ h := p.Put; h(a) }", "{ h := (*P).Put; h(q, b) }", "p.Each(func(n int) { a = n })", "each(xs, func(i, x int) { b = i })", "each(ys, func(i, x int) { xs[i] = x })"))
	case n < 84:
		p.closure()
	case n < 88:
		p.goroutine()
	case n < 91:
		p.line(p.one("g.Push(int8(a))", "g.Pop()", "a = int(g.Pop())", "g.xs = nil", "g.v = int8(b)", "a = least(a, b)", "{ h := G[uint8]{v: u}; h.Push(v); r += int(h.Pop()) }", "r += nth(ys, b)", "{ h := *g; h.v, h.xs = 0, nil }"))
	case n < 95:
		p.line("r += %s[%s]", p.one("xs", "ys", "gs", "p.xs"), p.number(1))
	default:
		p.line(p.one("la[u&3] = a", "la[a&3] = b", "{ pa := &la; pa[1] = 9; pa[b&3] = 77 }", "for i := range la { la[i] = i * b }", "{ ls := la[:]; ls[a&1] = 50 }", "la = ar", "copy(la[1:], xs)", "ar = la",
			"switch a { case 1: b = 2; case 2, 3: b = a; default: a = 0 }", "switch w := y.(type) { case int: a = w; case *P: w.x = b; case nil: }", "if w, is := y.(int); is { a = w }", "if w, is := it.(*P); is && w != nil { w.x = a }",
			"{ c := [...]int{1, 2, 3}; c[u%3] = 7; r += xs[c[0]] }", "{ z := make([]int, a&7); r += z[len(z)/2] }", "mu.Lock(); gx = b; mu.Unlock()", "r += len(xs[:len(xs):cap(xs)])", "s = s + \"B\"", "if len(s) > 1 { s = s[1:] }"))
	}
}

// branch writes an if or a switch.
func (p *writer) branch() {
	p.line("if %s {", p.condition())
	p.block(p.statement)
	if p.chance(50) {
		p.line("} else {")
		p.block(p.statement)
	}
	p.line("}")
}

// loop writes a loop with a use of its variable.
func (p *writer) loop() {
	i := p.name("i")
	header := p.one("for I := 0; I < len(xs); I++ {", "for I := range xs {", "for I := 0; I < 3; I++ {", "for I := len(xs) - 1; I >= 0; I-- {", "for I := 0; I+1 < len(ys); I += 2 {", "for I := 1; I <= len(xs); I++ {",
		"for I := range len(ys) {", "for I := range count(len(xs)) {", "for I, w := range s { _ = w", "for I := 0; ok && I < len(xs); I++ {", "for I := range m {", "for I, w := range ys { a = w", "for I := 0; I < len(p.xs); I++ {", "for I := range p.xs {", "for I := range 4 {", "for I := len(m); I > 0; I-- {")
	p.line(strings.ReplaceAll(header, "I", i))
	assigned := strings.Contains(header, "I++") || strings.Contains(header, "I--") || strings.Contains(header, "I += 2")
	p.block(func() {
		p.line("tick(len(xs))")
		p.line("_ = " + i)
		if assigned {
			p.scope.ints = append(p.scope.ints, i)
		}
		p.scope.reads = append(p.scope.reads, i)
		use := strings.ReplaceAll(p.one("r += xs[I]", "r += ys[I]", "r += la[I&3]", "r += xs[I-1]", "r += ys[I+1]", "la[I&3] = 100", "r += xs[len(xs)-I-1]", "xs[I] = a", "r += p.xs[I]", "ok = I < len(ys)", "b = I", "no = I+1 < len(xs)", "r += int(s[I])", "r += ar[I]"), "I", i)
		if p.chance(70) {
			p.line(use)
		}
		p.statement()
		if p.chance(40) {
			p.line(use)
		}
		if p.chance(20) {
			p.line("if %s { %s }", p.condition(), p.one("break", "continue", "return r"))
		}
	})
	p.line("}")
}

// channel writes statements with channels. None waits for a goroutine that may not come.
func (p *writer) channel() {
	switch p.rnd.IntN(4) {
	case 0:
		p.line(p.one("take(c)", "give(c)", "select { case <-c: default: }", "select { case c <- a: default: }", "select { case w := <-c: a = w; default: b = 0 }", "if len(c) > 0 { a = <-c }", "if len(c) < cap(c) { c <- b }", "c = make(chan int, 3)", "c = nil"))
	case 1:
		ch := p.name("ch")
		p.line("%s := make(chan int, 2)", ch)
		p.line(strings.ReplaceAll(p.one("C <- a", "close(C)", "C <- 1; close(C)", "if ok { close(C) }"), "C", ch))
		p.statement()
		p.line(strings.ReplaceAll(p.one("select { case C <- b: default: }", "close(C)", "holds(len(C) <= 2)", "holds(len(C) == 1)", "r += 10 / cap(C)", "r += 10 / len(C)", "select { case a = <-C: default: }"), "C", ch))
	case 2:
		ch := p.name("ch")
		p.line("%s := make(chan int, 3)", ch)
		p.line("%s <- 1", ch)
		p.line("close(%s)", ch)
		p.line("for w := range %s {", ch)
		p.block(func() { p.line("r += w"); p.statement() })
		p.line("}")
	default:
		p.line("if w, is := recv(c); is {")
		p.block(func() { p.line("a = w"); p.statement() })
		p.line("}")
	}
}

// closure writes function literals that are called at once, deferred, recovered from, or stored.
func (p *writer) closure() {
	switch p.rnd.IntN(6) {
	case 0:
		f := p.name("f")
		p.line("%s := func() {", f)
		p.block(p.body)
		p.line("}")
		p.statement()
		p.line("%s()", f)
	case 1:
		p.line("defer func() {")
		p.block(p.body)
		p.line("}()")
	case 2:
		p.line("func() {")
		p.block(func() { p.line("defer rescue()"); p.body() })
		p.line("}()")
	case 3:
		f := p.name("f")
		p.line("%s := func(k int) int {", f)
		p.block(func() { p.scope.ints = append(p.scope.ints, "k"); p.body(); p.line("return k + a") })
		p.line("}")
		p.line(strings.ReplaceAll(p.one("f = F", "b = F(a)", "p.fn = F", "gf = F", "a = F(F(1))"), "F", f))
	case 4:
		p.line("call(func() {")
		p.block(p.body)
		p.line("})")
	default:
		f := p.name("f")
		p.line("var %s func(k int)", f)
		p.line("%s = func(k int) {", f)
		p.block(func() {
			p.line("if k > 0 { tick(0); %s(k - 1) }", f)
			p.scope.ints = append(p.scope.ints, "k")
			p.body()
		})
		p.line("}")
		p.line("%s(a & 3)", f)
	}
}

// body writes one or two statements of a function literal. None of them returns.
func (p *writer) body() {
	p.line("tick(0)")
	for range 1 + p.rnd.IntN(2) {
		at := p.b.Len()
		p.statement()
		text := p.b.String()
		if strings.Contains(text[at:], "return r\n") || strings.Contains(text[at:], "return r }") {
			// A return statement would return from the literal, so other statements are written instead.
			p.b.Reset()
			p.b.WriteString(text[:at])
			p.line("%s = %s", p.one(p.scope.ints...), p.number(1))
		}
	}
}

// goroutine writes a goroutine and waits for its end.
func (p *writer) goroutine() {
	done := p.name("done")
	p.line("%s := make(chan bool, 1)", done)
	p.line("go func() {")
	p.block(func() {
		p.line("defer func() { %s <- true }()", done)
		p.line("defer rescue()")
		p.body()
	})
	p.line("}()")
	if p.chance(30) {
		p.line("r += len(xs)")
	}
	if p.chance(90) {
		p.line("<-%s", done)
	} else {
		p.line("defer func() { <-%s }()", done)
	}
}
