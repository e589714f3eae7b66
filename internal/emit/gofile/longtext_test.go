package gofile

import "testing"

func TestIsLongText(t *testing.T) {
	for text, want := range map[string]bool{
		"abc\x1b[01d\x1b[0m":                    true,
		"def\x1b[31m":                           true,
		"K\x00O\x00":                            false,
		"a\x1b":                                 false, // as easily read as two numbers
		"R\x00\x00\x00\x01\x01\x00":             false,
		"\xff\xfeabcdef":                        false, // no text
		"\x00\x01\x02 seventeen and more bytes": true,
	} {
		if got := isLongText(text); got != want {
			t.Errorf("isLongText(%q) = %t, want %t", text, got, want)
		}
	}
}
