package main

import (
	"flag"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/session"
	checkverb "github.com/goassay/assay/internal/verb/check"
	"github.com/goassay/assay/internal/verb/enum"
	"github.com/goassay/assay/internal/verb/explore"
	"github.com/goassay/assay/internal/verb/reduce"
	"github.com/goassay/assay/internal/workers"
)

// defaultLines is the default bound on the lines of a test file. With fewer, containers of twenty methods lost
// tests that readers miss first; nobody reads a longer file.
const defaultLines = 1000

// gen runs "assay gen".
func (c *command) gen(args []string) int {
	var flags common
	var cfg campaign.Config
	var engines string
	var maxTests, maxLines int
	var update, dryRun, unsafe, fail bool
	fs := flags.flags("gen")
	flags.out.genFlags(fs)
	fs.StringVar(&flags.shard, "shard", "", "")
	fs.StringVar(&engines, "engine", "", "")
	fs.IntVar(&maxTests, "max-tests", 0, "")
	fs.IntVar(&maxLines, "max-lines", defaultLines, "")
	fs.BoolVar(&update, "update", false, "")
	fs.BoolVar(&dryRun, "dry-run", false, "")
	fs.BoolVar(&unsafe, "unsafe", false, "")
	var unexported bool
	fs.BoolVar(&unexported, "unexported", false, "")
	fs.BoolVar(&fail, "fail", false, "")
	var contracts string
	fs.StringVar(&contracts, "contracts", "", "")
	var concrete, mutate bool
	fs.BoolVar(&concrete, "concrete", false, "")
	fs.BoolVar(&mutate, "mutate", true, "")
	var exhaustive bool
	fs.BoolVar(&exhaustive, "exhaustive", false, "")
	fs.IntVar(&cfg.Depth, "depth", 0, "")
	fs.StringVar(&cfg.Finitization, "finitization", "", "")
	var ignore bool
	fs.BoolVar(&ignore, "ignore-existing", false, "")
	var misuse, baselineWrite bool
	fs.BoolVar(&misuse, "misuse", false, "")
	fs.BoolVar(&baselineWrite, "baseline-write", false, "")
	fs.BoolVar(&cfg.FuzzCorpus, "fuzz-corpus", false, "")
	fs.DurationVar(&cfg.Budget, "budget", 0, "")
	var remote remoteFlags
	remote.flags(fs)
	fs.StringVar(&cfg.Since, "since", "", "")
	var cacheDir string
	fs.StringVar(&cacheDir, "cache", "", "")
	var err error
	cfg.Config, err = flags.config(fs, args)
	if err != nil {
		return c.mistake("gen", err)
	}
	if maxTests < 0 {
		return c.usage("assay gen: -max-tests %d: must be 1 or more, or 0 for no bound", maxTests)
	}
	if maxLines < 0 {
		return c.usage("assay gen: -max-lines %d: must be 1 or more, or 0 for no bound", maxLines)
	}
	if engines != "" {
		cfg.Engines = strings.Split(engines, ",")
	}
	cfg.Concrete, cfg.Exhaustive = concrete, exhaustive
	if why := engineMistake(cfg); why != "" {
		return c.usage("assay gen: %s", why)
	}
	if why := budgetMistake(fs, cfg.Budget); why != "" {
		return c.usage("assay gen: %s", why)
	}
	if why := remote.mistake(fs); why != "" {
		return c.usage("assay gen: %s", why)
	}
	if cfg.NoContracts, err = contractsOff(contracts); err != nil {
		return c.usage("assay gen: %v", err)
	}
	if cfg.Cache, cfg.Program, err = c.openCache(cacheDir); err != nil {
		return c.usage("assay gen: -cache: %v", err)
	}
	cfg.NoMutants, cfg.IgnoreExisting = !mutate, ignore
	cfg.Waiting = flags.brief
	cfg.Misuse, cfg.BaselineWrite, cfg.Unexported = misuse, baselineWrite, unexported
	cfg.MaxTests, cfg.MaxLines = maxTests, maxLines
	cfg.Update, cfg.DryRun, cfg.Unsafe = update, dryRun, unsafe
	cfg.FirstBuild = 10 * time.Minute
	return c.work(&flags, cfg.Config, fail, func(common session.Config) (session.Result, error) {
		cfg.Config = common
		return c.genSomewhere(cfg, remote)
	})
}

