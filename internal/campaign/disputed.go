package campaign

import (
	"cmp"
	"context"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/oracle"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/testcase"
)

// A finding that breaks a contract says that some results of a function are wrong. A test that asserts such a
// result would pass on the wrong code and fail on mended code. The contract is therefore checked again over
// the values of each test of that function. If it complains about a test's own result, the test is dropped.

// undisputed returns the cases whose outcome no finding disputes. Of a case that asks an observer behind its call, and
// gets a disputed answer, it returns the case without that question.
func undisputed(ctx context.Context, bench *workbench, findings []*testcase.Finding, cases []*testcase.Case) ([]*testcase.Case, error) {
	if bench == nil {
		return cases, nil
	}
	cases, err := undisputedInside(ctx, bench, findings, cases)
	if err != nil {
		return cases, err
	}
	broken := brokenContracts(findings)
	if len(broken) == 0 {
		return cases, nil
	}
	cases = otherWays(bench.Blocks(), findings, cases)
	var seqs []*testcase.Sequence
	asked := make(map[*testcase.Case]map[int][]dispute) // by the number of the statement whose result is asserted, or used
	for _, c := range cases {
		asked[c] = make(map[int][]dispute)
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Func == nil {
				continue
			}
			checks := ofCall(broken, c.Seq, i)
			between := i < c.TargetStmt() && !isUsed(c.Seq, i)
			if between {
				checks = slices.DeleteFunc(slices.Clone(checks), func(check *testcase.Check) bool { return !check.Spoils })
			}
			own := len(checks)
			if i <= c.TargetStmt() && !between {
				checks = append(slices.Clone(checks), passedOn(bench, broken, c, i)...)
			}
			for k, check := range checks {
				ways := disputes(c.Seq.Prefix(i+1), check)
				if k >= own {
					ways = append(ways, bothWays(c.Seq.Prefix(i+1), check)...)
				}
				for _, d := range ways {
					d.at, d.whole = len(seqs), d.whole || k >= own && len(check.Params) == 1
					seqs = append(seqs, d.seq)
					asked[c][i] = append(asked[c][i], d)
				}
			}
		}
	}
	outcomes, err := bench.Runner(false).Run(ctx, seqs)
	if err != nil {
		return cases, err
	}
	var out []*testcase.Case
	for _, c := range cases {
		keep, spoilt := make([]bool, c.Seq.Len()), false
		for i := range keep {
			keep[i] = !isDisputed(c.Seq.Prefix(i+1), asked[c][i], outcomes)
			spoiling := slices.DeleteFunc(slices.Clone(asked[c][i]), func(d dispute) bool {
				return d.seq.Last().Op.Kind != testcase.OpCheck || !d.seq.Last().Op.Check.Spoils
			})
			spoilt = spoilt || !keep[i] && isDisputed(c.Seq.Prefix(i+1), spoiling, outcomes)
		}
		if spoilt {
			continue
		}
		if !slices.Contains(keep, false) {
			out = append(out, c)
		} else if d := reduced(c, keep); d != nil {
			out = append(out, d)
		}
	}
	return out, nil
}

// undisputedInside returns the cases in which no inner call breaks a contract that a finding says to be broken. What such
// a call returns is wrong, and so is most of what its caller makes of it.
func undisputedInside(ctx context.Context, bench *workbench, findings []*testcase.Finding, cases []*testcase.Case) ([]*testcase.Case, error) {
	wrong := make(map[string]bool) // functions
	for _, f := range findings {
		wrong[f.Func] = wrong[f.Func] || strings.HasPrefix(f.Case.Observed.Violated, "ensures ")
	}
	blocks := bench.Blocks()
	reaches := func(c *testcase.Case) bool {
		for b := range blocks {
			if wrong[blocks[b].Func] && c.Observed != nil && c.Observed.Cover.Has(b) {
				return true
			}
		}
		return false
	}
	var of []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range cases {
		if reaches(c) {
			of, seqs = append(of, c), append(seqs, c.Seq)
		}
	}
	if len(seqs) == 0 {
		return cases, nil
	}
	outcomes, err := bench.Inside().RunUnmarked(ctx, seqs)
	if err != nil {
		return cases, err
	}
	instead := make(map[*testcase.Case]*testcase.Case)
	for i, o := range outcomes {
		if o == nil || !strings.HasPrefix(o.Violated, "ensures ") {
			continue
		}
		keep := make([]bool, seqs[i].Len())
		for k := range min(o.At, len(keep)) {
			keep[k] = true
		}
		instead[of[i]] = nil
		if o.At > of[i].TargetStmt() { // a question behind the call is answered by what is wrong
			instead[of[i]] = reduced(of[i], keep)
		}
	}
	var out []*testcase.Case
	for _, c := range cases {
		if d, disputed := instead[c]; !disputed {
			out = append(out, c)
		} else if d != nil {
			out = append(out, d)
		}
	}
	return out, nil
}

