package check

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
)

// ExternalFacts are verification results of other tools or of reviewers, read from the file of the flag
// -facts: lines of JSON in the form of the assertion events that assay check -json writes. A line with
// the verdict "proved" or "assumed" adds a conjunction of named assumptions to the premises of the
// assertion that has its kind and position. The names are identifiers of the analyser's own assumptions
// in that function, or of an assay.Assumed there. A line with the action "assumption" declares an
// assumption of another tool, see predicates.go. Lines of other events and verdicts are ignored. A line
// that fits nothing is ignored, too, and reported as a FactProblem.
type ExternalFacts struct {
	file     string
	facts    []factLine
	problems []FactProblem // lines that are no facts
	// assumptions has the lines with assumptions of other tools, which have predicates of their own.
	assumptions []factLine
	// planted has the predicates as they are written in the file, by what Plant wrote in their place.
	planted map[string]string
}

// given returns a condition as the file of facts writes it, if Plant wrote the condition.
func (f *ExternalFacts) given(text string) string {
	if f != nil {
		if as, ok := f.planted[text]; ok {
			return as
		}
	}
	return text
}

// FactProblem says why a line of a file of facts is left out.
type FactProblem struct {
	Pos     token.Position // the line
	Message string
}

type factLine struct {
	line        int
	Action      string `json:"action"`
	Package     string `json:"package"`
	Pos         string `json:"pos"`
	Source      string `json:"source"` // the line of the source, without white space around it
	Kind        string `json:"kind"`
	Verdict     string `json:"verdict"`
	Assumptions []struct {
		ID string `json:"id"`
	} `json:"assumptions"`
	Premises [][]string `json:"premises"` // several conjunctions of assumptions; each of Assumptions is in one of them

	// The fields of an assumption.
	ID        string `json:"id"`
	Predicate string `json:"predicate"`
}

// verdicts are those that assertions have; a fact is one that is proved or assumed.
var verdicts = []string{"proved", "assumed", "refuted", "unknown"}

// ReadExternalFacts reads a file of facts. A line that is no event becomes a problem of the facts, see
// Problems. The error is one of reading the file.
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
			out.problems = append(out.problems, out.problem(n, "no event in JSON: %v", err))
			continue
		}
		if f.Action == "assumption" {
			if f.Pos == "" || f.ID == "" || f.Predicate == "" {
				out.problems = append(out.problems, out.problem(n, "an assumption needs pos, id and predicate"))
				continue
			}
			out.assumptions = append(out.assumptions, f)
		}
		if f.Action == "assertion" && !slices.Contains(verdicts, f.Verdict) {
			out.problems = append(out.problems, out.problem(n, "the verdict %q is none of %s", f.Verdict, strings.Join(verdicts, ", ")))
		}
		if f.Action == "assertion" && (f.Verdict == "proved" || f.Verdict == "assumed") {
			if f.Pos == "" || f.Kind == "" {
				out.problems = append(out.problems, out.problem(n, "an assertion needs pos and kind"))
				continue
			}
			out.facts = append(out.facts, f)
		}
	}
	return out, sc.Err()
}

func (f *ExternalFacts) problem(line int, format string, args ...any) FactProblem {
	return FactProblem{token.Position{Filename: f.file, Line: line}, fmt.Sprintf(format, args...)}
}

// Problems returns the lines that are no facts, and the first line about each package or file that is not
// checked. The parameter files has the files of the packages that are checked.
func (f *ExternalFacts) Problems(packages, files []string) []FactProblem {
	out := slices.Clone(f.problems)
	said := map[string]bool{}
	for _, fact := range slices.Concat(f.facts, f.assumptions) {
		what := ""
		switch name := fact.fileName(); {
		case fact.Package != "" && !slices.Contains(packages, fact.Package):
			what = "package " + fact.Package
		case !slices.ContainsFunc(files, func(file string) bool { return samePosition(name, file) }):
			what = "file " + name
		}
		if what != "" && !said[what] {
			said[what] = true
			out = append(out, f.problem(fact.line, "there is no %s among what is checked", what))
		}
	}
	return out
}

// fileName returns the file in the fact's position.
func (f *factLine) fileName() string {
	name := f.Pos
	for range 2 {
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[:i]
		}
	}
	return name
}

// positionLine returns the line of a position "file:line:column", or 0 if the position has none.
func positionLine(pos string) int { return positionNumber(pos, 2) }

// positionColumn returns the column of a position, or 0 if the position has none.
func positionColumn(pos string) int { return positionNumber(pos, 1) }

// positionNumber returns the n-th number of a position, counted from the end.
func positionNumber(pos string, n int) int {
	parts := strings.Split(pos, ":")
	if len(parts) <= n {
		return 0
	}
	k, err := strconv.Atoi(parts[len(parts)-n])
	if err != nil {
		return 0
	}
	return k
}

// isAbout reports whether a fact is about something at a place of a package.
func (f *factLine) isAbout(path string, at token.Position) bool {
	return (f.Package == "" || f.Package == path) && samePosition(f.Pos, at.String())
}

