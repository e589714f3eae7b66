package depth

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

func StringCompare(s, t string) int {
	if s == t {
		return 1
	}
	if s < t && len(s) > len(t) {
		return 2
	}
	return 0
}

func StringIndex(s string, i int) int {
	if i >= 0 && i < len(s) && s[i] == 'x' && i > 5 {
		return 1
	}
	return 0
}

func StringSlice(s string, i, j int) int {
	if i > 0 && i <= j && j < len(s) && s[i:j] == "mid" {
		return 1
	}
	return 0
}

func StringLong(s string) int {
	if len(s) > 1000 {
		return 1
	}
	return 0
}

func Prefix(s string) int {
	if strings.HasPrefix(s, "key=") && strings.HasSuffix(s, ";") {
		return 1
	}
	return 0
}

func Index(s string) int {
	if i := strings.Index(s, "::"); i == 3 {
		return 1
	} else if i > 6 {
		return 2
	}
	return 0
}

func IndexOfSymbol(s, sub string) int {
	if len(sub) > 1 && strings.Index(s, sub) == 2 {
		return 1
	}
	return 0
}

func LastIndexByte(s string) int {
	if strings.LastIndexByte(s, '/') == 4 {
		return 1
	}
	return 0
}

func Split(s string) int {
	parts := strings.Split(s, ",")
	if len(parts) == 3 && parts[1] == "b" {
		return 1
	}
	return 0
}

func SplitN(s string) int {
	if k, v, ok := strings.Cut(s, "="); ok && k == "a" && v == "1" {
		return 1
	}
	return 0
}

func Fields(s string) int {
	f := strings.Fields(s)
	if len(f) == 2 && f[0] == "go" {
		return 1
	}
	return 0
}

func TrimSpace(s string) int {
	if t := strings.TrimSpace(s); t == "x" && len(s) == 3 {
		return 1
	}
	return 0
}

func ToLower(s string) int {
	if strings.ToLower(s) == "yes" && s[0] == 'Y' {
		return 1
	}
	return 0
}

func ToUpper(s string) int {
	if strings.ToUpper(s) == "NO" {
		return 1
	}
	return 0
}

func EqualFold(s string) int {
	if strings.EqualFold(s, "on") && s != "on" && s != "ON" {
		return 1
	}
	return 0
}

func Contains(s string) int {
	if strings.Contains(s, "needle") {
		return 1
	}
	return 0
}

func ContainsRune(s string) int {
	if strings.ContainsRune(s, 'é') {
		return 1
	}
	return 0
}

func Replace(s string) int {
	if strings.ReplaceAll(s, "a", "bb") == "bbc" {
		return 1
	}
	return 0
}

func Repeat(s string, n uint8) int {
	if n < 5 && strings.Repeat(s, int(n)) == "ababab" {
		return 1
	}
	return 0
}

func Join(xs []string) int {
	if strings.Join(xs, "-") == "a-b" {
		return 1
	}
	return 0
}

func TrimLeft(s string) int {
	if strings.TrimLeft(s, "0") == "7" && len(s) == 3 {
		return 1
	}
	return 0
}

func Builder(s string) int {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' {
			b.WriteByte(s[i])
		}
	}
	if b.String() == "ab" && len(s) == 3 {
		return 1
	}
	return 0
}

func Bytes(b []byte) int {
	if bytes.Equal(b, []byte("abc")) {
		return 1
	}
	if bytes.HasPrefix(b, []byte{0xff, 0xd8}) {
		return 2
	}
	if bytes.IndexByte(b, '\n') == 2 {
		return 3
	}
	if bytes.Contains(b, []byte("--")) {
		return 4
	}
	return 0
}

func BytesBuffer(b []byte) int {
	var buf bytes.Buffer
	buf.Write(b)
	line, err := buf.ReadBytes('\n')
	if err == nil && len(line) == 3 {
		return 1
	}
	return 0
}

func RuneCount(s string) int {
	if len(s) == 3 && utf8.RuneCountInString(s) == 1 {
		return 1
	}
	return 0
}

func ValidUTF8(s string) int {
	if len(s) == 2 && s[0] > 0x80 && utf8.ValidString(s) {
		return 1
	}
	if !utf8.ValidString(s) {
		return 2
	}
	return 0
}

func DecodeRune(b []byte) int {
	r, n := utf8.DecodeRune(b)
	if n == 3 && r == '世' {
		return 1
	}
	if r == utf8.RuneError && n == 1 {
		return 2
	}
	return 0
}

func RangeInvalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && i == 1 {
			return 1
		}
	}
	return 0
}
