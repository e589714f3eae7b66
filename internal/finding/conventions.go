package finding

import (
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file has rules that rest on a convention of the language or of the standard library, which the code under
// test need not repeat in its documentation.

// ofClosed grades a channel that is closed twice, or sent on after it was closed, because the test goes on with an object
// that it has closed. io.Closer leaves it undefined what a second Close does, and channels themselves panic: so do
// those of eapache/channels, tstorage's storage and nats' bench. A package that declares an error for the use of what
// is closed, as os.ErrClosed and net.ErrClosed are, wants to return that error. What closes a channel and has another name,
// like ldapserver's Stop, go-metrics' Shutdown and the Cancel and Done of go-imap's ContinuationRequest, has no such
// convention, so a reader should look.
func (g *grading) ofClosed() *grade {
	last := g.c.Seq.Last()
	if g.kind != "closed-channel" || last.Op.Kind != testcase.OpMethod || g.rules.NamesClosed() != "" || g.rules.ClosesAgain(g.target.Obj) {
		return nil
	}
	for i := range g.c.Seq.Len() - 1 {
		if st := g.c.Seq.At(i); st.Op.Kind == testcase.OpMethod && st.Op.Func.Name() == "Close" && st.Args[0] == last.Args[0] {
			if last.Op.Func.Name() == "Close" {
				return misuse(onClosed, "io.Closer leaves undefined what a second Close does")
			}
			return misuse(onClosed, "the object was closed before, and nothing says that it can still be used")
		}
	}
	for i := range g.c.Seq.Len() - 1 {
		st := g.c.Seq.At(i)
		if st.Op.Kind != testcase.OpMethod || st.Args[0] != last.Args[0] {
			continue
		}
		if t := g.rules.Pkg.FirstTargetOf(st.Op.Func); t != nil && purity.ClosesChannel(t.Func) {
			return &grade{testcase.Warning, "", "another call has ended it before, and who ends it is agreed with the caller", usage.Usual}
		}
	}
	return nil
}

// ofInitialiser grades the panic of a function called Must, like regexp.MustCompile, in a function without results. Such a
// function takes what its programmer has chosen, mostly when the program begins, and can report nothing else: so do
// AddPlural of jinzhu/inflection, AddPluralRule of pluralize, and http.HandleFunc with its patterns.
func (g *grading) ofInitialiser() *grade {
	o := g.c.Observed
	if g.kind != "other" || o.Panic == nil || !raisedElsewhere(g.rules.Pkg, o) || g.target.Obj.Signature().Results().Len() > 0 {
		return nil
	}
	if !o.Panic.Runtime && registers(g.target.Obj.Signature()) {
		return misuse(onRefused, "who registers a function for a text writes both into the program, and what keeps them refuses the text by a panic")
	}
	by := o.Panic.Stack[0].Func
	by = by[strings.LastIndexByte(by, '/')+1:]
	if _, name, ok := strings.Cut(by, "."); !ok || !strings.HasPrefix(name, "Must") {
		return nil
	}
	return misuse(onRefused, "the code hands what it is told to "+by+", which is for texts of the program itself")
}

// registers reports whether a function takes a text and a function, or a handler of requests, and nothing but these: it keeps the second for
// the first. http.ServeMux, httprouter and gin panic on a pattern that they cannot read, and so do routers that are built upon them.
func registers(sig *types.Signature) bool {
	text, function := false, false
	for p := range sig.Params().Variables() {
		_, isFunc := p.Type().Underlying().(*types.Signature)
		switch {
		case usage.IsData(p.Type()):
			text = true
		case isFunc || load.IsNamed(p.Type(), "net/http", "Handler"):
			function = true
		default:
			return false
		}
	}
	return text && function
}

// ofMisfit grades a call by reflection whose arguments do not fit the function, where the test passes the function as any value. Who passes
// it chooses both, and no type says which arguments are to come.
func (g *grading) ofMisfit() *grade {
	said := g.c.Observed.Message
	if p := g.c.Observed.Panic; p != nil {
		said = p.Message
	}
	if !strings.Contains(said, "reflect: Call with too ") && !strings.Contains(said, "reflect: Call using ") {
		return nil
	}
	ts := g.c.Seq.ResultTypes()
	for i := range g.c.Seq.Len() {
		st := g.c.Seq.At(i)
		if !st.Op.IsCall() {
			continue
		}
		for k, a := range st.Args {
			if a.Result >= len(ts[a.Stmt]) || !anything(slotOf(st.Op, k, st.Args, ts)) {
				continue
			}
			if _, isFunc := ts[a.Stmt][a.Result].Underlying().(*types.Signature); isFunc {
				return misuse(onDynamic, "the test passes a function that does not fit the arguments with which it is called")
			}
		}
	}
	return nil
}

// ofPromise grades the panic on a value for which the documentation promises an error, since it is of another kind than a parameter
// that takes any value is to have: "Returns error if fn is not a function".
func (g *grading) ofPromise() *grade {
	last := g.c.Seq.Last()
	if g.c.Observed.Panic == nil || !last.Op.IsCall() || last.Op.Via != nil || last.Op.Func.Origin() != g.target.Obj.Origin() {
		return nil
	}
	ts := g.c.Seq.ResultTypes()
	for k, a := range last.Args[last.Op.FirstParam():] {
		wanted, sentence := g.rules.Promised(g.target.Obj, k)
		if sentence == "" || wanted == "other" || a.Result >= len(ts[a.Stmt]) {
			continue
		}
		kind := g.kindOf(a, ts)
		if wanted == "pointer" && !g.mayPoint(a, ts) || wanted != "pointer" && kind != "" && kind != wanted {
			return &grade{testcase.Error, "", "the documentation says " + usage.Quote(sentence) + ", and " + g.target.Name + " panics on it", usage.Declared}
		}
	}
	return nil
}

// mocks are the packages of mocks whose calls panic unless the test has announced them.
var mocks = []string{"github.com/stretchr/testify/mock.", "go.uber.org/mock/gomock.", "github.com/golang/mock/gomock."}

// ofMock grades the panic of a mock that the test passes and that expects no calls (go-workflows' client with its MockBackend).
func (g *grading) ofMock() *grade {
	o := g.c.Observed
	if o.Panic == nil || len(o.Panic.Stack) == 0 {
		return nil
	}
	by := o.Panic.Stack[0].Func
	if !slices.ContainsFunc(mocks, func(path string) bool { return strings.HasPrefix(by, path) }) || OfModule(g.rules.Pkg, by) {
		return nil
	}
	return misuse(onStub, "a mock panics because the test announces none of its calls")
}

// namedArgument returns the text or the bytes which the panic of the code itself names, if the function that panics looks at
// them and the target takes other data beside them, and "" if there are none. They are a setting that the programmer
// has chosen, beside the data: the nonce of cipher.AEAD's Open and of chacha20poly1305's, which return errors for
// what they cannot open but panic on a nonce of another length, or the tags of a template (fasttemplate).
func (g *grading) namedArgument() string {
	frames := inPackage(g.rules.Pkg, g.c.Observed.Panic.Stack)
	if len(frames) == 0 {
		return ""
	}
	fn := funcOf(g.rules.Pkg, frames[0].Func)
	if fn == nil {
		return ""
	}
	words := strings.FieldsFunc(g.c.Observed.Panic.Message, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for p := range fn.Signature().Params().Variables() {
		if len(p.Name()) < 3 || !usage.IsData(p.Type()) || !slices.Contains(words, p.Name()) || !g.rules.Compares(fn, p) {
			continue
		}
		for q := range g.target.Obj.Signature().Params().Variables() {
			if usage.IsData(q.Type()) && q.Name() != p.Name() {
				return p.Name()
			}
		}
	}
	return ""
}

// namedObject returns the parameter that the panic of the code itself names and that takes any value, an object or a function, if the
// function takes data beside it: "config must be a pointer to a struct" is said of what the programmer passes, whatever the
// text is (gcfg's ReadStringInto). The standard library names such a parameter, too: "http: nil handler", beside a pattern.
func (g *grading) namedObject() string {
	words := strings.FieldsFunc(g.c.Observed.Panic.Message, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for p := range g.target.Obj.Signature().Params().Variables() {
		switch p.Type().Underlying().(type) {
		case *types.Interface, *types.Pointer, *types.Signature:
			if len(p.Name()) > 2 && !isOutside(p.Type()) && slices.Contains(words, p.Name()) {
				return p.Name()
			}
		}
	}
	return ""
}

// announcedBefore returns what the documentation of an earlier call on the same object says of calls after it, if it says that
// they panic, and the code itself panics.
func (g *grading) announcedBefore() string {
	last := g.c.Seq.Last()
	if g.kind != "explicit" || last.Op.Kind != testcase.OpMethod {
		return ""
	}
	for i := range g.c.Seq.Len() - 1 {
		if st := g.c.Seq.At(i); st.Op.Kind == testcase.OpMethod && st.Args[0] == last.Args[0] && st.Op.Func.Pkg() == g.rules.Pkg.Types {
			if said := g.rules.AnnouncesLater(st.Op.Func); said != "" {
				return said
			}
		}
	}
	return ""
}

// ofDone grades the use of an object behind a call after which the documentation of that call has nobody use it.
func (g *grading) ofDone() *grade {
	last := g.c.Seq.Last()
	for i := range g.c.Seq.Len() - 1 {
		st := g.c.Seq.At(i)
		if st.Op.Func == nil || st.Op.Func.Pkg() != g.rules.Pkg.Types || !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return slices.Contains(last.Args, a) }) {
			continue
		}
		if said := g.rules.EndsUse(st.Op.Func); said != "" {
			return misuse(onClosed, "the documentation of "+testcase.TargetName(st.Op.Func)+" says "+said)
		}
	}
	return nil
}

// funcOf returns the declared function of a stack frame, or nil if it is none of the package.
func funcOf(pkg *load.Package, frame string) *types.Func {
	name, ok := strings.CutPrefix(frame, pkg.Path+".")
	if !ok {
		return nil
	}
	if t := pkg.Target(strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(name)); t != nil {
		return t.Obj
	}
	return nil
}

// waitsForItself reports whether the call waits for functions that were passed before, and one of these makes the same
// call: it waits for its own end. (sync.WaitGroup, errgroup.Group, go-multierror's Group and conc's pools cannot be
// waited for from within.)
func (g *grading) waitsForItself() bool {
	if g.kind != "deadlock" && g.kind != "hang" || !purity.Waits(g.target.Func) {
		return false
	}
	last := g.c.Seq.Last()
	for i := range g.c.Seq.Len() - 1 {
		st := g.c.Seq.At(i)
		if st.Op.Kind != testcase.OpClosure || st.Op.Func.Origin() != g.target.Obj.Origin() {
			continue
		}
		if !slices.ContainsFunc(last.Args, func(a testcase.Ref) bool { return a.Stmt == i }) {
			return true
		}
	}
	return false
}

// callsBack reports whether a function that the test passes makes the test's last call, by itself or through others: called by
// what it calls, it never ends.
func (g *grading) callsBack() bool {
	for i := range g.c.Seq.Len() {
		op := g.c.Seq.At(i).Op
		switch op.Kind {
		case testcase.OpClosure:
			if op.Func.Origin() == g.target.Obj.Origin() || g.rules.Pkg.Mentions(op.Func, g.target.Obj) {
				return true
			}
		case testcase.OpFuncLit:
			if strings.Contains(op.Text, "."+g.target.Obj.Name()+"(") { // of a parameter, which is the object
				return true
			}
		}
	}
	return false
}

// unlikeLists reports whether a function that has no error to return runs through one list and takes elements of another that the
// test has made shorter. Lists of which each element belongs to one of the other have one length, as crypto/subtle's XORBytes
// and ConstantTimeCopy and gonum's floats document of theirs (serf's Simulate and Evaluate, two of casbin's). Text and
// bytes come from outside.
func (g *grading) unlikeLists() bool {
	short, _, ok := purity.UnlikeLists(g.rules.Pkg, g.stack)
	sig := g.target.Obj.Signature()
	if !ok || gosyntax.ReturnsError(sig) || short < 0 || short >= sig.Params().Len() {
		return false
	}
	return !usage.IsData(sig.Params().At(short).Type())
}

// waitsAtPipe reports whether the call waits in a pipe of package io or net that the test has made, not the package. What
// is written to such a pipe is not kept, as net.Pipe and io.Pipe document: "each Write blocks until it has satisfied
// one or more Reads". (memberlist's labels.)
func (g *grading) waitsAtPipe() bool {
	o := g.c.Observed
	if o.Panic == nil || len(o.Panic.Stack) == 0 {
		return false
	}
	if in := o.Panic.Stack[0].Func; !strings.HasPrefix(in, "net.(*pipe).") && !strings.HasPrefix(in, "io.(*pipe).") {
		return false
	}
	for i := range g.c.Seq.Len() {
		if op := g.c.Seq.At(i).Op; CallsOf(g.rules.Pkg, op) {
			if t := g.rules.Pkg.FirstTargetOf(op.Func); t != nil && purity.MakesPipe(t.Func) {
				return false
			}
		}
	}
	return true
}

// reflected says why package reflect may refuse a value that the test passes, or "" if it may not: the function takes
// a reflect.Value, as those of package reflect do that panic for values of another kind; or it has no error to return
// and takes any value, and its documentation speaks of the kind of value that it wants, which the test's is not. sort.Slice is
// such a function, and so are those of go-funk ("recursively flattens array") and of fatih/structs ("the given struct"). Or it
// writes into the value, so that this has to be behind a pointer (wantsPointer).
func (g *grading) reflected() string {
	o, sig := g.c.Observed, g.target.Obj.Signature()
	if g.kind != "other" || o.Panic == nil || !strings.HasPrefix(o.Panic.Message, "reflect") || !raisedElsewhere(g.rules.Pkg, o) {
		return ""
	}
	last, ts := g.c.Seq.Last(), g.c.Seq.ResultTypes()
	passesValue := slices.ContainsFunc(last.Args, func(a testcase.Ref) bool { return load.IsNamed(ts[a.Stmt][a.Result], "reflect", "Value") })
	if passesValue || slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool { return load.IsNamed(p.Type(), "reflect", "Value") }) {
		return "the caller has to know of which kind a reflect.Value is" // also of a function that was returned, as parquet-go's thrift does
	}
	if last.Op.Func == nil || last.Op.Via != nil {
		return ""
	}
	passed := g.anythings(ts)
	if g.wantsPointer(passed, ts) && !gosyntax.ReturnsError(sig) {
		return "it writes into the value, and the test passes no pointer to one"
	}
	said := g.rules.Kinds(g.target.Obj)
	if len(said) == 0 || gosyntax.ReturnsError(sig) {
		return ""
	}
	for _, a := range passed {
		if kind := g.kindOf(a, ts); kind != "" && !slices.Contains(said, kind) {
			return "its documentation speaks of a " + said[0] + ", and the test passes none"
		}
	}
	return ""
}

