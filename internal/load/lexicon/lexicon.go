package lexicon

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
)

// Bounds of what is read and kept.
const (
	mostFiles   = 500
	mostBytes   = 5 << 20
	longestText = 60 // bytes
	mostTexts   = 4  // texts of a name
)

// A text counts for a name from this weight on: that of one file in the package's own directory, or of two others.
const (
	fewestWeight = 2
	weightNear   = 2
	weightFar    = 1
)

// Lexicon has texts by the names of what code gives them to. A nil Lexicon has none.
type Lexicon struct {
	texts map[string][]string // by words without spaces in lower case, the most common first
}

// Texts returns the texts of a name, or of its last word, which may be a plural: at most four, the most common first, nil if none are known.
func (l *Lexicon) Texts(name string) []string {
	words := gosyntax.Words(name)
	if l == nil || len(words) == 0 || !says(words) {
		return nil
	}
	for _, key := range keysOf(words) {
		if texts := l.texts[key]; texts != nil {
			return texts
		}
	}
	return nil
}

// keysOf returns what a name is looked up by: all of its words, then the last one, then that one without the s of a plural.
func keysOf(words []string) []string {
	last := words[len(words)-1]
	out := []string{strings.Join(words, "")}
	for _, key := range []string{last, strings.TrimSuffix(last, "s")} {
		if key != "" && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// common are words that say nothing of what they name, and words of what has texts of its own in all tests: places on the machine and
// in the network, which no test may reach, and secrets.
var common = []string{
	"name", "names", "desc", "description", "title", "text", "str", "string", "in", "input", "out", "output", "key", "keys", "val", "value", "values", "msg", "message", "body", "content", "data",
	"line", "lines", "word", "arg", "args", "sep", "delim", "format", "layout", "src", "source", "dst", "test", "reason", "doc", "comment", "template", "tmpl", "code", "query", "sql", "ok", "raw", "buf", "result", "res", "ret",
	"path", "paths", "file", "files", "filename", "dir", "folder", "root", "url", "urls", "uri", "link", "href", "host", "hosts", "hostname", "email", "mail", "ip", "addr", "addrs", "address", "endpoint", "net", "nets", "network", "networks",
	"password", "secret", "token", "credential", "credentials", "cookie",
}

// contrary are words of names and of texts that are there to be refused, or to be compared with.
var contrary = []string{"want", "wanted", "expected", "expect", "exp", "got", "actual", "invalid", "bad", "wrong", "empty", "missing", "unknown", "nonexistent", "no", "non", "not", "err", "error", "errors", "fail", "failed", "failing", "unsupported", "illegal", "broken"}

// says reports whether a name says what it is the name of.
func says(words []string) bool {
	last := words[len(words)-1]
	return len([]rune(last)) > 1 && !slices.Contains(common, last) && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(contrary, w) })
}

// fillers are texts that stand for any other. They say nothing of what a name means.
var fillers = []string{"foo", "bar", "baz", "qux", "abc", "test", "hello", "world", "value", "string", "name", "key"}

// isTelling reports whether a test may pass a text, and whether that would show more than any other would.
func isTelling(text string) bool {
	switch {
	case len(text) < 2 || len(text) > longestText || text != strings.TrimSpace(text) || slices.Contains(fillers, strings.ToLower(text)):
		return false
	case strings.HasPrefix(text, "/") || strings.HasPrefix(text, `\`) || strings.Contains(text, "..") || strings.Contains(text, "://") || strings.ContainsAny(text, "%$`()[]{}<>"):
		return false // places, and formats
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) || !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(contrary, w) || strings.HasPrefix(w, "nosuch") })
}

// Of returns what files of the module, given by their names, give to names. The directory is that of the package for which it is asked: files
// near it are read first, and what they say weighs more.
func (m *Module) Of(files []string, dir string) *Lexicon {
	var read []*facts
	left := mostBytes
	declared := &facts{params: make(map[string][]string), fields: make(map[string][]string)}
	for _, name := range nearest(files, dir) {
		f := m.file(name)
		if left -= f.size; left < 0 || len(read) == mostFiles {
			break
		}
		read = append(read, f)
		declared.merge(f)
	}
	counts := make(map[string]map[string]int)
	for _, f := range read {
		weight := weightFar
		if f.dir == dir {
			weight = weightNear
		}
		for _, u := range f.uses(declared) {
			if counts[u.name] == nil {
				counts[u.name] = make(map[string]int)
			}
			counts[u.name][u.text] += weight
		}
	}
	l := &Lexicon{texts: make(map[string][]string)}
	for name, of := range counts {
		texts := slices.DeleteFunc(slices.Collect(maps.Keys(of)), func(text string) bool { return of[text] < fewestWeight })
		slices.SortFunc(texts, func(a, b string) int {
			return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
		})
		if len(texts) > 0 {
			l.texts[name] = texts[:min(len(texts), mostTexts)]
		}
	}
	return l
}

// nearest sorts files by how far they are from a directory, and of those equally far tests before others.
func nearest(files []string, dir string) []string {
	type place struct {
		name string
		far  int
		test int
	}
	places := make([]place, 0, len(files))
	for _, name := range files {
		p := place{name: name, far: distance(filepath.Dir(name), dir), test: 1}
		if strings.HasSuffix(name, "_test.go") {
			p.test = 0
		}
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.test, b.test), strings.Compare(a.name, b.name))
	})
	out := make([]string, 0, len(places))
	for _, p := range places {
		out = append(out, p.name)
	}
	return out
}

// distance returns how many directories one has to leave and enter to come from one to another.
func distance(a, b string) int {
	split := func(s string) []string { return strings.Split(filepath.ToSlash(s), "/") }
	as, bs := split(a), split(b)
	same := 0
	for same < min(len(as), len(bs)) && as[same] == bs[same] {
		same++
	}
	return len(as) + len(bs) - 2*same
}
