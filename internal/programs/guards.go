package programs

import (
	"fmt"
	"strings"
)

// number returns an expression of type int that is not constant.
func (p *writer) number(depth int) string {
	if depth == 0 || p.chance(40) {
		of := append(append([]string{"len(xs)", "len(ys)", "int(u)", "int(v)", "len(m)", "len(n)", "len(c)", "len(p.m)", "len(s)", "cap(xs)", "len(gs)", "len(gm)", "int(g.v)"}, p.scope.ints...), p.scope.reads...)
		return p.one(append(of, p.scope.ints...)...)
	}
	x, y := p.number(depth-1), p.number(depth-1)
	if p.chance(50) {
		y = p.one("0", "1", "2", "3", "7", "8", "15", "100", "127", "255", "-1", "-128")
	}
	switch p.rnd.IntN(12) {
	case 0:
		return fmt.Sprintf("(%s)%s%s", x, p.one("/", "%"), p.one("2", "3", "7"))
	case 1:
		return fmt.Sprintf("(%s)%s%s", x, p.one("<<", ">>"), p.one("1", "3", "(u&7)"))
	case 2:
		return fmt.Sprintf("%s(%s, %s)", p.one("min", "max", "least"), x, y)
	case 3:
		return fmt.Sprintf("int(%s(%s))", p.one("uint8", "int8", "uint16", "int32", "uint32", "uint64", "V", "uint"), x)
	case 4:
		return p.one("p.Get()", "it.Get()", "p.E.Sum()", "p.Sum()", "m[a]", "f(a)", "nth(xs, a)", "*p.Tab(a)", "int(g.Pop())", "V(a).Get()", "-a", "^b", "p.Self().x", "int(least(u, v))", "int(least(int8(a), g.v))")
	}
	return fmt.Sprintf("(%s) %s (%s)", x, p.one("+", "-", "+", "-", "*", "&", "|", "^", "&^"), y)
}

func (p *writer) condition() string {
	c := fmt.Sprintf("%s %s %s", p.number(1), p.one("<", "<=", ">", ">=", "==", "!="), p.number(1))
	switch p.rnd.IntN(9) {
	case 0:
		return c + " && " + p.condition()
	case 1:
		return c + " || " + p.condition()
	case 2:
		return p.one(p.scope.flags...)
	case 3:
		return "!" + p.one(p.scope.flags...)
	case 4:
		return p.one("p == q", "p.next == nil", "gp != nil", "m == nil", "f != nil", "it != nil", "y != nil", "p.xs != nil", "s == \"\"", "s != \"AB\"", "pi == &p.x", "p.fn != nil", "xs == nil")
	}
	return c
}

// guard is a use and a condition. The condition is right for the use, nearly right, or unrelated. In their
// texts I stands for an integer variable, X for a slice or array, M for a map, and N for something that may
// be nil.
type guard struct {
	conds []string
	uses  []string
}

