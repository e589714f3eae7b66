package giver

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
	"github.com/goassay/assay/internal/testcase"
)

// pathsFamily returns files and directories that tests make for themselves, as texts that name them. They are made for
// parameters and fields that package purity says are paths, whatever their type.
func pathsFamily() *family {
	return &family{
		name: "files", path: "os", imports: []string{"os", "path/filepath", "testing"},
		when: opensFiles, always: true,
		helpers: []helper{{
			doc:    "returns a directory of the test's own.",
			method: "TempDir",
			code:   `func tempDir(t testing.TB) string { return t.TempDir() }`,
		}, {
			doc: "returns the path of a new file with the text in it.",
			code: `func ` + fileHelper + `(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0600); err != nil {
		t.Fatal(err)
	}
	return path
}`,
		}, {
			doc: "returns a directory that has a file with the text in it.",
			code: `func ` + dirHelper + `(t testing.TB, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0600); err != nil {
		t.Fatal(err)
	}
	return dir
}`,
		}},
		givers: []giver{
			{typ: fileType, doc: "a file with a text", code: `fileWith(nil, "a.txt", "hello\n")`},
			{typ: fileType, doc: "a file that is not there yet", code: `filepath.Join(tempDir(nil), "a.txt")`, fixed: true},
			{typ: dirType, doc: "an empty directory", code: `tempDir(nil)`},
			{typ: dirType, doc: "a directory with a file", code: `dirWith(nil, "a.txt", "hello\n")`},
		},
	}
}

// The keys of texts that name files, and of texts that name directories. Both are of type string.
const (
	fileType = "string: a file"
	dirType  = "string: a directory"
)

// Files returns sequences whose last statement makes a text that names a file: one that exists, and one that can be created.
func (r *Room) Files() []*testcase.Sequence {
	if r == nil {
		return nil
	}
	return r.values[fileType]
}

// Directories returns sequences whose last statement makes a text that names a directory.
func (r *Room) Directories() []*testcase.Sequence {
	if r == nil {
		return nil
	}
	return r.values[dirType]
}

// MakesDirectory reports whether an operation makes a directory of the test's own.
func MakesDirectory(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.OfTest && (op.Via.Method == "TempDir" || op.Via.Name == dirHelper)
}

// MakesFile reports whether an operation makes a file of the test's own, in a directory of its own.
func MakesFile(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.OfTest && op.Via.Name == fileHelper
}

// The names of the helpers that make files with texts in them.
const (
	fileHelper = "fileWith"
	dirHelper  = "dirWith"
)

// opensFiles reports whether a package imports what opens files.
func opensFiles(pkg *load.Package) bool {
	return slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "os" || p.Path() == "io/ioutil" })
}

// constantTexts returns the texts that stand in the package's code, in the order of the source.
func constantTexts(pkg *load.Package) []string {
	var out []string
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					out = append(out, s)
				}
			}
			return true
		})
	}
	return out
}

// extensions are those that code often compares with, without the dot.
var extensions = [...]string{"json", "yaml", "yml", "toml", "xml", "csv", "html"}

// fileNames returns names that files of the package may have: those in its code that look like one, with the extensions
// that it asks for.
func fileNames(pkg *load.Package) []string {
	out := []string{"a.txt"}
	texts := constantTexts(pkg)
	for _, s := range texts {
		s = path.Base(s)
		ext := path.Ext(s)
		if len(ext) < 2 || len(s) > 20 || strings.ContainsFunc(s, func(r rune) bool {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '-' || r == '_')
		}) || strings.Contains(s, "..") || ext[1] >= '0' && ext[1] <= '9' {
			continue
		}
		if s == ext {
			s = "a" + ext
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, s := range texts {
		if name := "a." + s; slices.Contains(extensions[:], s) && !slices.ContainsFunc(out, func(n string) bool { return path.Ext(n) == "."+s }) {
			out = append(out, name)
		}
	}
	slices.SortFunc(out[1:], func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	const most = 6
	return out[:min(len(out), most)]
}

// mostKeyedFiles is how many files of lines with keys are tried (literals.Set.Keyed).
const mostKeyedFiles = 10

// makesFiles says which names and texts the helpers that make files are called with. What the package decodes comes before other
// texts, and the names are those of its notation.
func (r *Room) makesFiles(h *testcase.Helper) {
	if h.Sig.Params().Len() != 2 {
		return
	}
	h.Titles, h.Names, h.Beside = 2, make(map[string]string), make(map[string]string)
	names := fileNames(r.pkg)
	var contents []string
	for _, as := range encoded.Notations {
		texts := encoded.All(r.pkg, as)
		if !encoded.Reads(r.pkg, as) {
			continue
		}
		k := slices.IndexFunc(names, func(n string) bool {
			return path.Ext(n) == "."+as.String() || as == requests.YAML && path.Ext(n) == ".yml"
		})
		if k < 0 {
			names, k = append(names, "config."+as.String()), len(names)
		}
		for _, text := range append(texts, encoded.Records(as)...) {
			h.Names[text.Value] = text.Name
			if strings.TrimSpace(text.Value) != "" {
				h.Beside[text.Value] = names[k]
			}
		}
		contents = append(contents, encoded.Values(texts)...)
	}
	contents = append(contents, "hello\n", "")
	if r.pkg.Literals != nil {
		contents = append(contents, r.pkg.Literals.Keyed[:min(len(r.pkg.Literals.Keyed), mostKeyedFiles)]...)
	}
	for _, name := range names {
		h.Names[name] = "" // the text makes the difference
	}
	h.Values, h.Closed = [][]string{names, contents}, []bool{true, false}
}
