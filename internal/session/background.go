package session

import (
	"context"
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
// become tests.
func (o *Background) Wait() (testcase.Cover, error) {
	o.mu.Lock()
	o.closed = true
	o.wake.Signal()
	o.mu.Unlock()
	<-o.done
	return o.cover, o.err
}

func (o *Background) loop() {
	defer close(o.done)
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.closed {
			o.wake.Wait()
		}
		n := min(len(o.queue), batch)
		cases := o.queue[:n:n]
		o.queue = o.queue[n:]
		o.mu.Unlock()
		if n == 0 {
			return
		}
		if o.err == nil && o.ctx.Err() == nil {
			o.err = o.run(cases)
		}
	}
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
			continue
		}
		cases[i].Observed = out
		ran = append(ran, cases[i])
	}
	o.b.NoteCover(&o.cover, ran)
	return err
}
