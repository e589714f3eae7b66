package finding

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	g := &grading{
		rules: rules, c: c, kind: f.Kind, target: rules.Pkg.Target(c.Target),
		approach: approachOf(rules, c), stack: framesOf(rules.Pkg, c.Observed),
	}
	if c.Whole {
		// A predicate has judged the objects that were made by literals, so their being made so excuses
		// nothing.
		g.approach.inside, g.approach.raw, g.approach.odd, g.approach.bare = false, false, false, false
		g.approach.unset, g.approach.ready = false, usage.Word{}
	}
	g.origins = originsOf(rules, f.Kind, c, g.approach)
	for _, rule := range []func(*grading) *grade{
		(*grading).ofContract, (*grading).ofSleep, (*grading).fromInside, (*grading).announced, (*grading).explicit, (*grading).ofInitialiser, (*grading).ofRefusal,
		(*grading).ofClosed, (*grading).ofNil, (*grading).ofMade, (*grading).ofDynamic, (*grading).ofStub, (*grading).ofEndless,
		(*grading).ofNowhere, (*grading).ofNoArguments, (*grading).ofNumber, (*grading).ofEncoded, (*grading).ofObject, (*grading).ofData,
	} {
		if v := rule(g); v != nil {
			f.Severity, f.Misuse, f.Evidence, f.Rank = v.severity, v.misuse, v.evidence, v.rank
			return
		}
	}
	panic("bug: finding: no rule grades " + f.Cause)
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
	if op.Check.Contract == "invariant" {
		return &grade{testcase.Error, "", "the type itself says by its method whether an object is valid", usage.Declared}
	}
	return &grade{testcase.Error, "", "the standard library documents the " + asks(op.Check), usage.Declared}
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
		if said := g.rules.Announced(fn); said != "" {
			return misuse(onAnnounce, "the documentation says "+said)
		}
	}
	if o.Violated != "" {
		return nil // a declared contract outweighs the documentation
	}
	said, excludes := g.rules.Asks(fn)
	if said == "" || !excludes && usage.Data(fn) != "" && usage.HasError(fn.Signature()) {
		return nil
	}
	switch g.kind {
	case "hang", "stack-overflow", "deadlock":
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
// package can cause the failure or the code itself excludes it.
func AsRefuted(f *testcase.Finding) *testcase.Finding {
	if f == nil || f.Severity != testcase.Misuse {
		return f
	}
	g := *f
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
// that nothing leads to it.
func (g *grading) explicit() *grade {
	if g.kind != "explicit" {
		return nil
	}
	a, fn := g.approach, g.target.Obj
	if len(a.nils) > 0 || a.stub || a.raw || a.odd || a.bare || a.unset || a.edited {
		return misuse(onRefused, "the panic is the code's own, of a value that users should not pass")
	}
	if saysImpossible(g.c.Observed.Panic.Message) {
		return &grade{testcase.Error, "", "the panic says that nothing leads to it, and " + g.approachText() + " does", usage.Declared}
	}
	if named := g.namedArgument(); named != "" {
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

// ofNil grades a nil that is dereferenced. The test has passed it or left it in a field, or the code has made
// it.
func (g *grading) ofNil() *grade {
	switch g.kind {
	case "nil-dereference", "nil-map-write", "fatal", "other":
	case "closed-channel":
		if !strings.Contains(g.c.Observed.Panic.Message, "nil channel") {
			return nil
		}
	case "type-assertion":
		if !strings.Contains(g.c.Observed.Panic.Message, "is nil, not") {
			return nil
		}
	default:
		if g.c.Observed.Violated == "" || len(g.approach.nils) == 0 {
			return nil
		}
		return &grade{testcase.Warning, "", "the code declares it, and the test passes nil", usage.Shown}
	}
	if g.approach.stub && !slices.ContainsFunc(g.origins, func(o purity.Origin) bool { return o.AtDoor }) {
		return nil // a stand-in may have returned the nil
	}
	if g.approach.bare && raisedElsewhere(g.rules.Pkg, g.c.Observed) {
		return misuse(onUnset, "the test leaves something nil in a struct of another package")
	}
	if word := g.passedNil(); word != nil {
		if !word.Allowed {
			return misuse(onNil, evidenceOr(*word, "nothing says that nil is allowed"))
		}
		return &grade{testcase.Error, "", word.Evidence + ", and " + g.target.Name + " panics on nil", word.Rank}
	}
	if g.kind == "nil-map-write" && (passesNilMap(g.c.Seq) || g.onNilMap()) {
		return misuse(onNil, "nothing says that a nil map is allowed")
	}
	if g.kind == "nil-dereference" && g.approach.unset {
		for _, o := range g.origins {
			if o.Source != purity.Field || o.Field == nil {
				continue
			}
			if word := g.rules.NilField(o.Field); word.Allowed {
				return &grade{testcase.Warning, "", word.Evidence + ", and " + g.target.Name + " panics on it", word.Rank}
			}
		}
		return misuse(onUnset, "nothing says that the field may be nil")
	}
	if g.kind == "other" && g.approach.unset && raisedElsewhere(g.rules.Pkg, g.c.Observed) {
		return misuse(onUnset, "another package refuses what comes of a field that is left nil")
	}
	return nil
}

// onNilMap reports whether the receiver of the last call is a map that is nil, like a variable of the package that
// stands for no map.
func (g *grading) onNilMap() bool {
	last := g.c.Seq.Last()
	if last.Op.Kind != testcase.OpMethod {
		return false
	}
	if _, ok := last.Op.Func.Signature().Recv().Type().Underlying().(*types.Map); !ok {
		return false
	}
	if recv := last.Args[0]; recv.Stmt < len(g.c.Observed.Results) && recv.Result < len(g.c.Observed.Results[recv.Stmt]) {
		if g.c.Observed.Results[recv.Stmt][recv.Result].Kind == testcase.Nil {
			return true
		}
	}
	return slices.ContainsFunc(g.origins, func(o purity.Origin) bool { return o.AtDoor && o.Door == usage.Receiver })
}

// passedNil returns the answer about the nil arguments that a test passes, or nil if none of them can be the
// cause. If it is known which nil the panic comes from, the answer is about that nil. Otherwise it is about
// the nil that is least allowed.
func (g *grading) passedNil() *usage.Word {
	nils := g.approach.nils
	if len(nils) == 0 {
		return nil
	}
	last := g.c.Seq.Last().Op
	if len(g.origins) == 1 && g.origins[0].AtDoor && last.Func != nil {
		for _, n := range nils {
			if n.Func == last.Func && n.Param == g.origins[0].Door {
				word := g.rules.Nil(n.Func, n.Param)
				return &word
			}
		}
	}
	word := usage.Word{Allowed: true}
	for _, n := range nils {
		w := usage.Word{}
		if n.Func != nil {
			w = g.rules.Nil(n.Func, n.Param)
		}
		if !w.Allowed {
			return &w
		}
		if w.Rank > word.Rank {
			word = w
		}
	}
	return &word
}

func evidenceOr(w usage.Word, otherwise string) string {
	if w.Evidence != "" {
		return w.Evidence
	}
	return otherwise
}

// ofMade grades failures with objects that the test makes by itself although the package has functions that
// make them.
func (g *grading) ofMade() *grade {
	a := g.approach
	switch {
	case a.odd:
		return misuse(onOdd, "the test passes a number that is none of the declared constants, makes up a position or takes that of another object, or sets a variable of the package")
	case a.bare:
		return misuse(onUnset, "the test leaves something nil in a struct of another package")
	case a.node:
		return misuse(onNode, "the test makes a node by hand, and its kind says what else it has to have")
	case a.raw:
		return misuse(onZero, evidenceOr(a.ready, "users get such values from a function"))
	}
	if maker := g.lackingMaker(); maker != "" {
		return misuse(onZero, maker+" makes the map that is nil")
	}
	if isOutsidePackage(g.rules.Pkg, g.c.Observed) {
		return misuse(onStub, "no function of the package is on the stack of the panic")
	}
	if g.kind == "nil-dereference" && foreignZero(g.rules.Pkg, g.c) {
		return misuse(onZero, "another package fails on a zero value of its own that the test passes")
	}
	return nil
}

// lackingMaker returns a function that makes the map of a struct in which the code writes although it is nil, if the test
// has written the struct by hand, be it in a place that takes any value: code that looks into such a value may rely
// on its constructor.
func (g *grading) lackingMaker() string {
	if g.kind != "nil-map-write" {
		return ""
	}
	for i := range g.c.Seq.Len() {
		op := g.c.Seq.At(i).Op
		if op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite {
			continue
		}
		st, ok := op.Type.Underlying().(*types.Struct)
		named := load.NamedOf(op.Type)
		if !ok || named == nil || !HasConstructor(g.rules.Pkg, op.Type) {
			continue
		}
		for f := range st.Fields() {
			if slices.ContainsFunc(g.origins, func(o purity.Origin) bool { return o.Field == f }) && g.rules.Ready(named).Rank < usage.Shown {
				return cmp.Or(g.rules.Maker(named), "a constructor")
			}
		}
	}
	return ""
}

// callsBack is the evidence of findings whose test passes a function that calls the object.
const callsBack = "the function that is passed calls methods of the object, which nothing forbids"

// ofStub grades failures with made-up implementations. A stub of another package's interface does not keep
// the interface's contract, and the package's own interfaces have no written contract.
func (g *grading) ofStub() *grade {
	if !g.approach.stub {
		return nil
	}
	if g.waitsForItself() {
		return misuse(onChannel, "a function that is waited for waits for its own end")
	}
	closures := false
	for i := range g.c.Seq.Len() {
		switch op := g.c.Seq.At(i).Op; op.Kind {
		case testcase.OpStubIface, testcase.OpStubFunc:
			if g.c.Observed.Status == testcase.Panicked && mayFail(op) {
				continue
			}
			if g.kind == "invariant" && isConstantFunc(g.c.Seq, g.c.Seq.At(i)) {
				continue // whatever it says, the object has to be valid afterwards
			}
			return misuse(onStub, "what the test passes may break the contract of its type")
		case testcase.OpClosure:
			closures = true
		}
	}
	byNil := g.kind == "nil-dereference" && len(g.approach.nils) > 0 || g.kind == "nil-map-write" && passesNilMap(g.c.Seq)
	if closures && g.c.Observed.Violated == "" && byNil {
		return misuse(onNil, "nothing says that nil is allowed")
	}
	if closures && g.c.Observed.Violated == "" {
		return &grade{testcase.Warning, "", callsBack, usage.Usual}
	}
	return nil
}

// ofSleep grades calls that sleep. How long they do so, and how often, is often up to the caller's numbers, and
// waiting proves nothing about calls that mean to take their time.
func (g *grading) ofSleep() *grade {
	if g.kind != "hang" || g.c.Observed.Message != testcase.Slept {
		return nil
	}
	return misuse(onSize, "it sleeps, and may return to those who wait longer")
}

// ofEndless grades calls that do not end, or that take very long.
func (g *grading) ofEndless() *grade {
	a := g.approach
	switch g.kind {
	case "hang", "deadlock", "closed-channel":
		if a.channel {
			return misuse(onChannel, "who sends, who receives and who closes is agreed with the caller")
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
	}
	switch g.kind {
	case "hang", "fatal", "stack-overflow", "deadlock", "negative-length":
		if a.large {
			return misuse(onSize, "a length can be too large for any machine without being wrong")
		}
	case "slice-out-of-range":
		if a.large && usage.Data(g.target.Obj) == "" && beyondMemory(g.c.Observed.Panic.Message) {
			return misuse(onSize, "a bound is beyond any memory, and comes of a number that is")
		}
	}
	return nil
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

// ofNumber grades failures on numbers that a caller passes and could have checked, and on slices where the
// function needs a fixed number of elements.
func (g *grading) ofNumber() *grade {
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "division-by-zero", "negative-length", "negative-shift", "other":
	default:
		return nil
	}
	fn := g.target.Obj
	if g.kind == "division-by-zero" && g.choosesFromNothing() {
		return misuse(onNumber, "the test passes nothing to choose from")
	}
	if by := usage.CalledBy(fn); by != "" {
		return misuse(onNumber, by+" calls it, with arguments in range")
	}
	if purity.ShortBuffer(g.rules.Pkg, g.stack) || purity.FixedSize(g.rules.Pkg, g.stack) {
		return misuse(onShort, "the function says by its fixed indexes how long the slice has to be")
	}
	if g.passesNegative() && g.kind != "division-by-zero" && g.kind != "other" {
		return g.onNumber()
	}
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "negative-length":
		if g.approach.beyond {
			return misuse(onSize, "a number in the settings that are passed is beyond any memory")
		}
	}
	if !purity.Unchecked(g.rules.Pkg, g.stack) {
		if g.approach.below && g.kind != "division-by-zero" {
			return misuse(onNumber, "a number in the settings that are passed is negative, which nothing allows")
		}
		if g.kind == "negative-length" && !g.passesText() && MadeByNumbers(g.c.Seq) {
			return misuse(onSize, "the size comes of the numbers by which the object was made")
		}
		return nil
	}
	return g.onNumber()
}

// onNumber grades a failure on a number that the test passes and that the function does not check.
func (g *grading) onNumber() *grade {
	if word := g.rules.Refuses(g.target.Obj); word.Allowed && word.Rank >= usage.Shown {
		return &grade{testcase.Warning, "", word.Evidence + ", and panics on a number out of range", word.Rank}
	}
	return misuse(onNumber, "a caller can know which numbers are in range")
}

// passesNegative reports whether the last call is given a negative number for a parameter that the function
// does not compare with anything. A function that returns errors or takes texts is another matter.
func (g *grading) passesNegative() bool {
	last, sig := g.c.Seq.Last(), g.target.Obj.Signature()
	if usage.Data(g.target.Obj) != "" || usage.HasError(sig) {
		return false
	}
	args := last.Args
	if last.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	for k, a := range args {
		op := g.c.Seq.At(a.Stmt).Op
		negative := op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitInt && int64(op.Lit.Bits) < 0
		if negative && k < sig.Params().Len() && !g.rules.Compares(g.target.Obj, sig.Params().At(k)) {
			return true
		}
	}
	return false
}

// OfSettings makes a finding one of the numbers by which a caller has made the object. To be called if the method
// fails whatever else it is given.
func OfSettings(f *testcase.Finding) {
	v := misuse(onNumber, "the method fails whatever it is given, since its object was made with such numbers")
	f.Severity, f.Misuse, f.Evidence, f.Rank = v.severity, v.misuse, v.evidence, v.rank
}

// OfNumbers makes a finding one of the numbers that a call is passed. To be called if the call does not fail so with ordinary ones.
func OfNumbers(f *testcase.Finding) {
	v := misuse(onNumber, "the call does not fail so with ordinary numbers, and a caller can know which are in range")
	f.Severity, f.Misuse, f.Evidence, f.Rank = v.severity, v.misuse, v.evidence, v.rank
}

// passesText reports whether the last call is given a text or a list that is not empty.
func (g *grading) passesText() bool {
	for _, a := range g.c.Seq.Last().Args {
		op := g.c.Seq.At(a.Stmt).Op
		if op.Type == nil || op.Kind == testcase.OpZero {
			continue
		}
		switch u := op.Type.Underlying().(type) {
		case *types.Basic:
			if u.Info()&types.IsString != 0 && op.Lit.Str != "" {
				return true
			}
		case *types.Interface:
			return true // a reader may have any content
		case *types.Slice, *types.Map, *types.Array:
			return true
		}
	}
	return slices.ContainsFunc(g.c.Seq.Last().Args[min(1, len(g.c.Seq.Last().Args)):], func(a testcase.Ref) bool {
		return madeByCall(g.c.Seq, a)
	})
}

// MadeByNumbers reports whether the receiver of the last call comes from a call with a number.
func MadeByNumbers(seq *testcase.Sequence) bool {
	last := seq.Last()
	if last.Op.Kind != testcase.OpMethod || !madeByCall(seq, last.Args[0]) {
		return false
	}
	return slices.ContainsFunc(seq.At(last.Args[0].Stmt).Args, func(a testcase.Ref) bool {
		t := seq.At(a.Stmt).Op.Type
		if t == nil {
			return false
		}
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	})
}

// ofEncoded grades objects that consist of nothing but bytes which the test passes: Append(b []byte) Set
// returns whatever it is given. The package does not say whether a Set may hold any bytes.
func (g *grading) ofEncoded() *grade {
	last := g.c.Seq.Last()
	if last.Op.Kind != testcase.OpMethod || g.c.Observed.Violated != "" {
		return nil
	}
	maker := g.c.Seq.At(last.Args[0].Stmt).Op
	if maker.Kind != testcase.OpFunc || maker.Func.Pkg() != g.rules.Pkg.Types || maker.Via != nil {
		return nil
	}
	sig := maker.Signature()
	made, ok := sig.Results().At(0).Type().Underlying().(*types.Slice)
	if !ok || !types.Identical(made.Elem(), types.Typ[types.Byte]) {
		return nil
	}
	for p := range sig.Params().Variables() {
		if types.Identical(p.Type().Underlying(), made) {
			return &grade{testcase.Warning, "", "the bytes that " + testcase.TargetName(maker.Func) + " makes it of are those that the test passes, which nothing allows or excludes", usage.Usual}
		}
	}
	return nil
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
	if usage.Data(fn) != "" || usage.HasError(fn.Signature()) {
		return nil
	}
	for _, o := range g.origins {
		if o.Source == purity.Field && o.Field != nil {
			if word := g.rules.Checks(fn, o.Field); word.Allowed {
				return &grade{testcase.Error, "", word.Evidence, word.Rank}
			}
		}
	}
	if ask := g.rules.Asked(fn); ask != "" && fn.Signature().Params().Len() == 0 {
		return &grade{testcase.Warning, "", "its documentation announces no panic, but a caller can ask " + ask + " first", usage.Usual}
	}
	return nil
}