// engineMistake says what is wrong with the flags for single engines, or "" if nothing is.
func engineMistake(cfg campaign.Config) string {
	sequence, bounded := slices.Contains(cfg.Engines, "sequence"), slices.Contains(cfg.Engines, "bounded")
	switch {
	case cfg.Concrete && !sequence:
		return "-concrete needs -engine sequence"
	case cfg.Depth < 0:
		return fmt.Sprintf("-depth %d: must be 1 or more, or 0 for the default", cfg.Depth)
	case cfg.Depth > 0 && !sequence:
		return "-depth needs -engine sequence"
	case cfg.Exhaustive && !bounded:
		return "-exhaustive needs -engine bounded"
	case cfg.Finitization != "" && !bounded:
		return "-finitization needs -engine bounded"
	case cfg.Finitization != "" && cfg.Exhaustive:
		return "-exhaustive and -finitization do not go together, because -exhaustive writes tests over the default bounds"
	}
	return ""
}

// budgetMistake says what is wrong with -budget, or "" if nothing is.
func budgetMistake(fs *flag.FlagSet, budget time.Duration) string {
	given, with := false, ""
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "budget":
			given = true
		case "dry-run", "fuzz-corpus", "debug":
			with = f.Name // results of such runs are not kept, so no pass could continue another one
		}
	})
	switch {
	case given && budget <= 0:
		return fmt.Sprintf("-budget %s: must be more than 0", budget)
	case given && with != "":
		return fmt.Sprintf("-budget and -%s do not go together: a pass continues from the results that the earlier pass has kept, and with -%s none are kept", with, with)
	}
	return ""
}

// explore runs "assay explore".
func (c *command) explore(args []string) int {
	var flags common
	var fail bool
	fs := flags.flags("explore")
	flags.out.pageFlag(fs)
	fs.BoolVar(&fail, "fail", false, "")
	var typ string
	var depth int
	var dot bool
	fs.StringVar(&typ, "type", "", "")
	fs.IntVar(&depth, "depth", 0, "")
	fs.BoolVar(&dot, "dot", false, "")
	var faults int
	fs.IntVar(&faults, "faults", 0, "")
	var count, concrete bool
	fs.BoolVar(&concrete, "concrete", false, "")
	fs.BoolVar(&count, "count", false, "")
	var paths int
	fs.IntVar(&paths, "max-runs", 0, "")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("explore", err)
	}
	switch {
	case depth < 0:
		return c.usage("assay explore: -depth %d: must be 1 or more, or 0 for the default", depth)
	case faults < 0:
		return c.usage("assay explore: -faults %d: must be 1 or more, or 0 for none", faults)
	case typ == "" && (depth > 0 || dot || concrete || faults > 0):
		return c.usage("assay explore: -depth, -dot, -concrete and -faults need -type")
	case dot && faults > 0:
		return c.usage("assay explore: -dot and -faults do not go together, because a graph does not show the counts of -faults")
	case paths < 0:
		return c.usage("assay explore: -max-runs %d: must be 1 or more, or 0 for the default", paths)
	case typ != "" && paths > 0:
		return c.usage("assay explore: -max-runs and -type do not go together; -depth bounds the states of a type")
	case typ != "" && count:
		return c.usage("assay explore: -count and -type do not go together; -type counts states in any case")
	}
	return c.work(&flags, cfg, fail, func(cfg session.Config) (session.Result, error) {
		return explore.Run(c.ctx, cfg, explore.Config{Count: count, MostPaths: paths, Type: typ, Depth: depth, Dot: dot, Draw: flags.out.html != "", Concrete: concrete, Faults: faults})
	})
}

