package observer

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Describing returns calls of the methods that describe a value whose type the package under test does not
// define: an interface, or a type of another package, like the length and the bytes of a list of bits. Such
// methods take nothing and return data. Nothing is known of what they do, so the caller has to call them
// twice. Describing returns nil for types of the package, which the [Table] knows, and for errors.
func Describing(pkg *load.Package, typ types.Type) []*testcase.Operation {
	named := load.NamedOf(typ)
	if named == nil || named.Obj().Pkg() == nil {
		return nil // error is among the types without a package
	}
	if own := named.Obj().Pkg().Path() == pkg.Path; own && !types.IsInterface(named) || named.TypeParams().Len() > 0 {
		return nil
	}
	var out []*testcase.Operation
	for sel := range types.NewMethodSet(typ).Methods() {
		if f := sel.Obj().(*types.Func); f.Exported() && describes(f) {
			out = append(out, &testcase.Operation{Kind: testcase.OpMethod, Func: f})
		}
	}
	slices.SortStableFunc(out, func(a, b *testcase.Operation) int { return class(a) - class(b) })
	return out
}

// describes reports whether a method takes nothing, returns one piece of data, and has no name of something
// that is done to its receiver.
func describes(f *types.Func) bool {
	sig := f.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 || !plain(sig.Results().At(0).Type(), 0) || isInvariant(f) {
		return false
	}
	if _, isAny := sig.Results().At(0).Type().Underlying().(*types.Interface); isAny {
		return false
	}
	name := f.Name()
	return name != "GoString" && name != "Error" && !slices.ContainsFunc(acts, func(verb string) bool {
		rest, ok := strings.CutPrefix(name, verb)
		return ok && (rest == "" || strings.ToUpper(rest[:1]) == rest[:1])
	})
}

// Telling returns the method String if what it returned tells what all other methods returned in these runs. One line
// then says what an object is. It returns nil if there is no such method, or if its results did not differ.
func Telling(ops []*testcase.Operation, runs []Run) *testcase.Operation {
	n := slices.IndexFunc(ops, func(op *testcase.Operation) bool { return op.Func.Name() == "String" })
	if n < 0 || len(runs) > 1 && constant(ops[n].Func, runs) {
		return nil
	}
	for _, r := range runs {
		for _, s := range runs {
			if !equal(r[ops[n].Func], s[ops[n].Func]) {
				continue
			}
			for _, op := range ops {
				if r[op.Func] != nil && s[op.Func] != nil && !equal(r[op.Func], s[op.Func]) {
					return nil
				}
			}
		}
	}
	return ops[n]
}

// acts are verbs with which the names of methods begin that do something.
var acts = []string{
	"Accept", "Add", "Advance", "Begin", "Cancel", "Clear", "Clone", "Close", "Commit", "Copy", "Delete", "Dequeue", "Dial", "Do", "Drain", "Exec", "Flush",
	"Init", "Lock", "New", "Next", "Open", "Pop", "Push", "Read", "Recv", "Release", "Remove", "Reset", "Restart", "Rollback", "Run", "Scan", "Send", "Set",
	"Shift", "Start", "Stop", "Take", "Try", "Unlock", "Unread", "Wait", "Write",
}
