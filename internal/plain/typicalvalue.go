package plain

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// typical makes the values of one case.
type typical struct {
	pkg   *load.Package
	of    *types.Func    // the function of the case's own call, nil if it has none
	n     int            // the number of the set
	given map[string]int // how many values of a kind the case has got so far

	notation *notation.Notation // of the text that is to be made, nil if none is known
	last     string             // the text that was made last
	inStruct bool               // the value is a field of a struct that shows each of its fields
	field    bool               // the name is that of a struct's field
	numbers  bool               // bytes are numbers
	objects  func(t types.Type, n int) *testcase.Sequence
	hooks    bool              // functions in structs are set, too: that they are called shows in the record of their calls
	making   []*types.TypeName // the structs within which values are made: see inside
}

// next returns how many values of a kind there were before.
func (ty *typical) next(kind string) int {
	ty.given[kind]++
	return ty.given[kind] - 1
}

// value returns a statement that makes a value of a type, and appends the statements that it needs to out. It
// returns false for types of which no value is typical, and if the set has no further value of the type.
func (ty *typical) value(out *[]testcase.Statement, t types.Type, name string, depth int) (testcase.Statement, bool) {
	if declared := declaredOf(ty.pkg, t); ty.n < len(declared) && depth == 0 {
		return global(declared[ty.n]), true
	}
	if made, ok := ty.produced(out, t, depth); ok {
		return made, true
	}
	if made, ok := ty.parsed(out, t); ok {
		return made, true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return ty.basic(t, u, name)
	case *types.Slice:
		return ty.list(out, t, u, name, depth)
	case *types.Struct:
		return ty.structure(out, t, u, depth)
	case *types.Map:
		return ty.dictionary(out, t, u, depth)
	case *types.Signature:
		if ty.hooks && depth > 0 {
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpStubFunc, Type: t}}, true
		}
	case *types.Interface:
		if gosyntax.IsAny(t) {
			return ty.anything(out, t, name), true
		}
		return ty.object(out, t)
	case *types.Pointer:
		if made, ok := ty.object(out, t); ok || ty.objects == nil || depth == 0 {
			return made, ok
		}
		if s, ok := u.Elem().Underlying().(*types.Struct); ok && load.NamedOf(u.Elem()) != nil {
			made, ok := ty.structure(out, u.Elem(), s, depth)
			if !ok {
				made, ok = ty.inside(out, u.Elem(), s, depth)
			}
			if ok {
				*out = append(*out, made)
				return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: t}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
			}
		}
	}
	return testcase.Statement{}, false
}

// isInside reports whether tests within the package write values of a struct type with unexported fields: it is the package's own, and no
// function makes it.
func (ty *typical) isInside(t types.Type) bool {
	named := load.NamedOf(t)
	return ty.objects != nil && named != nil && named.Obj().Pkg() == ty.pkg.Types && !ty.pkg.ExternalTests && len(ty.pkg.Constructors(t)) == 0
}

// setsInside reports whether such a test sets an unexported field of a struct.
func (ty *typical) setsInside(t types.Type, f *types.Var) bool {
	return !f.Exported() && ty.isInside(t) && ty.looksAt(f)
}

// isStructOf reports whether a type is a struct type that the package declares.
func isStructOf(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// inside makes a struct of the package of which users cannot set all fields, and for which there is no constructor: with its exported fields,
// and those whose types are of other packages. Tests within the package write such structs. One that leads to another of its own type gets none there.
func (ty *typical) inside(out *[]testcase.Statement, t types.Type, u *types.Struct, depth int) (testcase.Statement, bool) {
	const mostFields = 12
	if !ty.isInside(t) || u.NumFields() > mostFields || slices.Contains(ty.making, load.NamedOf(t).Obj()) {
		return testcase.Statement{}, false
	}
	ty.making = append(ty.making, load.NamedOf(t).Obj())
	defer func() { ty.making = ty.making[:len(ty.making)-1] }()
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}}
	found := false
	for i := range u.NumFields() {
		f := u.Field(i)
		if !ty.looksAt(f) {
			continue
		}
		st, ok := ty.object(out, f.Type())
		found = found || ok
		if !ok && f.Exported() {
			st, ok = ty.ofField(out, t, f, depth)
		}
		if ok {
			made.Op.Elems, made.Args = append(made.Op.Elems, i), append(made.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, st)
		}
	}
	return made, found
}

