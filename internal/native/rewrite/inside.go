package rewrite

import (
	"go/ast"
	"strings"

	"github.com/goassay/assay/internal/contract"
)

// Code inside a package calls functions without their contracts. A test that calls such code may assert what a wrong
// result of an inner call comes to. So that this can be asked, a function that ensures something begins with a question:
// whether it is called by the harness, or by the code of a case in which inner calls are checked as well. It then goes by
// its contract, which calls the function once more.

// checkInside makes a function with a contract go by its contract if the harness asks for it.
func (in *Instrumenter) checkInside(d *ast.FuncDecl) {
	f := in.contracts.Func(d)
	if f == nil || in.observer != nil {
		return
	}
	ensures := false
	for _, c := range f.Clauses {
		ensures = ensures || c.Kind == contract.Ensures
	}
	args, ok := passedOn(d)
	if !ensures || !ok {
		return
	}
	call := f.Run + args
	if d.Type.Results.NumFields() > 0 {
		call = "return " + call
	} else {
		call += ";return"
	}
	in.insert(d.Body.Lbrace+1, "if "+in.prefix+"inside("+itoa(in.inside)+"){"+call+"};")
	in.inside++
}

// passedOn returns the type arguments and the arguments with which a function calls another one that takes its receiver
// first, and false if one of its parameters has no name.
func passedOn(d *ast.FuncDecl) (string, bool) {
	var types, args []string
	named := true
	add := func(list *[]string, fields *ast.FieldList) {
		if fields == nil {
			return
		}
		for _, f := range fields.List {
			named = named && len(f.Names) > 0
			for _, id := range f.Names {
				named = named && id.Name != "_"
				text := id.Name
				if _, variadic := f.Type.(*ast.Ellipsis); variadic {
					text += "..."
				}
				*list = append(*list, text)
			}
		}
	}
	add(&types, d.Type.TypeParams)
	add(&args, d.Recv)
	add(&args, d.Type.Params)
	text := "(" + strings.Join(args, ",") + ")"
	if len(types) > 0 {
		text = "[" + strings.Join(types, ",") + "]" + text
	}
	return text, named // type arguments of a receiver follow from the receiver
}
