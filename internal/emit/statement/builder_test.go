package statement

import (
	"testing"
)

// What calls a constructor and fails with its error is named as Go programmers do.
func TestMustName(t *testing.T) {
	for _, tt := range []struct{ function, base, want string }{
		{"New", "notifier", "mustNotifier"},
		{"NewVersion", "version", "mustVersion"},
		{"Parse", "version", "mustParse"},
		{"Newline", "text", "mustNewline"},
	} {
		if got := mustName(tt.function, tt.base); got != tt.want {
			t.Errorf("mustName(%q, %q) = %q, want %q", tt.function, tt.base, got, tt.want)
		}
	}
}
