package adopt

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// helpersOf returns the helpers of a generated file that have to be moved with the tests, and those
// that a hand-written file of the same package has already, with their names there.
func (d *directory) helpersOf(r *request, to *handFile) (goes map[string]bool, rename map[string]string) {
	goes, rename = make(map[string]bool), make(map[string]string)
	need := func(uses map[string]bool) {
		for _, h := range r.content.Helpers {
			if uses[h.Name] && !goes[h.Name] && rename[h.Name] == "" {
				if there := d.sameAs(h.Name, h.Text, to.pkg); there != "" {
					rename[h.Name] = there
				} else {
					goes[h.Name] = true
				}
			}
		}
	}
	for _, t := range r.content.Tests {
		if r.tests[t.Name] {
			need(t.Uses)
		}
	}
	for n := -1; n != len(goes); { // repeated, because helpers use helpers
		n = len(goes)
		for _, h := range r.content.Helpers {
			if goes[h.Name] {
				need(h.Uses)
			}
		}
	}
	return goes, rename
}

// sameAs returns the name under which a hand-written file has the same declaration, or "" if none has it.
func (d *directory) sameAs(name, text, pkg string) string {
	want := normalised(text, name)
	for _, h := range d.hand {
		if h.pkg != pkg || h.constraint != "" {
			continue
		}
		var names []string
		for n := range h.declares {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			if h.declares[n] == want {
				return n
			}
		}
	}
	return ""
}

// usedByRest reports whether tests that stay in a generated file use a helper, directly or by another helper.
func usedByRest(r *request, name string) bool {
	users := map[string]bool{}
	for _, t := range r.content.Tests {
		if !r.tests[t.Name] {
			for n := range t.Uses {
				users[n] = true
			}
		}
	}
	for n := -1; n != len(users); {
		n = len(users)
		for _, h := range r.content.Helpers {
			if users[h.Name] {
				for u := range h.Uses {
					users[u] = true
				}
			}
		}
	}
	return users[name]
}

// normalised returns the text of declarations without comments, spaces and semicolons, and with another name
// in place of their own, for comparison.
func normalised(text, name string) string {
	var s scanner.Scanner
	src := []byte(text)
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, func(token.Position, string) {}, 0)
	var b strings.Builder
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		switch {
		case tok == token.SEMICOLON:
			continue // it does not matter whether a line ends there
		case tok == token.IDENT && lit == name:
			lit = "\x00"
		case lit == "" || tok.IsOperator():
			lit = tok.String()
		}
		b.WriteString(lit + " ")
	}
}

// namesIn returns the names in declarations that may denote imports or other declarations.
func namesIn(text string) map[string]bool {
	out := make(map[string]bool)
	for _, id := range identifiers(text) {
		out[id.name] = true
	}
	return out
}

// identifier is a name in a text.
type identifier struct {
	name string
	at   int
}

// identifiers returns the names in declarations, except selected fields and methods.
func identifiers(text string) []identifier {
	const head = "package p\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+text, parser.SkipObjectResolution)
	if err != nil {
		panic("bug: adopt: a generated test does not parse: " + err.Error())
	}
	var out []identifier
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			out = append(out, identifier{n.Name, fset.Position(n.Pos()).Offset - len(head)})
		}
		return true
	}
	for _, d := range f.Decls {
		ast.Inspect(d, visit)
	}
	return out
}

// renamed returns declarations in which other names take the place of some.
func renamed(text string, names map[string]string) string {
	if len(names) == 0 {
		return text
	}
	ids := identifiers(text)
	slices.SortFunc(ids, func(a, b identifier) int { return b.at - a.at })
	for _, id := range ids {
		if to := names[id.name]; to != "" {
			text = text[:id.at] + to + text[id.at+len(id.name):]
		}
	}
	return text
}
