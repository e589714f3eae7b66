package vm

import (
	"go/types"

	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// A driver may have seeds: the values that a concrete execution passed for its symbolic arguments. The state
// that takes the same decisions as that execution is called seeded. Each other state has branched off it at a
// decision, which is thereby flipped (Godefroid, Klarlund, Sen, PLDI 2005; Godefroid, Levin, Molnar, NDSS
// 2008, who call the whole generational search).

// maxSeed is how long a seed's text may be.
const maxSeed = 64

// Seeds reports whether a literal can be the seed of an argument of type t.
func Seeds(lit *testcase.Literal, t types.Type) bool {
	u := t.Underlying()
	if s, ok := u.(*types.Slice); ok && lit.Kind == testcase.LitString {
		u = s.Elem().Underlying()
		b, ok := u.(*types.Basic)
		return ok && b.Kind() == types.Uint8 && lit.Str != "" && len(lit.Str) <= maxSeed
	}
	b, ok := u.(*types.Basic)
	if !ok {
		return false
	}
	switch lit.Kind {
	case testcase.LitString:
		return b.Info()&types.IsString != 0 && lit.Str != "" && len(lit.Str) <= maxSeed
	case testcase.LitBool, testcase.LitInt, testcase.LitUint, testcase.LitFloat:
		return b.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat) != 0
	}
	return false
}

// Seeded reports whether the state is on the path that the driver's seeds take, as far as the seeds decide
// it. Searchers ask it.
func (st *State) Seeded() bool { return st.seeded }

// seeded makes the cells of a symbolic argument that has a seed.
func (m *Machine) seeded(st *State, lit *testcase.Literal, t *Type, name string) []Value {
	if lit.Kind == testcase.LitString {
		prefers := st.prefers
		v := m.short(st, t, name, len(lit.Str))
		st.prefers = prefers[:len(prefers):len(prefers)]
		for i, c := range st.object(v[0].obj()).cells {
			b := uint64(lit.Str[i])
			m.seeds.Set(c.Term, b)
			// Only the necessary changes are made in the text, because the rest of the text makes sense.
			st.prefers = append(st.prefers, m.ts.Eq(c.Term, m.ts.Const(8, b)))
		}
		return v
	}
	v := m.symbolic(st, t, name)
	m.seeds.Set(v[0].Term, lit.Bits&mask(uint8(t.width())))
	return v
}

// seedRefuses reports whether the state is seeded and its seeds do not satisfy c. Such a state continues
// where c does not hold.
func (m *Machine) seedRefuses(st *State, c term.ID) bool {
	return st.seeded && m.seeds != nil && !m.ts.Holds(c, m.seeds)
}
