package check

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var programs = flag.Int("soundness-programs", 0, "how many packages of 40 random functions TestSoundnessOfPrograms makes; 0 is a sample of one small one")

// What is verified of random functions holds, too. They read and write variables, arrays,
// structs by way of pointers that may be the same, and slices of one array, behind guards
// that are right, nearly right or wrong.
func TestSoundnessOfPrograms(t *testing.T) {
	packages, functions := *programs, 40
	if packages == 0 {
		packages, functions = 1, 8
	}
	for seed := range packages {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": program(uint64(seed), functions)} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			soundness(t, dir)
		})
	}
}

// program is the source of a package of random functions.
func program(seed uint64, functions int) string {
	p := &programmer{rnd: rand.New(rand.NewPCG(seed, 0x50))}
	p.line(0, `package p

import "strings"

type (
	P struct {
		x, y int
		next *P
	}
	Q P
)

func index(s string) int { return strings.IndexByte(s, 'B') }
func set(p *P, n int)    { p.x = n }
func setQ(q *Q)          { q.x, q.y = 100, -1 }
`)
	for i := range functions {
		p.line(0, fmt.Sprintf(`func F%d(a, b int, u, v uint8, xs, ys []int, p, q *P, ar [4]int, y any, s string) (r int) {
	if p == nil || q == nil {
		return 0
	}
	var la [4]int`, i))
		p.vars = []string{"a", "b", "p.x", "q.y", "ar[0]", "ar[2]"}
		for range 4 + p.rnd.IntN(6) {
			p.statement(1)
		}
		p.line(0, "\treturn r + a + b + la[0] + len(ys)\n}\n")
	}
	return p.b.String()
}

type programmer struct {
	rnd  *rand.Rand
	b    strings.Builder
	vars []string // integer variables
	loop int
}

func (p *programmer) line(indent int, text string) {
	fmt.Fprintf(&p.b, "%s%s\n", strings.Repeat("\t", indent), text)
}

func (p *programmer) one(of ...string) string { return of[p.rnd.IntN(len(of))] }

// number is an expression of type int that is no constant.
func (p *programmer) number(depth int) string {
	if depth == 0 || p.rnd.IntN(10) < 3 {
		return p.one(append(p.vars, "len(xs)", "len(ys)", "int(u)", "int(v)")...)
	}
	x := p.number(depth - 1)
	y := p.number(depth - 1)
	if p.rnd.IntN(2) == 0 {
		y = p.one("0", "1", "2", "3", "7", "8", "15", "100", "127", "255", "-1", "-128")
	}
	switch p.rnd.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s)%s(%s)", x, p.one("/", "%"), p.one("2", "3", "7", p.one(p.vars...)))
	case 1:
		return fmt.Sprintf("(%s)%s%s", x, p.one("<<", ">>"), p.one("1", "3", "(u&7)"))
	case 2:
		return fmt.Sprintf("%s(%s, %s)", p.one("min", "max"), x, y)
	case 3:
		return fmt.Sprintf("int(%s(%s))", p.one("uint8", "int8", "uint16", "int32", "uint32", "uint64"), x)
	}
	return fmt.Sprintf("(%s) %s (%s)", x, p.one("+", "-", "+", "-", "*", "&", "|", "^"), y)
}

func (p *programmer) condition() string {
	c := fmt.Sprintf("%s %s %s", p.number(1), p.one("<", "<=", ">", ">=", "==", "!="), p.number(1))
	switch p.rnd.IntN(6) {
	case 0:
		return c + " && " + p.condition()
	case 1:
		return c + " || " + p.condition()
	}
	return c
}

