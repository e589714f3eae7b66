package depth

import "strings"

// A count that branches make, or the length of what they have made, is a constant on each path.

func CountWords(s string) int {
	if len(strings.Fields(s)) == 7 {
		return 1
	}
	return 0
}

func CountThrees(s string) int {
	n := 0
	for _, w := range strings.Split(s, " ") {
		if len(w) == 3 {
			n++
		}
	}
	if n == 5 {
		return 1
	}
	return 0
}

func CountDepth(s string) int {
	d, most := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			d++
			most = max(most, d)
		case ')':
			d--
		default:
			return 0
		}
		if d < 0 {
			return 2
		}
	}
	if d == 0 && most == 6 {
		return 1
	}
	return 0
}

func CountPoints(balls []byte) int {
	points, out := 0, 0
	for _, b := range balls {
		switch b {
		case 'W':
			out++
		case '4', '6':
			points += int(b - '0')
		case '.':
		default:
			return 0
		}
		if out == 10 {
			if points > 40 {
				return 3
			}
			return 1
		}
	}
	return 2
}

func CountSentences(s string) int {
	n := 0
	for _, p := range strings.Split(s, ".") {
		if len(strings.Fields(p)) >= 2 {
			n++
		}
	}
	if n == 3 {
		return 1
	}
	return 0
}

// A list of thirteen and more is one that ends in a circle, too.

type ring struct {
	v    int
	next *ring
}

func CountRing(l *ring) int {
	n := 0
	for ; l != nil; l = l.next {
		if n++; n > 12 {
			return 1
		}
	}
	return 0
}

// All variables of size zero are one, as in Go's runtime.

type foot struct{}

func Feet(a, b *foot) int {
	if a == nil || b == nil {
		return 0
	}
	if m := map[*foot]bool{a: true, b: true}; len(m) > 1 {
		return len(m) + 1
	}
	return 1
}
