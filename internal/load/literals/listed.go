package literals

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of the texts that are read from lists.
const (
	maxListed     = 40 // texts
	maxListedText = 48 // bytes of a text
)

// listed returns the items of lists in the package's README that are short and nothing but text. A parser's README
// lists what it understands.
func listed(dir string) []string {
	var out []string
	for _, content := range readmes(dir) {
		fenced := false
		for line := range strings.Lines(content) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			text, isItem := cutBullet(line)
			if fenced || !isItem || len(text) < 2 || len(text) > maxListedText || strings.ContainsAny(text, "[]<>`") || slices.Contains(out, text) || len(out) == maxListed {
				continue
			}
			out = append(out, text)
		}
	}
	return out
}

// readmes returns the contents of the README files of a directory, by their names. One that cannot be read says nothing.
func readmes(dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "[Rr][Ee][Aa][Dd][Mm][Ee]*"))
	if err != nil {
		return nil // the pattern is well-formed, so the directory's name is not
	}
	slices.Sort(files)
	var out []string
	for _, name := range files {
		if content, err := os.ReadFile(name); err == nil {
			out = append(out, string(content))
		}
	}
	return out
}

// cutBullet returns an item of a list without its bullet, and without the quotes or signs of code around all of it.
func cutBullet(line string) (string, bool) {
	for _, bullet := range []string{"- ", "* ", "+ "} {
		text, ok := strings.CutPrefix(line, bullet)
		if !ok {
			continue
		}
		text = strings.TrimSpace(text)
		for _, quote := range []string{"`", `"`} {
			if inner, ok := strings.CutPrefix(text, quote); ok && strings.HasSuffix(inner, quote) {
				text = strings.TrimSuffix(inner, quote)
			}
		}
		return text, true
	}
	return "", false
}
