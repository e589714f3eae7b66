package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// deletion: what was put into a container and deleted again is not found there. It is
// asked only where it was not found before and was found after it had been put: a list may
// have several equal elements, and a cache may forget.
func deletion(s *subject) []*testcase.Check {
	if s.typ == nil {
		return nil
	}
	remove, _ := s.firstMethod("Delete", "Remove", "Del", "Erase")
	key := elemOf(remove, 1)
	if key == nil || remove.Pkg() != s.pkg || position(remove) {
		return nil
	}
	find, t1 := s.firstMethod("Contains", "Has", "Exists", "Get", "Search", "Find", "Lookup", "Load")
	put, t2 := s.firstMethod("Put", "Set", "Insert", "Add", "Store")
	if k := elemOf(find, 1); k == nil || !types.Identical(k, key) {
		return nil
	}
	value := elemOf(put, 2)
	if k := elemOf(put, 1); k == nil || !types.Identical(k, key) {
		return nil
	}
	found := ""
	switch rs := find.Signature().Results(); {
	case rs.Len() == 1 && types.Identical(rs.At(0).Type(), boolType):
		found = `return x.` + find.Name() + `(y)`
	case rs.Len() == 2 && types.Identical(rs.At(1).Type(), boolType):
		found = "_, ok := x." + find.Name() + "(y)\n\t\treturn ok"
	default:
		return nil
	}
	t := types.Type(types.NewPointer(s.typ))
	if types.IsInterface(s.typ) {
		t = s.typ
	} else if _, ok := t1.(*types.Pointer); !ok && types.Identical(t1, t2) {
		t = t1
	}
	params := []types.Type{t, key}
	args := "y"
	if value != nil {
		params = append(params, value)
		args = "y, z"
	}
	cs := s.check(remove, "check"+remove.Name(), "reports whether "+remove.Name()+" removes what "+put.Name()+" has put. It changes x.", nil, 0,
		`found := func() bool {`,
		`	`+found,
		`}`,
		`if found() {`,
		`	return nil`,
		`}`,
		`x.`+put.Name()+`(`+args+`)`,
		`if !found() {`,
		`	return nil`,
		`}`,
		`x.`+remove.Name()+`(y)`,
		`if found() {`,
		`	return «errors».New("`+find.Name()+` finds what `+remove.Name()+` has removed")`,
		`}`,
		`return nil`)
	cs[0].Params, cs[0].Free = params, true
	return cs
}

// firstMethod returns the first of the methods that there is.
func (s *subject) firstMethod(names ...string) (*types.Func, types.Type) {
	for _, name := range names {
		if f, t := s.method(name); f != nil {
			return f, t
		}
	}
	return nil, nil
}

// elemOf returns the type of the n-th argument that a method takes, which may be one of a
// variadic parameter; nil if it does not take so many, or takes more than two.
func elemOf(f *types.Func, n int) types.Type {
	if f == nil || f.Signature().Params().Len() < n || f.Signature().Params().Len() > 2 {
		return nil
	}
	params := f.Signature().Params()
	t := params.At(n - 1).Type()
	if f.Signature().Variadic() && n == params.Len() {
		return t.Underlying().(*types.Slice).Elem()
	}
	return t
}

// position reports whether what a method takes is where something is, by its name.
func position(f *types.Func) bool {
	switch strings.ToLower(f.Signature().Params().At(0).Name()) {
	case "i", "n", "idx", "index", "pos", "position", "at":
		return true
	}
	return false
}
