package gofile

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// Verb returns the format verb for values of type t.
func Verb(t types.Type) string {
	if n := load.NamedOf(t); n != nil {
		for _, m := range []string{"String", "Error", "Format", "GoString"} {
			if obj, _, _ := types.LookupFieldOrMethod(t, true, n.Obj().Pkg(), m); obj != nil {
				return "%v"
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return "%q"
		case u.Info()&types.IsBoolean != 0:
			return "%t"
		case u.Name() == "rune":
			return "%q"
		case u.Info()&types.IsInteger != 0:
			return "%d"
		}
	case *types.Slice:
		if b := Basic(u.Elem()); b != nil && (b.Kind() == types.Byte || b.Name() == "rune" || b.Info()&types.IsString != 0) {
			return "%q"
		}
	case *types.Signature:
		return "%p" // go vet takes a function for any other verb to be one that somebody forgot to call
	case *types.Struct:
		return "%+v"
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			return "%+v"
		}
	}
	return "%v"
}

// Showable reports whether the printed text of a value of the type identifies the value.
func Showable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Pointer:
		const most = 12 // fields that a message can hold
		s, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && s.NumFields() <= most
	}
	return true
}

// CellVerb returns the verb for values of type t that are written like these cells: that of characters if each of them is a character or a
// zero, as bytes are that code compares with ','.
func CellVerb(t types.Type, cells []string) string {
	characters := 0
	for _, cell := range cells {
		switch {
		case strings.HasPrefix(cell, "'"):
			characters++
		case cell != "0":
			return Verb(t)
		}
	}
	if verb := Verb(t); verb != "%d" || characters == 0 {
		return verb
	}
	return "%q"
}
