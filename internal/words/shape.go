package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// shape is a predicate over a single value.
type shape struct {
	phrase phrase
	holds  func(v testcase.Value) bool
	edge   bool
}

// addInputs adds the shapes and constants of all inputs.
func (n *Namer) addInputs() {
	for i, s := range n.subjects {
		if i > 63 {
			break
		}
		r := reads{inputs: 1 << i}
		t := n.inputType(i)
		get := func(c *call) testcase.Value { return c.inputs[i] }
		if nilable(t) {
			p := predicate{phrase: s.isNil(), reads: r, place: placeInput + i}
			if elemOf(t) != nil {
				p.strain = slight // that the input is empty usually makes the difference
			}
			if n.hasRecv && i == 0 {
				p.place = placeNil
			}
			n.add(p, ask(get, func(v testcase.Value) bool { return v.Kind == testcase.Nil }))
		}
		if e := n.enums.of(t); e != nil {
			n.addEnumeration(e, s, r, get)
		} else {
			n.addShapes(s, r, t, get)
		}
		n.addConstants(s, r, t, get)
		n.addDynamicTypes(s, r, placeInput+i, t, get)
		n.addScripts(s, r, placeInput+i, func(c *call) *stub { return c.stubs[i] }, get)
		if i < n.inputs && types.IsInterface(t) {
			n.addStreams(i, s, r, get)
		}
		n.addFunctions(i, s, r)
		n.addFields(i, s, r, get)
	}
	n.addComplete()
	n.addPairs()
	n.addRelations()
	n.addTextParts()
}

// addFunctions adds the names of the functions that calls pass for an input.
func (n *Namer) addFunctions(i int, s subject, r reads) {
	if _, ok := n.inputType(i).Underlying().(*types.Signature); !ok || i >= n.inputs {
		return
	}
	name := func(c *call) string {
		st := c.c.Seq.At(c.c.TargetStmt())
		if i >= len(st.Args) {
			return ""
		}
		if op := c.c.Seq.At(st.Args[i].Stmt).Op; op.Kind == testcase.OpFuncValue {
			return op.Func.Name()
		}
		return ""
	}
	const most = 12
	said := map[string]bool{"": true}
	for _, c := range n.calls {
		passed := name(c)
		if said[passed] || len(said) > most {
			continue
		}
		said[passed] = true
		p := predicate{phrase: phrase{text: passed, clause: s.clause + " is " + passed}, reads: r, place: n.placeOf(r)}
		n.add(p, func(c *call) truth { return truthOf(name(c) == passed) })
	}
}

// sameReceiver reports whether a value is the object on which a method is called.
func sameReceiver(c *call, v testcase.Value) bool {
	return len(c.inputs) > 0 && v.ID != 0 && c.inputs[0].ID == v.ID
}

// nilable reports whether a type has nil.
func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return !isTypeParam(t)
	}
	return false
}

// addShapes adds the shapes of the values of a type.
func (n *Namer) addShapes(s subject, r reads, t types.Type, get func(*call) testcase.Value) {
	var list []shape
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			name := strings.Join(splitWords(s.name), " ")
			yes, no := phrase{text: name, clause: s.clause + " is true"}, phrase{text: "not " + name, clause: s.clause + " is false", strain: slight}
			if s.silent() {
				yes.text, no.text = "true", "false"
			}
			list = []shape{{yes, func(v testcase.Value) bool { return v.Bits != 0 }, false}, {no, func(v testcase.Value) bool { return v.Bits == 0 }, false}}
		case info&types.IsString != 0:
			list = stringShapes(s, n.charactersOf(s, r))
		case info&types.IsNumeric != 0 && info&types.IsComplex == 0 && !n.goesByNames(t):
			list = numberShapes(s, t, n.divides())
		}
	case *types.Slice, *types.Map:
		list = listShapes(s)
		if _, named := types.Unalias(t).(*types.Named); (isBytes(t) || isRunes(t)) && !named { // an address held in an array of bytes is no text
			list = textShapes(s, n.charactersOf(s, r))
		}
	case *types.Array:
		list = []shape{{s.is("zero"), testcase.Value.IsZero, false}}
	case *types.Struct:
		if u.NumFields() == 0 {
			break // all values are alike
		}
		list = []shape{{s.is("zero"), testcase.Value.IsZero, false}}
	case *types.Pointer:
		if st, ok := u.Elem().Underlying().(*types.Struct); ok && st.NumFields() > 0 {
			zero := s.is("zero value")
			zero.strain = slight
			isZero := func(v testcase.Value) bool { return len(v.Elems) == 1 && v.Elems[0].IsZero() }
			if !slices.ContainsFunc(n.calls, func(c *call) bool { return c.made == "new" && sameReceiver(c, get(c)) && isZero(get(c)) }) {
				list = []shape{{zero, isZero, false}} // nobody calls what a constructor made so
			}
		}
	case *types.Interface:
		if isTypeParam(t) {
			list = append(numberShapes(s, nil, n.divides()), shape{s.is("empty"), func(v testcase.Value) bool { return v.Kind == testcase.String && v.Len == 0 }, false})
		}
	}
	for _, sh := range list {
		sh.phrase.strain += s.strain
		if word := sh.phrase.text; word == s.is("zero").text || word == s.is("negative").text || word == s.is("positive").text {
			sh.edge = sh.edge && n.code.comparesWithZero(r)
			if !n.code.comparesWithZero(r) {
				sh.phrase.strain += clumsy // the code does not ask for this property
			}
		}
		p := predicate{phrase: sh.phrase, reads: r, place: n.placeOf(r), edge: sh.edge}
		n.add(p, n.askKnown(t, get, sh.holds))
	}
}

