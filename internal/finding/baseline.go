package finding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/wholefile"
)

// BaselineName is the file beside go.mod that lists known findings, which are not reported, each with the
// reason:
//
//	example.com/m/queue Queue.Pop invariant: the caller checks Len, see #12
//
// A line has the package, the function, the kind of finding, and the reason. Empty lines and lines that begin
// with # are ignored.
const BaselineName = "assay.baseline"

// Baseline is the content of such a file.
type Baseline struct {
	name  string
	known []known
}

// known is a finding that the baseline lists.
type known struct {
	line                     int
	pkg, function, kind, why string
	met                      bool
}

// ReadBaseline reads the file with that name or, if the name is "", the file beside the go.mod of the module
// that contains dir. If there is no such file, no finding is known. The error names a line that cannot be
// understood.
func ReadBaseline(name, dir string) (*Baseline, error) {
	asked := name != ""
	if !asked {
		root, err := moduleRoot(dir)
		if err != nil || root == "" {
			return &Baseline{}, err
		}
		name = filepath.Join(root, BaselineName)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	src, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return &Baseline{name: name}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return parseBaseline(name, src)
}

// moduleRoot returns the directory of the go.mod of the module that contains dir, or "" if there is none.
func moduleRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if mod := load.FindUpwards(dir, "go.mod"); mod != "" {
		return filepath.Dir(mod), nil
	}
	return "", nil
}

// Write adds lines for findings to the file, so that later runs know these findings. Findings that have a
// line are left out. It returns the file's name and the number of lines added. The user is to replace the
// reason that it writes.
func (b *Baseline) Write(findings []Accepted) (string, int, error) {
	var text strings.Builder
	n := 0
	seen := make(map[[3]string]bool)
	for _, k := range b.known {
		seen[[3]string{k.pkg, k.function, k.kind}] = true
	}
	for _, f := range findings {
		key := [3]string{f.Package, f.Func, f.Kind}
		if seen[key] {
			continue
		}
		seen[key] = true
		n++
		fmt.Fprintf(&text, "%s %s %s: accepted unread: %s\n", f.Package, f.Func, f.Kind, strings.Join(strings.Fields(f.Message), " "))
	}
	if n == 0 {
		return b.name, 0, nil
	}
	if b.name == "" {
		return "", 0, errors.New("baseline: there is no go.mod beside which assay.baseline could be written; name a file with -baseline")
	}
	old, err := os.ReadFile(b.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", 0, fmt.Errorf("baseline: %w", err)
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	if err := wholefile.Replace(b.name, append(old, text.String()...)); err != nil {
		return "", 0, fmt.Errorf("baseline: %w", err)
	}
	return b.name, n, nil
}

// Accepted is a finding for which Write adds a line.
type Accepted struct{ Package, Func, Kind, Message string }

func parseBaseline(name string, src []byte) (*Baseline, error) {
	b := &Baseline{name: name}
	sc := bufio.NewScanner(bytes.NewReader(src))
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		what, why, _ := strings.Cut(line, ": ")
		fields := strings.Fields(what)
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s:%d: want PACKAGE FUNCTION KIND: REASON", name, n)
		}
		if strings.TrimSpace(why) == "" {
			return nil, fmt.Errorf("%s:%d: no reason is given why %s of %s is not reported", name, n, fields[2], fields[1])
		}
		b.known = append(b.known, known{line: n, pkg: fields[0], function: fields[1], kind: fields[2], why: why})
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// Reason returns why a finding of the package is accepted, and marks the line as used. It returns false
// for a finding without a line.
func (b *Baseline) Reason(pkg string, f *testcase.Finding) (why string, ok bool) {
	for i := range b.known {
		k := &b.known[i]
		if k.pkg == pkg && k.function == f.Func && k.kind == f.Kind {
			k.met = true
			return k.why, true
		}
	}
	return "", false
}

// Lines returns the baseline's lines about a package as one text. It is part of the cache's key,
// because it affects what a run reports.
func (b *Baseline) Lines(pkg string) []string {
	var out []string
	for _, k := range b.known {
		if k.pkg == pkg {
			out = append(out, fmt.Sprint(b.name, k.line), k.function, k.kind)
		}
	}
	return out
}

// Stale lists the lines about tested functions of the package that no finding matched, because the defects
// are gone.
func (b *Baseline) Stale(pkg string, tested func(function string) bool) []string {
	var out []string
	for _, k := range b.known {
		if k.pkg == pkg && !k.met && tested(k.function) {
			out = append(out, fmt.Sprintf("%s:%d: %s has no finding %s any more: the line can go", b.name, k.line, k.function, k.kind))
		}
	}
	return out
}
