package testcase

import (
	"go/token"
	"go/types"
	"math/bits"
	"slices"
	"time"

	"github.com/goassay/assay/internal/gosyntax"
)

// Case is a sequence with everything known about it.
type Case struct {
	Package string // import path of the package under test
	Target  string // "Func" or "Type.Method": the function that the case was made for
	Engine  string // "symbolic", "sequence", "random", "bounded"
	Seq     *Sequence
	// Whole says that a predicate holds for the inputs as they are. No input is made smaller, because the
	// predicate might not hold for the smaller one.
	Whole bool
	// Documented says where the documentation has the case and its result, in a word or two for the name of
	// its row: "README", "ExampleSize". It is "" if the documentation does not have it. Such a case is Whole,
	// because a person chose its inputs. Keep says that the case is kept in any case: no hand-written test makes the same call,
	// or the case shows what time does to an object.
	Documented string
	Keep       bool
	// Property says of which property the case is an instance (see package property), or "" if it is none. All instances
	// of a property of a function are one test.
	Property string
	// Story is what the case tells if it uses one object from start to end (see package scenario), or nil.
	Story *Story
	// Shows names things that the case shows besides its coverage and its outcome, such as mutants that
	// it notices. The reducer keeps a case that shows something no other case shows.
	Shows []string

	// Path are the decisions of the target's own branches in the order in which they were taken, for names
	// and comments, or nil if the engine does not know them.
	Path []Condition
	// Stop names how the engine's exploration of this path ended ("return",
	// "panic", or why it was handed over to concrete execution); see vm.Stop.
	Stop string

	// Checked says how the case relates to verified assertions, or nil if no verifier guided the engine.
	Checked *Checked

	// Fields are the fields of results that have to be compared to notice all mutants which the case can
	// notice, or nil if that is not known.
	Fields map[FieldRef]bool

	// Broken is the object whose invariant the last statement broke. It is nil if no invariant was broken, or
	// if the object is not known.
	Broken *Part

	// Restores are the package-level variables that the case sets for good. Its test has to restore
	// them for other tests.
	Restores []*types.Var
	// Unset are environment variables that the test takes away, because the case ends otherwise where they are set.
	Unset []Variable
	// Closes are the objects that the test has to close at its end, because goroutines would be left otherwise.
	Closes []Closing

	// Predicted is the outcome that the machine predicts, or nil if it predicts none.
	Predicted *Outcome
	// Observed is the outcome of a native run, nil before there was one.
	Observed *Outcome
}

// Variable is an environment variable that code asks for.
type Variable struct {
	Name string
	// Exists says that the code asks whether there is such a variable, so that an empty one is not as good as none.
	Exists bool
}

// Closing is the call of a method on an object, which ends what the object does. The method has no parameters, or only a
// context, which is then one that never ends.
type Closing struct {
	Object Ref
	Method *types.Func
}

// FieldRef names a field of a struct, or of a struct that is pointed to. The struct is result Result of
// statement Stmt or, if Stmt is -1, argument Result of the last statement as it is in the end.
type FieldRef struct{ Stmt, Result, Field int }

// Checked says which assertions of a verifier a path concerns.
type Checked struct {
	// Met are the assertions that the path met while their premises did not hold. If there are none the test
	// is redundant, because everything that it shows is verified.
	Met []AssertionRef
	// Prefix identifies the decisions before the last of these assertions. Tests that differ only behind it
	// show the same unverified execution.
	Prefix uint64
	// Violated is the assertion that the path broke, or nil if it broke none.
	Violated *AssertionRef
	// New says that the path covered something in the package that no earlier path had covered.
	New bool
}

// AssertionRef names an assertion: the function as go/ssa names it, and the assertion's number in the
// function.
type AssertionRef struct {
	Func  string
	Index int
}

// Part is an object of a sequence, or a part of an object to which steps lead.
type Part struct {
	Object Ref
	Path   []Step
}

// Step leads from an object to a part of it: to what a field holds, to an element of a list or a map, or to what an
// interface holds.
type Step struct {
	Field *types.Var // nil for an element, and in an interface
	Index string     // of the element, as an expression
	Held  bool       // the part is what an interface holds
	Type  types.Type // the part's
}

