package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign/earlier"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// prints identify the parts of a package, as load.Program.FunctionPrints returns them.
type prints struct {
	Rest      string
	Functions map[string]load.FunctionPrint
}

// lastKey returns the key of the last run over the package with the same flags, whatever its code was then.
func (g *gen) lastKey() cache.Key { return cache.KeyOf(append(g.keyParts("last"), g.Pkg.Dir)...) }

// findRedoable finds the result of an earlier run of which only some functions have to be done again.
// For that the files which the run left must be unchanged, and fewer than half of the functions may
// have changed or reach a changed declaration. A function with findings also counts as changed if it
// has moved, because findings name lines. It returns nil if there is no such result.
func (g *gen) findRedoable(now prints, before []files.Own) *remembered {
	data, ok := g.kept.Get(g.lastKey())
	if !ok || len(now.Functions) == 0 {
		return nil
	}
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil || m.Prints.Rest != now.Rest || !sameFiles(m.Files, before) {
		return nil
	}
	found := make(map[string]bool)
	for _, e := range m.Events {
		if ev, err := eventOf(e); err != nil {
			return nil
		} else if f, ok := ev.(event.Finding); ok {
			found[f.Func] = true
		} else if f, ok := ev.(event.Known); ok {
			found[f.Func] = true
		}
	}
	changed := make(map[string]bool)
	for name, print := range now.Functions {
		old, ok := m.Prints.Functions[name]
		if !ok || old.Text != print.Text || found[name] && old.Place != print.Place {
			changed[name] = true
		}
	}
	g.addUsers(changed, before)
	gone := false
	for name := range m.Prints.Functions {
		_, there := now.Functions[name]
		gone = gone || !there
	}
	if gone || len(changed) == 0 || len(changed)*2 >= len(now.Functions) {
		return nil
	}
	g.Only = changed
	return &m
}

// addUsers adds functions whose tests call a changed function, to make an argument or to look at a
// result.
func (g *gen) addUsers(changed map[string]bool, before []files.Own) {
	owner := earlier.Owner(g.Pkg)
	named := make(map[string]bool) // changed functions and methods that the test calls
	for name := range changed {
		named[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	for _, o := range before {
		f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
		if err != nil {
			continue // a test that does not parse is not run either
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fd, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && named[id.Name] && id != fd.Name {
					if name := owner(fd.Name.Name); name != "" {
						changed[name] = true
					}
				}
				return true
			})
		}
	}
}

func sameFiles(m []rememberedFile, own []files.Own) bool {
	return slices.EqualFunc(m, own, func(f rememberedFile, o files.Own) bool {
		return f.Name == filepath.Base(o.Name) && bytes.Equal(f.Content, o.Content)
	})
}

// redoChanged does the work again for the functions that have changed. It returns false if that did not
// succeed. Then all work has to be done again.
func (g *gen) redoChanged(work func() error) (bool, error) {
	err := work()
	if err == nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true, err
	}
	g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: the work on the whole package is done again, because the changed functions could not be tested alone: %v", g.Pkg.Path, err), Warning: true})
	g.standing = nil
	g.StartOver()
	return false, nil
}

// announceStanding announces the earlier result for functions that are not done again. It returns the
// number of tests and findings, and the misuse.
func (g *gen) announceStanding() (tests, findings int, misuse []event.Misuse) {
	if g.standing == nil {
		return 0, 0, nil
	}
	names := make(map[string]string) // the targets' names, by their names in events
	for _, t := range g.Pkg.Targets {
		names[t.Name], names[t.String()] = t.Name, t.Name
	}
	for _, e := range g.standing.Events {
		ev, err := eventOf(e)
		if err != nil {
			panic("bug: campaign: an event that was understood before: " + err.Error())
		}
		switch e := ev.(type) {
		case event.Test:
			if !g.Only[e.Func] {
				tests++
				g.Events.Send(e)
			}
		case event.Finding:
			if g.Only[e.Func] {
				continue
			}
			if e.Severity == testcase.Error || e.Severity == testcase.Warning {
				findings++
			}
			if e.Severity == testcase.Error {
				g.Result.ErrorFindings++
			}
			g.Events.Send(e)
		case event.Known:
			if !g.Only[e.Func] {
				g.Events.Send(e)
			}
		case event.Case:
			if !g.Only[e.Func] {
				g.Events.Send(e)
			}
		case event.Misuse:
			if !g.Only[e.Func] {
				misuse = append(misuse, e)
			}
		case event.Skip:
			if name := names[e.Func]; name != "" && !g.Only[name] && !g.Skipped(e.Func) {
				g.SkipAt(e.Func, e.Pos, e.Reason)
			}
		case event.Unreachable:
			if !g.Only[e.Func] {
				g.Events.Send(e)
			}
		}
	}
	return tests, findings, misuse
}
