package testfile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
)

// Text is a generated file by its path.
type Text struct {
	Path    string
	Content []byte
}

// Scope is the package that files of tests belong to.
type Scope struct {
	Module string
	// Taken reports whether a name is declared elsewhere in the package.
	Taken func(name string) bool
	// Fixed says that the file of helpers is there already, and gets no others.
	Fixed bool
}

// Share declares helpers once that several texts declare alike, but for their names. It returns the texts, which use them, and the text of
// a file that has nothing but these helpers, nil if there are none.
//
// Only texts without a build constraint bring a helper there, since the others are not always compiled. All texts of the
// same package may use it. The parameter held has the helpers that files use which are not among the texts, or is nil. They are
// there in any case, under their own names.
func Share(texts []Text, held *Content, in Scope) (changed []Text, helpers []byte, err error) {
	s := &sharing{in: in}
	var contents []*Content
	for _, t := range texts {
		c, err := ReadContent(t.Content)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.Path, err)
		}
		contents = append(contents, c)
	}
	if s.name = mostOften(contents); held != nil {
		s.name = held.Package()
	}
	changed = slices.Clone(texts)
	for i, c := range contents {
		if c.Package() == s.name {
			s.users = append(s.users, &user{Content: c, at: i, uses: c.identifiers(), shared: make(map[string]string), names: make(map[string]string)})
		}
	}
	// Those that can bring helpers come first, so that the others find these.
	slices.SortStableFunc(s.users, func(a, b *user) int { return cmp.Compare(a.Constraint(), b.Constraint()) })
	if held != nil {
		own := make(map[string]string)
		for _, h := range held.Helpers {
			own[h.Name] = h.Name
		}
		for _, h := range held.Helpers {
			s.helpers = append(s.helpers, &sharedHelper{h, held.Imports, held.likeness(h, own)})
		}
	}
	for s.join() {
	}
	s.separate()
	for _, u := range s.users {
		if len(u.shared)+len(u.names) == 0 {
			continue
		}
		if changed[u.at].Content, err = s.rest(u); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", texts[u.at].Path, err)
		}
	}
	if len(s.helpers) == 0 {
		return changed, nil, nil
	}
	helpers, err = s.text()
	return changed, helpers, err
}

// sharing is the work of Share.
type sharing struct {
	in      Scope
	name    string // of the package
	users   []*user
	helpers []*sharedHelper
}

// user is a text that may use shared helpers.
type user struct {
	*Content
	at   int             // its place among all texts
	uses map[string]bool // all its identifiers
	// The names by which it will call its helpers: those that are shared, and others that get another name. The rest keep theirs.
	shared, names map[string]string
}

// sharedHelper is a helper that has a place in the file of helpers.
type sharedHelper struct {
	Declaration
	imports  map[string]string // of the text that it comes from
	likeness string
}

// mostOften returns the package that most of the texts without constraint belong to, of several the first.
func mostOften(contents []*Content) string {
	count := make(map[string]int)
	name := ""
	for _, c := range contents {
		if c.Constraint() == "" {
			count[c.Package()]++
		}
	}
	for _, c := range contents {
		if p := c.Package(); count[p] > count[name] {
			name = p
		}
	}
	return name
}

// identifiers returns all names in the declarations.
func (c *Content) identifiers() map[string]bool {
	out := make(map[string]bool)
	for _, d := range slices.Concat(c.Tests, c.Helpers) {
		out[d.Name] = true
		maps.Copy(out, d.Uses)
	}
	return out
}

// likeness returns what helpers that do the same have in common: the text without the helper's own name, with paths in place of
// the names of imports, and with the names by which shared helpers will be called. It is "" for a helper that uses one which is not shared.
func (c *Content) likeness(h Declaration, shared map[string]string) string {
	for _, other := range c.Helpers {
		if other.Name != h.Name && h.Uses[other.Name] && shared[other.Name] == "" {
			return ""
		}
	}
	return Normalised(h.Text, func(name string) string {
		if name == h.Name {
			return "\x00"
		}
		for path, as := range c.Imports {
			if as == name {
				return strconv.Quote(path)
			}
		}
		return shared[name]
	})
}

