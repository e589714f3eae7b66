package words

import "math/bits"

// set is a set of calls by number.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s set) has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }

// count returns how many calls are in the set.
func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// meets reports whether some call is in all of the sets.
func meets(s set, others ...set) bool {
	for i, w := range s {
		for _, o := range others {
			w &= o[i]
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// isSubset reports whether all of s is in t.
func isSubset(s, t set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// and returns the intersection of two sets.
func and(s, t set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] & t[i]
	}
	return out
}

// or returns the union of two sets.
func or(s, t set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] | t[i]
	}
	return out
}
