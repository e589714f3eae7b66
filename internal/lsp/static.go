package lsp

import (
	"context"
	"errors"
	"go/token"
	"regexp"
	"strings"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// analysed is the result of analysing a package without running it.
type analysed struct {
	pkg       string
	functions []*function
	// prints identifies the source of each function, without test files.
	prints map[string]string // by function
}

// function is a function of a package with its assertions.
type function struct {
	name       string // "Func" or "Type.Method"
	pos        token.Position
	exported   bool
	assertions []assertion
	print      string // identifies the code that the function reaches
}

// assertion is an assertion with its verdict. Its lines are counted from the line of the function.
type assertion struct {
	file       string
	line       int // from the line of the function's declaration
	column     int
	kind, text string
	proved     bool
	fails      bool // every execution that reaches it breaks it
	under      []string
}

// verdicts caches the analysis of functions, by their own code and the code that they reach.
type verdicts map[string][]assertion

// syntaxError says that a package does not compile.
type syntaxError struct{ what load.Diagnostic }

func (e syntaxError) Error() string { return e.what.String() }

// analyse analyses the package in a directory. Results for unchanged functions are taken from kept, and
// new results are added to it.
func analyse(ctx context.Context, cfg load.Config, kept verdicts) (*analysed, error) {
	prog, err := load.Load(ctx, cfg, ".")
	if err != nil {
		return nil, err
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		return nil, syntaxError{pkg.Errors[0]}
	}
	_, prints, err := prog.FunctionPrints(pkg, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
	if err != nil {
		return nil, err
	}
	out := &analysed{pkg: pkg.Path, prints: make(map[string]string)}
	analyser := session.NewAnalyser(prog, pkg, check.Config{})
	seen := make(map[string]bool)
	for _, t := range pkg.Targets {
		if t.Func == nil || seen[t.Name] {
			continue // one instance of a generic function is enough
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		seen[t.Name] = true
		f := &function{name: t.Name, pos: t.Pos, exported: t.Exported, print: prints[t.Name].Text}
		key := t.Name + " " + f.print
		if known, ok := kept[key]; ok && f.print != "" {
			f.assertions = known
		} else {
			f.assertions = assertionsOf(prog, analyser, t)
			kept[key] = f.assertions
		}
		out.functions = append(out.functions, f)
		out.prints[t.Name] = f.print
	}
	if len(kept) > 20*len(out.functions)+1000 {
		for key := range kept {
			delete(kept, key) // the function has changed or was removed
		}
	}
	return out, nil
}

// assertionsOf analyses a function with its literals.
func assertionsOf(prog *load.Program, analyser *check.Program, t *load.Target) []assertion {
	var out []assertion
	for _, f := range analyser.AnalyseAll(t.Func) {
		for _, as := range f.Assertions {
			if as.Kind.StandsForOthers() {
				continue
			}
			at := prog.Fset.Position(as.Pos)
			a := assertion{
				file: at.Filename, line: at.Line - t.Pos.Line, column: at.Column, kind: string(as.Kind), text: as.Text,
				proved: as.Premise.Verified(), fails: as.Fails && as.Kind != check.ExplicitPanic,
			}
			if !a.proved && !as.Premise.Unverified() {
				a.under = []string{f.PremiseText(as.Premise)}
			}
			out = append(out, a)
		}
	}
	return out
}

// exactly matches the name of one function.
func exactly(name string) *regexp.Regexp {
	return regexp.MustCompile("^" + regexp.QuoteMeta(name) + "$")
}

// compiles reports whether an error is any other than that the code does not compile.
func compiles(err error) bool {
	var syntax syntaxError
	return !errors.As(err, &syntax)
}
