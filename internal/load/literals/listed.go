package literals

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Limits of the texts that are read from lists.
const (
	maxListed     = 40 // texts
	maxListedText = 48 // bytes of a text
	maxPrinted    = 2  // texts that commands print, of which one is mostly like the other
)

// listed returns the items of lists in the package's README that are short and nothing but text, and what commands
// print in its sessions of a shell. A parser's README lists what it understands, and a command prints what the package
// reads. A list of sentences says what the package can do.
func listed(dir string) []string {
	var out []string
	add := func(text string) {
		if len(text) >= 2 && len(text) <= maxListedText && !strings.ContainsAny(text, "[]<>`") && !slices.Contains(out, text) && len(out) < maxListed {
			out = append(out, text)
		}
	}
	printed := 0
	for _, content := range readmes(dir) {
		var list []string
		flush := func() {
			if values, ok := labelled(list); ok {
				list = values
			}
			if !isProse(list) {
				for _, text := range list {
					add(text)
				}
			}
			list = nil
		}
		fenced, language := false, ""
		for line := range strings.Lines(content) {
			line = strings.TrimSpace(line)
			if fence, ok := strings.CutPrefix(line, "```"); ok {
				flush()
				fenced, language = !fenced, strings.ToLower(fence)
				continue
			}
			if fenced {
				if text, found := printedIn(line, language); found && printed < maxPrinted {
					before := len(out)
					add(text)
					printed += len(out) - before
				}
				continue
			}
			if text, found := cutBullet(line); found {
				list = append(list, text)
			} else if line != "" {
				flush()
			}
		}
		flush()
	}
	return out
}

// labelled returns what stands behind the labels of a list that names each of its texts: 01 and 0123456789abcdef for
// "base2: 01" and "base16: 0123456789abcdef". It returns false for any other list, also for one in which something behind a label has
// several words, because that explains the label.
func labelled(list []string) (values []string, ok bool) {
	for _, text := range list {
		label, value, found := strings.Cut(text, ": ")
		if value = strings.TrimSpace(value); !found || value == "" || strings.ContainsAny(label, " \t") || strings.ContainsAny(value, " \t") {
			return nil, false
		}
		values = append(values, value)
	}
	return values, len(list) > 1
}

// isProse reports whether most items of a list are sentences: at least three words, of which the first has a capital.
func isProse(list []string) bool {
	const fewest = 3
	sentences := 0
	for _, text := range list {
		if first := []rune(text); len(strings.Fields(text)) >= fewest && unicode.IsUpper(first[0]) {
			sentences++
		}
	}
	return 2*sentences > len(list)
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
