package finding

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file weighs whether a finding that no rule excuses is an error, whose reader mends the code, or a warning, about which he may argue
// that nobody calls the code so. An error has to be shown by strong evidence. The first question is who has chosen the value that the code
// cannot stand: text and bytes are chosen by nobody, because they come from outside; a number, a list or a struct is written by a
// programmer, who can look at it. The second is whether the code could have answered otherwise than by failing.

// ground is something that speaks for an error or, with points below zero, against one.
type ground struct {
	points int
	holds  func(g *grading, w choices) bool
	but    string // how the evidence of a warning goes on, of grounds that speak against an error
}

// strong is how many points make an error. One ground alone does not: of 23 errors about text or bytes for functions that can say no to
// nothing none would have been mended for sure, and all 14 that would have been were of functions that can (docs/benchmarks.md).
const strong = 2

// grounds are all that is weighed. The first that speaks against an error is told with a warning. A contradiction outweighs everything.
var grounds = []ground{
	{9, (*grading).contradicted, ""},     // gods' arraylist, universal-translator, mxj's Less
	{1, (*grading).fromOutside, ""},      // go-cvss, json-patch, pgvector, npyio, suffixarray
	{1, (*grading).madeByCallsAlone, ""}, // quotedprintable, blackfriday, go-money
	{1, (*grading).saysNo, ""},           // stats' Sample, go-edlib, sockaddr's LimitIfAddrs
	{1, (*grading).looksAtChoice, ""},    // stats' Sample, goutils, go-edlib
	{2, (*grading).endsForNone, ""},      // whatever it is passed: see neverEnds
	{1, (*grading).endless, ""},          // no caller can recover: gosax's Skip, fasttemplate, goxpath
	{-3, (*grading).looksUsable, ""},     // a zero value of a type whose values the package makes
	{-3, (*grading).writesMadeList, ""},  // go-optional, iplib, net.IP: see madeList
	{-3, (*grading).handsOnly, "another package fails on a value that it is only handed on"}, // pkcs8
	{-3, (*grading).writesStruct, "it is the test that writes the struct"},                   // regexp/syntax, jsonschema, go-toml's LocalTime
	{-2, (*grading).atTheEnd, "a number that is passed is at the end of its range"},          // go-difflib, safenum, tabwriter
	{-1, (*grading).choosesUnseen, "its caller chooses what it is passed"},                   // xorfilter's -1, opcua's ReadN, quic-go's length
}

// blame weighs the grounds, and says what speaks against an error if it is none.
func (g *grading) blame() (testcase.Severity, string) {
	w, sum, but := g.choices(), 0, ""
	for _, r := range grounds {
		if !r.holds(g, w) {
			continue
		}
		sum += r.points
		if but == "" {
			but = r.but
		}
	}
	switch {
	case sum >= strong:
		return testcase.Error, ""
	case g.writesMadeList(w):
		but = "it is the test that writes the list, which " + testcase.TargetName(w.maker) + " makes"
	case g.looksUsable(w):
		return testcase.Warning, "" // the evidence says so already
	case !g.saysNo(w) && but != "":
		but += ", and it has no error to return"
	case !g.saysNo(w):
		but = "it can say of no input that it is bad: it returns no error, no bool and nowhere nil"
	}
	if but == "" {
		but = "too little speaks for a defect"
	}
	return testcase.Warning, "; but " + but
}

func (g *grading) contradicted(choices) bool { return g.contradicts() }
func (g *grading) endless(choices) bool      { return g.neverReturns() }
func (g *grading) endsForNone(choices) bool {
	return neverEnds(g.rules.Pkg, g.target, g.c.Observed, g.kind)
}
func (g *grading) looksUsable(choices) bool {
	r := g.approach.ready
	return r.Evidence != "" && !r.Allowed
}
func (g *grading) writesMadeList(w choices) bool { return w.maker != nil && isBound(g.kind) }
func (g *grading) handsOnly(choices) bool        { return g.handsOn() }

// fromOutside reports whether a text or bytes are to blame.
func (g *grading) fromOutside(w choices) bool {
	return (w.data || w.bytes) && !g.fromElsewhere(g.origins)
}

// madeByCallsAlone reports whether there is nothing in the case that a programmer has chosen.
func (g *grading) madeByCallsAlone(w choices) bool {
	return !w.data && !w.bytes && !w.structs && !w.values && w.maker == nil
}

// saysNo reports whether the function could have said that what it is passed is bad.
func (g *grading) saysNo(choices) bool { return g.rules.SaysNo(g.target.Obj).Allowed }

