package guard

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// GoEnv returns the environment in which assay runs the go command, given the user's environment (nil means
// this process's). The result is the same environment, changed so that building runs nothing that belongs to
// the package under test: there is no C compiler with the package's flags (cgo), no tool chain other than the
// go command's own, and no version control with the repository's settings. Of GOFLAGS only flags that say
// what to build stay. The others are returned as dropped, because they would run programs (-toolexec, -exec)
// or conflict with assay's own flags (-overlay, -run).
func GoEnv(env []string) (out, dropped []string) {
	if env == nil {
		env = os.Environ()
	}
	var kept []string
	for _, f := range splitFlags(goFlags(env)) {
		name, _, _ := strings.Cut("-"+strings.TrimLeft(f, `"'-`), "=")
		if slices.Contains(keptFlags(), name) {
			kept = append(kept, f)
		} else if name != "-buildvcs" {
			dropped = append(dropped, f)
		}
	}
	// If GOFLAGS were empty, the go command would look into its file of settings.
	flags := strings.Join(append([]string{"-buildvcs=false"}, kept...), " ")
	out = append(env[:len(env):len(env)], "CGO_ENABLED=0", "GOTOOLCHAIN=local", "GOFLAGS="+flags)
	return append(out, collector(env)...), dropped
}

// collector returns variables that make the garbage collector of the go command and of its tools run rarely,
// unless the environment sets its pace. The go command and the linker are started several times for each
// package, live for a fraction of a second, and would spend a quarter of that on garbage that fits into memory
// well. The limit keeps what builds a very large package from taking several times of its live memory.
func collector(env []string) []string {
	if lookup(env, "GOGC") != "" || lookup(env, "GOMEMLIMIT") != "" {
		return nil
	}
	return []string{"GOGC=400", "GOMEMLIMIT=1GiB"}
}

// keptFlags are the flags in GOFLAGS that say what to build and how much of the machine to use.
func keptFlags() []string {
	return []string{"-mod", "-modfile", "-modcacherw", "-tags", "-trimpath", "-p"}
}

// splitFlags splits GOFLAGS as the go command does: at spaces outside of quotes that
// enclose a whole flag.
func splitFlags(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if q := s[:1]; q == `"` || q == "'" {
			if flag, rest, ok := strings.Cut(s[1:], q); ok {
				out, s = append(out, q+flag+q), rest
				continue
			}
		}
		i := strings.IndexAny(s, " \t\r\n")
		if i < 0 {
			i = len(s)
		}
		out, s = append(out, s[:i]), s[i:]
	}
	return out
}

// goFlags returns the GOFLAGS of an environment: the variable, or the setting that "go env -w" has written.
func goFlags(env []string) string {
	if v := lookup(env, "GOFLAGS"); v != "" {
		return v
	}
	file := lookup(env, "GOENV")
	if file == "off" {
		return ""
	}
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return "" // the go command would not find the file either
		}
		file = filepath.Join(dir, "go", "env")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "" // there is no such file
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "GOFLAGS="); ok {
			return v
		}
	}
	return ""
}

// lookup returns the value of a variable. If the variable occurs several times, the last one counts, as in
// os/exec.
func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return ""
}
