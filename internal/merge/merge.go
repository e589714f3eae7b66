// Package merge unites the events of several runs of assay, each about a part of the packages, into
// those of one run over all of them.
//
//  1. Add reads the lines that a run printed with -json.
//  2. Send sends the events of all packages in their order, and a sum of them.
//  3. Problems says what is missing: a run that was cut off, a shard that was never run.
//
// Invariants: events of a package stay together and in their order. If several runs were about a
// package, the run that was added last counts, so that a repeated job replaces its first try.
//
// Not supported: output that is in no event, such as diagnostics, pages and coverage profiles; runs of
// diff, enum and explore, whose packages are not parts of a whole.
package merge

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// longest bounds a line, in bytes.
const longest = 16 << 20

// Runs holds the runs that were added. The zero value has none.
type Runs struct {
	verb     string
	first    []event.Event // events about no package, such as the event on confinement
	packages map[string]*packageRun
	seconds  float64 // the time of the longest run
	missed   bool    // a run reports that its budget was too short
	shards   map[int]bool
	count    int // the number of shards; 0 if no run was about one
	problems []string
}

// packageRun holds the events of a run about one package.
type packageRun struct {
	from   string
	events []event.Event
	done   bool // the package's summary was read
}

// Add reads the events of a run; name is its name in messages. An error means that the events cannot be
// read. Missing parts are reported by Problems.
func (r *Runs) Add(name string, in io.Reader) error {
	if r.packages == nil {
		r.packages, r.shards = make(map[string]*packageRun), make(map[int]bool)
	}
	now := make(map[string]*packageRun)
	complete := false
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	n := 0
	for lines.Scan() {
		n++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		e, err := event.Decode(lines.Bytes())
		if err != nil && !lines.Scan() && lines.Err() == nil {
			break // the last line is cut off, because the run was
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if err := r.take(name, e, now, &complete); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if !complete {
		r.problem("%s is cut off: it has no sum", name)
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		p := now[path]
		switch old := r.packages[path]; {
		case !p.done && old != nil && old.done:
			continue
		case !p.done:
			r.problem("%s: %s is cut off", name, path)
		case old != nil && old.done:
			r.problem("%s is in %s and in %s; the latter counts", path, old.from, name)
		}
		r.packages[path] = p
	}
	return nil
}

// take puts an event where it belongs.
func (r *Runs) take(name string, e event.Event, now map[string]*packageRun, complete *bool) error {
	path, ok := packageOf(e)
	switch e := e.(type) {
	case event.Shard:
		if r.count != 0 && r.count != e.Shards {
			return fmt.Errorf("a shard of %d, where others are of %d", e.Shards, r.count)
		}
		r.count, r.shards[e.Shard] = e.Shards, true
		return nil
	case event.Pass:
		return nil // progress of a finished run does not matter
	case event.Confinement:
		if !slices.Contains(r.first, event.Event(e)) {
			r.first = append(r.first, e)
		}
		return nil
	case event.Summary:
		if r.verb != "" && r.verb != e.Verb {
			return fmt.Errorf("a run of %s, where others are of %s", e.Verb, r.verb)
		}
		if r.verb = e.Verb; e.Verb != "gen" && e.Verb != "check" {
			return fmt.Errorf("a run of %s; want gen or check", e.Verb)
		}
		if e.Package == "" {
			*complete = true
			r.seconds = max(r.seconds, e.ElapsedS)
			r.missed = r.missed || e.Cut
			return nil
		}
	}
	if !ok {
		return fmt.Errorf("an event %q that belongs to no package", e.Action())
	}
	p := now[path]
	if p == nil {
		p = &packageRun{from: name}
		now[path] = p
	}
	p.events = append(p.events, e)
	if _, sum := e.(event.Summary); sum {
		p.done = true
	}
	return nil
}

// packageOf returns the package that an event is about.
func packageOf(e event.Event) (string, bool) {
	path := ""
	switch e := e.(type) {
	case event.Test:
		path = e.Package
	case event.Finding:
		path = e.Package
	case event.Known:
		path = e.Package
	case event.Seed:
		path = e.Package
	case event.Skip:
		path = e.Package
	case event.Unreachable:
		path = e.Package
	case event.Changed:
		path = e.Package
	case event.Assertion:
		path = e.Package
	case event.Summary:
		path = e.Package
	}
	return path, path != ""
}

func (r *Runs) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// Problems returns the parts that are missing, one on each line.
func (r *Runs) Problems() []string {
	out := slices.Clone(r.problems)
	for i := 1; i <= r.count; i++ {
		if !r.shards[i] {
			out = append(out, fmt.Sprintf("shard %d of %d is missing", i, r.count))
		}
	}
	return out
}

// Send sends the events of all runs, and one sum. It returns how many findings have the severity error.
func (r *Runs) Send(to func(event.Event)) int {
	for _, e := range r.first {
		to(e)
	}
	total := event.Summary{Verb: r.verb, ElapsedS: r.seconds, Cut: r.missed}
	errors := 0
	for _, path := range slices.Sorted(maps.Keys(r.packages)) {
		for _, e := range r.packages[path].events {
			switch e := e.(type) {
			case event.Summary:
				total.AddUp(e)
			case event.Finding:
				if e.Severity == testcase.Error {
					errors++
				}
			}
			to(e)
		}
	}
	to(total)
	return errors
}
