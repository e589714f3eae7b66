package main

import (
	"cmp"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// steps runs the steps of a composite action one after the other, as a runner of GitHub does:
// "steps FILE input=value...". Inputs that are not named have their defaults.
func steps(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: steps FILE input=value...")
	}
	text := ts.ReadFile(args[0])
	inputs := defaults(text)
	for _, a := range args[1:] {
		name, value, ok := strings.Cut(a, "=")
		if _, known := inputs[name]; !ok || !known {
			ts.Fatalf("%s has no input %s", args[0], name)
		}
		inputs[name] = value
	}
	env := []string{}
	for _, name := range []string{
		"PATH", "HOME", "TMPDIR", "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "GOFLAGS", "XDG_CACHE_HOME",
		"GITHUB_BASE_REF", "RUNNER_TEMP", "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY",
	} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	ts.Check(os.RemoveAll(ts.Getenv("GITHUB_ENV")))
	ts.Check(os.RemoveAll(ts.Getenv("GITHUB_OUTPUT")))
	ts.Check(os.RemoveAll(ts.Getenv("GITHUB_STEP_SUMMARY")))
	failed := ""
	for _, step := range composite(text) {
		cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", step.run)
		cmd.Dir = ts.MkAbs(expand(cmp.Or(step.dir, "."), inputs))
		cmd.Env = env
		for name, value := range step.env {
			cmd.Env = append(cmd.Env, name+"="+expand(value, inputs))
		}
		if set, err := os.ReadFile(ts.Getenv("GITHUB_ENV")); err == nil {
			cmd.Env = append(cmd.Env, strings.Split(strings.TrimSpace(string(set)), "\n")...)
		}
		out, err := cmd.CombinedOutput()
		ts.Logf("step %s:\n%s", step.name, out)
		if err != nil {
			failed = step.name + ": " + err.Error()
			break
		}
	}
	if (failed != "") != neg {
		ts.Fatalf("the steps of %s: %q, want failure: %v", args[0], failed, neg)
	}
}

// step is a step of an action.
type step struct {
	name, run string
	dir       string // its working directory, "" for that of the job
	env       map[string]string
}

// defaults reads the inputs of an action with their defaults.
func defaults(text string) map[string]string {
	out := map[string]string{}
	_, text, _ = strings.Cut(text, "\ninputs:\n")
	text, _, _ = strings.Cut(text, "\nruns:\n")
	text, _, _ = strings.Cut(text, "\noutputs:\n")
	name := ""
	for line := range strings.Lines(text) {
		if m := regexp.MustCompile(`^  ([\w-]+):\s*$`).FindStringSubmatch(line); m != nil {
			name = m[1]
			out[name] = ""
		}
		if m := regexp.MustCompile(`^    default: (.*)$`).FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			out[name] = strings.Trim(m[1], `"`)
		}
	}
	return out
}

// composite reads the steps of an action.
func composite(text string) []step {
	_, text, _ = strings.Cut(text, "\n  steps:\n")
	var out []step
	for part := range strings.SplitSeq(text, "    - name: ") {
		name, body, ok := strings.Cut(part, "\n")
		if !ok || name == "" {
			continue
		}
		s := step{name: name, env: map[string]string{}}
		in := ""
		for line := range strings.Lines(body) {
			switch trimmed := strings.TrimSpace(line); {
			case strings.HasPrefix(line, "      env:"):
				in = "env"
			case strings.HasPrefix(line, "      working-directory: "):
				s.dir = strings.TrimPrefix(trimmed, "working-directory: ")
			case strings.HasPrefix(line, "      run: |"):
				in = "run"
			case strings.HasPrefix(line, "      run: "):
				s.run = strings.TrimPrefix(trimmed, "run: ")
			case in == "env" && strings.HasPrefix(line, "        "):
				key, value, _ := strings.Cut(trimmed, ": ")
				s.env[key] = value
			case in == "run":
				s.run += strings.TrimPrefix(line, "        ")
			}
		}
		out = append(out, s)
	}
	return out
}

// expand puts inputs into a value; what else the forge knows is empty here.
func expand(value string, inputs map[string]string) string {
	return regexp.MustCompile(`\$\{\{ ([\w.-]+) \}\}`).ReplaceAllStringFunc(value, func(e string) string {
		name := strings.TrimSpace(strings.Trim(e, "${}"))
		if input, ok := strings.CutPrefix(name, "inputs."); ok {
			return inputs[input]
		}
		return ""
	})
}
