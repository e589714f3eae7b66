package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// versionLine returns the version of assay, or the revision from which it was built.
func versionLine() string {
	version, revision, when, modified := "(devel)", "", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value[:min(len(s.Value), 12)]
			case "vcs.time":
				when = s.Value
			case "vcs.modified":
				if s.Value == "true" {
					modified = "modified"
				}
			}
		}
	}
	var built []string
	for _, s := range []string{revision, when, modified} {
		if s != "" {
			built = append(built, s)
		}
	}
	if len(built) > 0 {
		version += " (" + strings.Join(built, ", ") + ")"
	}
	return fmt.Sprintf("assay %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

var helpFlag = regexp.MustCompile(`(?m)^\t(-[a-z][a-z-]*)`)

// flagsOf returns the flags that the help of a verb names.
func flagsOf(v verb) []string {
	var out []string
	for _, m := range helpFlag.FindAllStringSubmatch(v.help, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	slices.Sort(out)
	return out
}

// completion runs "assay completion": a script for a shell.
func (c *command) completion(args []string) int {
	shells := map[string]func() string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
	if len(args) != 1 || shells[args[0]] == nil {
		return c.usage("assay completion: want bash, zsh or fish")
	}
	fmt.Fprint(c.stdout, shells[args[0]]())
	return exitDone
}

func verbNames() []string {
	var out []string
	for _, v := range verbs() {
		out = append(out, v.name)
	}
	return out
}

// bashCompletion completes verbs, their flags, and directories.
func bashCompletion() string {
	var b strings.Builder
	b.WriteString("# bash completion for assay: source <(assay completion bash)\n_assay() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} flags=\n\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n")
	fmt.Fprintf(&b, "\t\tCOMPREPLY=($(compgen -W %q -- \"$word\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n", strings.Join(verbNames(), " "))
	for _, v := range verbs() {
		fmt.Fprintf(&b, "\t%s) flags=%q ;;\n", v.name, strings.Join(flagsOf(v), " "))
	}
	b.WriteString("\tesac\n\tcase $word in\n\t-*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")) ;;\n\t*) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n\tesac\n}\ncomplete -F _assay assay\n")
	return b.String()
}

// zshCompletion completes verbs, their flags, and files. The script is read as a whole by "source", or by zsh as the body
// of the function _assay when the first word is completed; then it has to complete this word, too.
func zshCompletion() string {
	var b strings.Builder
	b.WriteString("#compdef assay\n# zsh completion for assay: source <(assay completion zsh)\n_assay() {\n\tlocal -a flags\n\tif (( CURRENT == 2 )); then\n")
	fmt.Fprintf(&b, "\t\tcompadd -- %s\n\t\treturn\n\tfi\n\tcase $words[2] in\n", strings.Join(verbNames(), " "))
	for _, v := range verbs() {
		fmt.Fprintf(&b, "\t%s) flags=(%s) ;;\n", v.name, strings.Join(flagsOf(v), " "))
	}
	b.WriteString("\tesac\n\tcase $PREFIX in\n\t-*) compadd -- $flags ;;\n\t*) _files ;;\n\tesac\n}\nif [ \"$funcstack[1]\" = _assay ]; then\n\t_assay \"$@\"\nelse\n\tcompdef _assay assay\nfi\n")
	return b.String()
}

// fishCompletion completes verbs and their flags.
func fishCompletion() string {
	var b strings.Builder
	b.WriteString("# fish completion for assay: assay completion fish | source\n")
	fmt.Fprintf(&b, "complete -c assay -n __fish_use_subcommand -f -a %q\n", strings.Join(verbNames(), " "))
	for _, v := range verbs() {
		for _, f := range flagsOf(v) {
			fmt.Fprintf(&b, "complete -c assay -n '__fish_seen_subcommand_from %s' -o %s\n", v.name, strings.TrimPrefix(f, "-"))
		}
	}
	return b.String()
}

// man runs "assay man": a manual page made from the help texts.
func (c *command) man(args []string) int {
	if len(args) > 0 {
		return c.usage("assay man: takes no arguments")
	}
	fmt.Fprint(c.stdout, manPage())
	return exitDone
}

// manPage returns the help of all verbs as a manual page.
func manPage() string {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")
	b.WriteString(".TH ASSAY 1\n.SH NAME\nassay \\- writes unit tests for Go\n.SH DESCRIPTION\n.nf\n" + escape.Replace(strings.TrimSpace(usageText)) + "\n.fi\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", strings.ToUpper(v.name), escape.Replace(strings.TrimSpace(v.help)))
	}
	return b.String()
}
