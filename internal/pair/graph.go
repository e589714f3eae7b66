package pair

import (
	"cmp"
	"maps"
	"slices"
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
