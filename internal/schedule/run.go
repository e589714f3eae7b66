package schedule

import (
	"context"
	"sync"
	"time"
)

// Run has do work on the plan's jobs, on as many as there are workers at the same time, until
// there is nothing left to do, no time, or ctx ends; jobs that have begun are waited for. What
// do returns counts for what is done next. Report is called after each job, one call at
// a time, before the next one begins.
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
			changed.Wait() // what the others come to may be worth another pass
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
