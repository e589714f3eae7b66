package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// roots are the folders of the client's workspace, with symbolic links resolved. Without folders the whole
// disk is the workspace.
type roots struct {
	mu   sync.Mutex
	dirs []string
}

// change adds folders to the workspace and removes others.
func (r *roots) change(added, removed []workspaceFolder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range removed {
		if name, err := fileOf(f.URI); err == nil {
			real := resolved(name)
			r.dirs = slices.DeleteFunc(r.dirs, func(dir string) bool { return dir == real })
		}
	}
	for _, f := range added {
		if name, err := fileOf(f.URI); err == nil {
			r.dirs = append(r.dirs, resolved(name))
		}
	}
}

// resolved returns a directory without symbolic links, or as it is if there is no such directory.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// need returns an error if a directory is outside of the workspace. Editors also open files of the standard
// library and of dependencies, and there no code is run and nothing is written.
func (r *roots) need(dir string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	real := resolved(dir)
	for _, root := range r.dirs {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	if len(r.dirs) == 0 {
		return nil
	}
	return fmt.Errorf("%s is outside of the workspace (%s): nothing is run or written there", dir, strings.Join(r.dirs, ", "))
}

// workspaceChanged handles the notification that the workspace has other folders.
func (s *Server) workspaceChanged(params json.RawMessage) {
	var p struct {
		Event struct {
			Added   []workspaceFolder `json:"added"`
			Removed []workspaceFolder `json:"removed"`
		} `json:"event"`
	}
	if json.Unmarshal(params, &p) == nil {
		s.roots.change(p.Event.Added, p.Event.Removed)
	}
}

// watch asks the client to tell which Go files others write and remove, if the client can.
func (s *Server) watch() {
	s.mu.Lock()
	can := s.client.Capabilities.Workspace.WatchedFiles.Dynamic
	s.mu.Unlock()
	if !can {
		return
	}
	options := map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*.go"}}}
	s.background(func() {
		// A client that refuses shows what others have changed as soon as the user types or saves.
		_ = s.conn.Call(s.life, "client/registerCapability", map[string]any{"registrations": []any{
			map[string]any{"id": "assay-files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options},
		}}, nil)
	})
}

// filesChanged handles the notification that others have written or removed files: the packages of which
// something is shown are analysed anew.
func (s *Server) filesChanged(params json.RawMessage) {
	var p struct {
		Changes []struct {
			URI string `json:"uri"`
		} `json:"changes"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	changed := make(map[*folder]bool)
	for _, c := range p.Changes {
		name, err := fileOf(c.URI)
		if err != nil {
			continue
		}
		s.mu.Lock()
		f := s.folders[filepath.Dir(name)]
		s.mu.Unlock()
		if f != nil && !changed[f] {
			changed[f] = true
			f.mu.Lock()
			f.covered = nil // the file may have tests
			f.mu.Unlock()
			f.analyseSoon()
		}
	}
}
