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
	Overlay      map[string]string // an absolute name and the file with the content, or "" to leave the file out
	Names        []string          // the tests to run; if there are none the package is only built
	All          bool              // all tests of the package
	Count        int               // how often; 0 is once
	Shuffle      uint64            // seed of the tests' order; 0 keeps the order of the source
	CoverProfile string            // the file for the coverage profile, "" for none
	NoVet        bool              // do not run the checks of vet that go test runs
	Race         bool              // build with the race detector, which needs a C compiler
	// Policy returns the permissions of the tests; tmp is a directory for their files.
	Policy func(tmp string) guard.Policy
}

// Do runs the tests. It returns an error only if go test could not be run or did not end in time;
// results of tests are in the Result.
func (g Run) Do(ctx context.Context) (*Result, error) {
	if len(g.Names) > 1 && len(pattern(g.Names)) > longestPattern {
		return g.halves(ctx)
	}
	return g.do(ctx)
}

// longestPattern is how many bytes a pattern of tests may have, because Linux takes arguments of up to 128
// KiB.
const longestPattern = 100 << 10

// halves runs the tests in two runs of go test. If a half is too long it is halved again.
func (g Run) halves(ctx context.Context) (*Result, error) {
	middle := len(g.Names) / 2
	var all *Result
	var profile []byte
	for i, names := range [][]string{g.Names[:middle], g.Names[middle:]} {
		half := g
		half.Names = names
		if g.CoverProfile != "" {
			half.CoverProfile = fmt.Sprint(g.CoverProfile, ".", i)
		}
		res, err := half.Do(ctx)
		if err != nil {
			return nil, err
		}
		if g.CoverProfile != "" && res.OK {
			content, err := os.ReadFile(half.CoverProfile)
			if err != nil {
				return nil, err
			}
			profile = append(profile, content...)
		}
		if all = all.and(res); len(res.Build) > 0 {
			break // the other parts would fail to build in the same way
		}
	}
	if g.CoverProfile != "" {
		return all, os.WriteFile(g.CoverProfile, profile, 0o600)
	}
	return all, nil
}

