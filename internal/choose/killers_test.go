package choose

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/testcase"
)

func TestCheapestFields(t *testing.T) {
	field := func(i int) testcase.FieldRef { return testcase.FieldRef{Field: i} }
	one := testcase.Value{Kind: testcase.Int, Bits: 1}
	made := &testcase.Case{Observed: &testcase.Outcome{Results: [][]testcase.Value{{{Kind: testcase.Pointer, Elems: []testcase.Value{{Kind: testcase.Struct, Elems: []testcase.Value{{Kind: testcase.Bool}, one, one, one, one}}}}}}}}
	for _, tt := range []struct {
		name string
		by   map[testcase.FieldRef][]int
		want map[testcase.FieldRef]bool
	}{
		{"nothing", nil, map[testcase.FieldRef]bool{}},
		{"the first of two alike", map[testcase.FieldRef][]int{field(2): {1, 2}, field(1): {1, 2}}, map[testcase.FieldRef]bool{field(1): true}},
		{"the one that notices most first", map[testcase.FieldRef][]int{field(1): {1}, field(2): {1, 2, 3}, field(3): {4}},
			map[testcase.FieldRef]bool{field(2): true, field(3): true}},
		{"one with a value before an empty one", map[testcase.FieldRef][]int{field(0): {1, 2}, field(4): {1, 2}}, map[testcase.FieldRef]bool{field(4): true}},
	} {
		if got := outcome.CheapestFields(made, tt.by); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A step of choosing that has no time left says so, and leaves half of the time to those that follow. A step that fails for another reason
// is not late, nor is one whose caller was cancelled.
func TestInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble does not depend on how busy the machine is
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		wait := func(ctx context.Context) ([]*testcase.Case, [][]int, error) {
			<-ctx.Done()
			return nil, nil, ctx.Err()
		}
		if _, _, late, err := inTime(ctx, wait); !late || ctx.Err() != nil {
			t.Errorf("a step that waits: late %v, %v; the caller %v", late, err, ctx.Err())
		}
		broken := errors.New("broken")
		if _, _, late, err := inTime(ctx, func(context.Context) ([]*testcase.Case, [][]int, error) { return nil, nil, broken }); late || err != broken {
			t.Errorf("a step that fails: late %v, %v", late, err)
		}
		time.Sleep(time.Second)
		if _, _, late, err := inTime(ctx, wait); !late || err == nil {
			t.Errorf("a step of a caller that has no time left: late %v, %v", late, err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		cancel()
		if _, _, late, err := inTime(ctx, wait); late || err == nil {
			t.Errorf("a step of a caller that was cancelled: late %v, %v", late, err)
		}
	})
}
