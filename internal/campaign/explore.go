package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Explore shows every path of the functions that cfg names, as the machine sees them;
// nothing is run natively and nothing is written.
func Explore(ctx context.Context, cfg Config) (Result, error) {
	return each(ctx, cfg, "explore", (*run).explore)
}

func (r *run) explore() error {
	if r.cfg.Type != "" {
		return r.exploreStates()
	}
	es, err := engines([]string{"symbolic"})
	if err != nil {
		return err
	}
	exported, inside := r.selectTargets()
	targets := append(exported, inside...)
	r.summary.Functions = event.Count(len(targets))
	xs := r.exploreTargets(r.ctx, es, targets, func(*testcase.Case) {}, func(done int) {
		r.events.Send(event.Progress{Package: r.pkg.Path, Stage: "exploring", Done: done, Total: len(targets)})
	})
	paths, findings := 0, 0
	for _, x := range xs {
		r.account(x)
		if r.cfg.Count {
			paths += x.effort.paths
			r.events.Send(event.States{Package: r.pkg.Path, Type: x.target.String(), Text: countText(x)})
		} else if x.effort.cut && x.err == nil {
			r.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s: not every path is shown: %d were followed", r.pkg.Path, x.target, x.effort.paths), Warning: true})
		}
		for _, c := range byDecisions(x.cases, 0) {
			paths++
			p := r.pathEvent(x.target.String(), c)
			if c.Predicted != nil && c.Predicted.Status == testcase.Panicked && c.Predicted.Panic != nil && c.Predicted.Panic.Kind != "explicit" {
				findings++
			}
			r.events.Send(p)
		}
		if x.err != nil {
			var bug *bugError
			if !errors.As(x.err, &bug) && x.err != context.DeadlineExceeded && x.err != context.Canceled {
				r.skip(x.target.String(), oneLine(x.err.Error()))
			}
		} else if x.effort.skip != "" {
			r.skip(x.target.String(), x.effort.skip)
		}
	}
	r.sayUnreachable(nil, nil)
	r.summary.Paths = event.Count(paths)
	r.result.ErrorFindings = findings
	if r.ctx.Err() == context.DeadlineExceeded {
		r.timedOut("not every path was explored")
	}
	return nil
}

// byDecisions orders paths as a reader follows the source: those that decide alike are
// together, where a condition holds before where it does not. Their first n decisions are the
// same.
func byDecisions(paths []*testcase.Case, n int) []*testcase.Case {
	if len(paths) < 2 {
		return paths
	}
	var ended []*testcase.Case
	var conditions []string
	sides := make(map[string]*[2][]*testcase.Case)
	for _, c := range paths {
		if len(c.Path) == n {
			ended = append(ended, c)
			continue
		}
		d := c.Path[n]
		if sides[d.Text] == nil {
			sides[d.Text] = new([2][]*testcase.Case)
			conditions = append(conditions, d.Text)
		}
		side := 0
		if !d.True {
			side = 1
		}
		sides[d.Text][side] = append(sides[d.Text][side], c)
	}
	for _, text := range conditions {
		for _, side := range sides[text] {
			ended = append(ended, byDecisions(side, n+1)...)
		}
	}
	return ended
}

// pathEvent describes a path in terms of the source.
func (r *run) pathEvent(fn string, c *testcase.Case) event.Path {
	p := event.Path{Package: r.pkg.Path, Func: fn, Stop: c.Stop, Inputs: []string{}}
	var conditions []string
	for _, d := range c.Path {
		text := d.Text
		if !d.True {
			text = "!(" + text + ")"
		}
		if len(conditions) == 0 || conditions[len(conditions)-1] != text {
			conditions = append(conditions, text)
		}
	}
	p.Condition = strings.Join(conditions, " && ")
	last := c.Seq.Last()
	for _, a := range last.Args {
		p.Inputs = append(p.Inputs, inputText(c.Seq, a, r.pkg.Types))
	}
	if o := c.Predicted; o != nil {
		switch {
		case o.Panic != nil:
			p.Results = []string{o.Panic.Message}
		case len(o.Results) == c.Seq.Len():
			for _, v := range o.Results[len(o.Results)-1] {
				p.Results = append(p.Results, v.String())
			}
		}
	}
	return p
}

// inputText shows how an input is made, in a form close to Go.
func inputText(seq *testcase.Sequence, ref testcase.Ref, pkg *types.Package) string {
	st := seq.At(ref.Stmt)
	args := make([]string, len(st.Args))
	for i, a := range st.Args {
		args[i] = inputText(seq, a, pkg)
	}
	op := st.Op
	list := strings.Join(args, ", ")
	typ := func() string { return types.TypeString(op.Type, types.RelativeTo(pkg)) }
	switch op.Kind {
	case testcase.OpLiteral:
		return op.Lit.String()
	case testcase.OpZero:
		switch op.Type.Underlying().(type) {
		case *types.Struct, *types.Array:
			return typ() + "{}"
		}
		return zeroText(op.Type)
	case testcase.OpComposite:
		return typ() + "{" + strings.Join(elementTexts(op, args), ", ") + "}"
	case testcase.OpAddr:
		return "&" + list
	case testcase.OpFunc:
		return op.Func.Name() + "(" + list + ")"
	case testcase.OpMethod:
		return args[0] + "." + op.Func.Name() + "(" + strings.Join(args[1:], ", ") + ")"
	case testcase.OpConvert:
		return typ() + "(" + list + ")"
	case testcase.OpDeref:
		return "*" + list
	}
	return fmt.Sprintf("%s(%s)", op.Kind, list)
}

