package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/report"
	"github.com/goassay/assay/internal/session"
	"golang.org/x/term"
)

// common are the flags that every verb over packages has.
type common struct {
	run     string
	timeout time.Duration
	seed    uint64
	workers int
	tags    string
	dir     string
	json    bool
	verbose bool
	debug   string
	brief   bool // -debug=brief: the random engine spends as little effort as in editors
	known   string
	confine string
	shard   string // for gen and check
	out     outputs

	markdown bool // for diff
}

// flags returns a flag set for a verb with the common flags.
func (c *common) flags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet("assay "+name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&c.run, "run", "", "")
	fs.DurationVar(&c.timeout, "timeout", session.DefaultTimeout, "")
	fs.Uint64Var(&c.seed, "seed", 1, "")
	fs.IntVar(&c.workers, "j", 0, "")
	fs.StringVar(&c.tags, "tags", "", "")
	fs.StringVar(&c.dir, "C", "", "")
	fs.BoolVar(&c.json, "json", false, "")
	fs.BoolVar(&c.verbose, "v", false, "")
	fs.StringVar(&c.debug, "debug", "", "")
	fs.StringVar(&c.known, "baseline", "", "")
	fs.StringVar(&c.confine, "confine", guard.Best.String(), "")
	return fs
}

// debugTopics are the names that -debug understands.
func debugTopics() []string {
	return []string{"mismatches", "states", "queries", "stats", "stages", "cover", "mutants", "rejected", "why", "native", "brief"}
}

// config makes a session's configuration from the flags. A mistake in them is returned as an error of
// one line.
func (c *common) config(fs *flag.FlagSet, args []string) (session.Config, error) {
	var cfg session.Config
	if err := fs.Parse(args); err != nil {
		return cfg, err
	}
	for i, arg := range fs.Args() {
		if i > 0 && strings.HasPrefix(arg, "-") {
			// It would be taken for a package, and what it asks for left undone: -dry-run, for one.
			return cfg, fmt.Errorf("%s stands behind %s: flags come first", arg, fs.Arg(0))
		}
	}
	if err := cfg.Select(c.run); err != nil {
		return cfg, err
	}
	if c.timeout <= 0 {
		return cfg, fmt.Errorf("-timeout %s: must be more than 0", c.timeout)
	}
	if c.workers < 0 {
		return cfg, fmt.Errorf("-j %d: must be 1 or more, or 0 for one per CPU", c.workers)
	}
	if c.dir != "" {
		if info, err := os.Stat(c.dir); err != nil {
			return cfg, fmt.Errorf("-C: %w", err)
		} else if !info.IsDir() {
			return cfg, fmt.Errorf("-C: %s is not a directory", c.dir)
		}
	}
	var ok bool
	if cfg.Confine, ok = guard.ParseMode(c.confine); !ok {
		return cfg, fmt.Errorf("-confine %s: want %s", c.confine, strings.Join(guard.ModeNames(), ", "))
	}
	if c.shard != "" {
		var err error
		if cfg.Shard, err = load.ParseShard(c.shard); err != nil {
			return cfg, fmt.Errorf("-shard: %w", err)
		}
	}
	if c.debug != "" {
		for topic := range strings.SplitSeq(c.debug, ",") {
			if !slices.Contains(debugTopics(), topic) {
				return cfg, fmt.Errorf("-debug: there is no topic %q; want %s", topic, strings.Join(debugTopics(), ", "))
			}
			if topic == "brief" {
				c.brief = true // the topic says nothing, so results are still kept for later runs
				continue
			}
			if cfg.Debug == nil {
				cfg.Debug = make(map[string]bool)
			}
			cfg.Debug[topic] = true
		}
	}
	if err := c.out.checkWritable(); err != nil {
		return cfg, err
	}
	cfg.Dir, cfg.Tags, cfg.Timeout, cfg.Seed, cfg.Workers = c.dir, c.tags, c.timeout, c.seed, c.workers
	cfg.Patterns, cfg.Baseline = fs.Args(), c.known
	return cfg, nil
}

// contractsOff reads -contracts: names of contracts to check, or with a minus names of contracts not to
// check, or "none". It returns the contracts that are not checked.
func contractsOff(list string) (map[string]bool, error) {
	if list == "" {
		return nil, nil
	}
	known, _ := protocol.Names()
	on, off := make(map[string]bool), make(map[string]bool)
	for name := range strings.SplitSeq(list, ",") {
		name, minus := strings.CutPrefix(name, "-")
		switch {
		case name == "none" && !minus:
			on[name] = true
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("-contracts: there is no contract %q; want %s, or none", name, strings.Join(known, ", "))
		case minus:
			off[name] = true
		default:
			on[name] = true
		}
	}
	if len(on) > 0 {
		for _, name := range known {
			off[name] = off[name] || !on[name]
		}
	}
	return off, nil
}

