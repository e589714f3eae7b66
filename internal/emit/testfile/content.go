package testfile

import (
	"go/format"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
)

// Content holds the parts of a file of tests, for code that moves tests elsewhere.
type Content struct {
	Head    string            // constraint and package clause
	Imports map[string]string // names by paths
	Tests   []Declaration
	Helpers []Declaration // a type and its methods are one declaration
}

// Declaration is a function or a type with its comment.
type Declaration struct {
	Name, Text string
	// Uses has the identifiers in the declaration that may denote imports or other declarations.
	Uses map[string]bool
}

// ReadContent takes a file apart that has the header of Seal.
func ReadContent(content []byte) (*Content, error) {
	p, err := parsePieces(content)
	if err != nil {
		return nil, err
	}
	out := &Content{Head: p.head, Imports: p.imports}
	declarations := func(list []piece) (out []Declaration) {
		for _, d := range list {
			out = append(out, Declaration{d.name, d.text, gofile.Identifiers([]byte(d.text))})
		}
		return out
	}
	out.Tests, out.Helpers = declarations(p.tests), declarations(p.helpers)
	return out, nil
}

// Package is the name in the package clause.
func (c *Content) Package() string {
	words := strings.Fields(c.Head)
	return words[len(words)-1]
}

// Constraint is the line with the build constraint, or "" if the file has none.
func (c *Content) Constraint() string {
	for line := range strings.Lines(c.Head) {
		if strings.HasPrefix(line, "//go:build ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// ImportText returns the declaration of the imports whose names a text uses.
func (c *Content) ImportText(used map[string]bool, module string) string {
	names := map[string]string{}
	for path, name := range c.Imports {
		if used[name] {
			names[path] = name
		}
	}
	return gofile.ImportText(names, module)
}

// Without returns the file without some declarations, sealed, and nil if no test is left, or, of a file that has nothing but
// helpers, no helper. What remains may use the removed declarations, which are then declared elsewhere.
func (c *Content) Without(gone map[string]bool) ([]byte, error) {
	needed := c.Tests
	if len(needed) == 0 {
		needed = c.Helpers
	}
	if !slices.ContainsFunc(needed, func(d Declaration) bool { return !gone[d.Name] }) {
		return nil, nil
	}
	var body strings.Builder
	used := make(map[string]bool)
	for _, d := range slices.Concat(c.Tests, c.Helpers) {
		if gone[d.Name] {
			continue
		}
		body.WriteString("\n" + d.Text + "\n")
		for n := range d.Uses {
			used[n] = true
		}
	}
	src, err := format.Source([]byte(c.Head + c.ImportText(used, "") + body.String()))
	if err != nil {
		return nil, err
	}
	return Seal(src), nil
}
