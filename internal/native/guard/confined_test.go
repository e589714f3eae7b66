package guard_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native/guard"
)

// Test binaries that run for the user can write only to their own temporary directory, also after they have
// changed their directory, and can start no process. They may read.
func TestConfined(t *testing.T) {
	needConfinement(t)
	root := t.TempDir()
	precious := filepath.Join(root, "precious")
	put := func(name, content string) {
		t.Helper()
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("precious", "1")
	put("m/go.mod", "module example.com/m\n\ngo 1.24\n")
	put("m/m.go", "package m\n")
	put("m/m_test.go", `package m

import (
	"net"
	"os"
	"os/exec"
	"testing"
)

func TestHarm(t *testing.T) {
	for name, err := range map[string]error{
		"remove":  os.Remove("../precious"),
		"write":   os.WriteFile("../precious", nil, 0o666),
		"create":  os.WriteFile("new", nil, 0o666),
		"mode":    os.Chmod("../precious", 0o777),
		"execute": exec.Command("/bin/true").Run(),
		"rename":  os.Rename("../precious", "../gone"),
	} {
		if err == nil {
			t.Error("it can ", name)
		}
	}
	if _, err := net.Dial("udp", "127.0.0.1:53"); err == nil {
		t.Error("it reaches the network")
	}
}

func TestHarmElsewhere(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(".."); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(wd)
	if err := os.RemoveAll("precious"); err == nil {
		t.Error("it can remove")
	}
}

func TestWork(t *testing.T) {
	if _, err := os.ReadFile("m.go"); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(t.TempDir()+"/x", []byte("x"), 0o666); err != nil {
		t.Error(err)
	}
}
`)
	work := t.TempDir()
	policy := guard.Policy{Mode: guard.Require, Read: []string{root}, Write: []string{work}}
	m := filepath.Join(root, "m")
	flag, env, err := guard.GoTest(policy, m)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", flag, "-cover", "-coverprofile="+filepath.Join(work, "c"), ".")
	cmd.Dir = m
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	binary := filepath.Join(work, "m.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Dir = cmd.Dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run, err := guard.Command(t.Context(), policy, m, binary, "-test.run=Harm")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if content, err := os.ReadFile(precious); err != nil || string(content) != "1" {
		t.Errorf("what is the user's is now %q, %v", content, err)
	}
	if entries, err := os.ReadDir(cmd.Dir); err != nil || len(entries) != 3 {
		t.Errorf("the package's directory has %v, %v", entries, err)
	}
	// The tests above would fail without confinement: here nothing is confined, and the harm is done.
	free := exec.Command(binary, "-test.run=TestHarm$")
	free.Dir = cmd.Dir
	var exit *exec.ExitError
	if out, err := free.CombinedOutput(); !errors.As(err, &exit) || !strings.Contains(string(out), "it can ") {
		t.Errorf("unconfined: %v\n%s", err, out)
	}
}
