package purity

import "testing"

func TestSetsAndReturnsItself(t *testing.T) {
	pkg := loadSource(t, `package m

type R struct {
	strict bool
	n      int
	next   *R
}

func (r *R) Strict(b bool) *R     { r.strict = b; return r }
func (r *R) Both(b bool, n int) *R { r.strict, r.n = b, n; return r }
func (r *R) Add(n int) *R          { r.n += n; return r }
func (r *R) Other(b bool) *R       { r.strict = b; return r.next }
func (r *R) Same() *R              { return r }
func (r *R) Checked(n int) *R {
	if n > 0 {
		r.n = n
	}
	return r
}
func (r *R) Call() *R { r.n = size(); return r }

func size() int { return 1 }
`)
	for name, want := range map[string]bool{"Strict": true, "Both": true, "Add": false, "Other": false, "Same": false, "Checked": false, "Call": false} {
		if got := SetsAndReturnsItself(pkg.Target("R." + name).Func); got != want {
			t.Errorf("SetsAndReturnsItself(%s) = %t, want %t", name, got, want)
		}
	}
}
