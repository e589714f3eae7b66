package purity

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// loadSource loads a package m of a source. It may import example.com/m/sub, whose function Reset returns an error.
func loadSource(t *testing.T, source string) *load.Package {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source, "sub/sub.go": "package sub\n\nfunc Reset() error { return nil }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return p.Packages[0]
}

const originSource = `package m

type Conn struct{ w *int; list []*int }

// Each method uses a field that nothing sets: one cause.
func (c *Conn) A() int { return *c.w } // A
func (c *Conn) B() int { return *c.w } // B

func deref(p *int) int { return *p } // deref

// First and Second hand an argument through unchanged: deref lacks the check.
func First(p *int) int { return deref(p) } // First
func Second(p *int) int { return deref(p) } // Second

// Own passes what it has made of something else: Own lacks it.
func Own(m map[string]*int) int { return deref(m["a"]) } // Own

func find() *int { return nil }
func Found() int { return *find() } // Found
func Again() int { return *find() } // Again

var global *int

func Global() int { return *global } // Global

func At(s []int, i int) int { return s[i] } // At

func Two(a, b *Conn) int { return *a.w + *b.list[0] } // Two

func Pair(b []byte) int { return int(b[0]) | int(b[1])<<8 } // Pair
func Lead(b []byte) int { return int(b[0]) } // Lead
func Sized(b []byte) int { if len(b) == 0 { return 0 }; return int(b[1]) } // Sized
func Part(b []byte) int { return len(b[2:4]) } // Part
func Err(b []byte) (int, error) { return int(b[1]), nil } // Err
`

func TestTrace(t *testing.T) {
	pkg := loadSource(t, originSource)
	lines := linesOf(originSource)
	tests := []struct {
		name, kind string
		stack      []string
		want       []string // texts
	}{
		{"a field", "nil-dereference", []string{"(*Conn).A"}, []string{"the receiver of Conn.A", "the field Conn.w"}},
		{"an argument handed through", "nil-dereference", []string{"deref", "First"}, []string{"the argument p of deref"}},
		{"the same by another door", "nil-dereference", []string{"deref", "Second"}, []string{"the argument p of deref"}},
		{"what a caller has read", "nil-dereference", []string{"deref", "Own"}, []string{"an element that Own reads"}},
		{"a result", "nil-dereference", []string{"Found"}, []string{"what find returns"}},
		{"a variable", "nil-dereference", []string{"Global"}, []string{"the variable global"}},
		{"a constant index", "index-out-of-range", []string{"Lead"}, []string{"the argument b of Lead"}},
		{"an index", "index-out-of-range", []string{"At"}, []string{"the argument i of At"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stack []Frame
			for _, f := range tt.stack {
				stack = append(stack, Frame{Func: pkg.Path + "." + f, Line: lines[strings.TrimPrefix(f, "(*Conn).")]})
			}
			var got []string
			for _, o := range Trace(pkg, tt.kind, stack) {
				got = append(got, o.Text)
			}
			if strings.Join(got, "; ") != strings.Join(tt.want, "; ") {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// linesOf says on which line of a source each comment at the end of a line is.
func linesOf(source string) map[string]int {
	out := make(map[string]int)
	for i, l := range strings.Split(source, "\n") {
		if code, name, ok := strings.Cut(l, " // "); ok && code != "" {
			out[name] = i + 1
		}
	}
	return out
}

func TestFixedSize(t *testing.T) {
	pkg := loadSource(t, originSource)
	lines := linesOf(originSource)
	for name, want := range map[string]bool{"Pair": true, "Part": true, "Lead": false, "Sized": false, "Err": false} {
		if got := FixedSize(pkg, []Frame{{Func: pkg.Path + "." + name, Line: lines[name]}}); got != want {
			t.Errorf("FixedSize(%s) = %v, want %v", name, got, want)
		}
	}
}

const handedSource = `package m

import "strings"

func Again(s string, n int) string { return strings.Repeat(s, n) } // Again
func Twice(s string, n int) string { return strings.Repeat("a", 2*n) } // Twice
func Inner(b []byte, n int) string { return Again("a", n) } // Inner
`

// What is handed on to another package comes from the arguments of the outermost function, if nothing is computed of these.
func TestHandedOn(t *testing.T) {
	pkg := loadSource(t, handedSource)
	for _, tt := range []struct {
		stack []string
		want  []int // parameters of the outermost function
	}{
		{[]string{"Again"}, []int{0, 1}},
		{[]string{"Twice"}, nil},
		{[]string{"Again", "Inner"}, []int{-1, 1}},
	} {
		var stack []Frame
		for _, name := range tt.stack {
			stack = append(stack, Frame{Func: "example.com/m." + name, Line: lineOf(handedSource, "// "+name)})
		}
		var got []int
		for _, o := range HandedOn(pkg, stack) {
			if o.AtDoor {
				got = append(got, o.Door)
			} else {
				got = append(got, -1)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("HandedOn(%v) = %v, want %v", tt.stack, got, tt.want)
		}
	}
}

const beyondSource = `package m

func head(b []byte, n int) byte { return b[n] } // head
func Decode(n int, b []byte) byte { return head(b, n) } // Decode
func Rest(b []byte) byte { return head(b[1:], 0) } // Rest
func Made(n int) byte { return head(make([]byte, n), n) } // Made
`

// Only an argument that is handed on as it is counts: of a part of it nobody knows where it begins.
func TestBeyondArgument(t *testing.T) {
	pkg := loadSource(t, beyondSource)
	for door, want := range map[string]int{"Decode": 1, "Rest": -1, "Made": -1} {
		stack := []Frame{{Func: "example.com/m.head", Line: lineOf(beyondSource, "// head")}, {Func: "example.com/m." + door, Line: lineOf(beyondSource, "// "+door)}}
		if got := BeyondArgument(pkg, stack); got != want {
			t.Errorf("BeyondArgument(head, %s) = %d, want %d", door, got, want)
		}
	}
}

// lineOf returns the line of a source that ends with a text.
func lineOf(source, end string) int {
	for i, line := range strings.Split(source, "\n") {
		if strings.HasSuffix(line, end) {
			return i + 1
		}
	}
	return 0
}
