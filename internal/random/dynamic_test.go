package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// If code asserts the types of data, sequences pass data of these types, under the keys and paths under
// which the code looks for the data, and they ask for a value by the key under which they have stored it.
// The harness is built only once for all of this.
func TestDynamic(t *testing.T) {
	s := open(t, source(`package p

import "reflect"

type Tree map[string]any

type Node struct{ data any }

func (t Tree) Get(path string) *Node {
	var at any = map[string]any(t)
	key := ""
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '.' {
			key += path[i : i+1]
			continue
		}
		m, ok := at.(map[string]any)
		if !ok {
			return &Node{}
		}
		at, key = m[key], ""
	}
	return &Node{data: at}
}

func (n *Node) Sum() complex64 {
	list, ok := n.data.([]complex64)
	if !ok || len(list) == 0 {
		return 0
	}
	return list[0] + list[len(list)-1]
}

func Width(x any) int {
	switch x := x.(type) {
	case int16:
		return 16
	case map[uint8]string:
		return len(x)
	case [3]int8:
		return 3
	}
	return 0
}

func Decode(text string, out any) bool {
	v := reflect.ValueOf(out)
	if v.Kind() != reflect.Pointer {
		return false
	}
	switch v.Elem().Kind() {
	case reflect.Uint16:
		v.Elem().SetUint(uint64(len(text)))
		return true
	case reflect.Complex64:
		v.Elem().SetComplex(complex(float64(len(text)), 0))
		return true
	}
	return false
}

type Store struct{ m map[string]int }

func NewStore() *Store { return &Store{m: map[string]int{}} }

func (s *Store) Put(key string, n int) { s.m[key] = n }

func (s *Store) Take(key string) int {
	if n, ok := s.m[key]; ok {
		delete(s.m, key)
		return n + 1
	}
	return 0
}
`))
	var log strings.Builder
	h, err := native.Build(t.Context(), s.prog, s.pkg, native.Config{Log: &log, Needs: random.Needs(s.prog, s.pkg)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s.h = h
	var covered testcase.Cover
	cases, _ := s.run(t, random.Config{Ops: 100_000})
	for _, c := range cases {
		covered.Union(c.Observed.Cover)
	}
	for i, b := range h.Blocks() {
		if b.Stmts > 0 && !covered.Has(i) {
			t.Errorf("not covered: %s:%d", b.Func, b.Pos.Line)
		}
	}
	if n := strings.Count(log.String(), "harness built"); n != 1 {
		t.Errorf("%d builds:\n%s", n, log.String())
	}
}
