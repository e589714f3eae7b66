package complete

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// This file has the contents themselves: words, numbers, constants of the package, structs with fields.

// deepest is how many structs, lists and maps deep content goes.
const deepest = 2

// content makes content for a type, so many values deep in other content. It returns false for types for which there is none.
func (f *filler) content(t types.Type, s slot, depth int) (testcase.Ref, bool) {
	if depth > deepest {
		return testcase.Ref{}, false
	}
	composite := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		lit, ok := f.literal(t, s)
		if !ok {
			return testcase.Ref{}, false
		}
		return f.b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}), true
	case *types.Interface:
		if gosyntax.IsAny(t) {
			return f.anything(t, s), true
		}
	case *types.Map:
		key, ok := f.content(u.Key(), slot{name: "key", keys: f.words.keysOf(t)}, depth+1)
		if !ok {
			return testcase.Ref{}, false
		}
		value, ok := f.content(u.Elem(), slot{name: s.name}, depth+1)
		return f.b.Add(composite, key, value), ok
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return testcase.Ref{}, false
		}
		n := 1
		if isBasic(u.Elem()) {
			n = 2
		}
		var args []testcase.Ref
		for range n {
			e, ok := f.content(u.Elem(), s, depth+1)
			if !ok {
				return testcase.Ref{}, false
			}
			args = append(args, e)
		}
		composite.N = n
		return f.b.Add(composite, args...), true
	case *types.Struct:
		if !writable(f.pkg, t) {
			return testcase.Ref{}, false
		}
		var args []testcase.Ref
		for _, i := range f.fieldsOf(t, u) {
			if r, ok := f.content(u.Field(i).Type(), slot{name: u.Field(i).Name()}, depth+1); ok {
				composite.Elems, args = append(composite.Elems, i), append(args, r)
			}
		}
		return f.b.Add(composite, args...), len(args) > 0
	}
	return testcase.Ref{}, false
}

// isFilled reports whether there is content for a type.
func (f *filler) isFilled(t types.Type) bool {
	scratch := *f
	scratch.b, scratch.words.used, scratch.words.numbers, scratch.words.count = testcase.Builder{}, nil, nil, make(map[string]int)
	_, ok := scratch.content(t, slot{}, 0)
	return ok
}

// anything makes content where any value may be: a text and a number in turn.
func (f *filler) anything(t types.Type, s slot) testcase.Ref {
	f.mixed++
	of := types.Typ[types.String]
	if f.mixed%2 == 0 != f.how.numbers {
		of = types.Typ[types.Int]
	}
	lit, _ := f.literal(of, s)
	return f.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t}, f.b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: of, Lit: lit}))
}

// primes are the numbers that are content.
var primes = [...]int64{3, 5, 7, 11, 13, 17, 19, 23}

// literal returns the next constant of a basic type. It returns false for truths and characters, which mostly lead another way through
// the code, and for types whose zero value is one of their constants.
func (f *filler) literal(t types.Type, s slot) (testcase.Literal, bool) {
	b := t.Underlying().(*types.Basic)
	isNumber := b.Info()&(types.IsInteger|types.IsFloat) != 0
	n := int64(0)
	if isNumber {
		n = f.words.number(s, b)
	}
	switch spelled, _ := types.Unalias(t).(*types.Basic); {
	case load.IsNamed(t, "time", "Duration"):
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n * int64(time.Second))}, true
	case plain.IsEnumeration(f.pkg, t):
		return f.declared(t)
	case b.Info()&types.IsString != 0:
		if named := load.NamedOf(t); named != nil && plain.TextsFor(f.pkg, s.name) == nil {
			s.name = named.Obj().Name() // type Email string
		}
		return testcase.Literal{Kind: testcase.LitString, Str: f.words.next(s)}, true
	case !isNumber || b.Kind() == types.Uint8 || b.Kind() == types.Uintptr || spelled != nil && spelled.Name() == "rune":
		return testcase.Literal{}, false
	case b.Kind() == types.Float32:
		return testcase.Literal{Kind: testcase.LitFloat, Bits: uint64(math.Float32bits(float32(n)))}, true
	case b.Info()&types.IsFloat != 0:
		return testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(float64(n))}, true
	}
	return testcase.IntLiteral(b, n)
}

