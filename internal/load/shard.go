package load

import (
	"cmp"
	"fmt"
	"os"
	"slices"
)

// Shard is one of several parts of the packages that patterns match. Each part is for another machine. The
// zero value means all packages.
type Shard struct {
	Index, Count int // Index is from 1 to Count
}

// ParseShard reads "2/4", the second of four.
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); err != nil || n != 2 || text != s.String() || s.Index < 1 || s.Index > s.Count {
		return Shard{}, fmt.Errorf("%s: want i/n with 1 <= i <= n", text)
	}
	return s, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// of returns the packages that belong to the shard. All machines compute the same parts if they have
// the same files: the largest packages are dealt first, each to the part that is the smallest so far
// (Graham's rule, whose largest part is at most a third larger than the best possible).
func (s Shard) of(roots []*listed) []*listed {
	if s.Count == 0 {
		return roots
	}
	type weighed struct {
		*listed
		bytes int64
	}
	all := make([]weighed, len(roots))
	for i, l := range roots {
		all[i] = weighed{l, 1}
		for _, name := range l.abs(l.GoFiles) {
			if info, err := os.Stat(name); err == nil { // code that reads the file reports if it was removed
				all[i].bytes += info.Size()
			}
		}
	}
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.ImportPath, b.ImportPath))
	})
	sizes := make([]int64, s.Count)
	var out []*listed
	for _, w := range all {
		least := slices.Index(sizes, slices.Min(sizes))
		sizes[least] += w.bytes
		if least == s.Index-1 {
			out = append(out, w.listed)
		}
	}
	return out
}
