package protocol

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// The names of methods that put an element into a container, that take an element out by its key, and that
// say whether it is there.
func putting() []string  { return []string{"Put", "Set", "Insert", "Add", "Store"} }
func removing() []string { return []string{"Delete", "Remove", "Del", "Erase"} }
func finding() []string {
	return []string{"Contains", "Has", "Exists", "Get", "Search", "Find", "Lookup", "Load"}
}

// changes reports whether a method's name says that it replaces one element by another, and does not only ask
// about both.
func changes(name string) bool {
	return slices.ContainsFunc(append(putting(), "Change", "Update", "Replace", "Rename", "Move"), func(verb string) bool { return strings.HasPrefix(name, verb) })
}

// finder returns the method that says whether a key is in a container, the key's type, and
// the body of a function that asks for the key of that name.
func (s *subject) finder() (f *types.Func, key types.Type, found func(key string) []string) {
	f = s.firstMethod(finding())
	if f == nil || f.Pkg() != s.pkg {
		return nil, nil, nil
	}
	key = argument(f, 1)
	if key == nil || argument(f, 2) != nil {
		return nil, nil, nil
	}
	switch rs := f.Signature().Results(); {
	case rs.Len() == 1 && types.Identical(rs.At(0).Type(), boolType):
		return f, key, func(k string) []string { return []string{`	return x.` + f.Name() + `(` + k + `)`} }
	case rs.Len() == 2 && types.Identical(rs.At(1).Type(), boolType):
		return f, key, func(k string) []string { return []string{`	_, ok := x.` + f.Name() + `(` + k + `)`, `	return ok`} }
	}
	return nil, nil, nil
}

// deletion checks that an element which was put into a container and deleted again is not found there. It
// checks this only for an element that was not found before and was found after it had been put, because a
// list may have several equal elements, and a cache may forget.
func deletion(s *subject) []*testcase.Check {
	find, key, found := s.finder()
	remove, put := s.firstMethod(removing()), s.firstMethod(putting())
	if find == nil || remove == nil || remove.Pkg() != s.pkg || position(remove) && !elementOf(put, find, remove) ||
		!sameType(argument(remove, 1), key) || argument(remove, 2) != nil || !sameType(argument(put, 1), key) {
		return nil
	}
	params := []types.Type{types.NewPointer(s.typ), key}
	args := "y"
	if value := argument(put, 2); value != nil {
		params = append(params, value)
		args = "y, z"
	}
	body := append([]string{`found := func() bool {`}, found("y")...)
	cs := s.container(remove, "reports whether "+remove.Name()+" removes what "+put.Name()+" has put. It changes x.", params, append(body,
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
		`return nil`))
	call := s.removal(remove, put, find, found)
	cs[0].Call = call
	return append(cs, call)
}

// removal is the same contract about a call of a test. Other elements may have been put into the object before and after the one that
// the call deletes. Nothing is said if the method reports that it has not deleted.
func (s *subject) removal(remove, put, find *types.Func, found func(key string) []string) *testcase.Check {
	self := types.NewPointer(s.typ)
	body := append([]string{`found := func(x *«0») bool {`}, found("z")...)
	body = append(body, `}`, `if found(x) || !found(y) {`, `	return nil`, `}`)
	call := `y.` + remove.Name() + `(z)`
	rs := remove.Signature().Results()
	n := rs.Len()
	switch {
	case n > 0 && n <= 2 && types.Identical(rs.At(n-1).Type(), boolType):
		body = append(body, `if `+strings.Repeat("_, ", n-1)+`ok := `+call+`; !ok {`, `	return nil`, `}`)
	case n > 0 && n <= 2 && types.Identical(rs.At(n-1).Type(), errorType):
		body = append(body, `if `+strings.Repeat("_, ", n-1)+`err := `+call+`; err != nil {`, `	return nil`, `}`)
	default:
		body = append(body, call)
	}
	c := s.container(remove, "reports whether "+remove.Name()+" removes z from y; x is made like y, without z. It changes y.",
		[]types.Type{self, self, argument(remove, 1)}, append(body,
			`if found(y) {`,
			`	return «errors».New("`+find.Name()+` finds what `+remove.Name()+` has removed")`,
			`}`,
			`return nil`))[0]
	c.Name, c.Asked, c.Spoils = "check"+remove.Name()+"Call", true, true
	c.Without = &testcase.Without{Put: put, Between: []*types.Func{put, remove, find}}
	return c
}

