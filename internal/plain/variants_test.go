package plain

import (
	"slices"
	"testing"
)

func TestVariants(t *testing.T) {
	got := Variants("2020-01", []rune{'Z', '+'})
	for _, want := range []string{"2020-99", "2020-00", "2020-0", "9999-01", "202001", "2020x01", "2020", "2020-01x", "2020-01Z", "2020-01+01:00", " 2020-01", "2020-010"} {
		if !slices.Contains(got, want) {
			t.Errorf("Variants without %q: %q", want, got)
		}
	}
	if slices.Contains(got, "2020-01") || slices.Contains(got, "") {
		t.Errorf("Variants has the text itself, or nothing: %q", got)
	}
	if got := Variants("a,key:value", []rune{'(', '\''}); !slices.Contains(got, "a,key:(value)") || !slices.Contains(got, "a,key:'value'") || !slices.Contains(got, "(a,key:value") || !slices.Contains(got, "a',key:value") {
		t.Errorf("Variants without words in brackets and quotes: %q", got)
	}
	if got := Variants("Get-b", nil); !slices.Contains(got, "GET-b") || !slices.Contains(got, "-b") {
		t.Errorf("Variants of words: %q", got)
	}
}

func TestHasStructure(t *testing.T) {
	for text, want := range map[string]bool{"2020-01-02": true, "key=value": true, "kitten": false, "": false, "a\nb": false} {
		if got := HasStructure(text); got != want {
			t.Errorf("HasStructure(%q) = %t, want %t", text, got, want)
		}
	}
}
