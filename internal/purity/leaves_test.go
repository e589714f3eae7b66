package purity

import (
	"go/types"
	"strings"
	"testing"
)

func TestLeaves(t *testing.T) {
	pkg := loadSource(t, `package m

type T struct {
	n    int
	list []int
	m    map[string]int
	f    func()
}

func (t *T) Len() int         { return t.n + len(t.list) + t.list[0] + t.m["a"] }
func (t *T) Add(x int)        { t.list = append(t.list, x); t.count() }
func (t *T) count()           { t.n++ }
func (t *T) Put(i int)        { t.list[i] = 1; t.m["a"] = 1 }
func (t *T) List() []int      { return t.list }
func (t *T) Call() int        { t.f(); return t.n }
`)
	leaves := map[string]string{"Len": "n list m f", "Add": "m f", "count": "list m f", "Put": "n f", "List": "n m f", "Call": ""}
	st := pkg.Types.Scope().Lookup("T").Type().Underlying().(*types.Struct)
	for name, want := range leaves {
		var got []string
		for f := range st.Fields() {
			if Leaves(pkg.Target("T."+name).Func, f) {
				got = append(got, f.Name())
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s leaves %q, want %q", name, got, want)
		}
	}
}

func TestSetsFields(t *testing.T) {
	pkg := loadSource(t, `package m

type S struct {
	pos int
	key []byte
}

func (s *S) Next() bool      { s.move(); return s.pos < 3 }
func (s *S) move()           { s.pos++ }
func (s *S) Key() []byte     { return s.key }
func (s *S) Copy() int       { c := S{pos: s.pos}; c.pos++; return c.pos }
`)
	for name, want := range map[string]bool{"Next": true, "move": true, "Key": false, "Copy": false} {
		if got := SetsFields(pkg.Target("S." + name).Func); got != want {
			t.Errorf("SetsFields(%s) = %t, want %t", name, got, want)
		}
	}
}

func TestFields_Apart(t *testing.T) {
	pkg := loadSource(t, `package m

import "sync"

type T struct {
	mu   sync.Mutex
	n    int
	size int
	tags map[string]string
	f    func()
	lock *sync.RWMutex
	on   bool
	next *T
}

func (t *T) N() int            { t.mu.Lock(); defer t.mu.Unlock(); return t.n }
func (t *T) SetN(n int) *T     { t.mu.Lock(); defer t.mu.Unlock(); t.n = n; return t }
func (t *T) Size() int         { t.mu.Lock(); defer t.mu.Unlock(); return t.size }
func (t *T) Tag(k string)      { t.tags[k] = ""; t.count() }
func (t *T) count()            { t.n++ }
func (t *T) Copy() T           { return *t }
func (t *T) Any() any          { return t }
func (t *T) Call()             { t.f() }
func (t *T) On() bool          { t.lock.RLock(); defer t.lock.RUnlock(); return t.on }
func (t *T) SetNext(o *T)      { t.next = o }
func (t *T) HasNext() bool     { return t.next != nil }
func (t *T) SetSize(n int)     { t.lock.Lock(); defer t.lock.Unlock(); t.size = n }

type M map[int]bool

func (m M) Has(n int) bool { return m[n] }
func (m M) Add(n int)      { m[n] = true }
`)
	fields := new(Fields)
	for pair, want := range map[string]bool{
		"SetN N": false, "SetN Size": true, "Tag N": false, "Tag Size": true, "Copy Size": false, "Any Size": false, "Call Size": false, "N Size": true,
		"SetSize On": true, "SetSize Size": false, "SetNext HasNext": false,
	} {
		a, b, _ := strings.Cut(pair, " ")
		if got := fields.Apart(pkg.Target("T."+a).Func, pkg.Target("T."+b).Func); got != want {
			t.Errorf("Apart(%s) = %t, want %t", pair, got, want)
		}
	}
	if fields.Apart(pkg.Target("M.Has").Func, pkg.Target("M.Add").Func) {
		t.Error("methods of a map are apart, which has no fields")
	}
}
