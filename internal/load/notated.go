package load

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/notation"
)

// Notated returns the notation in which a parameter of a function of the package takes its text: a string, bytes, or what
// a reader reads. Examples of the package's README and of its doc comments come first. It returns nil if no notation is known.
//
// UnmarshalJSON is passed a JSON text of what its type is written as, if that is known: a version in quotes.
func (pkg *Package) Notated(f *types.Func, param int) *notation.Notation {
	n, shown := pkg.notationOf(f, param), pkg.ShownTo(f, param)
	if n == nil && len(shown) == 0 {
		return nil
	}
	if n == nil {
		n = &notation.Notation{}
	}
	out := &notation.Notation{Accepted: slices.Clone(n.Accepted), Refused: n.Refused}
	if pkg.Literals != nil {
		for _, example := range slices.Backward(pkg.Literals.Fenced) {
			if n.Is(example.Language) {
				out.Accepted = slices.Insert(out.Accepted, 0, notation.Text{Name: "example of the README", Value: example.Text})
			}
		}
	}
	out.Accepted = append(shown, out.Accepted...)
	return out
}

// NamesPlace reports whether the name of a parameter says that it is not a text but where one is: a file, or a host.
func NamesPlace(v *types.Var) bool {
	words := gosyntax.Words(v.Name())
	places := []string{"file", "filename", "path", "name", "dir", "addr", "address", "url", "uri", "host", "endpoint", "network", "dsn"}
	return len(words) > 0 && slices.Contains(places, words[len(words)-1])
}

// ShownTo returns the examples in doc comments that are texts for a parameter: those of the function's own comment, those of its
// receiver's type, and, for functions that read, those of the package's comment, and those of its README that are in a language nobody else reads. Where a function takes two texts nobody knows
// which of them is shown.
func (pkg *Package) ShownTo(f *types.Func, param int) []notation.Text {
	params := f.Signature().Params()
	if pkg.Literals == nil || len(pkg.Literals.Shown)+len(pkg.Literals.Fenced) == 0 || f.Pkg() == nil || f.Pkg().Path() != pkg.Path || param < 0 || param >= params.Len() {
		return nil
	}
	for i := range params.Len() {
		if takesText(params.At(i).Type()) != (i == param) {
			return nil
		}
	}
	isPlace := IsText(params.At(param).Type()) && NamesPlace(params.At(param)) // where the text stands, of which only templates speak
	reads := gosyntax.ReturnsError(f.Signature()) && (IsNamed(params.At(param).Type(), "io", "Reader") || isReading(f.Name()))
	name, of := f.Name(), ""
	if recv := f.Signature().Recv(); recv != nil {
		if named := NamedOf(recv.Type()); named != nil {
			of = named.Obj().Name()
			name = of + "." + name
		}
	} else if results := f.Signature().Results(); results.Len() > 0 {
		if named := NamedOf(results.At(0).Type()); named != nil && named.Obj().Pkg() == f.Pkg() {
			of = named.Obj().Name()
		}
	}
	var out []notation.Text
	for _, s := range pkg.Literals.Shown {
		if isPlace && !s.Spoken && (!s.Filled || strings.ContainsAny(s.Text, " \n")) {
			continue
		}
		if s.Of == name || reads && (s.Of == "" || s.Of == of) {
			text := notation.Text{Value: s.Text} // a line is called by what it is
			switch {
			case s.File != "":
				text.Name = strings.Join(gosyntax.Words(s.File), " ")
			case strings.Contains(s.Text, "\n"):
				text.Name = "example of the documentation"
			}
			out = append(out, text)
		}
	}
	if reads && !isPlace {
		for _, example := range pkg.Literals.Fenced {
			if !notation.IsLanguage(example.Language) { // what is in a known one is for functions of which somebody says that they read it
				out = append(out, notation.Text{Name: "example of the README", Value: example.Text})
			}
		}
	}
	return out
}

// isReading reports whether a function is called after what it does with a text that it is given.
func isReading(name string) bool {
	words := gosyntax.Words(name)
	return len(words) > 0 && slices.Contains([]string{"parse", "read", "load", "decode", "unmarshal", "compile", "scan", "from"}, words[0])
}