// brokenContracts returns the contracts that findings break and that say what results are right, by the functions
// that promise them.
func brokenContracts(findings []*testcase.Finding) map[string][]*testcase.Check {
	broken := make(map[string][]*testcase.Check)
	for _, f := range findings {
		if op := f.Case.Seq.Last().Op; op.Kind == testcase.OpCheck && op.Check.Contract != "invariant" && op.Check.Contract != oracle.Contract {
			c := cmp.Or(op.Check.Call, op.Check)
			if c.Twins {
				continue
			}
			if !slices.ContainsFunc(broken[c.Target], func(o *testcase.Check) bool { return o.Key() == c.Key() }) {
				broken[c.Target] = append(broken[c.Target], c)
			}
		}
	}
	return broken
}

// ofCall returns the broken contracts of the function that a statement calls. That an iterator goes on where it is told to stop disputes
// nothing of a test that takes all of it in a range statement.
func ofCall(broken map[string][]*testcase.Check, s *testcase.Sequence, call int) []*testcase.Check {
	op := s.At(call).Op
	checks := broken[testcase.TargetName(op.Func)]
	sig := op.Signature()
	if !isRanged(s, call) || sig.Results().Len() != 1 || gosyntax.Yield(sig.Results().At(0).Type()) == nil {
		return checks
	}
	return slices.DeleteFunc(slices.Clone(checks), protocol.IsAboutStopping)
}

// isRanged reports whether nothing uses the iterator that a statement returns but range statements, of helpers of the tests and of packages
// slices and maps.
func isRanged(s *testcase.Sequence, call int) bool {
	for k := call + 1; k < s.Len(); k++ {
		if !slices.ContainsFunc(s.At(k).Args, func(a testcase.Ref) bool { return a.Stmt == call }) {
			continue
		}
		op := s.At(k).Op
		if op.Kind != testcase.OpFunc || op.Via == nil && !slices.Contains([]string{"slices", "maps"}, op.Func.Pkg().Path()) {
			return false
		}
	}
	return true
}

// isUsed reports whether a later statement has a result of a statement among its arguments.
func isUsed(s *testcase.Sequence, i int) bool {
	for k := i + 1; k < s.Len(); k++ {
		if slices.ContainsFunc(s.At(k).Args, func(a testcase.Ref) bool { return a.Stmt == i }) {
			return true
		}
	}
	return false
}

// passedOn returns the broken contracts of other functions that a case runs through and that one of its calls may pass its
// values on to. What it makes of a disputed answer is disputed as well: Hotter(a, a) where Compare(a, a) is wrong. Where a contract
// is about several values, the call needs more than one of their type: what it compares its only value with is not known.
// The sort contract is left out, since most that is done with a wrong Less, sorting first of all, is right nevertheless.
// That an iterator goes on where it is told to stop is left out where the language notices that.
func passedOn(bench *workbench, broken map[string][]*testcase.Check, c *testcase.Case, call int) []*testcase.Check {
	if c.Observed == nil {
		return nil
	}
	own := c.Seq.At(call)
	if own.Op.Func == nil {
		return nil
	}
	through := make(map[string]bool)
	for b, block := range bench.Blocks() {
		through[block.Func] = through[block.Func] || len(broken[block.Func]) > 0 && c.Observed.Cover.Has(b)
	}
	delete(through, testcase.TargetName(own.Op.Func))
	all := c.Seq.ResultTypes()
	var out []*testcase.Check
	for _, target := range slices.Sorted(maps.Keys(through)) {
		if !through[target] {
			continue
		}
		for _, check := range broken[target] {
			if protocol.IsAboutStopping(check) && protocol.OnlyRanged(bench.Judge.Rules.Pkg, check.Object) {
				continue
			}
			fit := 0
			for _, a := range own.Args {
				if slices.ContainsFunc(check.Params, func(p types.Type) bool { _, ok := adapted(all[a.Stmt][a.Result], p); return ok }) {
					fit++
				}
			}
			if check.Contract != "sort" && fit >= min(2, len(check.Params)) {
				out = append(out, check)
			}
		}
	}
	return out
}

