package pair

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// names maps the declarations of the old version to those of the new one, by their keys: "m/p.F",
// "m/p.T.M".
type names struct {
	old, new         map[string]load.Declaration
	oldPath, newPath string // of the packages under test
	oldRoot, newRoot string // of their modules, "" outside of one
	to               map[string]string
	from             map[string]string
	fields           map[string]string            // fields that were renamed: the old name to the new one
	fieldsOf         map[string]map[string]string // the same for each type that has such fields, by its new key
}

// pairNames pairs the declarations of two versions. Declarations with different names are paired if their
// texts are equal except for the name, and if there is exactly one such declaration on either side.
func pairNames(old, new Side, oldDecls, newDecls map[string]load.Declaration) *names {
	n := &names{
		old: oldDecls, new: newDecls, oldPath: old.Pkg.Path, newPath: new.Pkg.Path, oldRoot: old.Pkg.Module, newRoot: new.Pkg.Module,
		to: map[string]string{}, from: map[string]string{}, fields: map[string]string{}, fieldsOf: map[string]map[string]string{},
	}
	for key := range oldDecls {
		if moved := n.moved(key); has(newDecls, moved) {
			n.put(key, moved)
		}
	}
	n.pairTypes(old, new, shape)
	n.pairTypes(old, new, shapeOfFields)
	n.pairFields(old, new)
	n.pairBodies()
	n.pairCallees()
	n.pairSimilar()
	return n
}

func has(m map[string]load.Declaration, key string) bool {
	_, ok := m[key]
	return ok
}

func (n *names) put(old, new string) { n.to[old], n.from[new] = new, old }

// moved returns the key that a declaration has in the new version if only the path of its
// package or module changed.
func (n *names) moved(key string) string {
	head, rest := "", key
	if strings.HasPrefix(key, packagePrefix) {
		head, rest = packagePrefix, strings.TrimPrefix(key, packagePrefix)
	}
	if rest == n.oldPath || strings.HasPrefix(rest, n.oldPath+".") {
		return head + n.newPath + strings.TrimPrefix(rest, n.oldPath)
	}
	if n.oldRoot != "" && n.newRoot != "" {
		for _, end := range []string{"/", "."} {
			if strings.HasPrefix(rest, n.oldRoot+end) {
				return head + n.newRoot + strings.TrimPrefix(rest, n.oldRoot)
			}
		}
	}
	return key
}

// packagePrefix begins the keys of whole packages; see load.Declaration.
const packagePrefix = "package "

// pairTypes pairs types of the packages under test whose names were removed, if their contents are equal and
// there is exactly one such type on either side.
func (n *names) pairTypes(old, new Side, contents func(*types.TypeName) string) {
	byShape := func(side Side, taken map[string]string) map[string][]string {
		out := map[string][]string{}
		scope := side.Pkg.Types.Scope()
		for _, name := range scope.Names() {
			key := side.Pkg.Path + "." + name
			if tn, ok := scope.Lookup(name).(*types.TypeName); ok && taken[key] == "" && !tn.IsAlias() {
				if c := contents(tn); c != "" {
					out[c] = append(out[c], key)
				}
			}
		}
		return out
	}
	news := byShape(new, n.from)
	for shape, keys := range byShape(old, n.to) {
		if len(keys) != 1 || len(news[shape]) != 1 {
			continue
		}
		n.put(keys[0], news[shape][0])
		// The methods of a renamed type keep their names.
		for key := range n.old {
			if method, ok := strings.CutPrefix(key, keys[0]+"."); ok && has(n.new, news[shape][0]+"."+method) {
				n.put(key, news[shape][0]+"."+method)
			}
		}
	}
}

// shape is the text of what a type is.
func shape(tn *types.TypeName) string {
	return textWithout(tn, tn.Type().Underlying())
}

// textWithout returns the text of a type in which a named type, to which it may refer, has no name.
func textWithout(tn *types.TypeName, t types.Type) string {
	text := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(tn.Pkg().Name()+"."+tn.Name())+`\b`).ReplaceAllString(text, "·")
}

// shapeOfFields is the text of a struct without the names of its fields, or "" if it says too little.
func shapeOfFields(tn *types.TypeName) string {
	s, ok := tn.Type().Underlying().(*types.Struct)
	if !ok || s.NumFields() < 2 {
		return ""
	}
	var list []string
	for f := range s.Fields() {
		list = append(list, textWithout(tn, f.Type()))
	}
	return strings.Join(list, ";")
}

