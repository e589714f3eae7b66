package campaign

import (
	"encoding/json"

	"github.com/goassay/assay/internal/choose"
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
}

// Describe describes an entry of the cache. It returns false if gen did not write the entry.
func Describe(data []byte) (Kept, bool) {
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil || m.Summary.Package == "" {
		return Kept{}, false
	}
	k := Kept{Package: m.Summary.Package, Covered: m.Covered, Statements: m.Statements, Cut: m.Pass != pass{}, Cases: len(m.Corpus), Rounds: m.Pass.Rounds}
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

const (
	// mostKeptCases and mostKeptBytes bound the cases that are kept of a package.
	mostKeptCases = 1000
	mostKeptBytes = 1 << 20
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

// earlierCases returns the cases that this run goes on from, if it is a round. Cases that name what only the process
// knew that found them are left out.
func (g *gen) earlierCases() strategy.Resumed {
	if g.round == 0 {
		return strategy.Resumed{}
	}
	table := testcase.PackageTable(g.Pkg.Types, g.Prog.ImportedPackage, g.checks())
	r := strategy.Resumed{Round: g.round}
	lost := 0
	for _, k := range g.resumed {
		seq, err := testcase.Parse(k.Seq, table)
		if err != nil || seq.Len() == 0 {
			lost++
			g.Debug("states", "%s: a case of %s is not gone on from: %v", g.Pkg.Path, k.Target, err)
			continue
		}
		r.Cases = append(r.Cases, &testcase.Case{Package: g.Pkg.Path, Target: k.Target, Engine: k.Engine, Seq: seq})
	}
	g.Debug("stages", "%s: round %d goes on from %d cases; %d more cannot be read here", g.Pkg.Path, g.round, len(r.Cases), lost)
	return r
}

// operationsOf returns the operations of cases, with which the harness is built.
func operationsOf(cases []*testcase.Case) []*testcase.Operation {
	var out []*testcase.Operation
	for _, c := range cases {
		for i := range c.Seq.Len() {
			out = append(out, c.Seq.At(i).Op)
		}
	}
	return out
}
