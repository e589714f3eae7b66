package sarif

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/goassay/assay/internal/event"
)

// Log collects the content of a SARIF file.
type Log struct {
	root, version string
	results       []entry
	notes         []event.Diagnostic
	sources       map[string][]string // the lines of files by name; nil for a file that cannot be read
}

// entry is a finding, and the reason why it is accepted.
type entry struct {
	event.Finding
	why string
}

// New returns an empty log. File names are shown relative to root, an absolute directory. The parameter
// version is assay's own version.
func New(root, version string) *Log {
	return &Log{root: root, version: version, sources: make(map[string][]string)}
}

// Event collects findings and errors.
func (l *Log) Event(e event.Event) {
	switch e := e.(type) {
	case event.Finding:
		l.results = append(l.results, entry{e, ""})
	case event.Known:
		l.results = append(l.results, entry{e.Finding, e.Reason})
	case event.Diagnostic:
		l.notes = append(l.notes, e)
	}
}

// Write writes the file. The parameter done says that the run was completed and failed for no package.
func (l *Log) Write(w io.Writer, done bool) error {
	slices.SortStableFunc(l.results, func(a, b entry) int {
		p, q := event.Place(a.Pos), event.Place(b.Pos)
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Line, q.Line),
			cmp.Compare(p.Column, q.Column), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Func, b.Func))
	})
	run := sarif.NewRunWithInformationURI("assay", "https://github.com/goassay/assay")
	run.Tool.Driver.WithFullName("assay " + l.version).WithVersion(semantic(l.version)).WithSemanticVersion(semantic(l.version))
	run.WithColumnKind("utf16CodeUnits")
	run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{rootID: *sarif.NewArtifactLocation().WithURI(fileURI(l.root) + "/")})
	used := make(map[string]bool)
	for _, r := range l.results {
		used[ruleOf(r.Kind).id()] = true
	}
	for _, r := range rules() {
		if used[r.id()] {
			run.Tool.Driver.AddRule(r.descriptor())
			delete(used, r.id())
		}
	}
	for _, r := range l.results {
		if known := ruleOf(r.Kind); used[known.id()] {
			run.Tool.Driver.AddRule(known.descriptor())
			delete(used, known.id())
		}
	}
	for _, r := range l.results {
		run.AddResult(l.resultOf(run, r.Finding, r.why))
	}
	run.AddInvocation(l.invocation(done))
	report := sarif.NewReport().AddRun(run)
	report.Schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	var all bytes.Buffer
	if err := report.Write(&all); err != nil {
		return err
	}
	out, err := pruned(all.Bytes())
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// pruned removes values that are the format's defaults. Most of the library's output are empty lists and
// numbers of -1, which stand for "not set".
func pruned(file []byte) ([]byte, error) {
	var tree any
	dec := json.NewDecoder(bytes.NewReader(file))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return nil, err
	}
	prune(tree)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(tree)
	return b.Bytes(), err
}

func prune(tree any) {
	switch t := tree.(type) {
	case []any:
		for _, e := range t {
			prune(e)
		}
	case map[string]any:
		for k, v := range t {
			list, isList := v.([]any)
			if isList && len(list) == 0 && k != "results" || v == json.Number("-1") {
				delete(t, k)
				continue
			}
			prune(v)
		}
	}
}

// invocation says how the run went: errors and warnings are its notifications.
func (l *Log) invocation(done bool) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccessful(done)
	for _, d := range l.notes {
		level := "error"
		if d.Warning {
			level = "warning"
		}
		n := sarif.NewNotification().WithLevel(level).WithMessage(sarif.NewTextMessage(d.Message))
		if d.Pos.Filename != "" {
			if at := l.physical(d.Pos.String()); at != nil {
				n.AddLocation(sarif.NewLocation().WithPhysicalLocation(at))
			}
		}
		inv.AddToolExecutionNotification(n)
	}
	return inv
}

// semantic returns a version in the form of the format, without the v of Go's versions.
func semantic(version string) string {
	if len(version) > 1 && version[0] == 'v' && version[1] >= '0' && version[1] <= '9' {
		return version[1:]
	}
	return "0.0.0"
}
