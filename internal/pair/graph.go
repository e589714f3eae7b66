package pair

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// The graph of declarations: what uses what, and what a change may affect. The keys are those of
// load.Declaration.

// Affected reports whether a declaration of the new version has changed, or uses something that has.
func (p *Pairing) Affected(key string) bool { return p.changes.own[key] || p.changes.reach[key] }

// Own reports whether the text of a declaration of the new version is not that of the old one.
func (p *Pairing) Own(key string) bool { return p.changes.own[key] }

// AffectedKeys returns the declarations that Affected holds for, sorted.
func (p *Pairing) AffectedKeys() []string {
	var out []string
	for _, key := range p.Keys(true) {
		if p.Affected(key) {
			out = append(out, key)
		}
	}
	return out
}

// Keys returns all declarations of a version, sorted.
func (p *Pairing) Keys(new bool) []string {
	if new {
		return slices.Sorted(maps.Keys(p.names.new))
	}
	return slices.Sorted(maps.Keys(p.names.old))
}

// Uses returns the declarations that a declaration of either version uses, by the keys of that version.
func (p *Pairing) Uses(key string, new bool) []string {
	if new {
		return p.names.new[key].Uses
	}
	return p.names.old[key].Uses
}

// OldKey returns the partner of a declaration of the new version. Packages that are the same in both versions, with
// all that they declare, have the same keys. The result is "" if there is no partner.
func (p *Pairing) OldKey(key string) string {
	if !has(p.names.new, key) {
		return key
	}
	return p.names.from[key]
}

// NewKey returns the partner of a declaration of the old version, as OldKey does.
func (p *Pairing) NewKey(key string) string {
	if !has(p.names.old, key) {
		return key
	}
	return p.names.to[key]
}

// NewField returns the name that a field of a struct type of the old version has in the new one.
func (p *Pairing) NewField(typ, field string) string {
	return cmp.Or(p.names.fieldsOf[p.names.to[typ]][field], field)
}

// FunctionsAt returns the names (Target.Name) of the functions of the new or the old version that a
// declaration declares, or that use it, possibly through other constants, variables and types, through functions of other
// packages, or through what runs in the beginning. The parameter key is Hunk.Decl.
func (p *Pairing) FunctionsAt(key string, new bool) []string {
	return p.functionsFrom(p.seeds(key, new), p.users(new), new)
}

// StartedAt returns the functions that see what a declaration does at the start of packages: those that use what such
// code computes or changes, if the code reaches the declaration.
func (p *Pairing) StartedAt(key string, new bool) []string {
	users := p.users(new)
	decls := p.declarations(new)
	todo := p.seeds(key, new)
	var starts []string
	seen := map[string]bool{}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[k] || strings.HasPrefix(k, "·") {
			continue
		}
		seen[k] = true
		if decls[k].Start {
			starts = append(starts, k)
			continue
		}
		todo = append(todo, users[k]...)
	}
	return p.functionsFrom(starts, users, new)
}

// declarations returns those of a version.
func (p *Pairing) declarations(new bool) map[string]load.Declaration {
	if new {
		return p.names.new
	}
	return p.names.old
}

// users returns which declarations of a version use each.
func (p *Pairing) users(new bool) map[string][]string {
	users := map[string][]string{}
	for user, d := range p.declarations(new) {
		for _, used := range d.Uses {
			users[used] = append(users[used], user)
		}
	}
	return users
}

// seeds returns the declarations that a hunk is about, by the keys of a version.
func (p *Pairing) seeds(key string, new bool) []string {
	keys, ok := p.brought[key]
	if !ok {
		keys = []string{key}
	}
	out := slices.Clone(keys)
	for i, k := range out {
		if !new && has(p.names.new, k) {
			out[i] = p.names.from[k]
		}
	}
	return out
}

// functionsFrom returns the functions of a package under test that are among some declarations or use them.
func (p *Pairing) functionsFrom(seeds []string, users map[string][]string, new bool) []string {
	decls, path := p.declarations(new), p.Old.Pkg.Path
	if new {
		path = p.New.Pkg.Path
	}
	var out []string
	seen := map[string]bool{}
	for _, k := range seeds {
		seen[k] = true
	}
	for todo := slices.Clone(seeds); len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if name, ok := strings.CutPrefix(k, path+"."); ok && strings.HasPrefix(decls[k].Text, funcPrefix) && name != "init" {
			out = append(out, name)
			continue
		}
		for _, user := range users[k] {
			if !seen[user] && !strings.HasPrefix(user, "·") {
				seen[user] = true
				todo = append(todo, user)
			}
		}
	}
	slices.Sort(out)
	return out
}
