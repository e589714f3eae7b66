package depth

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func ThreeIndex(xs []int, i, j, k int) int {
	if i < 0 || j < i || k < j || k > cap(xs) {
		return 0
	}
	if ys := xs[i:j:k]; len(ys) == 1 && cap(ys) == 3 && i == 2 {
		return 1
	}
	return 0
}

func SlicePanic(s string, i int) (n int) {
	defer func() {
		if recover() != nil {
			n = 1
		}
	}()
	if s[i:] == "tail" {
		return 2
	}
	return 3
}

func SlicesContains(xs []string, x string) int {
	switch {
	case slices.Contains(xs, x) && x == "in":
		return 1
	case slices.IndexFunc(xs, func(s string) bool { return len(s) == 4 }) == 1:
		return 2
	}
	return 0
}

func SlicesSort(xs []int8) int {
	ys := slices.Clone(xs)
	slices.Sort(ys)
	if len(ys) == 3 && !slices.Equal(xs, ys) && ys[1] == 0 {
		return 1
	}
	return 0
}

func SlicesCompact(xs []byte) int {
	if len(xs) == 4 && len(slices.Compact(xs)) == 2 {
		return 1
	}
	return 0
}

func SlicesMax(xs []int) int {
	if len(xs) > 1 && slices.Max(xs) == 50 && slices.Min(xs) == -50 {
		return 1
	}
	return 0
}

func SlicesInsert(xs []int, i int) int {
	if i < 0 || i > len(xs) {
		return 0
	}
	if ys := slices.Insert(xs, i, 7); len(ys) == 3 && ys[1] == 7 && i == 1 {
		return 1
	}
	return 0
}

func MapsKeys(m map[string]int) int {
	keys := slices.Sorted(maps.Keys(m))
	if len(keys) == 2 && keys[0] == "a" && keys[1] == "z" {
		return 1
	}
	return 0
}

func MapsEqual(a, b map[int]int) int {
	if len(a) == 1 && maps.Equal(a, b) {
		return 1
	}
	return 0
}

func MapOfStructs(m map[point]string) int {
	if m[point{1, 2}] == "p" {
		return 1
	}
	return 0
}

func MapOfSlices(m map[string][]int) int {
	if xs := m["k"]; len(xs) == 2 && xs[1] == 3 {
		return 1
	}
	return 0
}

func SetOfWords(s string) int {
	seen := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		if seen[w] {
			return 1
		}
		seen[w] = true
	}
	return 0
}

func CountLetters(s string) int {
	n := map[rune]int{}
	for _, r := range s {
		n[r]++
	}
	if n['a'] == 2 && n['b'] == 1 {
		return 1
	}
	return 0
}

func SortBy(xs []point) int {
	if len(xs) != 2 {
		return 0
	}
	first := xs[0]
	sort.Slice(xs, func(i, j int) bool { return xs[i].X < xs[j].X })
	if xs[0] != first {
		return 1
	}
	return 2
}

func SortStable(xs []string) int {
	if len(xs) == 2 && !sort.StringsAreSorted(xs) {
		return 1
	}
	return 0
}

func BytesIndex(b []byte) int {
	switch {
	case bytes.Equal(b, []byte{0xff, 0xfe}):
		return 1
	case bytes.HasPrefix(b, []byte("PK")):
		return 2
	case bytes.IndexByte(b, 0) == 3:
		return 3
	case bytes.Count(b, []byte(",")) == 2:
		return 4
	}
	return 0
}

func BytesCompare(a, b []byte) int {
	if bytes.Compare(a, b) > 0 && len(a) < len(b) {
		return 1
	}
	return 0
}

func Map(s string) int {
	if strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s) == "ab" && len(s) == 3 {
		return 1
	}
	return 0
}

