package random

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// opening is a call that is tried early and is a case whatever it covers: with constants that a change of the
// package is about. What an input shows of a change is often neither a new block nor a new failure, but
// another result.
type opening struct {
	act   *action
	lits  []testcase.Literal // of the parameters, without the receiver
	given []bool             // which of lits are given; the other arguments are made as usual
	row   []string           // the texts that the other arguments may consist of
	tries int
}

// Bounds of the openings of one action and of the whole run, how often one is tried while there is no value
// for one of its arguments, and how many there are for a text that is not an argument by itself.
const (
	maxOfAction = 240
	maxOpenings = 2400
	maxTries    = 3
	indirect    = 4
)

// findOpenings lists the openings of all actions that cases are wanted of, in turn.
func (e *engine) findOpenings() {
	if e.cfg.Change == nil {
		return
	}
	var byAction [][]opening
	for _, a := range e.actions {
		if a.name != "" && a.report {
			byAction = append(byAction, e.openingsOf(a))
		}
	}
	for i := range maxOfAction {
		for _, list := range byAction {
			if i < len(list) && len(e.openings) < maxOpenings {
				e.openings = append(e.openings, list[i])
			}
		}
	}
}

// openingsOf lists the openings of one action: the calls of the tests first, then each constant for each
// parameter.
func (e *engine) openingsOf(a *action) []opening {
	var out []opening
	params := a.params
	if a.recv {
		params = params[1:]
	}
	texts, others := []int{}, a.recv
	for i, t := range params {
		switch {
		case isText(t) || gosyntax.IsBytes(t):
			texts = append(texts, i)
		case !isBasic(t):
			others = true // a text may be inside of it
		}
	}
	with := func(args []constant.Value) {
		lits, given, n := constantsFor(params, args)
		if n > 0 {
			out = append(out, opening{act: a, lits: lits, given: given})
		}
	}
	c := e.cfg.Change
	for _, args := range c.Calls[a.name] {
		with(args)
	}
	for _, args := range c.Seeds {
		with(args)
	}
	only := func(at []int, v constant.Value) {
		args := make([]constant.Value, len(params))
		for _, i := range at {
			args[i] = v
		}
		with(args)
	}
	for _, s := range c.Strings {
		v := constant.MakeString(s)
		for _, i := range texts {
			only([]int{i}, v)
		}
		if len(texts) > 1 {
			only(texts, v)
		}
		if others {
			for range indirect {
				out = append(out, opening{act: a, lits: make([]testcase.Literal, len(params)), given: make([]bool, len(params)), row: []string{s}})
			}
		}
	}
	for _, row := range c.Rows {
		if len(texts) < 2 || len(row) < len(texts) {
			continue
		}
		args := make([]constant.Value, len(params))
		for n, i := range texts {
			args[i] = constant.MakeString(row[n])
		}
		with(args)
	}
	for _, v := range slices.Concat(c.Ints, c.Floats) {
		for i, t := range params {
			if isBasic(t) && !isText(t) {
				only([]int{i}, v)
			}
		}
	}
	// What is inside of other arguments is made anew each time, so these openings are worth repeating.
	var again []opening
	for _, o := range out {
		if o.row != nil {
			again = append(again, o)
		}
	}
	for len(again) > 0 && len(out) < maxOfAction {
		out = append(out, again...)
	}
	return out[:min(len(out), maxOfAction)]
}

// argument makes the value of the i-th parameter of the action that is being added.
func (e *engine) argument(d *draft, t types.Type, i int) (testcase.Ref, bool) {
	if e.opening != nil && e.opening.into(i) && e.rnd.IntN(4) > 0 {
		return e.into(d, t), true
	}
	return e.value(d, t, 0)
}

// into reports whether the opening's action decodes into its i-th parameter: the last one that may be anything.
func (o *opening) into(i int) bool {
	params := o.act.params
	return decodes(o.act.name) && gosyntax.IsAny(params[i]) && !slices.ContainsFunc(params[i+1:], gosyntax.IsAny)
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// constantsFor returns constants as literals for parameters, which of them fit, and how many do. A constant
// may be nil.
func constantsFor(params []types.Type, args []constant.Value) ([]testcase.Literal, []bool, int) {
	if len(args) != len(params) {
		return nil, nil, 0
	}
	lits := make([]testcase.Literal, len(args))
	given := make([]bool, len(args))
	n := 0
	for i, v := range args {
		if v == nil {
			continue
		}
		if gosyntax.IsBytes(params[i]) {
			lits[i], given[i] = testcase.ConstantLiteral(v, types.Typ[types.String])
		} else {
			lits[i], given[i] = testcase.ConstantLiteral(v, params[i])
		}
		if given[i] {
			n++
		}
	}
	return lits, given, n
}

// open makes the sequence of the next opening, and notes it as a case. The sequence is nil if there is no
// value for one of its arguments yet.
func (e *engine) open() trial {
	o := e.openings[0]
	e.openings = e.openings[1:]
	if o.act.slow > 1 {
		return trial{} // the action hangs or ends the process too often
	}
	d := &draft{}
	e.row, e.opening = o.row, &o
	defer func() { e.row, e.opening = nil, nil }()
	if !e.act(d, o.act, nil) {
		if o.tries++; o.tries < maxTries {
			e.openings = append(e.openings, o)
		}
		return trial{}
	}
	t := trial{seq: testcase.NewSequence(d.stmts...), steps: []step{{len(d.stmts) - 1, o.act}}, used: d.in}
	e.res.Opened = append(e.res.Opened, &testcase.Case{Package: e.pkg.Path, Target: o.act.name, Engine: "random", Seq: t.seq})
	return t
}

// ofChange returns the constants of the change that the package has undergone, for one hint in three, or nil.
func (e *engine) ofChange() *load.Literals {
	if c := e.cfg.Change; c != nil && len(c.Strings)+len(c.Ints) > 0 && e.rnd.IntN(3) == 0 {
		return c
	}
	return nil
}