// looksAt reports whether the function of the case's own call looks at a field, or might: plain values may be printed or encoded as a whole.
func (ty *typical) looksAt(f *types.Var) bool {
	if ty.objects == nil || ty.of == nil || ty.of.Pkg() != ty.pkg.Types || ty.pkg.Info == nil {
		return true
	}
	switch u := f.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Struct:
	case *types.Slice:
		if !isStructOf(ty.pkg, u.Elem()) {
			return true
		}
	default:
		return true
	}
	return ty.pkg.LooksAt(ty.of, f) || f.Exported() && encodes(ty.pkg, ty.of)
}

// encodes reports whether a function, or one that it mentions, writes whole values by reflection: what is in them shows, though no code names the
// fields.
func encodes(pkg *load.Package, f *types.Func) bool {
	paths, _ := pkg.MentionsOf(f)
	for p := range paths {
		switch p {
		case "encoding/json", "encoding/xml", "encoding/gob", "text/template", "html/template":
			return true
		}
		name := strings.TrimPrefix(strings.TrimSuffix(path.Base(p), path.Ext(p)), "go-") // gopkg.in/yaml.v3
		if strings.Contains(p, ".") && slices.Contains([]string{"yaml", "toml", "json", "msgpack", "cbor"}, name) {
			return true
		}
	}
	return false
}

// object makes an object that nobody can write out by the calls that are known to make one. Two of them in one case are made by different
// calls if several are known.
func (ty *typical) object(out *[]testcase.Statement, t types.Type) (testcase.Statement, bool) {
	if ty.objects == nil {
		return testcase.Statement{}, false
	}
	seq := ty.objects(t, ty.next("object "+t.String()))
	if seq == nil {
		return testcase.Statement{}, false
	}
	before := len(*out)
	for i := range seq.Len() {
		st := testcase.Statement{Op: seq.At(i).Op}
		for _, a := range seq.At(i).Args {
			st.Args = append(st.Args, testcase.Ref{Stmt: before + a.Stmt, Result: a.Result})
		}
		if i == seq.Len()-1 {
			return st, true
		}
		*out = append(*out, st)
	}
	return testcase.Statement{}, false
}

// anything makes a value where any value may be passed: a text or a number.
func (ty *typical) anything(out *[]testcase.Statement, t types.Type, name string) testcase.Statement {
	if isKey(name) || (ty.n+ty.next("anything"))%2 == 1 {
		return box(out, t, ty.text(name))
	}
	return box(out, t, typicalNumbers[ty.n][ty.next("number")%len(typicalNumbers[ty.n])])
}

// box appends a constant to out and returns the statement that makes an interface value of it.
func box(out *[]testcase.Statement, t types.Type, v any) testcase.Statement {
	op := &testcase.Operation{Kind: testcase.OpLiteral}
	switch v := v.(type) {
	case string:
		op.Type, op.Lit = types.Typ[types.String], testcase.Literal{Kind: testcase.LitString, Str: v}
	case int64:
		op.Type, op.Lit = types.Typ[types.Int], testcase.Literal{Kind: testcase.LitInt, Bits: uint64(v)}
	case bool:
		op.Type, op.Lit = types.Typ[types.Bool], testcase.Literal{Kind: testcase.LitBool, Bits: 1}
	default:
		panic(fmt.Sprintf("bug: plain: no constant of type %T", v))
	}
	*out = append(*out, testcase.Statement{Op: op})
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpConvert, Type: t}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}
}

// typicalPairs are lists of keys and values, as loggers take them.
var typicalPairs = [MostTypical][]any{{"name", "ann", "age", int64(42)}, {"msg", "hello world"}, {"id", int64(7), "ok", true}, {"a", "x=y", "b", ""}}

