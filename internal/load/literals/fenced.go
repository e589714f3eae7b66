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
	maxFenced     = 10  // blocks
	maxFencedText = 300 // bytes of a block
)

// sessions are the languages of fenced blocks that show how the package is used, and not what it reads.
var sessions = []string{"", "go", "golang", "sh", "bash", "shell", "console", "zsh", "text", "txt", "plain", "makefile", "dockerfile", "powershell", "shell-session"}

// fenced returns the blocks of the package's README that are in a language of their own, in their order.
func fenced(dir string) []Fenced {
	var out []Fenced
	for _, content := range readmes(dir) {
		for _, b := range blocks(content) {
			if !slices.Contains(sessions, b.Language) && b.Text != "" && len(b.Text) <= maxFencedText && len(out) < maxFenced {
				out = append(out, b)
			}
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
