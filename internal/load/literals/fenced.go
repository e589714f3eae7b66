package literals

import (
	"os"
	"path/filepath"
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
	files, err := filepath.Glob(filepath.Join(dir, "[Rr][Ee][Aa][Dd][Mm][Ee]*"))
	if err != nil {
		return nil // the pattern is well-formed, so the directory's name is not
	}
	slices.Sort(files)
	var out []Fenced
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // a README that cannot be read has no examples
		}
		var block []string
		open, language := "", ""
		for line := range strings.Lines(string(content)) {
			line = strings.TrimRight(line, "\r\n")
			fence := strings.TrimSpace(line)
			switch {
			case open == "" && (strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~")):
				open, block = fence[:3], nil
				language, _, _ = strings.Cut(strings.ToLower(strings.Trim(fence, "`~ ")), " ")
			case open != "" && strings.HasPrefix(fence, open):
				text := strings.Join(block, "\n")
				if !slices.Contains(sessions, language) && text != "" && len(text) <= maxFencedText && len(out) < maxFenced {
					out = append(out, Fenced{language, text})
				}
				open = ""
			case open != "":
				block = append(block, line)
			}
		}
	}
	return out
}

// about returns the first lines of prose of the package's README, without headings, pictures and links around them.
func about(dir string) string {
	const enough = 300 // bytes
	files, err := filepath.Glob(filepath.Join(dir, "[Rr][Ee][Aa][Dd][Mm][Ee]*"))
	if err != nil || len(files) == 0 {
		return "" // the pattern is well-formed, so the directory's name is not
	}
	slices.Sort(files)
	content, err := os.ReadFile(files[0])
	if err != nil {
		return "" // a README that cannot be read says nothing
	}
	out := ""
	for line := range strings.Lines(string(content)) {
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
