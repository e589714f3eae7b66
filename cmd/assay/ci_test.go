package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands and flags in files for builds and in the documentation are those that assay has.
func TestFilesForBuildsNameFlags(t *testing.T) {
	for name, verbs := range map[string]string{
		"ci/action.yml": "gen check", ".pre-commit-hooks.yaml": "gen check", "docs/ci.md": "gen check", "docs/agents.md": "mcp",
		"docs/scale.md": "gen check diff merge cache worker jobs",
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		help := ""
		for _, v := range named(verbs) {
			help += v.help
		}
		// In these texts a flag stands behind its command, or in backquotes, or in the brackets of a list in a
		// shell script.
		n := 0
		for _, m := range regexp.MustCompile("(?:assay (?:gen|check|diff|mcp|merge|worker|jobs|cache(?: [a-z]+)?)|args\\+?=\\(|`)((?: ?-[a-z-]+(?: \"?[$./A-Z]\\S*)?)+)").FindAllStringSubmatch(string(text), -1) {
			for _, f := range regexp.MustCompile(`-[a-z][a-z-]+`).FindAllString(m[1], -1) {
				if f == "-run" || f == "-json" || f == "-coverprofile" || strings.Contains(help, "\t"+f+" ") {
					n++
					continue
				}
				t.Errorf("%s names %s, which the help of %s lacks", name, f, verbs)
			}
		}
		if n == 0 {
			t.Errorf("%s names no flag that was understood", name)
		}
	}
}

func named(names string) []verb {
	var out []verb
	for _, v := range verbs() {
		if strings.Contains(" "+names+" ", " "+v.name+" ") {
			out = append(out, v)
		}
	}
	return out
}
