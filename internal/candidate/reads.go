package candidate

import (
	"encoding/binary"
	"fmt"
)

// A record of reads lets a search be repeated where nothing observes the predicate: in a test that runs
// without assay. For each candidate, in the order of the search, it says whether the predicate holds, and
// which slots it reads newly. It is known to read the slots that it read before the value that changed last.
//
// The record is a sequence of numbers: twice the count of new slots, plus one if the predicate holds, and
// then each slot as its distance from the one before.

// record adds the reads of the candidate that the predicate was just asked about. The first known slots of
// the list are left out.
func (s *Search) record(known int, ok bool) {
	fresh := s.list[known:]
	head := uint64(len(fresh)) << 1
	if ok {
		head |= 1
	}
	b := binary.AppendUvarint(s.res.Reads, head)
	for _, i := range fresh {
		b = binary.AppendVarint(b, int64(i-s.last))
		s.last = i
	}
	s.res.Reads = b
}

// replay asks the predicate about a candidate and takes its reads from the record. If the answer
// differs from the record, the predicate has changed, and the search ends.
func (s *Search) replay() bool {
	known := min(len(s.list), s.own)
	rec.begin()
	for _, i := range s.list[:known] {
		rec.note(i)
	}
	head, n := binary.Uvarint(s.Replay[s.at:])
	s.at += max(n, 0)
	for range head >> 1 {
		var d int64
		if d, n = binary.Varint(s.Replay[s.at:]); n <= 0 {
			break
		}
		s.at += n
		if s.last += int32(d); s.last < 0 || int(s.last) >= len(s.Space.slots) {
			n = 0
			break
		}
		rec.note(s.last)
	}
	rec.end()
	if n <= 0 {
		s.problem("reads", "the record is of other bounds", nil)
		s.stop = true
		return false
	}
	s.list = append(s.list[:0], rec.list...)
	s.own = len(s.list)
	said, kind, _, _ := s.run()
	changed := s.Space.changed()
	ok := said && !changed
	if ok != (head&1 == 1) {
		s.problem("reads", fmt.Sprintf("candidate %d: the predicate is %t, and was %t when its reads were recorded", s.res.Explored+1, ok, !ok), nil)
		s.stop = true
		return false
	}
	switch {
	case ok:
		s.list = s.Space.unread(s.list)
	case changed && kind == "":
		return s.refuseChanged(said)
	case changed:
		s.Space.restore()
	}
	return ok
}
