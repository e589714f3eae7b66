package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// If a test does not compile, the case that has the error is taken out, or all cases of the test if nobody
// can tell which one has the error. Each is counted. The other tests stay.
func TestTakeRejected(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n\nfunc F(n int) int { return n }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	const text = `package p

import "testing"

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name string
		n    int
	}{
		{"good", 1},
		{"bad", "x"},
		{"also good", 2},
	} {
		t.Run(tt.name, func(t *testing.T) { F(tt.n) })
	}
}

func TestWhole(t *testing.T) { F(nil) }

func TestGood(t *testing.T) { F(1) }

func TestBug(t *testing.T) { G(1) }
`
	cases := make([]*testcase.Case, 5)
	for i := range cases {
		cases[i] = &testcase.Case{Target: "F"}
	}
	bug := &testcase.Finding{}
	v := &verifier{Session: &session.Session{Prog: prog, Pkg: prog.Packages[0], Events: &event.Stream{}}}
	tr := &trial{v, &Suite{Files: []emit.File{{Path: filepath.Join(dir, "p_assay_test.go"), Content: []byte(text), Tests: []emit.Test{
		{Name: "TestRows", Cases: cases[:3], Rows: []string{"good", "bad", "also good"}},
		{Name: "TestWhole", Cases: cases[3:4], Rows: []string{""}},
		{Name: "TestGood", Cases: cases[4:], Rows: []string{""}},
		{Name: "TestBug", Bug: bug},
	}}}}, make(map[*testcase.Case]bool)}
	if !tr.takeRejected() {
		t.Fatal("nothing is rejected")
	}
	for i, want := range []bool{false, true, false, true, false} {
		if tr.bad[cases[i]] != want {
			t.Errorf("case %d is rejected: %v, want %v", i, tr.bad[cases[i]], want)
		}
	}
	if bug.NoTest == "" {
		t.Error("the finding whose test does not compile keeps it")
	}
	if n := v.Summary.Rejected; n == nil || *n != 3 {
		t.Errorf("counted %v, want 3", n)
	}
}

// A loop without subtests that fails is written with subtests once, so that the row to blame shows; what fails then goes.
func TestDivide(t *testing.T) {
	cases := []*testcase.Case{{Target: "F"}, {Target: "F"}}
	v := &verifier{Session: &session.Session{Pkg: &load.Package{}, Events: &event.Stream{}}, named: make(map[*testcase.Case]bool)}
	suite := &Suite{Files: []emit.File{{Tests: []emit.Test{{Name: "TestF", Cases: cases, Rows: []string{"", ""}}}}}}
	failed := &gotest.Result{Failed: []string{"TestF"}}

	first := &trial{v, suite, make(map[*testcase.Case]bool)}
	first.takeFailed(failed, "")
	if first.bad[cases[0]] || first.bad[cases[1]] || len(first.bad) == 0 || !v.named[cases[0]] || !v.named[cases[1]] {
		t.Errorf("after the first failure %v are bad and %v named, want none bad, all named, and another round", first.bad, v.named)
	}
	second := &trial{v, suite, make(map[*testcase.Case]bool)}
	second.takeFailed(failed, "")
	if !second.bad[cases[0]] || !second.bad[cases[1]] {
		t.Errorf("after the second failure %v are bad, want both", second.bad)
	}
}
