package campaign

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/native"
)

// goTest is one run of go test in a package's directory.
type goTest struct {
	dir     string
	tags    string            // build tags, comma-separated
	replace map[string]string // an overlay: absolute name to the file with the content, "" to leave it out
	names   []string          // the tests to run; none means that it is only built
	all     bool              // all tests of the package
	count   int               // how often; 0 is once
	shuffle uint64            // seed of their order; 0 is as they stand
	cover   string            // where to write the coverage profile, "" for none
	unsafe  bool              // not confined
}

// testRun is what came of it.
type testRun struct {
	failed  []string            // tests that failed, in the order in which they did
	passed  map[string]bool     // tests that passed at least once
	output  map[string][]string // by test, "" is the package's own, lines
	build   []buildError        // it did not compile
	ok      bool                // go test exited with status 0
	hung    bool                // it was ended because it took too long
	elapsed time.Duration
}

// buildError is a line of the compiler's or vet's.
type buildError struct {
	pos token.Position
	msg string
}

func (e buildError) String() string { return e.pos.String() + ": " + e.msg }

// testLine is a line of go test -json.
type testLine struct {
	Action string
	Test   string
	Output string
}

// run runs the tests. The error is returned only if go test could not be run or did
// not end in time; what the tests say is in the result.
func (g goTest) run(ctx context.Context) (*testRun, error) {
	work, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work) // a leftover temporary directory harms nobody
	args, err := buildArgs(work, g.tags, g.replace)
	if err != nil {
		return nil, err
	}
	args = append([]string{"test", "-json"}, args...)
	if g.cover != "" {
		args = append(args, "-coverprofile="+g.cover)
	}
	if g.shuffle != 0 {
		args = append(args, "-shuffle="+strconv.FormatUint(g.shuffle&(1<<62-1), 10))
	}
	pattern := "^$"
	if g.all {
		pattern = "."
	} else if len(g.names) > 0 {
		pattern = "^(" + strings.Join(g.names, "|") + ")$"
	}
	args = append(args, "-count="+strconv.Itoa(max(g.count, 1)), "-run="+pattern, ".")
	if deadline, ok := ctx.Deadline(); ok {
		// A test that hangs must leave time to take it out and to run the others again.
		args = slices.Insert(args, len(args)-1, "-timeout="+max(time.Until(deadline)/3, time.Second).String())
	}

	env := append(os.Environ(), "PWD="+g.dir)
	if !g.unsafe {
		tmp := filepath.Join(work, "tmp")
		if err := os.Mkdir(tmp, 0o700); err != nil {
			return nil, err
		}
		flag, confined, err := native.Confined(tmp)
		if err != nil {
			return nil, err
		}
		if flag != "" {
			args = slices.Insert(args, 1, flag)
			env = append(env, confined, "TMPDIR="+tmp)
		}
	}

	start := time.Now()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.dir
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
	res := parseTestRun(g.dir, &stdout)
	for i, b := range res.build {
		// Some messages name the file that lies over another, not that one.
		for name, content := range g.replace {
			if content != "" && content == b.pos.Filename {
				res.build[i].pos.Filename = name
			}
		}
	}
	res.ok = runErr == nil
	res.elapsed = time.Since(start)
	if !res.ok && len(res.failed) == 0 && len(res.build) == 0 {
		// The go command itself refused, or TestMain ended the process.
		msg := firstWords(stderr.String(), strings.Join(res.output[""], "\n"))
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

// buildTests builds the test binary of the package in dir.
func buildTests(ctx context.Context, dir, tags string, replace map[string]string, work, binary string) error {
	args, err := buildArgs(work, tags, replace)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-c", "-o", binary}, args...), ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir)
	cmd.WaitDelay = 2 * time.Second
	ownGroup(cmd)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return errors.New(firstWords(string(out), err.Error()))
	}
	return nil
}

var buildLine = regexp.MustCompile(`^(?:vet: )?(\S+\.go):(\d+)(?::(\d+))?: (.*)$`)

// parseTestRun reads the output of go test -json.
func parseTestRun(dir string, out *bytes.Buffer) *testRun {
	res := &testRun{passed: make(map[string]bool), output: make(map[string][]string)}
	var order []string
	failed := make(map[string]bool)
	running := make(map[string]bool)
	fail := func(test string) {
		if !failed[test] {
			failed[test] = true
			order = append(order, test)
		}
	}
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		var l testLine
		if json.Unmarshal(scan.Bytes(), &l) != nil {
			l = testLine{Action: "output", Output: scan.Text()}
		}
		top, _, _ := strings.Cut(l.Test, "/")
		switch l.Action {
		case "output", "build-output":
			text := strings.TrimRight(l.Output, "\n")
			res.hung = res.hung || strings.HasPrefix(text, "panic: test timed out after ")
			res.output[top] = append(res.output[top], text)
			if m := buildLine.FindStringSubmatch(strings.TrimSpace(text)); m != nil && (l.Action == "build-output" || strings.HasPrefix(text, "vet: ")) {
				e := buildError{msg: m[4]}
				e.pos.Filename = m[1]
				if !filepath.IsAbs(e.pos.Filename) {
					e.pos.Filename = filepath.Join(dir, e.pos.Filename)
				}
				e.pos.Line, _ = strconv.Atoi(m[2])   // digits, and no longer than a line number
				e.pos.Column, _ = strconv.Atoi(m[3]) // the same, or empty
				res.build = append(res.build, e)
			}
		case "run":
			running[top] = true
		case "pass":
			if l.Test != "" {
				res.passed[top] = true
			}
		case "fail":
			if l.Test != "" {
				fail(top)
			}
		}
		if l.Test == top && (l.Action == "pass" || l.Action == "fail" || l.Action == "skip") {
			delete(running, top)
		}
	}
	// A test that the end of the process met, be it for the time or by os.Exit, is said to
	// have failed by nobody.
	for _, test := range slices.Sorted(maps.Keys(running)) {
		fail(test)
	}
	res.failed = order
	return res
}

// firstWords returns the first line of the first text that says something.
func firstWords(texts ...string) string {
	for _, t := range texts {
		for line := range strings.SplitSeq(t, "\n") {
			line = strings.TrimSpace(line)
			if line != "" && line != "FAIL" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: downloading ") {
				return line
			}
		}
	}
	return "failed without a word"
}

// readCoverage adds up a coverage profile: how many statements there are and how many
// of them ran.
func readCoverage(name string) (covered, statements int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close() // read only: nothing can be lost
	type block struct {
		n   int
		hit bool
	}
	blocks := make(map[string]block)
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		fields := strings.Fields(scan.Text())
		if len(fields) != 3 {
			continue // the line that names the mode
		}
		n, err1 := strconv.Atoi(fields[1])
		hits, err2 := strconv.Atoi(fields[2])
		if err1 != nil || err2 != nil {
			return 0, 0, fmt.Errorf("coverage profile: %q", scan.Text())
		}
		blocks[fields[0]] = block{n, blocks[fields[0]].hit || hits > 0}
	}
	for _, b := range blocks {
		statements += b.n
		if b.hit {
			covered += b.n
		}
	}
	return covered, statements, scan.Err()
}
