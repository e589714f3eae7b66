package mcp

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/goassay/assay/internal/event"
)

const signOld = "package sign\n\n// Sign is the sign of n.\nfunc Sign(n int) int {\n\tif n < 0 {\n\t\treturn -1\n\t}\n\treturn 1\n}\n\n// Twice is 2n.\nfunc Twice(n int) int { return 2 * n }\n"

// signNew is a version with another result of Sign for 0, with the same Twice, and with a new function.
var signNew = strings.NewReplacer("n < 0", "n <= 0", "2 * n", "n + n").Replace(signOld) + "\n// Half is n/2.\nfunc Half(n int) int { return n / 2 }\n"

// versionsOnDisk writes two copies of a module below one root.
func versionsOnDisk(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, src := range map[string]string{"before": signOld, "after": signNew} {
		for file, text := range map[string]string{"go.mod": "module example.com/sign\n\ngo 1.24\n", "sign.go": src} {
			if err := os.MkdirAll(filepath.Join(root, name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, name, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// checkSign checks the differences that were found in signNew.
func checkSign(t *testing.T, what string, got compared) {
	t.Helper()
	if len(got.Differences) != 1 || got.Functions != 2 || got.Unnoticed != 1 {
		t.Fatalf("%s: %+v", what, got)
	}
	if d := got.Differences[0]; d.Func != "Sign" || d.Input != "Sign(0)" || d.Before != "1" || d.After != "-1" || d.NoticedBy == nil || len(d.NoticedBy) > 0 {
		t.Errorf("%s: the difference %+v", what, d)
	}
	if len(got.Same) != 1 || got.Same[0].Func != "Twice" || got.Same[0].Verdict != event.Proved || got.Equal != 1 {
		t.Errorf("%s: the same %+v", what, got.Same)
	}
	if len(got.Added) != 1 || got.Added[0].Func != "Half" || len(got.Added[0].Shown) != 1 || !strings.HasPrefix(got.Added[0].Shown[0].Outcome, "returns ") {
		t.Errorf("%s: new %+v", what, got.Added)
	}
}

func TestDiff(t *testing.T) {
	root := versionsOnDisk(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	s := connect(t, Config{Roots: []string{root}}, "", nil)
	got := must[compared](t, s, "diff", map[string]any{"package": "after", "old": "before"})
	checkSign(t, "with a directory", got)
	one := must[compared](t, s, "diff", map[string]any{"package": "after", "old": "before", "new": "after", "function": "Twice"})
	if len(one.Differences) != 0 || len(one.Same) != 1 {
		t.Errorf("of one function: %+v", one)
	}
	back := must[compared](t, s, "diff", map[string]any{"package": "after", "old": "after", "new": "before", "function": "Sign"})
	if len(back.Differences) != 1 || back.Differences[0].After != "1" {
		t.Errorf("the other way: %+v", back)
	}

	t.Run("git", func(t *testing.T) {
		git, err := exec.LookPath("git")
		if err != nil {
			t.Skip("NOT TESTED: git is not on PATH")
		}
		dir := filepath.Join(root, "before")
		for _, args := range [][]string{{"init", "-q", "-b", "main", "."}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "first"}} {
			cmd := exec.Command(git, args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "sign.go"), []byte(signNew), 0o666); err != nil {
			t.Fatal(err)
		}
		got := must[compared](t, s, "diff", map[string]any{"package": "before"})
		checkSign(t, "with the last commit", got)
		if got.Old != "HEAD" || got.New != "the working tree" {
			t.Errorf("the versions are called %q and %q", got.Old, got.New)
		}
		if _, err := ask[compared](t, s, "diff", map[string]any{"package": "before", "old": "nonsense"}); err == nil || !strings.Contains(err.Error(), "no revision nonsense") {
			t.Errorf("an unknown revision: %v", err)
		}
	})
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

func TestDiffMistakes(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	root := versionsOnDisk(t)
	elsewhere := versionsOnDisk(t)
	for link, to := range map[string]string{"link": filepath.Join(elsewhere, "before"), "after/link2": filepath.Join(elsewhere, "before")} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, Config{Roots: []string{root}}, "", nil)
	for name, tt := range map[string]struct {
		args map[string]any
		want string
	}{
		"a directory outside": {map[string]any{"old": filepath.Join(elsewhere, "before")}, "outside of the roots"},
		"a way outside":       {map[string]any{"old": "../" + filepath.Base(elsewhere) + "/before"}, "outside of the roots"},
		"nothing there":       {map[string]any{"old": "./nothing"}, "no go.mod in it"},
		"itself":              {map[string]any{"old": "after"}, "the same directory"},
		"a link outside":      {map[string]any{"old": "link"}, "outside of the roots"},
		"one in the package":  {map[string]any{"old": "link2"}, "a directory in"},
		"a new one outside":   {map[string]any{"old": "before", "new": filepath.Join(elsewhere, "before")}, "outside of the roots"},
		"no directory as new": {map[string]any{"old": "before", "new": "v2"}, "has to be one with a go.mod, too"},
		"a flag":              {map[string]any{"old": "--output=x"}, "is a flag"},
		"a flag as module":    {map[string]any{"old": "-x@v1", "new": "m@v2"}, "is a flag"},
		"half of a module":    {map[string]any{"old": "example.com/m@v1.0.0"}, "name two versions"},
		"an absolute package": {map[string]any{"package": root, "old": "example.com/m@v1.0.0", "new": "example.com/m@v1.1.0"}, "directory within it"},
		"no such module":      {map[string]any{"package": ".", "old": "example.com/m@v1.0.0", "new": "example.com/m@v1.1.0"}, "example.com/m@v1.0.0"},
		"dots on both sides":  {map[string]any{"old": "a..b", "new": "c"}, "without dots"},
		"no package":          {map[string]any{"package": "none"}, "no such file"},
	} {
		if tt.args["package"] == nil {
			tt.args["package"] = "after"
		}
		if out, err := ask[map[string]any](t, s, "diff", tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v; want %q", name, out, err, tt.want)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "before", "sign.go"), []byte("package sign\n\nfunc F() int { return nothing }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ask[compared](t, s, "diff", map[string]any{"package": "after", "old": "before"}); err == nil || !strings.Contains(err.Error(), "undefined: nothing") {
		t.Errorf("an older version that does not compile: %v", err)
	}
}

// A comparison that is cancelled leaves no files, and it has reported its progress before.
func TestDiffCancelled(t *testing.T) {
	root, tmp := versionsOnDisk(t), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	told := make(chan string, 1000)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { told <- req.Params.Message },
	})
	server, err := New(Config{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	if err := server.Connect(t.Context(), here); err != nil {
		t.Fatal(err)
	}
	s, err := client.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		params := &sdk.CallToolParams{Name: "diff", Arguments: map[string]any{"package": "after", "old": "before", "timeout_seconds": 500}}
		params.SetProgressToken("p1")
		_, err := s.CallTool(ctx, params)
		done <- err
	}()
	select {
	case <-told:
	case err := <-done:
		t.Fatalf("it was over before anything was told: %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	server.Close() // waits until the call has removed its files
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}
