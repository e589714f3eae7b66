package purity

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const globalsSource = `package m

import (
	"io"
	"slices"
	"sort"
	"sync"
)

var source io.Reader
var enabled bool
var last int
var cache = map[string]int{}
var once sync.Once
var table []int

func SetSource(r io.Reader) { source = r }
func Enable() { enabled = true }
func SetLast(n int) int { return set(n + 1) }
func set(n int) int { last = n; return n }
func Next() int { last++; return last }
func Lookup(s string) int {
	if n, ok := cache[s]; ok { return n }
	return fill(len(s))
}
func fill(n int) int { table = append(table, 1); return len(table) }
func Read() int { return last }
var settings, memo sync.Map
func Configure(key, value string) { settings.Store(key, value) }
func Memoized(s string) int {
	if n, ok := memo.Load(s); ok { return n.(int) }
	n := len(s)
	memo.Store(s, n)
	return n
}
func Lazy() int { once.Do(func() { table = []int{1} }); return table[0] }

var rates = [3]int{1, 2, 3}
func Load(xs []int) { copy(rates[:], xs) }
func Poke() { q := rates[:]; q[1] = 0 }
func Either(low bool) { q := rates[1:]; if low { q = rates[:1] }; for len(q) > 0 { q[0] = 0; q = q[1:] } }
func Append(n int) int { s := append(rates[:1], n); return len(s) }
func Empty() { clear(rates[:]) }
func Forget(s string) { delete(cache, s) }
func Order() { sort.Ints(rates[:]) }
func Turn() { slices.Reverse(rates[:]) }
func Give(n int) { put(rates[:], n) }
func put(to []int, n int) { to[0] = n }
func Point(n int) { p := &rates; p[1] = n }
func Copied(n int) int { c := rates; q := c[:]; q[0] = n; return q[0] }
func Sum() int { s := rates[:]; n := 0; for _, x := range s { n += x }; return n }
func Longer(n int) []int { return append(table, n) }
func Done() { defer recover() }

type tab struct { n [3]int; more map[int]int }
func (t *tab) set(i, n int) { t.put(i, n) }
func (t *tab) put(i, n int) { t.n[i] = n }
func (t *tab) get(i int) int { return t.n[i] }
func (t *tab) note(i int) { t.more[i]++ }
var own tab
var behind = &tab{}
func SetOwn(n int) { own.set(1, n) }
func NoteOwn(n int) { own.note(n) }
func GetOwn() int { return own.get(1) }
func SetBehind(n int) { behind.set(1, n) }
`

func TestGlobals(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": globalsSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]bool{"SetSource": true, "Enable": true, "SetLast": true, "set": true, "Next": true, "Lookup": true, "fill": true, "Configure": true}
	for _, name := range []string{"Load", "Poke", "Either", "Append", "Empty", "Forget", "Order", "Turn", "Give", "Point", "SetOwn", "NoteOwn"} {
		changes[name] = true
	}
	sets := map[string]bool{"SetSource": true, "Enable": true, "SetLast": true, "set": true, "Configure": true}
	for _, name := range []string{"Load", "Poke", "Either", "Empty", "Forget", "Order", "Turn", "Give", "Point", "SetOwn", "NoteOwn"} {
		sets[name] = true
	}
	stored := map[string]string{
		"SetSource": "source", "Enable": "enabled", "SetLast": "last", "set": "last", "Next": "last", "Lookup": "table", "fill": "table", "Lazy": "", "Configure": "",
		"Load": "rates", "Poke": "rates", "Either": "rates", "Append": "rates", "Empty": "rates", "Order": "rates", "Turn": "rates", "Give": "rates", "Point": "rates", "SetOwn": "own", "NoteOwn": "own",
	}
	g := NewGlobals()
	for _, target := range p.Packages[0].Targets {
		if got := g.Changes(target.Func); got != changes[target.Name] {
			t.Errorf("Changes(%s) = %v", target.Name, got)
		}
		if got := g.Sets(target.Func); got != sets[target.Name] {
			t.Errorf("Sets(%s) = %v", target.Name, got)
		}
		got := ""
		for _, v := range g.Stored(target.Func) {
			got += v.Name()
		}
		if got != stored[target.Name] {
			t.Errorf("Stored(%s) = %s, want %s", target.Name, got, stored[target.Name])
		}
	}
}

func TestOnlyOnce(t *testing.T) {
	pkg := loadSource(t, `package m

import "sync"

var once, other sync.Once
var table, names, counts map[string]int

func fill()  { table = map[string]int{"a": 1} }
func name()  { names = map[string]int{"b": 2} }
func count() { counts = map[string]int{} }
func Reset() { name() }
func Table(s string) int { once.Do(fill); return table[s] }
func Named(s string) int { other.Do(name); return names[s] }

var counted = sync.OnceFunc(count)

type runner struct{}

func (runner) Do(f func()) { f() }
func twice()               { table["a"]++ }
func Twice()               { runner{}.Do(twice) }
`)
	var got []string
	for fn := range OnlyOnce(pkg) {
		got = append(got, fn.Name())
	}
	slices.Sort(got)
	if want := []string{"count", "fill"}; !slices.Equal(got, want) {
		t.Errorf("only once: %v, want %v", got, want)
	}
}
