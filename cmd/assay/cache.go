package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/schedule"
)

// cache runs "assay cache".
func (c *command) cache(args []string) int {
	var dir string
	var megabytes int64
	var age time.Duration
	var remove bool
	fs := flag.NewFlagSet("assay cache", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&dir, "cache", "", "")
	fs.Int64Var(&megabytes, "size", cache.Limit>>20, "")
	fs.DurationVar(&age, "age", cache.Unused, "")
	fs.BoolVar(&remove, "remove", false, "")
	what := "show"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		what, args = args[0], args[1:]
	}
	if err := fs.Parse(args); err != nil {
		return c.mistake("cache", err)
	}
	does := map[string]func(*cache.Dir) error{
		"show":   c.showCache,
		"trim":   func(d *cache.Dir) error { return c.trimCache(d, age, megabytes<<20) },
		"verify": func(d *cache.Dir) error { return c.verifyCache(d, remove) },
	}
	with := map[string]string{"size": "trim", "age": "trim", "remove": "verify"}
	misplaced := ""
	fs.Visit(func(f *flag.Flag) {
		if of, ok := with[f.Name]; ok && of != what {
			misplaced = fmt.Sprintf("-%s needs %s", f.Name, of)
		}
	})
	switch {
	case does[what] == nil:
		return c.usage("assay cache: no %q; want show, trim or verify", what)
	case fs.NArg() > 0:
		return c.usage("assay cache %s: takes no arguments", what)
	case misplaced != "":
		return c.usage("assay cache: %s", misplaced)
	case megabytes < 0 || age < 0:
		return c.usage("assay cache trim: -size and -age must be 0 or more")
	case dir == "off":
		return c.usage("assay cache: -cache: want a directory")
	}
	d, _, err := c.openCache(dir)
	if err == nil && d == nil {
		err = fmt.Errorf("there is no cache, because the user has no cache directory, or there is no place for the secret of the cache")
	}
	if err == nil {
		err = does[what](d)
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "assay: %v\n", err)
		return exitFailed
	}
	return exitDone
}

// keptPackage is what a cache holds for a package: several entries, of which the last used one has the
// present result.
type keptPackage struct {
	campaign.Kept
	entries int
	size    int64
	used    time.Time
}

// showCache lists the content of a cache.
func (c *command) showCache(d *cache.Dir) error {
	entries, err := d.Entries()
	if err != nil {
		return err
	}
	packages := make(map[string]*keptPackage)
	var names []string
	var size, strange int64
	others := 0
	for _, e := range entries {
		size += e.Size
		data, ok := d.Peek(e.Key)
		kept, known := campaign.Describe(data)
		if !ok || !known {
			others, strange = others+1, strange+e.Size
			continue
		}
		p := packages[kept.Package]
		if p == nil {
			p = &keptPackage{Kept: kept, used: e.Used}
			packages[kept.Package] = p
			names = append(names, kept.Package)
		}
		p.entries, p.size = p.entries+1, p.size+e.Size
	}
	slices.Sort(names)
	for _, name := range names {
		p := packages[name]
		state := "to the end"
		if p.Cut {
			state = fmt.Sprintf("a longer run may find more, from %s on, after %s", plural(p.Cases, "case", "cases"), plural(p.Rounds, "round", "rounds"))
			state += fmt.Sprintf(" (pool %d, accepted constants of %s, paths left in %s)", p.Pool, plural(p.Accepted, "function", "functions"), plural(p.Open, "function", "functions"))
			if len(p.Engines) > 0 {
				state += "; gained last: " + gainsOf(p.Engines)
			}
		}
		fmt.Fprintf(c.stdout, "%s: %d of %d statements, %d tests, %d findings, %s; %s, %s, used %s\n",
			name, p.Covered, p.Statements, p.Tests, p.Findings, state, plural(p.entries, "entry", "entries"), megabytesOf(p.size), p.used.Format(time.DateTime))
	}
	if others > 0 {
		fmt.Fprintf(c.stdout, "%s, %s, that this program cannot read: made by another version or with another secret, or damaged (assay cache verify)\n",
			plural(others, "entry", "entries"), megabytesOf(strange))
	}
	fmt.Fprintf(c.stdout, "%s: %s, %s\n", d.Name(), plural(len(entries), "entry", "entries"), megabytesOf(size))
	return nil
}

// gainsOf says what each engine gained in the last round.
func gainsOf(engines []schedule.EngineOutcome) string {
	var parts []string
	for _, o := range engines {
		parts = append(parts, fmt.Sprintf("%s %d in %.1f s", o.Engine, o.Gained+o.Found+o.Killed, o.Took.Seconds()))
	}
	return strings.Join(parts, ", ")
}

// trimCache removes entries that are too old, and the oldest ones if there are too many.
func (c *command) trimCache(d *cache.Dir, age time.Duration, size int64) error {
	removed, err := d.Trim(time.Now(), age, size)
	var freed int64
	for _, e := range removed {
		freed += e.Size
	}
	fmt.Fprintf(c.stdout, "%s: %s removed, %s\n", d.Name(), plural(len(removed), "entry", "entries"), megabytesOf(freed))
	return err
}

// verifyCache looks for entries that are not authentic, and fails if it finds such entries and does not
// remove them.
func (c *command) verifyCache(d *cache.Dir, remove bool) error {
	entries, err := d.Entries()
	if err != nil {
		return err
	}
	bad := 0
	for _, e := range entries {
		if _, ok := d.Peek(e.Key); ok {
			continue
		}
		bad++
		fmt.Fprintf(c.stdout, "%x: damaged, or made with another secret\n", e.Key)
		if remove {
			if err := d.Remove(e.Key); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(c.stdout, "%s: %s, %d of which are good\n", d.Name(), plural(len(entries), "entry", "entries"), len(entries)-bad)
	if bad > 0 && !remove {
		return fmt.Errorf("%s not to be believed; nothing uses them, and -remove removes them", plural(bad, "entry is", "entries are"))
	}
	return nil
}

// plural returns a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// megabytesOf returns a size in megabytes as text.
func megabytesOf(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20)) }
