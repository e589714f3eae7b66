// Package crossed makes the calls that tell which input of a call decides how it ends.
//
// Two tests of a function that end differently mostly differ in several inputs, and whatever is true of one input of the one
// and not of the other seems to be the reason. A call with all inputs of the one, but for one that is the other's, shows
// whether it is. If it still ends as the first test does, then that input is not the reason, and nothing that is said of it
// may be the name of either. Which value of the input it is that decides, and what about the value, is shown by calls with another
// constant. This is how a cause is isolated (Zeller, "Isolating cause-effect chains from computer programs",
// FSE 2002).
package crossed

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// Call is a call that no test makes.
type Call struct {
	*testcase.Case
	Of *testcase.Case // the case of which one constant was exchanged, nil if an input of the call is one of another case
}

// Calls returns, for pairs of cases of a function, the call of each with one input of the other: at most most of them for each
// function, those of the first cases first. The receiver is an input, in the state that its case has brought it to. Calls that
// are alike are returned once, and none that is one of the cases.
func Calls(cases []*testcase.Case, most int) []Call {
	known := make(map[string]bool)
	for _, c := range cases {
		known[c.Seq.Key()] = true
	}
	var out []Call
	count := make(map[string]int)
	for i, c := range cases {
		for k, d := range cases {
			if i == k || c.Target != d.Target || !alike(c, d) {
				continue
			}
			for n := range c.Seq.At(c.TargetStmt()).Args {
				if count[c.Target] >= most {
					break
				}
				if !isNew(c, d, n) {
					continue
				}
				seq := exchanged(c, d, n)
				if known[seq.Key()] {
					continue
				}
				known[seq.Key()] = true
				count[c.Target]++
				out = append(out, Call{Case: &testcase.Case{Target: c.Target, Engine: c.Engine, Seq: seq}})
			}
		}
	}
	return out
}

// alike reports whether two cases call the same instance of one function with as many arguments each.
func alike(c, d *testcase.Case) bool {
	one, other := c.Seq.At(c.TargetStmt()), d.Seq.At(d.TargetStmt())
	return one.Op.Kind == other.Op.Kind && one.Op.Func == other.Op.Func && one.Op.Via == other.Op.Via && one.Op.Spread == other.Op.Spread &&
		(one.Op.Kind == testcase.OpFunc || one.Op.Kind == testcase.OpMethod) &&
		len(one.Args) == len(other.Args) && slices.EqualFunc(one.Op.TypeArgs, other.Op.TypeArgs, types.Identical)
}

// isNew reports whether the call of one case with argument n of the other is neither's own call: argument n differs, and so does
// another one.
func isNew(c, d *testcase.Case, n int) bool {
	differs := func(i int) bool { return made(c, i) != made(d, i) }
	for i := range c.Seq.At(c.TargetStmt()).Args {
		if i != n && differs(i) {
			return differs(n)
		}
	}
	return false
}

// made returns how argument n of a case's call is made: the expression, and the calls on the object in front of the case's own.
func made(c *testcase.Case, n int) string {
	at := c.TargetStmt()
	object := c.Seq.At(at).Args[n]
	out := c.Seq.Expression(object, nil)
	for i := object.Stmt + 1; i < at; i++ {
		if st := c.Seq.At(i); st.Op.Kind == testcase.OpMethod && st.Args[0] == object {
			out += "; " + c.Seq.Expression(testcase.Ref{Stmt: i}, nil)
		}
	}
	return out
}

// exchanged returns what leads to the call of one case, and this call with argument n of another case's call.
func exchanged(c, d *testcase.Case, n int) *testcase.Sequence {
	call, other := c.Seq.At(c.TargetStmt()), d.Seq.At(d.TargetStmt())
	b := &testcase.Builder{}
	if n == 0 && call.Op.Kind == testcase.OpMethod {
		// What made the receiver what it is are calls in front of the call, and no arguments of it.
		b.Append(d.Seq.Prefix(d.TargetStmt()))
		args, moved := slices.Clone(other.Args), make(map[testcase.Ref]testcase.Ref)
		for i := 1; i < len(args); i++ {
			args[i] = b.Bring(c.Seq, call.Args[i], moved)
		}
		b.Add(call.Op, args...)
		return b.Sequence()
	}
	b.Append(c.Seq.Prefix(c.TargetStmt()))
	args := slices.Clone(call.Args)
	args[n] = b.Bring(d.Seq, other.Args[n], make(map[testcase.Ref]testcase.Ref))
	b.Add(call.Op, args...)
	return b.Sequence()
}
