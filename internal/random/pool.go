package random

import (
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// entry is a value that a sequence makes.
type entry struct {
	seq *made
	ref testcase.Ref
}

// made is a sequence whose values are in the pool.
type made struct {
	*testcase.Sequence
	slots []slot // results of its calls
	bad   bool   // a sequence with its values hung or ended the process; the values are not used again
}

// pool keeps values by type. Each was made by a sequence that returned.
type pool struct {
	types  map[string]*shelf
	byType map[types.Type]*shelf // the same, of identical types each
	order  []*shelf              // in the order in which their types first came
	values map[valueKey]bool
	keys   keys

	// suitable caches which shelves have values that can be assigned to a type. It holds for the given
	// number of shelves.
	suitable map[types.Type]suitable
}

// shelf holds the values of one type.
type shelf struct {
	typ     types.Type
	entries []entry
	added   int
}

type suitable struct {
	of      int // how many shelves there were
	shelves []*shelf
}

// valueKey is a value by its hash.
type valueKey struct {
	shelf *shelf
	hash  uint64
}

// Limits of a shelf: older entries are replaced then. Scalars are cheap to make
// otherwise.
const (
	maxEntries = 300
	maxScalars = 20
)

func newPool() *pool {
	return &pool{keys: keys{}, types: map[string]*shelf{}, byType: map[types.Type]*shelf{}, values: map[valueKey]bool{}, suitable: map[types.Type]suitable{}}
}

// keys gives types strings that are equal for identical types.
type keys map[types.Type]string

func (k keys) of(t types.Type) string {
	s, ok := k[t]
	if !ok {
		s = types.TypeString(t, func(p *types.Package) string { return p.Path() })
		k[t] = s
	}
	return s
}

// shelf returns the shelf for a type.
func (p *pool) shelf(t types.Type) *shelf {
	if s := p.byType[t]; s != nil {
		return s
	}
	key := p.keys.of(t)
	s := p.types[key]
	if s == nil {
		s = &shelf{typ: t}
		p.types[key] = s
		p.order = append(p.order, s)
	}
	p.byType[t] = s
	return s
}

// fresh reports whether no equal value of the type was there at any time, and notes it.
func (p *pool) fresh(t types.Type, hash uint64) bool {
	k := valueKey{p.shelf(t), hash}
	if p.values[k] {
		return false
	}
	p.values[k] = true
	return true
}

// put adds a value.
func (p *pool) put(t types.Type, e entry) {
	s := p.shelf(t)
	limit := maxEntries
	if _, ok := s.typ.Underlying().(*types.Basic); ok {
		limit = maxScalars
	}
	if len(s.entries) < limit {
		s.entries = append(s.entries, e)
	} else {
		// A fixed stride spreads replacements over the shelf without a random source.
		s.entries[s.added*7919%limit] = e
	}
	s.added++
}

// shelves returns the shelves whose values can be assigned to t and that are not
// empty. Answers of services that embed an error are no errors.
func (p *pool) shelves(t types.Type) []*shelf {
	c, ok := p.suitable[t]
	if !ok || c.of != len(p.order) {
		for _, s := range p.order[c.of:] {
			if types.AssignableTo(s.typ, t) && !(gosyntax.IsError(t) && load.IsAnswer(s.typ)) {
				c.shelves = append(c.shelves, s)
			}
		}
		c.of = len(p.order)
		p.suitable[t] = c
	}
	return c.shelves
}

// pick returns a value that can be assigned to t. It draws two, and mostly returns the one with the
// shorter sequence.
func (e *engine) pick(t types.Type) (entry, bool) {
	n := 0
	shelves := e.pool.shelves(t)
	for _, s := range shelves {
		n += min(len(s.entries), 50) // no type should crowd out the others
	}
	if n == 0 {
		return entry{}, false
	}
	// A parameter of an interface type without methods takes anything, and its code often distinguishes
	// types or looks into values. So each type gets the same chance, and longer sequences the same as
	// shorter ones.
	i, ok := t.Underlying().(*types.Interface)
	anything := ok && i.NumMethods() == 0
	one := func() entry {
		if anything {
			if s := shelves[e.rnd.IntN(len(shelves))]; len(s.entries) > 0 {
				return s.entries[e.rnd.IntN(len(s.entries))]
			}
		}
		i := e.rnd.IntN(n)
		for _, s := range shelves {
			k := min(len(s.entries), 50)
			if i < k {
				return s.entries[e.rnd.IntN(len(s.entries))]
			}
			i -= k
		}
		panic("bug: random: pick beyond the shelves")
	}
	a := one()
	for range 3 {
		if !a.seq.bad {
			break
		}
		a = one()
	}
	if a.seq.bad {
		return entry{}, false
	}
	if !anything && e.rnd.IntN(3) > 0 {
		if b := one(); b.seq.Len() < a.seq.Len() && !b.seq.bad {
			a = b
		}
	}
	return a, true
}
