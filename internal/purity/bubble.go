package purity

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// bubblesSince is the version of Go whose standard library has testing/synctest.
const bubblesSince = "go1.25"

// Bubbles says which calls of a package belong into a bubble of testing/synctest: those whose outcome depends on the clock, or
// on how far goroutines have come.
type Bubbles struct {
	pkg *load.Package
	// funcs are the functions that may reach the clock or start goroutines, by the name of their target; others are those of them that
	// have other goroutines do something, and waits those that wait for the clock or have others do so.
	funcs, others, waits map[string]bool
	asks                 []token.Pos // where functions ask for the time or start goroutines
}

// NewBubbles returns the bubbles of a package, or nil if its tests cannot or need not use any: the module builds with a version
// of Go without testing/synctest, or the package neither asks for the time nor starts goroutines.
func NewBubbles(pkg *load.Package) *Bubbles {
	if pkg.Info == nil || pkg.GoVersion == "" || version.Compare("go"+pkg.GoVersion, bubblesSince) < 0 {
		return nil
	}
	b := &Bubbles{pkg: pkg}
	callers := callersIn(pkg)
	vars := b.variables()
	b.funcs = leadingTo(pkg, callers, func(n ast.Node) bool { return startsGoroutine(n) || b.mentions(n, vars, ofBubbles) })
	b.others = leadingTo(pkg, callers, func(n ast.Node) bool { return startsGoroutine(n) || b.mentions(n, nil, startsOther) })
	b.waits = leadingTo(pkg, callers, func(n ast.Node) bool {
		return b.mentions(n, nil, func(fn *types.Func) bool { return waitsForClock(fn.FullName()) })
	})
	if len(b.funcs) == 0 || b.neverEnds() {
		return nil
	}
	b.asks = b.places(vars)
	return b
}

// neverEnds reports whether a function makes an object of the package, starts a goroutine for it, and the object has no method
// that ends it. Hardly any test of such a package could be in a bubble, which has to end with all of its goroutines.
func (b *Bubbles) neverEnds() bool {
	return slices.ContainsFunc(b.pkg.Targets, func(t *load.Target) bool {
		if t.Recv != nil || !t.Exported || !b.others[t.Name] || t.Obj.Signature().Results().Len() == 0 {
			return false
		}
		made := t.Obj.Signature().Results().At(0).Type()
		if t.Behind != nil {
			made = t.Behind
		}
		named := load.NamedOf(made)
		return named != nil && named.Obj().Pkg() == b.pkg.Types && isStruct(named) && Closer(made, b.pkg.Types) == nil
	})
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// callersIn returns, for each function of a package, the functions that mention it. Of an interface's method all methods of its
// name may be meant.
func callersIn(pkg *load.Package) map[string][]string {
	callers, methods := make(map[string][]string), make(map[string][]string)
	for _, fd := range pkg.Funcs() {
		if fd.Recv != nil {
			methods[fd.Name.Name] = append(methods[fd.Name.Name], gosyntax.DeclName(fd))
		}
	}
	for _, fd := range pkg.Funcs() {
		ast.Inspect(fd, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := pkg.Info.Uses[id].(*types.Func); ok && fn.Pkg() == pkg.Types {
					for _, called := range meant(fn.Origin(), methods) {
						callers[called] = append(callers[called], gosyntax.DeclName(fd))
					}
				}
			}
			return true
		})
	}
	return callers
}

// leadingTo returns the functions of a package that are of a kind, and those that lead to one.
func leadingTo(pkg *load.Package, callers map[string][]string, is func(ast.Node) bool) map[string]bool {
	out := make(map[string]bool)
	for _, fd := range pkg.Funcs() {
		if is(fd) {
			out[gosyntax.DeclName(fd)] = true
		}
	}
	todo := slices.Sorted(maps.Keys(out))
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, caller := range callers[name] {
			if !out[caller] {
				out[caller] = true
				todo = append(todo, caller)
			}
		}
	}
	return out
}

// variables returns the package-level variables that hold a function of the clock, as in var now = time.Now.
func (b *Bubbles) variables() map[types.Object]bool {
	out := make(map[types.Object]bool)
	for _, f := range b.pkg.Syntax {
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range gd.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok || !slices.ContainsFunc(spec.Values, func(v ast.Expr) bool { return b.mentions(v, nil, ofBubbles) }) {
					continue
				}
				for _, name := range spec.Names {
					out[b.pkg.Info.Defs[name]] = true
				}
			}
		}
	}
	return out
}

