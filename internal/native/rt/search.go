package assayrt

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/goassay/assay/internal/candidate"
)

// Search is what the generated file offers for walking the structures of a predicate.
type Search struct {
	Root reflect.Type
	Pred func(unsafe.Pointer) bool
	// Op, if it is not nil, is applied to each valid structure. It returns the invariant that does not hold
	// afterwards, or "".
	Op func(unsafe.Pointer) string
	// Finitization, if it is not nil, is the user's function that returns a finitization, given a size.
	Finitization func(int) any
}

// On turns a predicate over a type into a predicate over an address.
func On[T, R any](f func(*T) R) func(unsafe.Pointer) R {
	return func(p unsafe.Pointer) R { return f((*T)(p)) }
}

// Resolver is the part of finite.Finitization that the harness uses, because the harness does not import that
// package. The number of a type in the text is its index in the list.
type Resolver interface {
	Resolve(root reflect.Type) (spec string, types []reflect.Type, err error)
}

// space makes the memory for a specification that names types by their index in a list.
func space(text string, types []reflect.Type) (*candidate.Space, error) {
	spec, err := candidate.Parse(text)
	if err != nil {
		return nil, err
	}
	return candidate.NewSpace(spec, func(i int) (reflect.Type, error) {
		if i < 0 || i >= len(types) {
			return nil, fmt.Errorf("spec: no type %d", i)
		}
		return types[i], nil
	})
}

// searching is the state of a search.
type searching struct {
	h      *server
	search *Search
	run    candidate.Search
	want   byte
	buf    Writer
	vector []int32
	seen   []byte         // the blocks that some operation covered
	worst  map[string]int // the smallest failing structure, by failure
	hung   int            // how many operations did not end
}

// search executes a MsgSearch: it walks the space and reports structures.
func (h *server) search(r *Reader) {
	s := &searching{h: h, worst: map[string]int{}}
	if msg := s.start(r); msg != "" {
		s.buf.Buf = append(s.buf.Buf[:0], MsgSearchError)
		s.buf.Str(msg)
		h.send(s.buf.Buf)
	} else {
		s.done(s.run.Run())
	}
	h.x.progress.phase(PhaseIdle)
	h.flush()
}

// start reads the message and prepares the search. It returns the user's mistake in the finitization, or "".
func (s *searching) start(r *Reader) (problem string) {
	h := s.h
	s.search = &h.x.reg.Searches[r.Num()]
	size := r.Num()
	text := r.Str()
	var types []reflect.Type
	for range r.Count() {
		types = append(types, h.x.reg.Types[r.Num()])
	}
	s.run.Max = r.Int()
	s.run.Part, s.run.Parts = r.Num(), r.Num()
	s.want = r.Byte()
	if r.Bad {
		panic("bug: assayrt: malformed search")
	}
	defer func() {
		if v := recover(); v != nil {
			problem = "the finitization panics: " + panicMessage(v)
		}
	}()
	if text == "" {
		f, ok := s.search.Finitization(size).(Resolver)
		if !ok {
			return "the finitization is nil"
		}
		var err error
		if text, types, err = f.Resolve(s.search.Root); err != nil {
			return err.Error()
		}
	}
	sp, err := space(text, types)
	if err != nil {
		return err.Error()
	}
	s.buf.Buf = append(s.buf.Buf[:0], MsgSpec)
	s.buf.Str(text)
	s.buf.Num(len(types))
	for _, t := range types {
		s.buf.Str(TypeKey(t))
	}
	h.send(s.buf.Buf)
	h.flush()
	if s.want&WantNothing != 0 {
		return ""
	}
	s.run.Space = sp
	sp.Mirror = h.conn.mirror()
	root := sp.Root()
	s.run.Pred = func() bool { return s.search.Pred(root) }
	if s.want&(WantAll|WantOp) != 0 {
		s.run.Found = s.found
	}
	s.run.Record = s.want&WantReads != 0
	s.run.Progress = s.progress
	s.run.Alive = h.x.progress.begin
	s.seen = make([]byte, len(h.x.reg.Cover))
	h.x.progress.begin()
	return ""
}