// isOfPairs reports whether the name of a list says that it has keys and values in turn.
func isOfPairs(name string) bool {
	return slices.Contains([]string{"keyvals", "keyvalues", "keysandvalues", "kv", "kvs", "kvp", "kvps", "pairs", "keyvalpairs", "keyvaluepairs"}, strings.ToLower(name))
}

// typicalMixed are the lists of each set where any value may be an element, for the first and the second one of a call.
// The first has several elements in order that the second one has, too.
var typicalMixed = [MostTypical][2][]any{
	{{int64(1), int64(2), int64(3), int64(4)}, {int64(2), int64(4), int64(5)}},
	{{"a", "b", "c"}, {"b", "c", "d"}},
	{{int64(3), int64(1), int64(2)}, {int64(1), int64(2), int64(3)}},
	{{"ann", int64(42), true}, {"ann", int64(43), true}},
}

// mixed returns the elements of a list of anything: keys and values if the name says so.
func (ty *typical) mixed(name string) []any {
	if isOfPairs(name) {
		return typicalPairs[ty.n]
	}
	return typicalMixed[ty.n][ty.next("mixed")%2]
}

// typicalEntries are keys and values of maps of texts, by set. Some sets have two entries, since of one nobody sees whether the
// others are left out.
var typicalEntries = [MostTypical][][2]string{
	{{"name", "ann"}}, {{"name", "ann"}, {"city", "oslo"}}, {{"key", "value"}}, {{"host", "localhost"}, {"port", "8080"}},
}

// dictionary does for maps of constants, and of lists of texts, what value does. A text that is a key is a word of the text that was
// made last, because functions look in texts for what maps name.
func (ty *typical) dictionary(out *[]testcase.Statement, t types.Type, u *types.Map, depth int) (testcase.Statement, bool) {
	ty.notation = nil
	if depth > 1 {
		return testcase.Statement{}, false
	}
	entries := typicalEntries[ty.n]
	if word := middleWord(ty.last); word != "" {
		entries = [][2]string{{word, typicalTexts[ty.n][2]}}
		if entries[0][1] == word {
			entries[0][1] = "value"
		}
	}
	if b, ok := u.Key().Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 || IsEnumeration(ty.pkg, u.Key()) {
		entries = entries[:1] // another key would be the same one
	}
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}}
	for _, e := range entries {
		for k, of := range []types.Type{u.Key(), u.Elem()} {
			st, ok := ty.entry(out, of, e[k], depth)
			if !ok {
				return testcase.Statement{}, false
			}
			made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, st)
		}
	}
	return made, true
}

// entry makes a key or a value of a map: the given text, a list of it, or a number.
func (ty *typical) entry(out *[]testcase.Statement, t types.Type, text string, depth int) (testcase.Statement, bool) {
	literal := func(t types.Type) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}}
	}
	isText := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString != 0 && !IsEnumeration(ty.pkg, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isText(t) {
			return literal(t), true
		}
		return ty.value(out, t, "", depth+1)
	case *types.Slice:
		if isText(u.Elem()) {
			*out = append(*out, literal(u.Elem()))
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t, N: 1}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
		}
	}
	return testcase.Statement{}, false
}

// middleWord returns the second word of a text, or the first one if there are no others.
func middleWord(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return ""
	}
	return words[min(1, len(words)-1)]
}

// produced makes a value by a call of the function of the package that makes such values, with typical
// arguments.
func (ty *typical) produced(out *[]testcase.Statement, t types.Type, depth int) (testcase.Statement, bool) {
	f := usage.Producer(ty.pkg, t)
	if f == nil || depth > 0 {
		return testcase.Statement{}, false
	}
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}}
	ty.field = false
	for k := range f.Signature().Params().Len() {
		p := f.Signature().Params().At(k)
		ty.notation = ty.pkg.Notated(f, k)
		st, ok := ty.value(out, p.Type(), p.Name(), 0)
		if !ok {
			st = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: p.Type()}}
		}
		made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
		*out = append(*out, st)
	}
	return made, true
}

