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
)

// ExternalFacts are verification results of other tools or of reviewers, which the file of
// the flag -facts holds: lines of JSON in the form
// of the assertion events that assay check -json writes. A line with the verdict
// "proved" or "assumed" adds to the premises of the assertion of its kind at its
// position: the conjunction of the assumptions that it names. Those are identifiers of
// the analyser's own assumptions in that function, or of an assay.Assumed there. Lines of
// other events and verdicts say nothing. A line with the action "assumption" is an assumption
// of another tool's, see predicates.go. A line that fits nothing says nothing either, and
// is a FactProblem.
type ExternalFacts struct {
	file     string
	facts    []factLine
	problems []FactProblem // of lines that are no facts
	// assumptions are lines of other tools' assumptions, with predicates of their own.
	assumptions []factLine
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
	Premises [][]string `json:"premises"` // several conjunctions of them; of Assumptions each is part of some

	// Of an assumption.
	ID        string `json:"id"`
	Predicate string `json:"predicate"`
}

// ReadExternalFacts reads such a file. A line that is no event is a problem of the facts,
// see Problems; the error is one of reading.
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

// Problems are the lines that are no facts, and those about packages and files that are not
// checked: of each package or file the first. files are those of the packages that are.
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

// fileName is the file of the fact's position.
func (f *factLine) fileName() string {
	name := f.Pos
	for range 2 {
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[:i]
		}
	}
	return name
}

// positionLine is the line of a position "file:line:column", 0 if it has none.
func positionLine(pos string) int { return positionNumber(pos, 2) }

// positionColumn is its column.
func positionColumn(pos string) int { return positionNumber(pos, 1) }

// positionNumber is the n-th number from the end of a position.
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

// apply adds what the facts say to a function's premises. A fact that names an
// assumption which the function does not have says nothing, and neither does one about
// another version of its line.
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

// premise is what a fact names, by the indices of a function's assumptions, and the first
// identifier that is none of them.
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

// outdated reports whether a fact quotes another line than there is.
func (p *Program) outdated(f factLine, at token.Position) bool {
	return f.Source != "" && f.Source != p.SourceLine(at)
}

// SourceLine returns the line of a position without the white space around it, "" if it
// cannot be read.
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

// sourceLine returns a line of a file without the white space around it, "" if there is none.
// What was put into it is not part of it.
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

// FactProblems are the facts about files of a package that fit nothing in it: no assertion of
// the kind is at the place, the line is another one, or an assumption is unknown. fns are
// the functions that were analysed; only says that they are not all, and then what is said
// of the others is not judged.
func (p *Program) FactProblems(path string, files []string, fns []*Function, only bool) []FactProblem {
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
		if why := p.misfit(fact, path, fns, only); why != "" {
			out = append(out, f.problem(fact.line, "%s", why))
		}
	}
	return out
}

// misfit says why a fact fits none of the functions, "" if it fits.
func (p *Program) misfit(fact factLine, path string, fns []*Function, only bool) string {
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
	case only:
		return ""
	}
	return fact.Pos + ": no assertion is there; facts of another version of the file?"
}

// samePosition compares "file:line:column", or names of files, of which one may have its
// directory left out.
func samePosition(a, b string) bool {
	if a == b {
		return true
	}
	return strings.HasSuffix(b, string(filepath.Separator)+filepath.FromSlash(a))
}
