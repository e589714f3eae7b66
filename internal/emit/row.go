package emit

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// A row is a case in the form of a table's row.
type row struct {
	c       *testcase.Case
	name    string
	recv    string   // expression of the receiver, "" for functions
	args    []string // expressions of the arguments; the arguments of a variadic parameter are one expression
	keys    []sortKey
	results []testcase.Value
	after   []observation // the observers' results after the call
	object  bool          // the observers ask the first result, which is not compared itself
	fluent  bool          // the first result is the receiver
	wide    bool
	calls   bool // a cell calls a function of the package
}

// failing returns 1 for a row whose call returns an error, and 0 for others.
func (r row) failing() int {
	if slices.ContainsFunc(r.results, func(v testcase.Value) bool { return v.Err != nil }) {
		return 1
	}
	return 0
}

// tableRow returns the case as a row. It returns false if the case does not fit into a row, because it
// has statements before the call, changes its arguments, or returns a value that cannot be written as
// data.
func (w *writer) tableRow(c *testcase.Case) (row, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	o := c.Observed
	if c.Closes != nil || c.Unset != nil {
		return row{}, false // the objects of a row have no names
	}
	if st.Op.Func == nil || testcase.TargetName(st.Op.Func) != c.Target || o == nil || at >= len(o.Results) {
		return row{}, false
	}
	if len(c.Restores) > 0 {
		return row{}, false // a row has no place for putting variables back
	}
	after, subject, ok := observations(c, at)
	if !ok {
		return row{}, false
	}
	if (st.Op.Via != nil || c.ShownInside()) && len(after) > 0 {
		return row{}, false // observers ask an object that has no name in a row
	}
	if slices.ContainsFunc(after, func(o observation) bool { return slices.Contains(o.args, -1) }) {
		return row{}, false // a row has no column for what only an observer takes
	}
	r := row{c: c, results: o.Results[at], after: after, object: len(after) > 0 && subject.Stmt == at}
	var reason string
	reason, r.wide = w.Attempt(func() { ok = w.fillRow(&r, at) })
	if reason != "" || !ok {
		return row{}, false
	}
	return r, len(r.results)+len(r.after) > 0 && len(r.args)+len(r.recv) > 0
}

// fillRow writes the parts of a row: the receiver, the arguments and the expected values.
func (w *writer) fillRow(r *row, at int) bool {
	s := newScript(w, r.c, at+1, w.NewScope())
	st := r.c.Seq.At(at)
	for _, a := range st.Args {
		if s.CountUses(a.Stmt, at) == 1 {
			s.FoldObject(a, at)
		}
	}
	s.PlanRow()
	r.fluent = !r.object && len(s.Types[at]) > 0 && s.isReceiver(testcase.Ref{Stmt: at})
	for i := range at {
		op := r.c.Seq.At(i).Op
		foreign := op.Kind == testcase.OpFunc && op.Func.Pkg() != nil && op.Func.Pkg().Path() != w.Pkg.Path
		foreign = foreign || st.Op.Via != nil // a helper's arguments are written in the call of the helper
		if s.IsLive(i) && (!s.IsInline(i) || s.HasEffect(op) && !foreign && !s.IsBuilt(i)) {
			return false
		}
		r.calls = r.calls || s.IsLive(i) && op.Kind == testcase.OpFunc && !foreign && !s.IsBuilt(i) && statement.HasEffect(op)
	}
	if w.inside(r.c) && s.callsBefore(at) {
		return false // what the table calls is made outside of the row's bubble, and nothing there waits for a channel of it
	}
	if len(r.after) == 0 && len(s.mutated()) > 0 || !s.rowArgs(r, st) {
		return false
	}
	for i, t := range s.Types[at] {
		if i >= len(r.results) || !(i == 0 && r.object) && !s.rowResult(r.results[i], t) {
			return false
		}
	}
	for _, o := range r.after {
		for i, t := range o.results {
			if !s.rowResult(o.values[i], t) {
				return false
			}
		}
	}
	return true
}

// callsBefore reports whether a statement before a call, that is not left out, calls a function of the package.
func (s *script) callsBefore(at int) bool {
	for i := range at {
		if fn := s.Seq.At(i).Op.Func; s.IsLive(i) && fn != nil && fn.Pkg() == s.Pkg.Types {
			return true
		}
	}
	return false
}