// basic does for constants what value does.
func (ty *typical) basic(t types.Type, b *types.Basic, name string) (testcase.Statement, bool) {
	literal := func(lit testcase.Literal) (testcase.Statement, bool) {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}}, true
	}
	info := b.Info()
	switch {
	case isDuration(t):
		return literal(testcase.Literal{Kind: testcase.LitInt, Bits: uint64(durations[(ty.n+ty.next("duration"))%len(durations)])})
	case info&types.IsBoolean != 0 && ty.inStruct && ty.objects != nil:
		return testcase.Statement{}, false // a truth in a part of the struct mostly leads another way through the code
	case info&types.IsBoolean != 0 && ty.inStruct:
		return literal(testcase.Literal{Kind: testcase.LitBool, Bits: 1})
	case IsEnumeration(ty.pkg, t) && ty.inStruct && ty.isEncoded():
		return ty.constant(t)
	case IsEnumeration(ty.pkg, t) || b.Kind() == types.Uint8 && !ty.inStruct || b.Kind() == types.Uintptr || b.Kind() == types.UnsafePointer:
		return testcase.Statement{}, false
	case info&types.IsString != 0:
		return literal(testcase.Literal{Kind: testcase.LitString, Str: ty.text(name)})
	case isRune(t):
		return literal(testcase.Literal{Kind: testcase.LitInt, Bits: uint64(ty.character())})
	case info&types.IsFloat != 0 && len(fractionsFor(ty.of, name)) > 0:
		fractions := fractionsFor(ty.of, name)
		return literal(fractionLiteral(b, fractions[(ty.n+ty.next("fraction"))%len(fractions)]))
	case info&(types.IsInteger|types.IsFloat) != 0:
		numbers := typicalNumbers[ty.n]
		if named := numbersFor(ty.pkg, name); len(named) > 0 && (info&types.IsFloat != 0 || fits(b, named)) {
			numbers = named
		}
		return literal(numeral(t, numbers[ty.next("number")%len(numbers)], whole))
	}
	return testcase.Statement{}, false
}

// isEncoded reports whether all that the fields of structs hold is completed for a function that writes structs by reflection.
func (ty *typical) isEncoded() bool {
	return ty.objects != nil && ty.of != nil && ty.of.Pkg() == ty.pkg.Types && ty.pkg.Info != nil && encodes(ty.pkg, ty.of)
}

// constant makes the next declared constant of a type that is not zero, or returns false if there is none.
func (ty *typical) constant(t types.Type) (testcase.Statement, bool) {
	var lits []testcase.Literal
	for _, c := range load.ConstantsOf(t) {
		if lit, ok := testcase.ConstantLiteral(c.Val(), t); ok {
			lits = append(lits, lit)
		}
	}
	lits = slices.DeleteFunc(lits, func(l testcase.Literal) bool { return l.Bits == 0 && l.Str == "" })
	if len(lits) == 0 {
		return testcase.Statement{}, false
	}
	lit := lits[(ty.n+ty.next("constant "+t.String()))%len(lits)]
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}}, true
}

// text returns the next text. If the parameter's notation is known, or its name says what text it takes, it is such a text.
func (ty *typical) text(name string) string {
	ty.last = ty.anyText(name)
	return ty.last
}

// anyText is text, but does not note the text.
func (ty *typical) anyText(name string) string {
	if n := ty.notation; n != nil {
		return n.Accepted[(ty.n+ty.next("notation"))%len(n.Accepted)].Value
	}
	if part := ty.part(name); part != "" {
		return part
	}
	if texts := textsFor(ty.pkg, name, ty.field); len(texts) > 0 && !TakesAnyText(name) {
		return texts[(ty.n+ty.next("text "+texts[0]))%len(texts)]
	}
	texts := typicalTexts[ty.n]
	switch {
	case ty.makesError():
		texts = errorTexts[:]
	case ty.n == 0 && ty.ofTexts() < 2:
		texts = loneTexts[:]
	}
	return texts[ty.next("text")%len(texts)]
}

// loneTexts take the place of the first set's texts where a function takes one text: these resemble each other for functions that
// compare two.
var loneTexts = [...]string{"hello", "world", "foo"}

