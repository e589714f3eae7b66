package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/native"
)

// EnumConfig says what enum enumerates.
type EnumConfig struct {
	Type         string // of the package
	Size         int    // 0 is DefaultSize
	Finitization string // a function of the package, or ""
	Skeleton     bool   // show a finitization instead of enumerating
	Part, Parts  int    // part Part, from 0, of Parts; Parts 0 is everything
	Print, Dot   bool   // show the structures, as Go or as graphs
	Paper        bool   // follow the paper's search, so that the explored candidates are its
}

// DefaultSize is the size of structures where none is given.
const DefaultSize = 4

// Enum shows all structures of a type within bounds.
func Enum(ctx context.Context, cfg Config, enum EnumConfig) (Result, error) {
	if enum.Size == 0 {
		enum.Size = DefaultSize
	}
	cfg.Static = enum.Skeleton // which takes an analysis alone
	return each(ctx, cfg, "enum", func(r *run) error { return r.enum(enum) })
}

func (r *run) enum(enum EnumConfig) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.bug(enum.Type, p)
		}
	}()
	if enum.Skeleton {
		text, err := bounded.Skeleton(r.prog, r.pkg, enum.Type)
		if err != nil {
			return r.enumError(err)
		}
		r.events.Send(event.States{Package: r.pkg.Path, Type: enum.Type, Text: text, Alone: true})
		return nil
	}
	e := bounded.Enumeration{
		Type: enum.Type, Size: enum.Size, Finitization: enum.Finitization, Part: enum.Part, Parts: enum.Parts,
		Workers: r.cfg.workers(), Tags: r.cfg.Tags, Confine: r.cfg.Confine, Paper: enum.Paper,
		Progress: func(explored, valid int64) {
			r.events.Send(event.Progress{Package: r.pkg.Path, Stage: fmt.Sprintf("%d structures, %d candidates", valid, explored)})
		},
	}
	n := 0
	if enum.Print || enum.Dot {
		e.Found = func(s *bounded.Structure) {
			n++
			ev := event.Structure{Package: r.pkg.Path, Type: enum.Type, Number: n, Go: s.Go(), Objects: s}
			if enum.Dot {
				ev.Dot = s.Dot(enum.Type + " " + strconv.Itoa(n))
			}
			r.events.Send(ev)
		}
	}
	counts, err := bounded.Enum(r.ctx, r.prog, r.pkg, e)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return r.enumError(err)
	}
	for _, l := range counts.Left {
		r.events.Send(event.Diagnostic{Message: l + "; it stays zero", Warning: true})
	}
	for _, p := range counts.Problems {
		msg := fmt.Sprintf("%s: the predicate is not sound: %s", enum.Type, p.Text)
		if p.Count > 1 {
			msg += fmt.Sprintf(" (%d candidates)", p.Count)
		}
		if p.Structure != nil {
			msg += ", first with " + oneLine(p.Structure.Go())
		}
		r.events.Send(event.Diagnostic{Pos: p.Pos, Message: msg, Warning: true})
	}
	if r.summary.Valid = &counts.Valid; counts.Lazy {
		r.summary.Paths = event.Count(int(counts.Paths))
	} else {
		r.summary.Candidates = &counts.Explored
	}
	if counts.Eager != "" {
		r.debug("stages", "%s: asked about every candidate: %s", enum.Type, counts.Eager)
	}
	if !counts.Complete {
		r.summary.LowerBound = true
		if errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
			so := fmt.Sprintf("of %d candidates so far %d are valid", counts.Explored, counts.Valid)
			if counts.Lazy {
				so = fmt.Sprintf("on %d paths so far, which stand for more candidates, %d are valid", counts.Paths, counts.Valid)
			}
			r.timedOut("not every structure was looked at: " + so)
		}
	}
	return nil
}

// enumError reports a mistake in the type or its bounds at its place.
func (r *run) enumError(err error) error {
	var e *bounded.Error
	var f native.FinitizationError
	switch {
	case errors.As(err, &e):
		r.events.Send(event.Diagnostic{Pos: e.Pos, Message: e.Message})
	case errors.As(err, &f):
		pos, msg := splitPlace(string(f))
		r.events.Send(event.Diagnostic{Pos: pos, Message: msg})
	default:
		return err
	}
	r.result.Failed = true
	return nil
}

// splitPlace takes a place off the front of a message, "file:line: message".
func splitPlace(s string) (token.Position, string) {
	place, msg, ok := strings.Cut(s, ": ")
	i := strings.LastIndexByte(place, ':')
	if !ok || i < 0 {
		return token.Position{}, s
	}
	line, err := strconv.Atoi(place[i+1:])
	if err != nil {
		return token.Position{}, s
	}
	return token.Position{Filename: place[:i], Line: line}, msg
}
