package symbolic

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/solver/smtlib"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

var (
	corpus          = flag.String("corpus", "", "a directory with copies of public packages, for the benchmarks")
	recordedQueries = flag.Int("recorded", 2000, "how many of the recorded queries BenchmarkRecorded asks")
)

// recorded has the queries of one exploration.
type recorded struct {
	name    string
	st      *term.Store
	queries []*solver.Query
}

// perFunction bounds how many queries of one function are recorded.
const perFunction = 150

// record explores one function in every so many of the packages in dirs, with the layers switched off, and
// keeps the queries.
func record(tb testing.TB, dirs []string, every int) []*recorded {
	tb.Helper()
	var out []*recorded
	n := 0
	for _, dir := range dirs {
		prog, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
		if err == nil && len(prog.Packages[0].Errors) > 0 {
			err = fmt.Errorf("%v", prog.Packages[0].Errors[0])
		}
		if err != nil {
			tb.Logf("not recorded: %s: %v", dir, err)
			continue
		}
		pkg := prog.Packages[0]
		for _, t := range pkg.Targets {
			if n++; t.Skip != "" || n%every != 0 {
				continue
			}
			rec := &recorded{name: pkg.Path + "." + t.String()}
			ctx, cancel := context.WithCancel(context.Background())
			_, err := Run(ctx, Subject{prog, pkg, t}, Config{
				Budget: Budget{Paths: 100, Instructions: 100_000, Effort: 1_000_000},
				Queries: func(st *term.Store, q *solver.Query, r solver.Result) {
					if len(rec.queries) == perFunction {
						cancel()
						return
					}
					rec.st = st
					rec.queries = append(rec.queries, &solver.Query{Conjuncts: slices.Clone(q.Conjuncts), Assumptions: slices.Clone(q.Assumptions)})
				},
			}, func(*testcase.Case) bool { return true })
			cancel()
			if err != nil {
				tb.Fatal(err)
			}
			if len(rec.queries) > 0 {
				out = append(out, rec)
			}
		}
	}
	return out
}