// ofTexts returns how many texts, and lists of words, characters and bytes, the function of the case's own call takes.
func (ty *typical) ofTexts() int {
	if ty.of == nil {
		return 0
	}
	n := 0
	for p := range ty.of.Signature().Params().Variables() {
		t := p.Type().Underlying()
		if list, ok := t.(*types.Slice); ok {
			t = list.Elem().Underlying()
		}
		if b, ok := t.(*types.Basic); ok && (b.Info()&types.IsString != 0 || b.Kind() == types.Uint8 || b.Kind() == types.Int32) {
			n++
		}
	}
	return n
}

// makesError reports whether the function of the case's own call returns an error of a type of its own, whose message a text is.
func (ty *typical) makesError() bool {
	if ty.of == nil || ty.of.Signature().Results().Len() == 0 {
		return false
	}
	t := ty.of.Signature().Results().At(0).Type()
	return !types.IsInterface(t) && gosyntax.ImplementsError(t)
}

// character returns a character of the text that was made last: the space between its words, or its third one.
func (ty *typical) character() rune {
	text := []rune(ty.last)
	switch {
	case slices.Contains(text, ' '):
		return ' '
	case len(text) > 2:
		return text[2]
	}
	return 'a'
}

// isRune reports whether a type is spelled rune: its values are characters and no numbers.
func isRune(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Name() == "rune"
}

// part returns a part of the set's first text for a parameter whose name says that it takes one: the end of it for a
// suffix. It returns "" for other parameters.
func (ty *typical) part(name string) string {
	const long = 3
	words := gosyntax.Words(name)
	first := []rune(typicalTexts[ty.n][0])
	if len(words) == 0 || ty.field { // a field is no part of a text that the call takes
		return ""
	}
	switch words[len(words)-1] {
	case "suffix", "suffixes", "ending":
		return string(first[len(first)-long:])
	case "prefix", "prefixes":
		return string(first[:long])
	case "sep", "separator", "delim", "delimiter":
		// The first set's text is one word, which nobody would divide.
		return [MostTypical]string{"", " ", ",", " "}[ty.n]
	case "sub", "substr", "substring", "needle", "string":
		if ty.of != nil && words[0] == "sub" {
			switch of := gosyntax.Words(ty.of.Name()); { // RemovePrefix(s, substr)
			case slices.Contains(of, "prefix"):
				return string(first[:long])
			case slices.Contains(of, "suffix"):
				return string(first[len(first)-long:])
			}
		}
		if ty.n == 0 && words[0] != "string" { // in the other sets the second text is a part of the first
			return string(first[1 : 1+long])
		}
	}
	return ""
}

// list does for slices what value does.
func (ty *typical) list(out *[]testcase.Statement, t types.Type, u *types.Slice, name string, depth int) (testcase.Statement, bool) {
	const fewest = 2 // how many elements a list has whose elements are no constants, and texts that its name asks for
	var elems []testcase.Statement
	constants := func(lits ...testcase.Literal) {
		for _, lit := range lits {
			elems = append(elems, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: u.Elem(), Lit: lit}})
		}
	}
	b, _ := u.Elem().Underlying().(*types.Basic)
	spelled, _ := types.Unalias(u.Elem()).(*types.Basic)
	switch {
	case b != nil && b.Kind() == types.Uint8:
		if spelled == nil || load.NamedOf(t) != nil {
			return testcase.Statement{}, false // bytes of a type that the package declares have a meaning
		}
		if ty.numbers {
			return bytesLiteral(t, counting([MostTypical]int{4, 16, 3, 8}[ty.n]), out), true
		}
		return bytesLiteral(t, ty.text(name), out), true
	case isRune(u.Elem()):
		for _, r := range ty.text(name) {
			constants(testcase.Literal{Kind: testcase.LitInt, Bits: uint64(r)})
		}
	case b != nil && (IsEnumeration(ty.pkg, u.Elem()) || b.Info()&(types.IsString|types.IsInteger|types.IsFloat) == 0):
		return testcase.Statement{}, false
	case b != nil && b.Info()&types.IsString != 0:
		lists := typicalWords[ty.n]
		words := lists[ty.next("words")%len(lists)]
		if named := textsFor(ty.pkg, name, ty.field); ty.n == 0 && len(named) > 1 && !TakesAnyText(name) {
			words = named[:fewest] // origins, headers
		} else if part := ty.part(name); part != "" {
			words = append([]string{"s"}, part)
		}
		if AsksOrder(ty.pkg, ty.of) {
			words = slices.Compact(slices.Sorted(slices.Values(words)))
		}
		for _, w := range words {
			constants(testcase.Literal{Kind: testcase.LitString, Str: w})
		}
	case b != nil:
		lists := typicalLists[ty.n]
		numbers := lists[ty.next("numbers")%len(lists)]
		if AsksOrder(ty.pkg, ty.of) {
			numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
		}
		for _, x := range numbers {
			constants(numeral(u.Elem(), x, whole))
		}
	case depth > 0 && !(depth == 1 && ty.objects != nil && isStructOf(ty.pkg, u.Elem())) && !isForeignSetting(ty.pkg, load.NamedOf(u.Elem())):
		return testcase.Statement{}, false
	case gosyntax.IsAny(u.Elem()):
		for _, v := range ty.mixed(name) {
			elems = append(elems, box(out, u.Elem(), v))
		}
	default:
		n := fewest
		if ty.isWritten(u.Elem()) {
			n = 1 // a second one would be the same
		}
		for range n {
			e, ok := ty.value(out, u.Elem(), name, depth+1)
			if !ok {
				return testcase.Statement{}, false
			}
			elems = append(elems, e)
		}
	}
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t, N: len(elems)}}
	for _, e := range elems {
		made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
		*out = append(*out, e)
	}
	return made, true
}

