package pair

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// changes holds the declarations whose text has changed, and those that only reach such.
type changes struct {
	n *names
	// own are the declarations of the new version that say something else, or whose old
	// version is gone.
	own map[string]bool
	// reach are the declarations that use one of own, directly or not, and those in which the same names mean
	// things of other packages.
	reach map[string]bool
	// gone are the old declarations without a partner, by what used them. Their users are among own,
	// since their text must have changed, or something behind it.
}

// namesPrefix begins the keys of the names of types; see load.Declaration.
const namesPrefix = "names of "

// compare finds the changes of two versions.
func compare(n *names) *changes {
	c := &changes{n: n, own: map[string]bool{}, reach: map[string]bool{}}
	for key, d := range n.new {
		old, ok := n.from[key]
		if strings.HasPrefix(key, "·") {
			continue // the methods behind the name are compared themselves
		}
		if !ok {
			c.own[key] = true
			continue
		}
		was := n.old[old].Text
		if was != d.Text && n.moduleRenamed(n.renamed(was)) != d.Text {
			c.own[key] = true
		} else if isMethod(d) && lastPart(old) != lastPart(key) && (n.isAsked(lastPart(old)) || n.isAsked(lastPart(key))) {
			c.own[key] = true // code that looks for a method of one of the names finds another one
		} else if !slices.Equal(c.packagesOf(old, false), c.packagesOf(key, true)) {
			c.reach[key] = true // the names in it mean something else
		}
	}
	for old, key := range n.to {
		if len(n.fieldsOf[key]) > 0 || lastPart(old) != lastPart(key) && !strings.HasPrefix(n.new[key].Text, funcPrefix) {
			c.own[namesPrefix+key] = true
		}
	}
	c.spread()
	return c
}

func isMethod(d load.Declaration) bool { return strings.HasPrefix(d.Text, funcPrefix+"(\n") }

// isAsked reports whether code may ask a value whether it has a method of a name: code of any package for an exported
// one, and code of the versions for those that their interfaces have.
func (n *names) isAsked(name string) bool {
	if token.IsExported(name) {
		return true
	}
	for _, decls := range []map[string]load.Declaration{n.old, n.new} {
		for _, d := range decls {
			if strings.Contains(d.Text, "interface\n") && strings.Contains(d.Text, "\n"+name+"\n") {
				return true
			}
		}
	}
	return false
}

// packagesOf returns the packages that a declaration of a version mentions, by their new paths.
func (c *changes) packagesOf(key string, new bool) []string {
	decls := c.n.old
	if new {
		decls = c.n.new
	}
	var out []string
	for _, used := range decls[key].Uses {
		if strings.HasPrefix(used, packagePrefix) {
			if to, ok := c.n.to[used]; ok && !new {
				used = to
			}
			out = append(out, used)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moduleRenamed returns a text with the new path of the module in place of the old one.
func (n *names) moduleRenamed(text string) string {
	if n.oldRoot == "" || n.oldRoot == n.newRoot {
		return text
	}
	return strings.ReplaceAll(text, n.oldRoot, n.newRoot)
}

// spread marks declarations that use a changed one. A method that is gone, or new, changes the meaning
// of its name.
func (c *changes) spread() {
	users := map[string][]string{}
	for _, decls := range []struct {
		of   map[string]string // names on this side to those of the new version
		list map[string][]string
	}{{nil, uses(c.n, true)}, {c.n.to, uses(c.n, false)}} {
		for user, used := range decls.list {
			if decls.of != nil {
				to, ok := decls.of[user]
				if !ok && !strings.HasPrefix(user, "·") {
					continue
				}
				if ok {
					user = to
				}
			}
			for _, u := range used {
				if decls.of != nil {
					if to, ok := decls.of[u]; ok {
						u = to
					} else if !strings.HasPrefix(u, "·") && has(c.n.old, u) {
						// It is gone: a user whose text is the same now uses something else.
						u = "gone " + u
						c.own[u] = true
					}
				}
				users[u] = append(users[u], user)
			}
		}
	}
	todo := slices.Concat(slices.Sorted(maps.Keys(c.own)), slices.Sorted(maps.Keys(c.reach)))
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, user := range users[key] {
			if !c.reach[user] {
				c.reach[user] = true
				todo = append(todo, user)
			}
		}
	}
}

// uses lists the declarations that each declaration of a version uses.
func uses(n *names, new bool) map[string][]string {
	decls := n.old
	if new {
		decls = n.new
	}
	out := make(map[string][]string, len(decls))
	for key, d := range decls {
		out[key] = d.Uses
	}
	return out
}

// changedBehind returns the changed declarations that a declaration is or reaches, sorted.
func (c *changes) changedBehind(key string) []string {
	seen := map[string]bool{}
	todo := []string{key}
	var out []string
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[k] || !c.own[k] && !c.reach[k] {
			continue
		}
		seen[k] = true
		if c.own[k] && has(c.n.new, k) {
			out = append(out, k)
		}
		todo = append(todo, c.n.new[k].Uses...)
	}
	slices.Sort(out)
	return out
}