// askKnown is ask for shapes that look at a whole value.
func (n *Namer) askKnown(t types.Type, get func(*call) testcase.Value, holds func(testcase.Value) bool) func(*call) truth {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Struct:
		return func(c *call) truth {
			v := get(c)
			if v.Kind == testcase.Nil {
				return no
			}
			if v.Kind != testcase.Pointer && v.Kind != testcase.Struct || v.Kind == testcase.Pointer && len(v.Elems) != 1 {
				return unknown
			}
			return truthOf(holds(v))
		}
	}
	return func(c *call) truth {
		v := get(c)
		if v.Kind == testcase.Invalid || v.Kind == testcase.Opaque || v.Cut && !holds(v) {
			return unknown
		}
		return truthOf(holds(v))
	}
}

// goesByNames reports whether people know the values of another package's type by the names of its constants, as tokens and months:
// that one of them is zero says nothing. A length of time is a number although it has constants.
func (n *Namer) goesByNames(t types.Type) bool {
	const fewest = 3
	named := load.NamedOf(t)
	return named != nil && named.Obj().Pkg() != n.pkg.Types && !load.IsNamed(t, "time", "Duration") && len(load.ConstantsOf(t)) >= fewest
}

// numberShapes returns the shapes of integers and floats. The type t is nil if it is a type parameter. Shapes
// say whether a number is even only if the function divides.
func numberShapes(s subject, t types.Type, divides bool) []shape {
	sign := func(v testcase.Value) (int, bool) {
		switch v.Kind {
		case testcase.Int:
			return truthSign(int64(v.Bits)), true
		case testcase.Uint:
			return truthSign(int64(min(v.Bits, 1))), true
		case testcase.Float:
			f := floatOf(v)
			return bit(f > 0) - bit(f < 0), f == f
		}
		return 0, false
	}
	is := func(want int) func(testcase.Value) bool {
		return func(v testcase.Value) bool { k, ok := sign(v); return ok && k == want }
	}
	float := func(holds func(f float64) bool) func(testcase.Value) bool {
		return func(v testcase.Value) bool { return v.Kind == testcase.Float && holds(floatOf(v)) }
	}
	positive := s.is("positive")
	positive.strain = slight
	fractional := s.is("fractional")
	fractional.strain = last
	list := []shape{
		{s.is("zero"), is(0), true},
		{s.is("negative"), is(-1), false},
		{positive, is(1), false},
		{s.is("NaN"), float(func(f float64) bool { return f != f }), false},
		{s.is("infinite"), float(func(f float64) bool { return math.IsInf(f, 0) }), false},
		{s.equals("+Inf", false), float(func(f float64) bool { return math.IsInf(f, 1) }), false},
		{s.equals("-Inf", false), float(func(f float64) bool { return math.IsInf(f, -1) }), false},
		{s.is("not finite"), float(func(f float64) bool { return f-f != 0 }), false},
		{s.equals("-0", false), float(func(f float64) bool { return f == 0 && math.Signbit(f) }), false},
		{fractional, float(func(f float64) bool { return f-f == 0 && f != math.Trunc(f) }), false},
	}
	if divides {
		even, odd := s.is("even"), s.is("odd")
		even.strain, odd.strain = last, last
		whole := func(v testcase.Value) bool { return v.Kind == testcase.Int || v.Kind == testcase.Uint } // a type parameter may be a text
		list = append(list, shape{even, func(v testcase.Value) bool { return whole(v) && v.Bits%2 == 0 }, false},
			shape{odd, func(v testcase.Value) bool { return whole(v) && v.Bits%2 == 1 }, false})
	}
	if t != nil && basicIs(t, types.IsInteger) && !basicIs(t, types.IsUnsigned) {
		w := width(t)
		for _, x := range []int64{math.MaxInt64 >> (64 - w), math.MinInt64 >> (64 - w)} {
			if name, _ := extreme(x, t); name != "" {
				list = append(list, shape{s.equals(name, true), func(v testcase.Value) bool { return int64(v.Bits) == x }, true})
			}
		}
	}
	if t != nil && basicIs(t, types.IsUnsigned) {
		w := width(t)
		name := "MaxUint" + strconv.Itoa(int(w))
		list = append(list, shape{s.equals(name, true), func(v testcase.Value) bool { return v.Bits == math.MaxUint64>>(64-w) }, true})
	}
	return list
}