// startsGoroutine reports whether code has a go statement.
func startsGoroutine(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, isGo := n.(*ast.GoStmt)
		found = found || isGo
		return !found
	})
	return found
}

// mentions reports whether code mentions one of the variables or a function of a kind.
func (b *Bubbles) mentions(n ast.Node, vars map[types.Object]bool, is func(*types.Func) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := b.pkg.Info.Uses[id]
			fn, ok := obj.(*types.Func)
			found = found || vars[obj] || ok && is(fn)
		}
		return !found
	})
	return found
}

// ofBubbles reports whether a function of another package asks for the time, waits for it, or starts a goroutine.
func ofBubbles(fn *types.Func) bool {
	switch name := fn.FullName(); {
	case name == "time.Now", name == "time.Since", name == "time.Until", waitsForClock(name):
		return true
	case name == "context.WithTimeoutCause", name == "context.WithDeadlineCause", name == "context.AfterFunc", name == "testing/synctest.Wait":
		return true
	}
	return fn.Name() == "Go" && fn.Signature().Recv() != nil // of sync.WaitGroup, or of errgroup.Group
}

// startsOther reports whether a function has another goroutine call something, or end a context, at some time.
func startsOther(fn *types.Func) bool {
	switch fn.FullName() {
	case "time.AfterFunc", "context.AfterFunc", "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause":
		return true
	}
	return fn.Name() == "Go" && fn.Signature().Recv() != nil
}

// Settles reports whether statement i of a sequence waits, and calls before it have others wait for the clock, too. A test lets
// these go on before it looks at what they do.
func (b *Bubbles) Settles(s *testcase.Sequence, i int) bool {
	if op := s.At(i).Op; b == nil || op.Kind != testcase.OpFunc || op.Func.FullName() != "time.Sleep" {
		return false
	}
	for k := range i {
		if fn := s.At(k).Op.Func; fn != nil && (fn.Pkg() == b.pkg.Types && b.holds(fn, b.others) || fn.Pkg() != b.pkg.Types && startsOther(fn)) {
			return true
		}
	}
	return false
}

// MayWait reports whether a sequence runs in a bubble and has a call that may wait for the clock.
func (b *Bubbles) MayWait(s *testcase.Sequence) bool {
	if !b.Hold(s) {
		return false
	}
	for i := range s.Len() {
		if fn := s.At(i).Op.Func; fn != nil && (fn.Pkg() == b.pkg.Types && b.holds(fn, b.waits) || fn.Pkg() != b.pkg.Types && waitsForClock(fn.FullName())) {
			return true
		}
	}
	return false
}

// Hold reports whether a sequence runs in a bubble. No bubbles hold none.
func (b *Bubbles) Hold(s *testcase.Sequence) bool {
	if b == nil {
		return false
	}
	for i := range s.Len() {
		fn := s.At(i).Op.Func
		if fn == nil {
			continue
		}
		if fn.Pkg() == b.pkg.Types && b.Holds(fn) || fn.Pkg() != b.pkg.Types && ofBubbles(fn) {
			return true
		}
	}
	return false
}

// Rests reports whether a case ran no code of the package that asks for the time or starts a goroutine, so that it needs no
// bubble although its calls might have needed one: a constructor refused its argument. The blocks are those that the case's
// coverage counts.
func (b *Bubbles) Rests(fset *token.FileSet, c *testcase.Case, blocks []testcase.Block) bool {
	if b == nil || c.Observed == nil || len(c.Observed.Cover) == 0 {
		return false
	}
	for i := range c.Seq.Len() {
		if fn := c.Seq.At(i).Op.Func; fn != nil && fn.Pkg() != b.pkg.Types && ofBubbles(fn) {
			return false // the case itself asks
		}
	}
	for _, pos := range b.asks {
		at := fset.Position(pos)
		inside := func(block testcase.Block) bool {
			return block.Stmts > 0 && block.Pos.Filename == at.Filename && !before(at, block.Pos) && !before(block.End, at)
		}
		known := false
		for i, block := range blocks {
			if inside(block) {
				known = true
				if c.Observed.Cover.Has(i) {
					return false
				}
			}
		}
		if !known {
			return false
		}
	}
	return true
}

// before reports whether one place in a file is before another.
func before(a, b token.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}

// places returns where the package's functions ask for the time and start goroutines.
func (b *Bubbles) places(vars map[types.Object]bool) []token.Pos {
	var out []token.Pos
	for _, fd := range b.pkg.Funcs() {
		ast.Inspect(fd, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				out = append(out, n.Pos())
			case *ast.Ident:
				if b.mentions(n, vars, ofBubbles) {
					out = append(out, n.Pos())
				}
			}
			return true
		})
	}
	return out
}

