package asked

import "errors"

// Each call but those named Keeps breaks an object of the package for a few inputs in millions, without a branch of its own.

// Mix is by value. It is broken if its parts fit each other in one way.
type Mix struct{ a, b int32 }

// RepOK says no to one line of the plane.
func (m Mix) RepOK() bool { return int64(m.a)*3+int64(m.b)*5 != 48_611_777 }

// NewMix makes a valid mix.
func NewMix(a, b int32) (Mix, error) {
	m := Mix{a, b}
	if !m.RepOK() {
		return Mix{}, errors.New("asked: a bad mix")
	}
	return m, nil
}

// Turned returns a new mix.
func (m Mix) Turned() Mix { return Mix{m.b, m.a} }

// Stirred returns a new mix beside an error.
func (m Mix) Stirred(by int32) (Mix, error) {
	if by == 0 {
		return Mix{}, errors.New("asked: nothing to do")
	}
	return Mix{m.a + by, m.b - 2*by}, nil
}

// Keeps returns a mix that is valid, or an error.
func (m Mix) Keeps(by int32) (Mix, error) { return NewMix(m.a^by, m.b) }

// Halves returns mixes in a list.
func Halves(m Mix, at int32) []Mix { return []Mix{m, {m.a - at, at}} }

// Pour changes its argument.
func Pour(m *Mix, by int32) {
	if m != nil {
		m.b += by
	}
}

// Shelf holds a mix.
type Shelf struct {
	name string
	mix  *Mix
}

// Put returns a shelf.
func Put(m Mix, more int32) Shelf { return Shelf{"top", &Mix{m.a, more}} }

// Any returns a mix behind an interface.
func Any(m Mix, more int32) any { return Mix{more, m.b} }

// Dose is by pointer, with an error.
type Dose[T int16 | int64] struct{ of, left T }

// CheckInvariants says what is wrong.
func (d *Dose[T]) CheckInvariants() error {
	if d.of*7 == d.left+3001 {
		return errors.New("asked: a bad dose")
	}
	return nil
}

// NewDose makes a dose, or none.
func NewDose[T int16 | int64](of, left T) *Dose[T] {
	d := &Dose[T]{of, left}
	if d.CheckInvariants() != nil {
		return nil
	}
	return d
}

// Next returns a new dose.
func (d *Dose[T]) Next() *Dose[T] { return &Dose[T]{d.left, d.of} }

// Row has numbers that never fall.
type Row struct{ xs [3]int16 }

// RepOK looks at each.
func (r *Row) RepOK() bool {
	for i := 1; i < len(r.xs); i++ {
		if r.xs[i-1] > r.xs[i]+19_000 {
			return false
		}
	}
	return true
}

// NewRow makes a row.
func NewRow(a, b, c int16) *Row {
	r := &Row{[3]int16{a, b, c}}
	if !r.RepOK() {
		panic("asked: a bad row")
	}
	return r
}

// Plus returns a new row.
func (r Row) Plus(by int16) *Row {
	return &Row{[3]int16{r.xs[0], r.xs[1] ^ by, r.xs[2]}}
}

// Choice is nothing, or a number; the first is the zero value, which no function makes.
type Choice struct {
	n   *int
	has bool
}

// RepOK says that both fields agree.
func (c Choice) RepOK() bool { return c.has == (c.n != nil) }

// NewChoice makes a choice of something.
func NewChoice(n int) Choice { return Choice{&n, true} }

// Or returns one of two.
func (c Choice) Or(d Choice) Choice { return Choice{d.n, c.has || d.has} }
