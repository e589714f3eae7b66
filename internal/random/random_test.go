package random_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// subject is a package with its harness.
type subject struct {
	prog *load.Program
	pkg  *load.Package
	h    *native.Harness
}

// open loads and builds the package p of a module.
func open(t testing.TB, a *txtar.Archive) subject {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./p")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range prog.Packages[0].Errors {
		t.Fatal(e)
	}
	h, err := native.Build(t.Context(), prog, prog.Packages[0], native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return subject{prog, prog.Packages[0], h}
}

// source returns the archive of a module with the one file p/p.go.
func source(src string) *txtar.Archive {
	return &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.24\n")},
		{Name: "p/p.go", Data: []byte(src)},
	}}
}

// run returns the cases of a run.
func (s subject) run(t testing.TB, cfg random.Config) ([]*testcase.Case, random.Result) {
	t.Helper()
	var out []*testcase.Case
	res, err := random.Run(t.Context(), random.Subject{Prog: s.prog, Pkg: s.pkg, Harness: s.h}, cfg, func(c *testcase.Case) bool {
		out = append(out, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, res
}

// text prints cases, one a line.
func text(cases []*testcase.Case) string {
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "%s: %s => %s\n", c.Target, strings.ReplaceAll(strings.TrimSpace(c.Seq.String()), "\n", "; "), c.Observed.Status)
	}
	return b.String()
}

// uncovered lists the blocks that a run did not reach.
func (s subject) uncovered(c testcase.Cover) string {
	var b strings.Builder
	for i, k := range s.h.Blocks() {
		if !c.Has(i) {
			fmt.Fprintf(&b, "%s:%d %s %v; ", k.Func, k.Pos.Line, k.Text, k.Value)
		}
	}
	return b.String()
}

const ring = `package p

import "errors"

var ErrFull = errors.New("full")

type Ring struct {
	buf  []int
	head int
	n    int
	last *int
}

func New(size int) *Ring {
	if size <= 0 || size > 64 {
		size = 2
	}
	return &Ring{buf: make([]int, size)}
}

func (r *Ring) Enqueue(v int) error {
	if v == -1 {
		r.n = *r.last
	}
	if r.n == len(r.buf) {
		return ErrFull
	}
	r.buf[(r.head+r.n)%len(r.buf)] = v
	r.n++
	return nil
}

func (r *Ring) Dequeue() (int, bool) {
	if r.n == 0 {
		return 0, false
	}
	v := r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.n--
	return v, true
}

func (r *Ring) Len() int { return r.n }
`

// TestRing checks that the engine covers a ring buffer, finds its defect, and writes no sequence that could
// be shorter.
func TestRing(t *testing.T) {
	s := open(t, source(ring))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if u := s.uncovered(res.Covered); u != "" {
		t.Errorf("not covered: %s", u)
	}
	var failing []string
	for _, c := range cases {
		if c.Seq.Len() > 8 {
			t.Errorf("long case: %s", text([]*testcase.Case{c}))
		}
		if c.Observed.Status != testcase.Returned {
			failing = append(failing, text([]*testcase.Case{c}))
		}
	}
	want := "Ring.Enqueue: v1 := New(0); v1.Enqueue(-1) => panicked\n"
	if len(failing) != 1 || failing[0] != want {
		t.Errorf("failing cases:\n%s\nwant:\n%s", strings.Join(failing, ""), want)
	}
}

// TestSeed checks that the same seed makes the same cases, and that another seed makes other cases.
func TestSeed(t *testing.T) {
	s := open(t, source(ring))
	one, _ := s.run(t, random.Config{Seed: 7, Ops: 10_000})
	two, _ := s.run(t, random.Config{Seed: 7, Ops: 10_000})
	if text(one) != text(two) {
		t.Errorf("the same seed:\n%s\nand:\n%s", text(one), text(two))
	}
}

// TestKinds checks that the engine reaches all code of a package whose functions take values that generators
// commonly cannot make.
func TestKinds(t *testing.T) {
	s := open(t, source(`package p

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

type Shape interface{ Area() float64 }

type square struct{ side float64 }

func (s square) Area() float64 { return s.side * s.side }

func NewSquare(side float64) Shape { return square{side} }

func Describe(s Shape) string {
	if _, ok := s.(square); ok {
		return "square"
	}
	return "other"
}

func Kind(v any) string {
	switch v.(type) {
	case nil:
		return "nil"
	case int:
		return "int"
	case string:
		return "string"
	case *Config:
		return "config"
	}
	return "?"
}

type Config struct {
	Name  string
	Limit int
	Tags  []string
}

type Option func(*Config)

func WithLimit(n int) Option { return func(c *Config) { c.Limit = n } }

func Build(opts ...Option) (Config, error) {
	var c Config
	for _, o := range opts {
		if o == nil {
			return c, errors.New("nil option")
		}
		o(&c)
	}
	if c.Limit > 40 {
		return c, errors.New("limit")
	}
	return c, nil
}

func (c Config) Valid() bool { return c.Name == "magic-name" && len(c.Tags) == 2 }

func Level(r io.Reader, ctx context.Context) int {
	if ctx.Err() != nil {
		return -1
	}
	b := make([]byte, 3)
	n, err := r.Read(b)
	if err != nil {
		return -2
	}
	return n
}

func Late(t time.Time) bool { return t.Year() > 1980 }

var Default = &Registry{m: map[string]int{"a": 1}}

type Registry struct{ m map[string]int }

func (r *Registry) Lookup(k string) (int, bool) {
	v, ok := r.m[k]
	if ok {
		return v, true
	}
	return 0, false
}

func Map[T, U any](xs []T, f func(T) U) []U {
	var out []U
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

type Set[K comparable] struct{ m map[K]bool }

func NewSet[K comparable]() *Set[K] { return &Set[K]{map[K]bool{}} }

func (s *Set[K]) Add(k K) bool {
	if s.m[k] {
		return false
	}
	s.m[k] = true
	return true
}

func Count(s string) int {
	if strings.HasPrefix(s, "v") && strings.Contains(s, ".") && len(s) > 4 {
		return 1
	}
	return 0
}

func Drain(c <-chan int) (n int) {
	for range c {
		n++
		if n == 2 {
			return n
		}
	}
	return n
}
`))
	_, res := s.run(t, random.Config{Seed: 3, Ops: 60_000})
	if u := s.uncovered(res.Covered); u != "" {
		t.Errorf("not covered: %s", u)
	}
}

// TestFunctions checks that the engine passes named functions, which unlike stubs look at their arguments,
// and inputs of the package's fuzz corpus.
func TestFunctions(t *testing.T) {
	a := source(`package p

import "cmp"

func Less(a, b int) bool { return a < b }

// Sorted reports whether less is an order that puts 1, 2, 3 as they are.
func Sorted(less func(a, b int) bool) bool {
	return less(1, 2) && less(2, 3) && !less(2, 1)
}

func Sign(order func(a, b string) int) bool {
	return order("a", "b") == -1 && order("b", "a") == 1 && order("a", "a") == 0
}

type Table struct{ Size int }

func Open(data []byte, n int) bool {
	if string(data) == "a key that nobody guesses: 9f3c" && n == 7431 {
		return true
	}
	return false
}

var _ = cmp.Compare[int]
`)
	a.Files = append(a.Files, txtar.File{
		Name: "p/testdata/fuzz/FuzzOpen/1", Data: []byte("go test fuzz v1\n[]byte(\"a key that nobody guesses: 9f3c\")\nint(7431)\n"),
	})
	s := open(t, a)
	cases, res := s.run(t, random.Config{Seed: 2, Ops: 30_000})
	if u := s.uncovered(res.Covered); u != "" {
		t.Errorf("not covered: %s", u)
	}
	var values []string
	for _, c := range cases {
		for i := range c.Seq.Len() {
			if op := c.Seq.At(i).Op; op.Kind == testcase.OpFuncValue {
				values = append(values, op.Func.Name())
			}
		}
	}
	if got := strings.Join(values, " "); !strings.Contains(got, "Less") || !strings.Contains(got, "Compare") {
		t.Errorf("functions that were passed: %s", got)
	}
}

// TestClosures checks that the engine passes method values, and callbacks that change the object whose
// method calls them.
func TestClosures(t *testing.T) {
	s := open(t, source(`package p

type Bag struct{ items []int }

func New() *Bag { return &Bag{} }

func (b *Bag) Add(x int) { b.items = append(b.items, x) }

func (b *Bag) Has(x int) bool {
	for _, y := range b.items {
		if x == y {
			return true
		}
	}
	return false
}

// Each reports whether the bag stayed as it was.
func (b *Bag) Each(f func(int)) bool {
	n := len(b.items)
	for _, x := range b.items[:n] {
		f(x)
	}
	if len(b.items) != n {
		return false
	}
	return true
}

// All reports whether f holds of all.
func (b *Bag) All(f func(item int) bool) bool {
	n := len(b.items)
	for _, x := range b.items[:n] {
		if !f(x) {
			return len(b.items) > n+2
		}
	}
	return n > 0
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 30_000})
	if u := s.uncovered(res.Covered); u != "" {
		t.Errorf("not covered: %s", u)
	}
	closures, values := 0, 0
	for _, c := range cases {
		for i := range c.Seq.Len() {
			if op := c.Seq.At(i).Op; op.Kind == testcase.OpClosure {
				closures++
				if op.MethodValue() {
					values++
				}
			}
		}
	}
	if closures == 0 {
		t.Error("no case has a closure")
	}
	t.Logf("%d closures, %d of them method values", closures, values)
}
