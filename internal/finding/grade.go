package finding

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// The kinds of misuse, in the words of reports: "12 functions fail on nil arguments".
const (
	onNil      = "nil arguments"
	onUnset    = "fields that are left nil"
	onOdd      = "values that are none of the declared ones"
	onZero     = "zero values of what the package makes for its users"
	onHidden   = "what users cannot name or set"
	onFailed   = "results that came with an error"
	onStub     = "made-up implementations and functions"
	onNumber   = "indexes, lengths and divisors out of range"
	onShort    = "slices that are too short for a fixed size"
	onSize     = "sizes beyond memory or patience"
	onDynamic  = "dynamic types that do not fit"
	onChannel  = "waiting for what nobody does"
	onKnot     = "objects that contain themselves"
	onRefused  = "what the code refuses by a panic"
	onAnnounce = "what the documentation excludes"
	onNowhere  = "iterators that stand on no element"
	onNode     = "nodes of trees that no parser has made"
	onClosed   = "objects that were closed before"
)

// grading is what the rules of Grade know about a finding.
type grading struct {
	rules    *usage.Rules
	c        *testcase.Case
	kind     string
	target   *load.Target
	approach approach
	stack    []purity.Frame
	origins  []purity.Origin
	chosen   bool // for want of strong evidence, set by ofData: see testcase.Finding.Chosen
	byCalls  bool // calls lead to the failure, and not the numbers that are stored in the object
}

// grade is the result of a rule.
type grade struct {
	severity testcase.Severity
	misuse   string
	evidence string
	rank     int
}

func misuse(what, evidence string) *grade {
	return &grade{severity: testcase.Misuse, misuse: what, evidence: evidence}
}

// Grade says how bad a finding is, and why. The first rule that applies decides.
func Grade(rules *usage.Rules, c *testcase.Case, f *testcase.Finding) {
	g := gradingOf(rules, c, f.Kind)
	g.byCalls = f.ByCalls
	g.decide(f)
}

// gradingOf collects what the rules have to know.
func gradingOf(rules *usage.Rules, c *testcase.Case, kind string) *grading {
	g := &grading{
		rules: rules, c: c, kind: kind, target: rules.Pkg.Target(c.Target),
		approach: approachOf(rules, c), stack: FramesOf(rules.Pkg, c.Observed),
	}
	if c.Whole {
		// A predicate has judged the objects that were made by literals, so their being made so excuses
		// nothing.
		g.approach.inside, g.approach.raw, g.approach.odd, g.approach.bare = false, false, false, false
		g.approach.unset, g.approach.ready = false, usage.Word{}
	} else if load.IsInvariant(c.Observed.Violated) {
		g.approach.judge(rules.Pkg, c.Seq)
	}
	g.origins = originsOf(rules, kind, c, g.approach)
	return g
}

// decide asks the rules.
func (g *grading) decide(f *testcase.Finding) {
	for _, rule := range []func(*grading) *grade{
		(*grading).ofDone, (*grading).ofContract, (*grading).ofGivenPanic, (*grading).ofMisfit, (*grading).ofMock, (*grading).ofSleep, (*grading).fromInside, (*grading).announced, (*grading).explicit, (*grading).ofUnmade, (*grading).ofInitialiser, (*grading).ofRefusal,
		(*grading).ofClosed, (*grading).ofNil, (*grading).ofMade, (*grading).ofIncomplete, (*grading).ofPromise, (*grading).ofDynamic, (*grading).ofUnaddressable, (*grading).ofStub, (*grading).ofEndless,
		(*grading).ofNowhere, (*grading).ofEntry, (*grading).ofNumber, (*grading).ofEncoded, (*grading).ofObject, (*grading).ofData,
	} {
		if v := rule(g); v != nil {
			f.Severity, f.Misuse, f.Evidence, f.Rank, f.Chosen = v.severity, v.misuse, v.evidence, v.rank, g.chosen
			g.ofGenerated(f)
			g.ofDeprecated(f)
			return
		}
	}
	panic("bug: finding: no rule grades " + f.Cause)
}

// ofGenerated makes a finding in a package of generated files a note: nobody mends such files, and who would change their generator looks
// at that one (the accessors of flatc, which trust their bytes, protoc-gen-go's and stringer's methods).
func (g *grading) ofGenerated(f *testcase.Finding) {
	if (f.Severity == testcase.Error || f.Severity == testcase.Warning) && g.rules.Pkg.IsGenerated() {
		f.Severity = testcase.Note
		f.Evidence += "; but all files of the package are generated, so that only their generator could be mended"
	}
}

