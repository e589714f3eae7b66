package native_test

import (
	"bytes"
	"context"
	"errors"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/testcase"
)

// TestModules builds harnesses of packages in all layouts that modules have. Each archive has a function F
// that returns 42, in package p or in the package that the first word of the comment names.
func TestModules(t *testing.T) {
	const simple = "package p\n\nfunc F() int { return 42 }\n"
	tests := []struct {
		name  string
		files string
		dir   string // where the package is; "p" if empty
		env   []string
	}{
		{"main", "-- go.mod --\nmodule m\n-- p/main.go --\npackage main\n\nfunc main() { println(F()) }\nfunc F() int { return 42 }\n", "", nil},
		{"internal", "-- go.mod --\nmodule m\n-- a/internal/p/p.go --\n" + simple, "a/internal/p", nil},
		{"replace", "-- go.mod --\nmodule m\nrequire x.y/z v1.0.0\nreplace x.y/z => ./z\n-- z/go.mod --\nmodule x.y/z\n-- z/z.go --\npackage z\nfunc G() int { return 42 }\n-- p/p.go --\npackage p\n\nimport \"x.y/z\"\n\nfunc F() int { return z.G() }\n", "", nil},
		{"vendor", "-- go.mod --\nmodule m\n\ngo 1.24\n\nrequire x.y/z v1.0.0\n-- vendor/modules.txt --\n# x.y/z v1.0.0\n## explicit; go 1.24\nx.y/z\n-- vendor/x.y/z/z.go --\npackage z\nfunc G() int { return 42 }\n-- p/p.go --\npackage p\n\nimport \"x.y/z\"\n\nfunc F() int { return z.G() }\n", "", []string{"GOFLAGS=-mod=vendor"}},
		{"work", "-- go.work --\ngo 1.24\n\nuse (\n\t./a\n\t./b\n)\n-- a/go.mod --\nmodule example.com/a\n\ngo 1.24\n-- a/p/p.go --\npackage p\n\nimport \"example.com/b\"\n\nfunc F() int { return b.G() }\n-- b/go.mod --\nmodule example.com/b\n\ngo 1.24\n-- b/b.go --\npackage b\nfunc G() int { return 42 }\n", "a/p", nil},
		{"assembly", "-- go.mod --\nmodule m\n-- p/p.go --\npackage p\n\nfunc f() int\n\nfunc F() int { return f() }\n-- p/f_amd64.s --\nTEXT ·f(SB), 4, $0-8\n\tMOVQ $42, ret+0(FP)\n\tRET\n-- p/f_arm64.s --\nTEXT ·f(SB), 4, $0-8\n\tMOVD $42, R0\n\tMOVD R0, ret+0(FP)\n\tRET\n", "", nil},
		{"embed", "-- go.mod --\nmodule m\n\ngo 1.24\n-- p/p.go --\npackage p\n\nimport _ \"embed\"\n\n//go:embed p.go\nvar s string\n\nfunc F() int { return 42 + len(s)*0 }\n", "", nil},
		{"long line", "-- go.mod --\nmodule m\n-- p/p.go --\npackage p; import (\"errors\"; \"os\"); var E = errors.New(\"e\"); func F() int { if os.Getpid() > 0 && E != nil { return 42 } else if E == nil { return 1 }; return 0 }\n", "", nil},
		{"line directive", "-- go.mod --\nmodule m\n-- p/p.go --\npackage p\n\n//line grammar.y:10\nfunc F() int { return 42 }\n", "", nil},
		{"broken tests", "-- go.mod --\nmodule m\n-- p/p.go --\n" + simple + "-- p/p_test.go --\npackage p\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) { undefined() }\n", "", nil},
		{"syntax error in tests", "-- go.mod --\nmodule m\n-- p/p.go --\n" + simple + "-- p/p_test.go --\npackage p\n\nfunc init( {\n", "", nil},
		{"test main", "-- go.mod --\nmodule m\n-- p/p.go --\npackage p\n\nvar answer int\n\nfunc F() int { return answer }\n-- p/p_test.go --\npackage p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { answer = 42; os.Exit(m.Run()) }\nfunc TestF(t *testing.T) { t.Fatal() }\n", "", nil},
		{"external test main", "-- go.mod --\nmodule m\n\ngo 1.24\n-- p/p.go --\npackage p\n\nvar Answer int\n\nfunc F() int { return Answer }\n-- p/p_test.go --\npackage p_test\n\nimport \"m/p\"\n\nfunc init() { p.Answer = 42 }\n", "", nil},
		{"test main exits", "-- go.mod --\nmodule m\n-- p/p.go --\n" + simple + "-- p/p_test.go --\npackage p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n", "", nil},
		{"own output", "-- go.mod --\nmodule m\n-- p/p.go --\n" + simple + "-- p/p_assay_test.go --\npackage p\n\nfunc init() { panic(1) }\n", "", nil},
		{"standard library", "-- go.mod --\nmodule std.copy\n\ngo 1.24\n-- container/list/list.go --\npackage list\n\nfunc F() int { return 42 }\n", "container/list", nil},
		{"cgo elsewhere", "-- go.mod --\nmodule m\n-- p/p.go --\npackage p\n\nimport \"os/user\"\n\nfunc F() int { user.Current(); return 42 }\n", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := module(t, txtar.Parse([]byte(tt.files)))
			sub := tt.dir
			if sub == "" {
				sub = "p"
			}
			env := append(os.Environ(), tt.env...)
			prog, err := load.Load(t.Context(), load.Config{Dir: filepath.Join(dir, sub), Env: env}, ".")
			if err != nil {
				t.Fatal(err)
			}
			before := listing(t, dir)
			h, err := native.Build(t.Context(), prog, prog.Packages[0], native.Config{Env: env})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			out := run(t, h, prog.Packages[0], native.Options{}, "F()")
			if got := show(out[0]); got != "returned (42)" {
				t.Errorf("F() = %s", got)
			}
			if out[0].Cover.Count() == 0 {
				t.Error("no block was covered")
			}
			if after := listing(t, dir); after != before {
				t.Errorf("the tree was changed:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

// listing returns the names and sizes of all files below dir.
func listing(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("find", dir, "-type", "f", "-size", "-9999").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestCannotBuild checks that the error names the mistake and its place.
func TestCannotBuild(t *testing.T) {
	prog, pkg := loadOne(t, module(t, source("package p\n\nfunc F() int { return 42 }\n")))
	t.Run("changed", func(t *testing.T) {
		_, err := native.Build(t.Context(), prog, pkg, native.Config{Overlay: map[string][]byte{pkg.GoFiles[0]: []byte("package p\n")}})
		if err == nil || !strings.Contains(err.Error(), "changed since it was loaded") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("compiler", func(t *testing.T) {
		_, err := native.Build(t.Context(), prog, pkg, native.Config{Overlay: map[string][]byte{pkg.GoFiles[0]: []byte("package p\n\nfunc F() int { return 4x }\n")}})
		var be *native.BuildError
		if !errors.As(err, &be) || be.Diagnostics[0].Pos.Filename != pkg.GoFiles[0] || be.Diagnostics[0].Pos.Line != 3 {
			t.Errorf("error %v %#v", err, be)
		}
	})
	for name, body := range map[string]string{"panic": `panic("oh")`, "exit": "os.Exit(4)", "hang": "select {}"} {
		t.Run("init "+name, func(t *testing.T) {
			prog, pkg := loadOne(t, module(t, source("package p\n\nimport \"os\"\n\nfunc init() { if os.Args != nil { "+body+" } }\n")))
			_, err := native.Build(t.Context(), prog, pkg, native.Config{})
			var se *native.StartError
			if !errors.As(err, &se) {
				t.Fatalf("error %#v", err)
			}
			want := map[string]string{
				"panic": "example.com/m/p: initialisation failed: panic: oh at p.go:5",
				"exit":  "example.com/m/p: initialisation failed: exit status 4",
				"hang":  "example.com/m/p: initialisation failed: all goroutines are asleep - deadlock! at p.go:5",
			}[name]
			if se.Error() != want {
				t.Errorf("error %q, want %q", se, want)
			}
		})
	}
}

// TestRefused checks that a sequence which cannot be run is refused with a reason, and that the others run.
func TestRefused(t *testing.T) {
	h, pkg := build(t, source(`package p

import "math/bits"

type T struct{}

func (T) M() int { return bits.Len(3) }

func F(x int) int { return x }
`), native.Config{})
	good := sequence(t, pkg, "F(1)")
	lit := good.At(0)
	wrong := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: pkg.Types.Scope().Lookup("T").Type()}},
		testcase.Statement{Op: good.At(1).Op, Args: []testcase.Ref{{}}})
	none := testcase.NewSequence(testcase.Statement{Op: good.At(1).Op})
	two := testcase.NewSequence(lit, testcase.Statement{Op: good.At(1).Op, Args: []testcase.Ref{{Stmt: 0, Result: 1}}})
	out, err := h.Run(t.Context(), []*testcase.Sequence{good, wrong, none, two, testcase.NewSequence(), good})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range out {
		got = append(got, show(o))
	}
	want := []string{
		"returned (1) after (1)",
		"refused a p.T is not assignable to int",
		"refused wrong number of arguments",
		"refused statement 1 uses result 1 of statement 0, which has 1",
		"returned",
		"returned (1) after (1)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestGuard checks that code under test is confined, and that the same code runs where nothing is confined.
func TestGuard(t *testing.T) {
	a := source("package p\n\nimport \"os\"\n\nfunc F() bool { _, err := os.ReadDir(\"/\"); return err == nil }\n")
	needConfinement(t)
	h, pkg := build(t, a, native.Config{Confine: guard.Require})
	if got := show(run(t, h, pkg, native.Options{}, "F()")[0]); got != "returned (false)" {
		t.Errorf("confined: %s", got)
	}
	h, pkg = build(t, a, native.Config{Confine: guard.Off})
	if got := show(run(t, h, pkg, native.Options{}, "F()")[0]); got != "returned (true)" {
		t.Errorf("off: %s, %s", got, h.Confinement())
	}
}

// TestRace checks that a build with the race detector finds a data race, and counts coverage.
func TestRace(t *testing.T) {
	if testing.Short() {
		t.Skip("a build with the race detector")
	}
	h, pkg := build(t, source(`package p

func F(n int) (x int) {
	done := make(chan bool)
	go func() { x++; done <- true }()
	if n > 0 {
		x++
	}
	<-done
	return x
}
`), native.Config{Race: true, CaseTimeout: 2 * time.Second})
	out := run(t, h, pkg, native.Options{}, "F(0)", "F(1)")
	if out[0].Status != testcase.Returned || out[0].Cover.Count() == 0 {
		t.Errorf("F(0): %s", show(out[0]))
	}
	if out[1].Status != testcase.Died || out[1].Message != "data race" {
		t.Errorf("F(1): %s", show(out[1]))
	}
}

// A build goes on when those who wait for it have no more time. Otherwise nothing would run where each phase of a
// search is shorter than the build.
func TestBuildGoesOn(t *testing.T) {
	prog, pkg := loadOne(t, module(t, source("package p\n\nimport \"strings\"\n\nfunc F() string { return strings.ToUpper(\"a\") }\n")))
	var log bytes.Buffer
	h, err := native.Build(t.Context(), prog, pkg, native.Config{Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	title := pkg.Types.Imports()[0].Scope().Lookup("ToTitle").(*types.Func)
	var later testcase.Builder
	later.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: title}, later.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.String]}))
	short := 0
	for end := time.Now().Add(time.Minute); time.Now().Before(end); short++ {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		out, err := h.Run(ctx, []*testcase.Sequence{later.Sequence()})
		cancel()
		if err == nil && out[0].Status == testcase.Returned {
			break
		}
	}
	if n := strings.Count(log.String(), "built"); n != 2 || short == 0 {
		t.Errorf("%d builds, and %d runs that were too short:\n%s", n, short, log.String())
	}
}

// TestClose checks that no process and no file is left behind.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	prog, pkg := loadOne(t, module(t, source("package p\n\nfunc F() int { return 42 }\n")))
	var log bytes.Buffer
	h, err := native.Build(t.Context(), prog, pkg, native.Config{Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	run(t, h, pkg, native.Options{Fresh: true, Twice: true}, "F()", "F()")
	if n := strings.Count(log.String(), "started"); n != 5 {
		t.Errorf("%d processes:\n%s", n, log.String())
	}
	for range 2 {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "assay-*"))
	if err != nil || len(left) > 0 {
		t.Error("left behind:", left, err)
	}
}

// What the fields of the package's structs are made of is in the first harness, so that an object can be written without another
// build.
func TestFieldsNeedNoBuild(t *testing.T) {
	prog, pkg := loadOne(t, module(t, source(`package p

import "strings"

type T struct {
	waits map[int]chan struct{}
	text  strings.Builder
}

func (t *T) Len() int { return len(t.waits) + t.text.Len() }
`)))
	var log bytes.Buffer
	h, err := native.Build(t.Context(), prog, pkg, native.Config{Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	var b testcase.Builder
	named := pkg.Types.Scope().Lookup("T").Type().(*types.Named)
	fields := named.Underlying().(*types.Struct)
	obj := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: named, Elems: []int{0, 1}},
		b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: fields.Field(0).Type()}), b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: fields.Field(1).Type()}))
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, pkg.Types, "Len")
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: m.(*types.Func)}, b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(named)}, obj))
	if _, err := h.Run(t.Context(), []*testcase.Sequence{b.Sequence()}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "built"); n != 1 {
		t.Errorf("%d builds:\n%s", n, log.String())
	}
}
