package purity

import (
	"testing"
)

func TestDraws(t *testing.T) {
	pkg := loadSource(t, `package m

import "math/rand"

func Roll(n int) int { return rand.Intn(n) }

func through(n int) int { return Roll(n) + 1 }

func closure(n int) func() int { return func() int { return rand.Intn(n) } }

func source(s rand.Source) int64 { return s.Int63() }

func method(r *rand.Rand) int { return r.Int() }

func none(n int) int { return n + 1 }
`)
	for name, want := range map[string]bool{"Roll": true, "through": true, "closure": true, "source": true, "method": true, "none": false} {
		if got := Draws(pkg.Target(name).Func); got != want {
			t.Errorf("Draws(%s) = %t, want %t", name, got, want)
		}
	}
}
