package phrase

import "testing"

// Names show arguments without the parts that only the compiler needs.
func TestNameText(t *testing.T) {
	for args, want := range map[string]string{
		`[]int{1, 2}`:                              "{1, 2}",
		`strings.Repeat("a", 81)`:                  `81 times "a"`,
		`map[string]interface{}{"a": 1}`:           `{"a": 1}`,
		`[]interface{}(nil), 3`:                    `nil, 3`,
		"T{\n\tA: 1,\n\tB: U{\n\t\tC: 2,\n\t},\n}": `{A: 1, B: {C: 2}}`,
		`make([]byte, 4096)`:                       "4096 zero elements",
		`stackWith(1, 2)`:                          "with 1, 2",
		`queueWith(t, "a"), 3`:                     `with "a", 3`,
		`New(stackWith(f(1)), math.Pi)`:            "New(stackWith(f(1)), Pi)",
		"&T{}":                                     "zero value", "[]int{}": "empty", "map[string]int{}": "empty", "T{}, 3": "{}, 3",
		`net.ParseIP("::1"), 7`:              "::1, 7",
		"regexp.MustCompile(`a.`), f(\"b\")": `a., f("b")`,
	} {
		if got := NameText(args); got != want {
			t.Errorf("NameText(%s) = %s, want %s", args, got, want)
		}
	}
}
