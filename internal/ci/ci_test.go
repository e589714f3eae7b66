package ci

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

func one(n int) *int { return &n }

// events has an event of every form that is shown.
func events(root string) []event.Event {
	p := filepath.Join(root, "p.go")
	score := 62.5
	return []event.Event{
		event.Test{Package: "m/p", Func: "F", Provisional: true},
		event.Test{Package: "m/p", Func: "F", Name: "TestF", File: filepath.Join(root, "p_assay_test.go")},
		event.Finding{Package: "m/p", Func: "F", Kind: "hang", Severity: testcase.Error, Message: "hangs: 100%,\nreally <b>|", Pos: p + ":3:7", Calls: []string{"v := New()", "v.F()"}, Test: "TestF_bug1", Evidence: "nobody says so"},
		event.Finding{Package: "m/p", Func: "G", Kind: "other", Severity: testcase.Warning, Message: "panics", Pos: "/elsewhere/q.go:1"},
		event.Finding{Package: "m/p", Func: "Q", Kind: "questionable", Severity: testcase.Note, Message: "returns -1", Pos: p + ":1"},
		event.Changed{Package: "m/p", Func: "H", Test: "TestH", File: filepath.Join(root, "p_assay_test.go"), Call: "H(1)", Before: "1", After: "2"},
		event.Skip{Package: "m/p", Func: "I", Reason: "it waits"},
		event.Assertion{Package: "m/p", Func: "J", Pos: p + ":9:1", Verdict: event.Undecided, Text: "i < n", Bound: "a loop"},
		event.Assertion{Package: "m/p", Func: "J", Pos: p + ":9:1", Verdict: event.Proved, Text: "n != nil"},
		event.Diagnostic{Pos: token.Position{Filename: p, Line: 2}, Message: "undefined: x"},
		event.Diagnostic{Message: "a word", Warning: true},
		event.Coverage{Package: "m/p", Blocks: []event.Block{{File: p, Line: 1, Column: 2, EndLine: 3, EndColumn: 4, Stmts: 5, Covered: true}, {File: p, Line: 4, Column: 1, EndLine: 4, EndColumn: 9, Stmts: 1}}},
		event.Summary{Verb: "gen", Package: "m/p", Functions: one(4), Tests: one(1), Findings: one(2), Mutation: &score, ElapsedS: 1.5},
		event.Summary{Verb: "gen", Functions: one(4), ElapsedS: 1.5},
	}
}

func TestGitHub(t *testing.T) {
	root := t.TempDir()
	var out, summary bytes.Buffer
	g := NewGitHub(&out, root)
	for _, e := range events(root) {
		g.Event(e)
	}
	if err := g.Write(&summary); err != nil {
		t.Fatal(err)
	}
	want := `::error file=p.go,line=3,col=7,title=hang::F hangs: 100%25,%0Areally <b>|%0Av := New()%0Av.F()%0Anobody says so
::warning file=/elsewhere/q.go,line=1,title=other::G panics
::error file=p_assay_test.go,title=behaviour has changed::TestH H(1) is 2, was 1
::error file=p.go,line=2,title=assay::undefined: x
`
	if got := out.String(); got != want {
		t.Errorf("annotations:\n%s\nwant:\n%s", got, want)
	}
	for _, want := range []string{
		"## assay gen\n", "| m/p | 4 | 1 | 2 |  | 62.5 % | 1.5 |", "<details><summary>m/p: 2 findings, 1 changes</summary>",
		"- **error** `p.go:3` F hangs: 100%, really &lt;b>\\|; nobody says so (`TestF_bug1`)\n\n  ```go\n  v := New()\n  v.F()\n  ```\n",
		"- behaviour of H has changed: `H(1) is 2, was 1` (`TestH`)", "- p.go:2: undefined: x",
	} {
		if !strings.Contains(summary.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary.String())
		}
	}
}

// If there are more findings than GitHub shows, the rest is counted.
func TestGitHubIsBounded(t *testing.T) {
	var out, summary bytes.Buffer
	g := NewGitHub(&out, "/w")
	for p := range 300 {
		pkg := fmt.Sprintf("m/%d", p)
		for i := range 100 {
			g.Event(event.Finding{Package: pkg, Func: "F", Severity: testcase.Error, Message: strings.Repeat("long ", 50), Pos: fmt.Sprintf("/w/p.go:%d", i+1)})
		}
		g.Event(event.Summary{Package: pkg})
	}
	if err := g.Write(&summary); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "::error "); n != maxAnnotations || !strings.Contains(out.String(), "::29990 more of level error") {
		t.Errorf("%d annotations:\n%s", n, out.String())
	}
	if n := summary.Len(); n > 1<<20 || n < maxSummary-1000 || !strings.Contains(summary.String(), "100 more packages") || !strings.Contains(summary.String(), "- and 50 more") || !strings.Contains(summary.String(), "The rest is left out") {
		t.Errorf("a summary of %d bytes", n)
	}
}

func TestJUnit(t *testing.T) {
	root := t.TempDir()
	var j JUnit
	for _, e := range events(root) {
		j.Event(e)
	}
	j.Event(event.Finding{Package: "m/p", Func: "K", Kind: "other", Severity: testcase.Error, Message: "panics: \x00\xff]]>"})
	var b bytes.Buffer
	if err := j.Write(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Name    string `xml:"name,attr"`
			Skipped int    `xml:"skipped,attr"`
			Time    string `xml:"time,attr"`
			Cases   []struct {
				Name string `xml:"name,attr"`
				Out  string `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if got.Tests != 8 || got.Failures != 4 || got.Errors != 1 || len(got.Suites) != 2 || got.Suites[0].Skipped != 1 || got.Suites[0].Time != "1.500" {
		t.Errorf("%+v\n%s", got, b.String())
	}
	var names []string
	for _, c := range got.Suites[0].Cases {
		names = append(names, c.Name)
	}
	if text := strings.Join(names, ", "); !strings.HasPrefix(text, "TestF, TestF_bug1, G: other at /elsewhere/q.go:1, TestH, I, check J, ") {
		t.Errorf("cases %s", text)
	}
	if out := got.Suites[0].Cases[5].Out; !strings.Contains(out, "unknown: i < n (a loop)") || strings.Contains(out, "proved") {
		t.Errorf("J says %q", out)
	}
}

// go tool cover reads the profile.
func TestProfile(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "p.go": "package m\n\nfunc F() {\n}\n\nfunc G() {\n}\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var p Profile
	file := filepath.Join(root, "p.go")
	p.Event(event.Coverage{Package: "m", Blocks: []event.Block{
		{File: file, Line: 3, Column: 10, EndLine: 4, EndColumn: 2, Stmts: 3, Covered: true}, {File: file, Line: 6, Column: 10, EndLine: 7, EndColumn: 2, Stmts: 1},
	}})
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "c.out"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "cover", "-func=c.out")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "75.0%") {
		t.Errorf("%v\n%s", err, out)
	}
}
