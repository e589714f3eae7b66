package native

import (
	"cmp"
	"go/types"
	"slices"
	"sync"

	"github.com/goassay/assay/internal/testcase"
)

// hangs counts, by function, the calls of hurried cases that did not return, and under nil all of them.
type hangs map[*types.Func]int

// Where hurried cases hang again and again, those that call the same function get less time: a call that does not return costs as
// much as some thousands of others, and what such calls show is known from the first of them. In a package with dozens of
// functions that wait for something one hang of each is enough.
const (
	manyHangs    = 3
	hangsOfAll   = 12
	soonerBy     = 4 // how many times less time they have
	enoughOfMany = 1
)

// note counts a case that ended a process during a statement.
func (h hangs) note(s *testcase.Sequence, stmt int, status testcase.Status) {
	if f := s.At(min(stmt, s.Len()-1)).Op.Func; f != nil && status == testcase.Hung {
		h[f]++
		h[nil]++
	}
}

// hasMany reports whether a sequence calls a function that hung often enough.
func (h hangs) hasMany(s *testcase.Sequence) bool {
	enough := manyHangs
	if h[nil] >= hangsOfAll {
		enough = enoughOfMany
	}
	for i := range s.Len() {
		if f := s.At(i).Op.Func; f != nil && h[f] >= enough {
			return true
		}
	}
	return false
}

// in returns which of the hurried cases have less time than others, nil if none has.
func (h hangs) in(cases []*prepared, hurried bool) []bool {
	if !hurried || len(h) == 0 {
		return nil
	}
	out := make([]bool, len(cases))
	for i, c := range cases {
		out[i] = h.hasMany(c.seq)
	}
	return out
}

// suspects are the functions that cases call which ended their process, because they did not return or because a goroutine
// panicked, as long as fewer cases with them have returned. Such a case costs as much as some thousands of others, and often
// all cases of a type are alike in this: its constructor starts a goroutine that fails. So cases of suspects run after
// all others. Without that, one such type would take the time of the whole package.
type suspects struct {
	mu    sync.Mutex
	ended map[*types.Func]int // the cases that ended their process, less those that have returned since
}

// note counts a case. Cases that returned before any ended its process say nothing, and counting them would take time.
func (s *suspects) note(seq *testcase.Sequence, status testcase.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := status == testcase.Hung || status == testcase.Died
	if !ended && len(s.ended) == 0 {
		return
	}
	if s.ended == nil {
		s.ended = make(map[*types.Func]int)
	}
	for i := range seq.Len() {
		f := seq.At(i).Op.Func
		switch {
		case f == nil:
		case ended:
			s.ended[f]++
		case status == testcase.Returned && s.ended[f] > 0:
			s.ended[f]--
		}
	}
}

// in returns how many calls of a sequence are of suspects.
func (s *suspects) in(seq *testcase.Sequence) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ended) == 0 {
		return 0
	}
	n := 0
	for i := range seq.Len() {
		if f := seq.At(i).Op.Func; f != nil && s.ended[f] > 0 {
			n++
		}
	}
	return n
}

// last puts the cases with the most calls of suspects at the end.
func (s *suspects) last(cases []*prepared) {
	count := make(map[*prepared]int, len(cases))
	for _, c := range cases {
		count[c] = s.in(c.seq)
	}
	slices.SortStableFunc(cases, func(a, b *prepared) int { return cmp.Compare(count[a], count[b]) })
}

// Suspects returns how many calls of a sequence are of functions with which cases have ended their process. Such sequences
// had better run after others. The number may change with each run.
func (h *Harness) Suspects(seq *testcase.Sequence) int { return h.suspects.in(seq) }
