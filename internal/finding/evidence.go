package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file grades findings that no rule excuses, and says why a maintainer would fix the code.

// ofData is the last rule. It applies if the case does only what a user may do.
func (g *grading) ofData() *grade {
	evidence, rank := g.reason()
	severity, excuse := g.blame()
	g.chosen = excuse != ""
	return &grade{severity, "", evidence + excuse, rank}
}

// reason returns the strongest evidence that the code is wrong.
func (g *grading) reason() (string, int) {
	o, a, name := g.c.Observed, g.approach, g.target.Name
	if strings.HasPrefix(o.Violated, "assert") {
		return "the code itself asserts what " + g.approachText() + " breaks", usage.Declared
	}
	if o.Violated != "" {
		return "the code declares " + strings.TrimPrefix(o.Violated, "contract ") + ", and " + g.approachText() + " breaks it", usage.Declared
	}
	if o.Status == testcase.Returned {
		if predicate := brokenAfter(g.c); predicate != "" { // the case asks it as its last call
			return "the code declares " + predicate + ", and " + g.approachText() + " breaks it", usage.Declared
		}
	}
	fn := g.target.Obj
	if said := g.rules.DeniesPanic(fn); said != "" && o.Status == testcase.Panicked {
		return "the documentation says " + said, usage.Declared
	}
	if a.ready.Allowed && a.ready.Rank >= usage.Shown {
		return a.ready.Evidence + ", and " + name + " " + g.failureText() + " on it", a.ready.Rank
	}
	if a.ready.Evidence != "" && !a.ready.Allowed {
		return a.ready.Evidence, a.ready.Rank
	}
	data, refuses := usage.Data(fn), g.rules.SaysNo(fn)
	if !g.passesData() {
		data = "" // of texts that the function may be passed nothing is shown
	}
	switch {
	case data != "" && refuses.Allowed:
		return fmt.Sprintf("%s takes any %s, %s for what it refuses, and its documentation announces no panic", name, data, strings.TrimPrefix(refuses.Evidence, name+" ")), usage.Shown
	case data != "":
		return fmt.Sprintf("%s takes any %s, and its documentation excludes none", name, data), usage.Usual
	}
	for _, origin := range g.origins {
		if origin.Field == nil {
			continue
		}
		if word := g.rules.Checks(fn, origin.Field); word.Allowed {
			return word.Evidence, word.Rank
		}
	}
	if refuses.Allowed {
		return fmt.Sprintf("%s, but here it %s", refuses.Evidence, g.failureText()), refuses.Rank
	}
	if a.ready.Allowed {
		return a.ready.Evidence + ", and " + name + " " + g.failureText() + " on it", a.ready.Rank
	}
	if from := g.makerName(); from != "" {
		return fmt.Sprintf("what %s makes is used through exported functions only, and the documentation of %s excludes nothing", from, name), usage.Usual
	}
	return fmt.Sprintf("the arguments are plain values, and the documentation of %s excludes none", name), usage.Usual
}

// passesData reports whether the case's own call is passed a text or bytes: of a variadic parameter there may be none.
func (g *grading) passesData() bool {
	st := g.c.Seq.At(g.c.TargetStmt())
	ts := g.c.Seq.ResultTypes()
	return slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return usage.IsData(ts[a.Stmt][a.Result]) })
}

// approachText describes in a few words how a case comes to the failure.
func (g *grading) approachText() string {
	if data := usage.Data(g.target.Obj); data != "" {
		return data + " passed to " + g.target.Name
	}
	if from := g.makerName(); from != "" {
		return "a call of " + g.target.Name + " on what " + from + " makes"
	}
	return "a call of " + g.target.Name + " with plain values"
}

// failureText describes the failure as a verb.
func (g *grading) failureText() string {
	switch g.kind {
	case "hang", "deadlock":
		return "does not return"
	case "fatal", "stack-overflow":
		return "crashes the process"
	}
	return "panics"
}

// makerName returns the function of the package that made the object of the last call, or "" if no function
// did.
func (g *grading) makerName() string {
	last := g.c.Seq.Last()
	if len(last.Args) == 0 {
		return ""
	}
	op := g.c.Seq.At(last.Args[0].Stmt).Op
	if op.Kind != testcase.OpFunc || op.Func.Pkg() != g.rules.Pkg.Types {
		return ""
	}
	if named := load.NamedOf(op.Func.Signature().Results().At(0).Type()); named == nil {
		return ""
	}
	return testcase.TargetName(op.Func)
}