// apply adds premises to a function according to the facts. A fact is ignored if it names an assumption
// that the function does not have, or if its line of the source has changed.
func (f *ExternalFacts) apply(p *Program, fn *Function) {
	if f == nil {
		return
	}
	for i := range fn.Assertions {
		as := &fn.Assertions[i]
		at := p.Fset.Position(as.Pos)
		for _, fact := range f.facts {
			if fact.Kind != string(as.Kind) || !fact.isAbout(packagePath(fn), at) || as.Premise.Verified() || p.outdated(fact, at) {
				continue
			}
			premise, unknown := fact.premise(fn)
			if unknown != "" {
				continue
			}
			for _, conj := range premise {
				if !slices.ContainsFunc(as.Premise, func(c []int) bool { return slices.Equal(c, conj) }) {
					as.Premise, as.Foreign = append(as.Premise, conj), true
				}
			}
		}
	}
}

func packagePath(fn *Function) string {
	if pkg := fn.Fn.Package(); pkg != nil {
		return pkg.Pkg.Path()
	}
	return ""
}

// premise returns the assumptions that a fact names, as indices of a function's assumptions, and the
// first identifier that is none of them.
func (f *factLine) premise(fn *Function) (premise Premise, unknown string) {
	either := f.Premises
	if len(either) == 0 {
		var ids []string
		for _, a := range f.Assumptions {
			ids = append(ids, a.ID)
		}
		either = [][]string{ids}
	}
	for _, ids := range either {
		conj := []int{}
		for _, id := range ids {
			k := slices.IndexFunc(fn.Assumptions, func(as Assumption) bool { return as.ID == id })
			if k < 0 {
				return nil, id
			}
			conj = append(conj, k)
		}
		premise = append(premise, conj)
	}
	return premise, ""
}

// outdated reports whether the line that a fact quotes differs from the present one.
func (p *Program) outdated(f factLine, at token.Position) bool {
	return f.Source != "" && f.Source != p.SourceLine(at)
}

// SourceLine returns the line of a position without the white space around it, or "" if it cannot be read.
func (p *Program) SourceLine(at token.Position) string {
	read := p.notes.Source
	if read == nil {
		read = os.ReadFile
	}
	line, err := sourceLine(read, at.Filename, at.Line)
	if err != nil {
		return ""
	}
	return line
}

// sourceLine returns a line of a file without the white space around it, or "" if there is no such line.
// Predicates that Plant inserted are removed from it.
func sourceLine(read func(name string) ([]byte, error), name string, n int) (string, error) {
	text, err := read(name)
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return "", nil
	}
	return strings.TrimSpace(withoutPlanted(lines[n-1])), nil
}

// FactProblems are the facts about files of a package that fit nothing in it: no assertion of the kind is at
// the place, the line has changed, or an assumption is unknown. fns are the functions that were analysed. Facts about
// others, which were not, are not judged.
func (p *Program) FactProblems(path string, files []string, fns []*Function, others []*load.Target) []FactProblem {
	f := p.config.External
	if f == nil {
		return nil
	}
	var out []FactProblem
	for _, fact := range f.facts {
		name := fact.fileName()
		ours := slices.ContainsFunc(files, func(file string) bool { return samePosition(name, file) })
		if !ours || fact.Package != "" && fact.Package != path {
			continue
		}
		if why := p.misfit(fact, path, fns, others); why != "" {
			out = append(out, f.problem(fact.line, "%s", why))
		}
	}
	return out
}

// misfit says why a fact fits none of the functions, or "" if it fits one.
func (p *Program) misfit(fact factLine, path string, fns []*Function, others []*load.Target) string {
	var kinds []string
	why := ""
	for _, fn := range fns {
		for _, as := range fn.Assertions {
			at := p.Fset.Position(as.Pos)
			if as.Kind.StandsForOthers() || !fact.isAbout(path, at) {
				continue
			}
			if kinds = append(kinds, string(as.Kind)); string(as.Kind) != fact.Kind {
				continue
			}
			if p.outdated(fact, at) {
				return fmt.Sprintf("%s: another version of the file: the line is %q", fact.Pos, p.SourceLine(at))
			}
			_, unknown := fact.premise(fn)
			if unknown == "" {
				return ""
			}
			why = fmt.Sprintf("%s: no assumption %s is made in %s", fact.Pos, unknown, fn.Fn.Name())
		}
	}
	switch {
	case why != "":
		return why
	case len(kinds) > 0:
		return fmt.Sprintf("%s: no assertion of kind %s is there, but %s", fact.Pos, fact.Kind, strings.Join(slices.Compact(kinds), ", "))
	case slices.ContainsFunc(others, func(t *load.Target) bool { return p.isIn(fact, t.Func) }):
		return ""
	}
	return fact.Pos + ": no assertion is there; facts of another version of the file?"
}

// isIn reports whether the line of a fact is one of a function.
func (p *Program) isIn(fact factLine, fn *ssa.Function) bool {
	decl := fn.Syntax()
	if decl == nil {
		return false
	}
	from, to := p.Fset.Position(decl.Pos()), p.Fset.Position(decl.End())
	line := positionLine(fact.Pos)
	return samePosition(fact.fileName(), from.Filename) && from.Line <= line && line <= to.Line
}

// samePosition compares two positions "file:line:column", or two names of files. One of them may lack
// the directory.
func samePosition(a, b string) bool {
	if a == b {
		return true
	}
	return strings.HasSuffix(b, string(filepath.Separator)+filepath.FromSlash(a))
}
