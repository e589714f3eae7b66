package finding

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Merge keeps one finding for each cause, the one that is easiest to believe: the most severe, then the one
// through the function nearest to the cause, then the one with the shortest test. First it merges findings of
// one place, then findings whose wrong value comes from one argument, field, variable or result. Each finding
// that is kept gets the doors of all findings that it stands for. The findings are sorted by severity,
// strength of the evidence, and first occurrence.
func Merge(rules *usage.Rules, all []*testcase.Finding) []*testcase.Finding {
	breakers, loops := breakersOf(rules, all), loopsOf(all)
	place := func(f *testcase.Finding) string {
		if seen := loops[f.Func]; seen != nil && hangs(f) && f.Pos == f.Declared {
			f = seen
		}
		if by := breakers[f]; by != nil {
			return placeOf(rules, by) + " " + by.Func
		}
		return placeOf(rules, f)
	}
	placed := clusters(all, place)
	// A nil that a test passes is another cause than a nil that the code has made. If both lead to an error,
	// the second is the worse one.
	best := make(map[string]*testcase.Finding)
	for _, g := range placed {
		best[g.key] = g.best
	}
	placed = slices.DeleteFunc(placed, func(g *cluster) bool {
		made, passed := strings.CutSuffix(g.key, passedNil)
		f := best[made]
		return passed && f != nil && f.Severity == testcase.Error
	})
	roots := make(map[*testcase.Finding]string)
	doors := make(map[*testcase.Finding][]*testcase.Finding)
	var reps []*testcase.Finding
	for _, g := range placed {
		_, roots[g.best] = rootOf(rules, g.best)
		doors[g.best] = g.all
		reps = append(reps, g.best)
	}
	var out []*testcase.Finding
	for _, g := range clusters(reps, func(f *testcase.Finding) string {
		return cmp.Or(calledBack(f), ofAnother(f), writtenAgain(f), handWritten(f), roots[f], beyondBytes(rules.Pkg, f), place(f))
	}) {
		var members []*testcase.Finding
		for _, f := range g.all {
			members = append(members, doors[f]...)
		}
		f := *g.best
		f.Doors = doorsOf(rules, members)
		NameRoot(rules, &f)
		if onlyShows(&f) > 0 && hangs(&f) {
			f.Message = "waits for a lock that " + f.FaultOf + " has left held"
		}
		out = append(out, &f)
	}
	out = withoutPrinted(rules, out)
	slices.SortStableFunc(out, func(a, b *testcase.Finding) int {
		return cmp.Or(a.Severity.Rank()-b.Severity.Rank(), b.Rank-a.Rank)
	})
	return out
}

// loopsOf returns, for each function of which some call does not return, the first finding whose stack shows the loop. A
// call that was ended without a stack, as the machine ends a path, shows the same loop: who mends the one has mended the other,
// as far as anybody can tell.
func loopsOf(all []*testcase.Finding) map[string]*testcase.Finding {
	out := make(map[string]*testcase.Finding)
	for _, f := range all {
		if hangs(f) && f.Pos != f.Declared && out[f.Func] == nil {
			out[f.Func] = f
		}
	}
	return out
}

func hangs(f *testcase.Finding) bool { return f.Kind == "hang" || f.Kind == "deadlock" }

// WaitsForLock reports whether a finding's call waits for a lock of package sync.
func WaitsForLock(pkg *load.Package, f *testcase.Finding) bool {
	o := f.Case.Observed
	if !hangs(f) || o == nil || o.Panic == nil || o.At != f.Case.Seq.Len()-1 {
		return false
	}
	for _, frame := range o.Panic.Stack {
		switch frame.Func {
		case "sync.(*Mutex).Lock", "sync.(*RWMutex).Lock", "sync.(*RWMutex).RLock":
			return true
		}
		if OfModule(pkg, frame.Func) {
			break
		}
	}
	return false
}

// ofAnother returns a key for a finding whose call shows the fault of a function that is known, mostly of another one, and "" for any other finding.
// All calls that show it have one cause.
func ofAnother(f *testcase.Finding) string {
	if f.FaultOf == "" {
		return ""
	}
	if hangs(f) {
		return "lock left by " + f.FaultOf
	}
	return "iterator of " + f.FaultOf
}