// ofDeprecated makes an error of a function that nobody is to use any more a warning: its documentation, or that of its package, says so in the
// way that pkg.go.dev and editors know, by a paragraph that begins with "Deprecated:".
func (g *grading) ofDeprecated(f *testcase.Finding) {
	if f.Severity == testcase.Error && g.rules.IsDeprecated(g.target.Obj) {
		f.Severity = testcase.Warning
		f.Evidence += "; but its documentation calls it deprecated"
	}
}

// ofGivenPanic grades the panic of a function that the test passes because it panics, and calls that a function which the test passes
// repeats without an end.
func (g *grading) ofGivenPanic() *grade {
	if g.kind == "stack-overflow" && g.callsBack() {
		return misuse(onStub, "a function that it is given makes the same call again")
	}
	if !passesOn(g.c) {
		return nil
	}
	return misuse(onStub, "a function that it is given panics")
}

// ofContract grades a broken contract of package protocol. Objects that are written field by field need not
// be valid, so they excuse the code.
func (g *grading) ofContract() *grade {
	op := g.c.Seq.Last().Op
	if op.Kind != testcase.OpCheck {
		return nil
	}
	if g.approach.failed {
		return misuse(onFailed, "the call before returned an error, so its other results mean nothing")
	}
	if g.approach.inside || g.approach.raw || g.approach.odd || g.approach.bare {
		return misuse(onHidden, "a value that users cannot make breaks the contract "+op.Check.Contract)
	}
	if g.target == nil || !g.target.Exported {
		return misuse(onHidden, "only the package itself can call it")
	}
	if op.Check.Evidence != "" {
		return &grade{op.Check.Severity, "", op.Check.Evidence, usage.Declared}
	}
	if g.approach.stub && op.Check.Severity != testcase.Error && !AnswersPlainly(g.c.Seq) {
		return misuse(onStub, "a function that the test makes up, like an order that is none, breaks the contract "+op.Check.Contract)
	}
	if g.approach.stub && standsInFor(g.c.Seq, op.Check.Contract) {
		return misuse(onStub, "a stand-in that the test makes up breaks the contract "+op.Check.Contract+" itself")
	}
	if word := g.approach.ready; op.Check.Severity != testcase.Error && word.Evidence != "" && !word.Allowed {
		return misuse(onZero, word.Evidence) // as any other finding, it is worth one step less
	}
	if op.Check.Contract == "insert" && roomForNone(g.c.Seq) {
		return misuse(onNumber, "a container that is told to have no room keeps nothing")
	}
	if op.Check.Severity != testcase.Error && g.checksNil() {
		return misuse(onNil, "nothing says that nil keeps the contract "+op.Check.Contract)
	}
	if op.Check.Contract == "roundtrip" && g.approach.large || op.Check.Contract == "ends" && MayTakeLong(g.c.Seq) {
		return misuse(onSize, "only numbers beyond any size break the contract "+op.Check.Contract)
	}
	if op.Check.Severity != testcase.Error {
		return &grade{op.Check.Severity, "", "the names of the methods promise the " + asks(op.Check), usage.Usual}
	}
	if g.approach.node {
		return misuse(onNode, "the test makes a node by hand, and its kind says what else it has to have")
	}
	if op.Check.Contract == "string" && (g.approach.unset || len(g.approach.nils) > 0) {
		return misuse(onUnset, "printing a value fails of which a field is left nil")
	}
	if op.Check.Contract == "string" {
		if _, ok := emptyError(g.c.Seq); ok {
			return misuse(onZero, "an error is made where something has gone wrong, and this one says nothing of what")
		}
	}
	if op.Check.Contract == "invariant" {
		return &grade{testcase.Error, "", "the type itself says by its method whether an object is valid", usage.Declared}
	}
	evidence := "the standard library documents the " + asks(op.Check)
	if g.approach.edited {
		return &grade{testcase.Warning, "", evidence + "; but the test sets a field of an object that a function has made", usage.Declared}
	}
	return &grade{testcase.Error, "", evidence, usage.Declared}
}