// join shares helpers that are alike, and reports whether there were any. Helpers that use these may be alike then.
func (s *sharing) join() bool {
	type place struct {
		in     *user
		helper Declaration
	}
	alike := make(map[string][]place)
	var order []string
	for _, u := range s.users {
		for _, h := range u.Helpers {
			if u.shared[h.Name] != "" {
				continue
			}
			if like := u.likeness(h, u.shared); like != "" {
				if alike[like] == nil {
					order = append(order, like)
				}
				alike[like] = append(alike[like], place{u, h})
			}
		}
	}
	some := false
	for _, like := range order {
		places := alike[like]
		first := places[0]
		name := first.helper.Name
		i := slices.IndexFunc(s.helpers, func(h *sharedHelper) bool { return h.likeness == like })
		if i >= 0 {
			name = s.helpers[i].Name
		} else if s.has(name) {
			continue
		}
		// A text in which the name means something else keeps its own helper.
		places = slices.DeleteFunc(places, func(p place) bool { return p.helper.Name != name && p.in.uses[name] })
		if i < 0 {
			if s.in.Fixed || len(places) < 2 || places[1].in.Constraint() != "" {
				continue
			}
			first.helper.Text = Renamed(first.helper.Text, first.in.shared)
			s.helpers = append(s.helpers, &sharedHelper{first.helper, first.in.Imports, like})
		}
		for _, p := range places {
			p.in.shared[p.helper.Name] = name
			some = true
		}
	}
	return some
}

// has reports whether a shared helper has the name.
func (s *sharing) has(name string) bool {
	return slices.ContainsFunc(s.helpers, func(h *sharedHelper) bool { return h.Name == name })
}

// separate gives other names to helpers whose names others have.
func (s *sharing) separate() {
	taken := make(map[string]bool)
	for _, h := range s.helpers {
		taken[h.Name] = true
	}
	for _, u := range s.users {
		for _, h := range u.Helpers {
			if u.shared[h.Name] != "" {
				continue
			}
			if taken[h.Name] || s.in.Taken(h.Name) {
				u.names[h.Name] = s.free(h.Name, taken)
			}
			taken[cmp.Or(u.names[h.Name], h.Name)] = true
		}
	}
}

// free returns a name with another number that is declared and used nowhere.
func (s *sharing) free(name string, taken map[string]bool) string {
	base := strings.TrimRight(name, "0123456789")
	for i := 2; ; i++ {
		name := base + strconv.Itoa(i)
		if !taken[name] && !s.in.Taken(name) && !slices.ContainsFunc(s.users, func(u *user) bool { return u.uses[name] }) {
			return name
		}
	}
}

// rest returns a text without the helpers that are shared.
func (s *sharing) rest(u *user) ([]byte, error) {
	var body strings.Builder
	names := maps.Clone(u.shared)
	maps.Copy(names, u.names)
	for _, d := range slices.Concat(u.Tests, u.Helpers) {
		if u.shared[d.Name] == "" {
			body.WriteString("\n" + Renamed(retitled(d.Text, d.Name, u.names[d.Name]), names) + "\n")
		}
	}
	return sealed(u.Head, u.Imports, body.String(), s.in.Module)
}

// text returns the text of the file of helpers, in the order of their names.
func (s *sharing) text() ([]byte, error) {
	slices.SortFunc(s.helpers, func(a, b *sharedHelper) int { return cmp.Compare(a.Name, b.Name) })
	imports := make(map[string]string)
	var body strings.Builder
	for _, h := range s.helpers {
		names := make(map[string]string) // of imports that another helper imports under another name
		for path, name := range h.imports {
			if !h.Uses[name] {
				continue
			}
			if imports[path] == "" {
				imports[path] = freeImport(imports, name)
			}
			if imports[path] != name {
				names[name] = imports[path]
			}
		}
		body.WriteString("\n" + Renamed(h.Text, names) + "\n")
	}
	return sealed("package "+s.name+"\n\n", imports, body.String(), s.in.Module)
}

