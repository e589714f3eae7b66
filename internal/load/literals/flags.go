package literals

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
)

// Flags has, for parameters of functions by their position, the exported constants of the package whose bits the function
// asks for: FlagA and FlagB if its body has flags&FlagA and flags&FlagB. Of several constants with one value it has the
// first, and they are in the order of their values. A function that passes its parameter on asks for what the other one asks
// for.
type Flags map[*types.Func]map[int][]*types.Const

// Of returns the flags that a function takes for a parameter, none if the parameter is no set of flags.
func (f Flags) Of(fn *types.Func, param int) []*types.Const {
	if fn == nil {
		return nil
	}
	return f[fn.Origin()][param]
}

// fewestFlags is how many constants make a set of flags. A number of which a single bit is looked at may be any number.
const fewestFlags = 2

// parameter is a parameter of a function.
type parameter struct {
	fn *types.Func
	at int
}

// flags finds the parameters that are sets of flags.
func flags(src Source) Flags {
	found := make(map[parameter][]*types.Const)
	passed := make(map[parameter][]parameter)
	for _, f := range src.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				maskedIn(src.Info, fn, found, passed)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for p, callees := range passed {
			for _, callee := range callees {
				for _, c := range found[callee] {
					if !slices.Contains(found[p], c) {
						found[p], changed = append(found[p], c), true
					}
				}
			}
		}
	}
	out := make(Flags)
	for p, consts := range found {
		if consts = distinctBits(consts); len(consts) < fewestFlags {
			continue
		}
		if out[p.fn] == nil {
			out[p.fn] = make(map[int][]*types.Const)
		}
		out[p.fn][p.at] = consts
	}
	return out
}

// maskedIn notes with which constants a function masks its parameters, and to which parameters of other functions it
// passes them on.
func maskedIn(info *types.Info, decl *ast.FuncDecl, found map[parameter][]*types.Const, passed map[parameter][]parameter) {
	fn, ok := info.Defs[decl.Name].(*types.Func)
	if !ok {
		return
	}
	params := make(map[types.Object]parameter)
	for i := range fn.Signature().Params().Len() {
		v := fn.Signature().Params().At(i)
		if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			params[v] = parameter{fn, i}
		}
	}
	if len(params) == 0 {
		return
	}
	of := func(e ast.Expr) (parameter, bool) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return parameter{}, false
		}
		p, ok := params[info.Uses[id]]
		return p, ok
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.AND && n.Op != token.AND_NOT {
				return true
			}
			if p, ok := of(n.X); ok {
				found[p] = append(found[p], constantsIn(info, n.Y)...)
			} else if p, ok := of(n.Y); ok && n.Op == token.AND {
				found[p] = append(found[p], constantsIn(info, n.X)...)
			}
		case *ast.CallExpr:
			callee := gosyntax.Callee(info, n)
			for k, a := range n.Args {
				if p, ok := of(a); ok && callee != nil {
					passed[p] = append(passed[p], parameter{callee, k})
				}
			}
		}
		return true
	})
}

// constantsIn returns the exported constants of the package that an expression names.
func constantsIn(info *types.Info, e ast.Expr) []*types.Const {
	var out []*types.Const
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if c, ok := info.Uses[id].(*types.Const); ok && c.Exported() && c.Parent() == c.Pkg().Scope() {
				out = append(out, c)
			}
		}
		return true
	})
	return out
}

// distinctBits returns those of the constants that are single bits, in the order of their values, and of several with one
// value the one that is declared first.
func distinctBits(consts []*types.Const) []*types.Const {
	value := func(c *types.Const) uint64 {
		v, _ := constant.Uint64Val(constant.ToInt(c.Val()))
		return v
	}
	consts = slices.DeleteFunc(slices.Clone(consts), func(c *types.Const) bool { return bits.OnesCount64(value(c)) != 1 })
	slices.SortFunc(consts, func(a, b *types.Const) int {
		if va, vb := value(a), value(b); va != vb {
			return bits.TrailingZeros64(va) - bits.TrailingZeros64(vb)
		}
		return int(a.Pos() - b.Pos())
	})
	return slices.CompactFunc(consts, func(a, b *types.Const) bool { return value(a) == value(b) })
}
