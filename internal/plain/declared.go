package plain

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/testcase"
)

// Declared returns a way that passes variables which the package declares for its users in place of literals of
// structs and arrays: the n-th variable of the type for the first literal, the next ones for others, and one variable
// for literals that are equal. Receivers stay as they are, unless their type is not exported, so that users only have the variables
// (binary.LittleEndian, or an error value with methods).
func Declared(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		own := ownInputs(pkg, c.Seq)
		place := make(map[string]int) // of a literal among those of its type, by their text
		kinds := make(map[string]int) // how many different literals there are, by type
		return rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			if !own[i] && !isInner(st.Op.Type) || st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpZero || isPointedTo(c.Seq, i) {
				return st, false // what a call may change is better something of the test's own
			}
			declared := declaredOf(pkg, st.Op.Type)
			if n >= len(declared) {
				return st, false
			}
			text := c.Seq.Expression(testcase.Ref{Stmt: i}, nil)
			if _, ok := place[text]; !ok {
				place[text] = kinds[st.Op.Type.String()]
				kinds[st.Op.Type.String()]++
			}
			return global(declared[(n+place[text])%len(declared)]), true
		})
	}
}

// isInner reports whether users cannot name a type.
func isInner(t types.Type) bool {
	named := load.NamedOf(t)
	return named != nil && types.Identical(types.Unalias(t), named) && !named.Obj().Exported()
}

// declaredOf returns the exported variables of the package whose type the package declares and is a struct or
// a function type.
func declaredOf(pkg *load.Package, t types.Type) []*types.Var {
	named := load.NamedOf(t)
	if named == nil || !types.Identical(types.Unalias(t), named) || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != pkg.Path {
		return nil
	}
	switch named.Underlying().(type) {
	case *types.Struct, *types.Signature, *types.Array:
	default:
		return nil
	}
	var out []*types.Var
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && v.Exported() && types.Identical(v.Type(), t) {
			out = append(out, v)
		}
	}
	return out
}

// global returns a statement whose value is that of a variable.
func global(v *types.Var) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpGlobal, Type: v.Type(), Var: v}}
}

// isPointedTo reports whether a sequence has a pointer to the value of a statement.
func isPointedTo(s *testcase.Sequence, i int) bool {
	for j := i + 1; j < s.Len(); j++ {
		if st := s.At(j); st.Op.Kind == testcase.OpAddr && st.Args[0].Stmt == i {
			return true
		}
	}
	return false
}

// Written returns a way that passes, in place of a struct of constants that nobody chose, the n-th struct of the type
// that the package's own code or other code of the module writes out.
func Written(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if pkg.Literals == nil || len(pkg.Literals.Structs) == 0 {
			return nil, false
		}
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			if i >= c.TargetStmt() || st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpZero || !isConstant(c.Seq, st) {
				return st, false
			}
			k := 0
			for _, s := range pkg.Literals.Structs {
				if !types.Identical(s.Type, st.Op.Type) {
					continue
				}
				if k++; k > n {
					made, ok := writtenOut(out, s)
					if !ok {
						return st, false
					}
					return made, true
				}
			}
			return st, false
		})
	}
}

// MostWritten is for how many numbers [Written] has a way.
const MostWritten = 2

// writtenOut appends the fields of a struct of constants, and returns the statement that makes the struct. It returns
// false if users cannot set one of the fields.
func writtenOut(out *[]testcase.Statement, s literals.Struct) (testcase.Statement, bool) {
	u := s.Type.Underlying().(*types.Struct)
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: s.Type}}
	var fields []testcase.Statement
	for i := range u.NumFields() {
		f := u.Field(i)
		v, set := s.Fields[i]
		if !set {
			continue
		}
		lit, ok := testcase.ConstantLiteral(v, f.Type())
		if !ok || !f.Exported() {
			return testcase.Statement{}, false
		}
		made.Op.Elems = append(made.Op.Elems, i)
		fields = append(fields, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: f.Type(), Lit: lit}})
	}
	for _, f := range fields {
		made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
		*out = append(*out, f)
	}
	return made, true
}