// Routes returns the patterns of routers if an exported function of the package takes one, and nil otherwise.
func (pkg *Package) Routes() []notation.Text {
	for _, t := range pkg.Targets {
		if t.Obj == nil || !t.Obj.Exported() {
			continue
		}
		for i := range t.Obj.Signature().Params().Len() {
			if pkg.TakesRoute(t.Obj, i) {
				return notation.Routes().Accepted
			}
		}
	}
	return nil
}

// TakesRoute reports whether a parameter of a function takes the pattern by which a router is told what to answer.
func (pkg *Package) TakesRoute(f *types.Func, param int) bool {
	return pkg.notationOf(f, param) == notation.Routes()
}

// notationOf returns the notation that a parameter asks for, or nil.
func (pkg *Package) notationOf(f *types.Func, param int) *notation.Notation {
	params := f.Signature().Params()
	if param < 0 || param >= params.Len() || !takesText(params.At(param).Type()) || f.Pkg() == nil {
		return nil
	}
	const deepest = 4 // functions that hand a text on
	if pkg.isCharacterSet(f, param, deepest) {
		return nil
	}
	place := notation.Place{Param: gosyntax.Words(params.At(param).Name()), Func: gosyntax.Words(f.Name()), Package: f.Pkg().Name(), HTTP: pkg.importsHTTP()}
	for k := range params.Len() {
		if k != param && types.Identical(params.At(k).Type(), params.At(param).Type()) && len(params.At(k).Name()) <= 4 {
			place.Pair = true
		}
	}
	for k := range params.Len() { // the size of NewReaderSize(r io.Reader, size int) is not what r has to say
		if k != param {
			own := gosyntax.Words(params.At(k).Name())
			place.Func = slices.DeleteFunc(place.Func, func(word string) bool { return slices.Contains(own, word) })
		}
	}
	if recv := f.Signature().Recv(); recv != nil {
		if named := NamedOf(recv.Type()); named != nil {
			place.Type = gosyntax.Words(named.Obj().Name())
		}
	}
	if pkg.Info != nil {
		if decl := pkg.Func(f); decl != nil {
			place.Doc = decl.Doc.Text()
		}
		for _, file := range pkg.Syntax {
			place.About += file.Doc.Text()
		}
		if pkg.Literals != nil {
			place.About += pkg.Literals.About
			place.Shown = passesTexts(pkg.Literals.Documented)
		}
	}
	n := pkg.handed(f, param, deepestHanded) // who reads it knows better than any name
	if n == nil {
		n = notation.For(place)
	}
	if n != nil && n.Is("path") && IsNamed(params.At(param).Type(), "io", "Reader") {
		n = nil // ParseServicefile reads a file, and nobody reads the name of one
	}
	if n == nil {
		n = pkg.treated(f, param)
	}
	if f.Name() == "UnmarshalJSON" {
		place.Func = nil
		if of := notation.For(place); of != nil && of != n {
			return of.Quoted()
		}
	}
	return n
}

// addTextsRead adds to the constants of each function a few texts that functions of other modules read to which it passes texts: "2.5" where it
// calls the Parse of a package of decimal numbers. The code of other modules is not explored, so no engine would come to such a text by
// itself.
func (pkg *Package) addTextsRead() {
	const few = 3 // of a notation
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || pkg.Info == nil {
				continue
			}
			var texts []string
			ast.Inspect(fd.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				f := gosyntax.Callee(pkg.Info, call)
				if f == nil || f.Pkg() == nil || gosyntax.IsStandard(f.Pkg().Path(), pkg.Module) || pkg.OfModule(f.Pkg().Path()) || !gosyntax.ReturnsError(f.Signature()) || !isReading(f.Name()) {
					return true
				}
				for i := range min(len(call.Args), f.Signature().Params().Len()) {
					if n := pkg.notationOf(f, i); n != nil {
						for _, t := range n.Accepted[:min(len(n.Accepted), few)] {
							texts = append(texts, t.Value)
						}
					}
				}
				return true
			})
			if len(texts) > 0 {
				pkg.Literals.AddTexts(gosyntax.DeclName(fd), texts)
			}
		}
	}
}

// OfModule reports whether the package of a path is one of this package's module.
func (pkg *Package) OfModule(path string) bool {
	return pkg.Module != "" && (path == pkg.Module || strings.HasPrefix(path, pkg.Module+"/"))
}

