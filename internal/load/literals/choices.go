package literals

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Choices has, for parameters and fields of plain integers, the exported constants that stand for their values: those which the code
// compares them with, and the others of the same declaration, if it is one of the package. `Style int` with the constants
// Normal and Tone is an enumeration although no type says so.
type Choices map[*types.Var][]*types.Const

// ChoicesOf returns the values of the constants that are among the choices of a place. A nil Set has none.
func (s *Set) ChoicesOf(place *types.Var) []int64 {
	if s == nil || place == nil {
		return nil
	}
	var out []int64
	for _, c := range s.Choices[place] {
		if v, exact := constant.Int64Val(c.Val()); exact {
			out = append(out, v)
		}
	}
	return out
}

// fewestChoices is how many constants a value is compared with that is one of several. A single one is a bound or a default.
const fewestChoices = 2

// choices finds the parameters and fields whose values are among declared constants.
func choices(src Source) Choices {
	groups := constantGroups(src)
	compared := make(map[*types.Var][]*types.Const)
	note := func(place *types.Var, with ast.Expr) {
		if c := namedConstant(src.Info, with); place != nil && c != nil && !slices.Contains(compared[place], c) {
			compared[place] = append(compared[place], c)
		}
	}
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					note(placeOf(src.Info, n.X), n.Y)
					note(placeOf(src.Info, n.Y), n.X)
				}
			case *ast.SwitchStmt:
				if n.Tag == nil {
					break
				}
				place := placeOf(src.Info, n.Tag)
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						note(place, e)
					}
				}
			}
			return true
		})
	}
	out := make(Choices)
	for place, consts := range compared {
		if len(consts) < fewestChoices {
			continue
		}
		var all []*types.Const
		for _, c := range consts {
			of := groups[c]
			if of == nil {
				of = []*types.Const{c} // of another package, of whose constants the code names those that matter here
			}
			for _, of := range of {
				if types.AssignableTo(of.Type(), place.Type()) || isUntyped(of) && types.ConvertibleTo(of.Type(), place.Type()) {
					all = append(all, of)
				}
			}
		}
		out[place] = distinctValues(all)
	}
	return out
}

func isUntyped(c *types.Const) bool {
	b, ok := c.Type().(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// placeOf returns the parameter or field of a plain integer type that an expression names, or nil.
func placeOf(info *types.Info, e ast.Expr) *types.Var {
	var v *types.Var
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ = info.Uses[e].(*types.Var)
		if v != nil && v.Kind() != types.ParamVar {
			return nil
		}
	case *ast.SelectorExpr:
		v, _ = info.Uses[e.Sel].(*types.Var)
		if v != nil && !v.IsField() {
			return nil
		}
	}
	if v == nil {
		return nil
	}
	if b, ok := types.Unalias(v.Type()).(*types.Basic); !ok || b.Info()&types.IsInteger == 0 || b.Name() == "rune" || b.Name() == "byte" {
		return nil
	}
	return v.Origin()
}

// namedConstant returns the exported constant that an expression is, of the package or of another one, or nil.
func namedConstant(info *types.Info, e ast.Expr) *types.Const {
	e = ast.Unparen(e)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	c, ok := info.Uses[id].(*types.Const)
	if !ok || !c.Exported() || c.Pkg() == nil || c.Parent() != c.Pkg().Scope() {
		return nil
	}
	return c
}

// constantGroups returns, for each exported constant, those of the declaration that it is part of.
func constantGroups(src Source) map[*types.Const][]*types.Const {
	out := make(map[*types.Const][]*types.Const)
	for _, f := range src.Syntax {
		for _, d := range f.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST {
				continue
			}
			var group []*types.Const
			for _, spec := range gen.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if c, ok := src.Info.Defs[name].(*types.Const); ok && c.Exported() && c.Val().Kind() == constant.Int {
						group = append(group, c)
					}
				}
			}
			for _, c := range group {
				out[c] = group
			}
		}
	}
	return out
}

// distinctValues returns constants in the order of their values, of several with one value the first.
func distinctValues(consts []*types.Const) []*types.Const {
	slices.SortFunc(consts, func(a, b *types.Const) int {
		va, _ := constant.Int64Val(a.Val())
		vb, _ := constant.Int64Val(b.Val())
		return cmp.Or(cmp.Compare(va, vb), int(a.Pos()-b.Pos()))
	})
	return slices.CompactFunc(consts, func(a, b *types.Const) bool { return constant.Compare(a.Val(), token.EQL, b.Val()) })
}