func Title(s string) int {
	if s == "" {
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if unicode.IsUpper(r) && n == 1 && s[1:] == "o" {
		return 1
	}
	if r == utf8.RuneError && n == 1 {
		return 2
	}
	if n == 3 {
		return 3
	}
	return 4
}

func LastRune(s string) int {
	if r, n := utf8.DecodeLastRuneInString(s); r == 'ß' && n == 2 {
		return 1
	}
	return 0
}

func Runes(s string) int {
	rs := []rune(s)
	if len(rs) == 2 && rs[0] == 'ä' && string(rs[1:]) == "x" {
		return 1
	}
	return 0
}

func AppendRune(r rune) int {
	if b := utf8.AppendRune(nil, r); len(b) == 4 && b[3] == 0x80 {
		return 1
	}
	return 0
}

func TrimFuncs(s string) int {
	switch {
	case strings.Trim(s, "[]") == "q" && len(s) == 3:
		return 1
	case strings.TrimPrefix(s, "v") == "12" && len(s) == 3:
		return 2
	case strings.TrimRight(s, "0") == "5.":
		return 3
	}
	return 0
}

func Count(s string) int {
	if strings.Count(s, "ab") == 2 {
		return 1
	}
	return 0
}

func Compare(s, t string) int {
	switch c := strings.Compare(s, t); {
	case c < 0:
		return 1
	case c > 0:
		return 2
	}
	return 0
}

func IndexAny(s string) int {
	if strings.IndexAny(s, "+-*/") == 2 && strings.LastIndex(s, "--") == 3 {
		return 1
	}
	return 0
}

func CutBoth(s string) int {
	a, ok := strings.CutPrefix(s, "(")
	b, ok2 := strings.CutSuffix(a, ")")
	if ok && ok2 && b == "7" {
		return 1
	}
	return 0
}

func Unquote(s string) int {
	t, err := strconv.Unquote(s)
	if err != nil {
		return 2
	}
	if t == "a" {
		return 1
	}
	return 0
}

func ParseAnyBase(s string) int {
	n, err := strconv.ParseInt(s, 0, 64)
	switch {
	case err != nil:
		return 2
	case n == 0x1f:
		return 3
	}
	return 0
}

type opError struct {
	Op  string
	Err error
}

func (e *opError) Error() string { return e.Op + ": " + e.Err.Error() }
func (e *opError) Unwrap() error { return e.Err }

func Wrapped(err error, op string) int {
	if err == nil {
		return 0
	}
	err = fmt.Errorf("outer: %w", &opError{op, err})
	var oe *opError
	if errors.As(err, &oe) && oe.Op == "read" {
		return 1
	}
	return 2
}

func Joined(a, b bool) int {
	var errs []error
	if a {
		errs = append(errs, errBase)
	}
	if b {
		errs = append(errs, errors.New("other"))
	}
	err := errors.Join(errs...)
	if err == nil {
		return 1
	}
	if errors.Is(err, errBase) {
		return 2
	}
	return 3
}

func SprintfMany(s string, n int, ok bool, xs []int) int {
	switch {
	case fmt.Sprintf("%s-%d-%t", s, n, ok) == "a-1-true":
		return 1
	case fmt.Sprintf("%v", xs) == "[4 5]":
		return 2
	case fmt.Sprintf("%x", s) == "6f6b":
		return 3
	case fmt.Sprintf("%q", s) == `"q"`:
		return 4
	}
	return 0
}

func SprintError(n int) int {
	if work(n).Error() == "too big: 123: base" {
		return 1
	}
	return 0
}

// SprintfExtra has an argument too many, whose type is printed, too.
func SprintfExtra(err error) int {
	if err == nil {
		return 1
	}
	format := "x"
	return len(fmt.Sprintf(format, err))
}

// SprintfRest formats as many arguments as there are.
func SprintfRest(args ...any) int {
	switch s := fmt.Sprintf("%d", args...); {
	case len(args) == 0:
		return 0
	case s == "7":
		return 1
	}
	return 2
}
