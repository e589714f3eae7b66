package candidate

// This file splits a space into parts. It splits at a depth: candidates with equal values in the first depth
// accessed fields are one group, and a candidate with fewer accessed fields is a group by itself. The groups
// are numbered in the order of the search, and group n belongs to part n mod Parts.

// groupsPerPart is how many groups a part should have at least, so that all parts have about the same size.
const groupsPerPart = 16

// splitEffort bounds the candidates looked at to find the depth.
const splitEffort = 1 << 14

// SplitDepth chooses the depth at which a space is split: the smallest one that makes enough groups for the
// parts, or the largest that takes no more than effort groups. The function walk says how many groups a depth
// makes.
func SplitDepth(parts, effort int, walk func(depth int) (groups int, err error)) (int, error) {
	best, groups := 1, 0
	for d := 1; d < 64; d++ {
		n, err := walk(d)
		if err != nil {
			return 0, err
		}
		if n == groups && d > best+4 || n > effort {
			break
		}
		if n > groups {
			best, groups = d, n
		}
		if n >= groupsPerPart*parts {
			break
		}
	}
	return best, nil
}

// findDepth chooses the depth of the search.
func (s *Search) findDepth() {
	found, progress, part, parts := s.Found, s.Progress, s.Part, s.Parts
	s.Found, s.Progress = nil, nil
	// No group has this number, so every group belongs to another part, and the search looks only at
	// the first candidate of each.
	s.Part, s.Parts = -1, 1<<30
	depth, err := SplitDepth(parts, splitEffort, func(depth int) (int, error) {
		s.depth = depth
		s.walk()
		return s.node + 1, nil
	})
	if err != nil {
		panic("bug: candidate: " + err.Error()) // walk returns no errors
	}
	s.Found, s.Progress, s.Part, s.Parts, s.depth = found, progress, part, parts, depth
}

// mine reports whether the candidate belongs to the part that is walked.
func (s *Search) mine() bool { return s.Parts <= 1 || s.node%s.Parts == s.Part }
