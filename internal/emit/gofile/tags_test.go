package gofile

import "testing"

// Tags of fields are written between backquotes, unless they have one themselves.
func TestWithRawTags(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"int", "int"},
		{`struct{A int "json:\"a\""; B string "b"}`, "struct{A int `json:\"a\"`; B string `b`}"},
		{"struct{A int \"`\"}", "struct{A int \"`\"}"},
	} {
		if got := withRawTags(tt.text); got != tt.want {
			t.Errorf("withRawTags(%s) = %s, want %s", tt.text, got, tt.want)
		}
	}
}