// ofUnaddressable grades a function that writes into a value, which has to be behind a pointer, panics where it is not, and returns
// errors. Fourteen modules that decode into values were asked: eleven return an error then, as encoding/json does, and
// yaml.v3 and cleanenv, which hands the value on to yaml.v3, panic. So a reader should look. The same goes for fields that are not exported, and for values of which package reflect is asked where they are: who has
// a callback removed passes one.
func (g *grading) ofUnaddressable() *grade {
	o, last := g.c.Observed, g.c.Seq.Last()
	if o.Panic == nil || last.Op.Func == nil || last.Op.Via != nil || !gosyntax.ReturnsError(g.target.Obj.Signature()) {
		return nil
	}
	byReflect := g.kind == "other" && raisedElsewhere(g.rules.Pkg, o) || g.kind == "explicit" && strings.HasPrefix(o.Panic.Message, "reflect") // handed on
	ts := g.c.Seq.ResultTypes()
	passed := g.anythings(ts)
	if byReflect && len(passed) > 0 && strings.HasSuffix(o.Panic.Message, "using value obtained using unexported field") {
		return &grade{testcase.Warning, "", "package reflect refuses to write a field that is not exported, which encoding/binary documents and encoding/json and others leave alone; the test passes a value that has one", usage.Usual}
	}
	if byReflect && len(passed) > 0 && strings.Contains(o.Panic.Message, "call of reflect.Value.Pointer on ") {
		return &grade{testcase.Warning, "", g.target.Name + " looks for the very function or object that it is passed, and the test passes neither, for which it could return an error", usage.Usual}
	}
	if !byReflect || !g.wantsPointer(passed, ts) {
		return nil
	}
	return &grade{testcase.Warning, "", g.target.Name + " writes into the value, and the test passes no pointer to one, for which encoding/json and others return an error", usage.Usual}
}

