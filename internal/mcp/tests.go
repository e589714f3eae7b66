package mcp

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/verb/suite"
)

// defaultLines is how long a file of tests becomes.
const defaultLines = 1000

// generateQuestion holds the arguments of generate_tests.
type generateQuestion struct {
	target
	Write  bool `json:"write,omitempty" jsonschema:"write the files beside the code; otherwise they are only returned"`
	Update bool `json:"update,omitempty" jsonschema:"with write: replace earlier generated tests although the behaviour has changed"`
	Names  bool `json:"names_only,omitempty" jsonschema:"return the names of the files without their source"`
}

// generated is the answer of generate_tests.
type generated struct {
	Tests    []event.Test    `json:"tests"`
	Files    []sourceFile    `json:"files,omitempty"`
	Findings []event.Finding `json:"findings,omitempty" jsonschema:"bugs, each with the test that shows it"`
	Changed  []event.Changed `json:"changed,omitempty" jsonschema:"earlier tests that fail now: behaviour has changed"`
	Written  bool            `json:"written"`
	Coverage *float64        `json:"coverage,omitempty" jsonschema:"percent of statements, with the hand-written tests"`
	Mutants  *int            `json:"mutants,omitempty"`
	Killed   *int            `json:"killed,omitempty"`
	LeftOut  int             `json:"left_out,omitempty" jsonschema:"tests and findings beyond the limit"`
	Messages []string        `json:"messages,omitempty" jsonschema:"why functions got no test, and other messages"`
}

// sourceFile is a file of an answer.
type sourceFile struct {
	Name    string `json:"name"`
	Content string `json:"content"`
	LeftOut int    `json:"left_out,omitempty" jsonschema:"how many bytes of the content were left out because the answer would be too long"`
}

// generateTests generates tests.
func (c *call) generateTests(ctx context.Context, in generateQuestion) (generated, error) {
	var out generated
	var said messages
	var tests []event.Test
	var findings []event.Finding
	var written []event.Written
	common, err := c.session(in.target, func(e event.Event) {
		said.hear(e)
		switch e := e.(type) {
		case event.Test:
			if !e.Provisional {
				tests = append(tests, e)
			}
		case event.Finding:
			if e.Severity != testcase.Note {
				e.Calls, e.Way = clipAll(e.Calls), nil
				findings = append(findings, e)
			}
		case event.Changed:
			out.Changed = append(out.Changed, e)
		case event.Written:
			written = append(written, e)
		case event.Summary:
			if e.Package != "" {
				out.Coverage, out.Mutants, out.Killed = e.Coverage, e.Mutants, e.Killed
			}
		}
	})
	if err != nil {
		return out, err
	}
	res, err := campaign.Gen(ctx, campaign.Config{Config: common, DryRun: !in.Write, Update: in.Update, MaxLines: defaultLines, Waiting: true})
	out.Written = in.Write && err == nil && !res.Failed && len(written) > 0
	if !in.Names {
		out.Files = sources(written)
	}
	var left, leftFindings, leftChanged int
	out.Tests, left = first(tests, in.limit())
	out.Findings, leftFindings = first(findings, in.limit())
	out.Changed, leftChanged = first(out.Changed, in.limit())
	out.LeftOut = left + leftFindings + leftChanged
	out.Messages = said.shown(in.limit())
	return out, said.err(res, err, len(tests)+len(findings)+len(out.Changed) > 0)
}

// sources returns the written files, as far as an answer has room for them.
func sources(written []event.Written) []sourceFile {
	var out []sourceFile
	room := maxSource
	for _, w := range written {
		f := sourceFile{Name: w.File, Content: string(w.Content)}
		if len(f.Content) > room {
			f.LeftOut = len(f.Content) - room
			f.Content = strings.ToValidUTF8(f.Content[:room], "")
		}
		room -= len(f.Content)
		out = append(out, f)
	}
	return out
}

// gapsFound is the answer of mutation_gaps.
type gapsFound struct {
	Gaps     []event.Mutant `json:"gaps" jsonschema:"mutants that no test notices; mutants with calls that would notice them come first"`
	LeftOut  int            `json:"left_out,omitempty" jsonschema:"gaps beyond the limit"`
	Mutants  int            `json:"mutants"`
	Killed   int            `json:"killed"`
	Messages []string       `json:"messages,omitempty"`
}

// mutationGaps lists the mutants that no test notices.
func (c *call) mutationGaps(ctx context.Context, in target) (gapsFound, error) {
	var out gapsFound
	var said messages
	var with, without []event.Mutant
	answered := false
	cfg, err := c.session(in, func(e event.Event) {
		said.hear(e)
		m, ok := e.(event.Mutant)
		if !ok {
			return
		}
		answered = true
		out.Mutants++
		m.Calls, m.Without, m.With = clipAll(m.Calls), clip(m.Without), clip(m.With)
		switch {
		case m.Fate == event.Killed:
			out.Killed++
		case m.Calls != nil:
			with = append(with, m)
		default:
			without = append(without, m)
		}
	})
	if err != nil {
		return out, err
	}
	res, err := suite.Gaps(ctx, cfg)
	out.Gaps, out.LeftOut = first(append(with, without...), in.limit())
	out.Messages = said.shown(in.limit())
	return out, said.err(res, err, answered)
}

// proposal holds the arguments of verify_tests.
type proposal struct {
	target
	File    string `json:"file,omitempty" jsonschema:"name of the test file in the package's directory (default: proposed_test.go)"`
	Content string `json:"content" jsonschema:"the source of the test file"`
}

// verified is the answer of verify_tests.
type verified struct {
	event.Trial
	Passes   bool     `json:"passes" jsonschema:"it compiles, and all its tests always pass"`
	Messages []string `json:"messages,omitempty"`
}

// verifyTests judges a proposed test file.
func (c *call) verifyTests(ctx context.Context, in proposal) (verified, error) {
	var out verified
	var said messages
	cfg, err := c.session(in.target, said.hear)
	if err != nil {
		return out, err
	}
	if in.File == "" {
		in.File = "proposed_test.go"
	}
	out.Trial, err = suite.Verify(ctx, cfg, suite.Proposal{File: in.File, Content: []byte(in.Content)})
	out.Passes = err == nil && out.Trial.Passes()
	out.Problems = clipAll(out.Problems)
	for i := range out.Tests {
		out.Tests[i].Said = clip(out.Tests[i].Said)
	}
	limit := in.limit()
	for _, cut := range []func() int{
		func() (n int) { out.Outcomes, n = first(out.Outcomes, limit); return },
		func() (n int) { out.Lines, n = first(out.Lines, limit); return },
		func() (n int) { out.Adds, n = first(out.Adds, limit); return },
	} {
		if n := cut(); n > 0 {
			said.texts = append(said.texts, "a list of the answer is longer than its limit")
		}
	}
	if strings.HasSuffix(in.File, filepath.Base(files.TestSuffix)) {
		said.texts = append(said.texts, "files named *"+files.TestSuffix+" are assay's own, and are replaced; choose another name")
	}
	out.Messages = said.shown(limit)
	return out, err
}