// TypeKey returns the name of a type as go/types writes it with full package paths.
func TypeKey(t reflect.Type) string {
	if t.PkgPath() == "" {
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

// progress sends the counts so far to the parent.
func (s *searching) progress(explored, valid int64) bool {
	s.buf.Buf = append(s.buf.Buf[:0], MsgCounts)
	s.buf.Uint(uint64(explored))
	s.buf.Uint(uint64(valid))
	s.h.send(s.buf.Buf)
	s.h.flush()
	return true
}

// hangs is the failure of an operation that does not end, or of a predicate that is called after it. The
// search ends after mostHangs of them, because each takes as long as thousands of operations that end.
const (
	hangs     = "hang"
	mostHangs = 8
)

// found applies the operation to a valid structure and reports it.
func (s *searching) found() bool {
	failure, fresh := "", false
	s.vector = s.run.Space.Vector(s.vector[:0]) // the vector is read before the operation changes it
	objects := s.run.Space.Reached()
	if s.want&WantOp != 0 {
		failure, fresh = s.operate()
	}
	if failure == hangs {
		s.hung++
	}
	small := false
	if failure != "" {
		if n, ok := s.worst[failure]; !ok || objects < n {
			s.worst[failure] = objects
			small = true
		}
	}
	goOn := s.hung < mostHangs
	if s.want&WantAll == 0 && !small && !fresh {
		return goOn
	}
	b := &s.buf
	b.Buf = append(b.Buf[:0], MsgFound)
	b.Num(len(s.vector))
	for _, v := range s.vector {
		b.Num(int(v))
	}
	b.Num(objects)
	b.Bool(fresh)
	b.Str(failure)
	s.h.send(b.Buf)
	if len(s.h.out) >= flushAt {
		s.h.flush()
	}
	return goOn
}

// operate applies the operation to the structure in memory. It returns the failure, and whether the operation
// covered a block that no earlier operation covered.
func (s *searching) operate() (failure string, fresh bool) {
	x := s.h.x
	x.cover.clear()
	x.violated.Store(0)
	x.ended.Store(false)
	x.discarded.Store(false)
	x.endless.Store(false)
	turns.Store(0)
	x.progress.begin()
	done, worker := make(chan struct{}), x.worker
	root := s.run.Space.Root()
	// The operation runs in a goroutine of its own, because the code under test may end the goroutine.
	go func() {
		defer close(done)
		defer running.Store(nil)
		defer func() {
			if v := recover(); v != nil {
				if candidate.Hung(v) {
					failure = hangs
				} else {
					failure = "panic " + panicMessage(v)
				}
			}
		}()
		x.worker = goroutine()
		running.Store(x)
		failure = s.search.Op(root)
	}()
	<-done
	x.worker = worker
	if x.endless.Load() {
		failure = hangs
	}
	if v := x.violated.Load(); v != 0 {
		failure = fmt.Sprintf("assert %d", v-1)
	}
	if failure != "" {
		x.unlock()
		return failure, false
	}
	for i, c := range x.cover.bytes {
		if c != 0 && s.seen[i] == 0 {
			s.seen[i] = 1
			fresh = true
		}
	}
	return "", fresh
}

// done sends the result of the search.
func (s *searching) done(res candidate.Result) {
	b := &s.buf
	b.Buf = append(b.Buf[:0], MsgSearched)
	b.Uint(uint64(res.Explored))
	b.Uint(uint64(res.Valid))
	b.Bool(res.Complete)
	b.Num(len(res.Problems))
	for _, p := range res.Problems {
		b.Str(p.Kind)
		msg := p.Message
		if p.Kind == "panic" {
			msg = panicMessage(p.Panic)
		}
		b.Str(msg)
		b.Num(p.Count)
		b.Num(len(p.Vector))
		for _, v := range p.Vector {
			b.Num(int(v))
		}
	}
	b.Str(string(res.Reads))
	s.h.send(b.Buf)
}
