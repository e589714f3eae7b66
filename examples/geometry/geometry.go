// Package geometry shows floating point: conditions on sums and products of floats,
// and inputs that are no numbers.
package geometry

import (
	"errors"
	"math"
)

// ErrDirection is returned for a vector without a direction.
var ErrDirection = errors.New("geometry: no direction")

// Vec is a point or a vector of the plane.
type Vec struct{ X, Y float64 }

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y} }

// Scale returns k v.
func (v Vec) Scale(k float64) Vec { return Vec{k * v.X, k * v.Y} }

// Cross returns the third component of v × w.
func (v Vec) Cross(w Vec) float64 { return v.X*w.Y - v.Y*w.X }

// IsFinite reports whether both coordinates are numbers and finite.
func (v Vec) IsFinite() bool {
	return !math.IsNaN(v.X) && !math.IsNaN(v.Y) && !math.IsInf(v.X, 0) && !math.IsInf(v.Y, 0)
}

// Unit returns the vector of length 1 in the direction of v.
func (v Vec) Unit() (Vec, error) {
	n := math.Hypot(v.X, v.Y)
	if n == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return Vec{}, ErrDirection
	}
	return Vec{v.X / n, v.Y / n}, nil
}

// Turn says to which side a path turns.
type Turn int

// The turns.
const (
	Right    Turn = -1
	Straight Turn = 0
	Left     Turn = 1
)

// TurnAt returns to which side the path from a over b to c turns.
func TurnAt(a, b, c Vec) Turn {
	switch x := b.Sub(a).Cross(c.Sub(b)); {
	case x > 0:
		return Left
	case x < 0:
		return Right
	}
	return Straight
}

// Segment is a line segment.
type Segment struct{ A, B Vec }

// Intersect returns the point in which two segments cross. Parallel segments, and
// those with coordinates that are not finite, do not.
func (s Segment) Intersect(t Segment) (Vec, bool) {
	if !s.A.IsFinite() || !s.B.IsFinite() || !t.A.IsFinite() || !t.B.IsFinite() {
		return Vec{}, false
	}
	d, e := s.B.Sub(s.A), t.B.Sub(t.A)
	den := d.Cross(e)
	if den == 0 {
		return Vec{}, false
	}
	w := t.A.Sub(s.A)
	u := w.Cross(e) / den
	v := w.Cross(d) / den
	if u < 0 || u > 1 || v < 0 || v > 1 {
		return Vec{}, false
	}
	return s.A.Add(d.Scale(u)), true
}

// Clamp returns x, or the nearer of the bounds if it is not between them. It returns
// NaN if x is NaN, or if lo is not at most hi.
func Clamp(x, lo, hi float64) float64 {
	if !(lo <= hi) {
		return math.NaN()
	}
	if x < lo {
		return lo
	}
	if x > hi {
		return hi
	}
	return x
}

// Area returns the area of the polygon with the given corners.
func Area(corners []Vec) float64 {
	if len(corners) < 3 {
		return 0
	}
	sum := 0.0
	for i, v := range corners {
		sum += v.Cross(corners[(i+1)%len(corners)])
	}
	return math.Abs(sum) / 2
}