// standsInFor reports whether a test makes up an object with the method that a contract of package io is about: its Write says that it has written
// nothing, or its Read that there is nothing and no end. What only hands that on, like the writers around dns.ResponseWriter and
// http.ResponseWriter in coredns, chi and promhttp, breaks nothing. Neither does a function made a writer, as by WriterFunc in age, k0s and
// coder/websocket.
func standsInFor(s *testcase.Sequence, contract string) bool {
	method := map[string]string{"writer": "Write", "reader": "Read"}[contract]
	if method == "" {
		return false
	}
	for i := range s.Len() {
		switch op := s.At(i).Op; op.Kind {
		case testcase.OpStubIface:
			if obj, _, _ := types.LookupFieldOrMethod(op.Type, false, nil, method); obj != nil {
				return true
			}
		case testcase.OpStubFunc:
			sig, ok := op.Type.Underlying().(*types.Signature)
			if ok && sig.Params().Len() == 1 && sig.Results().Len() == 2 && gosyntax.IsBytes(sig.Params().At(0).Type()) && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) && gosyntax.IsError(sig.Results().At(1).Type()) {
				return true
			}
		}
	}
	return false
}

// checksNil reports whether one of the objects whose contract is checked is nil.
func (g *grading) checksNil() bool {
	return slices.ContainsFunc(g.approach.nils, func(n nilArgument) bool { return n.Func == nil })
}

// asks returns what a contract requires, taken from the first sentence of its check's comment.
func asks(c *testcase.Check) string {
	what, _, _ := strings.Cut(strings.TrimSuffix(c.Doc, "."), ". ")
	if rest, ok := strings.CutPrefix(what, "reports "); ok {
		what = "asks " + rest
	}
	return "contract " + c.Contract + ", which " + what
}

// fromInside grades a failure that only the package itself can cause.
func (g *grading) fromInside() *grade {
	switch {
	case g.target == nil || !g.target.Exported:
		return misuse(onHidden, "only the package itself can call it")
	case g.approach.failed:
		return misuse(onFailed, "the call before returned an error, so its other results mean nothing")
	case g.approach.inside:
		return misuse(onHidden, "the test sets or calls what is not exported")
	}
	return nil
}

// announced grades a failure that the documentation speaks of. If the documentation restricts numbers or
// objects, the code is excused. If it restricts text or bytes, which come from outside, the code is excused
// only if the function returns no error.
func (g *grading) announced() *grade {
	o, fn := g.c.Observed, g.target.Obj
	if o.Status == testcase.Panicked {
		if said := cmp.Or(g.rules.Announced(fn), g.announcedBefore()); said != "" {
			return misuse(onAnnounce, "the documentation says "+said)
		}
	}
	if o.Violated != "" {
		return nil // a declared contract outweighs the documentation
	}
	said, excludes := g.rules.Asks(fn)
	if said == "" || !excludes && usage.Data(fn) != "" && gosyntax.ReturnsError(fn.Signature()) {
		return nil
	}
	switch g.kind {
	case "hang", "stack-overflow", "deadlock":
		if purity.Waits(g.target.Func) {
			return nil // what it waits for decides (ofEndless)
		}
		// Even if the result is undefined, the call should return, because a caller who gets wrong data from
		// outside cannot recover from a hang.
		if a := g.approach; !a.large && !a.raw && !a.stub && !a.channel && !a.knot && len(a.nils) == 0 {
			return &grade{testcase.Warning, "", "the documentation says " + said + ", not that " + g.target.Name + " " + g.failureText() + " otherwise", usage.Usual}
		}
	}
	return misuse(onAnnounce, "the documentation says "+said)
}

// AsRefuted returns a finding as the verb check reports it. The user has asked about the assertion there, so
// a refutation by misuse is part of the answer. It becomes a warning, or a note if nobody outside of the
// package can cause the failure or the code itself excludes it. What is a warning only for want of strong evidence is an error
// for a user who has asked about it.
func AsRefuted(f *testcase.Finding) *testcase.Finding {
	if f == nil || f.Severity != testcase.Misuse && !f.Chosen {
		return f
	}
	g := *f
	if f.Chosen {
		g.Severity = testcase.Error
		return &g
	}
	g.Severity = testcase.Warning
	switch f.Misuse {
	case onHidden, onFailed, onRefused, onAnnounce:
		g.Severity = testcase.Note
	}
	return &g
}

// saysImpossible reports whether the message of a panic says that the code never gets there.
func saysImpossible(message string) bool {
	words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(message), func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) }), " ") + " "
	for _, impossible := range []string{"unreachable", "not reached", "can't happen", "cannot happen", "impossible", "should never", "should not happen", "internal error", "bug"} {
		if strings.Contains(words, " "+impossible+" ") {
			return true
		}
	}
	return false
}

