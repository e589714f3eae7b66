package property

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/inverse"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the texts of one round trip.
const (
	fewest = 2
	enough = 3 // texts of tests, so that no others are needed
	most   = 8

	mostStructured = 2 // further texts of several parts
)

// Run runs sequences. Outcomes may be nil where the time is over.
type Run func(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error)

// RoundTrips returns cases for each exported function that reads one text and for which the package has a function that
// prints what it reads, if all of its tests' texts that it accepts come back. There is one case for each text. Where tests
// have only a few, texts of other executed cases are taken, the plainest first.
func RoundTrips(ctx context.Context, pkg *load.Package, run Run, tests, executed []*testcase.Case) ([]*testcase.Case, error) {
	var out []*testcase.Case
	for _, reader := range pkg.Targets {
		printer := printerFor(pkg, reader)
		if printer == nil || asks(tests, reader, printer) || insists(pkg, reader) {
			continue
		}
		cases := trips(reader, printer, tests)
		if len(cases) < enough {
			cases = trips(reader, printer, slices.Concat(tests, plainest(pkg, reader.Name, executed)))
			cases = cases[:min(len(cases), enough)]
		}
		if len(cases) < fewest {
			continue
		}
		long := trips(reader, printer, structured(pkg, plainest(pkg, reader.Name, executed)))
		long = long[:min(len(long), mostStructured)]
		if err := observe(ctx, run, slices.Concat(cases, long)); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(cases, func(c *testcase.Case) bool { return !comesBack(c) }) {
			continue
		}
		long = slices.DeleteFunc(long, func(c *testcase.Case) bool { return !comesBack(c) })
		out = append(out, distinct(telling(slices.Concat(cases, long)))...)
	}
	return out, nil
}

// observe runs cases and sets their outcomes, which are nil where the time is over.
func observe(ctx context.Context, run Run, cases []*testcase.Case) error {
	var seqs []*testcase.Sequence
	for _, c := range cases {
		seqs = append(seqs, c.Seq)
	}
	outcomes, err := run(ctx, seqs)
	for i, c := range cases {
		c.Observed = nil
		if i < len(outcomes) {
			c.Observed = outcomes[i]
		}
	}
	return err
}

// structured returns the cases whose call is passed a text of several parts. Such a text shows most of what has to come back.
func structured(pkg *load.Package, cases []*testcase.Case) []*testcase.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool {
		args := c.Seq.At(c.TargetStmt()).Args
		if len(args) != 1 {
			return true
		}
		text, ok := plain.TextOf(pkg, c.Seq, args[0].Stmt)
		return !ok || !plain.HasStructure(text)
	})
}

