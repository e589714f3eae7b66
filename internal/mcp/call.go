package mcp

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
)

// Bounds of answers.
const (
	usualLimit = 30     // entries of a list if the call names no limit
	mostLimit  = 200    // entries of a list if the call names one
	maxText    = 2_000  // bytes of a text
	maxSource  = 60_000 // bytes of all files of an answer
	mostTime   = 10 * time.Minute
)

// call is one call of a tool.
type call struct {
	server *Server
	req    *sdk.CallToolRequest
	roots  []string
	steps  float64 // how many reports of progress were sent
}

// add adds a tool to a server.
func add[In, Out any](s *Server, tool *sdk.Tool, do func(*call, context.Context, In) (Out, error)) {
	sdk.AddTool(s.sdk, tool, func(ctx context.Context, req *sdk.CallToolRequest, in In) (res *sdk.CallToolResult, out Out, err error) {
		roots, ask, err := s.roots(ctx, req)
		if ask != nil || err != nil {
			return ask, out, err
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.over, cancel)()
		select {
		case s.turns <- struct{}{}:
			defer func() { <-s.turns }()
		case <-ctx.Done():
			return nil, out, ctx.Err()
		}
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("a bug of assay's: %v", p)
			}
		}()
		out, err = do(&call{server: s, req: req, roots: roots}, ctx, in)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, out, err
	})
}

// target is the part of the arguments that every tool has: which package.
type target struct {
	Package  string `json:"package" jsonschema:"directory of the Go package, absolute or relative to the first root"`
	Function string `json:"function,omitempty" jsonschema:"work only on this function, as Func or Type.Method; on all functions of the package by default"`
	Tags     string `json:"tags,omitempty" jsonschema:"build tags, comma-separated"`
	Seconds  int    `json:"timeout_seconds,omitempty" jsonschema:"the time that the call may take; what is ready by then is returned (default 60)"`
	Limit    int    `json:"limit,omitempty" jsonschema:"how many entries a list of the answer has at most (default 30)"`
}

// limit returns how many entries lists may have.
func (t target) limit() int {
	if t.Limit <= 0 {
		return usualLimit
	}
	return min(t.Limit, mostLimit)
}

// session returns the configuration of a verb over the package of a call. Each event goes to the function
// hear.
func (c *call) session(t target, hear func(event.Event)) (session.Config, error) {
	dir, err := directory(c.roots, t.Package)
	if err != nil {
		return session.Config{}, err
	}
	cfg := c.config(t, hear)
	cfg.Dir, cfg.Patterns = dir, []string{"."}
	return cfg, nil
}

// config returns the configuration for all verbs.
func (c *call) config(t target, hear func(event.Event)) session.Config {
	cfg := session.Config{Tags: t.Tags, Seed: 1, Timeout: c.server.cfg.Timeout, Confine: c.server.cfg.Confine, Events: func(e event.Event) {
		if p, ok := e.(event.Progress); ok {
			c.progress(p)
		}
		hear(e)
	}}
	if t.Seconds > 0 {
		cfg.Timeout = min(time.Duration(t.Seconds)*time.Second, mostTime)
	}
	if t.Function != "" {
		cfg.Run = regexp.MustCompile("^" + regexp.QuoteMeta(t.Function) + "$")
	}
	return cfg
}

// progress reports progress to the client, if the client asked for reports.
func (c *call) progress(p event.Progress) {
	token := c.req.Params.GetProgressToken()
	if token == nil {
		return
	}
	c.steps++
	text := p.Stage
	if p.Total > 0 {
		text = fmt.Sprintf("%s: %d of %d functions", p.Stage, p.Done, p.Total)
	}
	if p.Tests > 0 || p.Findings > 0 {
		text += fmt.Sprintf(", %d tests, %d findings", p.Tests, p.Findings)
	}
	// If the client has left, its call is cancelled in any case.
	_ = c.req.Session.NotifyProgress(context.Background(), &sdk.ProgressNotificationParams{ProgressToken: token, Message: text, Progress: c.steps})
}

// messages collects the messages of a verb other than its answer.
type messages struct {
	texts  []string
	failed []string // messages that say why something failed
}

func (m *messages) hear(e event.Event) {
	switch e := e.(type) {
	case event.Diagnostic:
		text := e.Message
		if e.Pos.Line > 0 {
			text = e.Pos.String() + ": " + text
		}
		if !e.Warning {
			m.failed = append(m.failed, text)
		}
		m.texts = append(m.texts, clip(text))
	case event.Skip:
		name := e.Func
		if name == "" {
			name = e.Package
		}
		m.texts = append(m.texts, clip(name+": "+e.Reason))
	case event.Confinement:
		if !e.Confined {
			m.texts = append(m.texts, "the code that assay runs is not confined here: "+e.How)
		}
	}
}

// err returns the error of a verb: its own error or, if it failed without an answer, the messages that say
// why.
func (m *messages) err(res session.Result, err error, answered bool) error {
	if err != nil {
		return err
	}
	if res.Failed && !answered && len(m.failed) > 0 {
		return errors.New(strings.Join(m.failed[:min(len(m.failed), 5)], "\n"))
	}
	return nil
}

// shown returns the messages of an answer.
func (m *messages) shown(limit int) []string {
	texts, left := first(m.texts, limit)
	if left > 0 {
		texts = append(texts, fmt.Sprintf("%d more messages", left))
	}
	return texts
}

// first returns the first entries of a list, and how many are left out.
func first[T any](list []T, limit int) ([]T, int) {
	if len(list) <= limit {
		return list, 0
	}
	return list[:limit:limit], len(list) - limit
}

// clip shortens a text.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	cut := maxText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s... (%d bytes more)", s[:cut], len(s)-cut)
}

// clipAll shortens the texts of a list.
func clipAll(texts []string) []string {
	for i, s := range texts {
		texts[i] = clip(s)
	}
	texts, left := first(texts, mostLimit)
	if left > 0 {
		texts = append(texts, fmt.Sprintf("%d more", left))
	}
	return texts
}
