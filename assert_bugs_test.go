//go:build assay_bugs

package assay_test

import (
	"testing"

	"github.com/goassay/assay"
)

// With the build tag of the tests of findings, an assertion that does not hold panics.
func TestAssertionsPanic(t *testing.T) {
	for name, f := range map[string]func(bool){"Assert": assay.Assert, "Verified": func(c bool) { assay.Verified(c, "id") }} {
		panics := func(cond bool) (p bool) {
			defer func() { p = recover() != nil }()
			f(cond)
			return false
		}
		if panics(true) || !panics(false) {
			t.Errorf("%s(true) panics: %v, %s(false): %v", name, panics(true), name, panics(false))
		}
	}
}
