package purity

import (
	"reflect"
	"testing"
)

func TestDeciding(t *testing.T) {
	pkg := loadSource(t, `package p

import (
	"fmt"
	"strings"
)

type Stack struct{ elems []int; size int }

func (s *Stack) Push(v int) {
	if s.size == len(s.elems) {
		s.elems = append(s.elems, 0)
	}
	s.elems[s.size] = v
	s.size++
}

type Heap struct{ elems []int; size int }

func (h *Heap) Push(v int) {
	h.elems[h.size] = v
	h.up(h.size)
}

func (h *Heap) up(i int) {
	for i > 0 && h.elems[i] < h.elems[(i-1)/2] {
		i = (i-1)/2
	}
}

func At(list []int, i int) int { return list[i] }
func Say(name string) string { return fmt.Sprintf("hello %s", name) }
func Build(b *strings.Builder, s string) { b.WriteString(s) }
func Same(a, b rune, name string) (bool, string) { return a == b, name }
func Sign(name string, n int) string {
	if n < 0 {
		return "-" + name
	}
	return name
}
func Put(m map[string]int, k string, v int) { m[k] = v }
func Dispatch(f func(int) int, v int) int { return f(v) }
`)
	for _, tt := range []struct {
		fn   string
		want []bool
	}{
		{"Stack.Push", []bool{true, false}},
		{"Heap.Push", []bool{true, true}},
		{"At", []bool{true, true}},
		{"Say", []bool{false}},
		{"Build", []bool{false, false}},
		{"Same", []bool{true, true, false}},
		{"Sign", []bool{false, true}},
		{"Put", []bool{false, true, false}},
		{"Dispatch", []bool{true, true}},
	} {
		if got := Deciding(pkg.Target(tt.fn).Func); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Deciding(%s) = %t, want %t", tt.fn, got, tt.want)
		}
	}
}