// isCharacterSet reports whether a function asks of other texts whether they have one of the characters of a parameter, or cuts
// such characters off, or passes the parameter to a function of the package that does: such a text is in no notation, whatever
// the parameter is called.
func (pkg *Package) isCharacterSet(f *types.Func, param, depth int) bool {
	decl := pkg.Func(f)
	if decl == nil || decl.Body == nil || pkg.Info == nil || depth == 0 {
		return false
	}
	v := f.Signature().Params().At(param)
	found := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		callee := gosyntax.Callee(pkg.Info, call)
		for k, arg := range call.Args {
			x, ok := ast.Unparen(arg).(*ast.Ident)
			if !ok || callee == nil || callee.Pkg() == nil || pkg.Info.Uses[x] != v {
				continue
			}
			switch path := callee.Pkg().Path(); {
			case path == "strings" || path == "bytes":
				found = found || k == 1 && (strings.HasSuffix(callee.Name(), "Any") || slices.Contains([]string{"Trim", "TrimLeft", "TrimRight"}, callee.Name()))
			case callee != f && k < callee.Signature().Params().Len():
				found = found || pkg.isCharacterSet(callee, k, depth-1)
			}
		}
		return !found
	})
	return found
}

// passesTexts reports whether some call in the documentation passes a text.
func passesTexts(documented map[string][][]constant.Value) bool {
	for _, calls := range documented {
		for _, args := range calls {
			if slices.ContainsFunc(args, func(v constant.Value) bool {
				return v != nil && v.Kind() == constant.String && constant.StringVal(v) != ""
			}) {
				return true
			}
		}
	}
	return false
}

// importsHTTP reports whether the package is about HTTP, where paths are those of requests.
func (pkg *Package) importsHTTP() bool {
	return pkg.Types != nil && slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "net/http" })
}

// takesText reports whether values of a type are texts, or are read from.
func takesText(t types.Type) bool { return IsText(t) || IsNamed(t, "io", "Reader") }

// IsText reports whether values of a type are texts: strings or bytes.
func IsText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8
	}
	return false
}

// ParameterKey is the name and type of a parameter as text. Parameters of one key mostly mean the same in a package.
func ParameterKey(p *types.Var) string { return p.Name() + " " + types.TypeString(p.Type(), nil) }

// DocumentedCalls returns the constants that each call in the documentation passes, by the keys of the parameters. Calls
// come in the order of their functions' names.
func (p *Package) DocumentedCalls() []map[string]constant.Value {
	if p.Literals == nil {
		return nil
	}
	var out []map[string]constant.Value
	for _, target := range slices.Sorted(maps.Keys(p.Literals.Documented)) {
		t := p.Target(target)
		if t == nil || t.Obj == nil {
			continue
		}
		params := t.Obj.Signature().Params()
		for _, list := range p.Literals.Documented[target] {
			m := make(map[string]constant.Value)
			for k, v := range list {
				if v != nil && k < params.Len() && params.At(k).Name() != "" {
					m[ParameterKey(params.At(k))] = v
				}
			}
			if len(m) > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// deepestHanded is through how many functions of the package a text is followed to the one that reads it.
const deepestHanded = 3

// NotatedElements returns the notation of the texts in a list that a function of the package takes, and nil if it takes no list of
// texts, or if no notation is known.
func (pkg *Package) NotatedElements(f *types.Func, param int) *notation.Notation {
	params := f.Signature().Params()
	if param < 0 || param >= params.Len() {
		return nil
	}
	list, ok := params.At(param).Type().Underlying().(*types.Slice)
	if !ok || !isString(list.Elem()) {
		return nil
	}
	if n := pkg.handed(f, param, deepestHanded); n != nil {
		return n
	}
	if n := notation.For(notation.Place{Param: gosyntax.Words(params.At(param).Name())}); n != nil {
		return n
	}
	return pkg.treated(f, param)
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// handed returns the notation that a function of another package reads to which a function hands a parameter, or the elements of
// one, itself or through functions of the package: what MatchesPrefix is passed may go to net.ParseCIDR. It is nil if there is no such function.
func (pkg *Package) handed(f *types.Func, param, depth int) *notation.Notation {
	decl := pkg.Func(f)
	if decl == nil || decl.Body == nil || pkg.Info == nil || depth == 0 {
		return nil
	}
	texts := map[types.Object]bool{f.Signature().Params().At(param): true} // the parameter, and variables with an element of it
	isText := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && texts[pkg.Info.Uses[x]]
	}
	var found *notation.Notation
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if value, ok := n.Value.(*ast.Ident); ok && isText(n.X) {
				texts[pkg.Info.Defs[value]] = true
			}
		case *ast.CallExpr:
			callee := gosyntax.Callee(pkg.Info, n)
			for k, arg := range n.Args {
				if found == nil && callee != nil && callee != f && isText(sameText(pkg.Info, arg)) {
					found = pkg.readAs(callee, k, depth)
				}
			}
		}
		return found == nil
	})
	return found
}