// freeImport returns a name that no import has yet: two packages may be called template.
func freeImport(imports map[string]string, name string) string {
	taken := slices.Collect(maps.Values(imports))
	for i := 2; slices.Contains(taken, name); i++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(i)
	}
	return name
}

// sealed returns a file of declarations with those imports that they use.
func sealed(head string, imports map[string]string, body, module string) ([]byte, error) {
	used := gofile.Qualifiers([]byte(body))
	names := make(map[string]string)
	for path, name := range imports {
		if used[name] {
			names[path] = name
		}
	}
	src, err := format.Source([]byte(head + gofile.ImportText(names, module) + body))
	if err != nil {
		return nil, err
	}
	return Seal(src), nil
}

// UsesOf returns what a test file that people may have edited uses, as one declaration, and nil if it does not parse. Nobody can take such a file
// apart as ReadContent does.
func UsesOf(content []byte) *Content {
	f, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	uses := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			uses[id.Name] = true
		}
		return true
	})
	return &Content{Head: "package " + f.Name.Name, Tests: []Declaration{{Uses: uses}}}
}

// OnlyHelpers returns the helpers in a file that Share made and nobody has edited. For other files ok is false.
func OnlyHelpers(content []byte) (c *Content, ok bool) {
	if generated, edited := Verify(content); !generated || edited {
		return nil, false
	}
	c, err := ReadContent(content)
	return c, err == nil && len(c.Tests) == 0
}

// WithHelpers returns a text with the shared helpers that it uses, as if they were its own.
func WithHelpers(content []byte, helpers *Content, module string) ([]byte, error) {
	c, err := ReadContent(content)
	if err != nil {
		return nil, err
	}
	used := helpers.usedBy(c)
	if len(used) == 0 || c.Package() != helpers.Package() {
		return content, nil
	}
	var body strings.Builder
	for _, d := range slices.Concat(c.Tests, c.Helpers) {
		body.WriteString("\n" + d.Text + "\n")
	}
	imports := maps.Clone(c.Imports)
	for _, h := range used {
		names := make(map[string]string)
		for path, name := range helpers.Imports {
			switch {
			case !h.Uses[name]:
			case imports[path] == "" && slices.Contains(slices.Collect(maps.Values(imports)), name):
				return nil, fmt.Errorf("%s needs %s, and another package has its name", h.Name, path)
			case imports[path] == "":
				imports[path] = name
			case imports[path] != name:
				names[name] = imports[path]
			}
		}
		body.WriteString("\n" + Renamed(h.Text, names) + "\n")
	}
	return sealed(c.Head, imports, body.String(), module)
}

// Kept returns the file of helpers with those that some texts use, nil if they use none.
func (c *Content) Kept(texts []*Content) *Content {
	out := &Content{Head: c.Head, Imports: c.Imports}
	kept := make(map[string]bool)
	for _, t := range texts {
		for _, h := range c.usedBy(t) {
			if t.Package() == c.Package() && !kept[h.Name] {
				kept[h.Name] = true
				out.Helpers = append(out.Helpers, h)
			}
		}
	}
	if len(out.Helpers) == 0 {
		return nil
	}
	return out
}

// usedBy returns the helpers that a text uses, itself or through other helpers.
func (c *Content) usedBy(text *Content) []Declaration {
	uses := text.identifiers()
	var out []Declaration
	for n := -1; n != len(out); { // repeated, because helpers use helpers
		n = len(out)
		for _, h := range c.Helpers {
			if uses[h.Name] && !slices.ContainsFunc(out, func(d Declaration) bool { return d.Name == h.Name }) {
				out = append(out, h)
				maps.Copy(uses, h.Uses)
			}
		}
	}
	return out
}
