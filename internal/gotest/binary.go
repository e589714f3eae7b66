package gotest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/native/guard"
)

// Binary is a test binary that can be run many times without being built again.
type Binary struct {
	Name string // its file; see Run.Build
	Dir  string // the package's directory
	Tmp  string // a directory for the tests' files
	// Policy returns the permissions of the tests; tmp is Tmp.
	Policy func(tmp string) guard.Policy
}

// Trial says how the tests of a binary run.
type Trial struct {
	Names   []string // the tests to run; none means all
	Subtest string   // of the tests that have subtests only the subtest of this name runs; "" means all
	// Terminal says that the tests write to a terminal. Where there are none, the error is ErrNoTerminal.
	Terminal bool
	// NoMIME says that the tests cannot read the system's files of MIME types.
	NoMIME  bool
	Skip    []string // patterns of tests and subtests that do not run
	Count   int      // how often; 0 is once
	Shuffle uint64   // seed of the tests' order; 0 keeps the order of the source
	CPU     string   // numbers of processors, one after the other: "1,4"
	Env     []string // variables that differ from the tests' usual environment: "TZ=Asia/Tokyo"
	Timeout time.Duration
}

// ErrNoTerminal says that the system has no terminal for tests.
var ErrNoTerminal = errors.New("no terminal")

// Try runs tests of the binary and returns their results. It returns an error only if the binary could
// not be run, or did not end within the time of ctx or of the trial.
func (b Binary) Try(ctx context.Context, t Trial) (*Result, error) {
	if n := len(t.Names); n > 1 && len(pattern(t.Names)) > longestPattern {
		first, second := t, t
		first.Names, second.Names = t.Names[:n/2], t.Names[n/2:]
		res, err := b.Try(ctx, first)
		if err != nil {
			return nil, err
		}
		rest, err := b.Try(ctx, second)
		if err != nil {
			return nil, err
		}
		return res.and(rest), nil
	}
	return b.try(ctx, t)
}

// try runs tests whose names fit into one argument.
func (b Binary) try(ctx context.Context, t Trial) (*Result, error) {
	args := []string{"-test.v=test2json", "-test.count=" + strconv.Itoa(max(t.Count, 1))}
	if len(t.Names) > 0 {
		which := pattern(t.Names)
		if t.Subtest != "" {
			which += "/^" + regexp.QuoteMeta(t.Subtest) + "$"
		}
		args = append(args, "-test.run="+which)
	}
	if len(t.Skip) > 0 {
		args = append(args, "-test.skip="+strings.Join(t.Skip, "|"))
	}
	if t.Shuffle != 0 {
		args = append(args, "-test.shuffle="+strconv.FormatUint(t.Shuffle&(1<<62-1), 10))
	}
	if t.CPU != "" {
		args = append(args, "-test.cpu="+t.CPU)
	}
	if t.Timeout > 0 {
		args = append(args, "-test.timeout="+t.Timeout.String())
	}
	policy := b.Policy(b.Tmp)
	policy.Env = append(slices.Clone(policy.Env), t.Env...)
	policy.NoMIME = t.NoMIME
	cmd, err := Command(ctx, policy, b.Dir, b.Name, args...)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	ended := func() {}
	if t.Terminal {
		if ended, err = terminal(cmd, &out); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoTerminal, err)
		}
	}
	if err := cmd.Start(); err != nil {
		ended()
		return nil, err
	}
	stop := endWhenFull(cmd, guard.Disk{Dirs: []string{b.Tmp}})
	err = cmd.Wait()
	ended()
	if stop() {
		return nil, errors.New("the tests fill the disk")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if exit != nil {
		if msg, ok := guard.Failure(exit.ExitCode(), out.String()); ok {
			return nil, errors.New(msg)
		}
	}
	res, readErr := parseVerbose(&out)
	if readErr != nil {
		return nil, fmt.Errorf("reading what the tests say: %w", readErr)
	}
	res.OK = err == nil
	if res.Hung && len(res.Failed) == 0 {
		return nil, context.DeadlineExceeded
	}
	return res, nil
}

// resultLine matches, behind the mark, a line in which the testing package reports a test or a subtest.
var resultLine = regexp.MustCompile(`^\s*(=== RUN  |=== NAME |--- PASS:|--- FAIL:|--- SKIP:) (\S+)`)

// mark is the byte that the testing package writes before its own lines. The byte separates these lines from
// output of the tests that does not end in a newline.
const mark = "\x16"

// parseVerbose reads the output of a test binary with -test.v=test2json.
func parseVerbose(out io.Reader) (*Result, error) {
	res := &Result{Passed: make(map[string]bool), Output: make(map[string][]string), Subtests: make(map[string][]string)}
	var running []string // the last one began last
	fail := func(test string) {
		if !slices.Contains(res.Failed, test) {
			res.Failed = append(res.Failed, test)
		}
	}
	current := ""
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		line, said, marked := strings.Cut(scan.Text(), mark)
		if line != "" || !marked {
			res.Hung = res.Hung || strings.HasPrefix(line, "panic: test timed out after ")
			res.Output[current] = append(res.Output[current], line)
		}
		m := resultLine.FindStringSubmatch(said)
		if m == nil {
			continue
		}
		top, sub, isSub := strings.Cut(m[2], "/")
		current = top
		switch m[1] {
		case "=== RUN  ":
			if !isSub {
				running = append(running, top)
			}
			continue
		case "=== NAME ":
			continue
		case "--- FAIL:":
			fail(top)
			if isSub && !slices.Contains(res.Subtests[top], sub) {
				res.Subtests[top] = append(res.Subtests[top], sub)
			}
		case "--- PASS:":
			if !isSub {
				res.Passed[top] = true
			}
		}
		if !isSub {
			running = slices.DeleteFunc(running, func(t string) bool { return t == top })
		}
	}
	res.Died = running
	for _, test := range running {
		fail(test)
	}
	return res, scan.Err()
}
