package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/queue"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/workers"
)

// remoteFlags say which workers do the work on packages.
type remoteFlags struct {
	server, creds string
	workers       int
	urgent        bool
	recheck       int
	verb          string // "check", "enum" or "diff", or "" for gen
}

// defaultRecheck is how many packages there are to one whose tests are run again here.
const defaultRecheck = 8

func (r *remoteFlags) flags(fs *flag.FlagSet) {
	r.serverFlags(fs)
	fs.IntVar(&r.recheck, "recheck", defaultRecheck, "")
}

// serverFlags are the flags of verbs that write nothing.
func (r *remoteFlags) serverFlags(fs *flag.FlagSet) {
	fs.StringVar(&r.server, "server", "", "")
	fs.StringVar(&r.creds, "creds", "", "")
	fs.IntVar(&r.workers, "workers", 0, "")
	fs.BoolVar(&r.urgent, "urgent", false, "")
}

// mistake says what is wrong with these flags, or "" if nothing is.
func (r *remoteFlags) mistake(fs *flag.FlagSet) string {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case given["workers"] && r.workers < 1:
		return fmt.Sprintf("-workers %d: must be 1 or more", r.workers)
	case given["workers"] && given["server"]:
		return "-workers and -server do not go together, because -workers starts a server of its own"
	case given["creds"] && !given["server"]:
		return "-creds needs -server"
	case r.urgent && !given["server"]:
		return "-urgent needs -server: it is about other runs at the same server"
	case given["recheck"] && !given["server"] && !given["workers"]:
		return "-recheck needs -server or -workers: it is about what workers send"
	case r.recheck < 0:
		return fmt.Sprintf("-recheck %d: must be 1 or more, or 0 for none", r.recheck)
	case given["server"] && r.server == "":
		return "-server: want a URL such as nats://host:4222"
	}
	if !given["workers"] && !given["server"] {
		return ""
	}
	refused, sent := []string{"dry-run", "fuzz-corpus", "debug", "baseline"}, "generated tests"
	switch r.verb {
	case "check":
		refused, sent = []string{"annotate", "compare", "facts", "debug", "baseline", "html"}, "verdicts"
	case "enum":
		refused, sent = []string{"print", "dot", "range", "skeleton", "debug", "html"}, "counts"
	case "diff":
		refused, sent = []string{"write", "debug", "baseline"}, "differences"
	}
	for _, name := range refused {
		if given[name] {
			return fmt.Sprintf("-%s and workers do not go together: a worker has only the files of the module, and sends back only %s", name, sent)
		}
	}
	return ""
}

// genSomewhere runs gen in this process, or by workers.
func (c *command) genSomewhere(cfg campaign.Config, r remoteFlags) (session.Result, error) {
	if !r.wanted() {
		return campaign.Gen(c.ctx, cfg)
	}
	return c.byWorkers(cfg.Config, r, func(remote *workers.Coordinator, atOnce int) (session.Result, error) {
		cfg.Root = remote.Root()
		cfg.Remote, cfg.RemoteWorkers, cfg.Recheck = remote, atOnce, r.recheck
		if r.server != "" && cfg.Cache != nil { // a server of this run ends with it
			cfg.Shared = remote.Shared()
		}
		return campaign.Gen(c.ctx, cfg)
	})
}

// wanted reports whether workers are to do the work.
func (r remoteFlags) wanted() bool { return r.server != "" || r.workers > 0 }

// byWorkers runs a verb whose work workers do on the packages of one module, on so many packages at once.
func (c *command) byWorkers(cfg session.Config, r remoteFlags, do func(remote *workers.Coordinator, atOnce int) (session.Result, error)) (session.Result, error) {
	return c.withQueue(cfg, r, func(q *queue.Queue, atOnce int) (session.Result, error) {
		remote, err := workers.NewCoordinator(c.ctx, q, cfg.Dir)
		if err != nil {
			return session.Result{Interrupted: errors.Is(err, context.Canceled)}, err
		}
		return do(remote, atOnce)
	})
}

// withQueue runs a verb that sends jobs to a queue, so many at once. If the flags ask for workers of this run it starts them.
func (c *command) withQueue(cfg session.Config, r remoteFlags, do func(q *queue.Queue, atOnce int) (session.Result, error)) (session.Result, error) {
	queueCfg, err := queueConfig(r.server, r.creds)
	if err != nil {
		return session.Result{}, err
	}
	atOnce := cfg.Workers
	if r.workers > 0 {
		local, stop, err := c.startLocal(cfg, r.workers)
		if err != nil {
			return session.Result{}, err
		}
		defer stop()
		queueCfg.URL, atOnce = local.URL, r.workers
	}
	queueCfg.Urgent = r.urgent
	queueCfg.Notice = c.warn
	q, err := queue.Open(c.ctx, queueCfg)
	if err != nil {
		return session.Result{}, err
	}
	defer q.Close()
	if atOnce == 0 {
		const atLeast = 16 // workers may come later
		atOnce = max(q.Workers(c.ctx), atLeast)
	}
	return do(q, atOnce)
}

// warn prints what a queue tells the user.
func (c *command) warn(text string) { fmt.Fprintf(c.stderr, "assay: warning: %s\n", text) }