// IsPlainStruct reports whether a type is a struct or an array of basic types, within one another, or a pointer to one. If
// a call changes such a field of an object, tests compare the whole field: nothing else may show the change.
func IsPlainStruct(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, basic := t.Underlying().(*types.Basic)
	return !basic && gosyntax.AllParts(t, gosyntax.IsPlainBasic)
}

// IsChangedWhole reports whether tests compare a whole field that a call has changed: it is a plain struct (see IsPlainStruct), or, if users
// see the field, a list or map of such structs or of lists of basic types, or a struct of exported lists like net.IPNet. What Scan has read
// into an exported field is what it is for.
func IsChangedWhole(field *types.Var) bool {
	t := field.Type()
	if IsPlainStruct(t) {
		return true
	}
	if !field.Exported() {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return isPlainElement(u.Elem())
	case *types.Map:
		return gosyntax.IsPlainBasic(u.Key()) && isPlainElement(u.Elem())
	case *types.Struct:
		return u.NumFields() > 0 && !slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool {
			list, ok := f.Type().Underlying().(*types.Slice)
			return !f.Exported() || !gosyntax.IsPlainBasic(f.Type()) && !(ok && gosyntax.IsPlainBasic(list.Elem()))
		})
	}
	return false
}

func isPlainElement(t types.Type) bool {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	return gosyntax.IsPlainBasic(t) || IsPlainStruct(t)
}

// ShowsUse begins what a case shows that makes a call as the documentation does.
const ShowsUse = "used "