// declared returns the next of the constants of a type, in the order of the source. It returns false if one of them is zero.
func (f *filler) declared(t types.Type) (testcase.Literal, bool) {
	consts := load.ConstantsOf(t)
	slices.SortStableFunc(consts, func(a, b *types.Const) int { return int(a.Pos() - b.Pos()) })
	var lits []testcase.Literal
	for _, c := range consts {
		if !c.Exported() && c.Pkg() != f.pkg.Types {
			continue
		}
		lit, ok := testcase.ConstantLiteral(c.Val(), t)
		if !ok || lit.Bits == 0 && lit.Str == "" {
			return testcase.Literal{}, false
		}
		lits = append(lits, lit)
	}
	if len(lits) == 0 {
		return testcase.Literal{}, false
	}
	name := "constant " + t.String()
	k := f.words.count[name]
	f.words.count[name]++
	return lits[k%len(lits)], true
}

// writable reports whether tests write out structs of a type: those without a name, those of the package that no function makes, and those
// of other packages with exported fields that the code names.
func writable(pkg *load.Package, t types.Type) bool {
	u, ok := t.Underlying().(*types.Struct)
	named := load.NamedOf(t)
	switch {
	case !ok || u.NumFields() == 0:
		return false
	case named == nil:
		return true
	case named.Obj().Pkg() == pkg.Types:
		return slices.ContainsFunc(slices.Collect(u.Fields()), (*types.Var).Exported) || !pkg.ExternalTests && len(pkg.Constructors(t)) == 0 && len(pkg.Constructors(types.NewPointer(t))) == 0
	}
	return named.Obj().Exported() && pkg.Info != nil && slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return v.Exported() && pkg.Names(v) })
}

// fieldsOf returns the fields of a struct that get content: all that users see if there are few, and otherwise some that the function of the
// case's own call looks at. What has many parts stays without, so that a reader sees what matters. A field whose values are declared constants gets one
// only if there is no other field: the first of them need not go with the rest.
func (f *filler) fieldsOf(t types.Type, u *types.Struct) []int {
	const few, most = 4, 3
	own := f.isOwn(t)
	hidden := own && !slices.ContainsFunc(slices.Collect(u.Fields()), (*types.Var).Exported)
	var out, seen, chosen []int
	for i := range u.NumFields() {
		v := u.Field(i)
		looksAt := f.of != nil && f.of.Pkg() == f.pkg.Types && f.pkg.Info != nil && f.pkg.LooksAt(f.of, v)
		switch {
		case !v.Exported() && !(hidden && looksAt) || !own && !f.pkg.Names(v) || !f.isPlain(v.Type()) || f.how.keys && !isText(v.Type()) || sizeOf(v.Type(), 0) > mostParts:
		case f.isChosen(v.Type()):
			chosen = append(chosen, i)
		case looksAt:
			out, seen = append(out, i), append(seen, i)
		default:
			out = append(out, i)
		}
	}
	switch {
	case len(out) == 0:
		return chosen
	case own && u.NumFields() <= few:
		return out
	case len(seen) > 0:
		return seen[:min(len(seen), most)]
	}
	out = slices.DeleteFunc(out, func(i int) bool { return sizeOf(u.Field(i).Type(), 0) > 1 })
	return out[:min(len(out), most-1)]
}

// mostParts is how many numbers and texts the content of a field may have.
const mostParts = 3

// sizeOf returns how many numbers and texts content of a type would have about, so many structs deep in other content.
func sizeOf(t types.Type, depth int) int {
	n := 1
	switch u := t.Underlying().(type) {
	case *types.Slice:
		n = max(2, sizeOf(u.Elem(), depth))
	case *types.Map:
		n = 1 + sizeOf(u.Elem(), depth)
	case *types.Struct:
		if n = 0; depth > deepest {
			return mostParts + 1
		}
		for v := range u.Fields() {
			n += sizeOf(v.Type(), depth+1)
		}
	}
	return n
}

// isOwn reports whether a type is the package's, or has no name.
func (f *filler) isOwn(t types.Type) bool {
	named := load.NamedOf(t)
	return named == nil || named.Obj().Pkg() == f.pkg.Types
}

// isText reports whether the values of a type are texts.
func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isChosen reports whether the values of a type are declared constants.
func (f *filler) isChosen(t types.Type) bool {
	return isBasic(t) && plain.IsEnumeration(f.pkg, t) && !load.IsNamed(t, "time", "Duration")
}

// isPlain reports whether a field of a type may get content: functions, channels, truths, and what only stand-ins implement get none.
func (f *filler) isPlain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsInteger|types.IsFloat) != 0
	case *types.Interface:
		return gosyntax.IsAny(t)
	case *types.Map, *types.Slice:
		return true
	case *types.Struct:
		return writable(f.pkg, t)
	}
	return false
}

