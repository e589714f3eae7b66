package sarif

import (
	"cmp"
	"fmt"
	"go/token"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// rootID names the directory that file names are relative to.
const rootID = "SRCROOT"

// levelOf returns the format's name of a severity.
func levelOf(s testcase.Severity) string {
	switch s {
	case testcase.Error:
		return "error"
	case testcase.Warning:
		return "warning"
	}
	return "note"
}

// resultOf returns a finding as a result. The parameter why is the reason for which it is accepted, or "" if
// it is not.
func (l *Log) resultOf(run *sarif.Run, f event.Finding, why string) *sarif.Result {
	id := ruleOf(f.Kind).id()
	text := f.Func + " " + f.Message + "."
	if f.Evidence != "" {
		text += " " + strings.ToUpper(f.Evidence[:1]) + f.Evidence[1:] + "."
	}
	if len(f.Calls) > 0 {
		text += " Shown by: " + strings.Join(f.Calls, "; ")
	}
	r := sarif.NewRuleResult(id).WithRuleIndex(run.GetRuleIndex(id)).WithLevel(levelOf(f.Severity)).WithMessage(sarif.NewTextMessage(text))
	r.WithPartialFingerprints(map[string]string{"assay/v1": f.Fingerprint})
	location := sarif.NewLocation()
	if at := l.physical(f.Pos); at != nil {
		location.WithPhysicalLocation(at)
	}
	location.AddLogicalLocation(sarif.NewLogicalLocation().WithName(f.Func).WithFullyQualifiedName(f.Package + "." + f.Func).WithKind("function"))
	r.AddLocation(location)
	l.relate(r, f)
	if flow := l.flowOf(f); flow != nil {
		r.AddCodeFlow(flow)
	}
	if why != "" {
		r.AddSuppression(sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(why))
	}
	bag := sarif.NewPropertyBag()
	bag.Add("package", f.Package)
	for key, value := range map[string]string{"evidence": f.Evidence, "cause": f.Cause, "test": f.Test} {
		if value != "" {
			bag.Add(key, value)
		}
	}
	if len(f.Doors) > 0 {
		bag.Add("doors", f.Doors)
	}
	return r.WithProperties(bag)
}

// relate adds the places that explain a finding and are not on its way through the code: its test, the declaration
// of the function that users call, and where the wrong value comes from. A finding of check has no test file.
func (l *Log) relate(r *sarif.Result, f event.Finding) {
	n := 0
	add := func(pos, text string) {
		at := l.physical(pos)
		if at == nil || pos == f.Pos {
			return
		}
		n++
		r.AddRelatedLocation(sarif.NewLocation().WithID(n).WithPhysicalLocation(at).WithMessage(sarif.NewTextMessage(text)))
	}
	add(testPlace(f), "the test "+f.Test+" shows it")
	add(f.Declared, f.Func+" is declared here")
	add(f.CausePos, "the wrong value is "+f.Cause)
}

// testPlace returns the place where the test of a finding is declared, or "" if there is none.
func testPlace(f event.Finding) string {
	if f.File == "" || f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// flowOf returns the calls of the case and their way through the code, or nil if neither is known.
func (l *Log) flowOf(f event.Finding) *sarif.CodeFlow {
	flow := sarif.NewThreadFlow()
	add := func(pos, text, importance string) {
		at := sarif.NewLocation().WithMessage(sarif.NewTextMessage(text))
		if p := l.physical(pos); p != nil {
			at.WithPhysicalLocation(p)
		}
		step := sarif.NewThreadFlowLocation().WithLocation(at)
		step.Importance = importance
		flow.AddLocation(step)
	}
	test := cmp.Or(testPlace(f), f.Pos)
	for _, c := range f.Calls {
		add(test, c, "important")
	}
	for _, s := range f.Way {
		add(s.Pos, s.Text, "important")
	}
	if len(flow.Locations) == 0 {
		return nil
	}
	add(f.Pos, f.Message, "essential")
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}

// physical returns a place in a file, or nil if pos is no place.
func (l *Log) physical(pos string) *sarif.PhysicalLocation {
	if pos == "" {
		return nil
	}
	p := event.Place(pos)
	at := sarif.NewPhysicalLocation().WithArtifactLocation(l.artifact(p.Filename))
	if p.Line > 0 {
		region := sarif.NewRegion().WithStartLine(p.Line)
		if column := l.column(p); column > 0 {
			region.WithStartColumn(column)
		}
		at.WithRegion(region)
	}
	return at
}

// artifact names a file. The name is relative to the root if the file is below the root.
func (l *Log) artifact(name string) *sarif.ArtifactLocation {
	rel, err := filepath.Rel(l.root, name)
	if !filepath.IsAbs(name) || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return sarif.NewArtifactLocation().WithURI(fileURI(name))
	}
	return sarif.NewArtifactLocation().WithURI((&url.URL{Path: filepath.ToSlash(rel)}).String()).WithURIBaseID(rootID)
}

// fileURI returns the URI of a file or directory.
func fileURI(name string) string {
	slashed := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		return (&url.URL{Path: slashed}).String()
	}
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a path like C:/x
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// column returns the column of a place in UTF-16 code units, because the format counts these where Go counts
// bytes. It returns 0 if the column is not known.
func (l *Log) column(p token.Position) int {
	if p.Column <= 0 {
		return 0
	}
	lines, ok := l.sources[p.Filename]
	if !ok {
		if src, err := os.ReadFile(p.Filename); err == nil {
			lines = strings.Split(string(src), "\n")
		}
		l.sources[p.Filename] = lines
	}
	if p.Line > len(lines) || p.Column-1 > len(lines[p.Line-1]) {
		return 0
	}
	return len(utf16.Encode([]rune(lines[p.Line-1][:p.Column-1]))) + 1
}