// pairFields finds renamed fields: a field that is gone and a new one of the same struct and type, if there
// are no other such fields of that type. The new name must have had no meaning before, so that texts with the
// two names mean the same.
func (n *names) pairFields(old, new Side) {
	dropped := map[string]bool{} // names that two types would have given different new names
	for _, key := range slices.Sorted(maps.Keys(n.to)) {
		to := n.to[key]
		a, ok := structOf(old, key)
		b, okB := structOf(new, to)
		if !ok || !okB {
			continue
		}
		gone, come := fieldsBeside(a, b), fieldsBeside(b, a)
		for typ, name := range gone {
			other := come[typ]
			if name == "" || other == "" || new.Pkg.Types.Scope().Lookup(other) != nil || n.mentioned(other) {
				continue
			}
			if was, ok := n.fields[name]; ok && was != other {
				dropped[name] = true
				continue
			}
			n.fields[name] = other
			if n.fieldsOf[to] == nil {
				n.fieldsOf[to] = map[string]string{}
			}
			n.fieldsOf[to][name] = other
		}
	}
	for name := range dropped {
		delete(n.fields, name)
		for _, fields := range n.fieldsOf {
			delete(fields, name)
		}
	}
}

// structOf returns the struct that a declaration of a package is.
func structOf(side Side, key string) (*types.Struct, bool) {
	name, ok := strings.CutPrefix(key, side.Pkg.Path+".")
	if !ok {
		return nil, false
	}
	tn, ok := side.Pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil, false
	}
	st, ok := tn.Type().Underlying().(*types.Struct)
	return st, ok
}

// fieldsBeside returns the fields of a struct whose names another struct does not have, by their types. The
// name is "" if there are several fields of a type.
func fieldsBeside(a, b *types.Struct) map[string]string {
	has := map[string]bool{}
	for f := range b.Fields() {
		has[f.Name()] = true
	}
	out := map[string]string{}
	for f := range a.Fields() {
		if has[f.Name()] {
			continue
		}
		typ := types.TypeString(f.Type(), func(p *types.Package) string { return p.Name() })
		if _, several := out[typ]; several {
			out[typ] = ""
			continue
		}
		out[typ] = f.Name()
	}
	return out
}

// mentioned reports whether a name occurs in the old version.
func (n *names) mentioned(name string) bool {
	for _, d := range n.old {
		if strings.Contains(d.Text, "\n"+name+"\n") {
			return true
		}
	}
	return false
}

// pairBodies pairs functions and methods whose names were removed, by their texts without the names.
func (n *names) pairBodies() {
	byBody := func(decls map[string]load.Declaration, taken map[string]string, renamed func(string) string) map[string][]string {
		out := map[string][]string{}
		for _, key := range slices.Sorted(maps.Keys(decls)) {
			if d := decls[key]; taken[key] == "" && strings.HasPrefix(d.Text, "func\n") && strings.Count(d.Text, "\n") >= fewestTokens {
				out[renamed(body(d.Text, key))] = append(out[renamed(body(d.Text, key))], key)
			}
		}
		return out
	}
	news := byBody(n.new, n.from, func(text string) string { return text })
	for text, keys := range byBody(n.old, n.to, n.renamed) {
		if len(keys) == 1 && len(news[text]) == 1 {
			n.put(keys[0], news[text][0])
		}
	}
}

// fewestTokens is how many tokens a function must have to be recognised by its text.
const fewestTokens = 20

// body returns the text of a function's declaration without its own name.
func body(text, key string) string {
	name := key[strings.LastIndex(key, ".")+1:]
	return strings.ReplaceAll(text, "\n"+name+"\n", "\n·\n")
}

// renamed returns the tokens of an old declaration with the names that paired declarations
// have in the new version.
func (n *names) renamed(text string) string {
	names := maps.Clone(n.fields)
	for _, old := range slices.Sorted(maps.Keys(n.to)) {
		a, b := lastPart(old), lastPart(n.to[old])
		if a != b {
			names[a] = b
		}
	}
	if len(names) == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if to, ok := names[l]; ok {
			lines[i] = to
		}
	}
	return strings.Join(lines, "\n")
}

// lastPart returns the name of a declaration in its package, without its type.
func lastPart(key string) string { return key[strings.LastIndex(key, ".")+1:] }
