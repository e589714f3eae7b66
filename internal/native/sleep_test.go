package native_test

import (
	"testing"
	"time"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Where the package waits for the clock, a case that sleeps ends soon, also if it waits for a timer in a select, and a
// brief probe ends sooner than others.
func TestSleep(t *testing.T) {
	h, pkg := build(t, source(`package p

import "time"

func Nap(ms int) int {
	time.Sleep(time.Duration(ms) * time.Millisecond)
	return ms
}

func Select() int {
	never := make(chan int)
	select {
	case n := <-never:
		return n
	case <-time.After(time.Hour):
		return 1
	}
}
`), native.Config{CaseTimeout: time.Minute})
	begin := time.Now()
	for i, out := range run(t, h, pkg, native.Options{}, "Nap(3600000)", "Select()") {
		if out.Status != testcase.Hung || out.Message != testcase.Slept {
			t.Errorf("case %d: %v %q, want a case that slept", i, out.Status, out.Message)
		}
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("two sleeping cases took %v", took)
	}
	nap := []*testcase.Sequence{sequence(t, pkg, "Nap(150)")}
	usual, err := h.Probe(t.Context(), nap)
	if err != nil {
		t.Fatal(err)
	}
	brief, err := h.ProbeBriefly(t.Context(), nap)
	if err != nil {
		t.Fatal(err)
	}
	if usual[0].Status != testcase.Returned || brief[0].Status != testcase.Hung || brief[0].Message != testcase.Slept {
		t.Errorf("a nap of 150ms: %v, briefly %v %q; want one that returned, and one that slept", usual[0].Status, brief[0].Status, brief[0].Message)
	}
}