// treated returns texts that show what a function does to a text, or to the texts in a list, by functions of package strings: takes it apart
// at a separator, which may be another parameter, cuts something off, or writes it in other letters. It is nil where the function
// does nothing of that. Where the parameter is the separator, the texts are separators.
func (pkg *Package) treated(f *types.Func, param int) *notation.Notation {
	decl := pkg.Func(f)
	if decl == nil || decl.Body == nil || pkg.Info == nil || gosyntax.ReturnsError(f.Signature()) || isReading(f.Name()) {
		return nil // what it refuses is for other texts to find out
	}
	of := make(map[types.Object]int) // the parameters, and variables with an element of one
	for k := range f.Signature().Params().Len() {
		of[f.Signature().Params().At(k)] = k
	}
	paramOf := func(e ast.Expr) int {
		if x, ok := ast.Unparen(e).(*ast.Ident); ok {
			if k, ok := of[pkg.Info.Uses[x]]; ok {
				return k
			}
		}
		return -1
	}
	var found []*notation.Notation
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if value, ok := n.Value.(*ast.Ident); ok && paramOf(n.X) >= 0 {
				of[pkg.Info.Defs[value]] = paramOf(n.X)
			}
		case *ast.CallExpr:
			callee := gosyntax.Callee(pkg.Info, n)
			if callee == nil || callee.Pkg() == nil || callee.Pkg().Path() != "strings" || len(n.Args) == 0 {
				return true
			}
			text, other, constantText := paramOf(sameText(pkg.Info, n.Args[0])), -1, ""
			if len(n.Args) > 1 {
				other = paramOf(n.Args[1])
				if v := pkg.Info.Types[n.Args[1]].Value; v != nil && v.Kind() == constant.String {
					constantText = constant.StringVal(v)
				}
			}
			switch {
			case text == param && other < 0:
				found = append(found, notation.Treated(callee.Name(), constantText))
			case text == param && other != param && notation.Separates(callee.Name()):
				_, separable := notation.Separators()
				found = append(found, separable)
			case other == param && text >= 0 && text != param && notation.Separates(callee.Name()):
				separators, _ := notation.Separators()
				found = append(found, separators)
			}
		}
		return true
	})
	return notation.Joined(found)
}

// sameText returns the expression whose text an argument is: without a conversion, the space around it, or the list that it is an element of.
func sameText(info *types.Info, e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if _, ok := info.TypeOf(x.X).Underlying().(*types.Slice); !ok {
				return e
			}
			e = x.X
		case *ast.CallExpr:
			f := gosyntax.Callee(info, x)
			if len(x.Args) != 1 || !info.Types[x.Fun].IsType() && (f == nil || f.FullName() != "strings.TrimSpace") {
				return e
			}
			e = x.Args[0]
		default:
			return e
		}
	}
}

// readAs returns the notation in which a function that is called reads an argument, or nil.
func (pkg *Package) readAs(callee *types.Func, param, depth int) *notation.Notation {
	params := callee.Signature().Params()
	switch {
	case callee.Pkg() == nil || param >= params.Len():
		return nil
	case callee.Pkg() == pkg.Types:
		return pkg.handed(callee, param, depth-1)
	case !isReading(callee.Name()) || !takesText(params.At(param).Type()) || NamesPlace(params.At(param)):
		return nil
	case slices.Contains([]string{"os", "io", "io/fs", "bufio"}, callee.Pkg().Path()):
		return nil // they read whatever there is
	case slices.Contains([]string{"encoding/hex", "encoding/base32", "encoding/base64"}, callee.Pkg().Path()):
		return nil // they know the digits, and the function how many there are: an identifier in the README says more
	}
	return pkg.notationOf(callee, param)
}
