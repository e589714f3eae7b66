package finding

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

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
	if g.kind == "nil-dereference" && g.leavesForeignNil() {
		return misuse(onUnset, "the test leaves something nil in a struct of another package")
	}
	if word := g.passedNil(); word != nil {
		if !word.Allowed {
			return misuse(onNil, evidenceOr(*word, "nothing says that nil is allowed"))
		}
		if !g.speaksOfNil() {
			return nil // another value is refused
		}
		if a := g.approach; !g.fromDoor() && (a.raw || a.odd || a.bare || a.node) {
			return nil // the nil may be one in what the test makes by hand
		}
		severity := testcase.Error
		if word.Rank < usage.Declared {
			severity = testcase.Warning // other methods allow nil, and nothing says that this one does: fastjson's Value, riff's Chunk, go-multierror
		}
		return &grade{severity, "", word.Evidence + ", and " + g.target.Name + " panics on nil", word.Rank}
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

// leavesForeignNil reports whether the failing call is passed a struct of another package, where any value may be, in which the test leaves
// something nil that the package's users set: an ecdsa.PublicKey without a curve (jose2go), a tls.Certificate without a key, an
// http.Request without a URL. What looks into such a value may rely on that package. The nil has to be a field of such a struct, if it is known.
func (g *grading) leavesForeignNil() bool {
	foreign := func(o purity.Origin) bool { return o.Field != nil && o.Field.Pkg() != g.rules.Pkg.Types }
	if len(g.origins) > 0 && !slices.ContainsFunc(g.origins, foreign) {
		return false
	}
	ts := g.c.Seq.ResultTypes()
	return slices.ContainsFunc(g.anythings(ts), func(a testcase.Ref) bool {
		st := g.c.Seq.At(a.Stmt)
		for st.Op.Kind == testcase.OpConvert || st.Op.Kind == testcase.OpAddr {
			st = g.c.Seq.At(st.Args[0].Stmt)
		}
		return (st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite) && len(st.Args) == 0 && unfilled(g.rules.Pkg, st.Op.Type)
	})
}

// onNilMap reports whether the last call is passed a map that is nil, as its receiver or otherwise: a variable of the package that
// stands for no map, or what a call returned. A nil that a call returned counts like one that is written down.
func (g *grading) onNilMap() bool {
	last := g.c.Seq.Last()
	if last.Op.Func == nil {
		return false
	}
	ts := g.c.Seq.ResultTypes()
	for _, a := range last.Args {
		if a.Result >= len(ts[a.Stmt]) || a.Stmt >= len(g.c.Observed.Results) || a.Result >= len(g.c.Observed.Results[a.Stmt]) {
			continue
		}
		if _, ok := ts[a.Stmt][a.Result].Underlying().(*types.Map); ok && g.c.Observed.Results[a.Stmt][a.Result].Kind == testcase.Nil {
			return true
		}
	}
	if last.Op.Kind != testcase.OpMethod {
		return false
	}
	_, isMap := last.Op.Func.Signature().Recv().Type().Underlying().(*types.Map)
	return isMap && slices.ContainsFunc(g.origins, func(o purity.Origin) bool { return o.AtDoor && o.Door == usage.Receiver })
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

// speaksOfNil reports whether the panic is one about a nil: the runtime's, or one of another package whose message says so, as
// that of package reflect of a zero Value does.
func (g *grading) speaksOfNil() bool {
	o := g.c.Observed
	return g.kind != "other" || o.Panic == nil || o.Panic.Runtime || strings.Contains(o.Panic.Message, "nil") || strings.Contains(o.Panic.Message, "zero Value")
}

// fromDoor reports whether the nil is known to be the argument of the target.
func (g *grading) fromDoor() bool {
	return len(g.origins) == 1 && g.origins[0].AtDoor
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
		return misuse(onOdd, "the test passes a number that is none of the declared constants or a rune below zero, makes up a position or takes that of another object, or sets a variable of the package")
	case a.bare:
		return misuse(onUnset, "the test leaves something nil in a struct of another package")
	case a.node:
		return misuse(onNode, "the test makes a node by hand, and its kind says what else it has to have")
	case a.raw:
		return misuse(onZero, evidenceOr(a.ready, "users get such values from a function"))
	}
	if by := g.unprepared(); by != nil {
		return misuse(onZero, testcase.TargetName(by)+" prepares the object, and has not returned without an error before")
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

// unprepared returns a method that would have set the field which is nil, if its name says that it comes before all others, and no
// earlier call of such a method has succeeded.
func (g *grading) unprepared() *types.Func {
	if g.kind != "nil-dereference" && g.kind != "nil-map-write" {
		return nil
	}
	recv := g.target.Obj.Signature().Recv()
	if recv == nil {
		return nil
	}
	named := load.NamedOf(recv.Type())
	for _, o := range g.origins {
		if named == nil || o.Field == nil || o.Field.Exported() {
			continue
		}
		by := g.rules.Preparing(named, o.Field)
		if len(by) == 0 || slices.Contains(by, g.target.Obj.Origin()) {
			continue
		}
		if !slices.ContainsFunc(by, g.succeeded) {
			return by[0]
		}
	}
	return nil
}

// succeeded reports whether a call before the last one, of a method or of the method of that name of an interface, returned no error.
func (g *grading) succeeded(method *types.Func) bool {
	results := g.c.Observed.Results
	for i := range g.c.Seq.Len() - 1 {
		op := g.c.Seq.At(i).Op
		if op.Kind != testcase.OpMethod || op.Func.Name() != method.Name() || i >= len(results) || len(results[i]) != 1 || results[i][0].Kind != testcase.Nil {
			continue
		}
		if op.Func.Origin() == method || types.IsInterface(op.Func.Signature().Recv().Type()) {
			return true
		}
	}
	return false
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

// holdsFor reports whether what is declared has to hold for a function that a test makes up: it always says the same. An object
// has to be valid whatever is said, and so does an assertion where the function is asked about one value. One that
// compares values may be relied on to order them.
func (g *grading) holdsFor(st testcase.Statement) bool {
	if !isConstantFunc(g.c.Seq, st) {
		return false
	}
	return g.kind == "invariant" || g.kind == "assertion" && st.Op.Type.Underlying().(*types.Signature).Params().Len() <= 1
}

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
			if g.holdsFor(g.c.Seq.At(i)) {
				continue
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