func truthSign(n int64) int { return bit(n > 0) - bit(n < 0) }

// stringShapes returns the shapes of strings. A shape about characters is among them only if the code asks
// for such characters.
func stringShapes(s subject, ask characters) []shape {
	in := func(f func(text string) bool) func(testcase.Value) bool {
		return func(v testcase.Value) bool { return v.Kind == testcase.String && f(v.Str) }
	}
	contains := func(what string, f func(r rune) bool) shape {
		return shape{s.does("contains " + what), in(func(t string) bool { return strings.ContainsFunc(t, f) }), false}
	}
	all := func(f func(r rune) bool) func(testcase.Value) bool {
		return in(func(t string) bool { return t != "" && !strings.ContainsFunc(t, func(r rune) bool { return !f(r) }) })
	}
	digit := func(r rune) bool { return '0' <= r && r <= '9' }
	list := []shape{
		{s.is("empty"), in(func(t string) bool { return t == "" }), true},
		{s.does("contains non-ASCII"), in(func(t string) bool { return strings.ContainsFunc(t, func(r rune) bool { return r >= utf8.RuneSelf }) }), false},
		{s.is("invalid UTF-8"), in(func(t string) bool { return !utf8.ValidString(t) }), false},
	}
	add := func(asked bool, shapes ...shape) {
		if asked {
			list = append(list, shapes...)
		}
	}
	spaces := ask.any || ask.space
	add(spaces, shape{s.is("blank"), all(unicode.IsSpace), false}, contains("a space", func(r rune) bool { return r == ' ' }),
		shape{s.does("begins with a space"), in(func(t string) bool { return t != "" && t[0] == ' ' }), false},
		shape{s.does("ends with a space"), in(func(t string) bool { return t != "" && t[len(t)-1] == ' ' }), false})
	add(spaces || ask.asks("\n"), contains("a newline", func(r rune) bool { return r == '\n' }))
	add(spaces || ask.asks("\t"), contains("a tab", func(r rune) bool { return r == '\t' }))
	add(ask.asks("\"'`"), contains("a quote", func(r rune) bool { return r == '"' || r == '\'' || r == '`' }))
	add(ask.asks("\\"), contains("a backslash", func(r rune) bool { return r == '\\' }))
	add(ask.any, contains("a control character", func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }))
	add(ask.any || ask.cases, contains("an upper-case letter", unicode.IsUpper))
	add(ask.any || ask.letters || ask.digits, slightly(shape{s.stands("without letters or digits"), in(func(t string) bool {
		return t != "" && !strings.ContainsFunc(t, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	}), false}))
	add(ask.any || ask.digits, contains("a digit", digit),
		shape{s.does("has leading zeros"), in(func(t string) bool { return len(t) > 1 && t[0] == '0' && digit(rune(t[1])) }), false},
		shape{s.does("has a sign"), in(func(t string) bool { return len(t) > 1 && (t[0] == '-' || t[0] == '+') && digit(rune(t[1])) }), false},
		shape{s.holdsWord("one digit"), in(func(t string) bool { return len(t) == 1 && digit(rune(t[0])) }), false},
		shape{s.holdsWord("several digits"), in(func(t string) bool {
			return len(t) > 1 && t[0] != '0' && !strings.ContainsFunc(t, func(r rune) bool { return !digit(r) })
		}), false})
	add(ask.any || ask.letters || ask.cases, shape{s.holdsWord("one letter"), in(func(t string) bool {
		r, k := utf8.DecodeRuneInString(t)
		return k == len(t) && unicode.IsLetter(r)
	}), false})
	return list
}