// enum runs "assay enum".
func (c *command) enum(args []string) int {
	var flags common
	var space enum.Config
	var part string
	fs := flags.flags("enum")
	flags.out.pageFlag(fs)
	fs.IntVar(&space.Size, "size", enum.DefaultSize, "")
	fs.StringVar(&space.Finitization, "finitization", "", "")
	fs.BoolVar(&space.Skeleton, "skeleton", false, "")
	fs.StringVar(&part, "range", "", "")
	fs.BoolVar(&space.Print, "print", false, "")
	fs.BoolVar(&space.Dot, "dot", false, "")
	fs.BoolVar(&space.Paper, "paper", false, "")
	remote := remoteFlags{verb: "enum"}
	remote.serverFlags(fs)
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("enum", err)
	}
	switch {
	case fs.NArg() != 2:
		return c.usage("assay enum: want a package and a type, got %d arguments", fs.NArg())
	case space.Size < 1 || space.Size > maxSize:
		return c.usage("assay enum: -size %d: must be from 1 to %d", space.Size, maxSize)
	case remote.mistake(fs) != "":
		return c.usage("assay enum: %s", remote.mistake(fs))
	case flags.run != "":
		return c.usage("assay enum: -run selects functions, and enum works on a type")
	case space.Skeleton && (space.Print || space.Dot || part != "" || space.Finitization != ""):
		return c.usage("assay enum: -skeleton does not go together with other flags of enum")
	case part != "":
		var n int
		if n, err = fmt.Sscanf(part, "%d/%d", &space.Part, &space.Parts); err != nil || n != 2 ||
			part != fmt.Sprintf("%d/%d", space.Part, space.Parts) || space.Part < 1 || space.Part > space.Parts {
			return c.usage("assay enum: -range %s: want i/n with 1 <= i <= n", part)
		}
		space.Part--
	}
	cfg.Patterns, space.Type = fs.Args()[:1], fs.Arg(1)
	space.Draw = flags.out.html != ""
	return c.work(&flags, cfg, false, func(cfg session.Config) (session.Result, error) {
		if remote.wanted() {
			return c.byWorkers(cfg, remote, func(to *workers.Coordinator, atOnce int) (session.Result, error) {
				return to.Enum(c.ctx, cfg, space, atOnce)
			})
		}
		return enum.Run(c.ctx, cfg, space)
	})
}

// maxSize bounds -size. No space of a much larger size can be walked.
const maxSize = 100

