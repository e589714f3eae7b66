package symbolic

import "github.com/goassay/assay/internal/vm"

// countedWay is a way through the code of the target, and how it ended.
type countedWay struct {
	way  uint64
	stop string
}

// count counts a path. Paths that ended in a call that prepares, because it failed or was of no use, are no paths of the target. If
// there are several ways to make the receiver, each way through the target's code counts once for a reader, as he is shown it
// once.
func (e *explorer) count(p *vm.Path) {
	e.m.Claim(p)
	if !p.Last || p.Stop == vm.StopSetup {
		return
	}
	stop := string(stopOf(p))
	if e.counted != nil {
		key := countedWay{p.Way(), stop}
		if e.counted[key] {
			return
		}
		e.counted[key] = true
	}
	if e.ends == nil {
		e.ends = make(map[string]int)
	}
	e.ends[stop]++
	if e.cfg.Ended != nil {
		e.cfg.Ended(stop)
	}
}

// sumUpCount puts the paths that were counted into the result in place of those that were followed. The budget is about the latter.
func (e *explorer) sumUpCount() {
	if !e.cfg.Count {
		return
	}
	e.res.Paths, e.res.Stops = 0, make(map[string]int)
	for stop, n := range e.ends {
		e.res.Paths += n
		e.res.Stops[stop] = n
	}
}