// anythings returns the arguments of the last call that are passed where any value may be.
func (g *grading) anythings(ts [][]types.Type) []testcase.Ref {
	last := g.c.Seq.Last()
	var out []testcase.Ref
	for k, a := range last.Args {
		if anything(slotOf(last.Op, k, last.Args, ts)) && a.Result < len(ts[a.Stmt]) {
			out = append(out, a)
		}
	}
	return out
}

// wantsPointer reports whether package reflect refuses a value since it is behind no pointer, and none of the values that are
// passed as any is one. (go-defaults' Fill, yaml.v3's Unmarshal.)
func (g *grading) wantsPointer(passed []testcase.Ref, ts [][]types.Type) bool {
	said := g.c.Observed.Panic.Message
	refused := strings.Contains(said, "unaddressable value") ||
		strings.Contains(said, "call of reflect.Value.Elem on ") && !strings.Contains(said, " on zero Value")
	return refused && len(passed) > 0 && !slices.ContainsFunc(passed, func(a testcase.Ref) bool { return g.mayPoint(a, ts) })
}

// passesNamedKind reports whether the failing call is passed, where it takes any value, one of a kind of which its documentation speaks.
func (g *grading) passesNamedKind() bool {
	last := g.c.Seq.Last()
	if last.Op.Func == nil || last.Op.Via != nil {
		return false
	}
	said, ts := g.rules.Kinds(g.target.Obj), g.c.Seq.ResultTypes()
	return len(said) > 0 && slices.ContainsFunc(g.anythings(ts), func(a testcase.Ref) bool { return slices.Contains(said, g.kindOf(a, ts)) })
}

