package usage

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Data says which data from outside a function takes: a noun for use in evidence, or "" if it takes none.
// Code has to cope with text and bytes of any content, and with values that it decodes from them. Single
// characters at the end, which a caller writes one by one, are no data, nor are bytes that a function appends to.
func Data(fn *types.Func) string {
	sig := fn.Signature()
	for i := range sig.Params().Len() {
		if i == 0 && Appends(fn) {
			continue
		}
		t := sig.Params().At(i).Type()
		if list, ok := t.Underlying().(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
			t = list.Elem()
		}
		if d := dataOf(t); d != "" {
			return d
		}
	}
	if IsHandler(fn) {
		return "request"
	}
	return ""
}

// IsHandler reports whether a function answers an HTTP request that it takes: what is in the request comes from outside, and the answer can say
// that it is bad.
func IsHandler(fn *types.Func) bool {
	var writer, request bool
	for v := range fn.Signature().Params().Variables() {
		switch types.TypeString(v.Type(), nil) {
		case "net/http.ResponseWriter":
			writer = true
		case "*net/http.Request":
			request = true
		}
	}
	return writer && request
}

// Appends reports whether a function appends to the bytes that it is passed first, and returns them: encoding.BinaryAppender's AppendBinary,
// netip.Addr's AppendTo, hash.Hash's Sum, and the Append of quic-go's frames. The bytes are a buffer, which nobody looks into.
func Appends(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Params().Len() == 0 || sig.Results().Len() == 0 || dataOf(sig.Params().At(0).Type()) != "bytes" || !types.Identical(sig.Params().At(0).Type(), sig.Results().At(0).Type()) {
		return false
	}
	name := strings.ToLower(fn.Name())
	return strings.Contains(name, "append") || name == "sum" || sig.Params().At(0).Name() == "dst"
}

// IsData reports whether a type is one of texts or bytes.
func IsData(t types.Type) bool { return dataOf(t) != "" }

func dataOf(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return "text"
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok {
			switch {
			case b.Kind() == types.Byte:
				return "bytes"
			case b.Kind() == types.Int32 && types.Unalias(u.Elem()) != types.Typ[types.Int32], b.Info()&types.IsString != 0:
				return "text"
			}
		}
	}
	return ""
}

// Refuses says whether a function can refuse bad input: it returns an error, and does so at some of its
// returns.
func (r *Rules) Refuses(fn *types.Func) Word {
	f := r.facts(fn)
	if f == nil || !gosyntax.ReturnsError(fn.Signature()) {
		return Word{}
	}
	if f.errors == 0 && !f.naked && fn.Signature().Params().Len() == 0 {
		return Word{} // it takes nothing, and its error is nil in every return statement, for an interface's sake or that of older callers
	}
	if f.errors == 0 {
		return Word{Allowed: true, Evidence: fmt.Sprintf("%s can return an error", testcase.TargetName(fn)), Rank: Usual}
	}
	times := "times"
	if f.errors == 1 {
		times = "time"
	}
	return Word{Allowed: true, Evidence: fmt.Sprintf("%s returns errors (%d %s in its source)", testcase.TargetName(fn), f.errors, times), Rank: Shown}
}

// IsDeprecated reports whether the documentation of a function, or of the package, has a paragraph that begins with "Deprecated:".
func (r *Rules) IsDeprecated(fn *types.Func) bool {
	says := func(doc *ast.CommentGroup) bool {
		return doc != nil && slices.ContainsFunc(strings.Split(doc.Text(), "\n\n"), func(paragraph string) bool { return strings.HasPrefix(paragraph, "Deprecated: ") })
	}
	if fd := r.Pkg.Func(fn.Origin()); fd != nil && says(fd.Doc) {
		return true
	}
	return slices.ContainsFunc(r.Pkg.Syntax, func(f *ast.File) bool { return says(f.Doc) })
}