// packageDirs returns the directories below root that have Go files, without testdata directories in their
// subdirectories.
func packageDirs(tb testing.TB, root string) []string {
	tb.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor" || strings.ContainsAny(d.Name()[:1], "._") && path != root) {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !slices.Contains(out, filepath.Dir(path)) {
			out = append(out, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// answer decides a recorded query with all layers: the earlier conditions are assumed, and the last one is
// asked.
func answer(x *solver.Context, q *solver.Query) solver.Verdict {
	all := slices.Concat(q.Conjuncts, q.Assumptions)
	p := x.NewPath()
	defer p.Release()
	for i, c := range all {
		switch v := x.Feasible(p, c); {
		case v != solver.Sat:
			return v
		case i < len(all)-1:
			x.Assume(p, c)
		}
	}
	return solver.Sat
}

// sample takes n queries, evenly distributed over all that were recorded.
func sample(all []*recorded, n int) (taken int) {
	total := 0
	for _, rec := range all {
		total += len(rec.queries)
	}
	at := 0
	for _, rec := range all {
		var some []*solver.Query
		for _, q := range rec.queries {
			if at*n/total != (at+1)*n/total || n >= total {
				some = append(some, q)
			}
			at++
		}
		rec.queries = some
		taken += len(some)
	}
	return taken
}

// BenchmarkRecorded decides the queries of exploring the examples, and of the packages below -corpus if the
// flag is given: assay in this process, and z3 in one process that is fed through a pipe. Of the corpus one
// function in five is explored, and of all queries -recorded are taken, evenly distributed. For each query
// z3 may take a second, and assay its default effort, which is about half a second. Z3 is not asked for
// models, and assay evaluates each of its own. The benchmark fails if the verdicts contradict each other.
func BenchmarkRecorded(b *testing.B) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		b.Skip("NOT RUN: z3 is not on PATH")
	}
	began := time.Now()
	all := record(b, packageDirs(b, "../../examples"), 1)
	if *corpus != "" {
		all = append(all, record(b, packageDirs(b, *corpus), 5)...)
	}
	n := sample(all, *recordedQueries)
	b.Logf("%d functions recorded in %v", len(all), time.Since(began))
	b.ResetTimer()
	for range b.N {
		var ours, theirs, slowest time.Duration
		var unknown, unknownThere int
		p, err := smtlib.Start(nil, []string{"(set-option :timeout 1000)"}, z3, "-in")
		if err != nil {
			b.Fatal(err)
		}
		for _, rec := range all {
			if len(rec.queries) == 0 {
				continue
			}
			began := time.Now()
			x := solver.NewContext(rec.st, bitblast.New(rec.st, bitblast.Config{}), solver.Config{})
			verdicts := make([]solver.Verdict, len(rec.queries))
			for i, q := range rec.queries {
				verdicts[i] = answer(x, q)
			}
			took := time.Since(began)
			ours += took
			if slowest < took {
				slowest = took
				b.Logf("%s: %d queries, %v", rec.name, len(rec.queries), took)
			}
			p.Use(rec.st)
			for i, q := range rec.queries {
				began := time.Now()
				there := p.Verdict(q)
				theirs += time.Since(began)
				if verdicts[i] == solver.Unknown {
					unknown++
				}
				if there == solver.Unknown {
					unknownThere++
				}
				if verdicts[i] != there && verdicts[i] != solver.Unknown && there != solver.Unknown {
					b.Fatalf("%s: %s here, %s by z3: %s", rec.name, verdicts[i], there, rec.st.String(rec.st.AndAll(slices.Concat(q.Conjuncts, q.Assumptions)...)))
				}
			}
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n), "queries")
		b.ReportMetric(ours.Seconds(), "assay-s")
		b.ReportMetric(theirs.Seconds(), "z3-s")
		b.ReportMetric(theirs.Seconds()/ours.Seconds(), "ratio")
		b.ReportMetric(float64(unknown), "assay-unknown")
		b.ReportMetric(float64(unknownThere), "z3-unknown")
	}
}

// BenchmarkFunctions explores functions of public packages (-corpus) with the budget of gen, and reports how
// many paths there are, and how many questions the solver answers a second. The log says how many questions
// each layer answered.
func BenchmarkFunctions(b *testing.B) {
	if *corpus == "" {
		b.Skip("-corpus names a directory with the packages")
	}
	for _, f := range []struct{ dir, target string }{
		{"mod/semver", "Compare"}, {"mod/semver", "Canonical"}, {"levenshtein", "ComputeDistance"},
		{"strcase", "ToSnake"}, {"strcase", "ToLowerCamel"}, {"uuid", "Parse"}, {"uuid", "UUID.UnmarshalText"},
		{"go-shellwords", "Parse"}, {"xxhash", "Sum64String"}, {"go-runewidth", "Truncate"}, {"go-radix", "Tree.Insert"},
		{"deque", "Deque.PushBack"}, {"btree", "BTree.Delete"}, {"geo/r1", "Interval.Intersection"}, {"mod/module", "CheckPath"},
	} {
		b.Run(f.dir+"."+f.target, func(b *testing.B) {
			prog, pkg := subject(b, filepath.Join(*corpus, f.dir))
			t := pkg.Target(f.target)
			if t == nil {
				b.Fatalf("no function %s", f.target)
			}
			var res Result
			for range b.N {
				var err error
				if res, err = Run(context.Background(), Subject{prog, pkg, t}, Config{}, func(*testcase.Case) bool { return true }); err != nil {
					b.Fatal(err)
				}
			}
			s := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(res.Paths)/s, "paths/s")
			b.ReportMetric(float64(res.Solver.Questions)/s, "questions/s")
			b.Logf("%d paths (%v), %+v", res.Paths, res.Stops, res.Solver)
		})
	}
}