// writtenAgain returns a key for a finding that what is written of an object is not read, and "" for any other. That Parse refuses what String
// returns and UnmarshalJSON what MarshalJSON returns has one cause where both are about one object: nobody can write it.
func writtenAgain(f *testcase.Finding) string {
	last := f.Case.Seq.Last()
	if f.Case.Observed == nil || f.Case.Observed.Violated != "contract roundtrip" || last.Op.Kind != testcase.OpCheck || len(last.Args) == 0 {
		return ""
	}
	object := f.Case.Seq.ResultTypes()[last.Args[0].Stmt][last.Args[0].Result]
	key := "written of " + types.TypeString(gosyntax.Pointed(object), nil)
	for i := range f.Case.Seq.Len() - 1 {
		switch op := f.Case.Seq.At(i).Op; {
		case op.Func != nil:
			key += " " + op.Func.FullName()
		case op.Kind == testcase.OpLiteral:
			key += " " + op.Lit.Text(op.Type)
		case op.Var != nil:
			key += " " + op.Var.Name()
		case op.Kind == testcase.OpComposite || op.Kind == testcase.OpZero:
			key += fmt.Sprint(" ", types.TypeString(op.Type, nil), op.Elems)
		}
	}
	return key
}

// onlyShows is 1 if a finding is about a call that shows the fault of another function, so that the function which the finding is about
// may be right.
func onlyShows(f *testcase.Finding) int {
	if f.FaultOf != "" && f.FaultOf != f.Func {
		return 1
	}
	return 0
}

// goingOn returns the function whose iterator a finding shows to go on where it is told to stop, and "" if it shows no such thing. In a range
// statement the language notices that, and panics in the body of the loop.
func goingOn(pkg *load.Package, f *testcase.Finding, o *testcase.Outcome) string {
	if o.Violated == "contract iterator" {
		return f.Func
	}
	if o.Panic == nil || !strings.Contains(o.Panic.Message, "range function continued iteration after") {
		return ""
	}
	stack := slices.DeleteFunc(slices.Clone(o.Panic.Stack), func(frame testcase.Frame) bool { return strings.HasPrefix(frame.Func, "runtime.") })
	if len(stack) < 2 || len(inPackage(pkg, stack[:2])) < 2 {
		return ""
	}
	at := stack[1].Pos // the iterator, which has called the body
	for _, t := range pkg.Targets {
		if t.Func == nil || t.Func.Syntax() == nil {
			continue
		}
		from, to := t.Func.Prog.Fset.Position(t.Func.Syntax().Pos()), t.Func.Prog.Fset.Position(t.Func.Syntax().End())
		if filepath.Base(from.Filename) == filepath.Base(at.Filename) && from.Line <= at.Line && at.Line <= to.Line {
			return t.Name
		}
	}
	return ""
}

// cluster is a group of findings with one key.
type cluster struct {
	key  string
	best *testcase.Finding
	all  []*testcase.Finding
}

// clusters groups findings by a key, in the order of the keys' first occurrence.
func clusters(fs []*testcase.Finding, key func(*testcase.Finding) string) []*cluster {
	byKey := make(map[string]*cluster)
	var out []*cluster
	for _, f := range fs {
		k := key(f)
		g := byKey[k]
		if g == nil {
			g = &cluster{key: k, best: f}
			byKey[k] = g
			out = append(out, g)
		}
		g.all = append(g.all, f)
		if again := writtenAgain(f); again != "" && strings.Contains(f.Func, ".") != strings.Contains(g.best.Func, ".") && again == writtenAgain(g.best) {
			if strings.Contains(f.Func, ".") { // what a method writes and another one reads is promised by an interface of the standard library
				g.best = f
			}
		} else if Easier(f, g.best) {
			g.best = f
		}
	}
	return out
}

