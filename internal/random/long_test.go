package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
)

// Code that divides what it is given into blocks of a size is given texts that are longer than a block.
func TestLong(t *testing.T) {
	s := open(t, source(`package p

import "strings"

const block = 1000

type Blocks struct {
	buf  []byte
	full int
}

func New() *Blocks { return &Blocks{buf: make([]byte, 0, block)} }

func (b *Blocks) Write(text string) (full int) {
	for len(text) > cap(b.buf)-len(b.buf) {
		n := cap(b.buf) - len(b.buf)
		if strings.Contains(text[:n], strings.Repeat(text[:1], 4)) {
			b.full++
		}
		b.full++
		b.buf, text = b.buf[:0], text[n:]
	}
	b.buf = append(b.buf, text...)
	return b.full
}
`))
	_, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
}

// Where no size is in the code, no text is long.
func TestNotLong(t *testing.T) {
	s := open(t, source(`package p

func Longest(s string) bool { return len(s) > 30 && s[30] != s[29] }

func Count(s string) map[int]bool { return map[int]bool{len(s): true} }
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 5_000})
	for _, c := range append(cases, res.Spare...) {
		if text := c.Seq.String(); len(text) > 200 || strings.Contains(text, "Repeat") {
			t.Errorf("a long text: %s", text)
		}
	}
}
