package phrase

import "testing"

// Names show arguments without the parts that only the compiler needs.
func TestNameText(t *testing.T) {
	for args, want := range map[string]string{
		`[]int{1, 2}`:                   "{1, 2}",
		`strings.Repeat("a", 81)`:       `81 times "a"`,
		`make([]byte, 4096)`:            "4096 zero elements",
		`stackWith(1, 2)`:               "with 1, 2",
		`queueWith(t, "a"), 3`:          `with "a", 3`,
		`New(stackWith(f(1)), math.Pi)`: "New(stackWith(f(1)), Pi)",
	} {
		if got := NameText(args); got != want {
			t.Errorf("NameText(%s) = %s, want %s", args, got, want)
		}
	}
}
