package phrase

import "testing"

func TestIsTelling(t *testing.T) {
	for name, want := range map[string]bool{
		"age above 600": true, "a equal to b": true, "empty": true, "becomes full": true, "not enough money": true,
		"1001": false, "positive": false, "zero n": false, "undeclared, negative": false, "n 4": false, "nothing": false,
	} {
		if got := IsTelling(name); got != want {
			t.Errorf("IsTelling(%q) = %t, want %t", name, got, want)
		}
	}
}
