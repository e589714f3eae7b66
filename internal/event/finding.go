package event

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"go/token"

	"github.com/goassay/assay/internal/testcase"
)

// FindingOf returns the event for a finding of a package. The function read returns the source of a file as
// it was loaded. If it fails the fingerprint is made without the source.
func FindingOf(pkg string, f *testcase.Finding, read func(file string) ([]byte, error)) Finding {
	e := Finding{
		Package: pkg, Func: f.Func, Kind: f.Kind, Severity: f.Severity, Message: f.Message,
		Evidence: f.Evidence, Rank: f.Rank, Cause: f.Root, Misuse: f.Misuse, Doors: f.Doors,
	}
	var src []byte
	if f.Pos.IsValid() {
		e.Pos = f.Pos.String()
		if text, err := read(f.Pos.Filename); err == nil {
			src = text
		}
	}
	if f.Declared.IsValid() {
		e.Declared = f.Declared.String()
	}
	if f.RootPos.IsValid() {
		e.CausePos = f.RootPos.String()
	}
	if f.Case != nil {
		e.Calls = f.Case.Seq.Lines()
		e.Way = wayOf(f.Case)
	}
	e.Fingerprint = fingerprint(e, src, f.Pos.Line)
	return e
}

// wayOf lists the decisions on the case's path, and the frames of the panic that ended it.
func wayOf(c *testcase.Case) []Step {
	way := decisions(c)
	if c.Observed == nil || c.Observed.Panic == nil {
		return way
	}
	stack := c.Observed.Panic.Stack
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].Pos.IsValid() {
			name := stack[i].Func
			name = name[strings.LastIndexByte(name, '/')+1:]
			way = append(way, Step{stack[i].Pos.String(), "in " + name})
		}
	}
	return way
}

// decisions lists the decisions of the case's path. A decision that a loop takes in the same way many times
// is listed once.
func decisions(c *testcase.Case) []Step {
	var way []Step
	times := 0
	again := func() {
		if times > 1 {
			way[len(way)-1].Text += fmt.Sprintf(" (%d times)", times)
		}
	}
	var last testcase.Condition
	for _, d := range c.Path {
		if !d.Pos.IsValid() {
			continue
		}
		if times > 0 && d == last {
			times++
			continue
		}
		again()
		last, times = d, 1
		way = append(way, Step{d.Pos.String(), fmt.Sprintf("%s is %t", d.Text, d.True)})
	}
	again()
	return way
}

// fingerprint identifies a finding by the text of its line and the place of that line in its declaration,
// which does not change when code above or below changes. Lines of a file in gofmt's form that begin without
// a blank begin a declaration.
func fingerprint(e Finding, src []byte, line int) string {
	parts := []string{e.Package, e.Func, e.Kind}
	lines := strings.Split(string(src), "\n")
	if line >= 1 && line <= len(lines) {
		text := strings.TrimSpace(lines[line-1])
		alike := 0
		for i := line - 2; i >= 0; i-- {
			l := lines[i]
			if strings.TrimSpace(l) == text {
				alike++
			}
			if strings.HasPrefix(l, "func ") || strings.HasPrefix(l, "type ") || strings.HasPrefix(l, "var ") {
				parts = append(parts, l)
				break
			}
		}
		parts = append(parts, text, strconv.Itoa(alike))
	} else {
		parts = append(parts, e.Message)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// Place reads a position in the form of events, "file:line:column" or a part of it. For "" it returns the
// zero value.
func Place(pos string) token.Position {
	var p token.Position
	number := func() (n int, ok bool) {
		i := strings.LastIndexByte(pos, ':')
		if i < 0 {
			return 0, false
		}
		n, err := strconv.Atoi(pos[i+1:])
		if err != nil {
			return 0, false
		}
		pos = pos[:i]
		return n, true
	}
	if n, ok := number(); ok {
		p.Line = n
		if n, ok := number(); ok {
			p.Line, p.Column = n, p.Line
		}
	}
	p.Filename = pos
	return p
}
