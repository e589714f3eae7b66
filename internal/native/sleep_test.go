package native_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// If a package waits for the clock, a case that sleeps is ended soon, even if it waits for a timer in a
// select. A brief probe is ended sooner than other runs.
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
	// On a busy machine the one may be watched too late, or the other be taken for asleep, so that one try in some has to show both.
	const most = 10
	nap := []*testcase.Sequence{sequence(t, pkg, "Nap(90)")}
	var said string
	for range most {
		usual, err := h.Probe(t.Context(), nap)
		if err != nil {
			t.Fatal(err)
		}
		brief, err := h.ProbeBriefly(t.Context(), nap)
		if err != nil {
			t.Fatal(err)
		}
		if usual[0].Status == testcase.Returned && brief[0].Status == testcase.Hung && brief[0].Message == testcase.Slept {
			return
		}
		said = fmt.Sprintf("%v, briefly %v %q", usual[0].Status, brief[0].Status, brief[0].Message)
	}
	t.Errorf("a nap of 90ms: %s; want one that returned, and one that slept", said)
}

// If a result depends on how soon one call follows another, the second run has a different result, because
// in second runs time passes between the calls.
func TestSoon(t *testing.T) {
	h, pkg := build(t, source(`package p

import "time"

type Window struct {
	start time.Time
	size  time.Duration
	n     int
}

func New(ns int) *Window { return &Window{time.Now(), time.Duration(ns), 0} }

func (w *Window) Add() int {
	if time.Since(w.start) > w.size {
		w.n, w.start = 0, time.Now()
	}
	w.n++
	return w.n
}
`), native.Config{})
	for i, out := range run(t, h, pkg, native.Options{Twice: true}, "w := New(1000000); w.Add(); w.Add()", "w := New(3600000000000); w.Add(); w.Add()") {
		last := out.Results[len(out.Results)-1][0]
		if soon := i == 0; (last.Kind == testcase.Opaque) != soon {
			t.Errorf("case %d: the last result is %v; want it to differ: %v", i, last, soon)
		}
	}
}
