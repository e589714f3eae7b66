package plain

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// byteWords are the words for lists of bytes that may hold any text.
var byteWords = [...]string{"hello", "world", "foo", "bar", "baz"}

// Bytes returns a way that writes a word into the n-th list of bytes that looks as if nobody chose it,
// or into all such lists if n is negative: []byte("hello") instead of {0, 0}. If sameLength is set, a
// list keeps its length and gets letters.
func Bytes(n int, sameLength bool) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		meant, numbers := foreignArguments(pkg, c.Seq), readsNumbers(pkg, c)
		seen, words := 0, 0
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			old, ok := bytesOf(pkg, c.Seq, st)
			if !ok || meant[i] || !numbers && chosenText(pkg, c, old) || numbers && old != "" && strings.Trim(old, counting(len(old))) == "" {
				return st, false // somebody chose it
			}
			seen++
			if n >= 0 && seen != n+1 {
				return st, false
			}
			word := byteWords[words%len(byteWords)]
			words++
			if a, isArray := st.Op.Type.Underlying().(*types.Array); isArray || sameLength {
				length := len(old)
				if isArray {
					length = int(a.Len())
				}
				if length == 0 {
					return st, false
				}
				word = inOrder(length, (words-1)*length)
				if isArray {
					word = counting(length)
				}
			}
			if numbers && !isArray(st.Op.Type) {
				const enough = 16 // bytes, for a header or two numbers
				word = counting(cmp.Or(len(old), enough))
			}
			if word == old {
				return st, false
			}
			return bytesLiteral(st.Op.Type, word, out), true
		})
	}
}

// NamedBytes is Named for the lists of bytes of a type of the package whose name says which texts it holds: JSON.
func NamedBytes(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpZero && st.Op.Kind != testcase.OpConvert {
			return st, false
		}
		n, ok := types.Unalias(st.Op.Type).(*types.Named)
		if !ok || n.Obj().Pkg() != pkg.Types {
			return st, false
		}
		list, ok := n.Underlying().(*types.Slice)
		texts := TextsFor(pkg, n.Obj().Name())
		if !ok || len(texts) == 0 || !types.Identical(list.Elem(), types.Typ[types.Uint8]) {
			return st, false
		}
		if old, ok := listed(c.Seq, st); ok && slices.Contains(texts, old) {
			return st, false
		}
		return bytesLiteral(st.Op.Type, texts[0], out), true
	})
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// readsNumbers reports whether the function that a case is about reads or writes numbers as bytes. Words would be odd numbers there. The
// function mentions package encoding/binary itself, or is called Binary after the interfaces of package encoding, or comes by way of
// others to such numbers, or to bits, and to no function that reads or writes text.
func readsNumbers(pkg *load.Package, c *testcase.Case) bool {
	fn := c.Seq.At(c.TargetStmt()).Op.Func
	if fn == nil || pkg.Info == nil {
		return false
	}
	decl, found := pkg.Func(fn.Origin()), strings.HasSuffix(fn.Name(), "Binary")
	if decl == nil || decl.Body == nil {
		return false
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			name, isPackage := pkg.Info.Uses[id].(*types.PkgName)
			found = found || isPackage && name.Imported().Path() == "encoding/binary"
		}
		return !found
	})
	if found {
		return true
	}
	mentioned, bits := pkg.MentionsOf(fn)
	return (bits || mentioned["encoding/binary"] || mentioned["math/bits"]) && !slices.ContainsFunc(ofText[:], func(path string) bool { return mentioned[path] })
}

// ofText are packages of functions that read or write text.
var ofText = [...]string{"strings", "strconv", "unicode", "unicode/utf8", "encoding/json", "encoding/xml", "encoding/csv", "encoding/hex", "encoding/base64", "regexp", "text/scanner", "text/template", "html", "net/url", "net/textproto"}

// sentence is a text of several words, with small and capital letters.
const sentence = "The quick brown fox"

