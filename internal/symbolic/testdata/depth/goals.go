package depth

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
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

// HeaderFirst only comes to its last condition with a line.
func HeaderFirst(s string) int {
	head, rest, ok := strings.Cut(s, "\n")
	if !ok {
		return 1
	}
	columns := strings.Split(head, ";")
	for _, line := range strings.Split(rest, "\n") {
		if strings.Count(line, ";") != len(columns)-1 {
			return 2
		}
	}
	if len(s) > 45 {
		return 3
	}
	return 4
}

// RowsFirst has lists in a list.
func RowsFirst(grid [][]byte) int {
	n := 0
	for _, row := range grid {
		if len(row) != len(grid[0]) {
			return 5
		}
		for _, c := range row {
			if c == '#' {
				n++
			}
		}
	}
	if len(grid) == 6 && len(grid[0]) == 3 {
		if grid[5][2] == '#' {
			return 1
		}
		return 2
	}
	if n == 2 {
		return 3
	}
	return 4
}

// TwinsFirst compares two texts.
func TwinsFirst(a, b string) int {
	same := 0
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			same++
		}
	}
	if len(a) == 30 && len(b) == 30 && same == 30 {
		return 1
	}
	if len(a)+len(b) > 50 {
		return 2
	}
	return 3
}

// BackwardsFirst begins at the end.
func BackwardsFirst(s string) int {
	n := 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			n++
		}
	}
	if len(s) == 55 {
		return 1
	}
	if n == 1 {
		return 2
	}
	return 3
}

var setting = regexp.MustCompile(`^(\w+)=(\d+)$`)

// SettingFirst wants a text that goes on as it began.
func SettingFirst(s string) int {
	if setting.FindStringSubmatch(s) == nil {
		return 1
	}
	if len(s) > 30 {
		return 2
	}
	return 3
}

// KeysFirst sorts the keys of a map.
func KeysFirst(m map[string]int) int {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	if len(m) == 6 {
		return 1
	}
	return 2
}

// SortedFirst sorts numbers.
func SortedFirst(xs []int) int {
	ys := slices.Clone(xs)
	slices.Sort(ys)
	if len(xs) == 20 {
		return 1
	}
	if len(ys) > 1 && ys[0] == ys[1] {
		return 2
	}
	return 3
}