// explicit grades a panic that the code raises itself. By such a panic the code refuses misuse. It does not
// count as a refusal if data leads to it although the function could return an error, or if its message says
// that nothing leads to it. Who calls template.Must has chosen to panic on the error.
func (g *grading) explicit() *grade {
	if g.kind != "explicit" && !byMust(g.rules.Pkg, g.c.Observed) {
		return nil
	}
	if v := g.ofUnaddressable(); v != nil {
		return v
	}
	a, fn := g.approach, g.target.Obj
	if len(a.nils) > 0 || a.stub || a.raw || a.odd || a.bare || a.unset || a.edited {
		return misuse(onRefused, "the panic is the code's own, of a value that users should not pass")
	}
	if a.large && saysImpossible(g.c.Observed.Panic.Message) {
		return misuse(onSize, "only a number beyond any size leads to it") // tabwriter's width of 2^63
	}
	if saysImpossible(g.c.Observed.Panic.Message) {
		return &grade{testcase.Error, "", "the panic says that nothing leads to it, and " + g.approachText() + " does", usage.Declared}
	}
	if named := cmp.Or(g.namedArgument(), g.namedObject()); named != "" {
		return misuse(onRefused, "the panic names "+named+", which the code looks at before it takes the data beside it")
	}
	if data := usage.Data(fn); data != "" {
		if word := g.rules.Refuses(fn); word.Allowed {
			return &grade{testcase.Error, "", g.target.Name + " takes any " + data + ", " + strings.TrimPrefix(word.Evidence, g.target.Name+" ") + " for what it refuses, and its documentation announces no panic", word.Rank}
		}
	}
	// The refusal may concern an argument. That the zero value may be used says nothing about arguments.
	if a.ready.Allowed && a.ready.Rank >= usage.Shown && fn.Signature().Params().Len() == 0 {
		return &grade{testcase.Error, "", a.ready.Evidence + ", and " + g.target.Name + " panics on it", a.ready.Rank}
	}
	return misuse(onRefused, "the panic is the code's own")
}

// byMust reports whether the module's code has handed an error to a function called Must of another package, like template.Must.
func byMust(pkg *load.Package, o *testcase.Outcome) bool {
	return raisedElsewhere(pkg, o) && !o.Panic.Runtime && len(o.Panic.Stack) > 1 && strings.HasSuffix(o.Panic.Stack[0].Func, ".Must") && OfModule(pkg, o.Panic.Stack[1].Func)
}

// ofRefusal grades the panic of another package that names a value which the test passes. The other package
// refuses the value, and the code under test only hands it on. A caller chooses numbers, but a text may come
// from outside, so a reader should look at such a finding.
func (g *grading) ofRefusal() *grade {
	o := g.c.Observed
	if g.kind != "other" || o.Panic == nil || o.Panic.Runtime || !raisedElsewhere(g.rules.Pkg, o) {
		return nil
	}
	if g.choosesFromNothing() {
		return misuse(onNumber, "math/rand documents the panic, and the test passes nothing to choose from")
	}
	names := func(text string) bool {
		for rest := o.Panic.Message; ; {
			_, after, found := strings.Cut(rest, text)
			if !found {
				return false
			}
			before := rest[:len(rest)-len(after)-len(text)]
			if !endsInWord(before) && !beginsWithWord(after) {
				return true
			}
			rest = after
		}
	}
	for i := range g.c.Seq.Len() {
		op := g.c.Seq.At(i).Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		switch {
		case !ok:
		case b.Info()&types.IsInteger != 0 && names(strconv.FormatInt(int64(op.Lit.Bits), 10)):
			return misuse(onNumber, "another package refuses the number that the test passes")
		case b.Info()&types.IsString != 0 && strings.Contains(o.Panic.Message, "UTF-8") && !utf8.ValidString(op.Lit.Str):
			return misuse(onRefused, "another package refuses a text that is no UTF-8")
		case b.Info()&types.IsString != 0 && op.Lit.Str != "" && (names(strconv.Quote(op.Lit.Str)) || names("`"+op.Lit.Str+"`")):
			return &grade{testcase.Warning, "", "another package refuses by a panic the text that the test passes", usage.Usual}
		}
	}
	return nil
}

// endsInWord reports whether a text ends in a letter, a digit or a sign.
func endsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-')
}