// Sentence returns the sequence of a case with a sentence in the place of its only list of bytes, if nobody chose that list. What
// a function makes of words does not show if it gets a single letter.
func Sentence(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	if readsNumbers(pkg, c) {
		return nil, false
	}
	meant := foreignArguments(pkg, c.Seq)
	at := -1
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		text, ok := bytesOf(pkg, c.Seq, st)
		if !ok {
			continue
		}
		if _, isArray := st.Op.Type.Underlying().(*types.Array); isArray {
			continue // arrays hold no text
		}
		if at >= 0 || meant[i] || text == "" || chosenText(pkg, c, text) {
			return nil, false
		}
		at = i
	}
	if at < 0 {
		return nil, false
	}
	return WithText(c.Seq, at, sentence)
}

// Octets returns the sequence of a case with the bytes 1, 2 and 3 in place of each list of bytes that its own call takes. Where
// bytes are numbers below a bound, no text will do.
func Octets(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	const few = 3
	own, meant := feeds(c), foreignArguments(pkg, c.Seq)
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if _, isList := st.Op.Type.(*types.Slice); !own[i] || meant[i] || !isList {
			return st, false
		}
		if _, ok := bytesOf(pkg, c.Seq, st); !ok {
			return st, false
		}
		return bytesLiteral(st.Op.Type, counting(few), out), true
	})
}

// message is what a json.RawMessage holds in tests.
const message = `{"name":"Ann","age":42}`

// Messages returns the sequence of a case with a document in place of texts that are passed as json.RawMessage and are none of JSON: whatever
// implements json.Marshaler would do there, and engines take what is short.
func Messages(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	texts := make(map[int]bool)
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpConvert || !load.IsNamed(st.Op.Type, "encoding/json", "RawMessage") {
			continue
		}
		if from := c.Seq.At(st.Args[0].Stmt).Op; (from.Kind == testcase.OpLiteral || from.Kind == testcase.OpZero) && !json.Valid([]byte(from.Lit.Str)) {
			texts[st.Args[0].Stmt] = true
		}
	}
	if len(texts) == 0 {
		return nil, false
	}
	return rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if !texts[i] {
			return st, false
		}
		lit := testcase.Literal{Kind: testcase.LitString, Str: message}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: lit}}, true
	})
}

// inOrder returns the given number of letters in the order of the alphabet, from the one with the number first on, or of
// digits if there are more than the alphabet has: their length is easier to see.
func inOrder(length, first int) string {
	begin, n := byte('a'), 26
	if length > n {
		begin, n = '0', 10
	}
	out := make([]byte, length)
	for i := range out {
		out[i] = begin + byte(((first+i)%n+n)%n)
	}
	return string(out)
}

// counting returns the bytes 1, 2, 3, ..., for arrays of bytes, which hold no text.
func counting(length int) string {
	out := make([]byte, length)
	for i := range out {
		out[i] = byte(i + 1)
	}
	return string(out)
}

// chosenText reports whether bytes look as if somebody chose them: they have a printable word, or text
// that the package spells out.
func chosenText(pkg *load.Package, c *testcase.Case, text string) bool {
	if text == "" {
		return false
	}
	if pkg.Literals != nil {
		v := vocabulary{all: pkg.Literals, near: pkg.Literals.ByFunc[c.Target]}
		if v.has(text) {
			return true
		}
		r, size := utf8.DecodeRuneInString(text)
		if size == len(text) && unicode.IsPrint(r) && v.separates(r) {
			return true
		}
	}
	if !utf8.ValidString(text) || len(text) == 1 {
		return false
	}
	same := true
	for _, r := range text {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
		same = same && byte(r) == text[0]
	}
	return !same
}

// bytesOf returns the bytes that a statement lists. It returns false if the statement's type is no slice or
// array of bytes, or if an element is no constant. Bytes of a type of another package have a meaning, like
// those of an address, and so have slices of a type that the package declares. Arrays of a type that the
// package declares count as bytes, because an array of different bytes shows more than the zero value.
func bytesOf(pkg *load.Package, s *testcase.Sequence, st testcase.Statement) (string, bool) {
	if st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpZero {
		return "", false
	}
	var elem types.Type
	length := st.Op.N
	switch u := st.Op.Type.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem, length = u.Elem(), int(u.Len())
	default:
		return "", false
	}
	if n := load.NamedOf(st.Op.Type); n != nil && n.Obj().Pkg() != nil {
		if _, isArray := n.Underlying().(*types.Array); !isArray || n.Obj().Pkg().Path() != pkg.Path {
			return "", false
		}
	}
	const longest = 2048 // written as repeated digits
	if b, ok := types.Unalias(elem).(*types.Basic); !ok || b.Kind() != types.Uint8 || length > longest {
		return "", false
	}
	return listed(s, st)
}