// check runs "assay check".
func (c *command) check(args []string) int {
	var flags common
	fs := flags.flags("check")
	flags.out.flags(fs)
	fs.StringVar(&flags.shard, "shard", "", "")
	var guideName, noAssume, facts string
	var annotate, static, conversions, unsafe, exitZero bool
	fs.StringVar(&guideName, "guide", "both", "")
	fs.StringVar(&noAssume, "no-assume", "", "")
	fs.StringVar(&facts, "facts", "", "")
	fs.BoolVar(&annotate, "annotate", false, "")
	fs.BoolVar(&static, "static", false, "")
	fs.BoolVar(&conversions, "conversions", false, "")
	fs.BoolVar(&unsafe, "unsafe", false, "")
	fs.BoolVar(&exitZero, "exit-zero", false, "")
	var compare bool
	fs.BoolVar(&compare, "compare", false, "")
	var how checkverb.Config
	bounds := boundFlags(fs, &how)
	remote := remoteFlags{verb: "check"}
	remote.serverFlags(fs)
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("check", err)
	}
	if why := bounds(); why != "" {
		return c.usage("assay check: %s", why)
	}
	if why := remote.mistake(fs); why != "" {
		return c.usage("assay check: %s", why)
	}
	mode, ok := guide.ParseMode(guideName)
	if !ok {
		return c.usage("assay check: -guide %q: want %s", guideName, strings.Join(guide.ModeNames(), ", "))
	}
	cfg.Unsafe = unsafe
	if compare && (annotate || static || isGiven(fs, "guide")) {
		return c.usage("assay check: -compare explores in all modes, and does not go together with -guide, -annotate or -static")
	}
	how.Guide, how.Annotate, how.Static = mode, annotate, static
	how.Checks.Lossy = conversions
	if noAssume != "" {
		how.Checks.Off = map[check.AssumptionKind]bool{}
		for name := range strings.SplitSeq(noAssume, ",") {
			kind, ok := check.ParseAssumptionKind(name)
			if !ok {
				return c.usage("assay check: -no-assume: there is no kind of assumptions %q", name)
			}
			how.Checks.Off[kind] = true
		}
	}
	if facts != "" {
		f, err := check.ReadExternalFacts(facts)
		if err != nil {
			return c.usage("assay check: -facts: %v", err)
		}
		how.Checks.External = f
	}
	return c.work(&flags, cfg, !exitZero, func(cfg session.Config) (session.Result, error) {
		if compare {
			return checkverb.Compare(c.ctx, cfg, how)
		}
		if remote.wanted() {
			return c.byWorkers(cfg, remote, func(to *workers.Coordinator, atOnce int) (session.Result, error) {
				return to.Check(c.ctx, cfg, how, atOnce)
			})
		}
		return checkverb.Run(c.ctx, cfg, how)
	})
}

// boundFlags adds the bounds of explorations to the flags of check. The returned function reads them
// and says what is wrong with them.
func boundFlags(fs *flag.FlagSet, how *checkverb.Config) func() string {
	bounds := []struct {
		name string
		n    *int
	}{
		{"max-runs", &how.Bounds.Paths}, {"max-branches", &how.Bounds.Branches}, {"max-stack", &how.Bounds.Stack},
		{"max-steps", &how.Bounds.Instructions}, {"max-solver", &how.Bounds.Query}, {"max-interrupts", &how.Interrupts},
	}
	for _, b := range bounds {
		fs.IntVar(b.n, b.name, 0, "")
	}
	return func() string {
		for _, b := range bounds {
			if *b.n < 0 {
				return fmt.Sprintf("-%s %d: must be 1 or more, or 0 for the default", b.name, *b.n)
			}
		}
		return ""
	}
}

// isGiven reports whether a flag is on the command line.
func isGiven(fs *flag.FlagSet, name string) bool {
	found := false
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// reduce runs "assay reduce".
func (c *command) reduce(args []string) int {
	var flags common
	var dryRun bool
	fs := flags.flags("reduce")
	fs.BoolVar(&dryRun, "n", false, "")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("reduce", err)
	}
	files := cfg.Patterns
	if len(files) == 0 {
		return c.usage("assay reduce: want the names of test files that assay wrote")
	}
	cfg.Patterns = nil
	return c.work(&flags, cfg, false, func(cfg session.Config) (session.Result, error) {
		return reduce.Run(c.ctx, cfg, files, dryRun)
	})
}

// version runs "assay version".
func (c *command) version(args []string) int {
	if len(args) > 0 {
		return c.usage("assay version: takes no arguments")
	}
	fmt.Fprintln(c.stdout, versionLine())
	return exitDone
}

// versionText returns the version of assay that the go command has recorded in the program.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// help runs "assay help".
func (c *command) help(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(c.stdout, usageText)
		return exitDone
	}
	for _, v := range verbs() {
		if v.name == args[0] && len(args) == 1 {
			fmt.Fprint(c.stdout, v.help)
			return exitDone
		}
	}
	return c.usage("assay help: there is no command %q", strings.Join(args, " "))
}
