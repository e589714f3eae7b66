package certain

type T struct{ x int }

func Nil(p *T) int {
	if p == nil {
		return p.x // want `nil-dereference: it never holds that p is not nil`
	}
	return p.x
}

func Late(xs []int, i int) int {
	if i >= len(xs) {
		return xs[i] // want `index-out-of-range: it never holds that 0 <= i < len\(xs\)`
	}
	return xs[i]
}

func Zero(n int) int {
	for i := 0; i < 3; i++ {
		if n == 0 {
			return 1 / n // want `division-by-zero: it never holds that n is not 0`
		}
	}
	return 0
}

func NilChannel() {
	var c chan int
	close(c) // want `closed-channel: it never holds that the channel is open`
}

func AlwaysZero(n int) int {
	z := 0
	return n / z // want `division-by-zero: it never holds that`
}

func AlwaysNegative(n int) int {
	k := -1
	return n << k // want `negative-shift: it never holds that`
}