// startLocal starts a server and n workers on this machine, until the returned function is called.
func (c *command) startLocal(cfg session.Config, n int) (local *workers.Local, stop func(), err error) {
	dir, err := os.MkdirTemp("", "assay-server-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) } // a leftover temporary directory does no harm
	each := cfg.Workers
	if each == 0 {
		each = max(1, runtime.GOMAXPROCS(0)/n)
	}
	own, release, err := workers.OwnDir() // one for all, so that each file of the module comes once
	if err != nil {
		remove()
		return nil, nil, err
	}
	args := []string{"-confine", cfg.Confine.String(), "-j", strconv.Itoa(each), "-quiet", "-dir", own}
	if local, err = workers.StartLocal(c.ctx, dir, n, args, c.stderr); err != nil {
		release()
		remove()
		return nil, nil, err
	}
	return local, func() {
		local.Close()
		release()
		remove()
	}, nil
}

// queueConfig returns the configuration of the queue: the server, and the version of this program.
func queueConfig(server, creds string) (queue.Config, error) {
	program, err := cache.Program()
	if err != nil {
		return queue.Config{}, err
	}
	// Programs built from a directory may differ although their versions are equal.
	return queue.Config{URL: server, Creds: creds, Version: fmt.Sprintf("%s (%.12s)", versionText(), program)}, nil
}

// serverOf returns the server that a flag or the environment names.
func serverOf(flag string) (string, error) {
	if flag == "" {
		flag = os.Getenv(workers.ServerEnv)
	}
	if flag == "" {
		return "", fmt.Errorf("-server is missing: want a URL such as nats://host:4222, here or in %s", workers.ServerEnv)
	}
	if u, err := url.Parse(flag); err != nil || u.Host == "" {
		return "", errors.New("-server: want a URL such as nats://host:4222")
	}
	return flag, nil
}

// worker runs "assay worker".
func (c *command) worker(args []string) int {
	var server, creds, name, dir, confine, metrics string
	var inJSON, quiet bool
	var memory int
	w := &workers.Worker{}
	fs := flag.NewFlagSet("assay worker", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&server, "server", "", "")
	fs.StringVar(&creds, "creds", "", "")
	fs.StringVar(&name, "name", "", "")
	fs.StringVar(&dir, "dir", "", "")
	fs.StringVar(&confine, "confine", guard.Best.String(), "")
	fs.IntVar(&w.Performer.Workers, "j", 0, "")
	fs.IntVar(&memory, "memory", 0, "")
	fs.StringVar(&metrics, "metrics", "", "")
	fs.BoolVar(&inJSON, "json", false, "")
	fs.BoolVar(&quiet, "quiet", false, "")
	if err := fs.Parse(args); err != nil {
		return c.mistake("worker", err)
	}
	server, err := serverOf(server)
	var ok bool
	w.Performer.Confine, ok = guard.ParseMode(confine)
	switch {
	case fs.NArg() > 0:
		return c.usage("assay worker: takes no arguments")
	case err != nil:
		return c.usage("assay worker: %v", err)
	case !ok:
		return c.usage("assay worker: -confine %s: want %s", confine, strings.Join(guard.ModeNames(), ", "))
	case w.Performer.Workers < 0:
		return c.usage("assay worker: -j %d: must be 1 or more, or 0 for one per CPU", w.Performer.Workers)
	case memory < 0:
		return c.usage("assay worker: -memory %d: must be a number of megabytes, or 0 for any", memory)
	}
	w.Memory = int64(memory) << 20
	if w.Name = name; name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "worker"
		}
		w.Name = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	w.Log = workerLog(c.stderr, inJSON, quiet)
	if err := c.serve(w, workerPlace{server, creds, dir, metrics}); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(c.stderr, "assay: %v\n", err)
		return exitFailed
	}
	return exitInterrupted
}

// workerLog returns the log of a worker.
func workerLog(to io.Writer, inJSON, quiet bool) *slog.Logger {
	switch {
	case quiet:
		return slog.New(slog.DiscardHandler)
	case inJSON:
		return slog.New(slog.NewJSONHandler(to, nil))
	}
	return slog.New(slog.NewTextHandler(to, nil))
}

// workerPlace says where a worker gets its jobs, where it keeps files, and where it tells how it is.
type workerPlace struct {
	server, creds, dir string
	metrics            string // the address for Prometheus, or "" for none
}

// serve makes a worker work until the command is interrupted, or until the gen that has started it ends.
func (c *command) serve(w *workers.Worker, at workerPlace) (err error) {
	ctx, err := workers.UntilParentEnds(c.ctx)
	if err != nil {
		return err
	}
	if w.Dir = at.dir; at.dir == "" {
		var release func()
		if w.Dir, release, err = workers.OwnDir(); err != nil {
			return err
		}
		defer release()
	}
	// Coordinators refuse modules of a workspace. A go.work above this directory must not matter.
	if err := os.Setenv("GOWORK", "off"); err != nil {
		return err
	}
	cfg, err := queueConfig(at.server, at.creds)
	if err != nil {
		return err
	}
	cfg.Notice = func(text string) { w.Log.Warn(text) }
	q, err := queue.Open(ctx, cfg)
	if err != nil {
		return err
	}
	defer q.Close()
	if at.metrics != "" {
		listens, stop, err := w.ServeMetrics(ctx, at.metrics, q)
		if err != nil {
			return err
		}
		defer stop()
		w.Log.Info("metrics", "address", listens.String())
	}
	return w.Work(ctx, q)
}
