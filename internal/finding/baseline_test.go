package finding

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestBaseline(t *testing.T) {
	b, err := parseBaseline("assay.baseline", []byte("# known\n\nm/p Queue.Pop invariant: see #12\n m/p F hang: waits for the network \r\nm/q G panic: other\n"))
	if err != nil {
		t.Fatal(err)
	}
	pop := &testcase.Finding{Func: "Queue.Pop", Kind: "invariant"}
	other := &testcase.Finding{Func: "Queue.Pop", Kind: "hang"}
	if why, ok := b.Reason("m/p", pop); !ok || why != "see #12" {
		t.Errorf("the reason of the one that is listed: %q, %v", why, ok)
	}
	if why, ok := b.Reason("m/p", other); ok {
		t.Errorf("the hang is accepted: %q", why)
	}
	stale := b.Stale("m/p", func(string) bool { return true })
	if len(stale) != 1 || !strings.HasPrefix(stale[0], "assay.baseline:4: F has no finding hang") {
		t.Errorf("stale lines %q", stale)
	}
	if s := b.Stale("m/p", func(f string) bool { return f != "F" }); len(s) != 0 {
		t.Errorf("stale lines of functions that were not tested: %q", s)
	}
}

func TestBaselineProblems(t *testing.T) {
	for src, want := range map[string]string{
		"m/p F: why":            "f:1: want PACKAGE FUNCTION KIND: REASON",
		"\nm/p F hang extra: w": "f:2: want PACKAGE",
		"m/p F hang":            "f:1: no reason is given why hang of F",
		"m/p F hang:  ":         "f:1: ",
	} {
		if _, err := parseBaseline("f", []byte(src)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}
