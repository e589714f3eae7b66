package purity

import (
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const timely = `package p

import (
	"sync"
	"time"
)

var now = time.Now

type Clock interface{ Read() time.Time }

type wall struct{}

func (wall) Read() time.Time { return time.Now() }

type Cache struct {
	mu  sync.Mutex
	ttl time.Duration
}

func New(ttl time.Duration) *Cache { return &Cache{ttl: ttl} }

func (c *Cache) Expired(at time.Time) bool { return now().Sub(at) > c.ttl }

func (c *Cache) Run() { go c.sweep() }

func (c *Cache) sweep() { time.Sleep(90 * time.Second) }

func (c *Cache) Len() int { return int(c.ttl) }

func Ask(c Clock) int { return c.Read().Year() }

func Sum(a, b int) int { return a + b }
`

// loadAs loads a package of a module that builds with a version of Go.
func loadAs(t *testing.T, version, source string) (*load.Program, *load.Package) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo " + version + "\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return prog, prog.Packages[0]
}

// Bubbles hold the calls that ask for the time, wait or start goroutines, also by way of variables, other functions and
// interfaces, and no others.
func TestBubbles(t *testing.T) {
	_, pkg := loadAs(t, "1.25", timely)
	b := NewBubbles(pkg)
	if b == nil {
		t.Fatal("NewBubbles = nil for a module of go 1.25")
	}
	if got, want := slices.Sorted(maps.Keys(b.funcs)), []string{"Ask", "Cache.Expired", "Cache.Run", "Cache.sweep", "wall.Read"}; !slices.Equal(got, want) {
		t.Errorf("in bubbles: %q, want %q", got, want)
	}
	if got, want := slices.Sorted(maps.Keys(b.others)), []string{"Cache.Run"}; !slices.Equal(got, want) {
		t.Errorf("other goroutines: %q, want %q", got, want)
	}
	call := func(name string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Target(name).Obj}}
	}
	if s := testcase.NewSequence(call("Sum"), call("New")); b.Hold(s) {
		t.Errorf("a bubble for %s", s)
	}
	if s := testcase.NewSequence(call("New"), call("Ask")); !b.Hold(s) {
		t.Errorf("no bubble for %s", s)
	}
}

// A test lets other goroutines go on behind a wait only where calls before it have started some.
// A case needs no bubble if the blocks that it covered ask for no time.
func TestRests(t *testing.T) {
	prog, pkg := loadAs(t, "1.25", `package p

import "time"

func Until(deadline int) int {
	if deadline < 0 {
		return 0
	}
	return deadline - time.Now().Year()
}
`)
	b := NewBubbles(pkg)
	if b == nil {
		t.Fatal("no bubbles, though Until asks for the time")
	}
	file := prog.Fset.Position(pkg.Syntax[0].Pos()).Filename
	at := func(line, column int) token.Position {
		return token.Position{Filename: file, Line: line, Column: column}
	}
	blocks := []testcase.Block{
		{Func: "Until", Stmts: 1, Pos: at(5, 30), End: at(6, 18)},
		{Func: "Until", Stmts: 1, Pos: at(6, 18), End: at(8, 3)},
		{Func: "Until", Stmts: 1, Pos: at(9, 2), End: at(9, 38)},
	}
	c := func(covered ...int) *testcase.Case {
		o := &testcase.Outcome{}
		for _, i := range covered {
			o.Cover.Set(i)
		}
		return &testcase.Case{Target: "Until", Seq: testcase.NewSequence(), Observed: o}
	}
	if !b.Rests(prog.Fset, c(0, 1), blocks) {
		t.Error("a case that returned before the clock was read does not rest")
	}
	if b.Rests(prog.Fset, c(0, 2), blocks) {
		t.Error("a case that read the clock rests")
	}
	if b.Rests(prog.Fset, c(0, 1), blocks[:2]) {
		t.Error("a case rests although no block says whether the clock was read")
	}
}

func TestSettles(t *testing.T) {
	prog, pkg := loadAs(t, "1.25", timely)
	f, err := NewFakeTime(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	cache := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: pkg.Target("New").Obj.Signature().Results().At(0).Type()}})
	if s := f.Wait(cache, 5); f.Settles(s, s.Len()-1) {
		t.Errorf("%s: other goroutines are let go on, although there are none", s)
	}
	run := cache.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: pkg.Target("Cache.Run").Obj}, Args: []testcase.Ref{{Stmt: 0}}})
	if s := f.Wait(run, 5); !f.Settles(s, s.Len()-1) || !f.Hold(s) {
		t.Errorf("%s: other goroutines are not let go on", s)
	}
	if f.Settle == nil || len(f.Spoken) == 0 || f.Spoken[len(f.Spoken)-1].Seconds() != 90 {
		t.Errorf("settle %v, durations %v; want synctest.Wait, and 90s among the durations", f.Settle, f.Spoken)
	}
}

// A module that builds with an older Go has no bubbles, and neither has a package without clocks and goroutines, or one whose
// objects have goroutines that nothing ends.
func TestNoBubbles(t *testing.T) {
	endless := "package p\n\nimport \"time\"\n\ntype Cache struct{ n int }\n\nfunc New() *Cache {\n\tc := &Cache{}\n\tgo func() {\n\t\tfor {\n\t\t\ttime.Sleep(time.Second)\n\t\t}\n\t}()\n\treturn c\n}\n"
	for _, test := range []struct {
		version, src string
		want         bool
	}{
		{"1.24", timely, false},
		{"1.25", "package p\n\nfunc Sum(a, b int) int { return a + b }\n", false},
		{"1.25", endless, false},
		{"1.25", endless + "\nfunc (c *Cache) Close() { c.n = 0 }\n", true},
	} {
		if _, pkg := loadAs(t, test.version, test.src); (NewBubbles(pkg) != nil) != test.want {
			t.Errorf("go %s: bubbles are %t for\n%s", test.version, !test.want, test.src)
		}
	}
}
