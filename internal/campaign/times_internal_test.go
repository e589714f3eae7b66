package campaign

import (
	"testing"
	"time"
)

// A first build that compiles what the package imports says little about the builds that follow.
func TestAgain(t *testing.T) {
	for first, want := range map[time.Duration]time.Duration{
		400 * time.Millisecond: 400 * time.Millisecond,
		time.Second:            time.Second,
		9 * time.Second:        2 * time.Second,
	} {
		if got := again(first); got != want {
			t.Errorf("after %v a build is thought to take %v, want %v", first, got, want)
		}
	}
}
