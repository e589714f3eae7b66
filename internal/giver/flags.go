package giver

import (
	"go/ast"
	"go/constant"
	"go/token"
	"regexp"

	"github.com/goassay/assay/internal/load"
)

// flagsName is the name of the helper that makes sets of flags.
const flagsName = "flags"

// flagFamily returns sets of flags that have parsed a command line, as commands are given them.
func flagFamily() *family {
	return &family{
		name: "flag", path: "flag", imports: []string{"flag", "io", "strings"},
		helpers: []helper{{
			doc: "returns a set of flags that has parsed a command line.",
			code: `func flags(line string) *flag.FlagSet {
	fs := flag.NewFlagSet("app", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Bool("v", false, "be verbose")
	fs.Parse(strings.Fields(line))
	return fs
}`,
		}},
		givers: []giver{
			{typ: "*flag.FlagSet", doc: "a set of flags that has parsed a command line of words that the package knows", since: "go1.16", code: `flags("")`},
		},
	}
}

// commandWord matches the names of commands.
var commandWord = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,15}$`)

// maxWords bounds how many words of a package become command lines.
const maxWords = 8

// commandLines returns command lines that a package may understand: no word, each of the words that it returns as a
// name or compares with, two of them, and flags.
func commandLines(pkg *load.Package) []string {
	var words []string
	note := func(e ast.Expr) {
		tv := pkg.Info.Types[e]
		if tv.Value != nil && tv.Value.Kind() == constant.String && commandWord.MatchString(constant.StringVal(tv.Value)) {
			addTo(&words, constant.StringVal(tv.Value), maxWords)
		}
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				if len(n.Results) == 1 {
					note(n.Results[0])
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					note(e)
				}
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					note(n.X)
					note(n.Y)
				}
			}
			return true
		})
	}
	lines := []string{"", "-v"}
	for i, w := range words {
		lines = append(lines, w)
		if i > 0 {
			lines = append(lines, words[0]+" "+w)
		}
		if i == 0 {
			lines = append(lines, w+" abc")
		}
	}
	return append(lines, "abc", "abc 7")
}
