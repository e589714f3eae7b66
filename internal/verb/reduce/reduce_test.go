package reduce

import (
	"bytes"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/reduce/source"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

var update = flag.Bool("update", false, "rewrite what is expected in testdata")

// TestReduce reduces files of earlier runs, and compares the messages and the remaining files. A second run
// has nothing to remove, and a file that somebody has edited is refused.
func TestReduce(t *testing.T) {
	const file = "testdata/reduce.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var names []string
	n := 0
	for i, f := range ar.Files {
		if f.Name == "said" {
			break
		}
		n = i + 1
		content := f.Data
		name := filepath.Join(dir, f.Name)
		if strings.HasSuffix(name, "_test.go") {
			content = testfile.Seal(content)
			names = append(names, name)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said := func(dryRun bool) string {
		var b strings.Builder
		res, err := Run(t.Context(), session.Config{Timeout: time.Hour, Events: func(e event.Event) {
			switch e := e.(type) {
			case event.Reduced:
				fmt.Fprintf(&b, "%s %d: %s\n", e.Test, e.Row, e.Reason)
			case event.Diagnostic:
				fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(e.Message, dir, ""))
			case event.Summary:
				if e.Package != "" {
					fmt.Fprintf(&b, "%d tests, %.1f %%, %d of %d mutants, %d findings\n", *e.Tests, *e.Coverage, *e.Killed, *e.Mutants, *e.Findings)
				}
			}
		}}, names, dryRun)
		if err != nil {
			t.Fatal(err)
		}
		if res.Failed {
			fmt.Fprintln(&b, "failed")
		}
		return b.String()
	}
	first := said(true)
	if second := said(false); second != first {
		t.Errorf("-n says\n%s\nbut what is done is\n%s", first, second)
	}
	got := &txtar.Archive{Comment: ar.Comment, Files: append(ar.Files[:n:n], txtar.File{Name: "said", Data: []byte(first)})}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got.Files = append(got.Files, txtar.File{Name: "left " + filepath.Base(name), Data: text(content)})
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(txtar.Format(got), want) {
		if !*update {
			t.Fatalf("got\n%s\nwant\n%s", txtar.Format(got), want)
		}
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if again := said(false); strings.Contains(again, ":") {
		t.Errorf("reduced once more:\n%s", again)
	}
	content, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names[0], append(content, "\n// by hand\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if res, err := Run(t.Context(), session.Config{}, names, false); err == nil && !res.Failed {
		t.Error("a file that was edited is not refused")
	}
}

// Two panics with the same message are one cause only if they happen in the same place.
func TestCauseOf(t *testing.T) {
	at := func(fn string, line int) *testcase.Outcome {
		frame := testcase.Frame{Func: fn, Pos: token.Position{Line: line}}
		return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Message: "integer divide by zero", Stack: []testcase.Frame{frame}}}
	}
	if causeOf(at("m.Mean", 3), source.Part{}) == causeOf(at("m.Share", 3), source.Part{}) {
		t.Error("panics in two functions have one cause")
	}
	first, second := at("m.Mean", 3), at("m.Mean", 3)
	if causeOf(first, source.Part{}) != causeOf(second, source.Part{}) {
		t.Error("a panic in one place has two causes")
	}
}
