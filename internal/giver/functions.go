package giver

// functionsFamily returns functions that people pass: functions of the standard library, or else the shortest
// literal whose result shows every argument. A stand-in that returns a constant cannot tell one argument
// from another.
func functionsFamily() *family {
	return &family{
		name: "functions", path: "strings", imports: []string{"cmp", "math", "strconv", "strings", "unicode"},
		givers: []giver{
			{typ: "func(int) string", doc: "a number as text", code: "strconv.Itoa"},
			{typ: "func(int) bool", doc: "whether a number is even", code: "func(n int) bool { return n%2 == 0 }"},
			{typ: "func(int) bool", doc: "whether a number is large", code: "func(n int) bool { return n > 3 }"},
			{typ: "func(int) int", doc: "twice a number", code: "func(n int) int { return 2 * n }"},
			{typ: "func(int, int) int", doc: "how two numbers are ordered", code: "cmp.Compare[int]", since: "go1.21"},
			{typ: "func(int, int) int", doc: "their difference", code: "func(a, b int) int { return a - b }"},
			{typ: "func(int, int) int", doc: "their sum", code: "func(a, b int) int { return a + b }"},
			{typ: "func(int, int) bool", doc: "whether one number is less", code: "func(a, b int) bool { return a < b }"},
			{typ: "func(string) string", doc: "a text in capitals", code: "strings.ToUpper"},
			{typ: "func(string) bool", doc: "whether a text is long", code: "func(s string) bool { return len(s) > 1 }"},
			{typ: "func(string) int", doc: "the length of a text", code: "func(s string) int { return len(s) }"},
			{typ: "func(string) (int, error)", doc: "the number in a text", code: "strconv.Atoi"},
			{typ: "func(string, string) int", doc: "how two texts are ordered", code: "strings.Compare"},
			{typ: "func(string, string) bool", doc: "whether one text is less", code: "func(a, b string) bool { return a < b }"},
			{typ: "func(string, string) string", doc: "two texts joined", code: "func(a, b string) string { return a + b }"},
			{typ: "func(rune) bool", doc: "whether a character is a letter", code: "unicode.IsLetter"},
			{typ: "func(rune) rune", doc: "a character as a capital", code: "unicode.ToUpper"},
			{typ: "func(float64) float64", doc: "a square root", code: "math.Sqrt"},
			{typ: "func(float64, float64) float64", doc: "the larger of two numbers", code: "math.Max"},
		},
	}
}