// ofContainers are the contracts that are about several calls on one object.
var ofContainers = []string{"insert", "delete", "size"}

// refusesWritten reports whether a finding says that a reader refuses what the type's own method has written. Which other texts are written by
// such methods is not known, so no test asserts that the reader refuses a text in the same way.
func refusesWritten(f *testcase.Finding) bool {
	op := f.Case.Seq.Last().Op
	return op.Check.Contract == "roundtrip" && strings.Contains(f.Case.Observed.Message, " refuses ")
}

// otherWays returns the cases that do not take the way of a finding through the function of which the finding says
// that it breaks a contract of containers, or refuses what was written.
func otherWays(blocks []testcase.Block, findings []*testcase.Finding, cases []*testcase.Case) []*testcase.Case {
	own := make(map[string][]int)
	for b, block := range blocks {
		own[block.Func] = append(own[block.Func], b)
	}
	way := func(target string, o *testcase.Outcome) []int {
		return slices.DeleteFunc(slices.Clone(own[target]), func(b int) bool { return !o.Cover.Has(b) })
	}
	for _, f := range findings {
		op := f.Case.Seq.Last().Op
		if op.Kind != testcase.OpCheck || !slices.Contains(ofContainers, op.Check.Contract) && !refusesWritten(f) {
			continue
		}
		wrong := way(op.Check.Target, f.Case.Observed)
		cases = slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool {
			n := calls(c.Seq, op.Check.Target)
			if c.Observed == nil || n == 0 || refusesWritten(f) && !failsIn(c, op.Check.Target) {
				return false
			}
			took := way(op.Check.Target, c.Observed)
			if n == 1 {
				return slices.Equal(took, wrong)
			}
			return !slices.ContainsFunc(wrong, func(b int) bool { return !slices.Contains(took, b) }) // one of the calls may have gone this way
		})
	}
	return cases
}

// failsIn reports whether a call of a function in a case has returned an error.
func failsIn(c *testcase.Case, target string) bool {
	for i, results := range c.Observed.Results {
		op := c.Seq.At(i).Op
		if op.Func == nil || testcase.TargetName(op.Func) != target || len(results) == 0 {
			continue
		}
		if types := op.Signature().Results(); gosyntax.IsError(types.At(types.Len()-1).Type()) && results[len(results)-1].Kind != testcase.Nil {
			return true
		}
	}
	return false
}

