package crossed

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// TestOnDisk puts directories and files of the test's own in the place of texts that name some, and the name of a file in the place of
// a path that is joined behind them.
func TestOnDisk(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "p.go": `package p

import (
	"os"
	"path/filepath"
)

func Save(dir, name, text string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }

func Write(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

func Len(text string) int { return len(text) }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		fn    string
		texts []string
		want  string // "" if there is nothing to replace
	}{
		{"Save", []string{"docs/readme.md", "ann", "hello"}, `v0 := tempDir(); Save(v0, "ann", "hello")`},
		{"Save", []string{"a", "docs/readme.md", "b"}, `v0 := tempDir(); Save(v0, "readme.md", "b")`},
		{"Save", []string{"a", "..", "b"}, `v0 := tempDir(); Save(v0, "a", "b")`},
		{"Write", []string{"docs/readme.md", "hello"}, `v0 := tempDir(); v2 := Join(v0, "readme.md"); Write(v2, "hello")`},
		{"Write", []string{"missing", "hello"}, `v0 := tempDir(); v2 := Join(v0, "a.txt"); Write(v2, "hello")`},
		{"Len", []string{"docs/readme.md"}, ""},
	} {
		var b testcase.Builder
		var args []testcase.Ref
		for _, s := range tt.texts {
			lit := testcase.Literal{Kind: testcase.LitString, Str: s}
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: lit}))
		}
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Target(tt.fn).Obj}, args...)
		got := ""
		if seq, ok := OnDisk(purity.PathsOf(pkg), room, &testcase.Case{Target: tt.fn, Seq: b.Sequence()}); ok {
			got = seq.Inline()
		}
		if got != tt.want {
			t.Errorf("%s(%q) becomes %s, want %s", tt.fn, tt.texts, got, tt.want)
		}
	}
}
