// Package parse shows parsers: inputs that take a path through many comparisons of
// bytes, and errors that callers tell apart by sentinels.
package parse

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// The errors of this package.
var (
	ErrEmpty     = errors.New("parse: empty")
	ErrUnit      = errors.New("parse: unknown unit")
	ErrDigit     = errors.New("parse: not a digit")
	ErrRange     = errors.New("parse: out of range")
	ErrNoValue   = errors.New("parse: no value")
	ErrKey       = errors.New("parse: bad key")
	ErrDuplicate = errors.New("parse: duplicate key")
)

// Size reads a size in bytes: digits, with a unit of k, m or g after them.
func Size(s string) (int64, error) {
	if s == "" {
		return 0, ErrEmpty
	}
	unit := int64(1)
	switch last := s[len(s)-1]; {
	case last == 'k' || last == 'K':
		unit = 1 << 10
	case last == 'm' || last == 'M':
		unit = 1 << 20
	case last == 'g' || last == 'G':
		unit = 1 << 30
	case last < '0' || last > '9':
		return 0, ErrUnit
	}
	digits := s
	if unit > 1 {
		digits = s[:len(s)-1]
	}
	if digits == "" {
		return 0, ErrDigit
	}
	var n int64
	for i := 0; i < len(digits); i++ {
		c := digits[i]
		if c < '0' || c > '9' {
			return 0, ErrDigit
		}
		d := int64(c - '0')
		if n > (math.MaxInt64-d)/10 {
			return 0, ErrRange
		}
		n = n*10 + d
	}
	if n > math.MaxInt64/unit {
		return 0, ErrRange
	}
	return n * unit, nil
}

// Line reads a line of the form key=value. The key is made of lower-case letters;
// spaces around both are dropped.
func Line(line string) (key, value string, err error) {
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return "", "", ErrNoValue
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return "", "", ErrKey
	}
	for _, r := range key {
		if r < 'a' || r > 'z' {
			return "", "", fmt.Errorf("%w: %q", ErrKey, key)
		}
	}
	return key, strings.TrimSpace(value), nil
}

// Lines reads lines of the form key=value. Empty lines and those that begin with #
// are skipped.
func Lines(lines []string) (map[string]string, error) {
	out := map[string]string{}
	for i, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, err := Line(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if _, ok := out[key]; ok {
			return nil, fmt.Errorf("line %d: %w: %s", i+1, ErrDuplicate, key)
		}
		out[key] = value
	}
	return out, nil
}
