package giver

// functionsFamily returns functions that people pass: functions of the standard library, or else the shortest
// function whose result shows every argument. A stand-in that returns a constant cannot tell one argument
// from another.
func functionsFamily() *family {
	return &family{
		name: "functions", path: "strings", imports: []string{"cmp", "math", "strconv", "strings", "unicode"},
		helpers: []helper{
			{doc: "returns a function that reports whether a number is even.", code: "func even() func(int) bool { return func(n int) bool { return n%2 == 0 } }"},
			{doc: "returns a function that doubles a number.", code: "func double() func(int) int { return func(n int) int { return 2 * n } }"},
			{doc: "returns a function that reports whether the first of two numbers is less.", code: "func less() func(int, int) bool { return func(a, b int) bool { return a < b } }"},
			{doc: "returns a function that subtracts the second of two numbers from the first.", code: "func minus() func(int, int) int { return func(a, b int) int { return a - b } }"},
			{doc: "returns a function that reports whether a text has more than one byte.", code: "func long() func(string) bool { return func(s string) bool { return len(s) > 1 } }"},
			{doc: "returns a function that tells how many bytes a text has.", code: "func length() func(string) int { return func(s string) int { return len(s) } }"},
			{doc: "returns a function that reports whether the first of two texts is less.", code: "func before() func(string, string) bool { return func(a, b string) bool { return a < b } }"},
			{doc: "returns a function that joins two texts.", code: "func joined() func(string, string) string { return func(a, b string) string { return a + b } }"},
		},
		givers: []giver{
			{typ: "func(int) string", doc: "a number as text", code: "strconv.Itoa"},
			{typ: "func(int) bool", doc: "whether a number is even", code: "even()"},
			{typ: "func(int) int", doc: "twice a number", code: "double()"},
			{typ: "func(int, int) int", doc: "how two numbers are ordered", code: "cmp.Compare[int]", since: "go1.21"},
			{typ: "func(int, int) int", doc: "their difference", code: "minus()"},
			{typ: "func(int, int) bool", doc: "whether one number is less", code: "less()"},
			{typ: "func(string) string", doc: "a text in capitals", code: "strings.ToUpper"},
			{typ: "func(string) bool", doc: "whether a text is long", code: "long()"},
			{typ: "func(string) int", doc: "the length of a text", code: "length()"},
			{typ: "func(string) (int, error)", doc: "the number in a text", code: "strconv.Atoi"},
			{typ: "func(string, string) int", doc: "how two texts are ordered", code: "strings.Compare"},
			{typ: "func(string, string) bool", doc: "whether one text is less", code: "before()"},
			{typ: "func(string, string) string", doc: "two texts joined", code: "joined()"},
			{typ: "func(rune) bool", doc: "whether a character is a letter", code: "unicode.IsLetter"},
			{typ: "func(rune) rune", doc: "a character as a capital", code: "unicode.ToUpper"},
			{typ: "func(float64) float64", doc: "a square root", code: "math.Sqrt"},
			{typ: "func(float64, float64) float64", doc: "the larger of two numbers", code: "math.Max"},
		},
	}
}
