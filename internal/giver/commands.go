package giver

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// executeName is the name of the drivers that run commands with arguments.
const executeName = "execute"

// A command is a type whose objects are commands: the libraries that programs read their command lines with have one each.
type command struct {
	path    string   // the package of the type
	typ     string   // the type, which is a pointer, without the package
	method  string   // the method that runs a command
	imports []string // what the code of the driver imports
	// code are statements that run cmd with the words of line, write to out, and set err.
	code string
}

// commands are the types of commands that are known.
var commands = [...]command{
	{"github.com/spf13/cobra", "Command", "Execute", []string{"strings"}, `	cmd.SetOut(out)
	cmd.SetErr(out)
	cmd.SetArgs(strings.Fields(line))
	err = cmd.Execute()`},
	{"github.com/urfave/cli/v2", "App", "Run", []string{"strings"}, `	cmd.Writer, cmd.ErrWriter = out, out
	cmd.ExitErrHandler = func(*cli.Context, error) {}
	err = cmd.Run(append([]string{"app"}, strings.Fields(line)...))`},
	{"github.com/urfave/cli/v3", "Command", "Run", []string{"context", "strings"}, `	cmd.Writer, cmd.ErrWriter = out, out
	cmd.ExitErrHandler = func(context.Context, *cli.Command, error) {}
	err = cmd.Run(context.Background(), append([]string{"app"}, strings.Fields(line)...))`},
}

// key returns the key of the command's type.
func (c command) key() string { return "*" + c.path + "." + c.typ }

// commandFamilies returns the drivers of the commands that a package makes. Such a driver returns what the command
// prints, into the writer that it is given and, where the package's code prints there itself, to the standard output.
func commandFamilies() []*family {
	var out []*family
	for _, c := range commands {
		uses := func(pkg *load.Package, prints bool) bool {
			return imports(pkg, c.path) && printsItself(pkg) == prints
		}
		typ := "*" + GoType(c.path) + "." + c.typ
		if c.path != "github.com/spf13/cobra" {
			typ = "*cli." + c.typ
		}
		head := "func " + executeName + "(cmd " + typ + ", line string) (output string, err error) {\n"
		doc := "runs a command with the words of a line, and returns what it prints."
		out = append(out,
			&family{name: c.path, path: c.path, imports: append([]string{c.path, "bytes"}, c.imports...), always: true,
				when:    func(pkg *load.Package) bool { return uses(pkg, false) },
				helpers: []helper{{doc: doc, titles: 1, code: head + "\tout := new(bytes.Buffer)\n" + c.code + "\n\treturn out.String(), err\n}"}}},
			&family{name: c.path + " and os.Stdout", path: c.path, imports: append([]string{c.path, "io", "os"}, c.imports...), always: true,
				when: func(pkg *load.Package) bool { return uses(pkg, true) },
				helpers: []helper{{doc: doc, titles: 1, code: head + `	r, out, err := os.Pipe()
	if err != nil {
		return "", err
	}
	stdout := os.Stdout
	os.Stdout = out
	printed := make(chan string)
	go func() {
		defer r.Close()
		b, _ := io.ReadAll(r)
		printed <- string(b)
	}()
	func() {
		defer func() { os.Stdout = stdout; out.Close() }()
	` + c.code + `
	}()
	return <-printed, err
}`}}})
	}
	return out
}

// imports reports whether a package imports another one.
func imports(pkg *load.Package, path string) bool {
	return slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == path })
}

// printsItself reports whether a package's code prints to the standard output by itself.
func printsItself(pkg *load.Package) bool {
	return mentions(pkg, "Println", "Printf", "Print", "Stdout")
}

// driveCommand makes a compiled helper the driver of a type of commands.
func (r *Room) driveCommand(h *testcase.Helper) {
	first := h.Sig.Params().At(0)
	h.Drives = first.Type()
	h.Sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(h.Sig.Params().At(1)), h.Sig.Results(), false)
	h.Values, h.Closed = [][]string{linesFor(r.pkg)}, []bool{false}
	r.execute[key(first.Type())] = h
}

