package phrase_test

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/emit/phrase"
)

func TestByFields(t *testing.T) {
	tests := []struct {
		name                 string
		names, sources, want []string
	}{
		{
			name:    "one field tells them apart",
			names:   []string{"&{0, 1, 1, 0, 1}", "&{0, 3, 1, 0, 5}", "zero value"},
			sources: []string{"&Params{Iterations: 1, Parallelism: 1, KeyLength: 1}", "&Params{Iterations: 3, Parallelism: 1, KeyLength: 5}", "&Params{}"},
			want:    []string{"Iterations 1", "Iterations 3", "zero value"},
		},
		{
			name:    "several fields, that of all left out",
			names:   []string{"{a}", "{b}", "{c}"},
			sources: []string{`Key{Kind: RSA, N: "a", E: -1}`, `Key{Kind: RSA, N: "b", D: true}`, `Key{Kind: RSA, N: "b", D: false}`},
			want:    []string{`N "a", E -1`, `N "b", D`, `N "b", no D`},
		},
		{
			name:    "the only struct",
			names:   []string{"{{{x}}}", "empty"},
			sources: []string{"Outer{Inner{Key: \"OKP\", CRV: `0`, Use: jwk.Sign}}", `Outer{Inner{Key: "EC"}}`},
			want:    []string{`Key "OKP", CRV "0", Use Sign`, "empty"},
		},
		{
			name:    "alike but for other arguments",
			names:   []string{"{A: 1}, 5", "{A: 1}, 6", "{A: 2}, 5"},
			sources: []string{"T{A: 1}, 5", "T{A: 1}, 6", "T{A: 2}, 5"},
			want:    []string{"{A: 1}, 5", "{A: 1}, 6", "A 2"},
		},
		{
			name:    "the names' own fields",
			names:   []string{`{KTY: "EC", CRV: "a"}, {}, {}`, `{KTY: "EC", CRV: "a", X: "="}, {}`, "&{T: &{X: 1}}"},
			sources: []string{"", "", ""},
			want:    []string{`KTY "EC", CRV "a"`, `X "="`, "&{T: &{X: 1}}"},
		},
		{
			name:    "a name that another case has",
			names:   []string{"{1}", "N 1"},
			sources: []string{"T{N: 1}", "1"},
			want:    []string{"{1}", "N 1"},
		},
		{
			name:    "no fields, keys that are no fields, too long, fields of a function's own",
			names:   []string{"{1, 2}", `{"a": "b"}`, "{x}", "{y}"},
			sources: []string{"[]int{1, 2}", `map[string]string{"a": "b"}`, `T{Text: "a text that is by far too long to be the name of any test"}`, "T{func() T { return T{N: 1} }}"},
			want:    []string{"{1, 2}", `{"a": "b"}`, "{x}", "{y}"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := phrase.ByFields(tt.names, tt.sources, 48); !slices.Equal(got, tt.want) {
				t.Errorf("ByFields = %q, want %q", got, tt.want)
			}
		})
	}
}
