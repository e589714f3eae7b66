package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// sample returns a log of every form of event that it has a place for, with its root.
func sample(t *testing.T) (l *Log, root string) {
	t.Helper()
	root = t.TempDir()
	source := filepath.Join(root, "a b", "p.go")
	if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte("package p\n\nvar π, s = \"😀é\", []int{}[0]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	l = New(root, "v1.2.3-pre")
	second := event.Finding{
		Package: "m/p", Func: "F", Kind: "index-out-of-range", Severity: testcase.Error, Message: "panics: index out of range", Pos: source + ":3:31",
		Evidence: "data may be empty", Test: "TestF_bug1", File: filepath.Join(root, "p_assay_bug_test.go"), Line: 7,
		Doors: []string{"F", "G"}, Cause: "the element", CausePos: source + ":3:8", Declared: source + ":2:1", Calls: []string{"v0 := New(0)", "v0.F()"}, Fingerprint: "abc",
		Way: []event.Step{{Pos: source + ":3:5", Text: "n < 0 is false"}, {Pos: source + ":3", Text: "in p.F"}},
	}
	l.Event(second)
	l.Event(event.Finding{Package: "m/p", Func: "A", Kind: "brand-new", Severity: testcase.Warning, Message: "is odd", Pos: source + ":1:1", Declared: source + ":1:1", Cause: "the argument x of A", CausePos: source + ":2:1"})
	l.Event(event.Finding{Package: "m/p", Func: "Q", Kind: "questionable", Severity: testcase.Note, Message: "returns -1"})
	l.Event(event.Known{Finding: event.Finding{Package: "m/p", Func: "K", Kind: "hang", Severity: testcase.Error, Message: "hangs", Pos: "/elsewhere/k.go:9:2"}, Reason: "see #12"})
	l.Event(event.Diagnostic{Pos: token.Position{Filename: source, Line: 2}, Message: "undefined: x"})
	l.Event(event.Diagnostic{Message: "out of time", Warning: true})
	l.Event(event.Summary{Package: "m/p"})
	return l, root
}

func written(t *testing.T, l *Log, done bool) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.Write(&b, done); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// published is the schema of the format as OASIS has published it.
func published(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := strconv.Unquote(f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json") {
		t.Fatal("the library has another schema")
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The written file conforms to the published schema.
func TestSchema(t *testing.T) {
	schema := published(t)
	valid := func(file []byte) (bool, string) {
		res, err := schema.Validate(gojsonschema.NewBytesLoader(file))
		if err != nil {
			t.Fatal(err)
		}
		return res.Valid(), fmt.Sprint(res.Errors())
	}
	l, _ := sample(t)
	for name, log := range map[string]*Log{"sample": l, "nothing": New("/w", "(devel)")} {
		if ok, why := valid(written(t, log, true)); !ok {
			t.Errorf("%s: %s", name, why)
		}
	}
	if ok, _ := valid(bytes.Replace(written(t, l, true), []byte(`"level": "warning"`), []byte(`"level": "dreadful"`), 1)); ok {
		t.Error("a level that the schema does not have passes: nothing was validated")
	}
}

// Another program, which reads SARIF, has no objections to the file.
func TestMultitool(t *testing.T) {
	tool, err := exec.LookPath("sarif-multitool")
	if err != nil {
		t.Skip("NOT TESTED against another consumer: sarif-multitool is not on PATH (npm install -g @microsoft/sarif-multitool)")
	}
	l, _ := sample(t)
	name := filepath.Join(t.TempDir(), "out.sarif")
	if err := os.WriteFile(name, written(t, l, true), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "validate", name).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Analysis completed successfully") {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, ": warning ") || strings.Contains(line, ": error ") {
			t.Error(line)
		}
	}
}

func TestResults(t *testing.T) {
	l, root := sample(t)
	var file struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct{ Level string }
			}
			OriginalURIBaseIDs map[string]struct{ URI string } `json:"originalUriBaseIds"`
			Results            []struct {
				RuleID              string
				RuleIndex           *int
				Level               string
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation *struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
				CodeFlows []struct {
					ThreadFlows []struct {
						Locations []struct {
							Location struct{ Message struct{ Text string } }
						}
					}
				}
				RelatedLocations []struct{ Message struct{ Text string } }
				Suppressions     []struct{ Kind, Status, Justification string }
			}
		}
	}
	if err := json.Unmarshal(written(t, l, false), &file); err != nil {
		t.Fatal(err)
	}
	run := file.Runs[0]
	var rules []string
	for _, r := range run.Tool.Driver.Rules {
		rules = append(rules, r.ID)
	}
	if got := strings.Join(rules, " "); got != "assay/index-out-of-range assay/hang assay/questionable assay/brand-new" {
		t.Errorf("rules %s", got)
	}
	if inv := run.Invocations[0]; inv.ExecutionSuccessful || len(inv.ToolExecutionNotifications) != 2 || inv.ToolExecutionNotifications[0].Level != "error" {
		t.Errorf("invocation %+v", inv)
	}
	if got := run.OriginalURIBaseIDs["SRCROOT"].URI; got != "file://"+filepath.ToSlash(root)+"/" {
		t.Errorf("the root is %s", got)
	}
	if len(run.Results) != 4 {
		t.Fatalf("%d results, want 4", len(run.Results))
	}
	for _, r := range run.Results {
		if r.RuleIndex == nil || rules[*r.RuleIndex] != r.RuleID {
			t.Errorf("%s names rule %v", r.RuleID, r.RuleIndex)
		}
		if (len(r.Suppressions) > 0) != (r.RuleID == "assay/hang") {
			t.Errorf("%s has %d suppressions", r.RuleID, len(r.Suppressions))
		}
	}
	for i, want := range []string{"", "", "the wrong value is the argument x of A", "the test TestF_bug1 shows it | F is declared here | the wrong value is the element"} {
		var related []string
		for _, at := range run.Results[i].RelatedLocations {
			related = append(related, at.Message.Text)
		}
		if got := strings.Join(related, " | "); got != want {
			t.Errorf("%s is related to %q, want %q", run.Results[i].RuleID, got, want)
		}
	}
	f := run.Results[3]
	at := f.Locations[0].PhysicalLocation
	if f.RuleID != "assay/index-out-of-range" || f.Level != "error" || f.PartialFingerprints["assay/v1"] != "abc" {
		t.Errorf("the error is %+v", f)
	}
	// Byte 31 of the line is behind three letters of 2, 4 and 2 bytes.
	if at.ArtifactLocation.URI != "a%20b/p.go" || at.ArtifactLocation.URIBaseID != "SRCROOT" || at.Region.StartLine != 3 || at.Region.StartColumn != 27 {
		t.Errorf("it is at %+v", at)
	}
	var flow []string
	for _, s := range f.CodeFlows[0].ThreadFlows[0].Locations {
		flow = append(flow, s.Location.Message.Text)
	}
	if got := strings.Join(flow, " | "); got != "v0 := New(0) | v0.F() | n < 0 is false | in p.F | panics: index out of range" {
		t.Errorf("the flow is %s", got)
	}
}

// docs/findings.md describes each rule, since the file links there.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules() {
		if !strings.Contains(string(doc), "\n## "+r.kind+"\n") {
			t.Errorf("docs/findings.md has no heading %s", r.kind)
		}
	}
}