// placeOf returns a key for the place where a finding shows. If two exported functions lead to the same
// instruction, that is one bug.
func placeOf(rules *usage.Rules, f *testcase.Finding) string {
	if !f.Pos.IsValid() {
		return f.Cause
	}
	kind := f.Kind
	if kind == "deadlock" {
		kind = "hang" // the other goroutines decide whether the runtime notices the deadlock
	}
	if faultAt(rules.Pkg, f.Case.Observed) != nil {
		kind = "nil-dereference"
	}
	key := kind + " " + f.Pos.String()
	if o := f.Case.Observed; o != nil && raisedElsewhere(rules.Pkg, o) {
		key = "passed on " + f.Pos.String() // what the line passes to another module decides in which way that panics
	}
	if fn := shortIn(rules.Pkg, f); fn != "" {
		key = "short " + fn // the index is left out: it depends on the input which element is the first that does not fit
	}
	if kind == "nil-dereference" && len(approachOf(rules, f.Case).nils) > 0 {
		key += passedNil
	}
	return key
}

// calledBack returns a key for a finding whose test passes a function that calls the object, and "" for any other one. That
// an object is changed while one of its methods goes through it is one decision of its author, whichever
// methods and lines show it (btree's Ascend and Descend, radix's Walk, a gods tree's Each), and one of locks is another.
func calledBack(f *testcase.Finding) string {
	if f.Evidence != callsBack {
		return ""
	}
	object, _, _ := strings.Cut(f.Func, ".")
	switch f.Kind {
	case "hang", "deadlock":
		return "called back, waiting " + object
	}
	return "called back " + object
}

// breakersOf returns, for each finding about a declared invariant, a finding of the function that breaks it, mostly the finding itself.
// Each function that breaks an invariant is a cause of its own: none of them is mended by mending another one. A function that
// is handed another one by the test, which breaks the invariant as well, only leads there: as a function, in a function that the
// test writes, or as a method of an interface. So does a function whose own code calls another one, where the invariant is stated by a directive.
func breakersOf(rules *usage.Rules, all []*testcase.Finding) map[*testcase.Finding]*testcase.Finding {
	of := make(map[string][]*testcase.Finding) // a finding of each function, by what it breaks
	calls := make(map[string]map[string]bool)
	reaches := func(from, to string) bool {
		if calls[from] == nil {
			calls[from] = make(map[string]bool)
			if t := rules.Pkg.Target(from); t != nil && t.Func != nil {
				calls[from] = purity.Calls(rules.Pkg, t.Func)
			}
		}
		return calls[from][to]
	}
	for _, f := range all {
		if broken := brokenInvariant(rules.Pkg, f); f.Kind == "invariant" && !slices.ContainsFunc(of[broken], func(o *testcase.Finding) bool { return o.Func == f.Func }) {
			of[broken] = append(of[broken], f)
		}
	}
	out := make(map[*testcase.Finding]*testcase.Finding)
	for _, f := range all {
		if f.Kind != "invariant" {
			continue
		}
		others := of[brokenInvariant(rules.Pkg, f)]
		by, handed := f, []string(nil)
		if len(others) > 1 {
			handed = handedTo(rules.Pkg, f.Case.Seq)
		}
		leads := func(to string) bool {
			return isStated(f) && reaches(by.Func, to) || by == f && slices.ContainsFunc(handed, func(h string) bool { return h == to || reaches(h, to) })
		}
		for again := true; again; {
			again = false
			for _, other := range others {
				// Functions that call each other are causes of their own.
				if other.Func != by.Func && leads(other.Func) && !reaches(other.Func, by.Func) {
					by, again = other, true
					break
				}
			}
		}
		out[f] = by
	}
	return out
}

// brokenInvariant returns a key for the invariant that a finding is about: the place where a directive states it, or the type whose
// predicate says no.
func brokenInvariant(pkg *load.Package, f *testcase.Finding) string {
	c := f.Case
	var t types.Type
	switch {
	case isStated(f):
	case asksInvariant(pkg, c.Seq) != "":
		t = c.Seq.Last().Op.Func.Signature().Recv().Type()
	case c.Broken != nil && len(c.Broken.Path) > 0:
		t = c.Broken.Path[len(c.Broken.Path)-1].Type
	case c.Broken != nil:
		t = c.Seq.ResultTypes()[c.Broken.Object.Stmt][c.Broken.Object.Result]
	}
	if named := load.NamedOf(t); named != nil {
		return "of " + named.Origin().Obj().Name()
	}
	return f.Pos.String()
}

// isStated reports whether a finding is about an invariant that a directive states.
func isStated(f *testcase.Finding) bool {
	return f.Case.Observed != nil && strings.Contains(f.Case.Observed.Violated, "invariant")
}

