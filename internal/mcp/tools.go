package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/event"
	checkverb "github.com/goassay/assay/internal/verb/check"
	"github.com/goassay/assay/internal/verb/explore"
	"github.com/goassay/assay/internal/verb/reach"
)

// explored is the answer of explore.
type explored struct {
	Paths    []event.Path `json:"paths" jsonschema:"stop is how a path ends: return, panic, or why it was not followed"`
	LeftOut  int          `json:"left_out,omitempty" jsonschema:"paths beyond the limit"`
	Messages []string     `json:"messages,omitempty"`
}

// explore shows the paths of a function.
func (c *call) explore(ctx context.Context, in target) (explored, error) {
	var out explored
	if in.Function == "" {
		return out, errors.New("name a function, as Func or Type.Method")
	}
	var said messages
	var paths []event.Path
	cfg, err := c.session(in, func(e event.Event) {
		said.hear(e)
		if p, ok := e.(event.Path); ok {
			p.Condition, p.Setup, p.Inputs, p.Results = clip(p.Condition), clipAll(p.Setup), clipAll(p.Inputs), clipAll(p.Results)
			paths = append(paths, p)
		}
	})
	if err != nil {
		return out, err
	}
	res, err := explore.Run(ctx, cfg, explore.Config{})
	out.Paths, out.LeftOut = first(paths, in.limit())
	out.Messages = said.shown(in.limit())
	return out, said.err(res, err, len(paths) > 0)
}

// inputQuestion holds the arguments of find_input.
type inputQuestion struct {
	File     string `json:"file" jsonschema:"the Go file, absolute or relative to the first root"`
	Line     int    `json:"line,omitempty" jsonschema:"the line to reach, or at which the condition is; leave it out to ask about what a function returns"`
	Column   int    `json:"column,omitempty" jsonschema:"with outcome: the column of an operand of && or ||"`
	Outcome  string `json:"outcome,omitempty" jsonschema:"true or false: the outcome of the condition of the if or for at the line"`
	Breaks   string `json:"breaks,omitempty" jsonschema:"a Go expression that the input is to make false: at the line, over its variables; or without a line when the function returns, over its parameters, result (result0, result1, ...) and old(x)"`
	Function string `json:"function,omitempty" jsonschema:"without a line: the function, as Func or Type.Method"`
	Tags     string `json:"tags,omitempty" jsonschema:"build tags, comma-separated"`
	Seconds  int    `json:"timeout_seconds,omitempty" jsonschema:"the time that the call may take (default 60)"`
}

// findInput finds an input that reaches a place or breaks a condition.
func (c *call) findInput(ctx context.Context, in inputQuestion) (event.Input, error) {
	file, err := fileUnder(c.roots, in.File)
	if err != nil {
		return event.Input{}, err
	}
	cfg := c.config(target{Tags: in.Tags, Seconds: in.Seconds}, func(event.Event) {})
	out, err := reach.Run(ctx, cfg, reach.Question{
		File: file, Line: in.Line, Column: in.Column, Outcome: in.Outcome, Breaks: in.Breaks, Func: in.Function,
	})
	out.Call, out.Calls = clip(out.Call), clipAll(out.Calls)
	out.Way, _ = first(out.Way, usualLimit)
	return out, err
}

// checkQuestion holds the arguments of check.
type checkQuestion struct {
	target
	Static bool `json:"static,omitempty" jsonschema:"do only the static analysis: no code is executed, and no assertion is refuted"`
	Proved bool `json:"proved,omitempty" jsonschema:"also list the assertions that are proved"`
}

// checked is the answer of check.
type checked struct {
	Assertions []event.Assertion `json:"assertions" jsonschema:"the worst first: refuted, unknown, assumed"`
	LeftOut    int               `json:"left_out,omitempty" jsonschema:"assertions beyond the limit"`
	Findings   []event.Finding   `json:"findings,omitempty" jsonschema:"findings that refute no assertion"`
	Proved     int               `json:"proved"`
	Assumed    int               `json:"assumed"`
	Refuted    int               `json:"refuted"`
	Unknown    int               `json:"unknown"`
	Messages   []string          `json:"messages,omitempty"`
}

// check gives the verdicts of a package's assertions.
func (c *call) check(ctx context.Context, in checkQuestion) (checked, error) {
	var out checked
	var said messages
	var assertions []event.Assertion
	answered := false
	cfg, err := c.session(in.target, func(e event.Event) {
		said.hear(e)
		switch e := e.(type) {
		case event.Assertion:
			answered = true
			switch e.Verdict {
			case event.Proved:
				out.Proved++
			case event.AssumedOK:
				out.Assumed++
			case event.Refuted:
				out.Refuted++
			case event.Undecided:
				out.Unknown++
			}
			if e.Verdict != event.Proved || in.Proved {
				e.Calls, e.Test = clip(e.Calls), clip(e.Test)
				assertions = append(assertions, e)
			}
		case event.Finding:
			if !e.Asserted {
				e.Calls = clipAll(e.Calls)
				out.Findings = append(out.Findings, e)
			}
		}
	})
	if err != nil {
		return out, err
	}
	res, err := checkverb.Run(ctx, cfg, checkverb.Config{Guide: guide.Both, Static: in.Static})
	out.Assertions, out.LeftOut = first(assertions, in.limit())
	if findings, left := first(out.Findings, in.limit()); left > 0 {
		out.Findings = findings
		said.texts = append(said.texts, fmt.Sprintf("%d more findings", left))
	}
	out.Messages = said.shown(in.limit())
	return out, said.err(res, err, answered)
}
