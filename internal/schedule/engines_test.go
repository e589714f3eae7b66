package schedule

import (
	"testing"
	"time"
)

// Who gained most for its time has most of the next round, and nobody is given up or has everything.
func TestWeights(t *testing.T) {
	engines := []EngineOutcome{
		{Engine: "random", Gained: 30, Took: 3 * time.Second},
		{Engine: "symbolic", Gained: 5, Found: 3, Killed: 2, Took: 5 * time.Second},
		{Engine: "bounded", Took: 60 * time.Second},
		{Engine: "sequence"}, // it had no time at all
	}
	w := Weights(engines)
	if w["random"] != mostWeight || w["bounded"] != leastWeight {
		t.Errorf("weights %v, want %v for who gained most and %v for who gained nothing in a minute", w, float64(mostWeight), leastWeight)
	}
	if !(w["symbolic"] > w["bounded"]) || w["sequence"] != 1 {
		t.Errorf("weights %v, want symbolic's above that of bounded, and that of sequence, of which nothing is known, unchanged", w)
	}
	for _, same := range [][]EngineOutcome{nil, {{Engine: "random", Took: time.Second}}, {{Engine: "random", Gained: 1}}} {
		if w := Weights(same); w != nil {
			t.Errorf("weights %v of %v, want none", w, same)
		}
	}
}

// Findings and mutants that the pass before had are no gains of this one.
func TestSince(t *testing.T) {
	before := []EngineOutcome{{Engine: "random", Gained: 100, Found: 3, Killed: 40}, {Engine: "symbolic", Found: 2}}
	now := []EngineOutcome{{Engine: "random", Gained: 2, Found: 4, Killed: 45}, {Engine: "symbolic", Found: 1}, {Engine: "bounded", Killed: 7}}
	got := Since(now, before)
	want := []EngineOutcome{{Engine: "random", Gained: 2, Found: 1, Killed: 5}, {Engine: "symbolic"}, {Engine: "bounded", Killed: 7}}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

// Of two packages that gained the same, the next round goes to the one where one engine gained all of it: that engine can
// have more of the time.
func TestPlan_engines(t *testing.T) {
	p := New(Config{Packages: []string{"a-even", "b-apart"}, Budget: time.Hour, Workers: 1, Most: 5 * time.Second})
	outcome := func(random, symbolic int) Outcome {
		return Outcome{Bound: 5 * time.Second, Took: 5 * time.Second, Covered: 50, Statements: 100, Gained: 10, Engines: []EngineOutcome{
			{Engine: "random", Gained: random, Took: 2 * time.Second}, {Engine: "symbolic", Gained: symbolic, Took: 2 * time.Second},
		}}
	}
	for _, o := range []Outcome{outcome(5, 5), outcome(10, 0)} {
		j, _ := p.Next(0)
		p.Done(j, o)
	}
	if j, ok := p.Next(time.Minute); !ok || j.Package != "b-apart" || j.Round != 1 {
		t.Errorf("next is %+v, want a round of b-apart", j)
	}
}
