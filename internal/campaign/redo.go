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

// prints identify the parts of a package, as load.Program.FunctionPrints has them.
type prints struct {
	Rest      string
	Functions map[string]load.FunctionPrint
}

// lastKey names what gen came to for the package when it was run last with the same flags,
// whatever the code was then.
func (g *gen) lastKey() cache.Key { return cache.KeyOf(g.keyParts("last")...) }

// findRedoable finds what an earlier run came to of which only some functions have to be done
// again: the files that it left are as they were, and fewer than half of the functions
// have changed, which reach something that did. Functions with findings count as changed
// when they have moved, too, for findings name lines. It returns nil if there is none.
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

// addUsers adds to the functions that have changed those whose tests call one of them: to
// make what they need, or to look at what they did.
func (g *gen) addUsers(changed map[string]bool, before []files.Own) {
	owner := earlier.Owner(g.Pkg)
	named := make(map[string]bool) // what changed functions and methods are called in a test
	for name := range changed {
		named[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	for _, o := range before {
		f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
		if err != nil {
			continue // it is not run either
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

// redoChanged does the work again for the functions that have changed. It reports false if
// that did not go: then everything has to be done.
func (g *gen) redoChanged(work func() error) (bool, error) {
	err := work()
	if err == nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true, err
	}
	g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: everything is done again, for what has changed could not be alone: %v", g.Pkg.Path, err), Warning: true})
	g.standing = nil
	g.StartOver()
	return false, nil
}

// announceStanding announces what an earlier run came to for the functions that are not done
// again, and returns how many tests and findings that are, and what was misuse.
func (g *gen) announceStanding() (tests, findings int, misuse []event.Misuse) {
	if g.standing == nil {
		return 0, 0, nil
	}
	names := make(map[string]string) // what events call a target
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
				g.Skip(e.Func, e.Reason)
			}
		case event.Unreachable:
			if !g.Only[e.Func] {
				g.Events.Send(e)
			}
		}
	}
	return tests, findings, misuse
}