// SaysNo says by which result a function can say that what it is passed is bad: by an error, by a bool, or by nil in place of a pointer or
// an interface, if it returns nil anywhere.
func (r *Rules) SaysNo(fn *types.Func) Word {
	if word := r.Refuses(fn); word.Allowed {
		return word
	}
	for v := range fn.Signature().Results().Variables() {
		if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			return Word{Allowed: true, Evidence: testcase.TargetName(fn) + " can answer false", Rank: Usual}
		}
	}
	if f := r.facts(fn); f != nil && f.none > 0 {
		return Word{Allowed: true, Evidence: testcase.TargetName(fn) + " returns nil", Rank: Shown}
	}
	if IsHandler(fn) {
		return Word{Allowed: true, Evidence: testcase.TargetName(fn) + " can answer that the request is bad", Rank: Usual}
	}
	return Word{}
}

// Compares reports whether a function compares a parameter with something, or takes its length.
func (r *Rules) Compares(fn *types.Func, param *types.Var) bool {
	f := r.facts(fn)
	return f != nil && f.bounds[param.Origin()]
}

// Checks says which other methods of the type check a field that this method uses unchecked: they look at its
// length, or compare it.
func (r *Rules) Checks(fn *types.Func, field *types.Var) Word {
	own := r.facts(fn)
	if own == nil || field == nil {
		return Word{}
	}
	if b, ok := field.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
		return Word{} // a comparison of a number is no check of bounds
	}
	if own.bounds[field.Origin()] || own.nils[field.Origin()] {
		return Word{}
	}
	var others []string
	for _, f := range r.all {
		if f.fn != fn.Origin() && f.fn.Signature().Recv() != nil && (f.bounds[field.Origin()] || f.nils[field.Origin()]) {
			others = append(others, testcase.TargetName(f.fn))
		}
	}
	if len(others) == 0 {
		return Word{}
	}
	what := "looks"
	if len(others) > 1 {
		what = "look"
	}
	return Word{Allowed: true, Evidence: fmt.Sprintf("%s %s at %s first, %s does not", list(others), what, field.Name(), testcase.TargetName(fn)), Rank: Shown}
}

// list joins names for a sentence. It has at most three of them.
func list(names []string) string {
	switch {
	case len(names) == 1:
		return names[0]
	case len(names) <= 3:
		return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	return fmt.Sprintf("%s and %d others", names[0], len(names)-1)
}

// Asked names the method by which a caller can find out beforehand whether a call without data makes
// sense: Len, Size, Empty, IsEmpty or HasNext of its type. (container/list, btree and deque leave such
// questions to their callers.)
func (r *Rules) Asked(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	named := load.NamedOf(recv.Type())
	if named == nil {
		return ""
	}
	for _, name := range []string{"Len", "Size", "Empty", "IsEmpty", "HasNext", "Count", "Length"} {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, r.Pkg.Types, name)
		if m, ok := obj.(*types.Func); ok && m != fn && m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 1 {
			return name
		}
	}
	return ""
}

// Mover names the method that moves the iterator whose element fn returns: Next or Scan, which reports
// by a bool whether there is an element. It is "" if fn is no method of such an iterator. (For
// bufio.Scanner, sql.Rows and reflect.MapIter, calling fn before that is undefined, an error, and a
// panic.)
func Mover(fn *types.Func) string {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() != 0 || sig.Results().Len() == 0 || Moves(fn) {
		return ""
	}
	named := load.NamedOf(sig.Recv().Type())
	if named == nil {
		return ""
	}
	for _, name := range []string{"Next", "MoveNext", "Scan", "Advance"} {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, fn.Pkg(), name)
		if m, ok := obj.(*types.Func); ok && Moves(m) {
			return named.Obj().Name() + "." + name
		}
	}
	return ""
}

// Moves reports whether a method may move an iterator: its only result is a bool that says whether
// there is an element, as for Next and First.
func Moves(m *types.Func) bool {
	sig := m.Signature()
	if sig.Recv() == nil || sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// ErrorsAs says what errors.As asks of its target if fn is the method As of an error, by which the error takes
// part in that function, or "" if it is not. The package errors passes only pointers to such a method.
func ErrorsAs(fn *types.Func) string {
	sig := fn.Signature()
	if sig.Recv() == nil || fn.Name() != "As" || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return ""
	}
	i, ok := sig.Params().At(0).Type().Underlying().(*types.Interface)
	fails := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	if !ok || !i.Empty() || !types.Implements(sig.Recv().Type(), fails) {
		return ""
	}
	return "errors.As panics if its target is no pointer to an error or to an interface"
}

