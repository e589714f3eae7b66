package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/fuzzing"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/testcase"
)

// maxFuzzSeeds bounds the seeds that one Fuzz function gets.
const maxFuzzSeeds = 64

// fuzzFunctions returns the Fuzz functions in the package's own tests.
func (g *gen) fuzzFunctions() []fuzzing.Function {
	names := func(name string) bool {
		_, ok := g.Pkg.Types.Scope().Lookup(name).(*types.Func)
		return ok
	}
	var out []fuzzing.Function
	for _, file := range g.Pkg.TestFiles {
		if files.IsOwn(file) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // go test reports the error
		}
		out = append(out, fuzzing.Functions(f, g.Pkg.Name, names)...)
	}
	return out
}

// fuzzInputs returns the inputs of a function's tests as values of the given types, in the order of the
// tests. The parameter args says which of the function's parameters each type belongs to.
func fuzzInputs(tests []*testcase.Case, target string, typs []string, args []int) []fuzzing.Input {
	var out []fuzzing.Input
	seen := map[string]bool{}
	for _, c := range tests {
		last := c.Seq.Last()
		if c.Target != target || last.Op.Kind != testcase.OpFunc || last.Op.Spread || c.Observed == nil || c.Observed.Status != testcase.Returned {
			continue
		}
		in := make(fuzzing.Input, 0, len(typs))
		for i, typ := range typs {
			if args[i] >= len(last.Args) {
				break
			}
			v, ok := fuzzing.Constant(c.Seq, last.Args[args[i]])
			if ok {
				v, ok = fuzzing.Convert(v, typ)
			}
			if ok {
				in = append(in, v)
			}
		}
		if len(in) == len(typs) && !seen[in.FileName()] && len(out) < maxFuzzSeeds {
			seen[in.FileName()] = true
			out = append(out, in)
		}
	}
	return out
}

// fuzzFiles returns the files of proposed Fuzz functions. There is one function for each exported function
// whose arguments can be fuzzed and that has no Fuzz function. Functions that panic for some inputs on
// purpose are left out, because fuzzing would find only that.
func (g *gen) fuzzFiles(scope scope, v choose.Selection) []emit.File {
	if !g.cfg.FuzzCorpus {
		return nil
	}
	fuzzed := map[string]bool{}
	for _, f := range g.fuzzFunctions() {
		fuzzed[f.Target] = true
		fuzzed[strings.TrimPrefix(f.Name, "Fuzz")] = true
	}
	panics := map[string]bool{}
	for _, c := range v.Tests {
		if c.Observed != nil && c.Observed.Status != testcase.Returned {
			panics[c.Target] = true
		}
	}
	for _, f := range v.Findings {
		panics[f.Func] = true
	}
	var proposals []emit.Proposal
	for _, t := range scope.exported {
		sig := t.Obj.Signature()
		if t.Recv != nil || g.ChangesFiles(t.Obj) || sig.TypeParams() != nil || sig.Variadic() || fuzzed[t.Name] || panics[t.Name] || g.Pkg.TestNames["Fuzz"+t.Name] {
			continue
		}
		var typs []string
		var args []int
		text := false
		for i := range sig.Params().Len() {
			typ := fuzzing.TypeOf(sig.Params().At(i).Type())
			typs, args = append(typs, typ), append(args, i)
			text = text || typ == "string" || typ == "[]byte"
		}
		if !text || slices.Contains(typs, "") {
			continue // a solver chose these numbers, and tests have them already
		}
		proposals = append(proposals, emit.Proposal{Func: t.Obj, Inputs: fuzzInputs(v.Tests, t.Name, typs, args)})
	}
	return emit.Fuzz(g.Pkg, g.Prog.Fset, proposals)
}

// writeSeeds writes inputs of the tests as seeds of the package's own Fuzz functions, into testdata/fuzz
// where the go command looks for them. A seed that makes the Fuzz function fail would make go test
// fail, so it is reported and not written.
func (g *gen) writeSeeds(suite *verify.Suite) error {
	if !g.cfg.FuzzCorpus || g.cfg.DryRun || !suite.Verified {
		return nil
	}
	ctx, cancel := g.times(nil).finish()
	defer cancel()
	work, err := os.MkdirTemp("", "assay-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	binary := ""
	for _, f := range g.fuzzFunctions() {
		if f.Target == "" {
			g.Skip(f.Name, "it is not clear which function its arguments are passed on to")
			continue
		}
		inputs := fuzzInputs(suite.Tests, f.Target, f.Types, f.Args)
		dir := filepath.Join(g.Pkg.Dir, "testdata", "fuzz", f.Name)
		inputs = slices.DeleteFunc(inputs, func(in fuzzing.Input) bool {
			_, err := os.Stat(filepath.Join(dir, in.FileName()))
			return err == nil
		})
		if len(inputs) == 0 {
			continue
		}
		if binary == "" {
			binary = filepath.Join(work, "fuzz.test")
			if err := (gotest.Run{Dir: g.Pkg.Dir, Tags: g.cfg.Tags, NoVet: true}).Build(ctx, work, binary); err != nil {
				return fmt.Errorf("the package's Fuzz functions do not build: %w", err)
			}
		}
		for _, in := range inputs {
			why, err := g.tryInput(ctx, work, binary, f.Name, in)
			if err != nil {
				return err
			}
			if why != "" {
				text, _ := in.Go()
				g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s fails for %s, which is not written: %s", g.Pkg.Path, f.Name, text, why), Warning: true})
				continue
			}
			if err := writeSeed(dir, in); err != nil {
				return err
			}
			g.Events.Send(event.Seed{Package: g.Pkg.Path, Func: f.Name, File: filepath.Join(dir, in.FileName())})
		}
	}
	return nil
}

// tryInput runs a Fuzz function of the package on one input. It runs in a directory like the package's that
// contains no other seeds. It returns the failure, or "" if there is none.
func (g *gen) tryInput(ctx context.Context, work, binary, name string, in fuzzing.Input) (string, error) {
	dir, err := os.MkdirTemp(work, "input-")
	if err != nil {
		return "", err
	}
	if err := link(g.Pkg.Dir, dir, "testdata"); err != nil {
		return "", err
	}
	if err := link(filepath.Join(g.Pkg.Dir, "testdata"), filepath.Join(dir, "testdata"), "fuzz"); err != nil {
		return "", err
	}
	if err := writeSeed(filepath.Join(dir, "testdata", "fuzz", name), in); err != nil {
		return "", err
	}
	policy := g.Policy(filepath.Join(work, "tmp"))
	policy.Read = append(policy.Read, dir)
	cmd, err := gotest.Command(ctx, policy, dir, binary, "-test.run=^"+name+"$/^"+in.FileName()+"$", "-test.timeout=10s", "-test.count=1")
	if err != nil {
		return "", err
	}
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if msg, ok := guard.Failure(exit.ExitCode(), string(out)); ok {
			return "", errors.New(msg)
		}
		return gotest.Failure(strings.Split(string(out), "\n")), nil
	}
	return "", err
}

// link makes links in dir to all entries of the directory from except one.
func link(from, dir, except string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, e := range entries {
		if err == nil && e.Name() != except {
			err = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name()))
		}
	}
	return err
}

// writeSeed writes an input to a directory of a corpus.
func writeSeed(dir string, in fuzzing.Input) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, in.FileName()), in.File())
}