// beginsWithWord reports whether a text begins with a letter or a digit.
func beginsWithWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// ofSleep grades calls that sleep, and calls that wait in the operating system: for a file that the test has locked
// before, or for what a peer sends. How long they do so, and how often, is often up to the caller's numbers, and
// waiting proves nothing about calls that mean to take their time.
func (g *grading) ofSleep() *grade {
	if g.kind != "hang" {
		return nil
	}
	switch g.c.Observed.Message {
	case testcase.Slept:
		return misuse(onSize, "it sleeps, and may return to those who wait longer")
	case testcase.WaitedOutside:
		return misuse(onChannel, "it waits in the operating system, and nobody else is there to end that")
	}
	return nil
}

// ofEndless grades calls that do not end, or that take very long.
func (g *grading) ofEndless() *grade {
	a := g.approach
	switch g.kind {
	case "hang", "deadlock", "closed-channel":
		if a.channel {
			return misuse(onChannel, "who sends, who receives and who closes is agreed with the caller")
		}
		if g.kind != "closed-channel" && g.c.Observed.Violated == "" && g.waitsElsewhere() {
			return misuse(onChannel, "it waits in another module, for whom the test has not got")
		}
		if g.kind != "closed-channel" && g.throwsEndAway() {
			return misuse(onChannel, "an earlier call has returned a function that ends what it began, and the test does not call it")
		}
		if g.waitsAtPipe() {
			return misuse(onChannel, "it waits for who is at the other end of a pipe, and the test has nobody there")
		}
		if g.c.Observed.Violated == "" && g.kind != "closed-channel" && purity.Waits(g.target.Func) {
			if g.kind == "deadlock" {
				return misuse(onChannel, "it waits for another goroutine, and the test has none")
			}
			if a.large {
				return misuse(onSize, "a length can be too large for any machine without being wrong")
			}
			if purity.WaitsOnField(g.target.Func) {
				return misuse(onChannel, "who uses the object is at the other end of a channel in an exported field")
			}
			return &grade{testcase.Warning, "", "it does not return, and may only wait for another goroutine", usage.Usual}
		}
	}
	switch g.kind {
	case "hang", "stack-overflow":
		if a.knot {
			return misuse(onKnot, "a ring of the test's making has no end")
		}
		if g.kind == "hang" && len(a.nils) > 0 {
			return misuse(onNil, "nothing says that nil is allowed")
		}
		if sig := g.target.Obj.Signature(); g.kind == "hang" && sig.Recv() == nil && sig.Params().Len() == 0 && g.c.Seq.Len() == 1 {
			return misuse(onSize, "every call of it takes so long, so that users wait longer for it")
		}
	}
	switch g.kind {
	case "hang", "fatal", "stack-overflow", "deadlock", "negative-length":
		if neverEnds(g.rules.Pkg, g.target, g.c.Observed, g.kind) {
			return nil // no number is to blame
		}
		if g.kind == "hang" && g.c.Observed.Violated == "" && !hasText(g.c.Seq) && purity.Ends(g.rules.Pkg, FramesOf(g.rules.Pkg, g.c.Observed)) {
			return misuse(onSize, "each loop that it is in counts towards a bound, so that it returns to those who wait longer")
		}
		noMemory := g.c.Observed.Message == testcase.OutOfMemory
		if a.large || a.vast && (noMemory || g.kind == "negative-length") {
			return misuse(onSize, "a length can be too large for any machine without being wrong")
		}
		if noMemory && !hasText(g.c.Seq) && purity.Asked(g.rules.Pkg, g.stack) {
			return misuse(onSize, "it takes as much memory as it is told to, and code under test may have less here than users have")
		}
	case "slice-out-of-range":
		if a.large && usage.Data(g.target.Obj) == "" && beyondMemory(g.c.Observed.Panic.Message) {
			return misuse(onSize, "a bound is beyond any memory, and comes of a number that is")
		}
	}
	return nil
}