// maxFill is how many entries that only fill a map are shown one by one.
const maxFill = 8

// elementTexts shows the elements of a composite as a literal of Go does: fields by name,
// entries by key, elements by index where some before them are zero. Of many entries that
// are there for a map's size the first and the last are shown.
func elementTexts(op *testcase.Operation, args []string) []string {
	var out []string
	at := func(i int) int {
		if op.Elems != nil {
			return op.Elems[i]
		}
		return i
	}
	switch t := op.Type.Underlying().(type) {
	case *types.Struct:
		for i, a := range args {
			out = append(out, t.Field(at(i)).Name()+": "+a)
		}
	case *types.Map:
		for i := 0; i+1 < len(args); i += 2 {
			out = append(out, args[i]+": "+args[i+1])
		}
		zero := zeroText(t.Elem())
		for i := range op.N {
			if op.N > maxFill && i >= maxFill/2 && i < op.N-1 {
				if i == maxFill/2 {
					out = append(out, "...")
				}
				continue
			}
			key, _ := testcase.FillKey(t.Key(), op.From+i)
			out = append(out, key.String()+": "+zero)
		}
	default:
		next := 0
		for i, a := range args {
			if at(i) != next {
				a = fmt.Sprintf("%d: %s", at(i), a)
			}
			out = append(out, a)
			next = at(i) + 1
		}
		if s, ok := t.(*types.Slice); ok && op.N > next {
			out = append(out, fmt.Sprintf("%d: %s", op.N-1, zeroText(s.Elem())))
		}
	}
	return out
}

// zeroText is the zero value of a type in source.
func zeroText(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		}
	case *types.Struct, *types.Array:
		return "{}"
	}
	return "nil"
}

// countText says how many paths a function has and how they ended.
func countText(x explored) string {
	var ends []string
	for _, stop := range sortedKeys(x.effort.stops) {
		ends = append(ends, fmt.Sprintf("%d %s", x.effort.stops[stop], stop))
	}
	more := ""
	if x.effort.cut {
		more = ", and more that were not followed"
	}
	return fmt.Sprintf("%s: %d paths (%s)%s\n", x.target, x.effort.paths, strings.Join(ends, ", "), more)
}

// account adds what was spent on a target to the summary.
func (r *run) account(x explored) {
	event.AddTo(&r.summary.States, &x.effort.states)
	event.AddTo(&r.summary.Instructions, &x.effort.instructions)
	event.AddTo(&r.summary.Queries, &x.effort.queries)
	solver := x.effort.solver.Seconds()
	event.AddTo(&r.summary.SolverS, &solver)
	r.summary.AddStops(x.effort.stops)
	for _, stop := range sortedKeys(x.effort.stops) {
		r.debug("states", "%s: %s %d", x.target, stop, x.effort.stops[stop])
	}
	if x.effort.layers.Questions > 0 {
		r.summary.AddSolver(x.effort.layers)
		r.debug("stats", "%s: %d paths, %d instructions, %s", x.target, x.effort.paths, x.effort.instructions, x.effort.layers)
		if n := x.effort.layers.DroppedSoft; n > 0 {
			r.debug("states", "%s: soft constraints dropped %d", x.target, n)
		}
		if n := x.effort.layers.DroppedAssumptions; n > 0 {
			r.debug("states", "%s: assumptions dropped %d", x.target, n)
		}
	}
	for _, e := range x.effort.excluded {
		u := event.Unreachable{Package: r.pkg.Path, Func: x.target.String(), Pos: e.Pos.String(), Condition: e.Condition, Proved: e.Proved}
		if !r.excluded[u] { // a function may be explored more than once
			r.excluded[u] = true
			r.unreachable = append(r.unreachable, u)
		}
	}
}

// sayUnreachable says which outcomes of conditions the assumptions exclude, and no
// execution came to all the same: of another function, say.
func (r *run) sayUnreachable(blocks []native.Block, cover testcase.Cover) {
	for _, u := range r.unreachable {
		reached := false
		for i, b := range blocks {
			text := b.Text
			if !b.Value {
				text = "!(" + text + ")"
			}
			reached = reached || b.Text != "" && cover.Has(i) && b.Pos.String() == u.Pos && text == u.Condition
		}
		if !reached {
			r.events.Send(u)
		}
	}
	r.unreachable = nil
}
