// Package promises holds types whose contracts some sequences break.
package promises

import "errors"

// Meter counts.
//
//assay:invariant m.n >= 0
type Meter struct {
	n, max int
}

// NewMeter returns a meter that stops at max.
//
//assay:requires max > 2
func NewMeter(max int) *Meter { return &Meter{max: max} }

// Add counts k more; full meters forget to.
//
//assay:requires k > 0 && k < 10
//assay:ensures m.n == old(m.n)+k
func (m *Meter) Add(k int) {
	if m.n+k > m.max {
		return
	}
	m.n += k
}

// Sub counts back, too far.
//
//assay:requires k > 0 && k < 10
func (m *Meter) Sub(k int) { m.n -= k }

// After panics where the count is negative, which nobody may get to see.
func (m *Meter) After() int {
	if m.n < 0 {
		panic("negative")
	}
	return m.n
}

// Ring has an invariant of its own to ask, which returns an error.
type Ring struct {
	n, at int
}

// NewRing returns a ring of n places.
func NewRing() *Ring { return &Ring{n: 3} }

var errBeyond = errors.New("beyond the end")

// CheckInvariants says what is wrong.
func (r *Ring) CheckInvariants() error {
	if r.at < 0 || r.at >= r.n {
		return errBeyond
	}
	return nil
}

// Next moves on; it forgets to begin anew.
func (r *Ring) Next() { r.at++ }

// Skip moves on by k places.
func (r *Ring) Skip(k int) { r.at = (r.at + k) % r.n }

// Place is where it is; it panics where there is none.
func (r *Ring) Place() int { return [3]int{4, 5, 6}[r.at] }

// Half breaks its invariant for one of its arguments alone.
type Half struct {
	v, w int
}

// RepOK reports whether v is not below w.
func (h *Half) RepOK() bool { return h.v >= h.w }

// Set sets v.
func (h *Half) Set(v int) { h.v = v }

// Use panics only where the invariant is broken.
func (h *Half) Use() int {
	if h.v < 0 {
		panic("broken before")
	}
	return h.v
}

// Zero is not ready before it is initialised.
type Zero struct{ ready, used bool }

// RepOK reports whether it is ready.
func (z *Zero) RepOK() bool { return z.ready }

// Init makes it ready.
func (z *Zero) Init() { z.ready = true }

// Use uses it.
func (z *Zero) Use() bool {
	if !z.ready {
		return false
	}
	z.used = true
	return true
}

// Rat is a fraction with a positive denominator.
type Rat struct{ num, den int }

// NewRat makes one, of any denominator.
func NewRat(num, den int) *Rat { return &Rat{num, den} }

// RepOK says that the denominator is positive.
func (r *Rat) RepOK() bool { return r.den > 0 }

// Inv inverts; what it makes of a negative fraction, NewRat makes as well.
func (r *Rat) Inv() { r.num, r.den = r.den, r.num }