// calls returns how often a sequence calls a function.
func calls(s *testcase.Sequence, target string) int {
	n := 0
	for i := range s.Len() {
		if op := s.At(i).Op; op.Func != nil && (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && testcase.TargetName(op.Func) == target {
			n++
		}
	}
	return n
}

// reduced returns a case without those questions behind its own call that are not to be kept. It returns nil if the
// case's own call is not to be kept, or if something else needs what goes.
func reduced(c *testcase.Case, keep []bool) *testcase.Case {
	seq, ok := c.Seq.Keep(keep)
	if !ok || !keep[c.TargetStmt()] || c.Observed == nil || len(c.Observed.Results) < len(keep) {
		return nil
	}
	d, o := *c, *c.Observed
	o.At, o.Results, o.Final = seq.Len()-1, nil, nil // the arguments of the last call may be those of one that went
	for i, results := range c.Observed.Results {
		if i >= len(keep) || keep[i] {
			o.Results = append(o.Results, results)
		}
	}
	d.Seq, d.Observed, d.Predicted = seq, &o, nil
	return &d
}

// dispute is a check of a contract over the values of a case's last call.
type dispute struct {
	args []int // which argument of the call each parameter of the contract gets
	seq  *testcase.Sequence
	at   int // the number of its sequence among those that are run
	// swapped says that the dispute asks no contract. Its sequence ends with a call of Less or Compare and the same call
	// with both elements swapped, of which at most one may return true, or which have to return opposite numbers.
	swapped bool
	// whole says that the contract is another function's and about one value, or about a result, which is wrong whatever the call takes.
	whole bool
}

// single reports whether only one of the call's arguments takes part.
func (d dispute) single() bool {
	return !slices.ContainsFunc(d.args, func(a int) bool { return a != d.args[0] })
}

// isDisputed reports whether a contract complains about the result of a sequence's last call. A complaint
// may be about one of the arguments alone; then it counts only if the call has no other arguments, or
// all are equal.
func isDisputed(s *testcase.Sequence, list []dispute, outcomes []*testcase.Outcome) bool {
	if len(list) == 0 {
		return false
	}
	says := func(d dispute) string {
		if o := outcomes[d.at]; o != nil && o.Violated != "" && !d.seq.UsesFailed(o) && !d.seq.UsesNothing(o) {
			return o.Violated + ": " + o.Message
		}
		return ""
	}
	args := s.Last().Args
	equal := len(args) < 2 || describe(s, args[0]) == describe(s, args[1])
	alone := make(map[string]bool)
	for _, d := range list {
		if d.swapped && bothAlike(outcomes[d.at]) {
			return true
		}
		if text := says(d); text != "" && !d.swapped && d.single() {
			if equal || d.whole {
				return true
			}
			alone[text] = true
		}
	}
	return slices.ContainsFunc(list, func(d dispute) bool {
		text := says(d)
		return text != "" && !d.swapped && !d.single() && !alone[text]
	})
}

// bothAlike reports whether the last two calls of a sequence, one with the elements of the other swapped, both say that the first is less, or
// return numbers that are not opposite.
func bothAlike(o *testcase.Outcome) bool {
	if o == nil || o.Status != testcase.Returned || len(o.Results) < 2 {
		return false
	}
	sum := 0
	for _, got := range o.Results[len(o.Results)-2:] {
		switch {
		case len(got) != 1:
			return false
		case got[0].Kind == testcase.Bool && got[0].Bits == 0:
			return false
		case got[0].Kind == testcase.Int:
			sum += cmp.Compare(int64(got[0].Bits), 0)
		case got[0].Kind != testcase.Bool:
			return false
		}
	}
	return sum != 0 || o.Results[len(o.Results)-1][0].Kind == testcase.Bool
}

// describe says how a value of a sequence is made, for a message.
func describe(s *testcase.Sequence, ref testcase.Ref) string {
	keep := make([]bool, s.Len())
	keep[ref.Stmt] = true
	for i := ref.Stmt; i >= 0; i-- {
		if keep[i] {
			for _, a := range s.At(i).Args {
				keep[a.Stmt] = true
			}
		}
	}
	part, ok := s.Keep(keep)
	if !ok {
		panic("bug: campaign: a value needs what comes later")
	}
	return part.String()
}

// maxDisputes bounds how many ways to pass the values of one call to a contract are tried.
const maxDisputes = 27

// disputes returns the ways to pass the values of a sequence's last call to a contract. The contract of Delete is only asked by its
// question about calls: otherwise it puts an element into the object before it deletes it, and so says nothing of what the call did.
func disputes(s *testcase.Sequence, check *testcase.Check) []dispute {
	if check.Without != nil {
		if seq := s.AskWithout(check); seq != nil {
			return []dispute{{args: []int{0, 1}, seq: seq}}
		}
		return nil
	}
	if check.Contract == "delete" {
		return nil
	}
	keep := make([]bool, s.Len())
	for i := range s.Len() - 1 {
		keep[i] = true
	}
	prefix, ok := s.Keep(keep)
	if !ok {
		return nil
	}
	all, args := s.ResultTypes(), s.Last().Args
	if check.Asked {
		return askedTwice(s, check)
	}
	if check.Contract == "sort" && len(args) == 3 {
		// An object that cannot be sorted may still compare two of its elements correctly, so Less is asked
		// about the two elements themselves.
		turned := testcase.Statement{Op: s.Last().Op, Args: []testcase.Ref{args[0], args[2], args[1]}}
		return []dispute{{seq: prefix.Extend(s.Last(), turned), swapped: true}}
	}
	ways := [][]int{nil}
	for _, p := range check.Params {
		var longer [][]int
		for _, w := range ways {
			for i, a := range args {
				if _, fits := adapted(all[a.Stmt][a.Result], p); fits {
					longer = append(longer, append(slices.Clone(w), i))
				}
			}
		}
		if ways = longer; len(ways) > maxDisputes {
			return nil
		}
	}
	var out []dispute
	for _, w := range ways {
		seq := prefix
		var refs []testcase.Ref
		for i, a := range w {
			ref := args[a]
			if op, _ := adapted(all[ref.Stmt][ref.Result], check.Params[i]); op != nil {
				seq = seq.Extend(testcase.Statement{Op: op, Args: []testcase.Ref{ref}})
				ref = testcase.Ref{Stmt: seq.Len() - 1}
			}
			refs = append(refs, ref)
		}
		seq = seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: check}, Args: refs})
		out = append(out, dispute{args: w, seq: seq})
	}
	return append(out, ofResults(s, check)...)
}

