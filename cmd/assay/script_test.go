package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goassay/assay/internal/queue"
	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"
)

var slow = flag.Bool("slow", false, "also run the scripts that take minutes")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assay": main, "unconfinable": unconfinable})
}

// TestScript runs the scripts in testdata/script.
func TestScript(t *testing.T) {
	env := goEnv(t)
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	modules, err := goproxytest.NewServer(filepath.Join("testdata", "mod"), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(modules.Close)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "REPO="+repo, "MODPROXY="+modules.URL, "XDG_CACHE_HOME="+filepath.Join(e.WorkDir, ".cache"), "XDG_CONFIG_HOME="+filepath.Join(e.WorkDir, ".config"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "lines": lines, "interrupt": interrupt, "edit": edit, "steps": steps, "samefingerprints": sameFingerprints,
			"server": startServer, "until": until,
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() == 0, nil
			case "slow":
				return *slow, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

// goEnv is what the go command needs to find its caches, which it would otherwise
// look for in the script's empty home directory.
func goEnv(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GOFLAGS=", "GOWORK="}
	for i, v := range strings.Split(strings.TrimRight(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+v)
	}
	return env
}

// patience is the timeout for verbs to which a script gives none, because the result of a script must not
// depend on how fast the machine is.
const patience = 20 * time.Minute

// patient inserts the timeout into assay's arguments. Without -slow it also has the random engine spend as little effort as
// in editors, because that engine takes a third of the time of a run in which something stays uncovered, and what most scripts
// look at does not need more. A script that does sets $EFFORT to full, which effort is then.
func patient(effort string, args []string) []string {
	if len(args) == 0 || !slices.Contains([]string{"gen", "check", "diff", "enum", "explore"}, args[0]) {
		return args
	}
	out := slices.Clone(args)
	if !slices.Contains(args, "-timeout") {
		out = slices.Insert(out, 1, "-timeout="+patience.String())
	}
	if args[0] == "gen" && !*slow && effort != "full" && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-debug") }) {
		out = slices.Insert(out, 1, "-debug=brief")
	}
	return out
}

// status runs assay and checks its exit status: "status 2 gen -run x".
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: status N [args...]")
	}
	err := ts.Exec("assay", patient(ts.Getenv("EFFORT"), args[1:])...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("assay %s: exit status %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// lines checks how many lines a file has: "lines stderr 1".
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if got := fmt.Sprint(strings.Count(ts.ReadFile(args[0]), "\n")); got != args[1] {
		ts.Fatalf("%s has %s lines, want %s:\n%s", args[0], got, args[1], ts.ReadFile(args[0]))
	}
}

// edit replaces text in a file: "edit FILE OLD NEW", where \n in NEW begins a line.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	old := ts.ReadFile(args[0])
	if !strings.Contains(old, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(old, args[1], strings.ReplaceAll(args[2], `\n`, "\n"))), 0o666))
}

// sameFingerprints checks that two SARIF files have results with the same fingerprints:
// "samefingerprints FILE FILE".
func sameFingerprints(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samefingerprints FILE FILE")
	}
	var found [2][]string
	for i, name := range args {
		found[i] = regexp.MustCompile(`"assay/v1": "[0-9a-f]+"`).FindAllString(ts.ReadFile(name), -1)
	}
	if len(found[0]) == 0 || !slices.Equal(found[0], found[1]) {
		ts.Fatalf("%s has %v, %s has %v", args[0], found[0], args[1], found[1])
	}
}

// startServer starts a server for workers, and has $SERVER be its URL: "server".
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: server")
	}
	dir, err := os.MkdirTemp("", "assay-test-server-")
	ts.Check(err)
	s, err := queue.Start(dir)
	ts.Check(err)
	ts.Defer(func() {
		s.Close()
		_ = os.RemoveAll(dir) // a temporary directory that stays behind does no harm
	})
	ts.Setenv("SERVER", s.URL())
}

// until runs assay until its stdout matches: "until RE args...".
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until RE args...")
	}
	re, err := regexp.Compile(args[0])
	ts.Check(err)
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		ts.Check(ts.Exec("assay", args[1:]...))
		if re.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("assay %s never said %s", strings.Join(args[1:], " "), args[0])
		}
	}
}

// interrupt runs assay gen and interrupts it once its stderr or stdout has the text:
// "interrupt TEXT args...". The exit status must be 130; stderr goes to the file
// interrupted.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt TEXT args...")
	}
	exe, err := exec.LookPath(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], "assay"))
	ts.Check(err)
	cmd := exec.Command(exe, patient(ts.Getenv("EFFORT"), args[1:])...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR", "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "GOFLAGS"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var all bytes.Buffer
	r, w, err := os.Pipe()
	ts.Check(err)
	cmd.Stdout, cmd.Stderr = w, w
	ts.Check(cmd.Start())
	ts.Check(w.Close())
	sent := false
	buf := make([]byte, 4096)
	deadline := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }) // the process has ended if the signal cannot be sent
	defer deadline.Stop()
	for {
		n, err := r.Read(buf)
		all.Write(buf[:n])
		if !sent && strings.Contains(all.String(), args[0]) {
			sent = true
			ts.Check(cmd.Process.Signal(syscall.SIGINT))
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	ts.Check(os.WriteFile(ts.MkAbs("interrupted"), all.Bytes(), 0o666))
	if !sent || err == nil || err.Error() != "exit status 130" {
		ts.Fatalf("interrupted: %v (sent %v)\n%s", err, sent, all.String())
	}
}
