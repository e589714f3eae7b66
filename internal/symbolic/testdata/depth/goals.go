package depth

import (
	"bytes"
	"regexp"
	"strings"
)

// The functions below look at every element of an input before they ask how long it is.

// SplitFirst takes a text apart.
func SplitFirst(s string) int {
	parts := strings.Split(s, ",")
	if len(s) > 60 {
		return 1
	}
	if len(parts) > 3 {
		return 2
	}
	return 3
}

// FieldsFirst looks for words.
func FieldsFirst(s string) int {
	words := strings.Fields(s)
	if len(s) == 50 {
		if s[40] == 'q' {
			return 1
		}
		return 2
	}
	if len(words) == 2 {
		return 3
	}
	return 4
}

// LinesFirst has bytes.
func LinesFirst(b []byte) int {
	lines := bytes.Split(b, []byte("\n"))
	if len(b) > 60 && len(lines) > 1 {
		return 1
	}
	return 2
}

// IndexFirst asks in a loop.
func IndexFirst(s string) int {
	n := 0
	for rest := s; ; n++ {
		i := strings.Index(rest, "ab")
		if i < 0 {
			break
		}
		rest = rest[i+2:]
	}
	switch {
	case len(s) > 60:
		return 1
	case n == 2:
		return 2
	}
	return 3
}

var word = regexp.MustCompile(`^[a-z]+( [a-z]+)*$`)

// MatchFirst has a regular expression.
func MatchFirst(s string) int {
	if !word.MatchString(s) {
		return 1
	}
	if len(s) > 40 {
		return 2
	}
	return 3
}

// SumFirst has numbers.
func SumFirst(xs []int) int {
	sum := 0
	for _, x := range xs {
		if x > 0 {
			sum += x
		}
	}
	if len(xs) > 45 {
		return 1
	}
	if sum > 10 {
		return 2
	}
	return 3
}

// CountFirst has a number of its own for each iteration.
func CountFirst(n int, s string) int {
	k := 0
	for i := 0; i < n; i++ {
		if i < len(s) && s[i] == 'x' {
			k++
		}
	}
	if n == 90 {
		return 1
	}
	return 2
}
