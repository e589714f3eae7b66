package gofile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// Imports are the imports of a file.
type Imports struct {
	taken  *Names            // names declared in the package, which no import may have
	byPath map[string]string // import path to local name
	bases  map[string]string // import path to the package's own name
}

// NewImports returns an empty set of imports for a file.
func NewImports() *Imports {
	return &Imports{byPath: map[string]string{}, bases: map[string]string{}}
}

// Only returns the imports whose local names are used.
func (s *Imports) Only(used map[string]bool) *Imports {
	out := NewImports()
	for path, name := range s.byPath {
		if used[name] {
			out.byPath[path], out.bases[path] = name, s.bases[path]
		}
	}
	return out
}

// Text returns the import declaration.
func (s *Imports) Text(module string) string { return ImportText(s.byPath, module) }

// Name returns the local name of an imported package. It adds the import if the file has none of the package.
func (s *Imports) Name(path, base string) string {
	if n, ok := s.byPath[path]; ok {
		return n
	}
	used := NewNames(s.taken)
	for _, n := range s.byPath {
		used.Add(n)
	}
	var n string
	if base != "t" && base != "tt" && Usable(base) && !used.Has(base) {
		n = base
	} else {
		// The import is named after the parent directory, as people do: "stdpath", "xmlpath".
		prefix := "std"
		if parts := strings.Split(path, "/"); len(parts) > 1 {
			prefix = Identifier(parts[len(parts)-2])
		}
		n = used.Pick(prefix + base)
	}
	s.byPath[path] = n
	s.bases[path] = base
	return n
}

// ImportText returns the declaration of imports, given as local names by import paths: the standard
// library's first, then the others. Packages of the module are not taken for the standard library's.
func ImportText(names map[string]string, module string) string {
	var std, others []string
	for path, name := range names {
		spec := fmt.Sprintf("%q", path)
		if name != filepath.Base(path) {
			spec = name + " " + spec
		}
		if gosyntax.IsStandard(path, module) {
			std = append(std, spec)
		} else {
			others = append(others, spec)
		}
	}
	byPath := func(a, b string) int {
		return cmp.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
	}
	slices.SortFunc(std, byPath)
	slices.SortFunc(others, byPath)
	switch {
	case len(std)+len(others) == 0:
		return ""
	case len(std)+len(others) == 1:
		return "import " + strings.Join(append(std, others...), "") + "\n"
	case len(others) == 0:
		return "import (\n" + strings.Join(std, "\n") + "\n)\n"
	case len(std) == 0:
		return "import (\n" + strings.Join(others, "\n") + "\n)\n"
	}
	return "import (\n" + strings.Join(std, "\n") + "\n\n" + strings.Join(others, "\n") + "\n)\n"
}
