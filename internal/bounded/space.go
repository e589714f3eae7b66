package bounded

import (
	"context"
	"encoding/binary"
	"go/types"
	"math/big"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// Space is the state space that a search walks: all candidate vectors, valid or not.
type Space struct {
	// Size is how many candidates there are, including isomorphic ones and those that the search never
	// looks at.
	Size *big.Int
	// Fields has the fields in the order in which the predicate first reads them, followed by the fields that
	// it did not read. The search backtracks on the field that was read last.
	Fields []SpaceField
}

// SpaceField is a field of all objects of a class.
type SpaceField struct {
	Type    string // the type of the objects, in the package's notation
	Objects int    // how many objects of the type have the field
	Name    string // "next", "pos.x"; "items" stands for the length of a slice, "items[]" for its elements
	Values  int    // how many values the field may have
	Read    bool   // whether the predicate reads the field, in the first candidates
}

// fieldKey identifies a field of a specification. The field part is -1 for the field itself, and the number
// of the part for a part of a slice's elements.
type fieldKey struct{ field, part int }

func keyOf(sl candidate.Slot) fieldKey {
	if sl.Elem < 0 {
		return fieldKey{sl.Field, -1}
	}
	return fieldKey{sl.Field, sl.Part}
}

// space describes the space of a shape. The parameter reads is a search's record of the predicate's reads.
func (s *Shape) space(reads []byte) *Space {
	out := &Space{Size: s.size()}
	done := map[fieldKey]bool{}
	add := func(i int, read bool) {
		sl := s.slots[i]
		k := keyOf(sl)
		if done[k] {
			return
		}
		done[k] = true
		f, class := s.spec.Fields[sl.Field], s.spec.Classes[sl.Class]
		t := s.types[class.Type]
		name := pathName(t, f.Path)
		if k.part >= 0 {
			elem := partType(t, f.Path).Underlying().(*types.Slice).Elem()
			name += "[]"
			if part := pathName(elem, f.Elems[k.part].Path); part != "" {
				name += "." + part
			}
		}
		out.Fields = append(out.Fields, SpaceField{
			Type: types.TypeString(t, types.RelativeTo(s.pkg.Types)), Objects: class.N, Name: name, Values: len(s.vals[i]), Read: read,
		})
	}
	for _, i := range readSlots(reads, len(s.slots)) {
		add(i, true)
	}
	for i := range s.slots {
		add(i, false)
	}
	return out
}

// size multiplies the sizes of the domains. For a slice it adds up, over the possible lengths, the numbers of
// values of the elements.
func (s *Shape) size() *big.Int {
	out := big.NewInt(1)
	for _, f := range s.spec.Fields {
		n := big.NewInt(int64(f.Domain.Size(s.spec)))
		if f.Slice {
			elem := big.NewInt(1)
			for _, e := range f.Elems {
				if !e.Domain.Each {
					elem.Mul(elem, big.NewInt(int64(e.Domain.Size(s.spec))))
				}
			}
			n.SetInt64(0)
			for _, length := range f.Domain.Values(s.spec) {
				n.Add(n, new(big.Int).Exp(elem, big.NewInt(length.Int), nil))
			}
		}
		out.Mul(out, n.Exp(n, big.NewInt(int64(s.spec.Classes[f.Class].N)), nil))
	}
	return out
}

// readSlots lists the slots of a record in the order in which they were first read; see
// candidate.Search.Record for its form.
func readSlots(record []byte, slots int) []int {
	var out []int
	seen := make([]bool, slots)
	at := int64(0)
	for len(record) > 0 {
		head, n := binary.Uvarint(record)
		if n <= 0 {
			return out
		}
		record = record[n:]
		for range head >> 1 {
			d, n := binary.Varint(record)
			if n <= 0 {
				return out
			}
			record = record[n:]
			if at += d; at < 0 || at >= int64(slots) {
				return out
			}
			if !seen[at] {
				seen[at] = true
				out = append(out, int(at))
			}
		}
	}
	return out
}

// firstCandidates is how many candidates are walked to see which fields a predicate reads first, if the
// search itself is not recorded.
const firstCandidates = 1 << 10

// spaceOf describes the space of a search by walking its first candidates.
func spaceOf(ctx context.Context, h *native.Harness, pkg *load.Package, s native.Search) (*Space, error) {
	s.Max, s.Record, s.Part, s.Parts = firstCandidates, true, 0, 0
	var shape *Shape
	var bad error
	s.Resolved = func(spec *candidate.Spec, names []string) { shape, bad = shapeOf(pkg, s.Root, spec, names) }
	res, err := h.Search(ctx, s)
	if err == nil {
		err = bad
	}
	if err != nil || shape == nil {
		return nil, err
	}
	return shape.space(res.Reads), nil
}
