package paths

// The subjects with their domains cut down, so that every input can be run: an argument is
// as many symbolic bytes as there are choices, of which the low three bits count. They
// pick from tables, which decides nothing.

var (
	int32s  = [8]int32{-2147483648, -1, 0, 1, 2, 3, 2147483646, 2147483647}
	ordered = [8]int32{-2147483648, -7, -1, 0, 1, 5, 900, 2147483647}
	lexemes = [8]byte{0, '7', '+', '-', '*', '(', ')', 'x'}
	pattern = [8]byte{0, 'h', 'l', '.', '*', '^', '$', 'o'}
	sextets = [8]byte{'A', 'z', '0', '+', '/', '=', '!', 0x80}
)

func SmallTriangle(x [3]byte) int {
	return Triangle(int32s[x[0]&7], int32s[x[1]&7], int32s[x[2]&7])
}

func SmallBubble5(x [5]byte) int32 {
	var a [5]int32
	for i := range a {
		a[i] = ordered[x[i]&7]
	}
	return Bubble5(a)
}

func SmallBST4(x [4]byte) int32 {
	var a [4]int32
	for i := range a {
		a[i] = ordered[x[i]&7]
	}
	return BST4(a)
}

func SmallBST5(x [5]byte) int32 {
	var a [5]int32
	for i := range a {
		a[i] = ordered[x[i]&7]
	}
	return BST5(a)
}

func SmallExpr5(x [5]byte) (int32, bool) {
	var s [6]byte
	for i := range x {
		s[i] = lexemes[x[i]&7]
	}
	return eval(s[:])
}

func SmallExpr6(x [6]byte) (int32, bool) {
	var s [6]byte
	for i := range s {
		s[i] = lexemes[x[i]&7]
	}
	return Expr6(s)
}

func SmallRegexp5(x [5]byte) bool {
	var re [5]byte
	for i := range re {
		re[i] = pattern[x[i]&7]
	}
	return match(re[:], []byte("hello\x00"))
}

func SmallBase64x4(x [4]byte) int {
	var s [4]byte
	for i := range s {
		s[i] = sextets[x[i]&7]
	}
	return Base64x4(s)
}

// SmallChecks passes every implicit check and fails every one.
func SmallChecks(x [5]byte) int {
	table := []int{4, 0, 2, 1, -1}
	i := int(x[0] & 7)
	n := table[i] // beyond the end
	var p *node
	if x[1]&7 > 2 {
		p = &node{key: int32(x[1] & 7)}
	}
	n += int(p.key) / table[x[2]&3] // nil, division by zero
	s := table[x[3]&7 : x[4]&7]     // out of order, beyond the capacity
	if n > len(s) || n == 3 && i != 2 {
		return 6 >> (n - 5) // a negative count
	}
	a := (*[2]int)(s) // too short
	return a[0]
}

// SmallSwitch decides in the ways that are no if statements.
func SmallSwitch(x [4]byte) (n int, ok bool) {
	a, b := x[0]&7, x[1]&7
	both := a > 3 && b < 2 || a == b
	switch {
	case both, a == 1 && b == 1:
		n++
	case b > a:
		n += 2
		fallthrough
	default:
		n += 3
	}
	switch x[2] & 7 {
	case a, 3:
		n *= 2
	case b:
		return n, !both
	}
	for k := x[3] & 7; k > 1; k -= 2 {
		if n++; n == int(b) {
			break
		}
	}
	return n, a < b
}
