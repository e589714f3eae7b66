package random_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
)

// Calls that end the process, sleep for ever or wait for a lock that their caller has cost as much as thousands of others. They do
// not use up the effort of a short run, and what is behind other calls is found.
func TestEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString(`package p

import (
	"os"
	"sync"
	"time"
)

type Log struct {
	mu    sync.Mutex
	lines []string
	level int
}

func New() *Log { return &Log{} }

func (l *Log) Add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, s)
}

func (l *Log) Each(f func(string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.lines {
		f(s)
	}
}

func (l *Log) Run() { time.Sleep(time.Hour) }

func (l *Log) Wait() { time.Sleep(time.Hour) }

func (l *Log) Many() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) < 3 {
		return false
	}
	return l.lines[0] != l.lines[1]
}
`)
	for i := range 3 {
		fmt.Fprintf(&b, "\nfunc (l *Log) Fatal%d(s string) {\n\tl.Add(s)\n\tos.Exit(%d)\n}\n", i, i)
	}
	s := open(t, source(b.String()))
	const effort = 50_000
	_, res := s.run(t, random.Config{Seed: 1, Ops: effort})
	if res.Sequences < 100 {
		t.Errorf("%d sequences were run with an effort of %d, of which %d are counted; want 100 and more", res.Sequences, effort, res.Ops)
	}
	if left := s.uncovered(res.Covered); strings.Contains(left, "Log.Many") {
		t.Errorf("not covered: %s", left)
	}
}