// LeadsTo reports whether a finding is about an invariant that another function breaks, of which other findings know: the call of its
// case only leads there.
func LeadsTo(rules *usage.Rules, f *testcase.Finding, others []*testcase.Finding) bool {
	by := breakersOf(rules, append(slices.Clone(others), f))[f]
	return by != nil && by.Func != f.Func
}

// handedTo returns the functions of a package, by the name of their target, that a test hands to what it calls.
func handedTo(pkg *load.Package, s *testcase.Sequence) []string {
	var out []string
	all := s.ResultTypes()
	// as adds the methods that an interface has of a value that is passed for it.
	as := func(t types.Type, given testcase.Ref) {
		iface, ok := t.Underlying().(*types.Interface)
		if !ok || types.IsInterface(all[given.Stmt][given.Result]) {
			return
		}
		for m := range iface.Methods() {
			obj, _, _ := types.LookupFieldOrMethod(all[given.Stmt][given.Result], true, m.Pkg(), m.Name())
			if f, ok := obj.(*types.Func); ok && f.Pkg() == pkg.Types {
				out = append(out, testcase.TargetName(f))
			}
		}
	}
	for i := range s.Len() {
		switch st := s.At(i); st.Op.Kind {
		case testcase.OpClosure, testcase.OpFuncValue:
			out = append(out, testcase.TargetName(st.Op.Func))
		case testcase.OpFuncLit:
			methods, functions := calledIn(st.Op)
			for _, t := range pkg.Targets {
				if t.Obj != nil && (t.Recv != nil && slices.Contains(methods, t.Obj.Name()) || t.Recv == nil && slices.Contains(functions, t.Obj.Name())) {
					out = append(out, testcase.TargetName(t.Obj))
				}
			}
		case testcase.OpConvert:
			as(st.Op.Type, st.Args[0])
		case testcase.OpFunc, testcase.OpMethod:
			args := st.Args
			if st.Op.Kind == testcase.OpMethod {
				args = args[1:]
			}
			for k, param := range slices.Collect(st.Op.Signature().Params().Variables()) {
				if k < len(args) {
					as(param.Type(), args[k])
				}
			}
		}
	}
	return out
}

// calledIn returns the names of the methods of its parameters that a function literal calls, and of functions of packages.
func calledIn(op *testcase.Operation) (methods, functions []string) {
	const pkg = "pkg_" // no parameter has a name like that
	e, err := parser.ParseExpr(op.Source(func(string) string { return pkg }))
	lit, ok := e.(*ast.FuncLit)
	if err != nil || !ok {
		return nil, nil
	}
	params := make(map[string]bool)
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			params[name.Name] = true
		}
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			switch x, _ := sel.X.(*ast.Ident); {
			case x == nil:
			case x.Name == pkg:
				functions = append(functions, sel.Sel.Name)
			case params[x.Name]:
				methods = append(methods, sel.Sel.Name)
			}
		}
		return true
	})
	return methods, functions
}

// NameRoot says in a finding where the value comes from that causes its panic, if that is certain.
func NameRoot(rules *usage.Rules, f *testcase.Finding) {
	if origin, _ := rootOf(rules, f); origin.Text != "" {
		f.Root, f.RootPos = origin.Text, origin.Pos
	}
}

// rootOf returns where the value comes from that causes a finding's panic, and a key for that. Both are zero if
// the origin is not certain. Findings about lengths of texts and slices get no key, so that they stay apart by line: each line
// that reads too far lacks a check of its own. An index in a field that goes beyond an array is wrong for all lines (quotedprintable's Writer),
// and so is one that has gone beyond the end of a list or text, where no line could use it (bun's Parser, behind Advance).
func rootOf(rules *usage.Rules, f *testcase.Finding) (origin purity.Origin, key string) {
	o := f.Case.Observed
	if o == nil || o.Panic == nil {
		return purity.Origin{}, ""
	}
	origins := originsOf(rules, f.Kind, f.Case, approachOf(rules, f.Case))
	if len(origins) != 1 {
		return purity.Origin{}, ""
	}
	if isBound(f.Kind) && (origins[0].Source != purity.Field || !isBeyondEnd(o.Panic.Message) && !purity.IndexesArray(rules.Pkg, FramesOf(rules.Pkg, o))) {
		return origins[0], ""
	}
	return origins[0], fmt.Sprintf("%s %s %t", f.Kind, origins[0].Key, f.Severity == testcase.Misuse)
}

