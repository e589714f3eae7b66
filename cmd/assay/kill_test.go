//go:build unix

package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var kills = flag.Int("kills", 2, "how often gen is killed at a random moment; 100 are for a release")

// TestKilled kills gen at random moments. After that each file is the old or the new one, and no temporary
// file is in the module. Temporary files in other directories are removed by a later run, once the children
// of the killed one have ended.
func TestKilled(t *testing.T) {
	dir, bin, tmp := t.TempDir(), t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	assay := filepath.Join(bin, "assay")
	if err := os.Symlink(self, assay); err != nil {
		t.Fatal(err)
	}
	source := func(limit string) {
		t.Helper()
		for name, content := range map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a.go":   "package m\n\n// Big reports whether x is big.\nfunc Big(x int) bool { return x > " + limit + " }\n",
			"b.go":   "package m\n\n// Small reports whether x is small.\nfunc Small(x int) bool { return x < " + limit + " }\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	gen := func() *exec.Cmd {
		cmd := exec.Command(assay, "gen", "-update", "-cache", "off", "-mutate=false", "-timeout="+patience.String())
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
		return cmd
	}
	run := func() map[string]string {
		t.Helper()
		if out, err := gen().CombinedOutput(); err != nil {
			t.Fatalf("gen: %v\n%s", err, out)
		}
		return generated(t, dir)
	}
	source("10")
	old := run()
	source("20")
	start := time.Now()
	fresh := run()
	usual := time.Since(start)
	if len(old) != 2 || len(fresh) != 2 || old["a_assay_test.go"] == fresh["a_assay_test.go"] {
		t.Fatalf("gen wrote %d and %d files", len(old), len(fresh))
	}
	r := rand.New(rand.NewPCG(1, uint64(start.UnixNano())))
	for range *kills {
		for name, content := range old {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := gen()
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(usual))))
		_ = cmd.Process.Kill() // the moment may also be behind the end of gen
		_ = cmd.Wait()
		for name, content := range generated(t, dir) {
			if content != old[name] && content != fresh[name] {
				t.Errorf("%s is neither the old nor the new one:\n%s", name, content)
			}
		}
	}
	// A child of the process that was killed last may still write. Its files can be removed only after it has
	// ended, so the test runs assay several times.
	var left []os.DirEntry
	for range 20 {
		run()
		var err error
		if left, err = os.ReadDir(tmp); err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	if len(left) > 0 {
		t.Errorf("after twenty more runs there are temporary files: %v", left)
	}
}

// generated returns the files in a directory that gen may have written, temporary ones included.
func generated(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, e := range entries {
		if name := e.Name(); strings.Contains(name, "assay") {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(content)
		}
	}
	return out
}