// distinct returns the cases without those that do the same as an earlier one.
func distinct(cases []*testcase.Case) []*testcase.Case {
	seen := make(map[string]bool)
	return slices.DeleteFunc(cases, func(c *testcase.Case) bool {
		key := c.Seq.Key()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// insists reports whether a function is another one that panics in place of an error: what MustParse reads Parse reads.
func insists(pkg *load.Package, reader *load.Target) bool {
	name, ok := strings.CutPrefix(reader.Name, "Must")
	other := pkg.Target(name)
	return ok && other != nil && printerFor(pkg, other) != nil
}

// asks reports whether tests of the reader print what it returned already.
func asks(tests []*testcase.Case, reader, printer *load.Target) bool {
	return slices.ContainsFunc(tests, func(c *testcase.Case) bool {
		if c.Target != reader.Name {
			return false
		}
		for i := c.TargetStmt() + 1; i < c.Seq.Len(); i++ {
			if c.Seq.At(i).Op.Func == printer.Obj {
				return true
			}
		}
		return false
	})
}

// printerFor returns the function that prints what another one reads, or nil: a method without parameters, or a function of
// one parameter, which returns a text like the one that is read, and perhaps an error.
func printerFor(pkg *load.Package, reader *load.Target) *load.Target {
	if !reader.Exported || reader.Skip != "" || reader.Recv != nil || len(reader.TypeArgs) > 0 || !reader.Obj.Exported() {
		return nil
	}
	sig := reader.Obj.Signature()
	if sig.Params().Len() != 1 || sig.Variadic() || !isPlainText(sig.Params().At(0).Type()) || !returnsOne(sig) {
		return nil
	}
	read := sig.Results().At(0).Type()
	for _, t := range pkg.Targets {
		if !t.Exported || t.Skip != "" || len(t.TypeArgs) > 0 || !t.Obj.Exported() || !inverse.Undoes(reader.Obj, t.Obj) && !inverse.Decodes(reader.Obj, t.Obj) {
			continue
		}
		of := t.Obj.Signature()
		takes := t.Recv
		if takes == nil && of.Params().Len() == 1 && !of.Variadic() {
			takes = of.Params().At(0).Type()
		} else if takes == nil || of.Params().Len() > 0 {
			continue
		}
		prints := returnsOne(of) && types.Identical(of.Results().At(0).Type(), sig.Params().At(0).Type())
		if prints && (types.Identical(takes, read) || t.Recv != nil && types.Identical(types.NewPointer(takes), read)) {
			return t
		}
	}
	return nil
}

// isPlainText reports whether a type is string or []byte, under no other name.
func isPlainText(t types.Type) bool {
	return types.Identical(t, types.Typ[types.String]) || types.Identical(t, types.NewSlice(types.Typ[types.Uint8]))
}

// returnsOne reports whether a function returns one value, and perhaps an error.
func returnsOne(sig *types.Signature) bool {
	results := sig.Results()
	return results.Len() == 1 && !gosyntax.IsError(results.At(0).Type()) || results.Len() == 2 && gosyntax.IsError(results.At(1).Type())
}

// trips returns a case of a round trip for each text that a test passes to the reader, which returns no error.
func trips(reader, printer *load.Target, tests []*testcase.Case) []*testcase.Case {
	var out []*testcase.Case
	known := make(map[string]bool)
	for _, c := range tests {
		at := c.TargetStmt()
		if c.Target != reader.Name || c.Property != "" || c.Observed == nil || c.Observed.Status != testcase.Returned || failed(c.Observed, at) || len(out) == most {
			continue
		}
		before := make([]testcase.Statement, 0, at+3)
		plainText := true
		for i := range at + 1 {
			st := c.Seq.At(i)
			switch st.Op.Kind {
			case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite:
			default:
				plainText = plainText && i == at && st.Op.Kind == testcase.OpFunc && st.Op.Via == nil
			}
			before = append(before, st)
		}
		if !plainText {
			continue
		}
		kind := testcase.OpFunc
		if printer.Recv != nil {
			kind = testcase.OpMethod
		}
		printed := testcase.Statement{Op: &testcase.Operation{Kind: kind, Func: printer.Obj}, Args: []testcase.Ref{{Stmt: at}}}
		again := testcase.Statement{Op: c.Seq.At(at).Op, Args: []testcase.Ref{{Stmt: at + 1}}}
		d := *c
		d.Seq = testcase.NewSequence(append(before, printed, again)...)
		d.Predicted, d.Path, d.Documented, d.Fields, d.Closes, d.Restores = nil, nil, "", nil, nil, nil
		d.Property, d.Keep = testcase.RoundTrip, true
		if key := d.Seq.Key(); !known[key] {
			known[key] = true
			out = append(out, &d)
		}
	}
	return out
}

// plainest returns the cases of a function with the plainest values first.
func plainest(pkg *load.Package, target string, cases []*testcase.Case) []*testcase.Case {
	var out []*testcase.Case
	strange := make(map[*testcase.Case]int)
	for _, c := range cases {
		if c.Target == target {
			strange[c] = plain.Strangeness(pkg, c)
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *testcase.Case) int { return strange[a] - strange[b] })
	return out
}

// failed reports whether a statement returned an error.
func failed(o *testcase.Outcome, stmt int) bool {
	return stmt >= len(o.Results) || slices.ContainsFunc(o.Results[stmt], func(v testcase.Value) bool { return v.Err != nil })
}

// telling returns the round trips without those of zeros, if enough are left. That nothing comes back as nothing says little.
func telling(cases []*testcase.Case) []*testcase.Case {
	left := slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool {
		v := c.Observed.Results[c.Seq.Len()-3][0]
		return (v.Kind == testcase.Int || v.Kind == testcase.Uint || v.Kind == testcase.Float) && v.Bits == 0
	})
	if len(left) < fewest {
		return cases
	}
	return left
}

// comesBack reports whether a round trip ended with what it began with, which was observed whole.
func comesBack(c *testcase.Case) bool {
	o, last := c.Observed, c.Seq.Len()-1
	if o == nil || o.Status != testcase.Returned || o.Unsteady(0) || last >= len(o.Results) {
		return false
	}
	for i := last - 2; i <= last; i++ {
		if failed(o, i) || len(o.Results[i]) == 0 {
			return false
		}
	}
	first, again := o.Results[last-2][0], o.Results[last][0]
	return gofile.Whole(first) && first.Kind != testcase.Nil && first.Equal(again)
}
