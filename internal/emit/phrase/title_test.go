package phrase

import "testing"

func TestSpokenHeader(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Accept: text/html", "Accept: text/html"},
		{"Accept: text/html\nOrigin: http://example.com", "Accept: text/html, Origin: http://example.com"},
		{"Authorization: Basic YW5uOnNlY3JldA==", "as ann:secret"},
		{"Authorization: Basic abc", "Authorization: Basic abc"}, // no credentials
		{"Authorization: Basic /////w==", "Authorization: Basic /////w=="},
		{"a body\nof two lines", "a body\nof two lines"},
		{"", ""},
	} {
		if got := spokenHeader(tt.text); got != tt.want {
			t.Errorf("spokenHeader(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
