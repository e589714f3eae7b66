package candidate

import "fmt"

// Problem is a fault of the predicate: it panics, hangs, looks at more than the candidate, or changes
// it.
type Problem struct {
	Kind    string // "panic", "hang", "impure", "changes", "order", "reads"
	Message string
	Panic   any // the argument of panic
	Vector  []int32
	Count   int // with how many candidates it happened
}

// Result is the result of a search.
type Result struct {
	Explored int64 // runs of the predicate
	Valid    int64 // candidates for which the predicate holds
	Problems []Problem
	Complete bool // the whole space (or its part) was walked
	// Reads is the record of the predicate's reads, if Search.Record asks for it.
	Reads []byte
}

// Search walks a space.
type Search struct {
	Space *Space
	Pred  func() bool
	// Unobserved says that the predicate was not rewritten, so everything that a candidate reaches counts as
	// read.
	Unobserved bool
	// Record asks for a record of the predicate's reads. Replay is such a record, for a predicate that
	// was not rewritten. Both are for whole spaces only.
	Record bool
	Replay []byte
	// Found is called for each valid candidate, while the candidate is in memory. If it returns false the
	// search stops. Changes that it makes to the memory are undone.
	Found func() bool
	// Progress is called from time to time with the counts so far. If it returns false the search stops.
	Progress func(explored, valid int64) bool
	// Alive, if not nil, is called more often.
	Alive func()
	// Max bounds how many candidates are explored; 0 means no bound.
	Max int64
	// Part is the number of the part of the space that is searched, of Parts. If Parts is 0, the whole space
	// is searched. The parts with the numbers below Parts make up the whole, and have nothing in common.
	Part, Parts int

	res   Result
	list  []int32 // slots in the order of access
	own   int     // how many slots at the beginning of list the predicate has read
	top   []int32 // by class: the highest object in the list, see next
	depth int     // see split.go
	node  int
	stop  bool
	runs  int
	at    int   // the place in Replay
	last  int32 // the last slot in a record
}

// progressEvery is how many candidates there are between calls of Progress.
const progressEvery = 1 << 14

// aliveEvery is how many candidates there are between calls of Alive.
const aliveEvery = 64

// Run walks the space.
func (s *Search) Run() Result {
	rec.attach(s.Space)
	defer func() { rec = recorder{left: MaxTicks} }()
	if s.Parts > 1 {
		s.findDepth()
	}
	s.walk()
	return s.res
}

// walk searches the space. It starts from the candidate in which every slot has its first value.
func (s *Search) walk() {
	s.res, s.node, s.stop = Result{}, 0, false
	s.top = make([]int32, len(s.Space.Spec.Classes))
	s.Space.reset()
	s.list = s.list[:0]
	for {
		ok := s.candidate()
		if s.stop {
			return
		}
		if s.runs++; s.runs&(aliveEvery-1) == 0 && s.Alive != nil {
			s.Alive()
		}
		mine := s.mine()
		if !mine {
			s.list = s.list[:min(len(s.list), s.depth)]
		} else {
			s.res.Explored++
			if ok {
				s.res.Valid++
				if s.Found != nil && !s.Found() {
					return
				}
				s.Space.restore()
			}
			if s.res.Explored&(progressEvery-1) == 0 && s.Progress != nil && !s.Progress(s.res.Explored, s.res.Valid) {
				return
			}
		}
		if !s.next() {
			s.res.Complete = true
			return
		}
		if s.Max > 0 && s.res.Explored >= s.Max {
			return
		}
	}
}

