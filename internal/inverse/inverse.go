// Package inverse says which functions undo what others do, by their names and their types: Parse reads what String writes, Decode
// returns what Encode takes.
//
// Invariants: it runs nothing; that two functions are called so is a reason to try them, and no proof.
package inverse

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// Decodes reports whether a function that reads a text returns exactly what a function that prints one takes, texts among it,
// and the names of both say that they do so: Decode returns the prefix and the data that Encode takes.
func Decodes(reader, printer *types.Func) bool {
	read, printed := reader.Signature(), printer.Signature()
	if _, ok := ReadsText(reader); !ok || printed.Results().Len() == 0 || !sameReceiver(read, printed) || !gosyntax.HasVerb(reader.Name(), gosyntax.Decoding) || !gosyntax.HasVerb(printer.Name(), gosyntax.Encoding) {
		return false
	}
	made, takes := yields(reader), printed.Params().Len()
	isAll := len(made) == takes && takes > 0 || len(made) > takes && takes > 1 // what is read may be told of its kind, too
	return isAll && types.Identical(read.Params().At(0).Type(), printed.Results().At(0).Type()) &&
		!slices.ContainsFunc(slices.Collect(printed.Params().Variables()), func(v *types.Var) bool {
			t := made[0]
			made = made[1:]
			return !types.Identical(t, v.Type())
		})
}

// sameReceiver reports whether two functions are no methods, or methods of one type.
func sameReceiver(a, b *types.Signature) bool {
	if a.Recv() == nil || b.Recv() == nil {
		return a.Recv() == b.Recv()
	}
	return types.Identical(gosyntax.Pointed(a.Recv().Type()), gosyntax.Pointed(b.Recv().Type()))
}

// ReadsText returns the only parameter of a function, and whether it is a text. A function that takes more reads only a
// part of what it makes from the text.
func ReadsText(f *types.Func) (*types.Var, bool) {
	params := f.Signature().Params()
	if params.Len() != 1 || !load.IsText(params.At(0).Type()) {
		return nil, false
	}
	return params.At(0), true
}

// Undoes reports whether a function that reads a text returns what a function that prints one takes. Numbers and the
// like are taken and returned by many functions, so for them the name of one of the two has to say that it does so.
func Undoes(reader, printer *types.Func) bool {
	results := printer.Signature().Results()
	return results.Len() > 0 && load.IsText(results.At(0).Type()) && Returns(reader, printer)
}

// Returns reports the same of a function that reads what another one has made of something, whether or not that is a text: Deserialize reads a reader that
// Serialize returns.
func Returns(reader, printer *types.Func) bool {
	takes := make(map[string]bool)
	sig := printer.Signature()
	for v := range sig.Params().Variables() {
		takes[gosyntax.Pointed(v.Type()).String()] = true
	}
	if r := sig.Recv(); r != nil {
		takes[gosyntax.Pointed(r.Type()).String()] = true
	}
	own := false
	found := 0
	made := yields(reader)
	if r := reader.Signature().Recv(); r != nil && gosyntax.HasVerb(reader.Name(), gosyntax.Reading) && !slices.ContainsFunc(made, func(t types.Type) bool { return !load.IsText(t) }) {
		made = []types.Type{r.Type()} // Unmarshal fills its receiver, and returns at most what is left of the text
	}
	for _, t := range made {
		if load.IsText(t) {
			continue // what is left of the text
		}
		if !takes[gosyntax.Pointed(t).String()] {
			return false
		}
		_, basic := gosyntax.Pointed(t).Underlying().(*types.Basic)
		own = own || !basic || load.NamedOf(t) != nil
		found++
	}
	return found > 0 && (own || gosyntax.HasVerb(reader.Name(), gosyntax.Reading) || gosyntax.HasVerb(printer.Name(), gosyntax.Printing))
}

// yields returns the types of the data that a function returns, or the receiver's if it returns nothing but an error.
func yields(f *types.Func) []types.Type {
	var out []types.Type
	for v := range f.Signature().Results().Variables() {
		if !gosyntax.IsError(v.Type()) {
			out = append(out, v.Type())
		}
	}
	if r := f.Signature().Recv(); r != nil && len(out) == 0 {
		if _, ok := types.Unalias(r.Type()).(*types.Pointer); ok {
			out = append(out, r.Type())
		}
	}
	return out
}