// TargetName returns a function's name in the form of Case.Target: "Func" or "Type.Method".
func TargetName(f *types.Func) string {
	r := f.Type().(*types.Signature).Recv()
	if r == nil {
		return f.Name()
	}
	t := types.Unalias(r.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

// TargetStmt returns the last statement that calls the case's target, or the last statement if none does.
// Tests assert the results of this statement and of later calls.
func (c *Case) TargetStmt() int {
	for i := c.Seq.Len() - 1; i >= 0; i-- {
		if op := c.Seq.At(i).Op; op.Func != nil && TargetName(op.Func) == c.Target {
			return i
		}
	}
	return c.Seq.Len() - 1
}

// A Story says what the calls of a case tell: those behind the target's last one show what it did, and undo it.
type Story struct {
	Methods []string // that the test is named after, beside the target's
	About   string   // a sentence for the comment of the test
	Begins  int      // the first call of the target; from here on results are asserted
	Fills   bool     // the target puts something in that is found again by what it was given
	Absent  int      // the statement that asks for what is not there, 0 if none does
	Parts   []int    // the statements with which new parts begin: those that undo
}

// RoundTrip is the property of cases that read a text, print what was read, and read that again.
const RoundTrip = "round trip"

// Condition is a branch decision in source terms.
type Condition struct {
	Pos  token.Position
	Text string // the condition as the source has it
	True bool   // the outcome
}

// Status says how an execution ended.
type Status uint8

// The ways an execution ends.
const (
	NotRun    Status = iota
	Returned         // every statement returned
	Panicked         // a statement panicked: Panic
	Exited           // the process exited (os.Exit, log.Fatal): Message
	Died             // a fatal error ended the process (stack overflow, concurrent map writes, out of memory): Message
	Hung             // it was ended at its time limit
	Deadlock         // all goroutines were asleep
	Discarded        // it violated an assay.Assume: no test
	Refused          // the guard or the runner would not run it: Message
	Goexit           // runtime.Goexit ended the calling goroutine
)

var statusNames = [...]string{"not run", "returned", "panicked", "exited", "died", "hung", "deadlock", "discarded", "refused", "goexit"}

func (s Status) String() string { return statusNames[s] }

// Outcome is the effect of an execution, observed natively or predicted by the machine.
type Outcome struct {
	Status Status
	// At is the index of the statement that ended the execution. If the execution returned it is the last
	// statement.
	At int
	// Results are the results of each statement right after it; nil for statements whose results were
	// not observed.
	Results [][]Value
	// Final are the arguments of the last statement after it, which show the effect of a call on its receiver
	// and arguments. It is nil if they were not observed.
	Final   []Value
	Panic   *Panic
	Message string
	// Violated is the contract or assertion that the execution broke, or "" if it broke none: "RepOK",
	// "assert", "requires ...", "ensures ...".
	Violated string
	// ViolatedAt is the place of the contract or assertion, if it is known.
	ViolatedAt token.Position
	// Disliked is how many conditions of assay.Prefer did not hold when they were met.
	Disliked int
	// Cover are the blocks of the package that ran, numbered as in the native harness.
	Cover Cover
	// Held says that the execution ended while it held a lock of the package. Later code that takes the
	// lock would wait for ever.
	Held bool
	// Leaves says that the execution ran in a bubble of testing/synctest, and left goroutines in it that nothing can wake. A test
	// in a bubble fails if it does that.
	Leaves bool
	// Allocated is how many bytes the last statement allocated, if the run measured that.
	Allocated uint64
	// Took is how long it ran, if the run measured that and the clock did not stand still.
	Took time.Duration
	// Unstable says that a second run in another process differed in its status or in results. Results that
	// differed are Opaque.
	Unstable bool
	// Wavers says that a second run ended in another way: with another status, in another place, by another kind of
	// panic, or with another contract broken. An outcome that is only Unstable fails in the same way each time.
	Wavers bool
}

// Unsteady reports whether a second run ended otherwise, or returned something else from statement from on. Where only
// what earlier statements returned differs, like an object that holds the time at which it was made, a test can still say
// what the later ones return.
func (o *Outcome) Unsteady(from int) bool {
	if !o.Unstable {
		return false
	}
	if o.Status != Returned || o.Wavers || from > len(o.Results) {
		return true
	}
	for _, results := range o.Results[max(from, 0):] {
		if slices.ContainsFunc(results, Value.differs) {
			return true
		}
	}
	return false
}

// Unsteady reports whether what the case shows, from the call of its target on, differs from run to run.
func (c *Case) Unsteady() bool { return c.Observed.Unsteady(c.TargetStmt()) }

// OutOfMemory is the Message of an outcome with status Died if the execution needed more memory than
// there was.
const OutOfMemory = "out of memory"

// Slept is the Message of an outcome with status Hung if the execution slept in most of its time. It may return
// to those who wait longer, which no observation can refute.
const Slept = "it slept, and did not return in time"

// WaitedOutside is the Message of an outcome with status Hung if the execution waited in the operating system: for a lock of
// a file that somebody else holds, or for a peer that says something.
const WaitedOutside = "it waited in the operating system, and did not return in time"

// Exhausted reports whether the execution used up its time or its memory. Which of the two limits is reached
// first may depend on the machine. An execution that was not run has used up nothing.
func (o *Outcome) Exhausted() bool {
	if o == nil {
		return false
	}
	return o.Status == Hung || o.Status == Died && o.Message == OutOfMemory
}

// Panic describes a panic that left a statement.
type Panic struct {
	Value   Value  // the argument of panic
	Runtime bool   // it is a runtime.Error
	Message string // the runtime's text, without "panic: "
	// Kind is the kind of finding that a run-time panic becomes: "nil-dereference", "index-out-of-range",
	// "slice-out-of-range", "division-by-zero", "type-assertion", "nil-map-write", "negative-length",
	// "negative-shift", "closed-channel", "conversion", "explicit" (the code calls panic), "other".
	Kind string
	// OfStandIn says that the message names a type that the harness declares.
	OfStandIn bool
	// Stack are the frames from the panic outwards, in the code under test and the code that it called,
	// without frames of the harness and the runtime.
	Stack []Frame
	// Contract is where the innermost function that checks a contract was when the panic came through it: at its
	// call of the function under test, or at a clause that panics by itself. Of an execution that never ended it is where that
	// function waits. It is zero if there is no such function.
	Contract token.Position
}

// Frame is a stack frame.
type Frame struct {
	Func string // as runtime.FuncForPC names it: "example.com/m/p.(*T).Method"
	Pos  token.Position
}

// Block is a stretch of code that is counted: statements that are executed
// together, or one outcome of a condition.
type Block struct {
	// Pos and End say where the block is in the user's file. For a branch they say where its condition is.
	Pos, End token.Position
	Func     string // Target.Name of the function it belongs to; "" outside of functions
	Stmts    int    // how many statements the block has; 0 for an outcome of a condition
	Branch   bool   // a decision leads to the block
	Text     string // for outcomes: the condition as the source has it
	Value    bool   // for outcomes: whether the condition is true
	// Asks are the constant texts that a condition or a case compares something with to lead here.
	Asks []string
}

// Cover is a set of block numbers.
type Cover []uint64

// Has reports whether block i is in the set.
func (c Cover) Has(i int) bool { return i>>6 < len(c) && c[i>>6]>>(i&63)&1 != 0 }

// Set adds block i.
func (c *Cover) Set(i int) {
	for i>>6 >= len(*c) {
		*c = append(*c, 0)
	}
	(*c)[i>>6] |= 1 << (i & 63)
}

// Union adds the blocks of d and reports whether any was new.
func (c *Cover) Union(d Cover) (grew bool) {
	for len(*c) < len(d) {
		*c = append(*c, 0)
	}
	for i, w := range d {
		if w&^(*c)[i] != 0 {
			grew = true
			(*c)[i] |= w
		}
	}
	return grew
}

// Count returns the number of blocks in the set.
func (c Cover) Count() int {
	n := 0
	for _, w := range c {
		n += bits.OnesCount64(w)
	}
	return n
}

// CountBeyond returns the number of blocks that d does not have.
func (c Cover) CountBeyond(d Cover) int {
	n := 0
	for i, w := range c {
		if i < len(d) {
			w &^= d[i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// Minus returns what c has and d has not.
func (c Cover) Minus(d Cover) Cover {
	out := slices.Clone(c)
	for i := range min(len(c), len(d)) {
		out[i] &^= d[i]
	}
	return out
}

// Contains reports whether c has all blocks of other.
func (c Cover) Contains(other Cover) bool {
	for i, w := range other {
		if i >= len(c) {
			if w != 0 {
				return false
			}
			continue
		}
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// CoverOf returns the blocks that the cases cover together, as far as they were observed.
func CoverOf(cases []*Case) Cover {
	var out Cover
	for _, c := range cases {
		if c.Observed != nil {
			out.Union(c.Observed.Cover)
		}
	}
	return out
}

// Severity says how bad a finding is.
type Severity string

// The severities; see "What counts as a finding" in ARCHITECTURE.md.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
	// Misuse is no defect: the test does something that a user of the package may not do. It is
	// reported only on request.
	Misuse Severity = "misuse"
)

// Rank orders severities: 0 is an error, the worst.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	case Misuse:
		return 3
	}
	return 2
}

// Finding is a defect, reproduced natively by its case.
type Finding struct {
	Kind     string // Panic.Kind, or "contract", "invariant", "deadlock", "hang", "stack-overflow", "fatal", "assertion"
	Severity Severity
	// Excused says that another execution has shown what excuses the code, so that the rules, which know of no other execution, must not
	// make the finding worse again.
	Excused bool
	// ByCalls says that another execution has shown that calls lead to the failure, and not the numbers that are stored in the object.
	ByCalls bool
	// Chosen says that the finding is no misuse, and a warning only since the evidence for an error is not strong enough.
	Chosen  bool
	Message string // one line
	Pos     token.Position
	Func    string // the function under test through which it was reached: "Func" or "Type.Method"
	Case    *Case
	// Cause is the key by which findings are told apart: kind, place and the stack's functions in the
	// code under test. Findings with the same cause are one.
	Cause string
	// Evidence says in one sentence why the code is wrong, or why the case is misuse. Rank is how strong this
	// reason is; 0 means that there is none.
	Evidence string
	Rank     int
	// Misuse says, for a finding of that severity, what a user may not do: "nil arguments".
	Misuse string
	// Declared is where Func is declared.
	Declared token.Position
	// Root says in words where the wrong value comes from, and RootPos where that is declared. They are "" and
	// invalid if it is not known.
	Root    string
	RootPos token.Position
	// Doors are the exported functions that lead to the defect, by name.
	Doors []string
	// WantsError says that the mended code has to return an error: what the call is passed is cut off.
	WantsError bool
	// FaultOf is the function that is to be mended, where that may be another one than Func: its call has left the lock held for which the
	// finding's call waits, or its iterator goes on where a loop tells it to stop. It is "" if that is not known.
	FaultOf string
	// NoTest is the reason why no test can show the finding, or "" if a test can.
	NoTest string
}

// Functions lists the function through which a finding was reached, and the other doors to it.
func (f *Finding) Functions() []string {
	out := []string{f.Func}
	for _, d := range f.Doors {
		if d != f.Func {
			out = append(out, d)
		}
	}
	return out
}

// Shown returns the object that observers behind the case's call are asked about: the receiver of the
// call, or its first result. Observers take nothing, or arguments of the call itself, as Has(x) behind
// Remove(x) does, or constants that were there before it, as Has(x) behind Clear() does. If the result is an interface,
// observers may be methods of what is in it (see ShownInside). It returns false if nothing, or anything else, comes behind the call.
func (c *Case) Shown() (subject Ref, ok bool) {
	target := c.TargetStmt()
	st := c.Seq.At(target)
	first := target + 1
	if c.ShownInside() {
		first++
	}
	for i := first; i < c.Seq.Len(); i++ {
		o := c.Seq.At(i)
		if !o.Op.Observes() || len(o.Args) == 0 || i > first && o.Args[0] != subject {
			return Ref{}, false
		}
		for _, a := range o.Args[1:] {
			if !slices.Contains(st.Args[min(1, len(st.Args)):], a) && (a.Stmt > target || !c.Seq.IsConstant(a)) {
				return Ref{}, false
			}
		}
		subject = o.Args[0]
		result := subject == Ref{Stmt: first - 1}
		receiver := st.Op.Kind == OpMethod && st.Args[0] == subject
		if !result && !receiver {
			return Ref{}, false
		}
	}
	if subject.Stmt == first-1 {
		subject = Ref{Stmt: target} // what is in the interface is the result, too
	}
	return subject, c.Seq.Len() > first
}

// ShownInside reports whether what comes behind the case's call begins with a type assertion on the call's first result, so that
// methods of the object in an interface can be called.
func (c *Case) ShownInside() bool {
	target := c.TargetStmt()
	if target+1 >= c.Seq.Len() {
		return false
	}
	st := c.Seq.At(target + 1)
	return st.Op.Kind == OpAssert && st.Args[0] == Ref{Stmt: target}
}

// ShowsAgain reports whether fields of argument k are to be asserted behind the last call, which earlier calls have
// changed, too: what is observed is the object when it was made, and it may be in that state again. The receiver of a
// method is argument 0.
func (c *Case) ShowsAgain(k int) bool {
	last, n := c.Seq.Last(), c.Seq.Len()
	if !last.Op.IsCall() || c.TargetStmt() != n-1 || c.Observed == nil || c.Observed.Status != Returned || k >= len(last.Args) || k >= len(c.Observed.Final) {
		return false
	}
	for f := range c.Fields {
		if f.Stmt == -1 && f.Result == k {
			_, called := c.Seq.CalledBefore(last.Args[k], n-1)
			return called
		}
	}
	return false
}

// CalledBefore returns the last statement before another one that calls a function with an object, or a method of it,
// and false if there is none.
func (s *Sequence) CalledBefore(object Ref, at int) (stmt int, ok bool) {
	for i := at - 1; i > object.Stmt; i-- {
		if st := s.At(i); st.Op.IsCall() && slices.Contains(st.Args, object) {
			return i, true
		}
	}
	return 0, false
}

// ShowsReceiver returns which fields of its receiver a test of a method asserts behind the call: all if the method
// returns nothing, or nothing but an error or a truth value, and exported ones if its other results tell what it does.
func ShowsReceiver(op *Operation) func(field *types.Var) bool {
	results := op.Signature().Results()
	all := results.Len() == 0
	if results.Len() == 1 {
		all = gosyntax.IsError(results.At(0).Type()) || returnsTruth(op)
	}
	return func(field *types.Var) bool { return all || field.Exported() }
}

// returnsTruth reports whether an operation returns one truth value.
func returnsTruth(op *Operation) bool {
	results := op.Signature().Results()
	if results.Len() != 1 {
		return false
	}
	b, ok := results.At(0).Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// TellsApart reports whether a field of a method's receiver is asserted only if mutants have chosen it: an unexported one beside
// a truth that the method returns, which says most.
func TellsApart(op *Operation, field *types.Var) bool { return returnsTruth(op) && !field.Exported() }
