package everyday

import (
	"slices"
	"testing"
)

func known(texts ...string) func(string) bool {
	return func(s string) bool { return slices.Contains(texts, s) }
}

func TestIsNoise(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"", false},
		{"foo;bar", false},
		{"Mississippi", false},
		{"KB", false},
		{"1KB", false},
		{"hello, world!", false},
		{"3.14", false},
		{";", true},
		{"{d", true},
		{"0>xq", true},
		{"MOUaaS", true},
		{"foo\x00bar", true},
		{"'<'", true},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if got := IsNoise(tt.text, known("KB")); got != tt.want {
				t.Errorf("IsNoise(%q) = %t, want %t", tt.text, got, tt.want)
			}
		})
	}
}

func TestInstead(t *testing.T) {
	for noise, want := range map[string][]string{
		";":     {"foo;bar", "ls -l;", ";ls -l", "foo ; bar"},
		"0>xq":  {"0>foo", "ls> -l"},
		"'<'":   {"foo'bar<baz'baz", "foo'<'bar"},
		"x,y,x": {"foo,bar,foo"},
		"a=aG":  {"ls -G", "ls -lG", "as -l"},
	} {
		got := Instead(noise, []string{"ls -l"})
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("Instead(%q) = %q, want %q among them", noise, got, w)
			}
		}
		if slices.Contains(got, noise) {
			t.Errorf("Instead(%q) has the text itself", noise)
		}
	}
}

func TestIsOutlandish(t *testing.T) {
	for text, want := range map[string]bool{"": false, "a=b": false, "[server]\nhost = ann": false, "[]\nt = l": true, "---": true, "a\x00": true, "a  \n b": false} {
		if got := IsOutlandish(text); got != want {
			t.Errorf("IsOutlandish(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a b": 0, "[server]\nport = 80": 2, "one-two3four": 3} {
		if got := CountWords(text); got != want {
			t.Errorf("CountWords(%q) = %d, want %d", text, got, want)
		}
	}
}