// openCache opens the directory in which results are kept, and identifies this program. If the user has
// no cache directory and named none, there is no cache. There is none either if there is no place for
// the secret that authenticates entries; this is reported if the user asked for a cache.
func (c *command) openCache(dir string) (*cache.Dir, string, error) {
	if dir == "off" {
		return nil, "", nil
	}
	asked := dir != ""
	if !asked {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, "", nil // without a home directory there is no place to keep anything
		}
		dir = filepath.Join(base, "assay")
	}
	program, err := cache.Program()
	if err != nil {
		return nil, "", err
	}
	name, err := cache.SecretFile()
	var secret []byte
	if err == nil {
		secret, err = cache.Secret(name)
	}
	if err != nil {
		if asked {
			fmt.Fprintf(c.stderr, "assay: results are not kept: %v; %s can name a file for the secret\n", err, cache.SecretEnv)
		}
		return nil, "", nil
	}
	d, err := cache.Open(dir, secret)
	if err != nil && !asked {
		return nil, "", nil // it is not the user's mistake that the home directory cannot be written to
	}
	return d, program, err
}

// mistake reports an error of config. A request for help is not an error.
func (c *command) mistake(verb string, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return c.help([]string{verb})
	}
	return c.usage("assay %s: %s", verb, flagMistake(err.Error()))
}

var (
	badValue = regexp.MustCompile(`^invalid (?:boolean )?value ("(?:[^"\\]|\\.)*") for (?:flag )?-([a-z-]+): parse error$`)
	badFlag  = regexp.MustCompile(`^(flag provided but not defined|flag needs an argument): (-[^ ]+)$`)
)

// flagMistake puts a message of package flag into the words of the other messages: the flag, the value, and which
// values the flag takes. Other messages stay as they are.
func flagMistake(message string) string {
	if m := badFlag.FindStringSubmatch(message); m != nil {
		if m[1] == "flag needs an argument" {
			return m[2] + ": a value is missing"
		}
		return "there is no flag " + m[2]
	}
	m := badValue.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	want := "a whole number"
	switch m[2] {
	case "timeout", "budget", "age":
		want = "a duration such as 30s or 5m"
	case "seed":
		want = "a whole number, 0 or more"
	default:
		if strings.HasPrefix(message, "invalid boolean") {
			want = "true or false"
		}
	}
	return fmt.Sprintf("-%s %s: want %s", m[2], m[1], want)
}

// work runs f with the reporter that the flags ask for, and turns its result into an exit status. If
// findings is set, those of severity error affect the status.
func (c *command) work(flags *common, cfg session.Config, findings bool,
	f func(session.Config) (session.Result, error)) int {
	wd, err := os.Getwd()
	if err != nil {
		wd = "/" // the full names are shown then
	}
	if abs, err := filepath.EvalSymlinks(wd); err == nil {
		wd = abs
	}
	text := report.NewText(c.stdout, c.stderr, wd, flags.verbose, isTerminal(c.stderr))
	if width := terminalWidth(c.stdout); width > 0 {
		text.Terminal(width)
	}
	cfg.Events = text.Event
	var events *report.JSON
	if flags.json {
		events = report.NewJSON(c.stdout, text)
		cfg.Events = events.Event
	}
	var comment *report.Markdown
	if flags.markdown {
		comment = report.NewMarkdown(c.stdout, text)
		cfg.Events = comment.Event
	}
	views := flags.out.open(c.stderr, wd, flags.dir)
	cfg.Events = views.spread(cfg.Events)
	res, err := f(cfg)
	if comment != nil && err == nil && !res.Interrupted {
		comment.Close()
	}
	text.Close()
	if err != nil {
		fmt.Fprintf(c.stderr, "assay: %v\n", err)
	}
	if events != nil && events.Err() != nil {
		fmt.Fprintf(c.stderr, "assay: %v\n", events.Err())
		res.Failed = true
	}
	for _, problem := range views.write(err == nil && !res.Failed && !res.Interrupted) {
		fmt.Fprintf(c.stderr, "assay: %v\n", problem)
		res.Failed = true
	}
	if comment != nil && comment.Err() != nil {
		fmt.Fprintf(c.stderr, "assay: %v\n", comment.Err())
		res.Failed = true
	}
	var usage session.UsageError
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case res.Interrupted:
		return exitInterrupted
	case err != nil || res.Failed:
		return exitFailed
	case findings && res.ErrorFindings > 0:
		return exitFindings
	}
	return exitDone
}

// terminalWidth returns how many columns a terminal has, or 0 if w is no terminal.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
