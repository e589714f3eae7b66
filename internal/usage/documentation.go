package usage

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sentences splits documentation into sentences.
func sentences(doc string) []string {
	var out []string
	start := 0
	for i := 0; i < len(doc); i++ {
		if (doc[i] == '.' || doc[i] == ';' || doc[i] == '!') && (i+1 == len(doc) || doc[i+1] == ' ') {
			// A dot in "e.g. ", "i.e. " or behind an initial ends no sentence.
			if i > 1 && doc[i-2] == '.' {
				continue
			}
			out = append(out, strings.TrimSpace(doc[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(doc[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// firstSentence returns the first sentence for which ok holds, or "" if there is none.
func firstSentence(doc string, ok func(lower string) bool) string {
	for _, s := range sentences(doc) {
		if ok(strings.ToLower(s)) {
			return s
		}
	}
	return ""
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// Quote shortens a sentence of documentation for use as evidence.
func Quote(sentence string) string {
	const most = 90
	if r := []rune(sentence); len(r) > most {
		sentence = string(r[:most-3]) + "..."
	}
	return fmt.Sprintf("“%s”", sentence)
}

// docs returns the documentation that binds the callers of a function: its own, and the documentation of
// interface methods and function types of the package that it implements.
func (r *Rules) docs(fn *types.Func) []string {
	var out []string
	if f := r.facts(fn); f != nil && f.doc != "" {
		out = append(out, f.doc)
	}
	return append(out, r.declared(fn)...)
}

// declared returns the documentation of the interfaces and function types of the package that a
// function implements.
func (r *Rules) declared(fn *types.Func) []string {
	sig := fn.Signature()
	var recv types.Type
	if sig.Recv() != nil {
		recv = sig.Recv().Type()
	}
	var out []string
	for _, d := range r.Pkg.TypeDecls() {
		comment := oneLine(d.Spec.Doc.Text())
		if len(d.In.Specs) == 1 {
			comment = oneLine(d.In.Doc.Text() + " " + comment)
		}
		switch u := d.Object.Type().Underlying().(type) {
		case *types.Interface:
			it, ok := d.Spec.Type.(*ast.InterfaceType)
			if ok && recv != nil && !u.Empty() && (types.Implements(recv, u) || types.Implements(types.NewPointer(recv), u)) {
				if m := methodComment(it, fn.Name()); m != "" {
					out = append(out, m)
				}
			}
		case *types.Signature:
			if recv == nil && comment != "" && u.Params().Len() > 1 && types.Identical(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()), u) {
				out = append(out, comment)
			}
		}
	}
	return out
}

// methodComment returns the comment of an interface's method.
func methodComment(it *ast.InterfaceType, name string) string {
	for _, m := range it.Methods.List {
		if len(m.Names) == 1 && m.Names[0].Name == name {
			return oneLine(m.Doc.Text() + " " + m.Comment.Text())
		}
	}
	return ""
}

// denials are the words by which documentation says that a function does not panic.
var denials = []string{"not panic", "never panic", "without panic", "no panic", "n't panic", "instead of panic"}

// DeniesPanic returns the sentence of documentation that says that a function does not panic, or "" if there is none.
func (r *Rules) DeniesPanic(fn *types.Func) string {
	for _, doc := range r.docs(fn) {
		said := firstSentence(doc, func(s string) bool { return !ofOthers(s, fn.Signature()) && containsAny(s, denials...) })
		if said != "" {
			return Quote(said)
		}
	}
	return ""
}

// Announced returns the sentence of documentation that says that a function panics, or, for a function called
// Must, the convention. Such sentences in the standard library are "It panics if count is negative"
// (strings.Repeat), "MustCompile is like Compile but panics" (regexp).
func (r *Rules) Announced(fn *types.Func) string {
	for _, doc := range r.docs(fn) {
		said := firstSentence(doc, func(s string) bool {
			if ofOthers(s, fn.Signature()) {
				return false
			}
			for _, denial := range denials {
				s = strings.ReplaceAll(s, denial, "")
			}
			return strings.Contains(s, "panic")
		})
		if said != "" {
			return Quote(said)
		}
	}
	if name := fn.Name(); strings.HasPrefix(name, "Must") && (len(name) == 4 || name[4] < 'a') || strings.HasSuffix(name, "Must") {
		return "functions that are called Must panic instead of returning an error"
	}
	return ""
}

// AnnouncesLater returns the sentence of a method's documentation that says that calls after it panic: "Any methods that would modify
// Document fields will panic" (Freeze of FerretDB's wirebson).
func (r *Rules) AnnouncesLater(fn *types.Func) string {
	for _, doc := range r.docs(fn) {
		said := firstSentence(doc, func(s string) bool {
			later := containsAny(s, "any method", "all methods", "other methods", "methods that", "any further", "further call", "subsequent", "later call", "afterwards")
			return later && containsAny(s, "panic") && !containsAny(s, "not panic", "never panic", "n't panic")
		})
		if said != "" {
			return Quote(said)
		}
	}
	return ""
}

// EndsUse returns the sentence of documentation by which a function is the last that an object may be passed to: "Do not use the playlist
// after this" (ReleasePlaylist of hls-m3u8), "It is forbidden accessing req and/or its members after returning it to request pool"
// (ReleaseRequest of fasthttp), "ByteBuffer.B mustn't be touched after returning it to the pool" (Put of bytebufferpool).
func (r *Rules) EndsUse(fn *types.Func) string {
	for _, doc := range r.docs(fn) {
		said := firstSentence(doc, func(s string) bool {
			no := containsAny(s, "do not ", "don't ", "must not be", "mustn't be", "should not be", "shouldn't be", "cannot be", "can't be", "may not be", "no longer be", "not safe to", "forbidden")
			return no && containsAny(s, "use", "access", "touch") && containsAny(s, "after", "afterwards", "any more", "anymore", "again", "no longer") && !containsAny(s, "until ")
		})
		if said != "" {
			return Quote(said)
		}
	}
	return ""
}

// ofOthers reports whether a sentence speaks of panics in functions that are passed, and not of a function's own:
// "If f panics, Do considers it to have returned" (sync.Once), "Go calls f, which must not panic" (sync.WaitGroup),
// "If a panic occurs in the request, the CircuitBreaker handles it" (gobreaker).
func ofOthers(lower string, sig *types.Signature) bool {
	if containsAny(lower, "panic occurs", "panic happens", "recovers from", "recover from", "recovers a panic", "recovers panics") {
		return true
	}
	for p := range sig.Params().Variables() {
		if _, ok := p.Type().Underlying().(*types.Signature); ok && p.Name() != "" && containsAny(" "+lower, " "+strings.ToLower(p.Name())+" panics", " "+strings.ToLower(p.Name())+", which must not panic") {
			return true
		}
	}
	return false
}

// Asks returns a sentence of documentation that asks something of the callers of a function, other than
// not to pass nil: "The function is never called with an empty data slice" (bufio.SplitFunc), "The
// index i must be in the range" (container/heap). If the sentence speaks of callers, or of inputs that
// a function is never called with, it excludes inputs of any kind. If it only says how a text has to
// be, a function that returns errors can still refuse other texts.
func (r *Rules) Asks(fn *types.Func) (sentence string, excludes bool) {
	sig := fn.Signature()
	for _, doc := range r.docs(fn) {
		for _, s := range sentences(doc) {
			lower := strings.ToLower(s)
			if strings.Contains(lower, "nil") {
				continue // the sentence excludes only nil, which Nil handles
			}
			if containsAny(lower, "never called with", "caller must", "callers must", "caller should", "callers should", "caller is responsible", "caller's responsibility", "caller has to", "undefined behavior", "behavior is undefined", "result is undefined", "results are undefined", "is unspecified") ||
				containsAny(lower, "must be called", "should be called", "only be called", "has to be called", "call this after") && containsAny(lower, "after", "before", "once", "have been", "has been") && !containsAny(lower, "at least once", "only once", "more than once") {
				return Quote(s), true
			}
			if containsAny(lower, "must ", "should not", "may not be", "at least", "undefined", "is required to") && r.mentions(lower, sig) {
				return Quote(s), false
			}
		}
	}
	return "", false
}

// mentions reports whether a sentence is about an input of a function: whether it names a parameter or the
// receiver's type, or speaks of arguments.
func (r *Rules) mentions(lower string, sig *types.Signature) bool {
	if containsAny(lower, "argument", "they must", "it must", "receiver", "index", "the length", "the slice") {
		return true
	}
	words := strings.FieldsFunc(lower, func(c rune) bool {
		return c != '_' && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')
	})
	for p := range sig.Params().Variables() {
		if n := strings.ToLower(p.Name()); n != "" && n != "a" && slices.Contains(words, n) {
			return true
		}
	}
	if sig.Recv() != nil {
		if n := load.NamedOf(sig.Recv().Type()); n != nil {
			return slices.Contains(words, strings.ToLower(n.Obj().Name())) || len(sig.Recv().Name()) > 1 && slices.Contains(words, strings.ToLower(sig.Recv().Name()))
		}
	}
	return false
}

// typeDoc returns the documentation of a declared type.
func (r *Rules) typeDoc(named *types.Named) string {
	for _, d := range r.Pkg.TypeDecls() {
		if d.Object != named.Origin().Obj() {
			continue
		}
		if d.Spec.Doc != nil || len(d.In.Specs) > 1 {
			return oneLine(d.Spec.Doc.Text())
		}
		return oneLine(d.In.Doc.Text())
	}
	return ""
}

// NotEmpty returns the sentence by which the documentation of a struct of the package, or the comment of one of its fields, says
// that a list in that field has elements: "Lists are always non-empty: len(Items) > 0" (go/doc/comment), "len(List) > 0" (go/ast).
func (r *Rules) NotEmpty(named *types.Named, field *types.Var) string {
	name := strings.ToLower(field.Name())
	says := func(lower string) bool {
		return strings.Contains(lower, "len("+name+") > 0") || strings.Contains(lower, "len("+name+") >= 1") ||
			containsWord(lower, name) && containsAny(lower, "non-empty", "not be empty", "never empty", "not empty", "at least one")
	}
	if said := firstSentence(r.typeDoc(named), says); said != "" {
		return Quote(said)
	}
	for _, d := range r.Pkg.TypeDecls() {
		st, ok := d.Spec.Type.(*ast.StructType)
		if !ok || d.Object != named.Origin().Obj() {
			continue
		}
		for _, f := range st.Fields.List {
			for _, id := range f.Names {
				if r.Pkg.Info.Defs[id] != field.Origin() {
					continue
				}
				about := name + ": "
				if said := firstSentence(oneLine(f.Doc.Text()+" "+f.Comment.Text()), func(lower string) bool { return says(about + lower) }); said != "" {
					return Quote(said)
				}
			}
		}
	}
	return ""
}
