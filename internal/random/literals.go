package random

import (
	"go/constant"
	"go/types"
	"math"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

func floatLiteral(f float64, b *types.Basic) testcase.Literal {
	if b.Kind() == types.Float32 {
		return testcase.Literal{Kind: testcase.LitFloat, Bits: uint64(math.Float32bits(float32(f)))}
	}
	return testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(f)}
}

// wrapInt returns i as it is in a signed type.
func wrapInt(i int64, b *types.Basic) int64 {
	n := 64 - testcase.IntBits(b)
	return i << n >> n
}

// wrapUint returns u as it is in an unsigned type.
func wrapUint(u uint64, b *types.Basic) uint64 {
	n := 64 - testcase.IntBits(b)
	return u << n >> n
}

// literal makes a constant of a type with a basic underlying type, for a parameter
// of the action that is being tried.
func (e *engine) literal(t types.Type, b *types.Basic) (testcase.Literal, bool) {
	if e.timed && testcase.IsDuration(t) {
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(e.moment())}, true
	}
	if isFileMode(t) && e.rnd.IntN(4) > 0 {
		modes := [...]uint64{0o600, 0o644, 0o755}
		return testcase.Literal{Kind: testcase.LitUint, Bits: modes[e.rnd.IntN(len(modes))]}, true
	}
	if consts := e.enum(t); len(consts) > 0 && e.rnd.IntN(10) < 7 {
		l := consts[e.rnd.IntN(len(consts))]
		if load.Flags(t) != 0 {
			for e.rnd.IntN(2) == 0 {
				l.Bits |= consts[e.rnd.IntN(len(consts))].Bits
			}
		}
		return l, true
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return testcase.Literal{Kind: testcase.LitBool, Bits: uint64(e.rnd.IntN(2))}, true
	case info&types.IsUnsigned != 0:
		return testcase.Literal{Kind: testcase.LitUint, Bits: wrapUint(uint64(e.integer(b)), b)}, true
	case info&types.IsInteger != 0:
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(wrapInt(e.integer(b), b))}, true
	case info&types.IsFloat != 0:
		return floatLiteral(e.float(), b), true
	case info&types.IsComplex != 0:
		part := types.Typ[types.Float64]
		if b.Kind() == types.Complex64 {
			part = types.Typ[types.Float32]
		}
		return testcase.Literal{Kind: testcase.LitComplex, Bits: floatLiteral(e.float(), part).Bits, Imag: floatLiteral(e.float(), part).Bits}, true
	case info&types.IsString != 0:
		return testcase.Literal{Kind: testcase.LitString, Str: e.str()}, true
	}
	return testcase.Literal{}, false
}

// isFileMode reports whether a type is that of permissions. A directory whose mode is any number cannot be read.
func isFileMode(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "FileMode" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "io/fs"
}

// enum returns the constants of a named type that the package can name.
func (e *engine) enum(t types.Type) []testcase.Literal {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	list, ok := e.enums[n.Obj()]
	if !ok {
		for _, c := range load.ConstantsOf(n) {
			if c.Exported() || c.Pkg() == e.pkg.Types {
				if l, ok := testcase.ConstantLiteral(c.Val(), t); ok {
					list = append(list, l)
				}
			}
		}
		e.enums[n.Obj()] = list
	}
	return list
}

// hints returns the literals of the function that is being tried; if it has none, the literals of the
// package.
func (e *engine) hints() *load.Literals {
	all := e.pkg.Literals
	if all == nil {
		return &load.Literals{}
	}
	if c := e.ofChange(); c != nil {
		return c
	}
	if l := all.ByFunc[e.now]; l != nil && e.rnd.IntN(3) > 0 {
		return l
	}
	return all
}

// integer makes a number within the limit of the action being tried.
func (e *engine) integer(b *types.Basic) int64 {
	i := e.anyInteger(b)
	if l := e.limit; i > l || i < -l {
		i %= l + 1
	}
	return i
}

// anyInteger makes a number: small ones mostly, else one of the code's, or one at a
// limit.
func (e *engine) anyInteger(b *types.Basic) int64 {
	switch k := e.rnd.IntN(20); {
	case k < 9:
		return int64(e.rnd.IntN(8)) - 1
	case k < 15:
		if l := e.hints().Ints; len(l) > 0 {
			v := constant.ToInt(l[e.rnd.IntN(len(l))])
			if i, exact := constant.Int64Val(v); exact {
				if e.rnd.IntN(4) == 0 {
					i += int64(e.rnd.IntN(3)) - 1
				}
				return i
			}
		}
		return int64(e.rnd.IntN(20))
	case k < 18:
		return int64(e.rnd.IntN(300)) - 50
	case k < 19:
		// A limit of the type, or next to it.
		n := testcase.IntBits(b)
		edge := int64(1)<<(n-1) - 1
		if b.Info()&types.IsUnsigned != 0 {
			return -1 - int64(e.rnd.IntN(2))
		}
		if e.rnd.IntN(2) == 0 {
			edge = -edge - 1
		}
		return edge
	}
	return int64(e.rnd.Uint64() >> e.rnd.IntN(63))
}

func (e *engine) float() float64 {
	switch k := e.rnd.IntN(20); {
	case k < 9:
		return float64(e.rnd.IntN(8)) - 2
	case k < 13:
		if l := e.hints().Floats; len(l) > 0 {
			f, _ := constant.Float64Val(l[e.rnd.IntN(len(l))])
			return f
		}
		return float64(e.rnd.IntN(100)) / 4
	case k < 17:
		return float64(e.rnd.IntN(4000)-2000) / 16
	case k < 18:
		return [...]float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), math.MaxFloat64, 1e-300}[e.rnd.IntN(6)]
	}
	return e.rnd.NormFloat64() * 1000
}
