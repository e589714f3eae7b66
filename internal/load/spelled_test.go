package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Texts of the package's domain are hints although no literal of the code has them.
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
	// What the code has as literals is among the hints, too.
	code := []string{`^\d-[A-C]$`, "("}
	want := []string{"user_id", "1-A", "KEY=value\r\n\n# comment\n", "KEY=value", "# comment"}
	got := slices.DeleteFunc(slices.Clone(prog.Packages[0].Literals.Strings), func(s string) bool { return slices.Contains(code, s) })
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
