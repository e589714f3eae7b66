package giver

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
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

// argsName is the name of the helper that sets the process's command line.
const argsName = "commandLine"

// argsFamily has the helper that sets the command line of the process, for packages that read it (os.Args). It makes no
// values.
func argsFamily() *family {
	return &family{
		name: "command line", path: "testing", imports: []string{"os", "strings", "testing"}, always: true,
		when: readsArgs,
		helpers: []helper{{
			doc: "has the words of line as the arguments of the process until the test ends.",
			code: "func " + argsName + `(t testing.TB, line string) {
	old := os.Args
	t.Cleanup(func() { os.Args = old })
	os.Args = append([]string{"app"}, strings.Fields(line)...)
}`,
		}},
	}
}

// readsArgs reports whether a package's code names os.Args.
func readsArgs(pkg *load.Package) bool {
	for id, obj := range pkg.Info.Uses {
		if id.Name == "Args" && obj.Pkg() != nil && obj.Pkg().Path() == "os" {
			if _, ok := obj.(*types.Var); ok && obj.Parent() == obj.Pkg().Scope() {
				return true
			}
		}
	}
	return false
}

// argLines returns command lines for a process whose package reads them: without words, with flags that most programs know,
// with flags for the fields of structs that tests pass, and the words that the package knows.
func argLines(pkg *load.Package) []string {
	out := []string{"--name ann", "", "--help", "-h", "--version", "--name=ann --port 8080", "--port abc", "-name ann -port 8080", "--tags a,b", "--timeout 5s --debug", "--unknown 1", "--name", "serve --name ann", "--name ann abc 7"}
	for _, line := range commandLines(pkg) {
		addTo(&out, line, 2*maxWords+len(out))
	}
	return out
}

// CommandLine returns the call that sets the process's command line, and the lines worth trying. It is nil if the package
// does not read it.
func (r *Room) CommandLine() (*testcase.Operation, []string) {
	if r == nil || r.args == nil {
		return nil, nil
	}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: r.args.Func, Via: r.args}, r.args.Values[0]
}

// SetsCommandLine reports whether an operation sets the process's command line.
func SetsCommandLine(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.OfTest && op.Via.Name == argsName
}