// isWritten reports whether the package's code writes out a struct of a type, so that each value of the type is that one.
func (ty *typical) isWritten(t types.Type) bool {
	return ty.pkg.Literals != nil && slices.ContainsFunc(ty.pkg.Literals.Structs, func(s literals.Struct) bool { return types.Identical(s.Type, t) })
}

// ofField is value for a field of a struct type, whose name asks for texts of its own.
func (ty *typical) ofField(out *[]testcase.Statement, of types.Type, f *types.Var, depth int) (testcase.Statement, bool) {
	ty.field = true
	defer func() { ty.field = false }()
	return ty.value(out, f.Type(), qualified(of, f), depth+1)
}

// structure is value for structs of the package of which users set the fields. Fields of types that have no
// typical value stay zero, and so do fields that users do not see.
func (ty *typical) structure(out *[]testcase.Statement, t types.Type, u *types.Struct, depth int) (testcase.Statement, bool) {
	const mostFields, deepestSetting = 12, 4
	deepest := 2
	if ty.isEncoded() {
		deepest++ // a part of an element that is left out shows as nothing in the document
	}
	named := load.NamedOf(t)
	setting := isForeignSetting(ty.pkg, named)
	if named != nil && (named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != ty.pkg.Path) && !isForeignRecord(ty.pkg, named) && !setting || u.NumFields() > mostFields && !setting || depth > deepest && !setting || depth > deepestSetting {
		return testcase.Statement{}, false
	}
	if ty.pkg.Literals != nil {
		for _, s := range ty.pkg.Literals.Structs {
			if !types.Identical(s.Type, t) {
				continue
			}
			if made, ok := writtenOut(out, s); ok {
				return made, true // the authors chose values that belong together
			}
		}
	}
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}}
	found := false
	hides := setting || !ty.pkg.IsErrorData(t) && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return !f.Exported() })
	if hides && !isWrittenOut(ty.pkg, t) {
		return testcase.Statement{}, false
	}
	for i := range u.NumFields() {
		f := u.Field(i)
		if hides && !f.Exported() || setting && !isSeenSetting(ty.pkg, f) {
			continue
		}
		if hides {
			made.Op.Elems = append(made.Op.Elems, i)
		}
		var st testcase.Statement
		ok := ty.looksAt(f)
		if ok {
			st, ok = ty.ofField(out, t, f, depth)
		}
		if !ok {
			st = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: f.Type()}}
		}
		found = found || ok
		made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
		*out = append(*out, st)
	}
	return made, found
}