// isBeyondEnd reports whether the message of a panic says that an index or the beginning of a slice lies behind the end, and not just at it:
// a reader that stands at the end lacks a look at it, while one that stands behind it has been moved there.
func isBeyondEnd(message string) bool {
	var at, end int
	message = strings.TrimPrefix(message, "runtime error: ")
	if n, _ := fmt.Sscanf(message, "slice bounds out of range [%d:%d]", &at, &end); n == 2 {
		return at > end
	}
	n, _ := fmt.Sscanf(message, "index out of range [%d] with length %d", &at, &end)
	return n == 2 && at > end
}

// originsOf returns the places that the value which makes a case panic may come from. It leaves out arguments
// that are not nil if the panic is a nil dereference.
func originsOf(rules *usage.Rules, kind string, c *testcase.Case, a approach) []purity.Origin {
	all := purity.Trace(rules.Pkg, kind, FramesOf(rules.Pkg, c.Observed))
	if kind != "nil-dereference" {
		return all
	}
	fn := c.Seq.Last().Op.Func
	return slices.DeleteFunc(all, func(o purity.Origin) bool {
		return o.AtDoor && fn != nil && !slices.Contains(a.nils, nilArgument{fn, o.Door})
	})
}

// doorsOf lists the exported functions that findings were reached through, by name.
func doorsOf(rules *usage.Rules, fs []*testcase.Finding) []string {
	seen := make(map[string]bool)
	var out []string
	for _, f := range fs {
		t := rules.Pkg.Target(f.Func)
		if t == nil || !t.Exported || seen[f.Func] {
			continue
		}
		seen[f.Func] = true
		out = append(out, f.Func)
	}
	slices.Sort(out)
	return out
}

// shortIn returns the function that panics because the slice for its results is too short, or "" if the
// finding is something else.
func shortIn(pkg *load.Package, f *testcase.Finding) string {
	o := f.Case.Observed
	if o == nil || o.Panic == nil || f.Misuse != onShort {
		return ""
	}
	return FramesOf(pkg, o)[0].Func
}

// beyondBytes returns a key for a finding in a function that reads bytes and reads beyond them, and "" for any other one. A short
// function that takes its values out of bytes, one after the other, lacks a look at their length, whichever value comes first
// that is not there (shamaton/msgpack, hyperloglog's UnmarshalBinary, go-datastructures' bitarray). In a long one, as parsers of text
// are, each place may lack a look of its own.
func beyondBytes(pkg *load.Package, f *testcase.Finding) string {
	const short = 60 // lines
	o := f.Case.Observed
	if f.Kind != "index-out-of-range" && f.Kind != "slice-out-of-range" || o == nil || len(FramesOf(pkg, o)) == 0 {
		return ""
	}
	in := FramesOf(pkg, o)[0].Func
	t := targetNamed(pkg, in)
	if t == nil {
		return ""
	}
	from, to := t.Func.Prog.Fset.Position(t.Func.Syntax().Pos()), t.Func.Prog.Fset.Position(t.Func.Syntax().End())
	takesBytes := slices.ContainsFunc(slices.Collect(t.Obj.Signature().Params().Variables()), func(v *types.Var) bool {
		return types.Identical(v.Type(), types.NewSlice(types.Typ[types.Uint8])) || isListOfNumbers(v.Type())
	})
	takesBytes = takesBytes || t.Recv != nil && isListOfNumbers(t.Recv)
	if takesBytes && to.Line-from.Line < short {
		return "beyond the bytes of " + spelledAlike.Replace(in)
	}
	return ""
}

// targetNamed returns the function with a source that the runtime calls so, or nil if there is none.
func targetNamed(pkg *load.Package, name string) *load.Target {
	in := spelledAlike.Replace(name)
	for _, t := range pkg.Targets {
		if t.Func != nil && t.Func.Syntax() != nil && spelledAlike.Replace(t.Func.String()) == in {
			return t
		}
	}
	return nil
}

