package giver

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// panicText is what functions panic with that tests pass where the package recovers.
const panicText = "boom"

// panicking returns a function that panics for each type of functions that a package's functions take, if the package
// recovers somewhere: a worker that goes on when its job panics, a call that others wait for. No function that tests pass
// otherwise shows what becomes of a panic.
func panicking(pkg *load.Package) map[string][]*testcase.Sequence {
	out := make(map[string][]*testcase.Sequence)
	if !recovers(pkg) {
		return out
	}
	for _, t := range pkg.Targets {
		if t.Skip != "" || !t.Exported || t.Obj.Signature().TypeParams().Len() > 0 || len(t.TypeArgs) > 0 {
			continue
		}
		for p := range t.Obj.Signature().Params().Variables() {
			sig, ok := p.Type().Underlying().(*types.Signature)
			if !ok || out[key(p.Type())] != nil || !writable(pkg, sig) || !writable(pkg, p.Type()) {
				continue
			}
			op := &testcase.Operation{Kind: testcase.OpFuncLit, Type: p.Type(), Text: panickingText(sig)}
			out[key(p.Type())] = []*testcase.Sequence{testcase.NewSequence(testcase.Statement{Op: op})}
		}
	}
	return out
}

// recovers reports whether a package's code calls recover.
func recovers(pkg *load.Package) bool {
	found := false
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
					b, ok := pkg.Info.Uses[id].(*types.Builtin)
					found = found || ok && b.Name() == "recover"
				}
			}
			return !found
		})
	}
	return found
}

// panickingText writes a function of a signature that panics.
func panickingText(sig *types.Signature) string {
	list := func(t *types.Tuple) string {
		var out []string
		for v := range t.Variables() {
			out = append(out, spelled(v.Type()))
		}
		if sig.Variadic() && t == sig.Params() {
			last := &out[len(out)-1]
			*last = "..." + strings.TrimPrefix(*last, "[]")
		}
		return strings.Join(out, ", ")
	}
	results := list(sig.Results())
	if sig.Results().Len() > 1 {
		results = "(" + results + ")"
	}
	return strings.TrimSpace("func("+list(sig.Params())+") "+results) + ` { panic("` + panicText + `") }`
}

// PassesPanic reports whether a sequence makes a function that panics, see panicking.
func PassesPanic(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if op := s.At(i).Op; op.Kind == testcase.OpFuncLit && strings.HasSuffix(op.Text, ` { panic("`+panicText+`") }`) {
			return true
		}
	}
	return false
}

// SaysPanicked reports whether the message of a panic has that of such a function in it.
func SaysPanicked(message string) bool { return strings.Contains(message, panicText) }

// PassedThrough reports whether a panic of a sequence is that of such a function, as it was: the code has made nothing of it.
func PassedThrough(s *testcase.Sequence, p *testcase.Panic) bool {
	return p != nil && p.Message == panicText && PassesPanic(s)
}
