package literals

import (
	"slices"
	"strings"
)

// Fenced is a fenced block of the README that is neither Go nor a session of a shell: an example of what the package
// reads or writes.
type Fenced struct {
	Language string // as the README calls it, in lower case
	Text     string // without the fences and the last line break
}

// Limits of the fenced blocks that are kept.
const (
	maxFenced     = 20  // blocks, and paragraphs of long ones
	maxFencedText = 300 // bytes of a block, or of what is kept of it
)

// sessions are the languages of fenced blocks that show how the package is used, and not what it reads.
var sessions = []string{"", "go", "golang", "sh", "bash", "shell", "console", "zsh", "text", "txt", "plain", "makefile", "dockerfile", "powershell", "shell-session"}

// fenced returns the blocks of the package's README that are in a language of their own, in their order.
func fenced(dir string) []Fenced {
	var out []Fenced
	for _, content := range readmes(dir) {
		for _, b := range blocks(content) {
			if slices.Contains(sessions, b.Language) {
				continue
			}
			for _, text := range portions(b.Text) {
				if len(out) < maxFenced {
					out = append(out, Fenced{b.Language, text})
				}
			}
		}
	}
	return out
}

// portions returns a text that is not longer than a reader of a test would look at, and of a longer one its first paragraphs, and each of its paragraphs
// alone: a section of a file is a file.
func portions(text string) []string {
	if text == "" {
		return nil
	}
	if len(text) <= maxFencedText {
		return []string{text}
	}
	var out []string
	paragraphs := strings.Split(text, "\n\n")
	first := ""
	for _, p := range paragraphs {
		if len(first)+len(p) > maxFencedText {
			break
		}
		first = strings.Trim(first+"\n\n"+p, "\n")
	}
	for _, p := range append([]string{first}, paragraphs...) {
		if p = strings.Trim(p, "\n"); p != "" && len(p) <= maxFencedText && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// blocks returns all fenced blocks of a text that have an end.
func blocks(content string) []Fenced {
	var out []Fenced
	var block []string
	open, language := "", ""
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\r\n")
		fence := strings.TrimSpace(line)
		switch {
		case open == "" && (strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~")):
			open, block = fence[:3], nil
			language, _, _ = strings.Cut(strings.ToLower(strings.Trim(fence, "`~ ")), " ")
		case open != "" && strings.HasPrefix(fence, open):
			out = append(out, Fenced{language, strings.Join(block, "\n")})
			open = ""
		case open != "":
			block = append(block, line)
		}
	}
	return out
}

// about returns the first lines of prose of the package's README, without headings, pictures and links around them.
func about(dir string) string {
	const enough = 300 // bytes
	contents := readmes(dir)
	if len(contents) == 0 {
		return ""
	}
	out := ""
	for line := range strings.Lines(contents[0]) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "#[!<=-|") {
			continue
		}
		if strings.HasPrefix(line, "```") || len(out) > enough {
			break
		}
		out += line + "\n"
	}
	return out
}
