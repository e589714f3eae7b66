package native

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"

	"github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// Rewriter returns the sources that a harness compiles in place of the instrumented ones: the package with
// variants (mutants) in it, switched by a variable at run time. Names that it adds begin with the prefix,
// which occurs nowhere in the package.
//
// The harness declares for it the counters <prefix>c, an array of bytes of length Counters; Outcome.Cover
// says which of them a case set. Support declares two variables of type <prefix>rt.Int: <prefix>m is the
// number of the variant that is on (0 is none), and <prefix>f is the fuel of the case (0 is unlimited).
type Rewriter interface {
	Rewrite(prefix string, f *ast.File, src []byte, hook Hook) ([]byte, error)
	Support(prefix string) string
	Counters() int
}

// Hook returns the condition of a call to an annotation, and the texts to insert before and after it that
// make the annotation work in the harness; or nil for other calls.
type Hook func(call *ast.CallExpr) (cond ast.Expr, before, after string)

// TestFailed is the beginning of a failed test's message in a statement of Harness.Suite. If the test
// panicked, the panic follows.
const TestFailed = assayrt.TestFailed

// Job is a sequence to be run while a variant is switched on, in a harness with a
// Rewriter.
type Job struct {
	Seq     *testcase.Sequence
	Variant int
	Fuel    int // how many turns of loops the sequence may take; 0 means no bound
	// Descending says that loops of the package over maps go from the largest key to the smallest.
	Descending bool
}

// RunJobs runs the jobs in their order. Unlike Run it does not repeat a job that ended the process.
func (h *Harness) RunJobs(ctx context.Context, jobs []Job, c Capture) ([]*testcase.Outcome, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	cases := make([]*prepared, len(jobs))
	for i, j := range jobs {
		cases[i] = &prepared{seq: j.Seq, variant: j.Variant, fuel: j.Fuel, descending: j.Descending, once: true}
	}
	cases, err := h.prepare(ctx, cases)
	if err == nil {
		err = h.runAll(ctx, &h.main, cases, conditions{variation: firstRun(), level: c.level()})
	}
	return outcomes(cases), err
}

// Suite returns a sequence that runs tests of Config.Suite, numbered in the order of the files and, within a
// file, of its tests. The statement of a failing test panics.
func (h *Harness) Suite(tests ...int) *testcase.Sequence {
	var b testcase.Builder
	run := &testcase.Operation{Kind: testcase.OpFunc, Func: h.builder.suiteFunc()}
	for _, i := range tests {
		n := b.Add(&testcase.Operation{
			Kind: testcase.OpLiteral, Type: types.Typ[types.Int],
			Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(i)},
		})
		b.Add(run, n)
	}
	return b.Sequence()
}

// Tests returns the names of the tests of Config.Suite by their numbers.
func (h *Harness) Tests() []string { return h.builder.testNames }

// suiteFunc is the generated function that runs a test.
func (b *builder) suiteFunc() *types.Func {
	if b.suite == nil {
		params := types.NewTuple(types.NewParam(token.NoPos, b.pkg.Types, "i", types.Typ[types.Int]))
		b.suite = types.NewFunc(token.NoPos, b.pkg.Types, b.prefix+"suite", types.NewSignatureType(nil, nil, nil, params, nil, false))
	}
	return b.suite
}

// suiteSupport returns the declarations by which the harness runs tests.
func (b *builder) suiteSupport() string {
	if len(b.cfg.Suite) == 0 {
		return ""
	}
	return fmt.Sprintf("func %ssuite(i %srt.Int) { %srt.RunTest(i) }\n\n", b.prefix, b.prefix, b.prefix)
}

// writeSuite adds the test files, and for each of their packages a file that registers
// the tests.
func (b *builder) writeSuite() error {
	var err error
	if b.suiteFiles, b.testNames, err = prepareSuite(b.cfg.Suite); err != nil {
		return err
	}
	lists := map[string]string{}
	for i, f := range b.suiteFiles {
		if err := b.file(fmt.Sprintf("suite%d_test.go", i), f.Path, f.Content); err != nil {
			return err
		}
		for _, name := range f.Tests {
			lists[f.pkg] += fmt.Sprintf("\t%srt.AddTest(%d, func() bool {\n\t\treturn %stesting.RunTests(%srt.AnyTest, []%stesting.InternalTest{{Name: %q, F: %s}})\n\t})\n",
				b.prefix, b.tests, b.prefix, b.prefix, b.prefix, name, name)
			b.tests++
		}
	}
	var packages []string
	for p := range lists {
		packages = append(packages, p)
	}
	sort.Strings(packages)
	for _, p := range packages {
		text := fmt.Sprintf("package %s\n\nimport %stesting \"testing\"\nimport %srt %q\n\nfunc init() {\n%s}\n", p, b.prefix, b.prefix, runtimePath, lists[p])
		local := b.prefix + "register_" + p + "_test.go"
		if err := b.file(local, filepath.Join(b.pkg.Dir, local), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// inSuite reports whether a test file is one of Config.Suite.
func (b *builder) inSuite(name string) bool {
	for _, f := range b.cfg.Suite {
		if f.Path == name {
			return true
		}
	}
	return false
}
