package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
)

// guided writes the result of one kind of guide as a line of a table. It writes the table's head before the
// first line. With -v it shows functions one by one.
func (t *Text) guided(e event.Guided, out *strings.Builder) {
	if e.Func != "" && !t.verbose {
		return
	}
	if e.Guide == "none" {
		name := e.Package
		switch {
		case e.Func != "":
			name = e.Func
		case e.Package == "":
			name = "all packages"
		}
		if e.Func == "" {
			name += fmt.Sprintf(": %d functions; for %d of them all ways make as many non-redundant tests", e.Functions, e.Alike)
		}
		fmt.Fprintf(out, "%s\n%-10s %7s %8s %6s %10s %11s | %6s %8s %6s %10s | %7s %8s %9s\n", name,
			"guide", "tests", "failing", "other", "redundant", "unverified", "suite", "failing", "other", "redundant", "pruned", "seconds", "of alike")
	}
	same := ""
	if e.Func == "" {
		same = fmt.Sprintf("%.2f", e.AlikeCPUS)
	}
	fmt.Fprintf(out, "%-10s %7d %8d %6d %10d %11d | %6d %8d %6d %10d | %7d %8.2f %9s\n", e.Guide,
		e.Tests.All(), e.Tests.Failing, e.Tests.NonRedundant, e.Tests.Redundant, e.Unverified,
		e.Suite.All(), e.Suite.Failing, e.Suite.NonRedundant, e.Suite.Redundant, e.Pruned, e.CPUS, same)
	if !t.verbose {
		return
	}
	for _, b := range e.Broken {
		fmt.Fprintf(out, "\tbroken: %s\n", b)
	}
	for _, b := range slices.Sorted(maps.Keys(e.Bounds)) {
		fmt.Fprintf(out, "\tbound reached: %s (%d)\n", b, e.Bounds[b])
	}
}
