package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/purity"
)

// confinement decides which packages may be run, and how they are confined.
type confinement struct {
	mode   guard.Mode // the mode that the user chose
	runs   bool       // whether any code is run
	report guard.Report
}

// newConfinement finds out once for all packages whether this system can confine a process. It warns if the
// system cannot, or if the user has turned confinement off. It returns an error if confinement was asked for
// and is not possible. For verbs that run nothing it does nothing.
func newConfinement(ctx context.Context, cfg Config, runs bool, ev *event.Stream) (confinement, error) {
	c := confinement{mode: cfg.Confine, runs: runs}
	if _, dropped := guard.GoEnv(nil); len(dropped) > 0 {
		ev.Send(event.Diagnostic{Warning: true, Message: fmt.Sprintf("GOFLAGS: %s not used, so that building a package runs none of its code", isOrAre(dropped))})
	}
	if !runs {
		return c, nil
	}
	said := event.Confinement{How: "-confine=off was given", Mode: c.mode.String()}
	if c.mode != guard.Off {
		var err error
		if c.report, err = guard.Probe(ctx); err != nil {
			return c, err
		}
		said.Confined, said.How = c.report.Confined, c.report.How
	}
	ev.Send(said)
	if c.mode == guard.Require && !c.report.Confined {
		return c, fmt.Errorf("-confine=require: this system cannot confine what assay runs: %s", c.report.How)
	}
	return c, nil
}

func isOrAre(words []string) string {
	verb := " is"
	if len(words) > 1 {
		verb = " are"
	}
	return strings.Join(words, " ") + verb
}

// of returns how the code of a package is run: confined, or free. If the code must not be run at all, it
// returns the reason.
func (c confinement) of(prog *load.Program, pkg *load.Package) (mode guard.Mode, refused string) {
	if c.mode == guard.Off || !c.runs {
		return guard.Off, ""
	}
	if c.report.Confined {
		return guard.Require, ""
	}
	if len(pkg.Errors) > 0 {
		return guard.Off, "" // the package does not compile, so it does not run
	}
	if how := purity.Outside(prog, pkg); how != "" {
		return guard.Off, "it may reach files, processes or the network (" + how + "), and nothing confines it here; -confine=off runs it all the same"
	}
	return guard.Off, ""
}

// Policy returns what a test binary of the package may do while assay runs it. The parameter write is a
// directory for the binary's files.
func (s *Session) Policy(write string) guard.Policy {
	return guard.Policy{Mode: s.Config.Confine, Read: s.Prog.Readable(s.Pkg), Write: []string{write}}
}
