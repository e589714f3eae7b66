package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// The module, as it would be published, is installed from a proxy, and the installed program prints its
// version. Every run of the tests makes at least the zip file of the module, because that already refuses
// wrong names and files that are too large.
func TestInstallFromProxy(t *testing.T) {
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	const path, version = "github.com/goassay/assay", "v0.1.0"
	proxy := t.TempDir()
	dir := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile(filepath.Join(repo, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(gomod), "\nreplace ") || strings.Contains(string(gomod), "\nexclude ") {
		t.Error("go.mod has a directive that go install refuses")
	}
	for name, text := range map[string]string{"list": version + "\n", version + ".mod": string(gomod), version + ".info": `{"Version":"` + version + `","Time":"2026-01-02T03:04:05Z"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	err = modzip.CreateFromDir(zip, module.Version{Path: path, Version: version}, repo)
	if closed := zip.Close(); err == nil {
		err = closed
	}
	if err != nil {
		t.Fatal(err)
	}
	if !*slow {
		t.Skip("NOT INSTALLED: building everything anew takes a minute; run with -slow, as .ci/run does")
	}
	bin := t.TempDir()
	cmd := exec.Command("go", "install", path+"/cmd/assay@latest")
	cmd.Dir = t.TempDir()
	out, err := exec.Command("go", "env", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	// The modules are downloaded anew. Without the paths in what is compiled of them, the go command has the rest in
	// its cache.
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0", "GOMODCACHE="+t.TempDir(), "GONOSUMDB=github.com/goassay/*", "GONOSUMCHECK=1",
		"GOPROXY=file://"+filepath.ToSlash(proxy)+","+strings.TrimSpace(string(out)))
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := exec.Command(filepath.Join(bin, "assay"), "version").Output()
	if err != nil || !strings.HasPrefix(string(text), "assay "+version+" ") {
		t.Errorf("%q, %v", text, err)
	}
}
