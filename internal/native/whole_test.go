package native_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// conversions convert numbers in and out of the range of the integer type, in the forms that there are.
const conversions = `
package p

import "math"

type Celsius float64

type Whole int16

func Word(x float64) int { return int(x) }

func Small(x float64) uint8 { return uint8(x) }

func Float32(x float32) int32 { return int32(x) }

func Named(x Celsius) Whole { return (Whole)(x*2,) }

func Far(x float64) bool { return uint64(x) > 9 }

func Nested(x float64) int { return int(math.Sqrt(float64(int64(x)))) }

func Index(x float64) string { vs := map[int]string{4: "four"}; for i := range vs { if i == int(x) && int(x) < 9 { return vs[int(x)] } }; return "" }

func Assigned(x float64) int { vs := [9]int{}; for vs[int(x)] = range map[int]bool{7: true} { }; return vs[int(x)] }

func Shadowed(float64 float64) int { type int16 = int64; return int(int16(float64)) }

func Constant(x float64) int { var a [int(3.0)]int; return len(a) + int(uint8(x)) - int(uint8(x)) }
`

// TestWholeNumbers checks that results of conversions on which machines need not agree are marked as
// unknown, and that all other conversions have the result that Go defines.
func TestWholeNumbers(t *testing.T) {
	defined := map[string]int64{
		"Word(4.9)": 4, "Word(-4.9)": -4, "Word(9007199254740993)": 9007199254740992, "Word(-9223372036854775808)": -9223372036854775808,
		"Small(255.9)": 255, "Small(-0.9)": 0, "Float32(-2147483648)": -2147483648, "Named(4)": 8, "Named(-16384)": -32768,
		"Far(1e19)": 1, "Nested(17)": 4, "Assigned(2)": 7, "Shadowed(3.5)": 3, "Constant(3.5)": 3,
	}
	open := []string{
		"Word(1e300)", "Word(-1e300)", "Word(9223372036854775808)", "Small(256)", "Small(-1)", "Small(300)", "Float32(2147483648)",
		"Named(16384)", "Nested(1e19)", "Shadowed(1e19)",
	}
	for _, goVersion := range []string{"1.10", "1.24"} {
		a := txtar.Parse([]byte("-- go.mod --\nmodule m\n\ngo " + goVersion + "\n-- p/p.go --" + conversions))
		h, pkg := build(t, a, native.Config{})
		run := func(call string) *testcase.Outcome {
			out, err := h.RunTwice(t.Context(), []*testcase.Sequence{sequence(t, pkg, call)})
			if err != nil || out[0].Status != testcase.Returned {
				t.Fatalf("%s: %v, %v", call, out[0], err)
			}
			return out[0]
		}
		for call, want := range defined {
			if o := run(call); o.Unstable || int64(o.Results[len(o.Results)-1][0].Bits) != want {
				t.Errorf("go %s: %s = %v, unstable %t; want %d", goVersion, call, o.Results, o.Unstable, want)
			}
		}
		for _, call := range open {
			if o := run(call); !o.Unstable {
				t.Errorf("go %s: %s = %v on each machine", goVersion, call, o.Results)
			}
		}
		if o := run("Index(4)"); o.Unstable || o.Results[len(o.Results)-1][0].Str != "four" {
			t.Errorf("Index(4) = %v", o.Results)
		}
	}
}