// looksAtChoice reports whether the function compares a value that its caller has chosen, and so means to cope with it.
func (g *grading) looksAtChoice(w choices) bool { return w.values && w.seen && !g.fromOutside(w) }

// choosesUnseen reports whether a caller has chosen values, and the function looks at none of them.
func (g *grading) choosesUnseen(w choices) bool { return w.values && !w.seen && !g.fromOutside(w) }

// writesStruct reports whether the test writes the struct, and no text is to blame.
func (g *grading) writesStruct(w choices) bool { return w.structs && !g.fromOutside(w) }

// atTheEnd reports whether a number in the case is at the end of its type's range, unless the data flow leads to a text.
func (g *grading) atTheEnd(w choices) bool {
	return w.extreme && !(g.fromOutside(w) && len(g.origins) > 0)
}

// contradicts reports whether the code itself says that what the case does is right: it declares a contract, its documentation or its
// use of zero values makes one ready or names the kind of value that is passed, or a sibling looks first at the field that is to blame.
func (g *grading) contradicts() bool {
	if word := g.approach.ready; g.c.Observed.Violated != "" || word.Allowed && word.Rank >= usage.Shown && !g.approach.filled {
		return true
	}
	switch {
	case g.rules.DeniesPanic(g.target.Obj) != "" && g.c.Observed.Status == testcase.Panicked, g.kind == "closed-channel" && g.rules.ClosesAgain(g.target.Obj):
		return true
	case g.kind == "invariant" || g.kind == "contract" || g.kind == "assertion", g.passesNamedKind():
		return true
	case g.kind == "type-assertion":
		return false // who looks whether a field is nil does not ask for its dynamic type
	}
	return slices.ContainsFunc(g.origins, func(o purity.Origin) bool {
		return o.Field != nil && !g.leavesToUsers(o.Field) && !g.onWritten() && g.rules.Checks(g.target.Obj, o.Field).Allowed
	})
}

// leavesToUsers reports whether a field is one that users set, of a struct of the package that the test writes and nothing says to be ready
// so: an assignment without a left side (tengo), an estimate for no devices (gguf-parser), a regular expression by hand. That String looks
// at the field first, as methods do that go through a list, is no word for such a struct. What users cannot set is the package's own,
// whatever the test writes beside the object (goldmark's Segments).
func (g *grading) leavesToUsers(field *types.Var) bool {
	ready := g.approach.ready
	return field.Exported() && g.choices().structs && (!ready.Allowed || ready.Rank < usage.Shown)
}

// onWritten reports whether the failing call is a method of a struct that the test writes and nothing says to be ready so: what another
// method looks at first may be what makes the object (bodgit/sevenzip's Reader.init, which fills what File.Open uses).
func (g *grading) onWritten() bool {
	last := g.c.Seq.Last()
	if ready := g.approach.ready; last.Op.Kind != testcase.OpMethod || ready.Allowed && ready.Rank >= usage.Shown {
		return false
	}
	st := g.c.Seq.At(last.Args[0].Stmt)
	if st.Op.Kind == testcase.OpAddr {
		st = g.c.Seq.At(st.Args[0].Stmt)
	}
	return (st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite) && isStructOf(g.rules.Pkg, st.Op.Type)
}

// neverReturns reports whether the call does not return, or takes the process with it.
func (g *grading) neverReturns() bool {
	switch g.kind {
	case "hang", "deadlock", "stack-overflow", "fatal":
		return true
	}
	return false
}

// choices are what a case passes to calls that a programmer has to choose, or that comes from outside.
type choices struct {
	data    bool        // text, or something to read from
	bytes   bool        // bytes
	structs bool        // a struct that the test writes or changes, of the package or with fields for users, and nothing says that it is ready
	maker   *types.Func // of a list that the test writes: see writtenList
	values  bool        // a number that is no ordinary size; for the failing call a list, anything, or any number if it has nothing else
	seen    bool        // the failing call compares one of these values that it is passed
	extreme bool        // a number is at the end of its type's range
}

