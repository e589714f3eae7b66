// Package results has functions whose results break an invariant, or do not.
package results

import "errors"

// Box has its longer side first.
type Box struct{ a, b int }

// RepOK wants the longer side first.
func (b *Box) RepOK() bool { return b.a >= b.b && b.b >= 0 }

// Stack returns a box that may be higher than it is long.
func Stack(x, y *Box) *Box { return &Box{x.a, x.b + y.b} }

// Turned returns a broken box beside false only.
func Turned(x *Box) (Box, bool) { return Box{x.b, x.a}, x.a == x.b }

// Flat returns a broken box beside true.
func Flat(x *Box) (Box, bool) { return Box{x.b, x.a}, x.a != x.b }

// Checked returns a broken box beside an error only.
func Checked(x *Box) (*Box, error) {
	if x.a != x.b {
		return &Box{x.b, x.a}, errors.New("turned")
	}
	return nil, nil
}

// Unchecked returns a broken box without an error.
func (b *Box) Unchecked() (*Box, int, error) { return &Box{b.b, b.a}, b.a, nil }

// Square returns a box that is valid.
func (b *Box) Square() Box { return Box{b.a, b.a} }

// Span is a part of a list.
//
//assay:invariant s.from <= s.to
type Span struct{ from, to int }

// Back returns a span that ends before it begins.
func (s *Span) Back() *Span { return &Span{s.to, s.from} }