// listed returns the bytes that a statement lists, and false if one is no constant.
func listed(s *testcase.Sequence, st testcase.Statement) (string, bool) {
	length := st.Op.N
	if a, ok := st.Op.Type.Underlying().(*types.Array); ok {
		length = int(a.Len())
	}
	out := make([]byte, max(length, len(st.Args)))
	for k, a := range st.Args {
		at := k
		if st.Op.Elems != nil {
			at = st.Op.Elems[k]
		}
		op := s.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || at >= len(out) {
			return "", false
		}
		out[at] = byte(op.Lit.Bits)
	}
	return string(out), true
}

// BytesOf appends a list of bytes of type t to a sequence under construction: the bytes of a text.
func BytesOf(b *testcase.Builder, t types.Type, text string) testcase.Ref {
	var args []testcase.Ref
	for i := range len(text) {
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Uint8], Lit: testcase.Literal{Kind: testcase.LitUint, Bits: uint64(text[i])}}))
	}
	return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t, N: len(text)}, args...)
}

// bytesLiteral appends the bytes of a text as elements and returns the statement that lists them.
func bytesLiteral(t types.Type, text string, out *[]testcase.Statement) testcase.Statement {
	var args []testcase.Ref
	for _, b := range []byte(text) {
		args = append(args, testcase.Ref{Stmt: len(*out)})
		lit := testcase.Literal{Kind: testcase.LitUint, Bits: uint64(b)}
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Uint8], Lit: lit}})
	}
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t, N: len(text)}, Args: args}
}

// Lists returns a way that gives elements to the n-th empty list of constants, except lists of bytes:
// {3, 5, 7} instead of nil.
func Lists(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		meant := foreignArguments(pkg, c.Seq)
		names := parameterNames(c.Seq)
		choose := distinct(whole)(pkg, c)
		seen := 0
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			u, ok := st.Op.Type, st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite && len(st.Args) == 0 && st.Op.N == 0
			if !ok || meant[i] {
				return st, false
			}
			list, ok := u.Underlying().(*types.Slice)
			if !ok {
				return st, false
			}
			zero := &testcase.Operation{Kind: testcase.OpZero, Type: list.Elem()}
			if !changeable(pkg, zero) {
				return st, false
			}
			if seen++; seen != n+1 {
				return st, false
			}
			const elements = 3
			made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: u, N: elements}}
			for range elements {
				made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
				lit := choose(zero, names[i])
				*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: list.Elem(), Lit: lit}})
			}
			return made, true
		})
	}
}

// Elements returns the sequence of a case in which lists of one text over and over have different texts: which of them is where, and
// whether one is left out, does not show on equal ones.
func Elements(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	foreign := foreignArguments(pkg, c.Seq)
	words := []string{"abc", "def", "ghi", "jkl"}
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if foreign[i] || st.Op.Kind != testcase.OpComposite || len(st.Args) > len(words) || !allAlike(c.Seq, st) || IsEnumeration(pkg, st.Op.Type.Underlying().(*types.Slice).Elem()) {
			return st, false
		}
		first := c.Seq.At(st.Args[0].Stmt).Op
		if first.Lit.Kind != testcase.LitString || first.Choice != nil {
			return st, false
		}
		made := testcase.Statement{Op: st.Op}
		for k := range st.Args {
			made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: first.Type, Lit: testcase.Literal{Kind: testcase.LitString, Str: words[k]}}})
		}
		return made, true
	})
}

