package gotest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native/guard"
)

func TestParseTestRun(t *testing.T) {
	out := `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA/x","Output":"    a_test.go:3: F() = 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestA/x"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}
`
	res, err := parseTestRun("/dir", bytes.NewBufferString(out))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.Failed, []string{"TestA"}) || !res.Passed["TestA"] || !res.Passed["TestB"] || len(res.Build) != 0 {
		t.Errorf("%+v", res)
	}
	if got := Failure(res.Output["TestA"]); got != "a_test.go:3: F() = 1, want 2" {
		t.Errorf("failure: %s", got)
	}
}

// If the process ends during a test, go test does not say that this test failed.
func TestParseTestRun_unfinished(t *testing.T) {
	out := `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"run","Package":"p","Test":"TestB/x"}
{"Action":"output","Package":"p","Test":"TestB/x","Output":"panic: test timed out after 1s\n"}
{"Action":"fail","Package":"p"}
`
	res, err := parseTestRun("/dir", bytes.NewBufferString(out))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.Failed, []string{"TestB"}) || !res.Hung {
		t.Errorf("failed: %v, hung: %t; want TestB, true", res.Failed, res.Hung)
	}
}

func TestParseBuildErrors(t *testing.T) {
	out := `{"ImportPath":"p","Action":"build-output","Output":"# p\n"}
{"ImportPath":"p","Action":"build-output","Output":"./a_test.go:7:2: undefined: x\n"}
{"ImportPath":"p","Action":"build-fail"}
`
	res, err := parseTestRun("/dir", bytes.NewBufferString(out))
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Build) != 1 || res.Build[0].String() != "/dir/a_test.go:7:2: undefined: x" {
		t.Errorf("%v", res.Build)
	}
}

func TestReadCoverage(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cover.out")
	profile := "mode: set\np/a.go:1.1,2.2 3 1\np/a.go:3.1,4.2 2 0\np/a.go:1.1,2.2 3 0\n"
	if err := os.WriteFile(name, []byte(profile), 0o666); err != nil {
		t.Fatal(err)
	}
	covered, statements, err := ReadCoverage(name)
	if err != nil || covered != 3 || statements != 5 {
		t.Errorf("readCoverage = %d, %d, %v; want 3, 5", covered, statements, err)
	}
}

// If a line is too long to be read, the result is an error, because the line may have said that a test
// failed.
func TestParseTestRun_long(t *testing.T) {
	out := `{"Action":"output","Output":"` + strings.Repeat("x", 17<<20) + `"}` + "\n" + `{"Action":"fail","Test":"TestA"}`
	if res, err := parseTestRun("/dir", bytes.NewBufferString(out)); err == nil {
		t.Errorf("no error, and failed: %v", res.Failed)
	}
}

func TestParseVerbose(t *testing.T) {
	out := strings.ReplaceAll(`-test.shuffle 5
^=== RUN   TestA
^=== RUN   TestA/one_row
    a_test.go:3: F() = 1, want 2
^=== RUN   TestA/two/deep
^--- FAIL: TestA (0.00s)
^    --- FAIL: TestA/one_row (0.00s)
^    --- PASS: TestA/two (0.00s)
^    --- FAIL: TestA/a/b/ (0.00s)
^=== RUN   TestB
^--- PASS: TestB (0.00s)
^=== RUN   TestA
^--- PASS: TestA (0.00s)
^=== RUN   TestC
printed without end^--- SKIP: TestC (0.00s)
^=== RUN   TestD
panic: test timed out after 1s
	running tests:
		TestD (1s)
--- FAIL: TestE, says the code under test
`, "^", mark)
	res, err := parseVerbose(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"TestA", "TestD"}; !slices.Equal(res.Failed, want) {
		t.Errorf("failed: %v, want %v", res.Failed, want)
	}
	if got := res.Subtests["TestA"]; !slices.Equal(got, []string{"one_row", "a/b/"}) {
		t.Errorf("subtests: %v, want one_row and a/b/", got)
	}
	if !res.Passed["TestA"] || !res.Passed["TestB"] || res.Passed["TestD"] || !res.Hung {
		t.Errorf("passed %v, hung %t", res.Passed, res.Hung)
	}
	if got := Failure(res.Output["TestA"]); got != "a_test.go:3: F() = 1, want 2" {
		t.Errorf("failure: %s", got)
	}
}

// If the names of tests do not fit into one argument, the tests run in several parts, and all of them run.
func TestRun_many(t *testing.T) {
	dir := t.TempDir()
	var src strings.Builder
	src.WriteString("package p\n\nimport \"testing\"\n")
	var names []string
	for i := range 1500 {
		name := fmt.Sprintf("Test%s_%d", strings.Repeat("Long", 25), i)
		names = append(names, name)
		body := ""
		if i == 3 || i == 1499 {
			body = "t.Fail()"
		}
		fmt.Fprintf(&src, "\nfunc %s(t *testing.T) { %s }\n", name, body)
	}
	for name, content := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n", "p_test.go": src.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(pattern(names)); n < 128<<10 {
		t.Fatalf("the pattern has only %d bytes", n)
	}
	run := Run{Dir: dir, Names: names, NoVet: true, Policy: func(tmp string) guard.Policy { return guard.Policy{Mode: guard.Off, Write: []string{tmp}} }}
	res, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{names[3], names[1499]}; !slices.Equal(res.Failed, want) || len(res.Passed) != 1498 || res.OK {
		t.Errorf("failed: %d, passed: %d, OK: %t", len(res.Failed), len(res.Passed), res.OK)
	}
}
