package campaign

import (
	"encoding/json"
	"slices"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
)

// Kept describes an entry of the cache.
type Kept struct {
	Package             string
	Covered, Statements int
	Tests, Findings     int
	Cut                 bool // with more time the result may be better
	Cases, Rounds       int  // for such a result: the cases that a further round goes on from, and how many rounds there were
	// Pool, Accepted and Open are what such a round knows besides: sequences of the random engine's pool, functions of which
	// accepted constants are known, and functions of which paths are left to follow.
	Pool, Accepted, Open int
	// Engines is what each engine did in the last pass that the one before had not.
	Engines []schedule.EngineOutcome
}

// Describe describes an entry of the cache. It returns false if gen did not write the entry.
func Describe(data []byte) (Kept, bool) {
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil || m.Summary.Package == "" {
		return Kept{}, false
	}
	k := Kept{Package: m.Summary.Package, Covered: m.Covered, Statements: m.Statements, Cut: m.Pass != pass{}, Cases: len(m.Corpus), Rounds: m.Pass.Rounds}
	l := m.Learnt
	k.Pool, k.Accepted, k.Open, k.Engines = len(l.Pool), len(l.Accepted), len(l.Open), l.Gained
	if m.Summary.Tests != nil {
		k.Tests = *m.Summary.Tests
	}
	if m.Summary.Findings != nil {
		k.Findings = *m.Summary.Findings
	}
	return k, true
}

// keptCase is a case as text: what a later round goes on from.
type keptCase struct {
	Target, Engine string
	Seq            string // the sequence as Dump writes it
}

// learnt is what a pass knows besides its cases, for a later round. It is bounded, and as text or plain numbers, so that
// another process can read it.
type learnt struct {
	Pool     []keptCase     `json:",omitempty"` // sequences of the random engine's pool
	Accepted []keptAccepted `json:",omitempty"` // constants that functions have accepted
	// The frontier of the symbolic engine; see strategy.Learnt.
	Open, Done []string `json:",omitempty"`
	Followed   []uint64 `json:",omitempty"`
	// Engines says what each engine came to, and Gained what of that the pass before had not.
	Engines, Gained []schedule.EngineOutcome `json:",omitempty"`
}

// keptAccepted is a random.Accepted whose texts may have any bytes.
type keptAccepted struct {
	Func   string
	Types  []string
	Values [][]keptLiteral
}

type keptLiteral struct {
	Kind       testcase.LitKind
	Bits, Imag uint64 `json:",omitempty"`
	Str        []byte `json:",omitempty"`
}

const (
	// mostKeptCases and mostKeptBytes bound the cases that are kept of a package, mostPoolBytes the sequences of the pool (of
	// which there are at most random.MaxSpare), mostAccepted the functions whose accepted constants are kept, and mostFollowed
	// the cases that are known to have been followed.
	mostKeptCases = 1000
	mostKeptBytes = 1 << 20
	mostPoolBytes = 256 << 10
	mostAccepted  = 200
	mostFollowed  = 2000
)

// noteCorpus notes the cases that a later round of this package is to go on from: the ones that are written, and those
// that cover something besides, in the order in which they were found.
func (g *gen) noteCorpus(judged verdicts, chosen choose.Selection) {
	g.corpus = nil
	if g.job == nil && !g.keepsCorpus {
		return
	}
	var cover testcase.Cover
	seen := make(map[string]bool)
	size := 0
	add := func(c *testcase.Case, always bool) {
		if c.Observed == nil || !cover.Union(c.Observed.Cover) && !always || len(g.corpus) == mostKeptCases {
			return
		}
		text := c.Seq.Dump()
		if seen[text] || size+len(text) > mostKeptBytes {
			return
		}
		seen[text] = true
		size += len(text)
		g.corpus = append(g.corpus, keptCase{c.Target, c.Engine, text})
	}
	for _, c := range chosen.Tests {
		add(c, true)
	}
	for _, f := range chosen.Findings {
		if f.Case != nil {
			add(f.Case, true)
		}
	}
	for _, c := range judged.tests {
		add(c, false)
	}
}

// noteLearnt notes what a later round knows besides the cases.
func (g *gen) noteLearnt(found strategy.Finds, chosen choose.Selection) {
	g.learnt = learnt{}
	if g.job == nil && !g.keepsCorpus {
		return
	}
	l := learnt{Open: found.Learnt.Open, Done: found.Learnt.Done, Followed: found.Learnt.Followed, Engines: slices.Clone(found.Engines)}
	l.Followed = l.Followed[:min(len(l.Followed), mostFollowed)]
	size := 0
	for _, c := range found.Learnt.Pool {
		text := c.Seq.Dump()
		if size += len(text); size > mostPoolBytes {
			break
		}
		l.Pool = append(l.Pool, keptCase{c.Target, c.Engine, text})
	}
	if len(l.Pool) == 0 {
		l.Pool = g.knew.Pool // there was no time to fill another one
	}
	for _, a := range found.Learnt.Accepted[:min(len(found.Learnt.Accepted), mostAccepted)] {
		kept := keptAccepted{a.Func, a.Types, make([][]keptLiteral, len(a.Values))}
		for i, values := range a.Values {
			for _, v := range values {
				kept.Values[i] = append(kept.Values[i], keptLiteral{v.Kind, v.Bits, v.Imag, []byte(v.Str)})
			}
		}
		l.Accepted = append(l.Accepted, kept)
	}
	if len(l.Accepted) == 0 {
		l.Accepted = g.knew.Accepted
	}
	for _, f := range chosen.Findings {
		if f.Case != nil && (f.Severity == testcase.Error || f.Severity == testcase.Warning) {
			l.count(f.Case.Engine, func(o *schedule.EngineOutcome) { o.Found++ })
		}
	}
	g.learnt = l
}

