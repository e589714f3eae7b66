package product

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// loaded writes packages to a new module, p0, p1 and so on, and loads them all at once: to ask the go command for each of them
// takes longer than to compare it.
func loaded(t *testing.T, sources []string) (*load.Program, []*load.Package) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n"}
	for i, source := range sources {
		files[fmt.Sprintf("p%d/m.go", i)] = source
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*load.Package, len(sources))
	for i := range sources {
		path := fmt.Sprintf("example.com/m/p%d", i)
		at := slices.IndexFunc(prog.Packages, func(p *load.Package) bool { return p.Path == path })
		if at < 0 {
			t.Fatalf("%s was not loaded", path)
		}
		if out[i] = prog.Packages[at]; len(out[i].Errors) > 0 {
			t.Fatal(out[i].Errors)
		}
	}
	return prog, out
}

const header = `package m

import "errors"

var ErrA, ErrB = errors.New("same"), errors.New("same")

type P struct{ X, Y int }

type Box struct{ n int; last *P }

type odd struct{ s string }

func (o *odd) Error() string { return o.s }

var (
	_ = errors.New
	_ = odd{}
)
`

// TestCompare checks for pairs of versions of F, or of Box.F, whether they are proved equal. Versions that
// differ must never be.
func TestCompare(t *testing.T) {
	tests := []struct {
		name, old, new string
		target         string
		equal          bool
		inputs         bool // some input must be found
	}{
		{"another way to write it", `func F(n int) int { if n > 5 { return n*2 }; return n }`, `func F(n int) int { if n <= 5 { return n }; return n+n }`, "F", true, false},
		{"a boundary", `func F(n int) bool { return n > 5 }`, `func F(n int) bool { return n >= 5 }`, "F", false, true},
		{"overflow", `func F(a, b int32) bool { return a-b > 0 }`, `func F(a, b int32) bool { return a > b }`, "F", false, true},
		{"wider arithmetic", `func F(a, b int32) bool { return int64(a)-int64(b) > 0 }`, `func F(a, b int32) bool { return a > b }`, "F", true, false},
		{"division by zero", `func F(a, b int) int { return a / b }`, `func F(a, b int) int { if b == 0 { return 0 }; return a / b }`, "F", false, true},
		{"the same panic", `func F(a int, b []int) int { if a < 0 { panic("a") }; return b[a] }`, `func F(a int, b []int) int { if !(a >= 0) { panic("a") }; return b[a] }`, "F", true, false},
		{"another panic", `func F(a int) int { if a < 0 { panic("a") }; return a }`, `func F(a int) int { if a < 0 { panic("b") }; return a }`, "F", false, true},
		{"NaN", `func F(a float64) bool { return a == a }`, `func F(a float64) bool { return true }`, "F", false, true},
		{"the sign of zero", `func F(a float64) float64 { return a }`, `func F(a float64) float64 { return a + 0 }`, "F", false, true},
		{"negation of a comparison", `func F(a, b float64) bool { return !(a < b) }`, `func F(a, b float64) bool { return a >= b }`, "F", false, true},
		{"sentinels of one text", `func F(n int) error { if n > 0 { return ErrA }; return nil }`, `func F(n int) error { if n > 0 { return ErrB }; return nil }`, "F", false, true},
		{"the same sentinel", `func F(n int) error { if n > 0 { return ErrA }; return nil }`, `func F(n int) error { if n <= 0 { return nil }; return ErrA }`, "F", true, false},
		{"a new error for a sentinel", `func F(n int) error { return ErrA }`, `func F(n int) error { return errors.New("same") }`, "F", false, false},
		{"errors of one text", `func F(n int) error { return errors.New("x") }`, `func F(n int) error { e := errors.New("x"); return e }`, "F", true, false},
		{"an error of another type", `func F(n int) error { return errors.New("x") }`, `func F(n int) error { return &odd{"x"} }`, "F", false, true},
		{"text by its bytes", `func F(s string) bool { return s == "ab" }`, `func F(s string) bool { return len(s) == 2 && s[0] == 'a' && s[1] == 'b' }`, "F", true, false},
		{"text returned", `func F(s string) string { if len(s) > 2 { return s[1:] }; return s }`, `func F(s string) string { if len(s) < 3 { return s }; return s[1:] }`, "F", true, false},
		{"text cut elsewhere", `func F(s string) string { if len(s) > 2 { return s[1:] }; return s }`, `func F(s string) string { if len(s) > 2 { return s[2:] }; return s }`, "F", false, true},
		{"a prefix", `func F(s string) string { return "a" + s }`, `func F(s string) string { return string(append([]byte{'a'}, s...)) }`, "F", false, false},
		{"structs", `func F(p P) P { return P{p.Y, p.X} }`, `func F(p P) P { p.X, p.Y = p.Y, p.X; return p }`, "F", true, false},
		{"structs in another order", `func F(p P) P { return P{p.Y, p.X} }`, `func F(p P) P { return p }`, "F", false, true},
		{"what a pointer leads to", `func F(p *P) { p.X++ }`, `func F(p *P) { p.X += 1 }`, "F", true, false},
		{"what it leads to changes otherwise", `func F(p *P) { p.X++ }`, `func F(p *P) { p.Y++ }`, "F", false, true},
		{"an object or a copy", `func F(p *P) *P { return p }`, `func F(p *P) *P { q := *p; return &q }`, "F", false, false},
		{"one object twice", `func F(n int) (*P, *P) { p := &P{n, n}; return p, p }`, `func F(n int) (*P, *P) { return &P{n, n}, &P{n, n} }`, "F", false, false},
		{"nil pointers", `func F(p *P) int { if p == nil { return 0 }; return p.X }`, `func F(p *P) int { return p.X }`, "F", false, true},
		{"capacity", `func F(n int) []int { return make([]int, 1, 2) }`, `func F(n int) []int { return make([]int, 1) }`, "F", false, false},
		{"nil and empty", `func F(n int) []int { return nil }`, `func F(n int) []int { return []int{} }`, "F", false, true},
		{"loops without end", `func F(n uint) uint { s := uint(0); for i := uint(0); i < n; i++ { s += i }; return s }`, `func F(n uint) uint { if n == 0 { return 0 }; return n * (n - 1) / 2 }`, "F", false, false},
		{"a bounded loop", `func F(n uint8) uint8 { s := n & 3; for s > 0 && n > 0 { s--; n-- }; return n }`, `func F(n uint8) uint8 { return n - n&3 }`, "F", true, false},
		{"a receiver", `func (b *Box) F(n int) int { b.n += n; return b.n }`, `func (b *Box) F(n int) int { b.n = n + b.n; return b.n }`, "Box.F", false, false},
		{"a receiver that changes otherwise", `func (b Box) F(n int) int { return b.n - n }`, `func (b Box) F(n int) int { return n - b.n }`, "Box.F", false, false},
		{"maps", `func F(m map[int]int) int { return m[1] }`, `func F(m map[int]int) int { return m[1] }`, "F", false, false},
		{"interfaces", `func F(x any) bool { return x == nil }`, `func F(x any) bool { return x == nil }`, "F", false, false},
		{"callbacks", `func F(f func() int) int { return f() }`, `func F(f func() int) int { return f() }`, "F", false, false},
	}
	var olds, news []string
	for _, tt := range tests {
		olds, news = append(olds, header+tt.old), append(news, header+tt.new)
	}
	oldProg, oldPkgs := loaded(t, olds)
	newProg, newPkgs := loaded(t, news)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			oldPkg, newPkg := oldPkgs[i], newPkgs[i]
			found := 0
			res, err := Compare(context.Background(), Side{oldProg, oldPkg, oldPkg.Target(tt.target)}, Side{newProg, newPkg, newPkg.Target(tt.target)}, func(s *testcase.Sequence) {
				found++
				if s.Last().Op.Func != newPkg.Target(tt.target).Obj {
					t.Errorf("%s is no call of the new version", s)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if equal := res.Left == ""; equal != tt.equal {
				t.Errorf("proved equal: %v (%s), want %v", equal, res.Left, tt.equal)
			}
			if tt.inputs && found == 0 {
				t.Errorf("no input was found on which they differ: %s", res.Left)
			}
			if tt.equal && found > 0 {
				t.Errorf("%d inputs for what is equal", found)
			}
		})
	}
}
