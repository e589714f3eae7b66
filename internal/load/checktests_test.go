package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every error in a test file is found, also if another one comes before it. Test files that compile have no
// errors.
func TestCheckTests(t *testing.T) {
	const src = "package p\n\nimport \"net/http\"\n\ntype T struct{ n int }\n\nfunc F(h http.Handler, x interface{}) *T { return nil }\n"
	inside := "package p\n\nimport (\n\t\"net/http\"\n\t\"testing\"\n)\n\nfunc use(t *T) { t.n++ }\n"
	for _, test := range []struct {
		name, version, file string
		want                []string
	}{
		{"right", "1.24", inside + "func TestF(t *testing.T) { use(F(http.NotFoundHandler(), 1)) }\n", nil},
		{"a function is no handler", "1.24", inside + "func TestF(t *testing.T) { F(http.NotFound, 1) }\nfunc TestG(t *testing.T) { use(1); x := 2 }\n",
			[]string{"http.NotFound", "cannot use 1", "declared and not used: x"}},
		{"a literal without names", "1.24", inside + "func TestF(t *testing.T) { use(&T{2}); F(http.NotFoundHandler(), T{1}) }\n", nil},
		{"from outside", "1.24", "package p_test\n\nimport (\n\t\"testing\"\n\t\"example.com/p\"\n)\nfunc TestF(t *testing.T) { _ = p.F(nil, nil).n }\n", []string{"undefined (cannot refer to unexported field n)"}},
		{"an old language", "1.10", inside + "func TestF(t *testing.T) { F(http.NotFoundHandler(), any(1)) }\n", []string{"predeclared any requires go1.18"}},
		{"no go directive", "", inside + "func TestF(t *testing.T) { F(http.NotFoundHandler(), any(1)) }\n", []string{"predeclared any requires go1.18"}},
		{"the file's own version", "1.10", "//go:build go1.18\n\n" + inside + "func TestF(t *testing.T) { F(http.NotFoundHandler(), any(1)) }\n", nil},
		{"an unused import", "1.24", inside, []string{`"net/http" imported and not used`, `"testing" imported and not used`}},
		{"what does not parse", "1.24", "package p\n\nfunc {\n", []string{"expected 'IDENT'"}},
		{"an import that there is not", "1.24", "package p\n\nimport \"example.com/gone\"\n\nvar _ = gone.X\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			mod := "module example.com/p\n"
			if test.version != "" {
				mod += "\ngo " + test.version + "\n"
			}
			for name, content := range map[string]string{"go.mod": mod, "p.go": src} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			prog, err := Load(t.Context(), Config{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			pkg := prog.Packages[0]
			for range 2 { // the second check has the same result as the first
				got := prog.CheckTests(pkg, []TestSource{{filepath.Join(dir, "p_test.go"), []byte(test.file)}})
				if len(got) != len(test.want) {
					t.Fatalf("got %d errors, want %d: %v", len(got), len(test.want), got)
				}
				for i, d := range got {
					if !strings.Contains(d.Message, test.want[i]) || d.Pos.Line == 0 && test.name != "what does not parse" {
						t.Errorf("error %d is %v, want %q", i, d, test.want[i])
					}
				}
			}
			typed := prog.TypeTest(pkg, TestSource{filepath.Join(dir, "p_test.go"), []byte(test.file)})
			if right := len(test.want) == 0 && !strings.Contains(test.file, "example.com/gone"); (typed != nil) != right {
				t.Errorf("TypeTest has types: %t, want %t", typed != nil, right)
			}
			if typed != nil && len(typed.Info.Types) == 0 {
				t.Error("TypeTest has no types of expressions")
			}
			if pkg.Types.Scope().Lookup("TestF") != nil {
				t.Error("the package has the tests' names")
			}
		})
	}
}

// A test file has the version of Go that its module has, unless the build constraint of the tested file
// names another one.
func TestFileLanguage(t *testing.T) {
	for _, test := range []struct{ module, constraint, want string }{
		{"1.24", "", "go1.24"},
		{"1.10", "", "go1.10"},
		{"", "", "go1.16"},
		{"1.10", "go1.8", "go1.10"},
		{"1.10", "go1.18", "go1.18"},
		{"1.16", "go1.22", "go1.22"},
		{"1.24", "go1.18", "go1.21"}, // the compiler says the same
		{"1.24", "go1.22", "go1.22"},
		{"1.24", "!go1.18 || linux || !linux", "go1.24"},
	} {
		dir := t.TempDir()
		mod, src := "module example.com/p\n", "package p\n"
		if test.module != "" {
			mod += "\ngo " + test.module + "\n"
		}
		if test.constraint != "" {
			src = "//go:build " + test.constraint + "\n\n" + src
		}
		for name, content := range map[string]string{"go.mod": mod, "p.go": src} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		prog, err := Load(t.Context(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		pkg := prog.Packages[0]
		if got := pkg.FileLanguage(pkg.Syntax[0]); got != test.want {
			t.Errorf("go %s, //go:build %s: FileLanguage = %s, want %s", test.module, test.constraint, got, test.want)
		}
	}
}
