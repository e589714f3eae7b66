package random_test

import (
	"testing"

	"github.com/goassay/assay/internal/random"
)

// A function that is handed over where any value may be is called with arguments that fit it, under the name that it was handed over
// with, and is taken back.
func TestCalled(t *testing.T) {
	s := open(t, source(`package p

import "reflect"

type Bus struct{ ears map[string][]reflect.Value }

func New() *Bus { return &Bus{ears: map[string][]reflect.Value{}} }

func (b *Bus) Attach(event string, ear any) bool {
	v := reflect.ValueOf(ear)
	if v.Kind() != reflect.Func {
		return false
	}
	b.ears[event] = append(b.ears[event], v)
	return true
}

func (b *Bus) Tell(event string, details ...any) int {
	var in []reflect.Value
	for _, d := range details {
		in = append(in, reflect.ValueOf(d))
	}
	for _, e := range b.ears[event] {
		e.Call(in)
	}
	return len(b.ears[event])
}

func (b *Bus) Detach(event string, ear any) bool {
	v := reflect.ValueOf(ear)
	if v.Kind() != reflect.Func {
		return false
	}
	for i, e := range b.ears[event] {
		if e.Pointer() == v.Pointer() {
			b.ears[event] = append(b.ears[event][:i:i], b.ears[event][i+1:]...)
			return true
		}
	}
	return false
}
`))
	_, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
}
