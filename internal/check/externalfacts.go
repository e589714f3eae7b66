package check

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ExternalFacts are verification results of other tools or of reviewers, which the file of
// the flag -facts holds: lines of JSON in the form
// of the assertion events that assay check -json writes. A line with the verdict
// "proved" or "assumed" adds to the premises of the assertion of its kind at its
// position: the conjunction of the assumptions that it names. Those are identifiers of
// the analyser's own assumptions in that function, or of an assay.Assumed there. Lines of
// other events and verdicts say nothing.
type ExternalFacts struct {
	file  string
	facts []factLine
}

type factLine struct {
	line        int
	Action      string `json:"action"`
	Pos         string `json:"pos"`
	Kind        string `json:"kind"`
	Verdict     string `json:"verdict"`
	Assumptions []struct {
		ID string `json:"id"`
	} `json:"assumptions"`
}

// ReadExternalFacts reads such a file. The error names the line.
func ReadExternalFacts(name string) (*ExternalFacts, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	out := &ExternalFacts{file: name}
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, 1<<24)
	for n := 1; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		f := factLine{line: n}
		if err := json.Unmarshal(sc.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("%s:%d: %v", name, n, err)
		}
		if f.Action == "assertion" && (f.Verdict == "proved" || f.Verdict == "assumed") {
			if f.Pos == "" || f.Kind == "" {
				return nil, fmt.Errorf("%s:%d: an assertion needs pos and kind", name, n)
			}
			out.facts = append(out.facts, f)
		}
	}
	return out, sc.Err()
}

// apply adds what the facts say to a function's premises. A fact that names an
// assumption which the function does not have says nothing.
func (f *ExternalFacts) apply(p *Program, fn *Function) {
	if f == nil {
		return
	}
	index := map[string]int{}
	for i, as := range fn.Assumptions {
		index[as.ID] = i
	}
	for i := range fn.Assertions {
		as := &fn.Assertions[i]
		at := p.Fset.Position(as.Pos)
		for _, fact := range f.facts {
			if fact.Kind != string(as.Kind) || !samePosition(fact.Pos, at.String()) || as.Premise.Verified() {
				continue
			}
			conj, known := []int{}, true
			for _, a := range fact.Assumptions {
				k, ok := index[a.ID]
				known = known && ok
				conj = append(conj, k)
			}
			if known && !slices.ContainsFunc(as.Premise, func(c []int) bool { return slices.Equal(c, conj) }) {
				as.Premise, as.Foreign = append(as.Premise, conj), true
			}
		}
	}
}

// samePosition compares "file:line:column", of which one may have its directory left
// out.
func samePosition(a, b string) bool {
	if a == b {
		return true
	}
	return strings.HasSuffix(b, string(filepath.Separator)+filepath.FromSlash(a))
}