func (g *grading) choices() choices {
	w := choices{structs: g.approach.edited}
	var before choices // of the calls before the last
	seq, ts, kept, aside := g.c.Seq, g.c.Seq.ResultTypes(), asData(g.c.Seq), asideOf(g.c.Seq)
	for i := range seq.Len() {
		st := seq.At(i)
		if maker := writtenList(st.Op); maker != nil && w.maker == nil {
			w.maker = maker
		}
		w.extreme = w.extreme || !kept[i] && isExtreme(st.Op)
		switch st.Op.Kind {
		case testcase.OpZero, testcase.OpComposite:
			w.structs = w.structs || !kept[i] && !aside[i] && (isStructOf(g.rules.Pkg, st.Op.Type) || isOpenStruct(st.Op.Type))
		case testcase.OpFunc, testcase.OpMethod:
			if st.Op.Via != nil {
				// What a handler finds in a request has been chosen by nobody, but the program that starts it sets pointers.
				w.data = w.data || st.Op.Drives() && usage.IsHandler(st.Op.Func) && isBound(g.kind)
				continue
			}
			last := i == seq.Len()-1
			if last {
				before, w.data, w.bytes, w.values = w, false, false, passesNone(st)
				w.seen = false
			}
			alone := last && !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return madeByCall(seq, a) })
			first := 0 // behind the receiver
			if st.Op.Kind == testcase.OpMethod {
				first = 1
			}
			if last && first == 1 {
				w.receiver(seq.At(st.Args[0].Stmt).Op, alone)
			}
			for k, a := range st.Args {
				slot := slotOf(st.Op, k, st.Args, ts)
				if _, isElem := types.Unalias(slot).(*types.TypeParam); slot == nil || isElem || k == first && usage.Appends(st.Op.Func) {
					continue
				}
				// A dynamic type is chosen where a value is passed as an interface, and no text makes it another one.
				w.values = w.values || g.kind == "type-assertion" && types.IsInterface(slot)
				if isDecoded(slot) {
					w.data = true
				}
				if isOutside(slot) && listMaker(slot) == nil && (last || g.kind != "type-assertion") {
					w.data, w.bytes = w.data || !gosyntax.IsBytes(slot), w.bytes || gosyntax.IsBytes(slot)
				}
				if chosen(seq.At(a.Stmt).Op, slot, last, alone) {
					w.values, w.seen = true, w.seen || last && g.looksAt(st.Op, k-first)
				}
			}
		}
	}
	// What an earlier call was passed is not to blame if the last call is passed a value that is (ReadN(-1) of a buffer over bytes).
	// An object that is made of bytes has to cope with them.
	if !w.values || w.data || w.bytes {
		w.data = w.data || before.data || before.bytes
	}
	w.values = w.values || before.values
	return w
}

// looksAt reports whether the function of a call compares its parameter k, or takes its length. Which type a value of any type has is
// not asked so.
func (g *grading) looksAt(op *testcase.Operation, k int) bool {
	params := op.Func.Signature().Params()
	if k < 0 || k >= params.Len() {
		return false
	}
	return !types.IsInterface(params.At(k).Type()) && g.rules.Compares(op.Func, params.At(k))
}

// receiver reads a receiver that is no struct and that the test writes: a frame's header that is a list of bytes, a set that is a map. A text
// comes from outside like any other one. Bytes that have methods are an object, and where nothing can be refused its maker decides
// how long it is (tcolgate/mp3's FrameHeader, mdlayher's and gvisor's headers, net.IP).
func (w *choices) receiver(op *testcase.Operation, alone bool) {
	if op.Type == nil {
		return
	}
	if b, ok := op.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		w.data = w.data || op.Kind == testcase.OpLiteral
		return
	}
	if _, isArray := op.Type.Underlying().(*types.Array); !isArray {
		w.values = w.values || chosen(op, op.Type, true, alone)
	}
}

// fromElsewhere reports whether the value that the code cannot stand is known, and no text or bytes: the data flow leads from the place of
// the failure to arguments of another kind only, or to fields that the test has set. That a text stands beside such a value says nothing
// then. An ordinary number is no such value: what is wrong is that it does not fit the text, which came from outside.
func (g *grading) fromElsewhere(origins []purity.Origin) bool {
	last := g.c.Seq.Last()
	if last.Op.Func == nil || len(origins) == 0 {
		return false
	}
	sig := last.Op.Func.Signature()
	return !slices.ContainsFunc(origins, func(o purity.Origin) bool {
		k := o.Door
		if last.Op.Kind == testcase.OpMethod {
			k++
		}
		switch {
		case o.AtDoor && o.Door >= 0 && o.Door < sig.Params().Len() && k < len(last.Args):
			return g.isFromOutside(sig.Params().At(o.Door).Type(), g.c.Seq.At(last.Args[k].Stmt))
		case o.Source == purity.Field && o.Field != nil:
			return usage.IsData(o.Field.Type()) || !g.setsField(o.Field) && !g.leavesNil(o.Field)
		}
		return true
	})
}

