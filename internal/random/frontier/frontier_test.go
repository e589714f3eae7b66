package frontier_test

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/random/frontier"
	"github.com/goassay/assay/internal/testcase"
)

func TestTexts(t *testing.T) {
	p := frontier.Of([]testcase.Block{
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
			if got := p.Texts(covered); !slices.Equal(got, tt.want) {
				t.Errorf("Texts = %q, want %q", got, tt.want)
			}
		})
	}
}
