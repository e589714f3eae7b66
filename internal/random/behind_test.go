package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// What a function wraps and returns as an interface is called, although other functions return the same interface with other
// things behind it.
func TestWrapped(t *testing.T) {
	s := open(t, source(`package p

type Delay interface{ Next() (int, bool) }

type Func func() (int, bool)

func (f Func) Next() (int, bool) { return f() }

func Constant(n int) Delay { return Func(func() (int, bool) { return n, true }) }

func AtMost(max int, d Delay) Delay {
	calls := 0
	return Func(func() (int, bool) {
		calls++
		if calls > max {
			return 0, false
		}
		n, ok := d.Next()
		if !ok {
			return -1, false
		}
		return n, true
	})
}

func Capped(limit int, d Delay) Delay {
	return Func(func() (int, bool) {
		n, ok := d.Next()
		if n > limit {
			n = limit
		}
		return n, ok
	})
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if missing := s.uncovered(res.Covered); missing != "" {
		t.Errorf("not covered: %s\n%s", missing, text(cases))
	}
}

// Methods of types that a parser returns behind one interface are called on what it has made of texts, and not on zero values.
func TestUnveiled(t *testing.T) {
	s := open(t, source(`package p

import "errors"

type Node interface{ Len() int }

type Word struct{ text string }

type List struct{ nodes []Node }

func (w Word) Len() int { return len(w.text) }

func (w Word) Long() bool { return len(w.text) > 1 }

func (l *List) Len() int { return len(l.nodes) }

func (l *List) First() Node { return l.nodes[0] }

func IsList(n Node) bool {
	if _, ok := n.(*List); ok {
		return true
	}
	return false
}

func Parse(text string) (Node, error) {
	switch {
	case text == "":
		return nil, errors.New("empty")
	case text[0] == '(':
		l := &List{}
		for _, r := range text[1:] {
			l.nodes = append(l.nodes, Word{string(r)})
		}
		return l, nil
	}
	return Word{text}, nil
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 40_000})
	if missing := s.uncovered(res.Covered); missing != "" {
		t.Errorf("not covered: %s\n%s", missing, text(cases))
	}
	for _, c := range cases {
		if target := c.Seq.At(c.TargetStmt()); strings.HasPrefix(c.Target, "Word.") || strings.HasPrefix(c.Target, "List.") {
			if recv := c.Seq.At(target.Args[0].Stmt).Op; recv.Kind != testcase.OpAssert {
				t.Errorf("%s is called on what no text makes: %s", c.Target, c.Seq)
			}
		}
	}
}
