package finding

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// SeverityOf says how bad a finding is, given its kind.
func SeverityOf(pkg *load.Package, c *testcase.Case, kind string) testcase.Severity {
	o := c.Observed
	a := approachOf(pkg, c)
	if c.Whole {
		a.inside, a.raw = false, false // a predicate vouches for what was made by literals
	}
	target := pkg.Target(c.Target)
	if c.Seq.Last().Op.Kind == testcase.OpCheck && (a.inside || a.raw) {
		return testcase.Note // of what was made by hand nobody said that it is valid
	}
	if op := c.Seq.Last().Op; op.Kind == testcase.OpCheck && op.Check.Severity != testcase.Error && target != nil && target.Exported {
		return op.Check.Severity // assay only inferred it
	}
	switch {
	case kind == "explicit" || a.failed || target == nil || !target.Exported:
		// The code says itself that this is misuse, or nobody outside can call it.
		return testcase.Note
	case o.Status == testcase.Panicked && documented(pkg, target):
		return testcase.Note // misuse, although the code leaves it to the run time to say so
	case a.inside || a.raw || a.nils || a.stub || a.unset && kind == "nil-dereference":
		return testcase.Warning
	case a.unset && o.Violated == "contract string":
		return testcase.Warning // printing it panics
	case elsewhere(pkg, o) || kind == "nil-dereference" && foreignZero(pkg, c) || kind == "nil-map-write" && passesNilMap(c.Seq) || ofAnotherType(pkg, kind, o):
		return testcase.Warning
	case a.channel && (kind == "hang" || kind == "deadlock" || kind == "closed-channel"):
		// Who sends, who receives and who closes is agreed with the caller.
		return testcase.Warning
	case a.knot && (kind == "hang" || kind == "stack-overflow"):
		return testcase.Warning // a ring of the test's making has no end
	case a.large && (kind == "hang" || kind == "fatal" || kind == "stack-overflow" || kind == "deadlock" || kind == "negative-length"):
		// A length can be too large for any machine without being wrong.
		return testcase.Warning
	}
	stack := framesOf(pkg, o)
	switch kind {
	case "type-assertion":
		if purity.AssertsArgument(pkg, stack) {
			return testcase.Warning
		}
	case "index-out-of-range", "slice-out-of-range", "division-by-zero", "negative-length", "negative-shift", "other":
		if ofSort(target) {
			return testcase.Warning
		}
		if purity.Unchecked(pkg, stack) || purity.ShortBuffer(pkg, stack) {
			return testcase.Warning
		}
	}
	return testcase.Error
}

// ofSort reports whether a method is one that packages sort and container/heap call, with
// what they make sure of: indices below Len, and elements to pop.
func ofSort(t *load.Target) bool {
	switch t.Obj.Name() {
	case "Less", "Swap", "Pop":
	default:
		return false
	}
	if t.Recv == nil || load.NamedOf(t.Recv) == nil {
		return false
	}
	named := load.NamedOf(t.Recv)
	methods := types.NewMethodSet(types.NewPointer(named))
	for _, want := range []struct {
		name   string
		params int
	}{{"Len", 0}, {"Less", 2}, {"Swap", 2}} {
		m := methods.Lookup(named.Obj().Pkg(), want.name)
		if m == nil || m.Type().(*types.Signature).Params().Len() != want.params {
			return false
		}
	}
	return true
}

// documented reports whether the function's comment says that it may panic.
func documented(pkg *load.Package, t *load.Target) bool {
	fd := pkg.Func(t.Obj)
	if fd == nil {
		return false
	}
	doc := strings.ToLower(strings.Join(strings.Fields(fd.Doc.Text()), " "))
	for _, denial := range []string{"not panic", "never panic", "without panic", "no panic", "n't panic"} {
		doc = strings.ReplaceAll(doc, denial, "")
	}
	return strings.Contains(doc, "panic")
}
