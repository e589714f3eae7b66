package candidate

// A space is split at a depth: the candidates that agree in the values of the first
// depth accessed fields belong together, as do those with fewer fields each by itself.
// These groups are numbered in the order of the search, and group n belongs to part
// n mod Parts.

// groupsPerPart is how many groups a part should have at least, so that parts are about
// alike.
const groupsPerPart = 16

// splitEffort bounds the candidates looked at to find the depth.
const splitEffort = 1 << 14

// findDepth chooses the depth: the smallest one that makes enough groups.
func (s *Search) findDepth() {
	found, progress, part, parts := s.Found, s.Progress, s.Part, s.Parts
	s.Found, s.Progress = nil, nil
	// With a number that no group has, every group is somebody else's: the search only
	// looks at the first candidate of each.
	s.Part, s.Parts = -1, 1<<30
	best, groups := 1, 0
	for d := 1; d < 64; d++ {
		s.depth = d
		s.walk()
		n := s.node + 1
		if n == groups && d > best+4 || n > splitEffort {
			break
		}
		if n > groups {
			best, groups = d, n
		}
		if n >= groupsPerPart*parts {
			break
		}
	}
	s.Found, s.Progress, s.Part, s.Parts = found, progress, part, parts
	s.depth = best
}

// mine reports whether the candidate belongs to the part that is walked.
func (s *Search) mine() bool { return s.Parts <= 1 || s.node%s.Parts == s.Part }