// slightly raises the cost of a shape, so that others are preferred.
func slightly(s shape) shape {
	s.phrase.strain = slight
	return s
}

// charactersOf returns the kinds of characters that the code asks a subject for. It returns none for parts of
// an input and for observers' results, because code seldom reads these character by character.
func (n *Namer) charactersOf(s subject, r reads) characters {
	if r.observers != 0 || s.strain >= last {
		return characters{}
	}
	if n.asked == nil {
		c := n.characters()
		n.asked = &c
	}
	return *n.asked
}

// holdsWord says that a text consists of characters of one class.
func (s subject) holdsWord(what string) phrase {
	if s.silent() || s.lone {
		return phrase{text: what, clause: s.clause + " is " + what}
	}
	return phrase{text: s.name + " of " + what, clause: s.clause + " is " + what}
}

// textShapes returns the shapes of byte slices that are read as text.
func textShapes(s subject, ask characters) []shape {
	list := stringShapes(s, ask)
	for i, sh := range list {
		list[i].holds = func(v testcase.Value) bool {
			if v.Kind != testcase.Slice && v.Kind != testcase.Nil {
				return false
			}
			text, isText := textOf(v)
			return (isText || v.Len == 0) && sh.holds(testcase.Value{Kind: testcase.String, Str: text, Len: len(text)})
		}
	}
	return list
}

// mostFields is how many fields a struct may have for names to speak of single fields.
const mostFields = 16

// addFields adds shapes of the exported fields of a struct, or of a struct that is pointed to, and the
// scripts of stubs in its fields.
func (n *Namer) addFields(i int, s subject, r reads, get func(*call) testcase.Value) {
	t := n.inputType(i)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() > mostFields || i >= n.inputs {
		return
	}
	for f := range st.NumFields() {
		v := st.Field(f)
		if !v.Exported() {
			continue
		}
		// A property of one field among several is rarely the reason for an outcome.
		sub := subject{name: v.Name(), clause: s.clause + "'s " + v.Name(), strain: last}
		if s.name == "" {
			sub.clause = v.Name()
		}
		switch {
		case basicIs(v.Type(), types.IsString):
			sub.one, sub.many = "byte", "bytes"
		case elemOf(v.Type()) != nil:
			sub.one, sub.many = nouns(v.Name())
		}
		field := func(c *call) testcase.Value {
			x := get(c)
			if x.Kind == testcase.Pointer && len(x.Elems) == 1 {
				x = x.Elems[0]
			}
			if x.Kind != testcase.Struct || len(x.Elems) != st.NumFields() {
				return testcase.Value{}
			}
			return x.Elems[f]
		}
		if nilable(v.Type()) {
			p := predicate{phrase: sub.isNil(), reads: r, place: placeInput + i}
			p.text, p.strain = "no "+v.Name(), slight
			n.add(p, ask(field, func(x testcase.Value) bool { return x.Kind == testcase.Nil }))
		}
		if n.enums.of(v.Type()) == nil {
			n.addShapes(sub, r, v.Type(), field)
		}
		n.addScripts(sub, r, placeInput+i, func(c *call) *stub { return c.fieldStubs[fieldOf{i, f}] }, field)
	}
}