// Reflects reports whether a function takes a value of any type beside a reflect.Kind or a reflect.Type, which
// describe the value or what becomes of it: the hooks of mapstructure, of koanf and of viper do, and reflect.Zero and
// Value.Convert are called so. A caller who describes another value than the one that is passed breaks the agreement.
func Reflects(fn *types.Func) bool {
	described, anything := false, false
	for p := range fn.Signature().Params().Variables() {
		switch types.TypeString(p.Type(), nil) {
		case "reflect.Kind", "reflect.Type":
			described = true
		case "reflect.Value":
			anything = true
		}
		if i, ok := p.Type().Underlying().(*types.Interface); ok && i.Empty() {
			anything = true
		}
	}
	return described && anything
}

// CalledBy names the convention by which a package of the standard library calls a method, with arguments
// that the package guarantees, or "" if there is none.
func CalledBy(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	switch fn.Name() {
	case "Less", "Swap", "Pop", "Push":
	default:
		return ""
	}
	named := load.NamedOf(recv.Type())
	if named == nil {
		return ""
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	for _, want := range []struct {
		name   string
		params int
	}{{"Len", 0}, {"Less", 2}, {"Swap", 2}} {
		m := methods.Lookup(named.Obj().Pkg(), want.name)
		if m == nil || m.Type().(*types.Signature).Params().Len() != want.params {
			return ""
		}
	}
	if fn.Name() == "Pop" || fn.Name() == "Push" {
		return "container/heap"
	}
	return "package sort"
}

// NamesClosed returns the package's variable for the error that methods return if their object was closed before, as
// os.ErrClosed and net.ErrClosed are, or "" if there is none.
func (r *Rules) NamesClosed() string {
	scope := r.Pkg.Types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && strings.HasPrefix(strings.ToLower(name), "err") && strings.Contains(name, "Closed") && gosyntax.IsError(v.Type()) {
			return name
		}
	}
	return ""
}

// ClosesAgain reports whether the documentation of a method says that it may be called more than once.
func (r *Rules) ClosesAgain(fn *types.Func) bool {
	return slices.ContainsFunc(r.docs(fn), func(doc string) bool {
		return containsAny(strings.ToLower(doc), "more than once", "multiple times", "several times", "idempotent", "no-op", "noop", "again", "repeated", "already closed")
	})
}

// kindWords are the words by which documentation says which kind of value it means, by the kind.
var kindWords = map[string][]string{
	"list":     {"array", "arrays", "slice", "slices", "collection", "collections", "list", "iteratee"},
	"map":      {"map", "maps", "collection", "collections", "iteratee"},
	"struct":   {"struct", "structs"},
	"function": {"function", "func", "callback"},
	"channel":  {"channel", "chan"},
}

// Kinds returns the kinds of values of which the documentation of a function speaks, if it takes a value of any type: "list", "map",
// "struct", "function" or "channel".
func (r *Rules) Kinds(fn *types.Func) []string {
	var out []string
	for _, doc := range r.docs(fn) {
		words := strings.FieldsFunc(strings.ToLower(doc), func(c rune) bool { return !unicode.IsLetter(c) })
		for _, kind := range []string{"list", "map", "struct", "function", "channel"} {
			if !slices.Contains(out, kind) && slices.ContainsFunc(kindWords[kind], func(w string) bool { return slices.Contains(words, w) }) {
				out = append(out, kind)
			}
		}
	}
	return out
}

// KindOf returns the kind of a type's values in the words of Kinds, behind pointers as well, another word if it is none of
// these, or "" for an interface, whose values may be of any kind.
func KindOf(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return "list"
	case *types.Map:
		return "map"
	case *types.Struct:
		return "struct"
	case *types.Signature:
		return "function"
	case *types.Chan:
		return "channel"
	case *types.Interface:
		return ""
	}
	return "other"
}
