package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/goassay/assay/internal/gotest"
)

// otherTimes are how far the clock is put forward in runs of the tests. They lead to another month and another
// day of the week. The first is half a day more than whole days, so that morning and afternoon change places whenever the
// tests run; the second leads to another hour and minute, the third to another year, which is no leap year if this is one.
var otherTimes = [...]string{"4812h", "4807h17m", "49321h"}

// otherDays are the months and times of day that the clock is put forward to, by the day of the week. Code that asks for the
// day may fail in January, or on Tuesdays, only, and code that asks for the time in the first second of a minute, at midnight,
// or while people work.
var otherDays = [...]struct {
	month                time.Month
	hour, minute, second int
}{
	time.Sunday: {time.January, 0, 0, 0}, time.Monday: {time.February, 9, 30, 0}, time.Tuesday: {time.April, 12, 0, 0}, time.Wednesday: {time.May, 23, 59, 58}, time.Thursday: {time.July, 6, 5, 0},
	time.Friday: {time.September, 17, 15, 0}, time.Saturday: {time.December, 0, 0, 0},
}

// onOtherDays returns conditions of another day of the week in another month each, the next one in each case. In December
// it is one of the last days.
func onOtherDays(now time.Time) []condition {
	var out []condition
	for weekday, on := range otherDays {
		month := on.month
		days := 1
		for {
			day := now.AddDate(0, 0, days)
			late := month != time.December || day.Day() > 24
			if day.Month() == month && day.Weekday() == time.Weekday(weekday) && late {
				break
			}
			days++
		}
		day := now.AddDate(0, 0, days)
		at := time.Date(day.Year(), day.Month(), day.Day(), on.hour, on.minute, on.second, 0, time.Local)
		out = append(out, condition{fmt.Sprintf("on a %s in %s, at %s", time.Weekday(weekday), month, at.Format(time.TimeOnly)), gotest.Trial{Env: []string{clockVariable + "=" + at.Format(time.RFC3339)}}, true})
	}
	return out
}

// clockVariable is the environment variable that says how far, or which time it is when the tests begin.
const clockVariable = "ASSAY_CLOCK"

// clocks are the functions of package time that tell the time, each with a replacement that tells a
// wrong time.
var clocks = map[string]string{
	"Now":   "func assayNow(now func() time.Time) func() time.Time { return func() time.Time { return now().Add(assayAhead()) } }",
	"Since": "func assaySince(since func(time.Time) time.Duration) func(time.Time) time.Duration { return func(t time.Time) time.Duration { return since(t) + assayAhead() } }",
	"Until": "func assayUntil(until func(time.Time) time.Duration) func(time.Time) time.Duration { return func(t time.Time) time.Duration { return until(t) - assayAhead() } }",
}

// shift is the beginning of the file with the replacements: how far the clock is put forward. In a bubble of testing/synctest
// the time is always the same, the year 2000 and what the test has waited for since, and that clock is left alone.
const shift = `package %s

import (
	assayos "os"
	"time"
)

var assayShift = func() time.Duration {
	value := assayos.Getenv(%q)
	if at, err := time.Parse(time.RFC3339, value); err == nil {
		return time.Until(at)
	}
	ahead, _ := time.ParseDuration(value)
	return ahead
}()

func assayAhead() time.Duration {
	if time.Now().Year() < 2020 {
		return 0
	}
	return assayShift
}
`

// shifted builds a binary in which the package's own code and the tests see another time. It returns nil if neither
// ever asks for the time.
func (d *doubter) shifted(ctx context.Context) (*gotest.Binary, error) {
	files := make(map[string]string)
	for _, f := range d.Pkg.Syntax {
		name := d.Prog.Fset.File(f.FileStart).Name()
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text := shiftClocks(f, d.Pkg.Info, func(n ast.Node) (from, to int) {
			return d.Prog.Fset.PositionFor(n.Pos(), false).Offset, d.Prog.Fset.PositionFor(n.End(), false).Offset
		}, src)
		if text == nil {
			continue
		}
		files[name] = filepath.Join(d.work, "clock"+strconv.Itoa(len(files))+".go")
		if err := os.WriteFile(files[name], text, 0o600); err != nil {
			return nil, err
		}
	}
	external, err := d.shiftTests(files)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	text := fmt.Sprintf(shift, d.Pkg.Name, clockVariable)
	for _, name := range []string{"Now", "Since", "Until"} {
		text += "\n" + clocks[name] + "\n"
	}
	own := filepath.Join(d.work, "clock.go")
	if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
		return nil, err
	}
	files[filepath.Join(d.Pkg.Dir, "assay_clock.go")] = own
	if external != "" {
		outside := filepath.Join(d.work, "clock_external_test.go")
		if err := os.WriteFile(outside, bytes.Replace([]byte(text), []byte("package "+d.Pkg.Name), []byte("package "+external), 1), 0o600); err != nil {
			return nil, err
		}
		files[filepath.Join(d.Pkg.Dir, "assay_clock_external_test.go")] = outside
	}
	b, err := d.build(ctx, "clock.test", files)
	return &b, err
}

// shiftTests adds the test files that ask for the time to files, with other clocks in them. It returns the name of the
// package of those tests that are outside of the package under test, or "" if there are none.
func (d *doubter) shiftTests(files map[string]string) (external string, err error) {
	for _, f := range d.s.Files {
		if !bytes.Contains(f.Content, []byte("time.")) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.Path, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return "", fmt.Errorf("reading %s again: %w", f.Path, err)
		}
		text := shiftClocks(file, nil, func(n ast.Node) (from, to int) {
			return fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
		}, f.Content)
		if text == nil {
			continue
		}
		if file.Name.Name != d.Pkg.Name {
			external = file.Name.Name
		}
		files[f.Path] = filepath.Join(d.work, "clock"+strconv.Itoa(len(files))+"_test.go")
		if err := os.WriteFile(files[f.Path], text, 0o600); err != nil {
			return "", err
		}
	}
	return external, nil
}

// shiftClocks returns the text of a file in which uses of clocks are replaced, or nil if the file uses none.
// If there is no information about types, as for tests that assay writes, the name time stands for the
// package.
func shiftClocks(f *ast.File, info *types.Info, span func(ast.Node) (from, to int), src []byte) []byte {
	type edit struct {
		at   int
		text string
	}
	var edits []edit
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if clocks[sel.Sel.Name] == "" || !isOfTime(sel, info) {
			return true
		}
		from, to := span(sel)
		edits = append(edits, edit{from, "assay" + sel.Sel.Name + "("}, edit{to, ")"})
		return true
	})
	if edits == nil {
		return nil
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(src[at:e.at])
		out.WriteString(e.text)
		at = e.at
	}
	out.Write(src[at:])
	return out.Bytes()
}

// isOfTime reports whether a selector names a function of package time.
func isOfTime(sel *ast.SelectorExpr, info *types.Info) bool {
	if info == nil {
		x, ok := sel.X.(*ast.Ident)
		return ok && x.Name == "time"
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Signature().Recv() == nil
}