// isFromOutside reports whether what a parameter is passed may come from outside, be it as a value of any type, or is an ordinary number.
// A value that only its own package can make, like a private key of nothing, is not.
func (g *grading) isFromOutside(t types.Type, passed testcase.Statement) bool {
	if !anything(t) {
		return isOutside(t) || types.IsInterface(t) || isOrdinary(passed.Op)
	}
	if passed.Op.Kind == testcase.OpConvert && len(passed.Args) == 1 {
		passed = g.c.Seq.At(passed.Args[0].Stmt)
	}
	named := load.NamedOf(passed.Op.Type)
	return named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg() == g.rules.Pkg.Types
}

// handsOn reports whether another package fails on values that are only handed on to it, none of which comes from outside
// (an ed25519.PrivateKey without bytes, which pkcs8 hands on to crypto/x509).
func (g *grading) handsOn() bool {
	return raisedElsewhere(g.rules.Pkg, g.c.Observed) && g.fromElsewhere(purity.HandedOn(g.rules.Pkg, g.stack))
}

// leavesNil reports whether the failure is one on a nil or beyond the end of a list, and the test writes the struct that has the field and
// that nothing says to be ready so: settings, say, without the map that an option writes into (jose2go's Header), or keys without
// the values that go with them (neo4j's Record).
func (g *grading) leavesNil(field *types.Var) bool {
	_, isList := field.Type().Underlying().(*types.Slice)
	if g.kind != "nil-dereference" && g.kind != "nil-map-write" && !(isList && isBound(g.kind)) {
		return false
	}
	for i := range g.c.Seq.Len() {
		op := g.c.Seq.At(i).Op
		if named := load.NamedOf(op.Type); op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite || named == nil || g.rules.Ready(named).Allowed && !(isBound(g.kind) && g.approach.filled) {
			continue
		}
		if st, ok := op.Type.Underlying().(*types.Struct); ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return f.Origin() == field.Origin() }) {
			return true
		}
	}
	return false
}

// setsField reports whether the test itself gives a field of a struct a value, and no ordinary number.
func (g *grading) setsField(field *types.Var) bool {
	for i := range g.c.Seq.Len() {
		st := g.c.Seq.At(i)
		for k, a := range st.Args {
			if f := fieldOf(st.Op, k); f != nil && f.Origin() == field.Origin() && !isOrdinary(g.c.Seq.At(a.Stmt).Op) {
				return true
			}
		}
	}
	return false
}

// fieldOf returns the field that argument k of an operation is for, if the operation writes a struct or sets a field, and nil otherwise.
func fieldOf(op *testcase.Operation, k int) *types.Var {
	switch {
	case op.Kind == testcase.OpSetField && k == 1:
		return op.Var
	case op.Kind != testcase.OpComposite:
		return nil
	case op.Elems != nil:
		k = op.Elems[k]
	}
	if st, ok := op.Type.Underlying().(*types.Struct); ok {
		return st.Field(k)
	}
	return nil
}

// passesNone reports whether the last call has a list of arguments, `numbers ...int`, and is passed none.
func passesNone(st testcase.Statement) bool {
	sig, n := st.Op.Signature(), len(st.Args)
	if st.Op.Kind == testcase.OpMethod {
		n--
	}
	return sig.Variadic() && n < sig.Params().Len()
}

// isStructOf reports whether a type is a struct of the package, and no element type of a generic one.
func isStructOf(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// isOpenStruct reports whether a type is a struct, of whatever package, with a field that users may set.
func isOpenStruct(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	return ok && load.NamedOf(t) != nil && slices.ContainsFunc(slices.Collect(st.Fields()), (*types.Var).Exported)
}

// isOutside reports whether what a parameter takes comes from outside of the program: texts, bytes, and what is read from.
func isOutside(t types.Type) bool {
	if usage.IsData(t) || load.IsNamed(t, "bufio", "Reader") {
		return true
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		if m.Name() == "Read" && m.Signature().Params().Len() == 1 && usage.IsData(m.Signature().Params().At(0).Type()) {
			return true
		}
	}
	return false
}

// isDecoded reports whether a type is the one that decoders of the standard library and of others give an object: a map from text to
// anything (encoding/json, yaml.v3, BurntSushi/toml).
func isDecoded(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok || !anything(m.Elem()) {
		return false
	}
	b, ok := m.Key().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// chosen reports whether an operation makes a value that its programmer has to choose: a list for the last call, a number that is no
// ordinary size, or any number if the last call is about nothing else. So is what the last call takes as `any`: a container that only
// keeps it does not fail. Constants of an enumeration and characters are data.
func chosen(op *testcase.Operation, slot types.Type, last, alone bool) bool {
	switch op.Kind {
	case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpConvert, testcase.OpAddr:
	default:
		return false
	}
	switch u := slot.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return last
	case *types.Interface:
		return last && u.Empty()
	case *types.Basic:
		isChar := types.Unalias(slot) == types.Universe.Lookup("rune").Type() || u.Kind() == types.Uint8
		if u.Info()&types.IsNumeric == 0 || isChar || len(load.ConstantsOf(slot)) > 1 {
			return false
		}
		return alone || !isOrdinary(op)
	}
	return false
}

// isOrdinary reports whether a number is one that anybody passes for a size, a count or a rate.
func isOrdinary(op *testcase.Operation) bool {
	const much = 1 << 10
	switch l := op.Lit; l.Kind {
	case testcase.LitInt, testcase.LitUint:
		return op.Kind == testcase.OpLiteral && l.Bits > 0 && l.Bits <= much
	case testcase.LitFloat:
		f := math.Float64frombits(l.Bits)
		if b, ok := op.Type.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
			f = float64(math.Float32frombits(uint32(l.Bits)))
		}
		return f > 0 && f <= much
	}
	return false
}

