package solver

import (
	"slices"

	"github.com/goassay/assay/internal/term"
)

// caches keep the backend's answers about slices.
type caches struct {
	exact map[uint64][]entry
	cores map[term.ID][]core // by each core's largest ID, which is most often the new condition
	size  int                // in words of models and slices
}

type entry struct {
	slice []term.ID // sorted
	v     Verdict
	m     *term.Model
}

type core struct{ rest []term.ID }

// maxWords bounds the cache at about 32 MB. When the cache is full it is emptied.
const maxWords = 1 << 22

func hashIDs(ids []term.ID) uint64 {
	h := uint64(len(ids))
	for _, t := range ids {
		h = (h ^ uint64(t)) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return h
}

func (k *caches) find(slice []term.ID) *entry {
	for i, e := range k.exact[hashIDs(slice)] {
		if slices.Equal(e.slice, slice) {
			return &k.exact[hashIDs(slice)][i]
		}
	}
	return nil
}

func (k *caches) put(slice []term.ID, r Result) {
	if k.size >= maxWords || k.exact == nil {
		*k = caches{exact: map[uint64][]entry{}, cores: map[term.ID][]core{}}
	}
	k.size += len(slice) + 16
	if r.Model != nil {
		k.size += r.Model.Size()
	}
	h := hashIDs(slice)
	k.exact[h] = append(k.exact[h], entry{slices.Clone(slice), r.Verdict, r.Model})
	if r.Verdict == Unsat && len(r.Core) > 0 && len(r.Core) < len(slice) {
		c := slices.Clone(r.Core)
		slices.Sort(c)
		top := c[len(c)-1]
		k.cores[top] = append(k.cores[top], core{c[:len(c)-1]})
	}
}

// hasCore reports whether the sorted slice holds an unsatisfiable core.
func (k *caches) hasCore(slice []term.ID) bool {
	for _, t := range slice {
	next:
		for _, c := range k.cores[t] {
			for _, r := range c.rest {
				if _, ok := slices.BinarySearch(slice, r); !ok {
					continue next
				}
			}
			return true
		}
	}
	return false
}
