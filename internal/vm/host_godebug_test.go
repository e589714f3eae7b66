package vm

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestOldSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.go")
	table := `package godebugs

var All = []Info{
	{Name: "http2client", Package: "net/http"},
	{Name: "panicnil", Package: "runtime", Changed: 21, Old: "1"},
	{Name: "rsa1024min", Package: "crypto/rsa", Changed: 24, Old: "0"},
}
`
	if err := os.WriteFile(file, []byte(table), 0o666); err != nil {
		t.Fatal(err)
	}
	for language, want := range map[string]map[string]string{
		"1.13": {"panicnil": "1", "rsa1024min": "0"},
		"1.21": {"rsa1024min": "0"},
		"1.24": {},
		"":     {},
	} {
		if got := oldSettings(file, language); !maps.Equal(got, want) {
			t.Errorf("go %s: %v, want %v", language, got, want)
		}
	}
	if got := oldSettings(filepath.Join(t.TempDir(), "none.go"), "1.13"); len(got) != 0 {
		t.Errorf("without a table: %v", got)
	}
}
