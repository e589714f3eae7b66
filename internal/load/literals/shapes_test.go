package literals

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShapes(t *testing.T) {
	dir := t.TempDir()
	readme := "# p\n\n```go\nvar args struct {\n\tHost string `arg:\"env\"`\n\tCount *int\n\thidden bool\n}\np.Parse(&args)\n```\n\n" +
		"```go\ntype Config struct {\n\tServer Server `json:\"server\"`\n\tTags []string\n\tSizes map[string]int\n\tWait time.Duration\n\tOther io.Reader\n\tNext *Config\n}\ntype Server struct{ Port int }\n```\n\n" +
		"```go\ntype Empty struct{}\ntype Loop struct{ L []Loop }\n```\n\n```python\nclass A: pass\n```\n\n```go\nnot go at all {\n```\n"
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []Shape{
		{"struct{ Host string `arg:\"env\"`; Count *int }", "struct{ Host string `arg:\"env\"`; Count *int }{Host: \"localhost\"}"},
		{
			"struct{ Server struct{ Port int } `json:\"server\"`; Tags []string; Sizes map[string]int; Wait time.Duration }",
			"struct{ Server struct{ Port int } `json:\"server\"`; Tags []string; Sizes map[string]int; Wait time.Duration }" +
				`{Server: struct{ Port int }{Port: 8080}, Tags: []string{"tags"}, Sizes: map[string]int{"a": 7}, Wait: 5 * time.Second}`,
		},
		{"struct{ Port int }", "struct{ Port int }{Port: 8080}"},
	}
	got := shapes(dir, nil)
	for i, w := range want {
		if i >= len(got) || got[i] != w {
			t.Errorf("shape %d = %+v, want %+v", i, got[min(i, len(got)-1)], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d shapes, want %d: %+v", len(got), len(want), got)
	}
	if got := shapes(t.TempDir(), nil); got != nil {
		t.Errorf("shapes of no documentation: %+v", got)
	}
}
