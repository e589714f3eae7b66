package native_test

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

const listSource = `package p

type node struct {
	val        int
	next, prev *node
}

type List struct {
	head, tail *node
	n          int
}

func New() *List { return &List{} }

func (l *List) Push(v int) {
	n := &node{val: v, prev: l.tail}
	if l.tail == nil {
		l.head = n
	} else {
		l.tail.next = n
	}
	l.tail = n
	l.n++
}

func (l *List) Pop() (int, bool) {
	if l.tail == nil {
		return 0, false
	}
	v := l.tail.val
	l.tail = l.tail.prev
	if l.tail == nil {
		l.head = nil
	} else {
		l.tail.next = nil
	}
	l.n--
	return v, true
}

func (l *List) Len() int { return l.n }

func (l *List) Find(v int) int {
	i := 0
	for n := l.head; n != nil; n = n.next {
		if n.val == v && v >= 0 {
			return i
		}
		i++
	}
	return -1
}
`

// BenchmarkProbe measures how many calls into the code under test are executed in a second, in sequences of
// eleven calls, each a new combination. The calls run on one processor, and encoding and decoding on
// another.
func BenchmarkProbe(b *testing.B) {
	benchmark(b, func(h *native.Harness, seqs []*testcase.Sequence) error {
		_, err := h.Probe(b.Context(), seqs)
		return err
	})
}

// BenchmarkRun measures the same with everything observed.
func BenchmarkRun(b *testing.B) {
	benchmark(b, func(h *native.Harness, seqs []*testcase.Sequence) error {
		_, err := h.Run(b.Context(), seqs)
		return err
	})
}

// BenchmarkRunNone measures the same with nothing but coverage observed.
func BenchmarkRunNone(b *testing.B) {
	benchmark(b, func(h *native.Harness, seqs []*testcase.Sequence) error {
		_, err := h.RunWith(b.Context(), seqs, native.Options{Capture: native.CaptureNone})
		return err
	})
}

func benchmark(b *testing.B, run func(*native.Harness, []*testcase.Sequence) error) {
	h, pkg := build(b, source(listSource), native.Config{})
	rnd := rand.New(rand.NewPCG(1, 2))
	ops := sequence(b, pkg, "l := New(); l.Push(1); l.Pop(); l.Len(); l.Find(2); l.Push(3); l.Find(-1)")
	calls := 0
	batch := func() []*testcase.Sequence {
		var seqs []*testcase.Sequence
		for range 2000 {
			var s testcase.Builder
			l := s.Add(ops.At(0).Op)
			one := s.Add(ops.At(1).Op)
			for range 10 {
				st := ops.Last()
				for {
					st = ops.At(1 + rnd.IntN(ops.Len()-1))
					if st.Op.Kind == testcase.OpMethod {
						break
					}
				}
				if len(st.Args) == 2 {
					s.Add(st.Op, l, one)
				} else {
					s.Add(st.Op, l)
				}
			}
			calls += 11
			seqs = append(seqs, s.Sequence())
		}
		return seqs
	}
	batches := [][]*testcase.Sequence{batch(), batch(), batch(), batch()}
	perRun := calls / len(batches)
	b.ResetTimer()
	for i := range b.N {
		if err := run(h, batches[i%len(batches)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(perRun)*float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}
