package depth

import "math"

func FloatCompare(x, y float64) int {
	switch {
	case x != x:
		return 1
	case x < y && y < x+0.5:
		return 2
	case x == 0 && math.Signbit(x):
		return 3
	}
	return 0
}

func FloatArith(x float64) int {
	switch {
	case x*3 == 10.5:
		return 1
	case x/4 == 0.3125:
		return 2
	case x-0.5 == 0.25:
		return 3
	}
	return 0
}

func FloatConvert(x float64, n int) int {
	switch {
	case int(x) == 12 && x != 12:
		return 1
	case float32(x) == 0.1:
		return 2
	case float64(n) == 9007199254740993:
		return 3
	}
	return 0
}

func NaN(x float64) int {
	if math.IsNaN(x) {
		return 1
	}
	if math.IsInf(x, -1) {
		return 2
	}
	return 0
}

func Sqrt(x float64) int {
	if math.Sqrt(x) == 1.5 {
		return 1
	}
	if math.IsNaN(math.Sqrt(x)) && !math.IsNaN(x) {
		return 2
	}
	return 0
}

func Floor(x float64) int {
	if math.Floor(x) == -3 && x != -3 {
		return 1
	}
	if math.Ceil(x) == 8 && math.Trunc(x) == 7 {
		return 2
	}
	return 0
}

func Abs(x float64) int {
	if math.Abs(x) == 2.25 && x < 0 {
		return 1
	}
	return 0
}

func Mod(x float64) int {
	if math.Mod(x, 3) == 1.5 {
		return 1
	}
	return 0
}

func ModTwo(x, y float64) int {
	if y > 5 && math.Mod(x, y) == 2 {
		return 1
	}
	return 0
}

func Pow(x float64) int {
	if math.Pow(x, 2) == 6.25 {
		return 1
	}
	return 0
}

func PowSymbolic(x, y float64) int {
	if x > 1 && y > 1 && math.Pow(x, y) == 8 {
		return 1
	}
	return 0
}

func Hypot(x float64) int {
	if math.Hypot(x, 4) == 5 {
		return 1
	}
	return 0
}

func Exp(x float64) int {
	if math.Exp(x) > 100 && math.Exp(x) < 101 {
		return 1
	}
	return 0
}

func Log(x float64) int {
	if y := math.Log(x); y > 2 && y < 2.5 {
		return 1
	}
	return 0
}

func Trig(x float64) int {
	if s := math.Sin(x); s > 0.9 && s < 0.95 {
		return 1
	}
	if math.Cos(x) < -0.5 {
		return 2
	}
	return 0
}

func Atan2(y, x float64) int {
	if math.Atan2(y, x) > 3 {
		return 1
	}
	return 0
}

func Round(x float64) int {
	if math.Round(x) == 4 && x < 4 {
		return 1
	}
	return 0
}

func Float32(x float32) int {
	if x*x == 2.25 && x < 0 {
		return 1
	}
	return 0
}

func MinMax(x, y float64) int {
	if math.Max(x, y) == 3 && math.Min(x, y) == -3 {
		return 1
	}
	return 0
}