// kindOf returns the kind of a value that the test passes, in the words of usage.Kinds, or "" if it is not known.
func (g *grading) kindOf(a testcase.Ref, ts [][]types.Type) string {
	t := ts[a.Stmt][a.Result]
	if st := g.c.Seq.At(a.Stmt); st.Op.Kind == testcase.OpConvert && types.IsInterface(t) {
		t = ts[st.Args[0].Stmt][st.Args[0].Result]
	}
	return usage.KindOf(t)
}

// mayPoint reports whether a value that the test passes is a pointer, or may be one because nobody has seen it.
func (g *grading) mayPoint(a testcase.Ref, ts [][]types.Type) bool {
	t := ts[a.Stmt][a.Result]
	if st := g.c.Seq.At(a.Stmt); st.Op.Kind == testcase.OpConvert && types.IsInterface(t) {
		return g.mayPoint(st.Args[0], ts)
	}
	if !types.IsInterface(t) {
		_, ok := t.Underlying().(*types.Pointer)
		return ok
	}
	o := g.c.Observed
	if a.Stmt >= len(o.Results) || a.Result >= len(o.Results[a.Stmt]) {
		return true
	}
	v := o.Results[a.Stmt][a.Result]
	if v.Kind == testcase.Interface && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	return v.Kind == testcase.Pointer || v.Kind == testcase.Opaque || v.Kind == testcase.Invalid
}