// isListOfNumbers reports whether a type is a list of numbers with a name, in which what a number means depends on where it is, as in
// bytes.
func isListOfNumbers(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	list, ok := named.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := list.Elem().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// spelledAlike spells the names that the runtime and package ssa have for a method in the same way.
var spelledAlike = strings.NewReplacer("(*", "", "(", "", ")", "")

// withoutPrinted drops one of two findings if a method that makes text panics both by itself and when fmt
// calls it, or fails in a method that another finding is about. It drops the less severe one or, if both are equal, the one
// through fmt, of which nobody knows where the panic was.
func withoutPrinted(rules *usage.Rules, all []*testcase.Finding) []*testcase.Finding {
	drop := make(map[*testcase.Finding]bool)
	for _, f := range all {
		if !isPrinted(f) || drop[f] {
			continue
		}
		for _, g := range all {
			if g == f || drop[g] || g.Kind == "nil-dereference" && len(approachOf(rules, g.Case).nils) > 0 || !isPartOf(rules.Pkg, f, g) {
				continue
			}
			if g.Severity.Rank() <= f.Severity.Rank() {
				drop[f] = true
				break // what is dropped is no reason to drop a third one
			} else {
				drop[g] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(f *testcase.Finding) bool { return drop[f] })
}

// isPrinted reports whether a finding is that fmt cannot print a value.
func isPrinted(f *testcase.Finding) bool {
	return f.Case.Observed != nil && f.Case.Observed.Violated == "contract string"
}

// isPartOf reports whether the failure of a method that makes text may be that of another finding: a panic in this method or
// in one that it calls, or the failure of one that it calls when fmt calls that.
func isPartOf(pkg *load.Package, printed, other *testcase.Finding) bool {
	o := other.Case.Observed
	if o == nil || o.Status != testcase.Panicked && !isPrinted(other) {
		return false
	}
	if other.Func == printed.Func {
		return true
	}
	at := other.Func
	if o.Status == testcase.Panicked {
		if o.Panic == nil {
			return false
		}
		frames := inPackage(pkg, o.Panic.Stack)
		if len(frames) == 0 {
			return false
		}
		fn := funcOf(pkg, frames[0].Func)
		if fn == nil {
			return false
		}
		at = testcase.TargetName(fn)
	}
	t := pkg.Target(printed.Func)
	return t != nil && t.Func != nil && at != printed.Func && purity.Calls(pkg, t.Func)[at] || at == printed.Func && o.Status == testcase.Panicked
}

// passedNil is the end of the keys of findings that a nil argument leads to.
const passedNil = " passed"

// Easier reports whether one finding is easier to believe than another. What shows in a function that a test hands to another one, which
// calls it, is easiest to believe of a call of that function alone.
func Easier(a, b *testcase.Finding) bool {
	return cmp.Or(
		handedOn(a)-handedOn(b),
		a.Severity.Rank()-b.Severity.Rank(),
		onlyShows(a)-onlyShows(b),
		b.Rank-a.Rank,
		cmp.Compare(strings.Count(a.Cause, " "), strings.Count(b.Cause, " ")),
		a.Case.Seq.Len()-b.Case.Seq.Len(),
		cmp.Compare(weight(a.Case.Seq), weight(b.Case.Seq)),
	) < 0
}

// handedOn counts the functions that the case of a finding hands to the function which the finding is about: those of the package, and
// those that call methods of what they are given.
func handedOn(f *testcase.Finding) int {
	n := 0
	for i := range f.Case.Seq.Len() {
		switch op := f.Case.Seq.At(i).Op; op.Kind {
		case testcase.OpClosure:
			if op.Func != nil && testcase.TargetName(op.Func) != f.Func {
				n++
			}
		case testcase.OpFuncLit:
			if methods, _ := calledIn(op); len(methods) > 0 {
				n++
			}
		}
	}
	return n
}

// weight estimates how much a reader has to read in the literals of a sequence.
func weight(s *testcase.Sequence) int {
	n := 0
	for i := range s.Len() {
		op := s.At(i).Op
		n += len(op.Lit.Str) + op.N
		switch op.Lit.Kind {
		case testcase.LitInt:
			n += len(fmt.Sprint(int64(op.Lit.Bits)))
		case testcase.LitUint, testcase.LitFloat:
			n += len(fmt.Sprint(op.Lit.Bits))
		}
	}
	return n
}
