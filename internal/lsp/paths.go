package lsp

import (
	"context"
	"path/filepath"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/verb/explore"
)

// at returns the folder of a document and its file.
func (s *Server) at(uri string) (*folder, string, error) {
	file, err := fileOf(uri)
	if err != nil {
		return nil, "", err
	}
	return s.folder(filepath.Dir(file)), file, nil
}

// known returns the functions of a file from the last analysis of code that compiled. It waits for the
// first analysis.
func (f *folder) known(ctx context.Context, file string) ([]*function, error) {
	f.mu.Lock()
	first := f.static == nil
	f.mu.Unlock()
	if first {
		a, err := f.analysis(ctx)
		if err != nil {
			if compiles(err) {
				return nil, err
			}
			return nil, nil
		}
		f.mu.Lock()
		if f.static == nil {
			f.static = a
		}
		f.mu.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.static == nil {
		return nil, nil // the package was removed meanwhile
	}
	var out []*function
	for _, fn := range f.static.functions {
		if fn.pos.Filename == file {
			out = append(out, fn)
		}
	}
	return out, nil
}

// explored is the result of the verb explore for a state of a function.
type explored struct {
	paths       []event.Path
	unreachable []event.Unreachable
	line        int // of its declaration
}

// pathsOf explores a function, unless the result for its present code is known.
func (f *folder) pathsOf(ctx context.Context, name string) ([]event.Path, error) {
	f.mu.Lock()
	x, key := f.explored(name)
	out := &explored{}
	if f.static != nil {
		out.line = f.static.line(name)
	}
	f.mu.Unlock()
	if x != nil {
		return x.paths, nil
	}
	cfg := f.s.session(f.dir)
	cfg.Run = exactly(name)
	cfg.Events = func(e event.Event) {
		switch e := e.(type) {
		case event.Path:
			out.paths = append(out.paths, e)
		case event.Unreachable:
			out.unreachable = append(out.unreachable, e)
		}
	}
	if _, err := explore.Run(ctx, cfg, explore.Config{}); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.mu.Lock()
	if len(f.paths) > 500 {
		clear(f.paths)
	}
	f.paths[key] = out
	f.mu.Unlock()
	if len(out.unreachable) > 0 {
		f.s.refresh()
	}
	return out.paths, nil
}

// explored returns the result for a function as it is now, or nil if there is none, and its key. The caller
// holds f.mu.
func (f *folder) explored(name string) (*explored, string) {
	print := ""
	if f.static != nil {
		print = f.static.prints[name]
	}
	key := name + " " + print
	if print == "" {
		return nil, key
	}
	return f.paths[key], key
}

// line returns the line of a function's declaration, or 0 if there is no function of that name.
func (a *analysed) line(name string) int {
	for _, fn := range a.functions {
		if fn.name == name {
			return fn.pos.Line
		}
	}
	return 0
}
