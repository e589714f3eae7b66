package check

import (
	"context"
	"fmt"
	"maps"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// useFacts inserts the predicates of the facts of other tools into the packages, and has the verb look which packages the facts are about.
// It returns a function that says, with the first package, which facts fit none.
func useFacts(ctx context.Context, cfg *session.Config, how *Config, verb *session.Verb) (report func(*session.Session), err error) {
	facts := how.Checks.External
	var strangers []check.FactProblem
	if facts.HasPredicates() {
		if strangers, err = plantPredicates(ctx, cfg, how); err != nil {
			return nil, err
		}
	}
	if facts != nil {
		verb.Accepts = func(prog *load.Program) error {
			var paths, files []string
			for _, p := range prog.Packages {
				paths, files = append(paths, p.Path), append(files, p.GoFiles...)
			}
			strangers = append(facts.Problems(paths, files), strangers...)
			return nil
		}
	}
	return func(s *session.Session) {
		reportFacts(s, strangers)
		strangers = nil
	}, nil
}

// plantPredicates loads the packages, inserts the predicates of the facts into their files, and makes
// the changed files an overlay. It returns the facts that do not fit.
func plantPredicates(ctx context.Context, cfg *session.Config, how *Config) (misfits []check.FactProblem, err error) {
	overlay := maps.Clone(cfg.Overlay)
	if overlay == nil {
		overlay = map[string][]byte{}
	}
	how.originals = map[string][]byte{}
	look := *cfg
	look.Events = func(event.Event) {} // errors in the packages are reported when the packages are checked
	_, err = session.Each(ctx, look, session.Verb{Name: "check", RunsNothing: true, Do: func(s *session.Session) error {
		files, problems := how.Checks.External.Plant(s.Prog, s.Pkg)
		misfits = append(misfits, problems...)
		for name, planted := range files {
			before, err := s.Prog.Source(name)
			if err != nil {
				return err
			}
			how.originals[name], overlay[name] = before, planted
		}
		return nil
	}})
	cfg.Overlay = overlay
	return misfits, err
}

// shownFacts is how many wrong lines of a file of facts are reported one by one.
const shownFacts = 10

// reportFacts says which facts are left out, and why.
func reportFacts(s *session.Session, problems []check.FactProblem) {
	for i, p := range problems {
		rest := i == shownFacts && len(problems) > i+1 // one line more takes no more room than saying so
		if rest {
			p.Message = fmt.Sprintf("this line and %d others are no facts either", len(problems)-i-1)
		}
		s.Events.Send(event.Diagnostic{Pos: p.Pos, Message: p.Message + "; left out", Warning: true})
		if rest {
			return
		}
	}
}

// reportUnmade reports annotations that name assumptions which nothing in their function makes. Such an
// annotation verifies nothing. Identifiers belong to one function, because the assumption of another function
// may not have been evaluated when this one runs.
func (c *checker) reportUnmade() {
	made := make(map[string]string) // the function that makes an assumption, by the assumption's identifier
	for _, f := range c.functions() {
		for _, as := range f.Assumptions {
			if made[as.ID] == "" {
				made[as.ID] = f.Fn.Name()
			}
		}
	}
	for _, f := range c.functions() {
		for _, u := range f.Unmade {
			message := fmt.Sprintf("no assumption %s is made in %s, and nothing is verified under it", u.ID, f.Fn.Name())
			if u.ID == "" {
				message = "the identifiers of assumptions are no constants that are written here, and nothing is verified under them"
			} else if other := made[u.ID]; other != "" {
				message = fmt.Sprintf("the assumption %s is made in %s and not in %s, and nothing is verified under it: a contract takes it from one function to the other", u.ID, other, f.Fn.Name())
			}
			c.Events.Send(event.Diagnostic{Pos: c.Prog.Fset.Position(u.Pos), Message: message, Warning: true})
		}
	}
}