// insertion checks that an element is found which a method reports to have put into a container: by its key,
// or in the place of an element that was found by another key.
func insertion(s *subject) []*testcase.Check {
	find, key, found := s.finder()
	if find == nil {
		return nil
	}
	self := types.NewPointer(s.typ)
	doc := func(name string) string {
		return "reports whether " + find.Name() + " finds what " + name + " has put. It changes x."
	}
	var out []*testcase.Check
	add := func(put *types.Func, params []types.Type, before []string, call, k string) {
		said := call
		if types.Identical(put.Signature().Results().At(0).Type(), errorType) {
			said += ` == nil`
		}
		body := append(before, `found := func() bool {`)
		body = append(body, found(k)...)
		out = append(out, s.container(put, doc(put.Name()), params, append(body,
			`}`,
			`if `+said+` && !found() {`,
			`	return «errors».New("`+find.Name()+` does not find what `+put.Name()+` has put")`,
			`}`,
			`return nil`))...)
	}
	if put := s.firstMethod(putting()); reports(put) && put.Pkg() == s.pkg && sameType(argument(put, 1), key) {
		if value := argument(put, 2); value == nil {
			add(put, []types.Type{self, key}, nil, `x.`+put.Name()+`(y)`, "y")
		} else {
			add(put, []types.Type{self, key, value}, nil, `x.`+put.Name()+`(y, z)`, "y")
		}
	}
	rs := find.Signature().Results()
	if rs.Len() < 2 {
		return out
	}
	for sel := range types.NewMethodSet(self).Methods() {
		f, ok := sel.Obj().(*types.Func)
		if !ok || f.Pkg() != s.pkg || !changes(f.Name()) || !reports(f) || !sameType(argument(f, 1), rs.At(0).Type()) || !sameType(argument(f, 2), key) || sameType(argument(f, 1), key) {
			continue
		}
		before := []string{`old, ok := x.` + find.Name() + `(y)`}
		if put := s.firstMethod(putting()); put != nil && sameType(argument(put, 1), key) && argument(put, 2) == nil {
			before = append(before, `if !ok {`, `	x.`+put.Name()+`(y)`, `	old, ok = x.`+find.Name()+`(y)`, `}`)
		}
		before = append(before, `if !ok {`, `	return nil`, `}`)
		add(f, []types.Type{self, key, key}, before, `x.`+f.Name()+`(old, z)`, "z")
	}
	return out
}

// container does the same as check for a method of a container whose other parameters are arguments.
func (s *subject) container(f *types.Func, doc string, params []types.Type, body []string) []*testcase.Check {
	cs := s.check(f, "check"+f.Name(), doc, nil, 0, body...)
	cs[0].Params, cs[0].Free = params, true
	return cs
}

// sameType reports whether two types are given and identical.
func sameType(a, b types.Type) bool { return a != nil && b != nil && types.Identical(a, b) }

// reports reports whether a method's only result says whether the method did its work.
func reports(f *types.Func) bool {
	if f == nil || f.Signature().Results().Len() != 1 {
		return false
	}
	t := f.Signature().Results().At(0).Type()
	return types.Identical(t, boolType) || types.Identical(t, errorType)
}

// firstMethod returns the first of these methods that the type has.
func (s *subject) firstMethod(names []string) *types.Func {
	for _, name := range names {
		if f, _ := s.method(name); f != nil {
			return f
		}
	}
	return nil
}

// argument returns the type of the n-th argument that a method takes, which may be one of a variadic
// parameter, or nil if it does not take so many, or takes more than two.
func argument(f *types.Func, n int) types.Type {
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

// elementOf reports whether what a method takes out is an element, whatever its name says: it is called as what another one puts in, and
// what a third one says is there or not. In a list, Get(i) and Delete(i) are about a position, and what is put in is called something else.
func elementOf(put, find, remove *types.Func) bool {
	if put == nil || put.Signature().Params().Len() != 1 || find.Signature().Results().Len() != 1 {
		return false
	}
	name := func(f *types.Func) string { return f.Signature().Params().At(0).Name() }
	return name(put) == name(remove) && name(find) == name(remove)
}

// position reports whether a method's name says that its parameter is a position.
func position(f *types.Func) bool {
	if f.Signature().Params().Len() == 0 {
		return false
	}
	switch strings.ToLower(f.Signature().Params().At(0).Name()) {
	case "i", "n", "idx", "index", "pos", "position", "at":
		return true
	}
	return false
}