// candidate runs the predicate on the candidate and makes the list of the slots that it read. For a valid
// candidate the list continues with the slots that it did not read.
func (s *Search) candidate() bool {
	if s.Replay != nil {
		return s.replay()
	}
	before := min(len(s.list), s.own) // they were read for the previous candidate, and will be read again
	rec.begin()
	if s.Unobserved {
		s.Space.visit(rec.note)
		rec.end()
	}
	ok, kind, msg, v := s.run()
	rec.end()
	for i := range before {
		if i >= len(rec.list) || rec.list[i] != s.list[i] {
			s.problem("order", "it does not read the same fields each time", nil)
			s.stop = true
			return false
		}
	}
	s.list = append(s.list[:0], rec.list...)
	s.own = len(s.list)
	changed := kind == "" && s.Space.changed()
	if s.Record {
		s.record(before, ok && !changed)
	}
	if kind != "" {
		s.problem(kind, msg, v)
		s.Space.restore()
		return false
	}
	if rec.impure != "" {
		s.problem("impure", "it calls "+rec.impure, nil)
		rec.impure = ""
	}
	if changed {
		s.problem("changes", "it changes the structure", nil)
		return s.refuseChanged(ok)
	}
	if ok {
		s.list = s.Space.unread(s.list)
	}
	return ok
}

// refuseChanged makes a candidate that the predicate has changed count as not valid. With another value in a field that the
// predicate wrote, it may find there what it writes, and change nothing, so these fields get their other values as well. Not if
// it has returned false, which the fields that it reads decide: it would return false again.
func (s *Search) refuseChanged(said bool) bool {
	if said {
		s.list = s.Space.altered(s.list)
	}
	s.Space.restore()
	return false
}

// run calls the predicate.
func (s *Search) run() (ok bool, kind, msg string, value any) {
	defer func() {
		if v := recover(); v != nil {
			rec.end()
			ok, kind, value = false, "panic", v
			if _, hung := v.(hang); hung {
				kind, msg, value = "hang", fmt.Sprintf("it does not end within %d steps", MaxTicks), nil
			}
		}
	}()
	return s.Pred(), "", "", nil
}

// problem reports a fault of the predicate. Only the first fault of each kind is reported with its candidate.
func (s *Search) problem(kind, msg string, value any) {
	if !s.mine() {
		return // another part of the search reports it
	}
	for i := range s.res.Problems {
		if s.res.Problems[i].Kind == kind {
			s.res.Problems[i].Count++
			return
		}
	}
	s.res.Problems = append(s.res.Problems, Problem{kind, msg, value, s.Space.Vector(nil), 1})
}

// next makes the next candidate: it backtracks on the field that was accessed last. It reports whether there
// is a next one.
func (s *Search) next() bool {
	for len(s.list) > 0 {
		k := len(s.list) - 1
		i := s.list[k]
		s.list = s.list[:k]
		if v := s.successor(i); v >= 0 {
			s.Space.set(int(i), v)
			s.list = append(s.list, i)
			if k < s.depth {
				s.node++
			}
			return true
		}
		s.Space.set(int(i), 0)
	}
	return false
}

// successor returns the number of the next value of slot i, or -1. Among the objects that no other accessed
// field has, only the first of its class is tried, because the others lead to isomorphic candidates.
func (s *Search) successor(i int32) int32 {
	sl := &s.Space.slots[i]
	v := sl.cur + 1
	if int(v) >= len(sl.vals) {
		return -1
	}
	x := &sl.vals[sl.cur]
	if x.class < 0 || sl.labelled {
		return v
	}
	top := int32(-1)
	if x.class == 0 {
		top = 0 // the root
	}
	for _, j := range s.list {
		o := &s.Space.slots[j]
		if y := &o.vals[o.cur]; y.class == x.class {
			top = max(top, y.index)
		}
	}
	if x.index <= top {
		return v
	}
	for skipped := x.class; ; skipped = sl.vals[v].class {
		for int(v) < len(sl.vals) && sl.vals[v].class == skipped {
			v++
		}
		if int(v) >= len(sl.vals) {
			return -1
		}
		if c := sl.vals[v].class; c < 0 || s.Space.Spec.Classes[c].After == 0 || s.has(s.Space.Spec.Classes[c].After) {
			return v
		}
	}
}

// has reports whether an accessed field has an object of a class.
func (s *Search) has(class int) bool {
	for _, j := range s.list {
		o := &s.Space.slots[j]
		if int(o.vals[o.cur].class) == class {
			return true
		}
	}
	return false
}
