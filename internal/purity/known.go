package purity

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// knownSummary is the table of functions whose source the analysis cannot read, or cannot follow, and
// whose effects are known anyway.
func knownSummary(fn *ssa.Function) (summary, bool) {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return summary{}, false
	}
	name := obj.Origin().FullName()
	switch obj.Pkg().Path() {
	case "math", "math/bits", "unicode", "unicode/utf8", "unicode/utf16":
		// These functions take and return numbers, except those that write into a slice.
		if leads(obj.Signature().Params(), nil) && obj.Name() != "DecodeRune" && obj.Name() != "DecodeLastRune" &&
			obj.Name() != "RuneCount" && obj.Name() != "Valid" && obj.Name() != "FullRune" && obj.Name() != "Is" && obj.Name() != "In" {
			return summary{}, false
		}
		return summary{}, true
	case "internal/bytealg", "internal/stringslite":
		if obj.Name() == "MakeNoZero" || !leads(obj.Signature().Results(), nil) {
			return summary{}, true
		}
	case "strings", "strconv":
		// Package-level functions without function parameters only read their arguments. The exception
		// is the Append family, which writes behind a slice's length.
		if obj.Signature().Recv() == nil && !strings.HasPrefix(obj.Name(), "Append") && !takesFunc(obj.Signature()) {
			return summary{}, true
		}
	case "github.com/goassay/assay":
		return summary{}, true // annotations
	}
	switch name {
	case "(*strings.Builder).WriteString", "(*strings.Builder).WriteByte", "(*strings.Builder).WriteRune",
		"(*strings.Builder).Write", "(*strings.Builder).Grow", "(*strings.Builder).Reset":
		return summary{changes: 1}, true
	case "(*strings.Builder).String", "(*strings.Builder).Len", "(*strings.Builder).Cap", "errors.New":
		return summary{}, true
	}
	return summary{}, false
}

// takesFunc reports whether a parameter is a function or an interface, whose methods
// are functions.
func takesFunc(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Signature, *types.Interface, *types.Pointer:
			return true
		}
	}
	return false
}

// hopeless reports whether the functions of a package call code that cannot be followed, so that
// loading its source would be for nothing.
func hopeless(path string) bool {
	switch path {
	case "fmt", "reflect", "os", "log", "log/slog", "net", "runtime", "sync", "sync/atomic", "syscall", "time", "context", "testing", "unsafe":
		return true
	}
	for _, prefix := range []string{"net/", "os/", "runtime/", "crypto/", "internal/runtime/", "internal/reflectlite", "encoding/json", "text/template", "html/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