// count counts something for an engine that has worked.
func (l *learnt) count(engine string, add func(*schedule.EngineOutcome)) {
	for i := range l.Engines {
		if l.Engines[i].Engine == engine {
			add(&l.Engines[i])
		}
	}
}

// countKills counts, for each engine, the mutants that tests of its cases notice first.
func (g *gen) countKills(tests []string, files []emit.File, verdicts []mutate.Verdict) {
	engines := make(map[string]string)
	for _, f := range files {
		for _, t := range f.Tests {
			if len(t.Cases) > 0 {
				engines[t.Name] = t.Cases[0].Engine
			}
		}
	}
	for _, v := range verdicts {
		if v.Killed && len(v.By) > 0 {
			g.learnt.count(engines[tests[v.By[0]]], func(o *schedule.EngineOutcome) { o.Killed++ })
		}
	}
}

// ofOtherCode returns what holds although functions have changed: no more is known of paths.
func (l learnt) ofOtherCode() learnt {
	l.Open, l.Done, l.Followed = nil, nil, nil
	return l
}

// resumeChanged makes this pass a round that goes on from what the last pass over other code of the package has found, if
// that one ran out of time: in a quick pass alone there would be less than there was before the change. With -since that
// may have been a pass over the whole package; then the cases of the functions that reach a change count.
func (g *gen) resumeChanged() {
	data, ok := g.lookUpLastPass()
	if since := g.cfg.Since; !ok && since != "" {
		g.cfg.Since = "" // it is a part of the key
		data, ok = g.lookUpLastPass()
		g.cfg.Since = since
	}
	var m remembered
	if !ok || json.Unmarshal(data, &m) != nil {
		return
	}
	if g.cfg.Since != "" {
		m.Corpus = slices.DeleteFunc(m.Corpus, func(c keptCase) bool { return !g.InScope(c.Target) })
	}
	if len(m.Corpus) > 0 {
		g.round, g.resumed, g.knew = m.Pass.Rounds+1, m.Corpus, m.Learnt.ofOtherCode()
	}
}

// lastPassKey returns the key of the last pass with the same flags, whatever the code was then.
func (g *gen) lastPassKey() cache.Key {
	return cache.KeyOf(append(g.keyParts("last pass"), g.Pkg.Dir)...)
}

// earlierCases returns what this run goes on from, if it is a round. Cases that name what only the process knew that found
// them are left out.
func (g *gen) earlierCases() strategy.Resumed {
	if g.round == 0 {
		return strategy.Resumed{}
	}
	table := testcase.PackageTable(g.Pkg.Types, g.Prog.ImportedPackage, g.checks())
	r := strategy.Resumed{Round: g.round, Weights: schedule.Weights(g.knew.Gained)}
	lost := 0
	read := func(kept []keptCase) (cases []*testcase.Case) {
		for _, k := range kept {
			seq, err := testcase.Parse(k.Seq, table)
			if err != nil || seq.Len() == 0 {
				lost++
				g.Debug("states", "%s: a case of %s is not gone on from: %v", g.Pkg.Path, k.Target, err)
				continue
			}
			cases = append(cases, &testcase.Case{Package: g.Pkg.Path, Target: k.Target, Engine: k.Engine, Seq: seq})
		}
		return cases
	}
	r.Cases = read(g.resumed)
	r.Learnt = strategy.Learnt{Pool: read(g.knew.Pool), Done: g.knew.Done, Followed: g.knew.Followed}
	for _, a := range g.knew.Accepted {
		known := random.Accepted{Func: a.Func, Types: a.Types, Values: make([][]testcase.Literal, len(a.Values))}
		for i, values := range a.Values {
			for _, v := range values {
				known.Values[i] = append(known.Values[i], testcase.Literal{Kind: v.Kind, Bits: v.Bits, Imag: v.Imag, Str: string(v.Str)})
			}
		}
		r.Learnt.Accepted = append(r.Learnt.Accepted, known)
	}
	g.Debug("stages", "%s: round %d goes on from %d cases, %d sequences of the pool, %d functions with accepted constants, %d functions done; %d more cases cannot be read here; parts of the time %v",
		g.Pkg.Path, g.round, len(r.Cases), len(r.Learnt.Pool), len(r.Learnt.Accepted), len(r.Learnt.Done), lost, r.Weights)
	return r
}

// operationsOf returns the operations of what a run goes on from, with which the harness is built.
func operationsOf(from strategy.Resumed) []*testcase.Operation {
	var out []*testcase.Operation
	for _, c := range slices.Concat(from.Cases, from.Learnt.Pool) {
		for i := range c.Seq.Len() {
			out = append(out, c.Seq.At(i).Op)
		}
	}
	return out
}
