package main

import (
	"strings"

	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/verb/diff"
)

const diffHelp = `usage: assay diff [flags] [REV | REV1..REV2 | DIR1 DIR2 | module@v1 module@v2] [packages]

Shows what two versions of packages do differently: inputs on which results, errors,
panics or the state of objects differ, the smallest that it finds, grouped by the changed
place that they lead back to; of the other changed functions whether that is proved.
Differences that no hand-written test notices come first. Nothing is checked out into
your tree.

	REV            a revision of git against the working tree (default: HEAD; in a pull or
	               merge request of GitHub or GitLab, what it began with)
	REV1..REV2     two revisions; REV1...REV2 begins where they have parted, and with
	               nothing behind the dots it is about the working tree
	DIR1 DIR2      two directories with a go.mod in each
	module@v1 module@v2  two versions of a module, which the go command has or gets
	packages       named as for the go command (default: ./...)

	-fail MODE     exit with status 3 if there are differences: never (default), changed
	               (any), or worse (it panics, hangs, returns an error that it did not, loses
	               one, or takes ten times as long or as much memory)
	-markdown      write a comment for a pull request instead, of at most 200 lines
	-write         write tests of the new behaviour where gen would, named _changed, so that a
	               decision is a commit
	-keep old      with -write: of the old behaviour instead, named _kept, which fail until
	               the new version does what the old one did
	-cache DIR     where results are kept, so that versions which have not changed are not
	               compared again; off keeps none (default: where gen keeps its own)
	-unsafe        also run functions that certainly start processes, open sockets,
	               change files or send signals
` + commonHelp

// diff runs "assay diff".
func (c *command) diff(args []string) int {
	var flags common
	fs := flags.flags("diff")
	var fail, keep, cacheDir string
	var unsafe, write bool
	fs.StringVar(&fail, "fail", "never", "")
	fs.BoolVar(&flags.markdown, "markdown", false, "")
	fs.BoolVar(&write, "write", false, "")
	fs.StringVar(&keep, "keep", "new", "")
	fs.BoolVar(&unsafe, "unsafe", false, "")
	fs.StringVar(&cacheDir, "cache", "", "")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("diff", err)
	}
	how := diff.Config{Args: cfg.Patterns, Write: write, KeepOld: keep == "old"}
	if keep != "old" && keep != "new" {
		return c.usage("assay diff: -keep %s: want old or new", keep)
	}
	if how.KeepOld && !write {
		return c.usage("assay diff: -keep goes with -write")
	}
	var ok bool
	if how.Fail, ok = diff.ParseFail(fail); !ok {
		return c.usage("assay diff: -fail %s: want %s", fail, strings.Join(diff.FailNames(), ", "))
	}
	if flags.markdown && flags.json {
		return c.usage("assay diff: -markdown and -json are two forms of the same: choose one")
	}
	if how.Cache, how.Program, err = c.openCache(cacheDir); err != nil {
		return c.usage("assay diff: -cache: %v", err)
	}
	cfg.Unsafe, cfg.Patterns = unsafe, nil
	return c.work(&flags, cfg, true, func(cfg session.Config) (session.Result, error) {
		return diff.Run(c.ctx, cfg, how)
	})
}