// Execute returns the method by which a command runs, and the helper that drives it, or nil if a type is not one of commands.
func (r *Room) Execute(t types.Type) (*types.Func, *testcase.Helper) {
	if r == nil || r.execute[key(t)] == nil {
		return nil, nil
	}
	for _, c := range commands {
		if c.key() == key(t) {
			obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, c.method)
			f, _ := obj.(*types.Func)
			return f, r.execute[key(t)]
		}
	}
	return nil, nil
}

// useWord matches the first word of a command's usage, which is its name.
var useWord = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,20}`)

// maxNames bounds how many commands and how many flags of a package become command lines.
const maxNames = 12

// linesFor returns command lines for the commands of a package: none, its commands by their names, each of them with one of the
// flags that the package declares and with arguments, a flag and a command that there are not, and help.
func linesFor(pkg *load.Package) []string {
	var names, flags []string
	text := func(e ast.Expr) string {
		if v := pkg.Info.Types[e].Value; v != nil && v.Kind() == constant.String {
			return constant.StringVal(v)
		}
		return ""
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if k, ok := n.Key.(*ast.Ident); ok && (k.Name == "Use" || k.Name == "Name") {
					if w := useWord.FindString(text(n.Value)); w != "" {
						addTo(&names, w, maxNames)
					}
				}
			case *ast.CallExpr:
				if line := flagOf(n, text); line != "" {
					addTo(&flags, line, maxNames)
				}
			case *ast.CompositeLit:
				if line := flagLiteral(n, text); line != "" {
					addTo(&flags, line, maxNames)
				}
			}
			return true
		})
	}
	lines := []string{"", "--help", "--unknown", "abc", "abc 7"}
	for _, flag := range flags {
		lines = append(lines, flag, flag+" abc")
	}
	for _, name := range names {
		lines = append(lines, name, name+" abc", name+" abc 7")
		for _, flag := range flags {
			lines = append(lines, name+" "+flag)
		}
	}
	const most = 80
	return lines[:min(len(lines), most)]
}

// flagKind matches the methods that declare a flag: StringVarP, Bool, DurationVar.
var flagKind = regexp.MustCompile(`^(Bool|String|Int|Int64|Uint|Float64|Duration|StringSlice|StringArray|Count)(Var)?P?$`)

// flagOf returns the flag that a call declares as part of a command line, with a value of its kind, or "" for other calls.
func flagOf(call *ast.CallExpr, text func(ast.Expr) string) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	m := flagKind.FindStringSubmatch(sel.Sel.Name)
	if m == nil || len(call.Args) < 3 {
		return ""
	}
	name := text(call.Args[0])
	if m[2] != "" {
		name = text(call.Args[1])
	}
	return flagWith(name, m[1])
}

// flagLiteral returns the flag of a literal such as &cli.StringFlag{Name: "output"}, or "" for other literals.
func flagLiteral(lit *ast.CompositeLit, text func(ast.Expr) string) string {
	sel, ok := lit.Type.(*ast.SelectorExpr)
	if !ok || !strings.HasSuffix(sel.Sel.Name, "Flag") {
		return ""
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if k, ok := kv.Key.(*ast.Ident); ok && k.Name == "Name" {
				return flagWith(text(kv.Value), strings.TrimSuffix(sel.Sel.Name, "Flag"))
			}
		}
	}
	return ""
}

// flagWith returns a flag with a value of its kind.
func flagWith(name, kind string) string {
	if !commandWord.MatchString(name) {
		return ""
	}
	switch kind {
	case "Bool", "Count":
		return "--" + name
	case "String", "StringSlice", "StringArray":
		return "--" + name + "=abc"
	case "Duration":
		return "--" + name + "=5s"
	}
	return "--" + name + "=7"
}
