package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/goassay/assay/internal/queue"
)

// jobs runs "assay jobs".
func (c *command) jobs(args []string) int {
	var server, creds string
	var all, watch bool
	fs := flag.NewFlagSet("assay jobs", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&server, "server", "", "")
	fs.StringVar(&creds, "creds", "", "")
	fs.BoolVar(&all, "all", false, "")
	fs.BoolVar(&watch, "watch", false, "")
	if err := fs.Parse(args); err != nil {
		return c.mistake("jobs", err)
	}
	server, err := serverOf(server)
	if err != nil {
		return c.usage("assay jobs: %v", err)
	}
	what, named := "list", fs.Args()
	if len(named) > 0 {
		what, named = named[0], named[1:]
	}
	if !slices.Contains([]string{"list", "retry", "drop", "reset"}, what) {
		return c.usage("assay jobs: no %q; want list, retry, drop or reset", what)
	}
	if (what == "list" || what == "reset") && len(named) > 0 {
		return c.usage("assay jobs %s: takes no jobs", what)
	}
	if what != "list" && watch {
		return c.usage("assay jobs: -watch shows jobs, and does not go together with %s", what)
	}
	cfg, err := queueConfig(server, creds)
	cfg.Notice = c.warn
	if watch && err == nil {
		err = c.watchJobs(cfg, all)
		if c.ctx.Err() != nil {
			return exitDone // it goes on until it is interrupted
		}
	} else if err == nil {
		err = c.lookAfterJobs(cfg, what, named, all)
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "assay: %v\n", err)
		return exitFailed
	}
	return exitDone
}

// lookAfterJobs does what the user asked "assay jobs" to do.
func (c *command) lookAfterJobs(cfg queue.Config, what string, named []string, all bool) error {
	if what == "reset" {
		return queue.Reset(c.ctx, cfg)
	}
	q, err := queue.Open(c.ctx, cfg)
	if err != nil {
		return err
	}
	defer q.Close()
	list, err := q.List(c.ctx, all)
	if err != nil {
		return err
	}
	if what == "list" {
		for _, s := range list {
			fmt.Fprintln(c.stdout, jobLine(s))
		}
		return nil
	}
	do := q.Retry
	if what == "drop" {
		do = q.Drop
	}
	chosen, err := chooseJobs(list, named)
	if err != nil {
		return err
	}
	for _, s := range chosen {
		if err := do(c.ctx, s); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s: %.12s %s\n", what, s.Key, s.What)
	}
	return nil
}

// chooseJobs returns the jobs whose names begin with one of the given texts, or all dead jobs.
func chooseJobs(list []queue.Status, named []string) ([]queue.Status, error) {
	if len(named) == 0 {
		return slices.DeleteFunc(list, func(s queue.Status) bool { return s.State != queue.Dead }), nil
	}
	var out []queue.Status
	for _, name := range named {
		found := slices.DeleteFunc(slices.Clone(list), func(s queue.Status) bool { return !strings.HasPrefix(s.Key, name) })
		if len(found) != 1 {
			return nil, fmt.Errorf("%d jobs have names that begin with %s", len(found), name)
		}
		out = append(out, found[0])
	}
	return out, nil
}

// jobLine returns a line that describes a job.
func jobLine(s queue.Status) string {
	line := fmt.Sprintf("%.12s %-7s %s", s.Key, s.State, s.What)
	if !s.Since.IsZero() {
		line += ", since " + s.Since.Local().Format(time.DateTime)
	}
	if s.Worker != "" {
		line += ", by " + s.Worker
	}
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	return line
}

// watchInterval is the pause between two tables of "assay jobs -watch".
const watchInterval = 2 * time.Second

// watchJobs shows the workers and the jobs, again and again until the command is interrupted. On a terminal each table
// takes the place of the one before. While the server is away the reason is shown.
func (c *command) watchJobs(cfg queue.Config, all bool) error {
	q, err := queue.Open(c.ctx, cfg)
	if err != nil {
		return err
	}
	defer q.Close()
	for {
		table := c.jobsTable(q, all)
		if isTerminal(c.stdout) {
			const home, clear = "\x1b[H", "\x1b[2J"
			table = append([]byte(home+clear), table...)
		} else {
			table = append(table, '\n')
		}
		if _, err := c.stdout.Write(table); err != nil {
			return err
		}
		select {
		case <-c.ctx.Done():
			return nil
		case <-time.After(watchInterval):
		}
	}
}

// jobsTable returns what -watch shows at a moment.
func (c *command) jobsTable(q *queue.Queue, all bool) []byte {
	var b bytes.Buffer
	now := time.Now()
	list, err := q.List(c.ctx, all)
	if err != nil {
		fmt.Fprintf(&b, "%s  the server does not answer: %v\n", now.Format(time.TimeOnly), err)
		return b.Bytes()
	}
	crew, err := q.Crew(c.ctx)
	if err != nil {
		fmt.Fprintf(&b, "%s  the server does not answer: %v\n", now.Format(time.TimeOnly), err)
		return b.Bytes()
	}
	counts := make(map[string]int)
	urgent := 0
	for _, s := range list {
		counts[s.State]++
		if s.Urgent && s.State == queue.Waiting {
			urgent++
		}
	}
	fmt.Fprintf(&b, "%s  %d waiting (%d urgent), %d running, %d dead; %d workers\n\n", now.Format(time.TimeOnly),
		counts[queue.Waiting], urgent, counts[queue.Running], counts[queue.Dead], len(crew))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WORKER\tAT\tFOR\tDONE\tFAILED")
	for _, w := range crew {
		at := w.What
		if at == "" {
			at = "(waits)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\n", w.Name, at, since(now, w.Since), w.Done, w.Failed)
	}
	fmt.Fprintln(t, "\nJOB\tSTATE\tWHAT\tFOR\tBY OR WHY")
	const most = 40 // more do not fit on a screen
	for i, s := range list {
		if i == most {
			fmt.Fprintf(t, "and %d more\n", len(list)-most)
			break
		}
		state := s.State
		if s.Urgent {
			state += " (urgent)"
		}
		fmt.Fprintf(t, "%.12s\t%s\t%s\t%s\t%s\n", s.Key, state, s.What, since(now, s.Since), strings.TrimSpace(s.Worker+" "+s.Reason))
	}
	_ = t.Flush() // writing into memory does not fail
	return b.Bytes()
}

// since returns how long ago a moment was, in whole seconds.
func since(now, then time.Time) string {
	if then.IsZero() {
		return ""
	}
	return max(0, now.Sub(then)).Round(time.Second).String()
}