// do runs the tests in one run of go test.
func (g Run) do(ctx context.Context) (*Result, error) {
	work, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	args, err := g.testArgs(ctx, work)
	if err != nil {
		return nil, err
	}

	// The go command's files and the tests' files are in different directories, so that the tests
	// cannot change what is built.
	tmp, built := filepath.Join(work, "tmp"), filepath.Join(work, "build")
	if err := errors.Join(os.Mkdir(tmp, 0o700), os.Mkdir(built, 0o700)); err != nil {
		return nil, err
	}
	flag, confined, err := guard.GoTest(g.Policy(tmp), g.Dir)
	if err != nil {
		return nil, err
	}
	args = slices.Insert(args, 1, flag)

	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.Dir
	cmd.Env = append(Env(g.Dir), confined, "GOTMPDIR="+built)
	cmd.WaitDelay = 2 * time.Second // processes of the tests may hold the pipes open
	OwnGroup(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Start()
	if runErr == nil {
		stop := endWhenFull(cmd, guard.Disk{Dirs: []string{tmp, filepath.Join(built, "*", "b001")}})
		runErr = cmd.Wait()
		if stop() {
			return nil, errors.New("go test: the tests fill the disk")
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if runErr != nil && !errors.As(runErr, &exit) {
		return nil, fmt.Errorf("go test: %w", runErr)
	}
	res, err := parseTestRun(g.Dir, &stdout)
	if err != nil {
		return nil, fmt.Errorf("go test: reading what it says: %w", err)
	}
	for i, b := range res.Build {
		// Some messages name the file with the content, and not the file that it replaces.
		for name, content := range g.Overlay {
			if content != "" && content == b.Pos.Filename {
				res.Build[i].Pos.Filename = name
			}
		}
	}
	res.OK = runErr == nil
	if res.Hung && len(res.Failed) == 0 {
		return nil, context.DeadlineExceeded // the time ended before the first test, or between two tests
	}
	if !res.OK && len(res.Failed) == 0 && len(res.Build) == 0 {
		// The go command refused to run, or TestMain ended the process.
		msg := FirstMessage(stderr.String(), strings.Join(res.Output[""], "\n"))
		return nil, &EndedError{msg}
	}
	return res, nil
}

// EndedError says that go test failed although no test did: the go command refused the package, or its
// TestMain or an init function ended the process.
type EndedError struct{ Said string }

func (e *EndedError) Error() string { return "go test: " + e.Said }

// testArgs are the arguments of the go command that runs the tests. A file of the overlay is
// put into work.
func (g Run) testArgs(ctx context.Context, work string) ([]string, error) {
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
	which := pattern(g.Names)
	if g.All {
		which = "."
	}
	args = append(args, "-count="+strconv.Itoa(max(g.Count, 1)), "-run="+which, ".")
	if deadline, ok := ctx.Deadline(); ok {
		// If a test hangs, there must be time left to take it out and to run the others again.
		args = slices.Insert(args, len(args)-1, "-timeout="+max(time.Until(deadline)/3, time.Second).String())
	}
	return args, nil
}

// pattern returns a pattern that matches the tests of the given names only.
func pattern(names []string) string {
	if len(names) == 0 {
		return "^$"
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// buildArgs returns the flags of go test for tags and an overlay, whose file is put into work.
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

// Build builds the package's test binary. It puts intermediate files into work.
func (g Run) Build(ctx context.Context, work, binary string) error {
	args, err := buildArgs(work, g.Tags, g.Overlay)
	if err != nil {
		return err
	}
	// Nobody looks at the binary with a debugger, and linking takes half of the time without what that needs.
	args = append([]string{"test", "-c", "-o", binary, "-ldflags=-s -w"}, args...)
	if g.NoVet {
		args = append(args, "-vet=off")
	}
	env := Env(g.Dir)
	if g.Race {
		args, env = append(args, "-race"), append(env, "CGO_ENABLED=1")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = g.Dir
	cmd.Env = env
	cmd.WaitDelay = 2 * time.Second
	OwnGroup(cmd)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return errors.New(FirstMessage(string(out), err.Error()))
	}
	return nil
}

// BuildParts does what a run of the tests does before it links: it compiles and vets all packages, and the go
// command's cache keeps the results. Linking would take half of the time, and its result is kept nowhere, so the
// linker is told to print its version and nothing else. The go command then fails, and the cause is lost if the
// package is at fault; a run of its tests reports that. It puts intermediate files into work.
func (g Run) BuildParts(ctx context.Context, work string) error {
	args, err := g.testArgs(ctx, work)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", slices.Insert(args, 1, "-ldflags=-V")...)
	cmd.Dir = g.Dir
	cmd.Env = Env(g.Dir)
	cmd.WaitDelay = 2 * time.Second
	OwnGroup(cmd)
	_ = cmd.Run() // it fails where there is nothing to link
	return ctx.Err()
}

// NeedsCgo returns a package outside of the standard library that uses cgo, if the package's own tests are
// built from it on systems with cgo, or "" if there is none. Nothing is compiled.
func (g Run) NeedsCgo(ctx context.Context) (string, error) {
	args := []string{"list", "-e", "-deps", "-test", "-f", "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}"}
	if g.Tags != "" {
		args = append(args, "-tags="+g.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = g.Dir
	cmd.Env = append(Env(g.Dir), "CGO_ENABLED=1")
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first, nil
}

// Command returns a command that runs a test binary in a directory, confined as go test would be. It
// creates the first directory in which the tests may write, if that does not exist.
func Command(ctx context.Context, p guard.Policy, dir, binary string, args ...string) (*exec.Cmd, error) {
	if err := os.MkdirAll(p.Write[0], 0o700); err != nil {
		return nil, err
	}
	cmd, err := guard.Command(ctx, p, dir, binary, args...)
	if err != nil {
		return nil, err
	}
	OwnGroup(cmd)
	return cmd, nil
}

// Env returns the environment of go commands in a directory, in which building runs nothing of the package's.
func Env(dir string) []string {
	env, _ := guard.GoEnv(nil) // the dropped variables are reported once, when the run starts
	return append(env, "PWD="+dir)
}

// endWhenFull watches a command that is a process group of its own, and ends it when its processes take
// more of the disk than any test needs. The returned function ends the watch and reports whether that
// happened.
func endWhenFull(cmd *exec.Cmd, disk guard.Disk) (stop func() bool) {
	disk.Pid, disk.Group = cmd.Process.Pid, true
	done, ended := make(chan struct{}), make(chan bool)
	go func() {
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		full := false
		for {
			select {
			case <-done:
				ended <- full
				return
			case <-ticker.C:
				if !full && disk.Full() {
					full = true
					_ = cmd.Cancel() // it is no error if the process has ended already
				}
			}
		}
	}()
	return func() bool { close(done); return <-ended }
}

func WithTag(tags, tag string) string {
	if tags == "" {
		return tag
	}
	return tags + "," + tag
}
