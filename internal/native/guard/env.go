package guard

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// Environ returns the environment of a test. It has none of the user's variables, only those that programs
// need. README lists them.
func (p *Policy) Environ(dir string) []string {
	home := os.TempDir()
	if len(p.Write) > 0 {
		home = p.Write[0]
	}
	env := []string{
		"HOME=" + home, "TMPDIR=" + home, "TMP=" + home, "TEMP=" + home,
		"PATH=" + p.path(), "TZ=UTC", "PWD=" + dir,
	}
	if runtime.GOOS == "windows" {
		env = append(env, "USERPROFILE="+home, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	for _, set := range p.Env {
		name, _, _ := strings.Cut(set, "=")
		env = slices.DeleteFunc(env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		env = append(env, set)
	}
	return env
}

// path returns the PATH of a test. It is empty unless the test may start programs.
func (p *Policy) path() string {
	if p.Mode == Off {
		return os.Getenv("PATH")
	}
	return ""
}
