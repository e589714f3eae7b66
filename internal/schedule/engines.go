package schedule

import "time"

// A model of what each engine gains tells rounds how to divide their time, and the plan how much a package's next round
// is worth. An engine is believed to gain in each second what it gained in the last pass, as if it had worked for strength
// longer at the mean rate of all engines: a Poisson rate with a gamma prior. So an engine that hardly had any time is neither
// given up nor given everything. Passes that begin anew keep the usual division, because their tests are to be the same as
// those of a run without a budget.

const (
	// strength is how much of the mean counts for each engine beside what it did itself.
	strength = 2 * time.Second
	// leastWeight and mostWeight bound by how much the model changes an engine's part of the time. No engine is given up,
	// since what it works on may be reached through what others find.
	leastWeight, mostWeight = 1. / 4, 2
)

// EngineOutcome is what an engine did in a pass.
type EngineOutcome struct {
	Engine string
	// Gained is how many blocks and outcomes of conditions the engine reached first. Found and Killed are how many findings
	// of the result came from its cases, and how many mutants the tests made of these notice. What the pass before had does
	// not count in Since.
	Gained, Found, Killed int
	Took                  time.Duration
}

// Since returns the outcomes of a pass with the findings and mutants that the pass before did not have already. What an
// engine reached first needs no such comparison, since a round runs the earlier cases before any engine works.
func Since(now, before []EngineOutcome) []EngineOutcome {
	out := make([]EngineOutcome, len(now))
	for i, o := range now {
		for _, b := range before {
			if b.Engine == o.Engine {
				o.Found, o.Killed = max(0, o.Found-b.Found), max(0, o.Killed-b.Killed)
			}
		}
		out[i] = o
	}
	return out
}

// gains is everything that an engine's outcome counts for.
func (o EngineOutcome) gains() float64 { return float64(o.Gained + o.Found + o.Killed) }

// mean returns what all engines together gained in a second.
func mean(engines []EngineOutcome) float64 {
	gained, took := 0., 0.
	for _, o := range engines {
		gained, took = gained+o.gains(), took+o.Took.Seconds()
	}
	if took <= 0 {
		return 0
	}
	return gained / took
}

// Weights returns by which factor the part of the time changes that each engine has in a round, given what the engines did
// in the pass before. It is nil if nothing tells them apart.
func Weights(engines []EngineOutcome) map[string]float64 {
	mean := mean(engines)
	if mean == 0 {
		return nil
	}
	weights := make(map[string]float64)
	for _, o := range engines {
		weights[o.Engine] = min(max(o.rate(mean)/mean, leastWeight), mostWeight)
	}
	return weights
}

// rate returns what an engine is expected to gain in a second.
func (o EngineOutcome) rate(mean float64) float64 {
	return (o.gains() + mean*strength.Seconds()) / (o.Took + strength).Seconds()
}

// improvement returns how many times as much a second is expected to gain in a round as it did in the pass before, since the
// engines that gain have more of the time.
func improvement(engines []EngineOutcome) float64 {
	weights := Weights(engines)
	if weights == nil {
		return 1
	}
	mean := mean(engines)
	before, after, took, weighted := 0., 0., 0., 0.
	for _, o := range engines {
		rate, t := o.rate(mean), o.Took.Seconds()
		before, took = before+rate*t, took+t
		after, weighted = after+rate*t*weights[o.Engine], weighted+t*weights[o.Engine]
	}
	if before == 0 || weighted == 0 {
		return 1
	}
	return after / weighted / (before / took)
}
