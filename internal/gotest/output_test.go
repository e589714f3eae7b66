package gotest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
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
	res := parseTestRun("/dir", bytes.NewBufferString(out))
	if !slices.Equal(res.Failed, []string{"TestA"}) || !res.Passed["TestA"] || !res.Passed["TestB"] || len(res.Build) != 0 {
		t.Errorf("%+v", res)
	}
	if got := Failure(res.Output["TestA"]); got != "a_test.go:3: F() = 1, want 2" {
		t.Errorf("failure: %s", got)
	}
}

// go test says of no test that it failed if the process ended under it.
func TestParseTestRun_unfinished(t *testing.T) {
	out := `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"run","Package":"p","Test":"TestB/x"}
{"Action":"output","Package":"p","Test":"TestB/x","Output":"panic: test timed out after 1s\n"}
{"Action":"fail","Package":"p"}
`
	if res := parseTestRun("/dir", bytes.NewBufferString(out)); !slices.Equal(res.Failed, []string{"TestB"}) || !res.Hung {
		t.Errorf("failed: %v, hung: %t; want TestB, true", res.Failed, res.Hung)
	}
}

func TestParseBuildErrors(t *testing.T) {
	out := `{"ImportPath":"p","Action":"build-output","Output":"# p\n"}
{"ImportPath":"p","Action":"build-output","Output":"./a_test.go:7:2: undefined: x\n"}
{"ImportPath":"p","Action":"build-fail"}
`
	res := parseTestRun("/dir", bytes.NewBufferString(out))
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
