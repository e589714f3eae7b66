package literals

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestListed(t *testing.T) {
	dir := t.TempDir()
	text := "# Dates\n\n- now\n- 5 minutes ago\n* `next week`\n- \"2 days\"\n- See the [tests](./x_test.go)\n- now\n- use `x` here\n\n```\n- not this\n```\n- a\n"
	if err := os.WriteFile(filepath.Join(dir, "Readme.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := listed(dir), []string{"now", "5 minutes ago", "next week", "2 days"}; !slices.Equal(got, want) {
		t.Errorf("listed = %q, want %q", got, want)
	}
	features := "# Flags\n\n- Options with long names (--verbose)\n- Supports multiple short options -aux\n- now\n\nDates:\n\n- tomorrow\n"
	if err := os.WriteFile(filepath.Join(dir, "Readme.md"), []byte(features), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := listed(dir), []string{"tomorrow"}; !slices.Equal(got, want) {
		t.Errorf("beside a list of features listed = %q, want %q", got, want)
	}
	session := "```sh\n$ id -n 2\n0ujsswThIGTUYm2K8FjOOfXtY1K\n  String: 0ujzPyRiIAffKhBux4PvQdDqMHY\n  Time: 2017-10-09 21:00\ngo get x.org/y2\nPAYLOAD\n```\n```go\nx1\n```\n"
	if err := os.WriteFile(filepath.Join(dir, "Readme.md"), []byte(session), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := listed(dir), []string{"0ujsswThIGTUYm2K8FjOOfXtY1K", "0ujzPyRiIAffKhBux4PvQdDqMHY"}; !slices.Equal(got, want) {
		t.Errorf("what commands print = %q, want %q", got, want)
	}
	alphabets := "Alphabets:\n\n    - base2: 01\n    - base16: 0123456789abcdef\n\nFlags:\n\n- v: more words\n- q: none\n"
	if err := os.WriteFile(filepath.Join(dir, "Readme.md"), []byte(alphabets), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := listed(dir), []string{"01", "0123456789abcdef", "v: more words", "q: none"}; !slices.Equal(got, want) {
		t.Errorf("of a list with labels listed = %q, want %q", got, want)
	}
	if got := listed(t.TempDir()); got != nil {
		t.Errorf("listed of a directory without a README = %q, want nil", got)
	}
}
