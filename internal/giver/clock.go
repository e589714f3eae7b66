package giver

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// clockMethod is a method that interfaces for clocks have, and its body in a fake.
type clockMethod struct{ name, params, results, body string }

// clockMethods are these methods: in a fake sleeping takes no time and moves the clock on.
var clockMethods = []clockMethod{
	{"Now", "()", "time.Time", "return c.now"},
	{"Sleep", "(time.Duration)", "", "c.now = c.now.Add(p)"},
	{"After", "(time.Duration)", "<-chan time.Time", "c.now = c.now.Add(p)\n\tch := make(chan «time».Time, 1)\n\tch <- c.now\n\treturn ch"},
	{"Since", "(time.Time)", "time.Duration", "return c.now.Sub(p)"},
	{"Until", "(time.Time)", "time.Duration", "return p.Sub(c.now)"},
}

// ticks is the body of Now in a fake for an interface by which nobody can sleep: each moment is a second after the one before, so that
// code which measures time measures some.
const ticks = "c.now = c.now.Add(«time».Second)\n\treturn c.now"

// clock returns a sequence that makes a value of an interface of the package by which users give it a clock: Now, and any of
// Sleep, After, Since and Until. Tests declare a fake whose time begins with the year 2000 and goes on when somebody sleeps: of two
// stand-ins for Now and Sleep one would not know what the other does. It returns nil for other interfaces.
func clock(pkg *load.Package, named *types.Named) []*testcase.Sequence {
	u := named.Underlying().(*types.Interface)
	if !named.Obj().Exported() || named.TypeParams().Len() > 0 {
		return nil
	}
	const typ = "«.fakeClock»"
	var methods strings.Builder
	has := make(map[string]bool)
	locked := pkg.StartsGoroutines()
	for m := range u.Methods() {
		sig := m.Signature()
		i := slices.IndexFunc(clockMethods, func(k clockMethod) bool { return k.name == m.Name() })
		if i < 0 {
			return nil
		}
		want := clockMethods[i]
		if types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic()), nil) != strings.TrimSpace("func"+want.params+" "+want.results) {
			return nil
		}
		has[m.Name()] = true
	}
	if !has["Now"] {
		return nil
	}
	mu := ""
	if locked {
		mu = "\tmu  «sync».Mutex\n"
	}
	for _, m := range clockMethods {
		if !has[m.name] {
			continue
		}
		if m.name == "Now" && len(has) == 1 {
			m.body = ticks
		}
		if locked {
			m.body = "c.mu.Lock()\n\tdefer c.mu.Unlock()\n\t" + m.body
		}
		params := strings.ReplaceAll(strings.Replace(m.params, "(time", "(p time", 1), "time.", "«time».")
		fmt.Fprintf(&methods, "\nfunc (c *%s) %s%s %s {\n\t%s\n}\n", typ, m.name, params, strings.ReplaceAll(m.results, "time.", "«time»."), m.body)
	}
	own := "«" + named.Obj().Pkg().Path() + "»." + named.Obj().Name()
	doc := "returns a clock that goes on when somebody sleeps."
	switch {
	case len(has) == 1:
		doc = "returns a clock that goes on by a second each time it is read."
	case !has["Sleep"] && !has["After"]:
		doc = "returns a clock that stands still."
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", named)), false)
	const name = "newClock"
	h := &testcase.Helper{
		Name: name, Doc: doc, Sig: sig,
		Text: fmt.Sprintf("func «.»() %s {\n\treturn &%s{now: «time».Date(2000, «time».January, 1, 0, 0, 0, 0, «time».UTC)}\n}\n\ntype %s struct {\n%s\tnow «time».Time\n}\n%s", own, typ, typ, mu, methods.String()),
		Func: types.NewFunc(0, types.NewPackage("clock", "clock"), name, sig),
	}
	var b testcase.Builder
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h})
	return []*testcase.Sequence{b.Sequence()}
}

// unnamed returns parameters or results without their names.
func unnamed(t *types.Tuple) *types.Tuple {
	var out []*types.Var
	for v := range t.Variables() {
		out = append(out, types.NewParam(0, nil, "", v.Type()))
	}
	return types.NewTuple(out...)
}

// moments returns values of the types of the package that are declared as another time.Time, by the types' keys. No test sets fields of these.
func moments(pkg *load.Package) map[string][]*testcase.Sequence {
	out := make(map[string][]*testcase.Sequence)
	for _, t := range load.Moments(pkg.Types) {
		at := slices.IndexFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "time" })
		date, _ := pkg.Types.Imports()[at].Scope().Lookup("Date").(*types.Func)
		utc, _ := pkg.Types.Imports()[at].Scope().Lookup("UTC").(*types.Var)
		if date == nil || utc == nil {
			return out
		}
		for _, moment := range [][]uint64{{2024, 5, 6, 0, 0, 0, 0}, {2024, 5, 6, 7, 8, 9, 0}} {
			var b testcase.Builder
			var args []testcase.Ref
			for k, n := range moment {
				of := date.Signature().Params().At(k).Type()
				args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: of, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: n}}))
			}
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Type: utc.Type(), Var: utc}))
			b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t}, b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: date}, args...))
			out[key(t)] = append(out[key(t)], b.Sequence())
		}
	}
	return out
}
