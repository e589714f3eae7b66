package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/native/guard"
)

// Run is one run of go test in a package's directory.
type Run struct {
	Dir          string
	Tags         string            // build tags, comma-separated
	Overlay      map[string]string // an overlay: absolute name to the file with the content, "" to leave it out
	Names        []string          // the tests to run; none means that it is only built
	All          bool              // all tests of the package
	Count        int               // how often; 0 is once
	Shuffle      uint64            // seed of their order; 0 is as they stand
	CoverProfile string            // where to write the coverage profile, "" for none
	Unsafe       bool              // not confined
	NoVet        bool              // without what go test has vet say
}

// Do runs the tests. The error is returned only if go test could not be run or did
// not end in time; what the tests say is in the result.
func (g Run) Do(ctx context.Context) (*Result, error) {
	work, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work) // a leftover temporary directory harms nobody
	args, err := buildArgs(work, g.Tags, g.Overlay)
	if err != nil {
		return nil, err
	}
	args = append([]string{"test", "-json"}, args...)
	if g.NoVet {
		args = append(args, "-vet=off")
	}
	if g.CoverProfile != "" {
		args = append(args, "-coverprofile="+g.CoverProfile)
	}
	if g.Shuffle != 0 {
		args = append(args, "-shuffle="+strconv.FormatUint(g.Shuffle&(1<<62-1), 10))
	}
	pattern := "^$"
	if g.All {
		pattern = "."
	} else if len(g.Names) > 0 {
		pattern = "^(" + strings.Join(g.Names, "|") + ")$"
	}
	args = append(args, "-count="+strconv.Itoa(max(g.Count, 1)), "-run="+pattern, ".")
	if deadline, ok := ctx.Deadline(); ok {
		// A test that hangs must leave time to take it out and to run the others again.
		args = slices.Insert(args, len(args)-1, "-timeout="+max(time.Until(deadline)/3, time.Second).String())
	}

	env := append(os.Environ(), "PWD="+g.Dir)
	if !g.Unsafe {
		tmp := filepath.Join(work, "tmp")
		if err := os.Mkdir(tmp, 0o700); err != nil {
			return nil, err
		}
		flag, confined, err := guard.GoTest(tmp)
		if err != nil {
			return nil, err
		}
		if flag != "" {
			args = slices.Insert(args, 1, flag)
			env = append(env, confined, "TMPDIR="+tmp)
		}
	}

	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.Dir
	cmd.Env = env
	cmd.WaitDelay = 2 * time.Second // grandchildren may hold the pipes open
	ownGroup(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if runErr != nil && !errors.As(runErr, &exit) {
		return nil, fmt.Errorf("go test: %w", runErr)
	}
	res := parseTestRun(g.Dir, &stdout)
	for i, b := range res.Build {
		// Some messages name the file that lies over another, not that one.
		for name, content := range g.Overlay {
			if content != "" && content == b.Pos.Filename {
				res.Build[i].Pos.Filename = name
			}
		}
	}
	res.OK = runErr == nil
	if !res.OK && len(res.Failed) == 0 && len(res.Build) == 0 {
		// The go command itself refused, or TestMain ended the process.
		msg := FirstMessage(stderr.String(), strings.Join(res.Output[""], "\n"))
		return nil, fmt.Errorf("go test: %s", msg)
	}
	return res, nil
}

// buildArgs are the flags of go test for tags and an overlay, whose file is put into
// work.
func buildArgs(work, tags string, replace map[string]string) ([]string, error) {
	var args []string
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	if len(replace) == 0 {
		return args, nil
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return nil, err
	}
	return append(args, "-overlay="+name), nil
}

// Build builds the package's test binary. Files on the way there go to work.
func (g Run) Build(ctx context.Context, work, binary string) error {
	args, err := buildArgs(work, g.Tags, g.Overlay)
	if err != nil {
		return err
	}
	args = append([]string{"test", "-c", "-o", binary}, args...)
	if g.NoVet {
		args = append(args, "-vet=off")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = g.Dir
	cmd.Env = append(os.Environ(), "PWD="+g.Dir)
	cmd.WaitDelay = 2 * time.Second
	ownGroup(cmd)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return errors.New(FirstMessage(string(out), err.Error()))
	}
	return nil
}

// Command returns a command that runs a test binary, confined unless the user has said
// that it need not be.
func Command(ctx context.Context, unsafe bool, binary string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	if !unsafe {
		var err error
		if cmd, err = guard.Command(ctx, binary, args, nil); err != nil {
			return nil, err
		}
	}
	ownGroup(cmd)
	return cmd, nil
}

func WithTag(tags, tag string) string {
	if tags == "" {
		return tag
	}
	return tags + "," + tag
}
