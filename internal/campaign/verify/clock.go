package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/gotest"
)

// otherTimes are how far the clock is put forward in runs of the tests. They lead to another month and another
// day of the week. The first is half a day, so that morning and afternoon change places whenever the tests run;
// the second leads to another hour and minute.
var otherTimes = [...]string{"4812h", "4807h17m"}

// clockVariable is the environment variable that says how far.
const clockVariable = "ASSAY_CLOCK"

// clocks are the functions of package time that tell the time, each with a replacement that tells a
// wrong time.
var clocks = map[string]string{
	"Now":   "func assayNow(now func() time.Time) func() time.Time { return func() time.Time { return now().Add(assayShift) } }",
	"Since": "func assaySince(since func(time.Time) time.Duration) func(time.Time) time.Duration { return func(t time.Time) time.Duration { return since(t) + assayShift } }",
	"Until": "func assayUntil(until func(time.Time) time.Duration) func(time.Time) time.Duration { return func(t time.Time) time.Duration { return until(t) - assayShift } }",
}

// shifted builds a binary in which the package's own code sees another time. It returns nil if the code
// never asks for the time.
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
	if len(files) == 0 {
		return nil, nil
	}
	text := fmt.Sprintf("package %s\n\nimport (\n\tassayos \"os\"\n\t\"time\"\n)\n\nvar assayShift, _ = time.ParseDuration(assayos.Getenv(%q))\n", d.Pkg.Name, clockVariable)
	for _, name := range []string{"Now", "Since", "Until"} {
		text += "\n" + clocks[name] + "\n"
	}
	own := filepath.Join(d.work, "clock.go")
	if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
		return nil, err
	}
	files[filepath.Join(d.Pkg.Dir, "assay_clock.go")] = own
	b, err := d.build(ctx, "clock.test", files)
	return &b, err
}

// shiftClocks returns the text of a file in which uses of clocks are replaced, or nil if the file uses none.
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
		fn, ok := info.Uses[sel.Sel].(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "time" || fn.Signature().Recv() != nil || clocks[fn.Name()] == "" {
			return true
		}
		from, to := span(sel)
		edits = append(edits, edit{from, "assay" + fn.Name() + "("}, edit{to, ")"})
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