// Separators returns the sequence of a case with a hyphen for each zero byte that a function of the
// package takes as a separator, by the parameter's name.
func Separators(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	names := parameterNames(c.Seq)
	foreign := foreignArguments(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		op := st.Op
		if foreign[i] || op.Kind != testcase.OpZero && (op.Kind != testcase.OpLiteral || op.Lit.Bits != 0) || op.Choice != nil || !separates(names[i]) {
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		if !ok || b.Kind() != types.Uint8 && b.Name() != "rune" || IsEnumeration(pkg, op.Type) {
			continue
		}
		kind, t := testcase.LitUint, op.Type
		switch {
		case b.Kind() != types.Uint8:
			kind = testcase.LitInt
		case t == types.Typ[types.Uint8]:
			t = types.Universe.Lookup("byte").Type() // the byte is written as a character
		}
		stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: kind, Bits: '-'}}
		changed = true
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// separates reports whether a parameter has the name of a separator between parts of a text.
func separates(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc([]string{"sep", "delim", "comma", "glue", "joiner"}, func(part string) bool { return strings.Contains(lower, part) })
}

// Relettered returns a way that puts a letter in the place of each byte that does not print, the same one in all texts, bytes and single
// bytes of a case: a search for "xy" in "xxy" in place of one for {1, 0} in {1, 1, 0}. If separated is set, the first byte that is passed
// by itself becomes a comma, because such a byte is mostly looked for between others.
func Relettered(separated bool) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		foreign := foreignArguments(pkg, c.Seq)
		single := singleBytes(pkg, c.Seq)
		letter := relettering{given: make(map[byte]byte), used: make(map[byte]bool)}
		for i := range c.Seq.Len() {
			if text, ok := TextOf(pkg, c.Seq, i); ok {
				letter.use(text)
			}
		}
		maps.DeleteFunc(single, func(_ int, b byte) bool { return !letter.used[b] }) // what is in no text may be a number
		for i := range c.Seq.Len() {
			if b, ok := single[i]; ok && separated && !isReadable(b) && len(letter.given) == 0 && !letter.used[','] {
				letter.given[b] = ','
			}
		}
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			if b, ok := single[i]; ok {
				lit := testcase.Literal{Kind: testcase.LitUint, Bits: uint64(letter.of(b))}
				return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Universe.Lookup("byte").Type(), Lit: lit}}, letter.of(b) != b
			}
			text, ok := TextOf(pkg, c.Seq, i)
			readable := letter.text(text)
			if !ok || foreign[i] || readable == text {
				return st, false
			}
			if _, isSlice := st.Op.Type.Underlying().(*types.Slice); isSlice {
				return bytesLiteral(st.Op.Type, readable, out), true
			}
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: st.Op.Type, Lit: testcase.Literal{Kind: testcase.LitString, Str: readable}}}, true
		})
	}
}

// singleBytes returns the bytes that calls of the package are passed by themselves, by the statements that make them.
func singleBytes(pkg *load.Package, s *testcase.Sequence) map[int]byte {
	out := make(map[int]byte)
	for i := range s.Len() {
		st := s.At(i)
		if !ownCall(pkg, st.Op) {
			continue
		}
		for k, a := range st.Args {
			op := s.At(a.Stmt).Op
			if isByte(st.Op, k-st.Op.FirstParam()) && op.Choice == nil && (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) {
				out[a.Stmt] = byte(op.Lit.Bits)
			}
		}
	}
	return out
}

// isByte reports whether a parameter is declared as a byte, and not as a uint8, which is a number.
func isByte(op *testcase.Operation, param int) bool {
	params := op.Signature().Params()
	return 0 <= param && param < params.Len() && params.At(param).Type() == types.Universe.Lookup("byte").Type()
}

// isReadable reports whether a byte is a character that people read or part of one.
func isReadable(b byte) bool { return b >= ' ' && b != 0x7f || b == '\n' || b == '\t' || b == '\r' }

// relettering gives bytes that do not print letters that no text of a case has.
type relettering struct {
	given map[byte]byte
	used  map[byte]bool
}

func (l relettering) use(text string) {
	for _, b := range []byte(text) {
		l.used[b] = true
	}
}

func (l relettering) of(b byte) byte {
	if isReadable(b) {
		return b
	}
	if _, ok := l.given[b]; !ok {
		l.given[b] = b
		for _, c := range []byte("xyzbcdefghijklmnopqrstuvwa") { // an "a" by itself is a word, and would pass for a text that people write
			if !l.used[c] {
				l.given[b], l.used[c] = c, true
				break
			}
		}
	}
	return l.given[b]
}

func (l relettering) text(text string) string {
	out := []byte(text)
	for i, b := range out {
		out[i] = l.of(b)
	}
	return string(out)
}
