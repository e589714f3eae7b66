package bitblast

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/solver/sat"
	"github.com/goassay/assay/internal/term"
)

// interesting returns the bit patterns where rounding and special cases happen, and random ones close to them.
func interesting(r *rand.Rand, w, n int) []uint64 {
	var out []uint64
	add := func(f float64) {
		if w == 64 {
			out = append(out, math.Float64bits(f))
		} else {
			out = append(out, uint64(math.Float32bits(float32(f))))
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, -2.5, math.Inf(1), math.Inf(-1), math.NaN(), 3, 1e300, 1e-300, 1e38, 1e-38, 1e-45,
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, 1 << 31, 1<<31 - 1, 1 << 63, 1 << 53, 1<<53 - 1, -1 << 31, -1 << 63, 1<<64 - 2048, 1 << 64, 16777216, 16777217} {
		add(f)
	}
	for range n {
		v := out[r.IntN(len(out))]
		switch r.IntN(4) {
		case 0:
			v = r.Uint64()
		case 1:
			v += uint64(r.IntN(5)) - 2
		case 2:
			v ^= 1 << r.IntN(w)
		}
		out = append(out, v&term.Mask(w))
	}
	return out
}

// Every operator on floats, at both widths, agrees with Go's own arithmetic.
func TestFloatEncodings(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	n := 60
	if testing.Short() {
		n = 10
	}
	for _, w := range []int{32, 64} {
		st := term.NewStore()
		x, y := st.Var(w, "x"), st.Var(w, "y")
		i64, i8 := st.Var(64, "i"), st.Var(8, "j")
		for _, id := range []term.ID{
			st.FAdd(x, y), st.FSub(x, y), st.FMul(x, y), st.FDiv(x, y), st.FEq(x, y), st.FLt(x, y), st.FLe(x, y),
			st.FSqrt(x), st.FIsNaN(x), st.FFloor(x), st.FCeil(x), st.FTrunc(x), st.FRoundEven(x), st.FConv(x, 96-w), st.FNeg(x), st.FAbs(x),
			st.FToS(x, 8), st.FToS(x, 32), st.FToS(x, 64), st.FToU(x, 16), st.FToU(x, 32), st.FToU(x, 64),
			st.FFromS(i64, w), st.FFromU(i64, w), st.FFromS(i8, w), st.FFromU(i8, w),
		} {
			b, wrongs := newBlaster(st, Config{}), map[uint64]sat.Lit{}
			xs, ys := interesting(r, w, n), interesting(r, w, n)
			for k := range xs {
				vals := make([]uint64, len(st.Support(id)))
				for i, l := range st.Support(id) {
					switch {
					case i == 1:
						vals[i] = ys[r.IntN(len(ys))]
					case l == i64:
						vals[i] = xs[k] >> r.IntN(64)
					default:
						vals[i] = xs[k] & term.Mask(st.Width(l))
					}
				}
				checkFunction(t, b, wrongs, id, st.Support(id), vals)
			}
			t.Logf("%d bits: %s: %d variables", w, st.String(id), b.sat.Vars())
		}
	}
}
