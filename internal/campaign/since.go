package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// since knows what has changed since the revision of -since.
type since struct {
	lines map[string][]load.Lines // by absolute names of files

	mu     sync.Mutex
	chosen map[string]map[string]bool // by package, the functions that reach a changed line
}

// reaching returns the names of a package's functions that are declared in changed lines or reach them. All passes over a package
// are about the same functions, which are looked for once.
func (c *since) reaching(s *session.Session) (map[string]bool, error) {
	c.mu.Lock()
	only := c.chosen[s.Pkg.Path]
	c.mu.Unlock()
	if only != nil {
		return only, nil
	}
	only, err := s.Prog.Affected(s.Pkg, c.lines)
	if err != nil || only == nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chosen[s.Pkg.Path] = only
	return only, nil
}

// changedSince asks git which lines of Go files are new or changed since a revision; files that git
// does not track count as new. An error is the user's: no repository, or no such revision.
func changedSince(ctx context.Context, dir, revision string) (map[string][]load.Lines, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=false", "-c", "core.fsmonitor=false"}, args...)...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		var exit *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.As(err, &exit):
			return "", session.UsageError("-since " + revision + ": git: " + strings.TrimPrefix(gotest.FirstMessage(stderr.String(), err.Error()), "fatal: "))
		case err != nil:
			return "", session.UsageError("-since " + revision + ": " + err.Error())
		}
		return string(out), nil
	}
	if strings.HasPrefix(revision, "-") {
		return nil, session.UsageError(fmt.Sprintf("-since %s: that is a flag and no revision", revision))
	}
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root = filepath.FromSlash(strings.TrimRight(root, "\r\n"))
	diff, err := git("diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", revision, "--", ":/*.go")
	if err != nil {
		return nil, err
	}
	changed := parseDiff(root, diff)
	others, err := git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/*.go")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(others, "\x00") {
		if name != "" {
			changed[filepath.Join(root, filepath.FromSlash(name))] = []load.Lines{{First: 1, Last: 1 << 30}}
		}
	}
	return changed, nil
}

// parseDiff reads a diff without context: the lines of the new side.
func parseDiff(root, diff string) map[string][]load.Lines {
	out := make(map[string][]load.Lines)
	file := ""
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			file = ""
			if name, ok = strings.CutPrefix(name, "b/"); ok {
				file = filepath.Join(root, filepath.FromSlash(name))
			}
			continue
		}
		if file == "" || !strings.HasPrefix(line, "@@ ") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		first, count := 0, 1
		if n, err := fmt.Sscanf(fields[2], "+%d,%d", &first, &count); n < 1 {
			_ = err // this line of a file only looks like the header of a hunk
			continue
		}
		l := load.Lines{First: first, Last: first + count - 1}
		if count == 0 {
			l = load.Lines{First: first, Last: first + 1} // lines between these two were removed
		}
		out[file] = append(out[file], l)
	}
	return out
}
