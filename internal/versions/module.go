package versions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// modules takes two versions of a module, which the go command has or downloads.
func (t *Two) modules(ctx context.Context, args []string) error {
	if len(args) < 2 || !IsModule(args[1]) {
		return mistake("%s: name the version to compare it with, too, as in %s %s@v2.0.0", args[0], args[0], args[0][:strings.Index(args[0], "@")])
	}
	for i, v := range []*Version{&t.Old, &t.New} {
		if err := t.module(ctx, v, args[i]); err != nil {
			return err
		}
	}
	t.Patterns = args[2:]
	return nil
}

// module puts a version of a module into a temporary directory, together with everything that it depends on.
func (t *Two) module(ctx context.Context, v *Version, name string) error {
	root, err := t.tempDir()
	if err != nil {
		return err
	}
	out, err := goCommand(ctx, root, "mod", "download", "-json", name)
	var got struct{ Path, Version, Dir, Error string }
	if jerr := json.Unmarshal(out, &got); jerr != nil && err == nil {
		err = jerr
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case got.Error != "":
		return mistake("%s", firstLine(got.Error))
	case err != nil:
		return mistake("%s: %v", name, err)
	}
	v.Name, v.Key, v.Dir, v.root = got.Path+"@"+got.Version, got.Path+"@"+got.Version, root, root
	if err := copyTree(root, got.Dir); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		// The version comes from a time before modules. The go command assumes the language of go1.16 then.
		if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+got.Path+"\n\ngo 1.16\n"), 0o644); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(root, "vendor", "modules.txt")); err == nil {
		return nil // everything that it depends on is there
	}
	// Dependencies of the module's tests may be missing in its go.sum. If something is still missing
	// afterwards, loading its packages reports it.
	if _, err := goCommand(ctx, root, "list", "-mod=mod", "-e", "-deps", "-test", "-f", "{{.ImportPath}}", "./..."); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// goCommand runs the go command in a directory and returns its output, also if it fails.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off", "CGO_ENABLED=0", "GOTOOLCHAIN=local")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, errors.New("the go command is not on PATH")
		}
		return nil, errors.New(firstLine(stderr.String() + "\n" + err.Error()))
	}
	return out, err
}

// firstLine returns the first line that is not empty.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "go: downloading") {
			return strings.TrimPrefix(line, "go: ")
		}
	}
	return text
}

// copyTree copies files and directories. The copies can be written even if the originals are read-only.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !e.Type().IsRegular() {
			return nil
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close() // the file was only read, so nothing can be lost
		out, err := os.Create(target)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		if err = errors.Join(err, out.Close()); err != nil {
			return fmt.Errorf("copying %s: %w", rel, err)
		}
		return nil
	})
}
