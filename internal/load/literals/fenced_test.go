package literals

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFenced(t *testing.T) {
	dir := t.TempDir()
	text := "# Kit\n\n```json\n{\"a\": 1}\n```\n\n```go\nx := 1\n```\n\n```\nplain\n```\n\n~~~ YAML title\na: 1\nb: 2\n~~~\n\n```json\n" + strings.Repeat("x", maxFencedText+1) + "\n```\n\n```sql\nselect 1\n\n-- " + strings.Repeat("x", maxFencedText) + "\n```\n\n```sh\ngo get\n```\n\n```sql\nunclosed\n"
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := fenced(dir), []Fenced{{"json", `{"a": 1}`}, {"yaml", "a: 1\nb: 2"}, {"sql", "select 1"}}; !slices.Equal(got, want) {
		t.Errorf("fenced = %q, want %q", got, want)
	}
	if got := fenced(t.TempDir()); got != nil {
		t.Errorf("fenced of a directory without a README = %q, want nil", got)
	}
}

func TestAbout(t *testing.T) {
	dir := t.TempDir()
	text := "# gron\n\n[![badge](x)](y)\n\nGron is a parser of cron expressions.\nIt has no dependencies.\n\n```go\nx\n```\n\nMore.\n"
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := about(dir), "Gron is a parser of cron expressions.\nIt has no dependencies.\n"; got != want {
		t.Errorf("about = %q, want %q", got, want)
	}
	if got := about(t.TempDir()); got != "" {
		t.Errorf("about of a directory without a README = %q, want none", got)
	}
}
