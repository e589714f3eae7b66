package random

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// draft is a sequence in the making.
type draft struct {
	stmts []testcase.Statement
	in    []inclusion // the sequences of the pool that it includes
	slots []slot      // results of calls
	paths []ownPath   // files and directories that it has made
	self  slot        // the receiver of the action that is being added; its type is nil if there is no receiver
}

// inclusion is a sequence of the pool that is in another one from a statement on.
type inclusion struct {
	seq *made
	at  int
}

// slot is a result of a call in a draft.
type slot struct {
	ref testcase.Ref
	typ types.Type
}

// appendSlots appends the results of statement i, if it is a call, that later statements may want as
// arguments.
func (e *engine) appendSlots(slots []slot, op *testcase.Operation, i int) []slot {
	if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod {
		return slots
	}
	for r, t := range e.resultsOf(op) {
		switch t.Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Struct:
			if !gosyntax.IsError(t) {
				slots = append(slots, slot{testcase.Ref{Stmt: i, Result: r}, t})
			}
		}
	}
	return slots
}

// resultsOf returns the types of the results of a call of a function or method.
func (e *engine) resultsOf(op *testcase.Operation) []types.Type {
	rs, ok := e.resultTypes[op]
	if !ok {
		rs = op.Results(nil)
		e.resultTypes[op] = rs
	}
	return rs
}

// pooled returns a sequence for the pool.
func (e *engine) pooled(s *testcase.Sequence) *made {
	m := &made{Sequence: s}
	for i := range s.Len() {
		m.slots = e.appendSlots(m.slots, s.At(i).Op, i)
	}
	return m
}

// earlierInDraft returns a result of an earlier call of the same draft that is a t. Values that belong
// together, like a list and its element, are often found there.
func (e *engine) earlierInDraft(d *draft, t types.Type) (testcase.Ref, bool) {
	n := 0
	for _, s := range d.slots {
		if s.typ == t || types.Identical(s.typ, t) {
			n++
		}
	}
	if n == 0 {
		return testcase.Ref{}, false
	}
	n = e.rnd.IntN(n)
	for _, s := range d.slots {
		if s.typ == t || types.Identical(s.typ, t) {
			if n == 0 {
				return s.ref, true
			}
			n--
		}
	}
	panic("bug: random: fewer slots than were counted")
}

func (d *draft) add(op *testcase.Operation, args ...testcase.Ref) testcase.Ref {
	d.stmts = append(d.stmts, testcase.Statement{Op: op, Args: args})
	return testcase.Ref{Stmt: len(d.stmts) - 1}
}

// include appends the sequence that makes a value, or shares its earlier copy in the draft.
func (*engine) include(d *draft, v entry, share bool) testcase.Ref {
	at := -1
	if share {
		for _, in := range d.in {
			if in.seq == v.seq {
				at = in.at // the last one, if there are several
			}
		}
	}
	if at < 0 {
		at = len(d.stmts)
		d.stmts = v.seq.AppendTo(d.stmts)
		for _, s := range v.seq.slots {
			d.slots = append(d.slots, slot{testcase.Ref{Stmt: s.ref.Stmt + at, Result: s.ref.Result}, s.typ})
		}
		d.in = append(d.in, inclusion{v.seq, at})
	}
	return testcase.Ref{Stmt: v.ref.Stmt + at, Result: v.ref.Result}
}

// Bounds of sequences: how deep values are nested, and how many statements there are.
const (
	maxLevel = 3
	maxStmts = 60
)

// longPart is which part of the sequences that end with a method are long.
const longPart = 8

// step is an action in a sequence: the statement that does it.
type step struct {
	stmt int
	act  *action
}

// make makes a sequence that ends with an action, sometimes with a few more actions on its receiver and
// results. Actions of functions that stand alone are put into one sequence, because that costs less
// than to run each by itself. The sequence has no statements if there is no value for an argument yet.
func (e *engine) make(a *action) trial {
	d := &draft{stmts: make([]testcase.Statement, 0, 24)}
	var t trial
	e.chooseRow(a)
	defer func() { e.row = nil }()
	e.chooseSettings(d, a)
	e.chooseVariables(d, a)
	if !e.act(d, a, nil) {
		return t
	}
	t.steps = append(t.steps, step{len(d.stmts) - 1, a})
	n, room := e.rnd.IntN(7)-2, maxStmts/2
	if a.recv && e.rnd.IntN(longPart) == 0 {
		n, room = 8+e.rnd.IntN(20), maxStmts-4 // large objects hardly come of single steps
	}
	for ; n > 0 && !a.private; n-- {
		if len(d.stmts) > room {
			break
		}
		var on *testcase.Ref
		next, ref, ok := e.nextAction(d, a)
		if ok {
			on = &ref
		} else if next = e.choose(); next.recv || next.private {
			break
		}
		mark := len(d.stmts)
		e.letPass(d)
		if !e.act(d, next, on) {
			d.stmts = d.stmts[:mark]
			d.forget(mark)
			break
		}
		a = next
		t.steps = append(t.steps, step{len(d.stmts) - 1, a})
	}
	if len(d.stmts) <= maxStmts {
		t.seq, t.used = testcase.NewSequence(d.stmts...), d.in
	}
	return t
}

