package subjects

import "strings"

// Palindrome compares both ends.
func Palindrome(s string) bool {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		if s[i] != s[j] {
			return false
		}
	}
	return true
}

// Number reads digits.
func Number(s string) (int32, bool) {
	if s == "" || len(s) > 12 {
		return 0, false
	}
	n := int32(0)
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int32(s[i]-'0')
	}
	holds(n >= 0)
	return n, true
}

// Hex reads hexadecimal digits.
func Hex(s string) (uint16, bool) {
	if len(s) == 0 || len(s) > 6 {
		return 0, false
	}
	v := uint16(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		default:
			return 0, false
		}
		v = v<<4 | uint16(c)
	}
	return v, true
}

// Roman reads a Roman number.
func Roman(s string) int {
	value := func(c byte) int {
		switch c {
		case 'I':
			return 1
		case 'V':
			return 5
		case 'X':
			return 10
		case 'L':
			return 50
		}
		return 0
	}
	n := 0
	for i := 0; i < len(s); i++ {
		v := value(s[i])
		if i+1 < len(s) && value(s[i+1]) > v {
			n -= v
		} else {
			n += v
		}
	}
	return n
}

// Caesar shifts letters.
func Caesar(s string, by int) string {
	out := []byte(s)
	for i, c := range out {
		if c >= 'a' && c <= 'z' {
			out[i] = 'a' + byte((int(c-'a')+by)%26)
		}
	}
	return string(out)
}

// Words counts words.
func Words(s string) int {
	n, in := 0, false
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' {
			in = false
		} else if !in {
			in = true
			n++
		}
	}
	holds(n <= len(s))
	return n
}

// Longest is the length of the longest run of one byte.
func Longest(s string) int {
	best, run := 0, 0
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i] == s[i-1] {
			run++
		} else {
			run = 1
		}
		if run > best {
			best = run
		}
	}
	holds(best >= 0)
	return best
}

// Trim takes spaces off both ends.
func Trim(s string) string {
	i, j := 0, len(s)
	for i < j && s[i] == ' ' {
		i++
	}
	for j > i && s[j-1] == ' ' {
		j--
	}
	return s[i:j]
}

// Field is the n-th field between commas.
func Field(s string, n int) string {
	if n < 0 {
		return ""
	}
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == ',' {
			if n == 0 {
				return s[start:i]
			}
			n--
			start = i + 1
		}
	}
	if n > 0 {
		return ""
	}
	return s[start:]
}

// Extension is what follows the last dot.
func Extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	return name[i+1:]
}

// KeyValue splits at the first equals sign.
func KeyValue(s string) (key, value string) {
	i := strings.IndexByte(s, '=')
	return s[:i], s[i+1:]
}

// Balanced counts brackets.
func Balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// Evaluate computes an expression in reverse Polish notation over digits.
func Evaluate(s string) int32 {
	var stack [4]int32
	n := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			stack[n] = int32(c - '0')
			n++
		case n >= 2:
			a, b := stack[n-2], stack[n-1]
			n--
			switch c {
			case '+':
				stack[n-1] = a + b
			case '*':
				stack[n-1] = a * b
			case '/':
				stack[n-1] = a / b
			}
		}
	}
	if n == 0 {
		return 0
	}
	return stack[n-1]
}

// Luhn is the check digit of card numbers.
func Luhn(s string) bool {
	sum := 0
	for i := 0; i < len(s); i++ {
		d := int(s[len(s)-1-i]) - '0'
		if d < 0 || d > 9 {
			return false
		}
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	holds(sum >= 0)
	return sum%10 == 0
}

// RunLength packs runs as a letter and a digit.
func RunLength(s string) string {
	var out []byte
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] && j-i < 9 {
			j++
		}
		out = append(out, s[i], byte('0'+j-i))
		i = j
	}
	return string(out)
}

// Unpack undoes RunLength.
func Unpack(s string) string {
	var out []byte
	for i := 0; i < len(s); i += 2 {
		for n := s[i+1]; n > '0'; n-- {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// Common is the length of the common prefix.
func Common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	holds(n <= len(a) && n <= len(b))
	return n
}

// Vowels counts vowels.
func Vowels(s string) int {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case 'a', 'e', 'i', 'o', 'u':
			n++
		}
	}
	return n
}

// Capital makes the first letter upper case.
func Capital(s string) string {
	if s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// Version compares two versions of the form "1.2".
func Version(a, b string) int {
	part := func(s string) (int32, string) {
		n := int32(0)
		i := 0
		for i < len(s) && s[i] != '.' {
			n = n*10 + int32(s[i]-'0')
			i++
		}
		if i < len(s) {
			i++
		}
		return n, s[i:]
	}
	for a != "" || b != "" {
		var x, y int32
		x, a = part(a)
		y, b = part(b)
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	return 0
}