// isExtreme reports whether an operation is a whole number in the outer half of the range of a type of 32 or 64 bits. Shrinking makes the
// end of the range of it.
func isExtreme(op *testcase.Operation) bool {
	if op.Kind != testcase.OpLiteral || op.Type == nil {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	bits := uint(64)
	switch b.Kind() {
	case types.Int32, types.Uint32:
		bits = 32
	case types.Int, types.Int64, types.Uint, types.Uint64, types.Uintptr:
	default:
		return false
	}
	if types.Unalias(op.Type) == types.Universe.Lookup("rune").Type() {
		return false
	}
	half := uint64(1) << (bits - 2)
	switch op.Lit.Kind {
	case testcase.LitInt:
		v := int64(op.Lit.Bits)
		return v >= int64(half) || v <= -int64(half)
	case testcase.LitUint:
		return op.Lit.Bits >= 2*half
	}
	return false
}

// NumbersAtZero returns the exported fields of a struct of the package that are plain numbers and that a statement which makes the struct
// leaves at zero: a cost, a dimension, a width.
func NumbersAtZero(pkg *load.Package, seq *testcase.Sequence, st testcase.Statement) []int {
	if st.Op.Kind != testcase.OpZero && st.Op.Kind != testcase.OpComposite || !isStructOf(pkg, st.Op.Type) {
		return nil
	}
	fields := st.Op.Type.Underlying().(*types.Struct)
	var out []int
	for i := range fields.NumFields() {
		f := fields.Field(i)
		b, ok := f.Type().Underlying().(*types.Basic)
		if !ok || !f.Exported() || b.Info()&(types.IsInteger|types.IsFloat) == 0 || len(load.ConstantsOf(f.Type())) > 1 {
			continue
		}
		k := i
		if st.Op.Elems != nil {
			k = slices.Index(st.Op.Elems, i)
		}
		if k >= 0 && k < len(st.Args) {
			if op := seq.At(st.Args[k].Stmt).Op; op.Kind != testcase.OpZero && (op.Kind != testcase.OpLiteral || op.Lit.Bits != 0) {
				continue
			}
		}
		out = append(out, i)
	}
	return out
}

// OfUncalled makes an error a warning because it takes a function to show it that nobody calls who could.
func OfUncalled(f *testcase.Finding, function string) {
	f.Severity, f.Excused = testcase.Warning, true
	f.Evidence += "; but only this module can use the package, and no other package of it calls " + function
}

// OfAlways makes an error a warning because no call that ran ended otherwise than by the panic of another package, whatever the call was
// passed: what that package needs may be missing where the tests run (rain's GetURI without a region).
func OfAlways(f *testcase.Finding) {
	f.Severity, f.Excused = testcase.Warning, true
	f.Evidence += "; but all calls of it end so here, whatever they are passed, and what the other package needs may be missing on this machine"
}

// RaisedElsewhere reports whether the case of a finding ended with a panic that the code of another package raises itself.
func RaisedElsewhere(pkg *load.Package, f *testcase.Finding) bool {
	o := f.Case.Observed
	return f.Kind == "explicit" && o.Panic != nil && len(o.Panic.Stack) > 0 && !strings.HasPrefix(o.Panic.Stack[0].Func, pkg.Path+".")
}

// OfZeros makes a finding a warning whose numbers a programmer has left at zero. To be called if the case does not fail so with ordinary
// numbers in the structs that it writes (argon2id's Params, go-polyline's Codec, shoutrrr's limits).
func OfZeros(f *testcase.Finding) {
	if f.Severity == testcase.Error {
		f.Severity, f.Excused = testcase.Warning, true
		f.Evidence += "; but it does not fail so if the numbers are set that the test leaves at zero"
	}
}
