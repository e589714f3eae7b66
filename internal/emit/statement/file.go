package statement

import (
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// RequirePath is the package of testify whose checks end a test. Where a package's own tests use it, its NoError ends a test in which
// a step of the preparation fails.
const RequirePath = "github.com/stretchr/testify/require"

// File is a file of tests in which statements are written, with the declarations that its tests share. Each of these is made
// once, and only if a test uses it.
type File struct {
	*gofile.Writer
	ReadsOnly func(*testcase.Operation) bool // reports whether a call changes nothing that outlives it; nil says that none does
	Callable  *Callable                      // the methods that the package may call on stubs
	Bubbles   *purity.Bubbles                // which tests run in a bubble of testing/synctest; nil stands for none

	stubTypes    []*stubType
	builderFuncs []*builderFunc
	checkFuncs   []*checkFunc
	viaFuncs     []*viaFunc
}

// Declarations returns the text of each helper by the name that it declares.
func (w *File) Declarations() (names, texts []string) {
	for _, s := range w.stubTypes {
		names = append(names, s.name)
		texts = append(texts, w.stubText(s))
	}
	for _, f := range w.builderFuncs {
		names = append(names, f.name)
		texts = append(texts, w.builderText(f))
	}
	for _, f := range w.checkFuncs {
		names = append(names, f.name)
		texts = append(texts, gofile.Comment(f.name+" "+f.check.Doc)+f.check.Source(f.name, w.Type, w.Std, w.Object))
	}
	for _, f := range w.viaFuncs {
		names = append(names, f.name)
		texts = append(texts, w.viaText(f))
	}
	more, moreTexts := w.HelperTexts()
	return append(names, more...), append(texts, moreTexts...)
}

// checkFunc is a function that checks a contract.
type checkFunc struct {
	name  string
	check *testcase.Check
}

// Check returns the name in this file of the function that checks a contract.
func (w *File) Check(c *testcase.Check) string {
	for _, f := range w.checkFuncs {
		if f.check.Key() == c.Key() {
			return f.name
		}
	}
	f := &checkFunc{w.Declare(c.Name), c}
	w.checkFuncs = append(w.checkFuncs, f)
	return f.name
}

// viaFunc is a helper that came with an operation, and the names of its declarations in this file.
type viaFunc struct {
	name   string
	helper *testcase.Helper
	others map[string]string
}

// ViaHelper returns the name in this file of the function of a helper.
func (w *File) ViaHelper(h *testcase.Helper) string {
	if h.Builtin != "" {
		return h.Builtin
	}
	for _, f := range w.viaFuncs {
		if f.helper.Name == h.Name && f.helper.Text == h.Text {
			return f.name
		}
	}
	f := &viaFunc{name: w.Declare(h.Name, "new"+gofile.UpperFirst(h.Name)), helper: h, others: make(map[string]string)}
	w.viaFuncs = append(w.viaFuncs, f)
	w.viaText(f) // viaText also names the helper's other declarations
	return f.name
}

// viaText returns the declarations of a helper.
func (w *File) viaText(f *viaFunc) string {
	text := f.helper.Source(f.name, w.imported, func(name string) string {
		if f.others[name] == "" {
			f.others[name] = w.Declare(name)
		}
		return f.others[name]
	})
	return gofile.Comment(f.name+" "+f.helper.Doc) + text
}

// imported returns the name by which a helper's text refers to a package, "" for the test's own
// package.
func (w *File) imported(path string) string {
	if path != w.Pkg.Path {
		for _, p := range w.Pkg.Types.Imports() {
			if p.Path() == path { // its name need not be the last element of its path
				return w.Imports.Name(path, p.Name())
			}
		}
		return w.Std(path)
	}
	if !w.External {
		return ""
	}
	return w.Imports.Name(path, w.Pkg.Name)
}
