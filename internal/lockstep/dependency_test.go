package lockstep_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// publish puts a version of a module into a directory that the go command reads as a proxy.
func publish(t *testing.T, proxy, module, version, source string) {
	t.Helper()
	mod := "module " + module + "\n\ngo 1.24\n"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"go.mod": mod, "dep.go": source} {
		w, err := z.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for ext, text := range map[string]string{".mod": mod, ".info": fmt.Sprintf(`{"Version":%q}`, version), ".zip": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, version+ext), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDependency compares functions of which only a dependency has another version: what has changed in it is found by what it
// declares.
func TestDependency(t *testing.T) {
	const was = `package dep

import "fmt"

const Size = 2

const Other = 5

type T struct{ N int }

func (t T) String() string { return fmt.Sprint("T", t.N) }

func (t T) Sum(m int) int { return t.N + m }

type Plain struct{ N int }

var Table = []int{1, 2}

var Filled int

func init() { Filled = 1 }

func Twice(n int) int { return n + n }

func Names(n int) int { sum := 0; for i := range n { sum += i }; return sum }

func behind(n int) int { return n + 1 }

func Through(n int) int { return behind(n) }

func Closure(n int) func() int { return func() int { return n } }

type I interface{ M() int }

type impl struct{}

func (impl) M() int { return 1 }

func New() I { return impl{} }
`
	tests := []struct {
		name, from, to string
		body           string
		proved         bool
	}{
		{"nothing that is used", "Other = 5", "Other = 6", "func F(n int) int { return dep.Twice(n) + dep.Size }", true},
		{"names", "sum := 0; for i := range n { sum += i }; return sum", "all := 0; for k := range n { all += k }; return all", "func F(n int) int { return dep.Names(n) }", true},
		{"names of a function behind another", "behind", "inner", "func F(n int) int { return dep.Through(n) }", true},
		{"names in a literal", "Closure(n int) func() int { return func() int { return n }", "Closure(m int) func() int { return func() int { return m }", "func F(n int) int { return dep.Closure(n)() }", true},
		{"an order of declarations", "const Size = 2\n\nconst Other = 5", "const Other = 5\n\nconst Size = 2", "func F(n int) int { return n * dep.Size }", true},
		{"a constant", "Size = 2", "Size = 3", "func F(n int) int { return n * dep.Size }", false},
		{"a function", "n + n", "n - n", "func F(n int) int { return dep.Twice(n) }", false},
		{"a function behind another", "return n + 1", "return n + 2", "func F(n int) int { return dep.Through(n) }", false},
		{"a literal", "func() int { return n }", "func() int { return -n }", "func F(n int) int { return dep.Closure(n)() }", false},
		{"a method", "t.N + m", "t.N - m", "func F(n int) int { return dep.T{N: n}.Sum(n) }", false},
		{"a method that is called as one of an interface", "M() int { return 1 }", "M() int { return 2 }", "func F(n int) int { return dep.New().M() + n }", false},
		{"what printing calls", `"T", t.N`, `"U", t.N`, "func F(n int) string { return fmt.Sprint(dep.T{N: n}) }", false},
		{"what a field is called", "type Plain struct{ N int }", "type Plain struct{ M int }", "func F(n int) string { return fmt.Sprintf(`%+v`, dep.Plain{n}) }", false},
		{"the type of a field", "type Plain struct{ N int }", "type Plain struct{ N int8 }", "func F(p dep.Plain) int { return int(p.N << 1) }", false},
		{"a variable", "{1, 2}", "{1, 3}", "func F(n int) int { return dep.Table[n] }", false},
		{"what init does", "Filled = 1", "Filled = 2", "func F(n int) int { return dep.Filled + n }", false},
	}
	proxy := t.TempDir()
	publish(t, proxy, "example.com/dep", "v1.0.0", was)
	for i, tt := range tests {
		to := strings.ReplaceAll(was, tt.from, tt.to)
		if to == was {
			t.Fatalf("%s: nothing changes", tt.name)
		}
		publish(t, proxy, "example.com/dep", fmt.Sprintf("v1.1.%d", i), to)
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOFLAGS", "-mod=mod -modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "package m\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/dep\"\n)\n\nvar _ = fmt.Sprint\n\n" + tt.body + "\n"
			of := func(version string) map[string]string {
				return map[string]string{"m.go": src, "go.mod": "module example.com/m\n\ngo 1.24\n\nrequire example.com/dep " + version + "\n"}
			}
			proofs, p := equal(t, loadFiles(t, of("v1.0.0")), loadFiles(t, of(fmt.Sprintf("v1.1.%d", i))), "example.com/m")
			affected := p.Affected("example.com/m.F")
			if _, proved := proofs["F"]; affected && proved != tt.proved || !affected && !tt.proved {
				t.Errorf("affected %v, proved %v, want %v", affected, proved, tt.proved)
			}
		})
	}
}