// throwsEndAway reports whether an earlier call on the object that the last call waits for has returned a function which nobody calls: by
// convention such a function unlocks, stops or releases (centrifugo's AcquireStorage, semaphores, context.WithCancel).
func (g *grading) throwsEndAway() bool {
	seq := g.c.Seq
	last := seq.Last()
	if last.Op.Kind != testcase.OpMethod {
		return false
	}
	ts := seq.ResultTypes()
	for i := range seq.Len() - 1 {
		st := seq.At(i)
		if st.Op.Kind != testcase.OpMethod || st.Args[0] != last.Args[0] {
			continue
		}
		for k, t := range ts[i] {
			if sig, ok := t.Underlying().(*types.Signature); !ok || sig == nil {
				continue
			}
			used := false
			for j := i + 1; j < seq.Len(); j++ {
				used = used || slices.Contains(seq.At(j).Args, testcase.Ref{Stmt: i, Result: k})
			}
			if !used {
				return true
			}
		}
	}
	return false
}

// waitsElsewhere reports whether a call waits in the code of another module: for a semaphore, a pool or a limiter of which the test has used up
// what there is. Locks and channels of the standard library are the package's own affair.
func (g *grading) waitsElsewhere() bool {
	o := g.c.Observed
	if o.Panic == nil || len(o.Panic.Stack) == 0 {
		return false
	}
	fn := o.Panic.Stack[0].Func
	first, _, _ := strings.Cut(fn, "/")
	return strings.Contains(fn, "/") && strings.Contains(first, ".") && !OfModule(g.rules.Pkg, fn)
}

// ofDynamic grades failures on interface values whose dynamic type does not fit.
func (g *grading) ofDynamic() *grade {
	if by := usage.ErrorsAs(g.target.Obj); by != "" && g.kind == "other" && raisedElsewhere(g.rules.Pkg, g.c.Observed) {
		return misuse(onDynamic, by)
	}
	if g.kind == "other" && usage.Reflects(g.target.Obj) && strings.HasPrefix(g.c.Observed.Panic.Message, "reflect: ") {
		return misuse(onDynamic, "the caller says by a reflect.Kind or reflect.Type what the value is")
	}
	if by := g.reflected(); by != "" {
		return misuse(onDynamic, by)
	}
	if ofAnotherType(g.rules.Pkg, g.kind, g.c.Observed) || g.kind == "type-assertion" && purity.AssertsArgument(g.rules.Pkg, g.stack) {
		return misuse(onDynamic, "the function says by its assertion which types it takes")
	}
	return nil
}

// ofNowhere grades calls that ask an iterator for an element although no call has moved it to one. By
// convention a caller has to move an iterator first: reflect.MapIter panics otherwise, and sql.Rows returns
// an error.
func (g *grading) ofNowhere() *grade {
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "nil-dereference":
	default:
		return nil
	}
	last := g.c.Seq.Last()
	mover := usage.Mover(g.target.Obj)
	if mover == "" || last.Op.Kind != testcase.OpMethod || last.Op.Func.Origin() != g.target.Obj.Origin() {
		return nil
	}
	stands := false
	for i := range g.c.Seq.Len() - 1 {
		st := g.c.Seq.At(i)
		if st.Op.Kind != testcase.OpMethod || st.Args[0] != last.Args[0] || !usage.Moves(st.Op.Func) {
			continue
		}
		o := g.c.Observed
		if i < len(o.Results) && len(o.Results[i]) == 1 {
			stands = o.Results[i][0].Bits != 0
		} else {
			stands = true // the result was not observed, so the iterator may stand on an element
		}
	}
	if stands {
		return nil
	}
	return misuse(onNowhere, mover+" has not moved it to an element")
}

// ofObject grades calls without arguments that depend on the state of their object, which a caller can ask
// for beforehand.
func (g *grading) ofObject() *grade {
	a, fn := g.approach, g.target.Obj
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "nil-dereference":
	default:
		return nil
	}
	if a.edited {
		return &grade{testcase.Warning, "", "the test sets a field of an object that a function has made", usage.Usual}
	}
	if usage.Data(fn) != "" || gosyntax.ReturnsError(fn.Signature()) {
		return nil
	}
	for _, o := range g.origins {
		if o.Source == purity.Field && o.Field != nil {
			if word := g.rules.Checks(fn, o.Field); word.Allowed && g.leavesToUsers(o.Field) {
				return &grade{testcase.Warning, "", word.Evidence + "; but it is the test that writes the struct", word.Rank}
			} else if word.Allowed {
				return &grade{testcase.Error, "", word.Evidence, word.Rank}
			}
		}
	}
	if ask := g.rules.Asked(fn); ask != "" && fn.Signature().Params().Len() == 0 {
		return &grade{testcase.Warning, "", "its documentation announces no panic, but a caller can ask " + ask + " first", usage.Usual}
	}
	return nil
}