// elementOf returns the type of the elements of a list.
func elementOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	panic("bug: complete: no list: " + t.String())
}

// wordlist gives each text and each number that becomes content a value of its own.
type wordlist struct {
	pkg     *load.Package
	used    map[string]bool // the texts that the case has
	numbers map[int64]bool  // the whole numbers that the case has
	count   map[string]int  // how many constants of a type were given
	signs   []rune          // what the code asks for
}

// anyWords are the words where any text would do.
var anyWords = [...]string{"abc", "def", "ghi", "jkl", "mno", "pqr", "stu", "vwx"}

func newWords(pkg *load.Package, s *testcase.Sequence) wordlist {
	w := wordlist{pkg: pkg, used: make(map[string]bool), numbers: make(map[int64]bool), count: make(map[string]int)}
	if pkg.Literals != nil {
		w.signs = plain.Signs(pkg)
	}
	for i := range s.Len() {
		switch lit := s.At(i).Op.Lit; lit.Kind {
		case testcase.LitString:
			w.used[lit.Str] = true
		case testcase.LitInt, testcase.LitUint:
			w.numbers[int64(lit.Bits)] = true
		}
	}
	return w
}

// next returns a text for a place that the case has nowhere: a key that the documentation has, what the name asks for, or any word.
func (w *wordlist) next(s slot) string {
	list := slices.Clone(s.keys)
	if name := strings.ToLower(s.name); s.name != "" && !plain.TakesAnyText(name) {
		list = append(list, plain.TextsFor(w.pkg, s.name)...)
	}
	for _, word := range append(list, anyWords[:]...) {
		if !w.used[word] {
			if w.used != nil {
				w.used[word] = true
			}
			return word
		}
	}
	return anyWords[len(anyWords)-1]
}

// number returns a number for a place that the case has nowhere: what the name asks for, or a prime.
func (w *wordlist) number(s slot, b *types.Basic) int64 {
	for _, n := range slices.Concat(plain.NumbersFor(w.pkg, s.name, b), primes[:]) {
		if !w.numbers[n] {
			if w.numbers != nil {
				w.numbers[n] = true
			}
			return n
		}
	}
	return primes[len(primes)-1]
}

// isOdd reports whether a text is a single sign for which the code does not ask. Beside hollow parts a single letter counts, too.
func (w *wordlist) isOdd(text string, letters bool) bool {
	r := []rune(text)
	if len(r) != 1 || slices.Contains(w.signs, r[0]) {
		return false
	}
	return letters || !unicode.IsLetter(r[0]) && !unicode.IsDigit(r[0]) && !unicode.IsSpace(r[0])
}

// keyInText matches a key in an example of the documentation, and the braces around it.
var keyInText = regexp.MustCompile(`[{}]|"([^"\s]+)"\s*:`)

// keysOf returns the keys in the example that the documentation of a map type has: latest for { "latest": 507f1f77bcf86cd799439011 }.
func (w *wordlist) keysOf(t types.Type) []string {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != w.pkg.Types || w.pkg.Info == nil {
		return nil
	}
	for _, d := range w.pkg.TypeDecls() {
		if d.Object != named.Obj() {
			continue
		}
		doc := d.Spec.Doc
		if doc == nil && d.In.Tok == token.TYPE {
			doc = d.In.Doc
		}
		return keysIn(doc)
	}
	return nil
}

// keysIn returns the outer keys of the first example in a comment.
func keysIn(doc *ast.CommentGroup) []string {
	var out []string
	depth := 0
	for _, m := range keyInText.FindAllStringSubmatch(doc.Text(), -1) {
		switch {
		case m[0] == "{":
			depth++
		case m[0] == "}":
			if depth--; depth <= 0 && len(out) > 0 {
				return out
			}
		case depth <= 1:
			out = append(out, m[1])
		}
	}
	return out
}

// isSameName reports whether a parameter is called as a field is, or takes a key where the other is one.
func isSameName(parameter, field string) bool {
	p, f := gosyntax.Words(parameter), gosyntax.Words(field)
	if len(p) == 0 || len(f) == 0 {
		return false
	}
	last, of := strings.ToLower(p[len(p)-1]), strings.ToLower(f[len(f)-1])
	return last == of || of == "key" && (last == "k" || last == "id" || last == "name")
}
