// Package enum is the verb enum: it shows or counts all structures of a type within bounds. Package
// bounded does the search.
//
//  1. Run enumerates the structures in each package that has the type.
//  2. show sends each structure as an event, and reports where the predicate is not sound and
//     what was left out.
package enum

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
	"github.com/goassay/assay/internal/session"
)

// Config says what to enumerate.
type Config struct {
	Type         string // the name of a type of the package
	Size         int    // 0 means DefaultSize
	Finitization string // the name of a function of the package, or ""
	Skeleton     bool   // show a finitization instead of enumerating
	Part, Parts  int    // part Part, from 0, of Parts; Parts 0 is everything
	Print, Dot   bool   // show the structures, as Go or as graphs
	Draw         bool   // send the first structures as drawings, too
	Paper        bool   // explore the candidates in the way of the paper, so that their number is that of the paper
}

// mostDrawn is how many structures are drawn.
const mostDrawn = 200

// DefaultSize is the size of structures if none is given.
const DefaultSize = 4

// Run shows all structures of a type within bounds.
func Run(ctx context.Context, cfg session.Config, enum Config) (session.Result, error) {
	if enum.Size == 0 {
		enum.Size = DefaultSize
	}
	return session.Each(ctx, cfg, session.Verb{Name: "enum", RunsNothing: enum.Skeleton, Do: func(s *session.Session) error { return show(s, enum) }})
}

// Package does the work on one package.
func Package(s *session.Session, enum Config) error { return show(s, enum) }

// show enumerates the structures of the type in one package, or shows its bounds.
func show(s *session.Session, enum Config) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.ReportBug(enum.Type, p)
		}
	}()
	if enum.Skeleton {
		text, err := bounded.Skeleton(s.Prog, s.Pkg, enum.Type)
		if err != nil {
			return reportMistake(s, err)
		}
		s.Events.Send(event.States{Package: s.Pkg.Path, Type: enum.Type, Text: text, Alone: true})
		return nil
	}
	e := bounded.Enumeration{
		Type: enum.Type, Size: enum.Size, Finitization: enum.Finitization, Part: enum.Part, Parts: enum.Parts,
		Workers: s.Config.WorkerCount(), Tags: s.Config.Tags, Confine: s.Config.Confine, Paper: enum.Paper,
		Progress: func(explored, valid int64) {
			s.Events.Send(event.Progress{Package: s.Pkg.Path, Stage: fmt.Sprintf("%d structures, %d candidates", valid, explored)})
		},
	}
	n := 0
	if enum.Print || enum.Dot || enum.Draw {
		e.Found = func(b *bounded.Structure) {
			n++
			title := enum.Type + " " + strconv.Itoa(n)
			if enum.Draw && n <= mostDrawn {
				s.Events.Send(event.Drawn{Package: s.Pkg.Path, Kind: "structures", Title: title, Graph: b.Drawing(title)})
			}
			if !enum.Print && !enum.Dot {
				return
			}
			ev := event.Structure{Package: s.Pkg.Path, Type: enum.Type, Number: n, Go: b.Go(), Objects: b}
			if enum.Dot {
				ev.Dot = b.Drawing(title).Records()
			}
			s.Events.Send(ev)
		}
	}
	counts, err := bounded.Enum(s.Ctx, s.Prog, s.Pkg, e)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return reportMistake(s, err)
	}
	for _, l := range counts.Left {
		s.Events.Send(event.Diagnostic{Message: l + "; it stays zero", Warning: true})
	}
	for _, p := range counts.Problems {
		msg := fmt.Sprintf("%s: the predicate is not sound: %s", enum.Type, p.Text)
		if p.Count > 1 {
			msg += fmt.Sprintf(" (%d candidates)", p.Count)
		}
		if p.Structure != nil {
			msg += ", first with " + session.OneLine(p.Structure.Go())
		}
		s.Events.Send(event.Diagnostic{Pos: p.Pos, Message: msg, Warning: true})
	}
	if counts.Space != nil && !enum.Dot {
		s.Events.Send(spaceEvent(s.Pkg.Path, enum.Type, counts.Space))
	}
	if s.Summary.Valid = &counts.Valid; counts.Lazy {
		s.Summary.Paths = event.Count(int(counts.Paths))
	} else {
		s.Summary.Candidates = &counts.Explored
	}
	if counts.Eager != "" {
		s.Debug("stages", "%s: asked about every candidate: %s", enum.Type, counts.Eager)
	}
	if !counts.Complete {
		s.Summary.LowerBound = true
		if errors.Is(s.Ctx.Err(), context.DeadlineExceeded) {
			so := fmt.Sprintf("of %d candidates so far %d are valid", counts.Explored, counts.Valid)
			if counts.Lazy {
				so = fmt.Sprintf("on %d paths so far, which stand for more candidates, %d are valid", counts.Paths, counts.Valid)
			}
			s.TimedOut("not every structure was looked at: " + so)
		}
	}
	return nil
}

// spaceEvent returns the event that shows a state space.
func spaceEvent(pkg, typ string, space *bounded.Space) event.Space {
	ev := event.Space{Package: pkg, Type: typ, Candidates: space.Size.String()}
	for _, f := range space.Fields {
		ev.Fields = append(ev.Fields, event.SpaceField{Type: f.Type, Objects: f.Objects, Field: f.Name, Values: f.Values, Read: f.Read})
	}
	return ev
}

// reportMistake reports a mistake in the type or its bounds at its place.
func reportMistake(s *session.Session, err error) error {
	var e *bounded.Error
	var f native.FinitizationError
	switch {
	case errors.As(err, &e):
		s.Events.Send(event.Diagnostic{Pos: e.Pos, Message: e.Message})
	case errors.As(err, &f):
		pos, msg := splitPlace(string(f))
		s.Events.Send(event.Diagnostic{Pos: pos, Message: msg})
	default:
		return err
	}
	s.Result.Failed = true
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
