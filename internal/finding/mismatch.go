package finding

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Mismatch says where the machine's prediction for a case differs from the outcome, or "" if it does not. It
// compares only the parts that both know. Every difference is a bug of ours.
func Mismatch(c *testcase.Case) string {
	p, o := c.Predicted, c.Observed
	if p == nil || o == nil || p.Status == testcase.NotRun || o.Unstable {
		return "" // nothing was predicted, or the outcome changes from run to run, so that the machine cannot know it
	}
	switch o.Status {
	case testcase.Refused, testcase.NotRun:
		return "" // the case was not observed
	}
	if p.Status != o.Status || p.At != o.At {
		return fmt.Sprintf("predicted: %s at %d, observed: %s at %d", p.Status, p.At, o.Status, o.At)
	}
	if p.Panic != nil && o.Panic != nil && p.Panic.Kind != o.Panic.Kind && !(isBound(p.Panic.Kind) && isBound(o.Panic.Kind)) {
		return fmt.Sprintf("predicted panic %s, observed %s (%s)", p.Panic.Kind, o.Panic.Kind, o.Panic.Message)
	}
	if p.Violated != o.Violated && p.Violated != "" {
		return fmt.Sprintf("predicted violation %q, observed %q", p.Violated, o.Violated)
	}
	for i := range min(len(p.Results), len(o.Results)) {
		for j := range min(len(p.Results[i]), len(o.Results[i])) {
			if d := differ(p.Results[i][j], o.Results[i][j]); d != "" {
				return fmt.Sprintf("result %d of statement %d: %s", j, i, d)
			}
		}
	}
	for i := range min(len(p.Final), len(o.Final)) {
		if d := differ(p.Final[i], o.Final[i]); d != "" {
			return fmt.Sprintf("argument %d afterwards: %s", i, d)
		}
	}
	return ""
}

// isBound reports whether a panic is about an index or a slice out of bounds. If two of them are in one
// statement, Go does not say which comes first: x, rest = list[0], list[1:].
func isBound(kind string) bool { return kind == "index-out-of-range" || kind == "slice-out-of-range" }

// differ compares the parts of two values that are known in both; the result "" means that they agree.
func differ(p, o testcase.Value) string {
	if unknown(p) || unknown(o) || agree(p, o) {
		return ""
	}
	return fmt.Sprintf("predicted %s, observed %s", p, o)
}

// unknown reports whether a value is not known, or is an address, which differs in each process, or a list of addresses:
// how many callers a stack has depends on who runs the case. What an internal struct of the standard library's cryptography
// holds depends on whether the processor has instructions for it: the keys of AES are kept in another order.
func unknown(v testcase.Value) bool {
	if v.Kind == testcase.Invalid || v.Kind == testcase.Opaque {
		return true
	}
	if v.Type == nil {
		return false
	}
	if n := load.NamedOf(v.Type); n != nil && v.Kind == testcase.Struct && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "crypto/internal/") {
		return true
	}
	if list, ok := v.Type.Underlying().(*types.Slice); ok && v.Kind == testcase.Slice {
		return isAddress(list.Elem())
	}
	return v.Kind == testcase.Uint && isAddress(v.Type)
}

func isAddress(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}

// agree does the same as Value.Equal, but a part that either side does not know, or cut off, counts as equal.
func agree(p, o testcase.Value) bool {
	if unknown(p) || unknown(o) {
		return true
	}
	if p.Kind != o.Kind {
		return false
	}
	switch p.Kind {
	case testcase.Slice, testcase.Array, testcase.Map, testcase.Struct, testcase.Pointer, testcase.Interface:
		if p.Len != o.Len && p.Kind != testcase.Struct && p.Kind != testcase.Pointer && p.Kind != testcase.Interface {
			return false
		}
		if p.Again || o.Again || p.Cut || o.Cut {
			return true
		}
		if p.Kind == testcase.Map && len(p.Elems) != len(o.Elems) || len(p.Elems) != len(o.Elems) {
			return false
		}
		for i := range p.Elems {
			if !agree(p.Elems[i], o.Elems[i]) {
				return false
			}
		}
		return true
	case testcase.String:
		if p.Cut || o.Cut {
			return p.Len == o.Len
		}
	}
	return p.Equal(o)
}