// listShapes returns the shapes of slices and maps.
func listShapes(s subject) []shape {
	size := func(v testcase.Value) int { return v.Len }
	several := phrase{text: "several " + s.many, clause: s.clause + " has several " + s.many, strain: last}
	if !s.silent() && s.many != s.name {
		several.text += " in " + s.name
	}
	elems := func(v testcase.Value) []testcase.Value {
		if v.Kind != testcase.Slice || v.Cut || isBytes(v.Type) || isRunes(v.Type) { // a text is not seen as sorted bytes
			return nil
		}
		return v.Elems
	}
	runs := func(holds func(n int) bool) func(v testcase.Value) bool {
		return func(v testcase.Value) bool {
			list := elems(v)
			if ofAnything(v) {
				return false
			}
			for i := 1; i < len(list); i++ {
				if k, ok := order(list[i-1], list[i]); !ok || !holds(k) {
					return false
				}
			}
			return len(list) > 1
		}
	}
	// Two texts are in one order or the other by chance.
	tells := func(ordered func(testcase.Value) bool) func(testcase.Value) bool {
		return func(v testcase.Value) bool {
			list := elems(v)
			return ordered(v) && (len(list) > 2 || list[0].Kind != testcase.String)
		}
	}
	// The order of a list may have a property by coincidence, so these phrases are the last choice.
	sorted, descending, repeated := s.is("sorted"), s.is("descending"), s.does("has duplicates")
	sorted.strain, descending.strain, repeated.strain = last, last, last
	nils := func(v testcase.Value) int {
		n := 0
		for _, e := range elems(v) {
			if e.Kind == testcase.Nil {
				n++
			}
		}
		return n
	}
	filled := func(v testcase.Value) bool { return nils(v) == 0 }
	ofNils := func(text string) phrase {
		p := phrase{text: text, clause: s.clause + " has " + text}
		if !s.silent() && s.many != s.name {
			p.text += " in " + s.name
		}
		return p
	}
	return []shape{
		{ofNils("one nil " + s.one), func(v testcase.Value) bool { return size(v) == 1 && nils(v) == 1 }, false},
		{ofNils("only nil " + s.many), func(v testcase.Value) bool { return size(v) > 1 && nils(v) == size(v) }, false},
		{s.holds("", 0), func(v testcase.Value) bool {
			return (v.Kind == testcase.Slice || v.Kind == testcase.Map || v.Kind == testcase.Nil) && size(v) == 0
		}, true},
		{s.holds("", 1), func(v testcase.Value) bool { return size(v) == 1 && filled(v) }, true},
		{s.holds("", 2), func(v testcase.Value) bool { return size(v) == 2 && filled(v) }, false},
		{several, func(v testcase.Value) bool { return size(v) > 1 && filled(v) }, false},
		{sorted, tells(runs(func(k int) bool { return k <= 0 })), false},
		{descending, tells(runs(func(k int) bool { return k > 0 })), false},
		{equalPhrase(s), runs(func(k int) bool { return k == 0 }), false},
		{repeated, func(v testcase.Value) bool { return !ofAnything(v) && duplicates(elems(v)) }, false},
	}
}

// ofAnything reports whether a value is a list of values of any type. That such values are in order, or that one is there
// twice, is chance.
func ofAnything(v testcase.Value) bool {
	if v.Type == nil {
		return false
	}
	list, ok := v.Type.Underlying().(*types.Slice)
	return ok && types.IsInterface(list.Elem()) && !isTypeParam(list.Elem())
}

func equalPhrase(s subject) phrase {
	p := phrase{text: "equal " + s.many, clause: "the " + s.many + " of " + s.clause + " are equal"}
	if !s.silent() && s.many != s.name {
		p.text += " in " + s.name
	}
	return p
}

// duplicates reports whether two elements are equal.
func duplicates(list []testcase.Value) bool {
	const most = 4096
	if len(list) > most {
		return false
	}
	seen := make(map[string]bool, len(list))
	for _, v := range list {
		var b strings.Builder
		if !key(&b, v) {
			return false
		}
		if seen[b.String()] {
			return true
		}
		seen[b.String()] = true
	}
	return false
}

// addConstants adds predicates that compare a value with the declared constants that the function mentions:
// the value is the constant, or the number next to the constant.
func (n *Namer) addConstants(s subject, r reads, t types.Type, get func(*call) testcase.Value) {
	for _, c := range n.constants(t) {
		if n.enums.of(t) != nil {
			break
		}
		at := constantValue(c.Val(), t)
		if at.Kind == testcase.Invalid {
			continue
		}
		p := predicate{reads: r, place: n.placeOf(r), edge: true}
		p.phrase = s.equals(c.Name(), at.Kind != testcase.String)
		n.add(p, ask(get, func(v testcase.Value) bool { return valueEqual(v, at) }))
		if at.Kind == testcase.String {
			continue
		}
		for way, word := range []string{"just below ", "", "just above "} {
			if word == "" {
				continue
			}
			beside := constantValue(constant.BinaryOp(c.Val(), token.ADD, constant.MakeInt64(int64(way-1))), t)
			if beside.Kind == testcase.Invalid || wrap(beside).Bits != beside.Bits && beside.Kind != testcase.Float {
				continue
			}
			p.phrase = s.stands(word + c.Name())
			n.add(p, ask(get, func(v testcase.Value) bool { return valueEqual(v, beside) }))
		}
	}
}

// valueEqual reports whether two basic values are known to be equal.
func valueEqual(v, w testcase.Value) bool { return equal(v, w) == yes }

// divides reports whether the function takes remainders.
func (n *Namer) divides() bool {
	if n.decl == nil || n.decl.Body == nil {
		return false
	}
	found := false
	ast.Inspect(n.decl.Body, func(x ast.Node) bool {
		b, ok := x.(*ast.BinaryExpr)
		found = found || ok && b.Op == token.REM
		return !found
	})
	return found
}