// choosesFromNothing reports whether a function that has no error to return is to choose one of no elements, since it is passed
// an empty list or text: math/rand refuses to, as rand.Intn documents, or list[n%len(list)] divides by zero. So
// do RandomString(n, chars...) of go-funk and lo's strategies for channels, and the samples of randomdata.
func (g *grading) choosesFromNothing() bool {
	stack, sig := g.c.Observed.Panic.Stack, g.target.Obj.Signature()
	if gosyntax.ReturnsError(sig) {
		return false
	}
	if g.kind == "division-by-zero" {
		last, k := g.c.Seq.Last(), purity.ByLength(g.rules.Pkg, g.stack)
		return len(g.stack) == 1 && k >= 0 && k < len(last.Args) && g.isEmpty(last.Args[k])
	}
	if !strings.HasPrefix(stack[0].Func, "math/rand") || !strings.Contains(g.c.Observed.Panic.Message, "invalid argument to") {
		return false
	}
	return slices.ContainsFunc(g.c.Seq.Last().Args, func(a testcase.Ref) bool { return g.isEmpty(a) })
}

// isEmpty reports whether an argument is a text or a list without elements.
func (g *grading) isEmpty(a testcase.Ref) bool {
	switch op := g.c.Seq.At(a.Stmt).Op; op.Kind {
	case testcase.OpLiteral:
		return op.Lit.Kind == testcase.LitString && op.Lit.Str == ""
	case testcase.OpZero, testcase.OpComposite:
		if _, ok := op.Type.Underlying().(*types.Slice); ok {
			return op.N == 0 && len(g.c.Seq.At(a.Stmt).Args) == 0
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString != 0
	case testcase.OpFunc, testcase.OpMethod:
		if o := g.c.Observed; a.Stmt < len(o.Results) && a.Result < len(o.Results[a.Stmt]) {
			v := o.Results[a.Stmt][a.Result]
			return (v.Kind == testcase.Slice || v.Kind == testcase.String || v.Kind == testcase.Nil) && v.Len == 0
		}
	}
	return false
}

// roomForNone reports whether a call tells a container how many elements it may have, and the number is not above zero:
// the parameter is called a size, a capacity, a maximum or a limit. golang-lru's Resize(0), tinylru's and gcache's throw out
// again what is put in, and ddsketch's stores for no bins have none to put anything in.
func roomForNone(seq *testcase.Sequence) bool {
	for i := range seq.Len() {
		st := seq.At(i)
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || st.Op.Via != nil {
			continue
		}
		args := st.Args
		if st.Op.Kind == testcase.OpMethod {
			args = args[1:]
		}
		params := st.Op.Signature().Params()
		for k, a := range args {
			op := seq.At(a.Stmt).Op
			none := op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitInt && int64(op.Lit.Bits) <= 0
			if !none || k >= params.Len() {
				continue
			}
			name := strings.ToLower(params.At(k).Name())
			if strings.Contains(name, "size") || strings.HasPrefix(name, "cap") || strings.Contains(name, "max") || strings.Contains(name, "limit") {
				return true
			}
		}
	}
	return false
}