// Holds reports whether a call of a function of the package belongs into a bubble. Of an interface's method any method of its
// name may be meant.
func (b *Bubbles) Holds(fn *types.Func) bool { return b.holds(fn, b.funcs) }

// holds reports whether a function, or a method that it may be, is in a set.
func (b *Bubbles) holds(fn *types.Func, set map[string]bool) bool {
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		for name := range set {
			if strings.HasSuffix(name, "."+fn.Name()) {
				return true
			}
		}
		return false
	}
	return set[testcase.TargetName(fn)]
}

// FakeTime is what sequences need to let time pass in bubbles.
type FakeTime struct {
	*Bubbles
	Sleep *testcase.Operation // the call of time.Sleep
	// Settle is the call of synctest.Wait, nil in a package whose code leaves nothing to other goroutines. Behind Sleep it is not
	// needed: see [Bubbles.Settles].
	Settle *testcase.Operation
	// Spoken are the durations that the package's code has constants for, the shortest first.
	Spoken []time.Duration
}

// longestSet is the longest duration that counts as a setting. Where something happens each second, a bubble in which years pass
// takes far longer than a test may.
const longestSet = 31 * 24 * time.Hour

// mostTicks is how many times the shortest setting a sequence may wait where other goroutines wait as well, each time that
// theirs is over.
const mostTicks = 100

// Bounded returns d, or a shorter time to wait for after statements that have set durations: where goroutines wait for the shortest
// of these again and again, the bubble would not come to an end.
func (f *FakeTime) Bounded(d time.Duration, set []time.Duration) time.Duration {
	if f.Settle == nil || len(set) == 0 {
		return d
	}
	if most := slices.Min(set); d > mostTicks*most {
		return most
	}
	return d
}

// NewFakeTime returns nil for packages whose tests use no bubbles. The error is one of the go command.
func NewFakeTime(prog *load.Program, pkg *load.Package) (*FakeTime, error) {
	f := &FakeTime{Bubbles: NewBubbles(pkg)}
	if f.Bubbles == nil {
		return nil, nil
	}
	var err error
	if f.Sleep, err = callOf(prog, "time", "Sleep"); err != nil {
		return nil, err
	}
	for _, tv := range pkg.Info.Types {
		if tv.Value != nil && testcase.IsDuration(tv.Type) {
			if n, exact := constant.Int64Val(constant.ToInt(tv.Value)); exact && n >= int64(time.Millisecond) && n <= int64(longestSet) {
				f.Spoken = append(f.Spoken, time.Duration(n))
			}
		}
	}
	slices.Sort(f.Spoken)
	f.Spoken = slices.Compact(f.Spoken)
	if len(f.others) > 0 {
		f.Settle, err = callOf(prog, "testing/synctest", "Wait")
	}
	return f, err
}

// callOf returns the operation that calls a function of the standard library.
func callOf(prog *load.Program, path, name string) (*testcase.Operation, error) {
	if _, err := prog.Import(path); err != nil {
		return nil, err
	}
	fn, err := prog.Imported(path, name)
	if err != nil {
		return nil, err
	}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: fn}, nil
}

// Set returns the durations among the constants of statements that are no waits, in their order.
func (f *FakeTime) Set(stmts []testcase.Statement) []time.Duration {
	waits := make(map[int]bool)
	for _, st := range stmts {
		if st.Op == f.Sleep {
			waits[st.Args[0].Stmt] = true
		}
	}
	var out []time.Duration
	for i, st := range stmts {
		n := int64(st.Op.Lit.Bits)
		if st.Op.Kind == testcase.OpLiteral && testcase.IsDuration(st.Op.Type) && !waits[i] && n > 0 && n <= int64(longestSet) && !slices.Contains(out, time.Duration(n)) {
			out = append(out, time.Duration(n))
		}
	}
	return out
}

// Wait returns a sequence that is continued by a wait.
func (f *FakeTime) Wait(s *testcase.Sequence, d time.Duration) *testcase.Sequence {
	var b testcase.Builder
	b.Append(s)
	lit, _ := testcase.IntLiteral(types.Typ[types.Int64], int64(d))
	b.Add(f.Sleep, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: f.Sleep.Func.Signature().Params().At(0).Type(), Lit: lit}))
	return b.Sequence()
}
