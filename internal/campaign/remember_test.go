package campaign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// A result from the cache is written only if gen can have written it: not outside of the package's
// directory, not over a source file, and not over a file that somebody has edited.
func TestRecall_names(t *testing.T) {
	ours := testfile.Seal([]byte("package p\n"))
	for _, test := range []struct {
		what string
		file rememberedFile
		want bool
	}{
		{"a file of gen's", rememberedFile{"p_assay_test.go", ours}, true},
		{"outside", rememberedFile{"../p_assay_test.go", ours}, false},
		{"absolute", rememberedFile{filepath.Join(t.TempDir(), "p_assay_test.go"), ours}, false},
		{"below", rememberedFile{filepath.Join("sub", "p_assay_test.go"), ours}, false},
		{"a source file", rememberedFile{"p.go", ours}, false},
		{"edited", rememberedFile{"p_assay_test.go", append(slices.Clone(ours), "func init() {}\n"...)}, false},
		{"not generated", rememberedFile{"p_assay_test.go", []byte("package p\n")}, false},
	} {
		t.Run(test.what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "p")
			if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(remembered{Files: []rememberedFile{{"q_assay_test.go", ours}, test.file}})
			if err != nil {
				t.Fatal(err)
			}
			g := &gen{Session: &session.Session{Pkg: &load.Package{Dir: dir}}}
			if got := g.recall(data, nil); got != test.want {
				t.Errorf("recall = %v, want %v", got, test.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "q_assay_test.go")); (err == nil) != test.want {
				t.Errorf("the other file: %v", err)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "p_assay_test.go")); err == nil {
				t.Error("a file was written outside of the package's directory")
			}
		})
	}
}

// Runs that check different contracts have different keys, however the flag names the contracts.
func TestKey_contracts(t *testing.T) {
	key := func(off map[string]bool) cache.Key {
		g := &gen{Session: &session.Session{Prog: new(load.Program), Pkg: &load.Package{}, Known: new(finding.Baseline)}, cfg: Config{NoContracts: off}}
		return g.key("gen", "", nil, false)
	}
	none, some, all := key(nil), key(map[string]bool{"a": true, "b": false}), key(map[string]bool{"a": true, "b": true})
	if some == all || some == none {
		t.Error("runs with different contracts share an entry")
	}
	if key(map[string]bool{"a": false}) != none {
		t.Error("contracts that are checked make another key")
	}
}

// Who changes a function often changes one of its callers elsewhere in the module, too: the result is another one, and what the last run
// came to is a beginning all the same.
func TestKey_callers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.24\n")
	write("key.go", "package m\n\nfunc Open(key string) bool { return key == \"\" }\n")
	keys := func(passed string) (exact, last, lastPass cache.Key) {
		write("tool/main.go", "package main\n\nimport \"example.com/m\"\n\nfunc main() { m.Open("+passed+") }\n")
		prog, err := load.Load(t.Context(), load.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		g := &gen{Session: &session.Session{Prog: prog, Pkg: prog.Packages[0], Known: new(finding.Baseline)}}
		return g.key("gen", "", nil, false), g.lastKey(), g.lastPassKey()
	}
	exact1, last1, pass1 := keys(`"a"`)
	exact2, last2, pass2 := keys(`"b"`)
	if exact1 == exact2 {
		t.Error("results for different callers share an entry")
	}
	if last1 != last2 || pass1 != pass2 {
		t.Error("with another caller there is nothing to go on from")
	}
}
