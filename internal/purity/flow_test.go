package purity

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const flowSource = `package m

func At(s []int, i int) int {
	return s[i] // unchecked At
}

func Checked(s []int, i int) int {
	if i < 0 || i > len(s) {
		return 0
	}
	return s[i] // checked Checked
}

func First(s []int) int {
	return s[0] // checked First
}

func helper(n int) []int {
	return make([]int, n) // unchecked helper callers
}

func Outer(n int) []int {
	return helper(n + 1)
}

func Guarded(n int) []int {
	if n < 0 {
		n = 1
	}
	return helper(n)
}

type Ring struct {
	buf  []int
	size int
}

func New(size int) *Ring { return &Ring{size: size} }

func (r *Ring) Slot(k int) int {
	return 1 % r.size // unchecked (*Ring).Slot
}

func Upto(s []int, n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += s[i] // unchecked Upto
	}
	return sum
}

func Part(s []int, from, to int) []int {
	if from >= to {
		return nil
	}
	return s[from:to] // unchecked Part
}

func Element(s []int, i int) int {
	one := Part(s, i, i+1)
	return one[0] // unchecked Element
}

func Elsewhere(s, t []int, i int, b bool) int {
	switch {
	case b:
		return s[i] // unchecked Elsewhere
	case i < len(s):
		return s[i] // checked Elsewhere
	}
	return t[0]
}

func Between(s string, loc [2]int) string {
	return s[loc[0]:loc[1]] // unchecked Between
}

func Pairs(s []byte, loc [2]int) (n int) {
	for i := loc[0]; i < loc[1]; i++ {
		n += int(s[i]) // unchecked Pairs
	}
	return n
}

func Late(a, n int) int {
	for {
		q := a / n // unchecked Late
		if q+n > 3 {
			return q
		}
		a++
	}
}
`

func TestUnchecked(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": flowSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	line := func(text string) int {
		for i, l := range strings.Split(flowSource, "\n") {
			if strings.Contains(l, text) {
				return i + 1
			}
		}
		t.Fatalf("no line has %q", text)
		return 0
	}
	pkg := p.Packages[0]
	for i, l := range strings.Split(flowSource, "\n") {
		_, mark, ok := strings.Cut(l, "// ")
		if !ok {
			continue
		}
		words := strings.Fields(mark)
		stack := []Frame{{"example.com/m." + words[1], i + 1}}
		want := words[0] == "unchecked"
		if len(words) > 2 {
			for caller, text := range map[string]string{"Outer": "helper(n + 1)", "Guarded": "return helper(n)"} {
				got := NumbersOf(pkg, "", append(stack[:1:1], Frame{"example.com/m." + caller, line(text)})).Unchecked
				if want := caller == "Outer"; got != want {
					t.Errorf("helper from %s: %v, want %v", caller, got, want)
				}
			}
			continue
		}
		if got := NumbersOf(pkg, "", stack).Unchecked; got != want {
			t.Errorf("%s: %v, want %v", words[1], got, want)
		}
	}
}

// Of what is on a line only that counts which can make a panic of the kind.
func TestNumbersOfKind(t *testing.T) {
	const source = `package m

type Meter struct{ pulses, width int }

func NewMeter(width int) *Meter { return &Meter{width: width} }

func (m *Meter) Rate(seconds int) int {
	var t [3]int
	return t[m.pulses] / max(seconds, 1)
}

func (m *Meter) Per(unit int) int {
	var t [3]int
	return t[m.pulses] / m.width / unit
}
`
	pkg := loadSource(t, source)
	for _, tt := range []struct {
		method    string
		line      int
		kind      string
		unchecked bool
		passed    bool
		by        string
	}{
		{"Rate", 9, "", true, true, ""},
		{"Rate", 9, "index-out-of-range", false, false, ""},
		{"Per", 14, "index-out-of-range", false, false, ""},
		{"Per", 14, "division-by-zero", true, true, "NewMeter"},
	} {
		got := NumbersOf(pkg, tt.kind, []Frame{{"example.com/m.(*Meter)." + tt.method, tt.line}})
		if by := strings.Join(slices.Sorted(maps.Keys(got.By)), " "); got.Unchecked != tt.unchecked || got.Passed != tt.passed || by != tt.by {
			t.Errorf("%s, %q: %+v", tt.method, tt.kind, got)
		}
	}
}

func TestShortBuffer(t *testing.T) {
	const source = `package m

func Encode(dst, src []byte) {
	for i, b := range src {
		dst[i*2] = b // short
	}
}

func First(s []int) int {
	return s[0] // long
}

func Groups(dst, src []byte) {
	for len(src) > 0 {
		dst[0] = src[0] // short
		dst, src = dst[1:], src[1:]
	}
}

func Put(p []byte, r int) {
	_ = p[1] // short, and said so before anything is written
	p[0] = byte(r)
	p[1] = byte(r >> 8)
}

func Swap(s []int, i, j int) {
	s[i], s[0] = s[0], // long
		s[j] // long
}
`
	pkg := loadSource(t, source)
	if !ShortBuffer(pkg, []Frame{{"example.com/m.Encode", 5}}) {
		t.Error("Encode: not a short buffer")
	}
	if !ShortBuffer(pkg, []Frame{{"example.com/m.Groups", 15}}) {
		t.Error("Groups: not a short buffer")
	}
	if !ShortBuffer(pkg, []Frame{{"example.com/m.Put", 21}}) {
		t.Error("Put: not a short buffer")
	}
	if ShortBuffer(pkg, []Frame{{"example.com/m.Swap", 28}}) {
		t.Error("Swap: a short buffer")
	}
	if ShortBuffer(pkg, []Frame{{"example.com/m.First", 10}}) {
		t.Error("First: a short buffer")
	}
}