func (p *programmer) statement(indent int) {
	if indent > 4 {
		p.line(indent, "r++")
		return
	}
	switch n := p.rnd.IntN(100); {
	case n < 22:
		p.line(indent, p.one("a", "b", "p.x", "p.y", "q.x", "q.y", "ar[0]", "ar[1]", "la[0]", "la[1]")+" = "+p.number(2))
	case n < 30:
		p.line(indent, "u = "+p.one("u+v", "u-v", "u*3", "v>>1", "u&15", "uint8(a)", "u|v", "u^v", "u<<1"))
	case n < 50:
		p.guarded(indent)
	case n < 60:
		p.line(indent, "if "+p.condition()+" {")
		p.statement(indent + 1)
		if p.rnd.IntN(2) == 0 {
			p.line(indent, "} else {")
			p.statement(indent + 1)
		}
		p.line(indent, "}")
	case n < 72:
		p.iterate(indent)
	case n < 78:
		p.line(indent, strings.ReplaceAll(p.one("xs = xs[N:]", "xs = xs[:N]", "ys = xs[N:]", "ys = ys[:N]", "xs = append(xs, N)", "xs = append(ys, xs...)"), "N", p.one("1", "2", "len(xs)/2", "len(ys)", "a", "b")))
	case n < 84:
		p.line(indent, p.one("p = q", "q, p = p, q", "q = &P{x: a, y: b}", "p = (*P)((*Q)(q))", "set(p, a)", "setQ((*Q)(q))", "p.next = q", "if p.next != nil { p.next.x = 100 }", "if q.next != nil { q = q.next }"))
	case n < 90:
		p.line(indent, p.one("la[u&3] = a", "la[a&3] = b", "{ pa := &la; pa[1] = 9; pa[b&3] = 77 }", "for i := range la { la[i] = i * b }", "{ ls := la[:]; ls[a&1] = 50 }", "la = ar", "copy(la[1:], xs)", "{ ch := make(chan int); go func() { p.x = 99; ch <- 1 }(); <-ch }"))
	case n < 94:
		p.line(indent, fmt.Sprintf("r += %s[%s]", p.one("xs", "ys", "la"), p.number(1)))
	default:
		p.line(indent, p.one("{ f := func() { a = 99 }; f() }", "defer func() { r += a }()", "func() { defer func() { recover() }(); r += xs[a]; b = 1000 }()",
			"switch a { case 1: b = 2; case 2, 3: b = a; default: a = 0 }", "if n, ok := y.(int); ok { a = n }", "if len(s) > 2 { r += int(s[a&1]) + int(s[2]) }",
			"for i, c := range s { if c == 'A' { r += int(s[i]) } else { a = i } }", "{ m := make([]int, a&7); r += m[len(m)/2] }",
			"{ m := make([]int, b, max(b, 4)&15); r += len(m) }", "{ c := [...]int{1, 2, 3}; c[u%3] = 7; r += xs[c[0]] }",
			"if i := index(s); i >= 0 { r += int(s[i]) }", "if i := strings.IndexByte(s, 'B'); i >= 0 { r += int(s[i]) + len(s[i+1:]) }", "r += len(xs[:len(xs):cap(xs)])"))
	}
}

// guarded reads an element behind a comparison with its bounds, and something in between.
func (p *programmer) guarded(indent int) {
	i := p.one("a", "b", "p.x", "q.x", "ar[0]", "la[0]", "la[1]")
	x := p.one("xs", "ys", "la")
	low := p.one("I >= 0", "I > 0", "I > -1", "I != -1")
	high := p.one("I < len(X)", "I+1 <= len(X)", "I <= len(X)-1", "I != len(X)", "I <= len(X)")
	p.line(indent, strings.NewReplacer("I", i, "X", x).Replace("if "+low+" && "+high+" {"))
	for range p.rnd.IntN(3) {
		p.statement(indent + 1)
	}
	p.line(indent+1, fmt.Sprintf("r += %s[%s]", x, i))
	p.line(indent, "}")
}

func (p *programmer) iterate(indent int) {
	p.loop++
	i := fmt.Sprintf("i%d", p.loop)
	p.line(indent, strings.ReplaceAll(p.one("for I := 0; I < len(xs); I++ {", "for I := range xs {", "for I := 0; I < 3; I++ {", "for I := len(xs) - 1; I >= 0; I-- {",
		"for I := 0; I+1 < len(ys); I += 2 {", "for I := 1; I <= len(xs); I++ {"), "I", i))
	p.line(indent+1, strings.ReplaceAll(p.one("r += xs[I]", "r += ys[I]", "r += la[I]", "r += xs[I-1]", "r += ys[I+1]", "la[I&3] = 100", "r += xs[len(xs)-I-1]"), "I", i))
	p.vars = append(p.vars, i)
	p.statement(indent + 1)
	p.vars = p.vars[:len(p.vars)-1]
	p.line(indent, "}")
}
