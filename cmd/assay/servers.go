package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/goassay/assay/internal/lsp"
	"github.com/goassay/assay/internal/mcp"
	"github.com/goassay/assay/internal/native/guard"
)

// mcp runs "assay mcp": a server for coding agents.
func (c *command) mcp(args []string) int {
	cfg := mcp.Config{Version: versionText()}
	fs := flag.NewFlagSet("assay mcp", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("root", "", func(dir string) error {
		cfg.Roots = append(cfg.Roots, dir)
		return nil
	})
	fs.DurationVar(&cfg.Timeout, "timeout", 0, "")
	confine := fs.String("confine", guard.Best.String(), "")
	if err := fs.Parse(args); err != nil {
		return c.mistake("mcp", err)
	}
	var ok bool
	if cfg.Confine, ok = guard.ParseMode(*confine); !ok {
		return c.usage("assay mcp: -confine %s: want %s", *confine, strings.Join(guard.ModeNames(), ", "))
	}
	if fs.NArg() > 0 {
		return c.usage("assay mcp: takes no arguments; packages are named in calls")
	}
	if cfg.Timeout < 0 {
		return c.usage("assay mcp: -timeout %s: must be more than 0", cfg.Timeout)
	}
	server, err := mcp.New(cfg)
	if err != nil {
		return c.usage("assay mcp: %v", err)
	}
	surviveClients()
	if err := server.Run(c.ctx, os.Stdin, writeCloser{c.stdout}); err != nil {
		fmt.Fprintf(c.stderr, "assay mcp: %v\n", err)
		return exitFailed
	}
	if c.ctx.Err() != nil {
		return exitInterrupted
	}
	return exitDone
}

// surviveClients makes a write to a client that has left fail. Otherwise such a write would end the process,
// which has to remove its temporary files first. (If the signal were ignored, child processes would ignore
// it, too.)
func surviveClients() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// writeCloser is a stream with a Close that does nothing, so that the stream stays open.
type writeCloser struct{ io.Writer }

// Close implements io.Closer.
func (writeCloser) Close() error { return nil }

// lsp runs "assay lsp": a language server.
func (c *command) lsp(args []string) int {
	cfg := lsp.Config{Version: versionText()}
	fs := flag.NewFlagSet("assay lsp", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.DurationVar(&cfg.Timeout, "timeout", 0, "")
	fs.StringVar(&cfg.Tags, "tags", "", "")
	fs.Bool("stdio", true, "") // editors pass it, and there is no other transport
	confine := fs.String("confine", guard.Best.String(), "")
	if err := fs.Parse(args); err != nil {
		return c.mistake("lsp", err)
	}
	var ok bool
	if cfg.Confine, ok = guard.ParseMode(*confine); !ok {
		return c.usage("assay lsp: -confine %s: want %s", *confine, strings.Join(guard.ModeNames(), ", "))
	}
	switch {
	case fs.NArg() > 0:
		return c.usage("assay lsp: takes no arguments; editors name files")
	case cfg.Timeout < 0:
		return c.usage("assay lsp: -timeout %s: must be more than 0", cfg.Timeout)
	}
	surviveClients()
	if err := lsp.Run(c.ctx, cfg, os.Stdin, writeCloser{c.stdout}); err != nil {
		fmt.Fprintf(c.stderr, "assay lsp: %v\n", err)
		return exitFailed
	}
	if c.ctx.Err() != nil {
		return exitInterrupted
	}
	return exitDone
}