// chooseSettings begins a draft with what its action reads of the package's variables: always with a clock that stands
// still, since what the action does with the present moment would hold today only, and sometimes with a switch that is on or
// off.
func (e *engine) chooseSettings(d *draft, a *action) {
	for _, v := range a.settings {
		if purity.IsClock(v.Type()) || e.rnd.IntN(3*len(a.settings)) == 0 {
			d.stmts = testcase.NewSequence(d.stmts...).AppendTo(purity.Set(v, e.rnd.IntN(2) == 0))
		}
	}
}

// chooseVariables begins a draft with variables of the environment that its action asks for.
func (e *engine) chooseVariables(d *draft, a *action) {
	set := e.givers.Setenv()
	if len(a.variables) == 0 || set == nil || e.rnd.IntN(2) == 0 {
		return
	}
	text := types.Typ[types.String]
	usual := [...]string{"1", "true", "0", "false", "abc", "8080"}
	for range 1 + e.rnd.IntN(2) {
		value := usual[e.rnd.IntN(len(usual))]
		if e.rnd.IntN(3) == 0 {
			value = strings.ReplaceAll(e.str(), "\x00", "")
		}
		i := e.rnd.IntN(len(a.variables))
		key := d.add(e.chosenOp(text, a.variables[i:i+1], true, a.variables[i]))
		d.add(set, key, d.add(e.literalOp(text, testcase.Literal{Kind: testcase.LitString, Str: value})))
	}
}

// renew puts new objects behind the variables whose objects an action uses, unless the draft has done so. What the action
// does to them is not there for other sequences then.
func (e *engine) renew(d *draft, a *action) {
	for _, v := range a.defaults {
		op := e.renewals[v]
		if slices.ContainsFunc(d.stmts, func(st testcase.Statement) bool { return st.Op == op }) {
			continue
		}
		if r, ok := e.construct(d, v.Type(), 0); ok {
			d.add(op, r)
		}
	}
}

// setsVariable reports whether a sequence assigns to a package-level variable.
func setsVariable(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if s.At(i).Op.Kind == testcase.OpSetGlobal {
			return true
		}
	}
	return false
}

// nextAction chooses an action on the receiver or a result of the last action, or on the result of an
// earlier call, because two objects may share memory.
func (e *engine) nextAction(d *draft, a *action) (*action, testcase.Ref, bool) {
	last := len(d.stmts) - 1
	if n := len(d.slots); n > 1 && e.rnd.IntN(6) == 0 {
		s := d.slots[e.rnd.IntN(n)]
		list := e.onType[e.pool.keys.of(s.typ)]
		if len(list) > 0 && len(e.resultsOf(d.stmts[s.ref.Stmt].Op)) == 1 {
			return list[e.rnd.IntN(len(list))], s.ref, true
		}
	}
	n := len(a.results)
	if a.recv {
		n++
	}
	if n == 0 {
		return nil, testcase.Ref{}, false
	}
	i := e.rnd.IntN(n)
	ref, t := testcase.Ref{Stmt: last, Result: i}, types.Type(nil)
	if i < len(a.results) {
		t = a.results[i]
		// A result may be nil, where only an error says so.
		if len(a.results) > 1 || a.op.Kind == testcase.OpField {
			return nil, ref, false
		}
	} else {
		ref, t = d.stmts[last].Args[0], a.params[0]
	}
	list := e.onType[e.pool.keys.of(t)]
	if len(list) == 0 && i < len(a.results) && a.behind != nil {
		// What a function wraps, and returns as an interface, does nothing until one of its methods is called.
		if list = e.onType[e.pool.keys.of(a.behind)]; len(list) > 0 {
			ref = d.add(e.typedOp(testcase.OpAssert, a.behind), ref)
		}
	}
	if len(list) == 0 {
		return nil, ref, false
	}
	return list[e.rnd.IntN(len(list))], ref, true
}

