package session

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/goassay/assay/internal/testcase"
)

// batch bounds how many cases the harness is given at a time: enough that the exchange with the harness takes
// little of the time, and few enough that the first tests show soon.
const batch = 128

// Background runs cases natively while engines still look for more. The outcome of a case does not depend
// on the other cases in its batch.
type Background struct {
	b    *Bench
	ctx  context.Context
	mu   sync.Mutex
	wake *sync.Cond

	queue  []*testcase.Case
	closed bool
	done   chan struct{}

	// These fields belong to the goroutine until done is closed.
	err   error
	cover testcase.Cover
	left  []*testcase.Case // cases that were not run because the time ended
}

// RunInBackground starts to run cases, until Wait is called or ctx ends.
func (b *Bench) RunInBackground(ctx context.Context) *Background {
	o := &Background{b: b, ctx: ctx, done: make(chan struct{})}
	o.wake = sync.NewCond(&o.mu)
	go o.loop()
	return o
}

// Add queues a case.
func (o *Background) Add(c *testcase.Case) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, c)
	o.wake.Signal()
}

// Wait runs the rest of the queued cases and ends. It returns the coverage of the cases that can
// become tests, and the cases that were not run because the time ended.
func (o *Background) Wait() (cover testcase.Cover, left []*testcase.Case, err error) {
	o.mu.Lock()
	o.closed = true
	o.wake.Signal()
	o.mu.Unlock()
	<-o.done
	return o.cover, o.left, o.err
}

func (o *Background) loop() {
	defer close(o.done)
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.closed {
			o.wake.Wait()
		}
		cases := o.next()
		o.mu.Unlock()
		if len(cases) == 0 {
			return
		}
		if o.err != nil || o.ctx.Err() != nil {
			o.left = append(o.left, cases...)
			continue
		}
		o.err = o.run(cases)
	}
}

// next takes the next batch from the queue. Cases of functions that did not return come last, and a few at a time, because
// others may be queued meanwhile.
func (o *Background) next() []*testcase.Case {
	const fewSuspects = 8
	suspects := make(map[*testcase.Case]int)
	for _, c := range o.queue {
		if n := o.b.Harness.Suspects(c.Seq); n > 0 {
			suspects[c] = n
		}
	}
	n := min(len(o.queue), batch)
	if len(suspects) > 0 {
		slices.SortStableFunc(o.queue, func(a, b *testcase.Case) int { return cmp.Compare(suspects[a], suspects[b]) })
		if n = min(batch, len(o.queue)-len(suspects)); n == 0 {
			n = min(fewSuspects, len(o.queue))
		}
	}
	cases := o.queue[:n:n]
	o.queue = o.queue[n:]
	return cases
}

// run runs some cases and judges their outcomes.
func (o *Background) run(cases []*testcase.Case) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = o.b.s.ReportBug("the native runner", p)
		}
	}()
	seqs := make([]*testcase.Sequence, len(cases))
	for i, c := range cases {
		seqs[i] = c.Seq
	}
	outcomes, err := o.b.Runner(false).Run(o.ctx, seqs)
	var ran []*testcase.Case
	for i, out := range outcomes {
		if out == nil || out.Status == testcase.NotRun {
			o.left = append(o.left, cases[i])
			continue
		}
		cases[i].Observed = out
		ran = append(ran, cases[i])
	}
	o.b.NoteCover(&o.cover, ran)
	return err
}
