package difference

import (
	"cmp"
	"math"
	"slices"
)

// Run is one execution by both versions: whether they differed, and the changed places that it went
// through, by number.
type Run struct {
	Differs bool
	Places  []int
}

// Suspects orders places by how well they explain which runs differ: by Ochiai's measure (Abreu,
// Zoeteweij, van Gemund, TAICPART 2007), which is the number of differing runs through a place over the
// geometric mean of all differing runs and all runs through the place. Places that no differing run
// went through are left out.
func Suspects(runs []Run, places int) []int {
	differing := 0
	through := make([]int, places)
	both := make([]int, places)
	for _, r := range runs {
		if r.Differs {
			differing++
		}
		for _, p := range r.Places {
			through[p]++
			if r.Differs {
				both[p]++
			}
		}
	}
	score := make([]float64, places)
	var out []int
	for p := range places {
		if both[p] > 0 {
			score[p] = float64(both[p]) / math.Sqrt(float64(differing)*float64(through[p]))
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return out
}

// Explain assigns each differing run to a place that it went through, the one that explains most of the
// differing runs that no earlier place explains. It returns -1 for a run that went through none, and
// for runs that do not differ.
func Explain(runs []Run, places int) []int {
	out := make([]int, len(runs))
	left := slices.Clone(runs)
	for i := range out {
		out[i] = -1
	}
	for {
		suspects := Suspects(left, places)
		if len(suspects) == 0 {
			return out
		}
		for i, r := range left {
			if r.Differs && slices.Contains(r.Places, suspects[0]) {
				out[i] = suspects[0]
				left[i] = Run{} // the run is explained
			}
		}
	}
}