// guards has the comparisons that functions make, and the uses that rely on these comparisons.
var guards = []guard{
	{ // an index
		[]string{"I >= 0 && I < len(X)", "I > 0 && I <= len(X)-1", "I > -1 && I+1 <= len(X)", "I >= 0 && I != len(X)", "I >= 0 && I <= len(X)", "I != -1 && I < len(X)", "uint(I) < uint(len(X))", "0 <= I && len(X) > I"},
		[]string{"r += X[I]", "X[I] = b", "X[I]++", "r += len(X[I:])", "r += len(X[:I])"},
	},
	{ // a length
		[]string{"len(X) > 0", "len(X) != 0", "len(X) >= 1", "len(X) > 1", "len(X)-1 >= 0"},
		[]string{"r += X[0]", "r += X[len(X)-1]", "r += 10 / len(X)", "r += len(X[1:])", "r += X[len(X)/2]", "r += X[int(u)%len(X)]"},
	},
	{ // a slice that is cut
		[]string{"I >= 0 && I <= len(X)", "I >= 0 && I <= cap(X)", "I <= len(X)", "I > 0 && I < len(X)"},
		[]string{"r += len(X[I:])", "r += len(X[:I])", "r += cap(X[:I:I])", "r += X[I:][0]"},
	},
	{ // text
		[]string{"len(s) > 1", "len(s) > 2 && a >= 0", "s != \"\"", "a >= 0 && a < len(s)", "index(s) >= 0", "strings.IndexByte(s, 'B') > 0", "strings.HasPrefix(s, \"AB\")"},
		[]string{"r += int(s[1])", "r += int(s[0])", "r += int(s[a])", "r += len(s[1:])", "r += int(s[len(s)-1])", "r += int(s[strings.IndexByte(s, 'B')])"},
	},
	{ // a divisor
		[]string{"I != 0", "I > 0", "I < 0 || I > 0", "I >= 0", "I != 1"},
		[]string{"r += 10 / I", "r += b % I", "r += 10 / (I + 1)", "r += 10 / (I * I)"},
	},
	{ // a map's length
		[]string{"len(M) != 0", "len(M) > 0", "len(M) >= 1", "len(M) > 1", "M != nil"},
		[]string{"r += 10 / len(M)", "r += b % len(M)", "holds(len(M) > 0)", "r += 10 / (len(M) - 1)"},
	},
	{ // a map that is not nil
		[]string{"M != nil", "len(M) > 0", "M == nil"},
		[]string{"M[a] = b", "M[a]++", "delete(M, a)"},
	},
	{ // few entries
		[]string{"len(M) < 4", "len(M) <= 3", "len(M) == 2", "len(M) < 4 && M != nil"},
		[]string{"r += ar[len(M)]", "la[len(M)] = 1", "holds(len(M) < 5)", "holds(len(M) < 4)", "r += p.tab[len(M)&3]"},
	},
	{ // a channel
		[]string{"len(c) != 0", "len(c) > 0", "len(c) < cap(c)", "cap(c) > 0", "c != nil"},
		[]string{"r += 10 / len(c)", "r += 10 / cap(c)", "holds(len(c) <= cap(c))", "r += 10 / (cap(c) - len(c))", "holds(len(c) > 0)"},
	},
	{ // a pointer
		[]string{"N != nil", "N != nil && N.x > 0", "N == nil", "N == p", "N == nil || N.x > 0"},
		[]string{"r += N.x", "N.x = a", "N.Put(a)", "r += N.k", "N.E.w = 1", "N.m = m"},
	},
	{ // a pointer to another one
		[]string{"N != nil && N.next != nil", "N.next != nil"},
		[]string{"r += N.next.x", "N.next.x = 1", "N = N.next"},
	},
	{ // functions and interfaces
		[]string{"f != nil", "it != nil", "p.fn != nil", "gf != nil"},
		[]string{"r += f(1)", "it.Put(2)", "r += p.fn(1)", "r += gf(1)", "r += it.Get()"},
	},
	{ // dynamic types
		[]string{"isInt(y)", "y != nil", "y == 1"},
		[]string{"r += y.(int)", "r += y.(I).Get()", "r += it.(*P).x"},
	},
	{ // relations
		[]string{"I < J", "I <= J", "I == J", "I > 3", "I >= 0 && I < 100", "I == J && J == 3", "I < len(X) && J < I", "I != J"},
		[]string{"holds(I < J)", "holds(I <= J)", "holds(I != J)", "holds(I+1 <= J)", "holds(I > 0)", "holds(J-I > 0)", "holds(I < 200)", "holds(I>>1 < 50)", "holds(I < len(X))", "holds(I&7 <= I)", "holds(I/2 <= I)", "holds((I+J)/2 >= I)", "holds(I%4 < 4)"},
	},
	{ // lengths that are asked for
		[]string{"I >= 0", "I >= 0 && I < 100", "I < 100", "I >= 0 && J >= I"},
		[]string{"r += len(make([]int, I&127))", "r += len(make([]int, min(I, 100)))", "r += len(make([]int, min(I, 9), min(J, 99)))", "r += cap(make(chan int, min(I, 50)))", "r += a << I", "r += a >> (J - I)"},
	},
	{ // conversions of slices
		[]string{"len(X) >= 2", "len(X) > 1", "len(X) >= 4", "len(X) == 3", "cap(X) >= 2"},
		[]string{"r += [2]int(X)[1]", "r += (*[2]int)(X)[0]", "r += len(X[:2])", "r += X[1]"},
	},
	{ // the content of a generic object
		[]string{"len(g.xs) > 0", "g.v >= 0", "len(g.xs) > 1", "g.v > 0 && int(g.v) < len(X)"},
		[]string{"r += int(g.xs[0])", "r += ar[g.v&3]", "r += X[g.v]", "r += 10 / int(g.v)", "r += int(g.xs[len(g.xs)-1])"},
	},
}

// fill replaces the letters of guards by expressions.
func (p *writer) fill() *strings.Replacer {
	i, j := p.one(p.scope.ints...), p.one(append(p.scope.ints, p.scope.reads...)...)
	x := p.one("xs", "ys", "xs", "p.xs", "gs", "q.xs")
	m := p.one("m", "n", "m", "p.m", "gm", "q.m")
	n := p.one("p.next", "gp", "q.next", "p", "gp.next")
	return strings.NewReplacer("IndexByte", "IndexByte", "I", i, "J", j, "X", x, "M", m, "N", n)
}

// guarded writes a condition, a few statements, and a use that relies on the condition.
func (p *writer) guarded() {
	g := guards[p.rnd.IntN(len(guards))]
	fill := p.fill()
	text := func(of []string) string {
		t := p.one(of...)
		if strings.HasPrefix(t, "isInt") || strings.Contains(t, "y.(I)") || strings.Contains(t, "it.(*P)") {
			return t
		}
		return fill.Replace(t)
	}
	cond, use := text(g.conds), text(g.uses)
	between := func(n int) {
		for range p.rnd.IntN(n) {
			p.statement()
		}
	}
	if p.chance(10) {
		cond += " && " + p.condition()
	}
	switch {
	case cond == "isInt(y)":
		p.line("if _, is := y.(int); is {")
		p.block(func() { between(3); p.line(use) })
		p.line("}")
	case p.chance(12):
		// The condition is stored in a variable first.
		flag := p.one("ok", "no", "p.ok", "gok")
		p.line("%s = %s", flag, cond)
		between(3)
		p.line("if %s {", flag)
		p.block(func() { between(2); p.line(use) })
		p.line("}")
	case p.chance(12) && !strings.Contains(cond, ":="):
		// If the condition does not hold, the function returns.
		p.line("if !(%s) {", cond)
		p.line("\treturn r")
		p.line("}")
		between(3)
		p.line(use)
	case p.chance(10):
		p.line("for %s {", cond)
		p.block(func() { p.line("tick(0)"); between(3); p.line(use); between(2) })
		p.line("}")
	default:
		p.line("if %s {", cond)
		p.block(func() { between(4); p.line(use) })
		p.line("}")
	}
}
