package main

import (
	"strings"

	"github.com/goassay/assay/internal/queue"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/verb/diff"
	"github.com/goassay/assay/internal/workers"
)

const diffHelp = `usage: assay diff [flags] [REV | REV1..REV2 | DIR1 DIR2 | module@v1 module@v2] [packages]

Shows what two versions of packages do differently: inputs on which results, errors, panics
or the state of objects differ. The inputs are as small as assay can make them, and grouped
by the changed place that causes the difference. Of the other changed functions it says
whether they are proved to be equal. Differences that no hand-written test notices come
first. Your working tree is not changed, unless -write is given.

	REV            compare the git revision REV with the working tree (default: HEAD; in a
	               pull or merge request of GitHub or GitLab, the commit that it began from)
	REV1..REV2     compare two revisions. REV1...REV2 compares REV2 with the commit at which
	               it parted from REV1; if there is no REV2, the working tree takes its place
	DIR1 DIR2      compare two directories, each with a go.mod
	module@v1 module@v2  compare two versions of a module, which the go command downloads if
	               it has to
	packages       named as for the go command (default: ./...)

	-fail MODE     exit with status 3 if there are differences: never (default), changed
	               (any difference), or worse (the new version panics, hangs, returns an
	               error that the old one did not, loses an error, or takes ten times as much
	               time or memory)
	-markdown      write a comment for a pull request, of at most 200 lines
	-write         write tests of the new behaviour into the files of gen; their names end in
	               _changed. Committing them says that the change is meant
	-keep WHICH    with -write: old writes tests of the old behaviour, whose names end in _kept;
	               they fail until the new version does what the old one did. new (default)
	               writes those of the new behaviour
	-cache DIR     the directory in which results are kept, so that versions which have not
	               changed are not compared again (default: the one of gen); off keeps no
	               results
	-unsafe        also run functions that certainly start processes, open sockets,
	               change files or send signals
	-workers N, -server URL, -creds FILE, -urgent
	               let workers compare the packages, as for gen; not with -write
` + commonHelp

// diff runs "assay diff".
func (c *command) diff(args []string) int {
	var flags common
	fs := flags.flags("diff")
	var fail, keep, cacheDir string
	var unsafe, write bool
	remote := remoteFlags{verb: "diff"}
	remote.serverFlags(fs)
	fs.StringVar(&fail, "fail", "never", "")
	fs.BoolVar(&flags.markdown, "markdown", false, "")
	fs.BoolVar(&write, "write", false, "")
	fs.StringVar(&keep, "keep", "", "")
	fs.BoolVar(&unsafe, "unsafe", false, "")
	fs.StringVar(&cacheDir, "cache", "", "")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("diff", err)
	}
	how := diff.Config{Args: cfg.Patterns, Write: write, KeepOld: keep == "old"}
	if keep != "" && keep != "old" && keep != "new" {
		return c.usage("assay diff: -keep %s: want old or new", keep)
	}
	if keep != "" && !write {
		return c.usage("assay diff: -keep needs -write")
	}
	if why := remote.mistake(fs); why != "" {
		return c.usage("assay diff: %s", why)
	}
	var ok bool
	if how.Fail, ok = diff.ParseFail(fail); !ok {
		return c.usage("assay diff: -fail %s: want %s", fail, strings.Join(diff.FailNames(), ", "))
	}
	if flags.markdown && flags.json {
		return c.usage("assay diff: -markdown and -json do not go together: both say what standard output gets")
	}
	if how.Cache, how.Program, err = c.openCache(cacheDir); err != nil {
		return c.usage("assay diff: -cache: %v", err)
	}
	cfg.Unsafe, cfg.Patterns = unsafe, nil
	return c.work(&flags, cfg, true, func(cfg session.Config) (session.Result, error) {
		if remote.wanted() {
			return c.withQueue(cfg, remote, func(q *queue.Queue, atOnce int) (session.Result, error) {
				return workers.Diff(c.ctx, q, cfg, how, atOnce)
			})
		}
		return diff.Run(c.ctx, cfg, how)
	})
}
