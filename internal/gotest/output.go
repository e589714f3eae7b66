package gotest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Result is the result of a run of go test.
type Result struct {
	Failed []string // tests that failed, in the order in which they failed
	// Subtests has the failed subtests by test: their names, as go test writes them (see
	// [gosyntax.SubtestName]), which may have slashes in them. A test that failed outside of its subtests has no entry.
	Subtests map[string][]string
	// Died has the tests of Failed for which no failure was reported, because the process ended while they
	// ran.
	Died   []string
	Passed map[string]bool     // tests that passed at least once
	Output map[string][]string // the lines of output by test; "" is the package's own
	Build  []BuildError        // the errors, if the package did not compile
	OK     bool                // go test exited with status 0
	Hung   bool                // the run was ended because it took too long
}

// BuildError is a line of the compiler's or vet's.
type BuildError struct {
	Pos token.Position
	Msg string
}

func (e BuildError) String() string { return e.Pos.String() + ": " + e.Msg }

// testLine is a line of go test -json.
type testLine struct {
	Action string
	Test   string
	Output string
}

var buildLine = regexp.MustCompile(`^(?:vet: )?(\S+\.go):(\d+)(?::(\d+))?: (.*)$`)

// ErrorPlace returns the place that a build error names, if it names one first.
func ErrorPlace(err error) (pos token.Position, ok bool) {
	m := buildLine.FindStringSubmatch(err.Error())
	if m == nil {
		return pos, false
	}
	line, convErr := strconv.Atoi(m[2])
	return token.Position{Filename: m[1], Line: line}, convErr == nil
}

// parseTestRun reads the output of go test -json.
func parseTestRun(dir string, out *bytes.Buffer) (*Result, error) {
	res := &Result{Passed: make(map[string]bool), Output: make(map[string][]string), Subtests: make(map[string][]string)}
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
			res.Hung = res.Hung || strings.HasPrefix(text, "panic: test timed out after ")
			res.Output[top] = append(res.Output[top], text)
			if m := buildLine.FindStringSubmatch(strings.TrimSpace(text)); m != nil && (l.Action == "build-output" || strings.HasPrefix(text, "vet: ")) {
				e := BuildError{Msg: m[4]}
				e.Pos.Filename = m[1]
				if !filepath.IsAbs(e.Pos.Filename) {
					e.Pos.Filename = filepath.Join(dir, e.Pos.Filename)
				}
				e.Pos.Line, _ = strconv.Atoi(m[2])   // digits, and no longer than a line number
				e.Pos.Column, _ = strconv.Atoi(m[3]) // the same, or empty
				res.Build = append(res.Build, e)
			}
		case "run":
			running[top] = true
		case "pass":
			if l.Test != "" {
				res.Passed[top] = true
			}
		case "fail":
			if l.Test != "" {
				fail(top)
			}
			if sub := strings.TrimPrefix(l.Test, top+"/"); l.Test != top && !slices.Contains(res.Subtests[top], sub) {
				res.Subtests[top] = append(res.Subtests[top], sub)
			}
		}
		if l.Test == top && (l.Action == "pass" || l.Action == "fail" || l.Action == "skip") {
			delete(running, top)
		}
	}
	// If the process ends by a timeout or by os.Exit, the testing package reports no failure for the tests
	// that were running.
	res.Died = slices.Sorted(maps.Keys(running))
	for _, test := range res.Died {
		fail(test)
	}
	res.Failed = order
	return res, scan.Err()
}

// and adds the result of another run; a nil result adds nothing.
func (r *Result) and(other *Result) *Result {
	if r == nil {
		return other
	}
	for _, name := range other.Failed {
		if !slices.Contains(r.Failed, name) {
			r.Failed = append(r.Failed, name)
		}
	}
	r.Died = append(r.Died, other.Died...)
	for name, subs := range other.Subtests {
		for _, sub := range subs {
			if !slices.Contains(r.Subtests[name], sub) {
				r.Subtests[name] = append(r.Subtests[name], sub)
			}
		}
	}
	maps.Copy(r.Passed, other.Passed)
	for name, lines := range other.Output {
		r.Output[name] = append(r.Output[name], lines...)
	}
	r.Build = append(r.Build, other.Build...)
	r.OK, r.Hung = r.OK && other.OK, r.Hung || other.Hung
	return r
}

// FirstMessage returns the first line of the first text that says something.
func FirstMessage(texts ...string) string {
	for _, t := range texts {
		for line := range strings.SplitSeq(t, "\n") {
			line = strings.TrimSpace(line)
			if line != "" && line != "FAIL" && !strings.HasPrefix(line, "-test.shuffle ") && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: downloading ") {
				return line
			}
		}
	}
	return "failed without a word"
}

// Failure returns the failure message of a test on one line: the values before and after.
func Failure(output []string) string {
	var said []string
	for _, line := range output {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") || line == "FAIL" {
			continue
		}
		said = append(said, line)
	}
	if len(said) > 3 {
		said = append(said[:3], "...")
	}
	return strings.Join(said, "; ")
}

// Stretch is a stretch of statements of a coverage profile. Columns are bytes, and count from 1.
type Stretch struct {
	File               string // as the profile has it: the import path of the package, and the file's name
	Line, Column       int
	EndLine, EndColumn int
	Stmts              int
	Covered            bool
}

// ReadCoverage adds up a coverage profile: the number of statements, and how many of them ran.
func ReadCoverage(name string) (covered, statements int, err error) {
	blocks, err := ReadProfile(name)
	for _, b := range blocks {
		statements += b.Stmts
		if b.Covered {
			covered += b.Stmts
		}
	}
	return covered, statements, err
}

// ReadProfile reads a coverage profile. Each block is there once, in the order of the profile.
func ReadProfile(name string) ([]Stretch, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing can be lost
	var blocks []Stretch
	at := make(map[string]int)
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		if strings.HasPrefix(scan.Text(), "mode: ") {
			continue
		}
		place, counts, _ := strings.Cut(scan.Text(), " ")
		b := Stretch{}
		colon := strings.LastIndexByte(place, ':')
		var hits int
		_, err1 := fmt.Sscanf(place[colon+1:], "%d.%d,%d.%d", &b.Line, &b.Column, &b.EndLine, &b.EndColumn)
		_, err2 := fmt.Sscanf(counts, "%d %d", &b.Stmts, &hits)
		if colon < 0 || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("coverage profile: %q", scan.Text())
		}
		b.File = place[:colon]
		i, ok := at[place]
		if !ok {
			i = len(blocks)
			at[place] = i
			blocks = append(blocks, b)
		}
		blocks[i].Covered = blocks[i].Covered || hits > 0
	}
	return blocks, scan.Err()
}
