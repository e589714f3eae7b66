package schedule

import (
	"context"
	"sync"
	"time"
)

// Run makes workers do the plan's jobs by calling do, several at the same time, until no work or no time is
// left, or ctx ends. It waits for jobs that have begun. The results of do affect which jobs come next. The
// function report is called after each job and before the next one begins, one call at a time.
func Run(ctx context.Context, p *Plan, do func(Job) Outcome, report func(Job, Outcome)) {
	begin := time.Now()
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	running := 0
	next := func() (Job, bool) {
		mu.Lock()
		defer mu.Unlock()
		for ctx.Err() == nil {
			if job, ok := p.Next(time.Since(begin)); ok {
				running++
				return job, true
			}
			if running == 0 {
				break
			}
			changed.Wait() // the results of the present jobs may show that another pass is useful
		}
		return Job{}, false
	}
	var workers sync.WaitGroup
	for range p.cfg.Workers {
		workers.Go(func() {
			for {
				job, ok := next()
				if !ok {
					return
				}
				outcome := do(job)
				mu.Lock()
				running--
				p.Done(job, outcome)
				report(job, outcome)
				changed.Broadcast()
				mu.Unlock()
			}
		})
	}
	workers.Wait()
}
