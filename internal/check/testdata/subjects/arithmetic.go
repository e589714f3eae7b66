package subjects

// GCD is the greatest common divisor.
func GCD(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// LCM is the least common multiple.
func LCM(a, b int) int {
	if a <= 0 || b <= 0 {
		return 0
	}
	g := GCD(a, b)
	m := a / g * b
	holds(m >= a)
	return m
}

// Factorial multiplies the numbers up to n.
func Factorial(n int32) int32 {
	if n < 0 {
		return 0
	}
	p := int32(1)
	for i := int32(2); i <= n; i++ {
		p *= i
	}
	holds(p > 0)
	return p
}

// Fibonacci adds up its way to the n-th number.
func Fibonacci(n int) int32 {
	a, b := int32(0), int32(1)
	for range n {
		a, b = b, a+b
	}
	holds(a >= 0)
	return a
}

// Power is base to the exponent.
func Power(base, exp int32) int32 {
	if exp < 0 {
		return 0
	}
	r := int32(1)
	for exp > 0 {
		if exp&1 == 1 {
			r *= base
		}
		base *= base
		exp >>= 1
	}
	return r
}

// Average is the mean of two numbers.
func Average(a, b int32) int32 {
	m := (a + b) / 2
	holds(m >= min(a, b) && m <= max(a, b))
	return m
}

// AbsDiff is how far two numbers are apart.
func AbsDiff(a, b int32) int32 {
	d := a - b
	if d < 0 {
		d = -d
	}
	holds(d >= 0)
	return d
}

// Clamp forces a number between two others.
func Clamp(x, lo, hi int) int {
	if lo > hi {
		lo, hi = hi, lo
	}
	if x < lo {
		x = lo
	}
	if x > hi {
		x = hi
	}
	holds(lo <= x && x <= hi)
	return x
}

// Percent is what share part is of whole.
func Percent(part, whole int32) int32 {
	return part * 100 / whole
}

// CeilDiv divides and rounds up.
func CeilDiv(a, b int) int {
	if b <= 0 || a < 0 {
		return 0
	}
	q := (a + b - 1) / b
	holds(q >= 0)
	return q
}

// DigitSum adds the digits of a number.
func DigitSum(n uint32) uint32 {
	s := uint32(0)
	for n > 0 {
		s += n % 10
		n /= 10
	}
	return s
}

// Reverse turns the digits of a number around.
func Reverse(n uint32) uint32 {
	r := uint32(0)
	for n > 0 {
		r = r*10 + n%10
		n /= 10
	}
	return r
}

// IsPrime tries divisors.
func IsPrime(n int32) bool {
	if n < 2 {
		return false
	}
	for d := int32(2); d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// PerfectNumber compares a number with the sum of its divisors.
func PerfectNumber(n int32) bool {
	if n < 2 || n > 40 {
		return false
	}
	s := int32(1)
	for d := int32(2); d < n; d++ {
		if n%d == 0 {
			s += d
		}
	}
	return s == n
}

// Collatz counts the steps to 1.
func Collatz(n int32) int {
	if n <= 0 {
		return -1
	}
	steps := 0
	for n != 1 && steps < 12 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		holds(n > 0)
		steps++
	}
	return steps
}

// LeapYear is the Gregorian rule.
func LeapYear(y int) bool {
	if y%400 == 0 {
		return true
	}
	return y%4 == 0 && y%100 != 0
}

// DaysIn counts the days of a month.
func DaysIn(month, year int) int {
	days := [12]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if month < 1 || month > 12 {
		return 0
	}
	if month == 2 && LeapYear(year) {
		return 29
	}
	return days[month-1]
}

// DayOfYear numbers the days of a year.
func DayOfYear(year, month, day int) int {
	if month < 1 || month > 12 || day < 1 || day > DaysIn(month, year) {
		return 0
	}
	n := day
	for m := 1; m < month; m++ {
		n += DaysIn(m, year)
	}
	holds(n >= day)
	return n
}

// Seconds turns a duration into seconds.
func Seconds(h, m, s int32) int32 {
	if h < 0 || m < 0 || s < 0 {
		return -1
	}
	t := h*3600 + m*60 + s
	holds(t >= s)
	return t
}

// Mix blends two channels of a colour.
func Mix(a, b uint8, weight uint8) uint8 {
	if weight > 100 {
		weight = 100
	}
	v := (int(a)*int(weight) + int(b)*(100-int(weight))) / 100
	holds(v <= 255)
	return uint8(v)
}

// Discount takes a percentage off a price in cents.
func Discount(cents int32, percent int32) int32 {
	if percent < 0 || percent > 100 || cents < 0 {
		return cents
	}
	off := cents * percent / 100
	holds(off <= cents)
	return cents - off
}

// Triangle says what kind of triangle three sides make.
func Triangle(a, b, c int32) int {
	if a <= 0 || b <= 0 || c <= 0 {
		return -1
	}
	if a+b <= c || b+c <= a || a+c <= b {
		return 0
	}
	p := a + b + c
	holds(p > c)
	switch {
	case a == b && b == c:
		return 3
	case a == b || b == c || a == c:
		return 2
	}
	return 1
}

// Area is the area of a rectangle given by two corners.
func Area(x0, y0, x1, y1 int32) int32 {
	if x1 < x0 || y1 < y0 {
		return 0
	}
	w, h := x1-x0, y1-y0
	holds(w >= 0 && h >= 0)
	return w * h
}

// Overlap is the length that two ranges have in common.
func Overlap(a, b, c, d int32) int32 {
	if a > b || c > d {
		return 0
	}
	lo, hi := max(a, c), min(b, d)
	if lo > hi {
		return 0
	}
	n := hi - lo
	holds(n >= 0)
	return n
}

// Sqrt is the integer square root by bisection.
func Sqrt(n int32) int32 {
	if n < 0 || n > 1000 {
		return -1
	}
	lo, hi := int32(0), n+1
	for hi-lo > 1 {
		m := lo + (hi-lo)/2
		if m*m <= n {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// Checksum folds numbers into a byte.
func Checksum(a, b, c int32) byte {
	s := a + b + c
	if s < 0 {
		s = -s
	}
	holds(s >= 0)
	return byte(s % 251)
}

// Scale multiplies and divides, as fixed-point code does.
func Scale(x, num, den int32) int32 {
	if den == 0 {
		return 0
	}
	y := x * num / den
	if num == den {
		holds(y == x)
	}
	return y
}

// Budget spreads an amount over parts.
func Budget(total, parts int32) (each, rest int32) {
	if total < 0 || parts <= 0 {
		return 0, 0
	}
	each, rest = total/parts, total%parts
	holds(rest < parts)
	holds(each <= total)
	return each, rest
}

// Hamming counts the bits in which two bytes differ.
func Hamming(a, b byte) int {
	n := 0
	for x := a ^ b; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// Grade turns points into a mark.
func Grade(points, most int) byte {
	if most <= 0 || points < 0 || points > most {
		return '?'
	}
	marks := "FDCBA"
	i := points * 5 / (most + 1)
	return marks[i]
}

// Shift moves bits by a count that may be anything.
func Shift(x uint32, by int) uint32 {
	if x == 0 {
		return 0
	}
	return x << by
}
