// Package classify shows pure functions with many branches: their tests are tables
// with a row for each kind of result.
package classify

import (
	"errors"
	"fmt"
)

// Kind is a kind of triangle.
type Kind int

// The kinds of triangles.
const (
	NotATriangle Kind = iota
	Equilateral
	Isosceles
	Scalene
)

// String returns the kind in words.
func (k Kind) String() string {
	switch k {
	case NotATriangle:
		return "not a triangle"
	case Equilateral:
		return "equilateral"
	case Isosceles:
		return "isosceles"
	case Scalene:
		return "scalene"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// Triangle returns the kind of the triangle with the given sides.
func Triangle(a, b, c int) Kind {
	if a <= 0 || b <= 0 || c <= 0 {
		return NotATriangle
	}
	// Differences do not overflow where sums would.
	if a-b >= c || b-c >= a || c-a >= b {
		return NotATriangle
	}
	switch {
	case a == b && b == c:
		return Equilateral
	case a == b || b == c || a == c:
		return Isosceles
	}
	return Scalene
}

// The errors of this package.
var (
	ErrScore = errors.New("classify: score out of range")
	ErrMonth = errors.New("classify: no such month")
)

// Grade returns the grade for a score from 0 to 100.
func Grade(score int) (string, error) {
	switch {
	case score < 0 || score > 100:
		return "", ErrScore
	case score >= 90:
		return "A", nil
	case score >= 75:
		return "B", nil
	case score >= 60:
		return "C", nil
	}
	return "F", nil
}

// IsLeap reports whether a year of the Gregorian calendar has 366 days.
func IsLeap(year int) bool {
	if year%4 != 0 {
		return false
	}
	return year%100 != 0 || year%400 == 0
}

// DaysIn returns the number of days of a month, 1 to 12, of a year.
func DaysIn(month, year int) (int, error) {
	switch month {
	case 4, 6, 9, 11:
		return 30, nil
	case 2:
		if IsLeap(year) {
			return 29, nil
		}
		return 28, nil
	case 1, 3, 5, 7, 8, 10, 12:
		return 31, nil
	}
	return 0, fmt.Errorf("%w: %d", ErrMonth, month)
}
