package purity

import (
	"go/ast"
	"go/constant"
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
	pkg   *load.Package
	funcs map[string]bool // the functions that may reach the clock or start goroutines, by the name of their target
}

// NewBubbles returns the bubbles of a package, or nil if its tests cannot or need not use any: the module builds with a version
// of Go without testing/synctest, or the package neither asks for the time nor starts goroutines.
func NewBubbles(pkg *load.Package) *Bubbles {
	if pkg.Info == nil || pkg.GoVersion == "" || version.Compare("go"+pkg.GoVersion, bubblesSince) < 0 {
		return nil
	}
	b := &Bubbles{pkg: pkg, funcs: make(map[string]bool)}
	callers, methods := make(map[string][]string), make(map[string][]string)
	for _, fd := range pkg.Funcs() {
		if fd.Recv != nil {
			methods[fd.Name.Name] = append(methods[fd.Name.Name], gosyntax.DeclName(fd))
		}
	}
	vars := b.variables()
	for _, fd := range pkg.Funcs() {
		name := gosyntax.DeclName(fd)
		if b.timed(fd, vars) {
			b.funcs[name] = true
		}
		ast.Inspect(fd, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := pkg.Info.Uses[id].(*types.Func); ok && fn.Pkg() == pkg.Types {
					for _, called := range meant(fn.Origin(), methods) {
						callers[called] = append(callers[called], name)
					}
				}
			}
			return true
		})
	}
	todo := slices.Sorted(maps.Keys(b.funcs))
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, caller := range callers[name] {
			if !b.funcs[caller] {
				b.funcs[caller] = true
				todo = append(todo, caller)
			}
		}
	}
	if len(b.funcs) == 0 {
		return nil
	}
	return b
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
				if !ok || !slices.ContainsFunc(spec.Values, func(v ast.Expr) bool { return b.timed(v, nil) }) {
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

// timed reports whether code mentions the clock, or one of the variables, or starts a goroutine.
func (b *Bubbles) timed(n ast.Node, vars map[types.Object]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.Ident:
			obj := b.pkg.Info.Uses[n]
			fn, ok := obj.(*types.Func)
			found = found || vars[obj] || ok && ofBubbles(fn)
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

// Holds reports whether a call of a function of the package belongs into a bubble. A method of an interface may be any method
// of its name.
func (b *Bubbles) Holds(fn *types.Func) bool {
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		for name := range b.funcs {
			if strings.HasSuffix(name, "."+fn.Name()) {
				return true
			}
		}
		return false
	}
	return b.funcs[testcase.TargetName(fn)]
}

// FakeTime is what sequences need to let time pass in bubbles.
type FakeTime struct {
	*Bubbles
	Sleep  *testcase.Operation // the call of time.Sleep
	Settle *testcase.Operation // the call of synctest.Wait, nil in a package whose code leaves nothing to other goroutines
	// Spoken are the durations that the package's code has constants for, the shortest first.
	Spoken []time.Duration
}

// longestSet is the longest duration that counts as a setting: beyond it moments have years that nobody writes.
const longestSet = 10 * 365 * 24 * time.Hour

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
	if pkg.StartsGoroutines() || Clocked(pkg) {
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

// Wait returns a sequence that is continued by a wait, behind which the goroutines that have waited for the same time have
// gone on.
func (f *FakeTime) Wait(s *testcase.Sequence, d time.Duration) *testcase.Sequence {
	var b testcase.Builder
	b.Append(s)
	lit, _ := testcase.IntLiteral(types.Typ[types.Int64], int64(d))
	b.Add(f.Sleep, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: f.Sleep.Func.Signature().Params().At(0).Type(), Lit: lit}))
	if f.Settle != nil {
		b.Add(f.Settle)
	}
	return b.Sequence()
}
