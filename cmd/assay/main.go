// Command assay writes unit tests for Go. Run "assay help" for what it can do.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// The exit statuses; see "assay help".
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitFindings    = 3
	exitInterrupted = 130
)

func main() {
	tuneCollector()
	os.Exit(inOwnTemp(func() int { return run(os.Args[1:], os.Stdout, os.Stderr) }))
}

// tuneCollector makes the garbage collector run less often than by default, unless the user has set its
// pace. Exploration allocates much memory that is kept long, and walking it repeatedly would take a
// third of the time. Beyond a few gigabytes memory is scarcer than time.
func tuneCollector() {
	const percent, limit = 400, 3 << 30
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// run does the work of main, without the process around it.
func run(args []string, stdout, stderr io.Writer) int {
	c := &command{stdout: stdout, stderr: stderr}
	if len(args) == 0 {
		fmt.Fprint(stderr, usageText)
		return exitUsage
	}
	verb, rest := args[0], args[1:]
	switch verb {
	case "-h", "-help", "--help":
		verb, rest = "help", nil
	case "-version", "--version":
		verb = "version"
	}
	for _, v := range verbs() {
		if v.name == verb {
			ctx, stop := interruptible(stderr, v.name == "gen")
			defer stop()
			c.ctx, c.verb = ctx, v.name
			return v.run(c, rest)
		}
	}
	return c.usage("assay: unknown command %q", verb)
}

// command is one run of assay.
type command struct {
	ctx            context.Context
	verb           string // "" if the command line names none that there is
	stdout, stderr io.Writer
}

// verb is a command of assay.
type verb struct {
	name string
	run  func(c *command, args []string) int
	help string
}

// verbs is the table of commands.
func verbs() []verb {
	return []verb{
		{"gen", (*command).gen, genHelp},
		{"explore", (*command).explore, exploreHelp},
		{"solve", (*command).solve, solveHelp},
		{"check", (*command).check, checkHelp},
		{"diff", (*command).diff, diffHelp},
		{"enum", (*command).enum, enumHelp},
		{"reduce", (*command).reduce, reduceHelp},
		{"worker", (*command).worker, workerHelp},
		{"jobs", (*command).jobs, jobsHelp},
		{"merge", (*command).merge, mergeHelp},
		{"cache", (*command).cache, cacheHelp},
		{"lsp", (*command).lsp, lspHelp},
		{"mcp", (*command).mcp, mcpHelp},
		{"adopt", (*command).adopt, adoptHelp},
		{"completion", (*command).completion, completionHelp},
		{"man", (*command).man, "usage: assay man\n\nPrints a manual page: assay man | man -l -\n"},
		{"version", (*command).version, "usage: assay version\n\nPrints the version of assay and of the Go it was built with.\n"},
		{"help", (*command).help, "usage: assay help [command]\n\nDescribes a command and its flags, or lists the commands.\n"},
	}
}

// usage reports a mistake in the command line, and says which help text is about it.
func (c *command) usage(format string, args ...any) int {
	fmt.Fprintf(c.stderr, format+"\n", args...)
	topic := ""
	if c.verb != "help" && c.verb != "" {
		topic = " " + c.verb
	}
	fmt.Fprintf(c.stderr, "run \"assay help%s\" for usage\n", topic)
	return exitUsage
}

// interruptible returns a context that the first interrupt cancels; it prints a message if the command is
// writing files then. The second interrupt ends the process at once.
func interruptible(stderr io.Writer, writes bool) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-signals:
			}
			if n > 0 {
				os.Exit(exitInterrupted)
			}
			if writes {
				fmt.Fprintln(stderr, "assay: interrupted; writing what is ready (interrupt again to quit at once)")
			} else {
				fmt.Fprintln(stderr, "assay: interrupted")
			}
			cancel()
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
