package phrase

import (
	"slices"
	"testing"
)

func TestByLongTexts(t *testing.T) {
	tests := []struct {
		name         string
		names, texts []string
		want         []string
	}{
		{
			"the word that the others lack", []string{"contains a digit", "ends with 'x'"},
			[]string{"Mozilla/5.0 (Windows NT 10.0) Gecko", "Mozilla/5.0 (Linux) Gecko"},
			[]string{"Windows", "Linux"},
		},
		{
			"a word and its number", []string{"contains a space", "contains an upper-case letter"},
			[]string{"level=info msg=3 x", "level=info msg=7 x"},
			[]string{"msg=3", "msg=7"},
		},
		{
			"no sign that divides", []string{"contains a digit", "contains a space"}, []string{"(Windows NT 5.1; Win64)", "(Windows NT 6.1; Win64)"}, []string{"NT 5.1", "NT 6.1"},
		},
		{"other names stay", []string{"empty", "Firefox on Linux"}, []string{"Mozilla (Linux)", "Mozilla (Windows)"}, []string{"empty", "Firefox on Linux"}},
		{"so do those of short texts", []string{"contains a digit"}, []string{""}, []string{"contains a digit"}},
		{"nothing is its own", []string{"contains a digit", "contains a space"}, []string{"one two 3", "one two 3"}, []string{"contains a digit", "contains a space"}},
		{"no name twice", []string{"Linux", "contains a digit"}, []string{"x", "only Linux 3"}, []string{"Linux", "only"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ByLongTexts(tt.names, tt.texts, 48); !slices.Equal(got, tt.want) {
				t.Errorf("ByLongTexts() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestByLines(t *testing.T) {
	names := []string{`"a\n7\nx"`, `"a\n42\n"`, `"a\n7\nmore\n"`, "empty origin", `"a\nb"`, `"b"`}
	want := []string{`line "x"`, `line "42"`, `line "more"`, "empty origin", `line "b"`, `"b"`}
	if got := ByLines(names, 40); !slices.Equal(got, want) {
		t.Errorf("ByLines = %q, want %q", got, want)
	}
	if got := ByLines([]string{`"one\ntwo"`, `"three"`}, 40); got[0] != `"one\ntwo"` {
		t.Errorf("with two lines of its own the text is called %s", got[0])
	}
}