// askedTwice returns the question of a contract about a sequence's last call, for a contract that compares the receiver with another one
// made alike.
func askedTwice(s *testcase.Sequence, check *testcase.Check) []dispute {
	last, n := s.Last(), s.Len()-1
	if last.Op.Kind != testcase.OpMethod || last.Op.Func != check.Object || len(last.Args) != len(check.Params)-1 {
		return nil
	}
	all := s.ResultTypes()
	twin := last.Args[0]
	twin.Stmt += n
	for i, a := range last.Args {
		want := check.Params[min(i, 1)+i]
		if !types.Identical(all[a.Stmt][a.Result], want) {
			return nil
		}
	}
	once := s.Prefix(n)
	args := append([]testcase.Ref{last.Args[0], twin}, last.Args[1:]...)
	seq := testcase.NewSequence(once.AppendTo(once.AppendTo(nil))...)
	return []dispute{{args: []int{0, 1}, seq: seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: check}, Args: args})}}
}

// ofResults returns the ways to pass a result of a sequence's last call to a contract. What reads the text of a value is asked
// whether it reads the value that it has made of a text again.
func ofResults(s *testcase.Sequence, check *testcase.Check) []dispute {
	if check.Contract != "roundtrip" || len(check.Params) != 1 {
		return nil
	}
	var out []dispute
	last := s.Len() - 1
	for r, t := range s.ResultTypes()[last] {
		op, fits := adapted(t, check.Params[0])
		if !fits {
			continue
		}
		seq, ref := s, testcase.Ref{Stmt: last, Result: r}
		if op != nil {
			seq, ref = s.Extend(testcase.Statement{Op: op, Args: []testcase.Ref{ref}}), testcase.Ref{Stmt: last + 1}
		}
		seq = seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: check}, Args: []testcase.Ref{ref}})
		out = append(out, dispute{seq: seq, whole: true})
	}
	return out
}

// bothWays returns calls of a comparison of another function, which a contract says to be broken, with each two values that a sequence's last
// call takes, in both orders. What the call makes of them is wrong if the comparison says the same of both orders, whatever it says
// of a value and itself.
func bothWays(s *testcase.Sequence, check *testcase.Check) []dispute {
	f, ok := check.Object.(*types.Func)
	if !ok || check.Contract != "compare" || len(check.Params) < 2 || !types.Identical(check.Params[0], check.Params[1]) {
		return nil
	}
	kind := testcase.OpFunc
	if f.Signature().Recv() != nil {
		kind = testcase.OpMethod
	}
	all := s.ResultTypes()
	made := s.Prefix(s.Len() - 1)
	var refs []testcase.Ref
	for _, a := range s.Last().Args {
		op, fits := adapted(all[a.Stmt][a.Result], check.Params[0])
		if op != nil {
			made = made.Extend(testcase.Statement{Op: op, Args: []testcase.Ref{a}})
			a = testcase.Ref{Stmt: made.Len() - 1}
		}
		if fits {
			refs = append(refs, a)
		}
	}
	var out []dispute
	for i, x := range refs {
		for _, y := range refs[i+1:] {
			call := func(x, y testcase.Ref) testcase.Statement {
				return testcase.Statement{Op: &testcase.Operation{Kind: kind, Func: f}, Args: []testcase.Ref{x, y}}
			}
			if len(out) < maxDisputes {
				out = append(out, dispute{seq: made.Extend(call(x, y), call(y, x)), swapped: true})
			}
		}
	}
	return out
}

// adapted returns the operation that makes a value of one type fit a parameter of another, or nil if the
// value fits as it is.
func adapted(have, want types.Type) (*testcase.Operation, bool) {
	if types.Identical(have, want) {
		return nil, true
	}
	if p, ok := types.Unalias(want).(*types.Pointer); ok && types.Identical(have, p.Elem()) {
		return &testcase.Operation{Kind: testcase.OpAddr, Type: want}, true
	}
	if p, ok := types.Unalias(have).(*types.Pointer); ok && types.Identical(p.Elem(), want) {
		return &testcase.Operation{Kind: testcase.OpDeref, Type: want}, true
	}
	return nil, false
}
