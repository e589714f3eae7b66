package lsp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// pause is how long the user must not type before the package is analysed.
const pause = 40 * time.Millisecond

// folder is a package: the Go files of a directory.
type folder struct {
	s   *Server
	dir string

	running sync.Mutex // held during an analysis; guards kept
	kept    verdicts

	mu        sync.Mutex
	turn      int                // the number of the last request for an analysis
	stop      context.CancelFunc // ends the present analysis, or nil if there is none
	static    *analysed          // the last result for code that compiled; nil before
	saved     *checked           // the result of the last check; nil before the first
	checking  context.CancelFunc
	paths     map[string]*explored // by the function's print
	covered   *outcomes            // the coverage of the tests, or nil if that is not known
	published map[string][]diagnostic
}

// folder returns the folder of a directory.
func (s *Server) folder(dir string) *folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.folders[dir]
	if f == nil {
		f = &folder{s: s, dir: dir, kept: make(verdicts), paths: make(map[string]*explored), published: make(map[string][]diagnostic)}
		s.folders[dir] = f
	}
	return f
}

// analyseSoon analyses the package as soon as the user has not typed for a moment. An analysis of an
// older state ends.
func (f *folder) analyseSoon() {
	f.mu.Lock()
	f.turn++
	turn := f.turn
	if f.stop != nil {
		f.stop()
	}
	ctx, stop := context.WithCancel(f.s.life)
	f.stop = stop
	first := f.static == nil
	f.mu.Unlock()
	f.s.background(func() {
		defer stop()
		if !first {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return
			}
		}
		f.analyse(ctx, turn)
	})
}

// analyse analyses the package and publishes the results. If the package does not compile the earlier results
// stay, so that diagnostics do not disappear while the user types. If its directory is gone, they go.
func (f *folder) analyse(ctx context.Context, turn int) {
	a, err := f.analysis(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	if turn != f.turn || ctx.Err() != nil {
		return
	}
	if err != nil {
		if _, err := os.Stat(f.dir); errors.Is(err, fs.ErrNotExist) {
			f.forget()
		}
		return // gopls reports what does not compile
	}
	first := f.static == nil
	changed := first || !sameFunctions(f.static, a)
	f.static = a
	f.show()
	if changed {
		f.s.refresh()
	}
}

// analysis analyses the package as it is in the editor.
func (f *folder) analysis(ctx context.Context) (*analysed, error) {
	f.running.Lock()
	defer f.running.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return analyse(ctx, f.s.loading(f.dir), f.kept)
}

// forget drops what is known of the package. The caller holds f.mu.
func (f *folder) forget() {
	f.static, f.saved, f.covered = nil, nil, nil
	for file := range f.published {
		f.publish(file, nil)
	}
}

// sameFunctions reports whether lenses and hints stay the same.
func sameFunctions(a, b *analysed) bool {
	return slices.EqualFunc(a.functions, b.functions, func(f, g *function) bool {
		return f.name == g.name && f.pos == g.pos && f.print == g.print
	})
}

// show publishes the diagnostics of all files of the package that have changed. The caller holds f.mu.
func (f *folder) show() {
	by := make(map[string][]diagnostic)
	for _, fn := range f.static.functions {
		for _, d := range f.staticDiagnostics(fn) {
			by[d.file] = append(by[d.file], d.diagnostic)
		}
	}
	if f.saved != nil {
		for _, d := range f.saved.diagnostics(f) {
			if !slices.ContainsFunc(by[d.file], func(o diagnostic) bool {
				return o.Range.Start.Line == d.Range.Start.Line && o.Code == d.Code && d.Severity >= o.Severity
			}) {
				by[d.file] = append(by[d.file], d.diagnostic)
			}
		}
	}
	for file := range f.published {
		if by[file] == nil {
			f.publish(file, nil)
		}
	}
	for file, all := range by {
		f.publish(file, all)
	}
}

// publish publishes the diagnostics of a file, unless the client has the same already.
func (f *folder) publish(file string, all []diagnostic) {
	if all == nil {
		all = []diagnostic{}
	}
	if reflect.DeepEqual(f.published[file], all) {
		return
	}
	f.published[file] = all
	if len(all) == 0 {
		delete(f.published, file)
	}
	f.s.publish(file, all)
}

func (s *Server) publish(file string, all []diagnostic) {
	if all == nil {
		all = []diagnostic{}
		f := s.folder(filepath.Dir(file))
		f.mu.Lock()
		delete(f.published, file)
		f.mu.Unlock()
	}
	s.notify("textDocument/publishDiagnostics", map[string]any{"uri": uriOf(file), "diagnostics": all})
}

// placed is a diagnostic with its file.
type placed struct {
	file string
	diagnostic
}

// staticDiagnostics returns the diagnostics of a function that come from the analysis alone.
func (f *folder) staticDiagnostics(fn *function) []placed {
	f.s.mu.Lock()
	unverified := f.s.client.InitializationOptions.Unverified
	f.s.mu.Unlock()
	var out []placed
	for _, a := range fn.assertions {
		d := diagnostic{Source: "assay", Code: a.kind}
		switch {
		case a.fails:
			d.Severity, d.Message = severityWarning, "it never holds that "+a.text
		case unverified && !a.proved:
			d.Severity, d.Message = severityHint, "not proved: "+a.text
			if len(a.under) > 0 {
				d.Message = "proved only under " + strings.Join(a.under, ", ") + ": " + a.text
			}
		default:
			continue
		}
		text, err := f.s.buffers.read(a.file)
		if err != nil {
			continue // the file was removed since then
		}
		d.Range = spanAt(text, fn.pos.Line+a.line, a.column)
		out = append(out, placed{a.file, d})
	}
	return out
}
