package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const contracted = `package p

// Abs is what n is without its sign.
//
//assay:requires n > -100
//assay:ensures result >= 0
func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Half halves.
//
//assay:ensures result+result == n
func Half(n int) int { return n / 2 }

// Nth is an element.
//
//assay:requires i >= 0 && i < len(xs)
func Nth(xs []int, i int) int { return xs[i] }

//assay:ensures result >= 0
func Deferred() (n int) {
	defer func() { n = -1 }()
	n = 1
	return n
}

func rescue() { recover() }

//assay:ensures result >= 0
func Recovered(xs []int, i int) (n int) {
	defer rescue()
	n = -1
	n = xs[i] & 7
	return n
}

func First(xs []int) int {
	if len(xs) == 0 {
		return 0
	}
	return Nth(xs, 0)
}

func Any(xs []int, i int) int { return Nth(xs, i) }

// Counter counts to 10.
//
//assay:invariant c.n >= 0 && c.n <= 10
type Counter struct{ n int }

//assay:ensures c.n >= old(c.n)
func (c *Counter) Inc() {
	if c.n < 10 {
		c.n++
	}
}

func (c *Counter) Wrong() { c.n++ }

// Under is below nine if the assertion in it holds, which nobody has verified.
//
//assay:ensures result < 9
func Under(n int) int {
	holds(n < 7)
	return n
}

//assay:assert
func holds(bool) {}
`

// Requires clauses are known at a function's entry, ensures clauses are checked at its returns, and calls
// inside the package are checked against the requires clauses of the called functions.
func TestContracts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": contracted} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
	if err != nil || len(prog.Packages[0].Errors) > 0 {
		t.Fatal(err, prog)
	}
	pkg := prog.Packages[0]
	p := New(prog.Fset, prog.Sizes, Config{})
	p.Source(prog.Source)
	for _, target := range pkg.Targets {
		if target.Checked != nil {
			p.Contract(target.Func, target.Checked)
		}
	}
	tests := []struct{ name, want string }{
		{"Abs", "ensures ensures result >= 0: proved"},
		{"Half", "ensures ensures result+result == n: unverified"},
		{"Nth", "index-out-of-range 0 <= i < len(xs): proved"},
		{"Deferred", "ensures ensures result >= 0: unverified"},
		{"Recovered", "ensures ensures result >= 0: unverified"},
		{"First", "requires what Nth requires: proved"},
		{"Any", "requires what Nth requires: unverified"},
		{"Counter.Inc", "invariant invariant c.n >= 0 && c.n <= 10: receiver@56:19 race@56:19"},
		{"Counter.Inc", "ensures ensures c.n >= old(c.n): race@56:19"},
		{"Under", "ensures ensures result < 9: unverified"},
		{"Counter.Wrong", "invariant invariant c.n >= 0 && c.n <= 10: unverified"},
	}
	for _, tt := range tests {
		if got := show(p.Analyse(pkg.Target(tt.name).Func)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: want %q in\n%s", tt.name, tt.want, got)
		}
	}
}
