package literals

import (
	"bytes"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
)

// Shown is a text that a doc comment shows as an example of what the package reads, a block of code that is no Go, a line of it, or a text
// in its prose; or a small file of testdata.
type Shown struct {
	// Of is the function that the comment documents, by Target.Name, or its type; "" stands for the package.
	Of   string
	Text string
	// File is the name of the file of testdata that the text is, without its end; "" for texts of doc comments.
	File string
	// Filled says that the comment shows a template, and the text has words in place of its placeholders.
	Filled bool
	// Spoken says that the text stands in a sentence, which is about what the function is given and not about what it reads there.
	Spoken bool
}

// Limits of the texts that are read from doc comments.
const (
	maxShown     = 40  // texts
	maxShownText = 600 // bytes of a text
	maxShownLine = 80  // bytes of a line
)

// shown returns the examples of what the package reads in its doc comments: the lines of each block without comments, and the block
// as a whole. The package's own comment is where authors write down a format. Templates are filled in; where the package spells out
// their brackets, they are texts that it reads as well.
func shown(src Source, spells func(sign string) bool) []Shown {
	var out []Shown
	known := make(map[Shown]bool)
	put := func(s Shown) {
		if s.Text != "" && !known[s] && len(out) < maxShown {
			known[s] = true
			out = append(out, s)
		}
	}
	add := func(of, text string) {
		filled := fill(text)
		for _, f := range filled {
			put(Shown{Of: of, Text: f, Filled: true})
		}
		if mark := placeholder.FindString(text); len(filled) == 0 || spells(mark[:1]) {
			put(Shown{Of: of, Text: text})
		}
	}
	read := func(of string, doc *ast.CommentGroup) {
		if doc == nil {
			return
		}
		for _, text := range templates(prose(doc)) {
			for _, f := range fill(text) {
				put(Shown{Of: of, Text: f, Filled: true})
			}
		}
		var p comment.Parser
		for _, block := range p.Parse(doc.Text()).Content {
			code, ok := block.(*comment.Code)
			if !ok {
				continue
			}
			text := strings.TrimRight(code.Text, "\n")
			if len(text) > maxShownText || !isExample(text) {
				continue
			}
			for line := range strings.SplitSeq(text, "\n") {
				if line = strings.TrimSpace(line); line != "" && len(line) <= maxShownLine && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") {
					add(of, line)
					add(of, text) // behind its first line, which is plainer
				}
			}
		}
	}
	for _, f := range src.Syntax {
		read("", f.Doc)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				read(gosyntax.DeclName(d), d.Doc)
				if d.Doc != nil {
					for _, text := range spoken(prose(d.Doc)) {
						put(Shown{Of: gosyntax.DeclName(d), Text: text, Spoken: true})
					}
				}
			case *ast.GenDecl:
				if d.Tok != token.TYPE {
					continue
				}
				for _, s := range d.Specs {
					if t, ok := s.(*ast.TypeSpec); ok {
						read(t.Name.Name, d.Doc)
						read(t.Name.Name, t.Doc)
					}
				}
			}
		}
	}
	return append(out, kept(src.Dir)...)
}

// prose returns the lines of a doc comment that are no code.
func prose(doc *ast.CommentGroup) string {
	var out strings.Builder
	for line := range strings.Lines(doc.Text()) {
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "    ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// Limits of the files of testdata that are texts.
const (
	maxKept     = 10   // texts, of a file its paragraphs if it is long
	maxKeptSize = 2000 // bytes of a file
)

// kept returns the small files of testdata: what the authors keep there is what the package reads. Files beside the code count as well if
// their names say that they are for tests, or examples.
func kept(dir string) []Shown {
	return append(keptIn(filepath.Join(dir, "testdata"), func(string) bool { return true }), keptIn(dir, isSample)...)
}

// isSample reports whether the name of a file beside the code says what it is for.
func isSample(file string) bool {
	ext := filepath.Ext(file)
	if ext == "" || strings.HasPrefix(ext, ".md") || strings.HasPrefix(file, ".") {
		return false
	}
	return slices.ContainsFunc([]string{"test", "example", "sample"}, func(word string) bool { return strings.Contains(strings.ToLower(file), word) })
}

// keptIn returns the small files of a directory whose names are among those that are asked for.
func keptIn(dir string, isAsked func(name string) bool) []Shown {
	var out []Shown
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // there is none
	}
	for _, e := range entries {
		if len(out) >= maxKept {
			break
		}
		info, err := e.Info()
		if err != nil || !isAsked(e.Name()) || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxKeptSize || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err == nil && utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 {
			for _, portion := range portions(string(text)) {
				out = append(out, Shown{Text: portion, File: strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))})
			}
		}
	}
	return out
}

// isExample reports whether a block of a doc comment may be a text that the package reads. Go code, commands for a shell and tables
// of what calls return are none.
func isExample(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, command := range []string{"$ ", "go get ", "go run ", "go install ", "go test ", "import "} {
			if strings.HasPrefix(line, command) {
				return false
			}
		}
		for _, arrow := range []string{"=>", "->", "→", "⇒", "==", ":="} {
			if strings.Contains(line, arrow) {
				return false
			}
		}
	}
	if !strings.Contains(text, "(") && !strings.Contains(text, "{") {
		return true // a pattern like a[b-d].txt is an expression of Go as well
	}
	for _, around := range [][2]string{{"package p; func _() {\n", "\n}"}, {"package p\n", ""}, {"package p; type _ interface {\n", "\n}"}} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", around[0]+text+around[1], parser.SkipObjectResolution); err == nil {
			return false
		}
	}
	return true
}