// rowArgs writes the receiver and arguments of the row's call.
func (s *script) rowArgs(r *row, st testcase.Statement) bool {
	const longest = 400
	sig := st.Op.Signature()
	refs := st.Args
	if st.Op.Kind == testcase.OpMethod {
		t := s.TypeOf(refs[0])
		r.recv = s.Ref(refs[0], t).Text
		r.keys = append(r.keys, s.sortKey(refs[0], r.recv))
		if gosyntax.HasLock(t) || !s.Nameable(t) {
			return false
		}
		refs = refs[1:]
	}
	var variadic []gofile.Expr
	for k, ref := range refs {
		e := s.Ref(ref, statement.ParamType(sig, sig, true, k, st.Op.Spread))
		r.keys = append(r.keys, s.sortKey(ref, e.Text))
		if strings.Contains(e.Text, "func(") && strings.Contains(e.Text, "\n") {
			return false
		}
		if sig.Variadic() && k >= sig.Params().Len()-1 && !st.Op.Spread {
			variadic = append(variadic, e)
			continue
		}
		r.args = append(r.args, e.Text)
	}
	if sig.Variadic() && !st.Op.Spread {
		t := sig.Params().At(sig.Params().Len() - 1).Type()
		text := "nil"
		if len(variadic) > 0 {
			index := make([]int, len(variadic))
			for i := range index {
				index[i] = i
			}
			text = s.ListLiteral(t, t.(*types.Slice).Elem(), len(variadic), index, variadic).Text
		}
		r.args = append(r.args, text)
	}
	total := len(r.recv)
	for i := range sig.Params().Len() {
		total += len(r.args[i])
		if t := sig.Params().At(i).Type(); gosyntax.HasLock(t) || !s.Nameable(t) {
			return false
		}
	}
	return total <= longest && len(r.recv) <= longestReceiver
}

// longestReceiver is how long the expression of a receiver may be in a row.
const longestReceiver = 90

// rowResult reports whether a result can be in a row: it is data that can be
// written and compared.
func (s *script) rowResult(v testcase.Value, t types.Type) bool {
	if gosyntax.IsError(t) {
		return v.Kind == testcase.Nil || v.Err != nil
	}
	if !gofile.Whole(v) || gosyntax.HasLock(t) || !s.Nameable(t) {
		return false
	}
	if _, fn := t.Underlying().(*types.Signature); fn {
		return false
	}
	var text string
	reason, wide := s.Attempt(func() { text = s.Value(v, t, t).Text })
	s.Wide = s.Wide || wide
	return reason == "" && len(text) <= 400
}

// A sortKey is the key by which rows are sorted for one argument.
type sortKey struct {
	number   float64
	isNumber bool
	text     string
}

// compare orders arguments: small numbers and short texts first, so that empty texts, zero and nil come
// before other values.
func (k sortKey) compare(l sortKey) int {
	if k.isNumber && l.isNumber {
		return cmp.Or(cmp.Compare(math.Abs(k.number), math.Abs(l.number)), -cmp.Compare(k.number, l.number))
	}
	switch {
	case k.isNumber:
		return -1
	case l.isNumber:
		return 1
	}
	return cmp.Or(cmp.Compare(len(k.text), len(l.text)), cmp.Compare(k.text, l.text))
}

// sortKey returns the sort key of an argument.
func (s *script) sortKey(r testcase.Ref, text string) sortKey {
	op := s.Seq.At(r.Stmt).Op
	k := sortKey{text: text}
	if op.Kind == testcase.OpLiteral {
		switch op.Lit.Kind {
		case testcase.LitInt:
			k.number, k.isNumber = float64(int64(op.Lit.Bits)), true
		case testcase.LitUint:
			k.number, k.isNumber = float64(op.Lit.Bits), true
		case testcase.LitFloat:
			k.number = gofile.FloatOf(op.Lit.Bits, op.Type)
			k.isNumber = k.number == k.number
		}
	}
	return k
}

// errMode is how rows with a non-nil error compare it.
type errMode uint8

const (
	errNil      errMode = iota // there is no error
	errSentinel                // errors.Is
	errMessage                 // the message
	errOwn                     // the package's own words in the message
	errAny                     // err != nil
)

// mode returns how the row's error is compared.
func (w *writer) mode(r row) errMode {
	ts := r.c.Seq.ResultTypes()[r.c.TargetStmt()]
	for i, t := range ts {
		if !gosyntax.IsError(t) || r.results[i].Kind == testcase.Nil {
			continue
		}
		if w.Sentinel(r.results[i]) != nil {
			return errSentinel
		}
		if _, ok := stableMessage(r.results[i]); ok {
			return errMessage
		}
		if ownWords(r.results[i]) != "" {
			return errOwn
		}
		return errAny
	}
	return errNil
}
