package literals

import (
	"slices"
	"testing"
)

func TestFill(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"{urlId}.lambda.{region}.on.example(:port)", []string{"id1.lambda.us-east-1.on.example", "id1.lambda.us-east-1.on.example:8080"}},
		{"{user}@{host}[:port]", []string{"ann@example.com", "ann@example.com:8080"}},
		{"<thing>/<other>/<thing>", []string{"abc/def/abc", "1/2/1"}},
		{"{first-name} {last-name}", nil}, // nothing but placeholders
		{"a[b-d].txt", nil},               // no placeholder
		{"{name}", nil},                   // nothing but one
		{"Hello, {{name}}!", nil},
		{"${name}.txt", nil},
		{"<b>bold</b>", nil},
	}
	for _, tt := range tests {
		if got := fill(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("fill(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestTemplates(t *testing.T) {
	got := templates("A name is `<user>@<host>`, or {user} alone (see {user}:{password}). {It} ends. Areas are of format area:<first\nblock>:<last block>; not if a <b and c > d.")
	want := []string{"<user>@<host>", "{user}:{password}", "area:<first-block>:<last-block>"}
	if !slices.Equal(got, want) {
		t.Errorf("templates: %q, want %q", got, want)
	}
}