// act adds an action to a draft, on a receiver that is there already if on is not
// nil. It reports whether there were values for all arguments; if not, the draft is
// of no use.
func (e *engine) act(d *draft, a *action, on *testcase.Ref) bool {
	e.now, e.limit = a.name, a.limit()
	d.self = slot{}
	e.renew(d, a)
	e.answer(d, a)
	e.chooseArgs(d, a)
	args := make([]testcase.Ref, 0, len(a.params))
	lits, given := e.constantArguments(a)
	for i, t := range a.params {
		if i == 0 && a.recv {
			r, ok := testcase.Ref{}, on != nil
			if ok {
				r = *on
			} else if r, ok = e.receiver(d, t); !ok {
				return false
			}
			if a.name == "" && a.op.Via != nil && e.hasOwnDriver(d, r) {
				return false
			}
			d.self = slot{r, t}
			args = append(args, r)
			continue
		}
		if a.spread && i == len(a.params)-1 {
			args = append(args, e.spreadArguments(d, a, t.Underlying().(*types.Slice).Elem())...)
			break
		}
		k := i
		if a.recv {
			k--
		}
		if given != nil && given[k] {
			lit := lits[k]
			if gosyntax.IsBytes(t) {
				s := d.add(e.literalOp(types.Typ[types.String], lit))
				args = append(args, d.add(e.convertOp(t), s))
			} else {
				args = append(args, d.add(e.literalOp(t, lit)))
			}
			continue
		}
		if k < len(a.values) {
			s := e.chooseFrom(a.values[k])
			if !a.closed[k] && e.rnd.IntN(8) == 0 {
				s = e.str()
			}
			args = append(args, d.add(e.chosenOp(t, a.values[k], a.closed[k], s)))
			continue
		}
		if e.row == nil && a.accepted != nil && len(a.accepted[i]) > 0 && e.rnd.IntN(4) == 0 {
			args = append(args, d.add(e.literalOp(t, e.likeAccepted(a.accepted[i]))))
			continue
		}
		r, ok := e.knownArgument(d, a, t, k)
		if !ok {
			r, ok = e.argument(d, t, i)
		}
		if !ok {
			return false
		}
		args = append(args, r)
	}
	if a.op.Kind.Assigns() && len(args) > 0 && d.reachesVariable(args[0]) {
		return false
	}
	d.add(a.op, args...)
	d.slots = e.appendSlots(d.slots, a.op, len(d.stmts)-1)
	return true
}

// spreadArguments makes the arguments of a variadic parameter: those that fit the function which is called with them, or a few of any.
func (e *engine) spreadArguments(d *draft, a *action, elem types.Type) []testcase.Ref {
	args := e.brakes(d, a, elem)
	if list, ok := e.passedOn(d, a.last()); ok {
		return append(args, list...)
	}
	for range e.rnd.IntN(4) {
		r, ok := e.value(d, elem, 1)
		if !ok {
			break
		}
		args = append(args, r)
	}
	return args
}

// knownArgument makes the k-th argument behind the receiver if something is known of it beside its type: that it is called by reflection
// or passed on to what is, or of a text that it names a file, or what else prints it.
func (e *engine) knownArgument(d *draft, a *action, t types.Type, k int) (testcase.Ref, bool) {
	if r, ok := e.calledFunction(d, a.input(k)); ok {
		return r, true
	}
	if r, ok := e.onePassedOn(d, a.input(k)); ok {
		return r, true
	}
	if !isText(t) {
		return testcase.Ref{}, false
	}
	if r, ok := e.path(d, a.input(k)); ok {
		return r, true
	}
	return e.printed(d, a, t)
}

// constantArguments returns constants for some arguments of an action, and which: those of the opening that is being
// made, or of a call in the tests, or none.
func (e *engine) constantArguments(a *action) ([]testcase.Literal, []bool) {
	if e.opening != nil {
		return e.opening.lits, e.opening.given
	}
	if len(a.calls) > 0 && e.rnd.IntN(4) == 0 {
		row := e.rnd.IntN(len(a.calls))
		return a.calls[row], a.given[row]
	}
	return nil, nil
}

// reachesVariable reports whether a value leads to memory of a package-level variable through pointers,
// maps or channels. An assignment to it, like DefaultOptions.Prefix = "x", would change the package for
// everything that runs later in this process, and for the other tests.
func (d *draft) reachesVariable(r testcase.Ref) bool {
	for {
		st := d.stmts[r.Stmt]
		switch st.Op.Kind {
		case testcase.OpGlobal:
			return true
		case testcase.OpField, testcase.OpDeref, testcase.OpIndex, testcase.OpConvert, testcase.OpAssert:
			r = st.Args[0]
		default:
			return false
		}
	}
}
