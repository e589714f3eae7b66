package session

import (
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/usage"
)

// OfVersion returns a session on another version of the package, with the same time and the same way to run
// code. Only its debugging events and reports of our bugs are passed on, because its findings, tests and
// skipped functions are about the other version. The run's sums do not include it.
func (s *Session) OfVersion(prog *load.Program, pkg *load.Package) *Session {
	events := &event.Stream{Sink: func(e event.Event) {
		switch e.(type) {
		case event.Debug, event.Diagnostic:
			s.Events.Send(e)
		}
	}}
	return &Session{
		Config: s.Config, Prog: prog, Pkg: pkg, Rules: usage.New(pkg), Effects: purity.NewWorldEffects(), Events: events, Known: s.Known,
		Ctx: s.Ctx, User: s.User, Deadline: s.Deadline,
		start: s.start, skipped: make(map[string]bool), excluded: make(map[event.Unreachable]bool),
		Summary: event.Summary{Verb: s.Summary.Verb, Package: pkg.Path}, refused: s.refused, late: true,
	}
}
