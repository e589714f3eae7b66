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
	maxPrinted    = 2  // texts that commands print, of which one is mostly like the other
)

// listed returns the items of lists in the package's README that are short and nothing but text, and what commands
// print in its sessions of a shell. A parser's README lists what it understands, and a command prints what the package
// reads.
func listed(dir string) []string {
	var out []string
	printed := 0
	for _, content := range readmes(dir) {
		fenced, language := false, ""
		for line := range strings.Lines(content) {
			line = strings.TrimSpace(line)
			if fence, ok := strings.CutPrefix(line, "```"); ok {
				fenced, language = !fenced, strings.ToLower(fence)
				continue
			}
			text, found := cutBullet(line)
			if fenced {
				text, found = printedIn(line, language)
			}
			if !found || len(text) < 2 || len(text) > maxListedText || strings.ContainsAny(text, "[]<>`") || slices.Contains(out, text) || len(out) == maxListed {
				continue
			}
			if fenced {
				if printed++; printed > maxPrinted {
					continue
				}
			}
			out = append(out, text)
		}
	}
	return out
}

// printedIn returns what a line of a fenced block shows, if it is a session of a shell and the line one word with a digit
// in it that a command printed, by itself or behind what it is called: "ID: 0ujtsYcgvSTl8PAuAdqWYSMnLOv".
func printedIn(line, language string) (string, bool) {
	if !slices.Contains(sessions, language) || language == "go" || language == "golang" {
		return "", false
	}
	if name, value, ok := strings.Cut(line, ": "); ok && !strings.Contains(name, " ") {
		line = strings.TrimSpace(value)
	}
	return line, !strings.ContainsAny(line, " \t$(){}=/\"'#%*\\") && !strings.HasPrefix(line, "-") && strings.ContainsAny(line, "0123456789")
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
