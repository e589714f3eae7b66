package giver

import (
	"go/ast"
	"go/version"
	"slices"

	"github.com/goassay/assay/internal/load"
)

// A family holds the givers of related types.
type family struct {
	name    string
	path    string   // the package that must be in reach for the family to matter
	imports []string // the packages that its code imports
	helpers []helper
	givers  []giver
	// when reports whether a package that takes the family's types needs the family. Nil means that every
	// such package does.
	when func(*load.Package) bool
	// always says that the givers are not chosen by their types, so that they are there whether or not these occur.
	always bool
	// written says that the givers are what the module writes out.
	written bool
	// parsed are the texts that the family's helper reads, if it reads values of other packages, and parsedNames their names.
	parsed      []string
	parsedNames map[string]string
}

// A giver makes values of one type.
type giver struct {
	typ  string // the type, with the full paths of packages: "*net/http.Request"
	doc  string // says what the value is, for the documentation
	code string // a Go expression that makes the value, or statements that end by returning it
	// since is the first version of Go whose library has the functions that the code uses, or "" if all
	// supported versions have them.
	since string
	// as is the type as the code writes it, where that cannot be told from the package's path; "" elsewhere.
	as string
	// sending is the code in packages that send requests, which tests answer (see [Answers]): "" if it is the same as elsewhere, noGiver
	// if the giver is left out there.
	sending string
	// fixed says that no other texts are worth trying in place of those in the code. Only the usual methods
	// of a request are an example.
	fixed bool
}

// noGiver as the code of a giver in packages that send requests leaves it out there.
const noGiver = "-"

// A helper is a Go function that the code of givers calls, with the declarations that the function needs. A
// test that uses the helper declares it.
type helper struct {
	doc    string // the comment behind the function's name
	code   string // the function's declaration, then the declarations that it needs
	guard  string // an expression over its parameters that panics if their values are not allowed
	titles int
	method string // the method of testing.TB that the helper is; see [testcase.Helper]
}

// families returns the table of all families.
func families() []*family {
	return []*family{
		httpFamily(), ioFamily(), fsFamily(), contextFamily(), errorsFamily(), base64Family(), base32Family(), byteOrderFamily(), netFamily(), netipFamily(), urlFamily(),
		textFamily(), templateFamily(), htmlTemplateFamily(), logFamily(), slogFamily(), timeFamily(), flagFamily(), sortFamily(), imageFamily(), syntaxFamily(), typesFamily(), sqlFamily(), ed25519Family(), ecdsaFamily(), rsaFamily(), x509Family(), pathsFamily(), environmentFamily(), argsFamily(), functionsFamily(),
	}
}

// An Entry is a giver as the documentation lists it.
type Entry struct{ Family, Type, Doc, Code string }

// Families lists all givers in the order of the table.
func Families() []Entry {
	var out []Entry
	for _, f := range families() {
		for _, g := range f.givers {
			out = append(out, Entry{f.name, g.typ, g.doc, g.code})
		}
	}
	return out
}

// has reports whether a module with the given go version may use the giver.
func (g giver) has(goVersion string) bool {
	return g.since == "" || goVersion == "" || version.Compare("go"+goVersion, g.since) >= 0
}

// mentions reports whether a package's code selects one of the names.
func mentions(pkg *load.Package, names ...string) bool {
	found := false
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(names, sel.Sel.Name) {
				found = true
			}
			return !found
		})
	}
	return found
}
