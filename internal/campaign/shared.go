package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
)

// This file lets a team share what the caches of its members keep. What a run keeps in the cache of its user it also stores
// where the others find it, under keys that do not depend on the module's directory. A run that finds nothing in its
// own cache looks there (lookUp).
//
// Such an entry says what workers of the team came to, and is believed no more than a worker: its files have to be generated tests
// of the package and nothing else, and for a sample they have to pass here (isTrusted). What does not hold is removed, and the work is done.

// Shared has entries of caches that others have stored. Entries are never necessary.
type Shared interface {
	// Recall returns the entry with that key, for the package in dir, if there is one.
	Recall(ctx context.Context, key cache.Key, dir string) (data []byte, ok bool)
	// Keep stores an entry for the package in dir under several keys.
	Keep(ctx context.Context, dir string, data []byte, keys ...cache.Key) error
	// Remove removes an entry.
	Remove(ctx context.Context, key cache.Key) error
}

// lookUp returns the entry for the package with these files of earlier runs, from the user's cache or from the shared one.
func (g *gen) lookUp(what, print string, own []files.Own, update bool) ([]byte, bool) {
	key := g.key(what, print, own, update)
	if data, ok := g.kept.Get(key); ok {
		return data, true
	}
	if g.cfg.Shared == nil {
		return nil, false
	}
	shared, err := g.sharedKey(what, own, update)
	if err != nil {
		return nil, false
	}
	data, ok := g.cfg.Shared.Recall(g.User, shared, g.Pkg.Dir)
	if !ok {
		return nil, false
	}
	if err := g.isTrusted(shared, data, own); err != nil {
		if err := errors.Join(err, g.cfg.Shared.Remove(g.User, shared)); g.User.Err() == nil {
			g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: a result that others have stored is not used, and the work is done again: %v", g.Pkg.Path, err), Warning: true})
		}
		return nil, false
	}
	_ = g.kept.Put(key, data) // if it fails, the entry is fetched again
	return data, true
}

// isTrusted says why an entry that others have stored is not used, or nil.
func (g *gen) isTrusted(key cache.Key, data []byte, own []files.Own) error {
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	if m.Summary.Package != g.Pkg.Path {
		return fmt.Errorf("it is of %q", m.Summary.Package)
	}
	for _, f := range m.Files {
		if !f.isOwn() {
			return fmt.Errorf("%q is no file of gen's", f.Name)
		}
	}
	if fails := g.disproved(key, m, own); fails != "" {
		return fmt.Errorf("its tests do not hold here: %s", fails)
	}
	return nil
}

// beginning has the files of earlier runs with which the first pass of a run over a package has begun.
type beginning struct {
	known bool
	own   []files.Own
}

// sharing is what the key of a shared entry is made of, besides what all keys have in common.
type sharing struct {
	what   string
	own    []files.Own
	update bool
}

// share stores an entry where others find it, also as the last one about the package, whatever its code is. If the server does
// not take the entry, others do the work again.
func (g *gen) share(m remembered, as ...sharing) {
	if g.cfg.Shared == nil || g.User.Err() != nil {
		return
	}
	keys := []cache.Key{g.sharedLastPassKey()}
	for _, s := range as {
		key, err := g.sharedKey(s.what, s.own, s.update)
		if err != nil {
			return // nobody can be asked for it
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	data, err := json.Marshal(m)
	if err == nil {
		err = g.cfg.Shared.Keep(g.User, g.Pkg.Dir, data, keys...)
	}
	g.Debug("stages", "%s: shared under %d keys: %v", g.Pkg.Path, len(keys), err)
}

// sharePass shares the result of a pass, with these files: for runs that have them, and for those that begin with the files with
// which this run has begun.
func (g *gen) sharePass(m remembered, after []files.Own) {
	as := []sharing{{"pass", after, false}}
	if b := g.job.started; b != nil && b.known {
		as = append(as, sharing{"pass", b.own, g.cfg.Update})
	}
	g.share(m, as...)
}

// lookUpPass returns the result of the last pass over the same code, with these files of earlier runs.
func (g *gen) lookUpPass(print string, own []files.Own) ([]byte, bool) {
	if b := g.job.started; b != nil && !b.known {
		b.known, b.own = true, own
	}
	data, ok := g.lookUp("pass", print, own, false)
	if !ok && g.cfg.Update {
		data, ok = g.lookUp("pass", print, own, true)
	}
	return data, ok
}

// lookUpLastPass returns the result of the last pass, whatever the code was then. Nothing of it is written, and its cases are
// run anew, so it need not be checked.
func (g *gen) lookUpLastPass() ([]byte, bool) {
	data, ok := g.kept.Get(g.lastPassKey())
	if !ok && g.cfg.Shared != nil {
		data, ok = g.cfg.Shared.Recall(g.User, g.sharedLastPassKey(), g.Pkg.Dir)
	}
	return data, ok
}

// sharedLastPassKey is lastPassKey wherever the module is.
func (g *gen) sharedLastPassKey() cache.Key {
	return cache.KeyOf(append(g.keyParts("last pass"), "shared")...)
}
