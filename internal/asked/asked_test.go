package asked_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/asked"
	"github.com/goassay/assay/internal/testcase"
)

func TestAwaited(t *testing.T) {
	p := asked.Of([]testcase.Block{
		{Func: "F"},
		{Func: "F", Asks: []string{"get", "head"}},
		{Func: "F", Asks: []string{"put", "get"}},
		{Func: "F", Asks: []string{"post"}},
		{Func: "G"},
		{Func: "G", Asks: []string{"never"}},
	})
	tests := []struct {
		name    string
		covered []int
		want    []string
	}{
		{"nothing is entered", nil, nil},
		{"each text once, in the order of the source", []int{0}, []string{"get", "head", "put", "post"}},
		{"what is covered asks for nothing", []int{0, 2, 3}, []string{"get", "head"}},
		{"each function for itself", []int{4}, []string{"never"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var covered testcase.Cover
			for _, i := range tt.covered {
				covered.Set(i)
			}
			if got := p.Awaited(covered); !slices.Equal(got, tt.want) {
				t.Errorf("Awaited = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestByFunction(t *testing.T) {
	p := asked.Of([]testcase.Block{
		{Func: "F"},
		{Func: "F", Asks: []string{"[", "]"}},
		{Func: "G", Asks: []string{"="}},
		{Func: "H"},
		{Func: "F", Asks: []string{"]", "#"}},
	})
	var covered testcase.Cover
	for _, i := range []int{0, 1, 3} {
		covered.Set(i)
	}
	if got, want := fmt.Sprintf("%q", p.ByFunction(p.Entered(covered))), `[["[" "]" "#"]]`; got != want {
		t.Errorf("ByFunction = %s, want %s", got, want)
	}
}
