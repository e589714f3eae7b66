package load

import (
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	for _, pattern := range []string{
		`^\d{4}-\d{2}-\d{2}$`, `[a-z]+@[a-z]+\.(com|org)`, `^v(\d+)\.(\d+)(-rc)?$`, `x{0}y`, `(?i)id`, `a*b?c`, `[^a-z]`, `.+`, `\bkey\s*=\s*`,
	} {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if !sample(&b, re) || !regexp.MustCompile(pattern).MatchString(b.String()) {
			t.Errorf("%s does not match %q", pattern, b.String())
		}
	}
	for _, pattern := range []string{`[^\x00-\x{10FFFF}]`, `(a{100}){100}`} {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			continue
		}
		var b strings.Builder
		if sample(&b, re) {
			t.Errorf("%s has the sample %q", pattern, b.String())
		}
	}
}

func TestSpelled(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": "package m\n\nimport \"regexp\"\n\ntype T struct {\n\tA int `json:\"user_id,omitempty\" yaml:\"-\" broken`\n\tB int `json`\n}\n\n" +
			"var day = regexp.MustCompile(`^\\d-[A-C]$`)\n\nvar wrong, _ = regexp.Compile(`(`)\n",
		"testdata/a.env":   "KEY=value\r\n\n# comment\n",
		"testdata/b.bin":   "\x00\x01",
		"testdata/big":     strings.Repeat("x\n", 1<<20),
		"testdata/long":    strings.Repeat("y", 2000),
		"testdata/sub/c":   "not looked at",
		"testdata/gone.go": "package gone",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := Load(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"user_id", "1-A", "KEY=value\r\n\n# comment\n", "KEY=value", "# comment"}
	if got := spelled(prog.Packages[0]); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, s := range want {
		if !slices.Contains(prog.Packages[0].Literals.Strings, s) {
			t.Errorf("%q is no hint", s)
		}
	}
}
