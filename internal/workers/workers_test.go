package workers

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/lock"
	"github.com/goassay/assay/internal/queue"
)

func open(t *testing.T) *queue.Queue {
	t.Helper()
	q, _ := serve(t)
	return q
}

// serve starts a server, and connects to it.
func serve(t *testing.T) (*queue.Queue, queue.Config) {
	t.Helper()
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	cfg := queue.Config{URL: s.URL(), Version: "v1"}
	return connect(t, cfg), cfg
}

func connect(t *testing.T, cfg queue.Config) *queue.Queue {
	t.Helper()
	q, err := queue.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// A worker refuses a task with a digest that is none, with a file that is missing or has another content, or with
// a name that leads out of the module, and writes nothing but what is in the list.
func TestWorker_refuses(t *testing.T) {
	q := open(t)
	put := func(m bundle.Manifest) string {
		digest, err := q.PutBlob(t.Context(), m.Encode())
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	if _, err := q.PutBlob(t.Context(), []byte("module m\n")); err != nil {
		t.Fatal(err)
	}
	mod := bundle.File{Name: "go.mod", Size: 9, Digest: bundle.Digest([]byte("module m\n"))}
	w := &Worker{Name: "w", Log: slog.New(slog.DiscardHandler), Dir: t.TempDir()}
	leave, err := w.settle()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	of := func(files ...bundle.File) (m bundle.Manifest) {
		for _, f := range files {
			m.Packs = append(m.Packs, bundle.Pack{Digest: f.Digest, Files: []bundle.File{f}})
		}
		return m
	}
	for _, tt := range []struct {
		want string
		b    body
	}{
		{`"../../etc/passwd" is no digest`, body{Module: "../../etc/passwd"}},
		{"blob", body{Module: bundle.Digest([]byte("not there"))}},
		{`a file named "../go.mod"`, body{Module: put(of(bundle.File{Name: "../go.mod", Size: mod.Size, Digest: mod.Digest}))}},
		{`is no digest`, body{Module: put(of(bundle.File{Name: "go.mod", Size: 1, Digest: "x/y"}))}},
		{"is not what its digest says", body{Module: put(of(bundle.File{Name: "go.mod", Size: 8, Digest: mod.Digest}))}},
		{"is no file of gen's", body{Module: put(of(mod)), Task: campaign.Task{
			Package: "m", Dir: ".", Own: []campaign.OwnFile{{Name: "../x_assay_test.go", Content: []byte("package x\n")}}}}},
		{"is no file of gen's", body{Module: put(of(mod)), Task: campaign.Task{
			Package: "m", Dir: "..", Own: []campaign.OwnFile{{Name: "x_assay_test.go", Content: []byte("package x\n")}}}}},
	} {
		data, err := json.Marshal(tt.b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.do(t.Context(), q, data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("do = %v, want %s", err, tt.want)
		}
	}
	if _, err := w.do(t.Context(), q, []byte("{")); err == nil {
		t.Error("half of a task was done")
	}
	var left []string
	err = filepath.WalkDir(w.Dir, func(name string, e fs.DirEntry, err error) error {
		if !e.IsDir() && filepath.Base(filepath.Dir(name)) != "blobs" {
			left = append(left, name)
		}
		return err
	})
	if want := filepath.Join(w.place, "go.mod"); err != nil || len(left) != 1 || left[0] != want {
		t.Errorf("left are %v, want the last module's %s (%v)", left, want, err)
	}
}

// A coordinator does not send files of assay's own, and sends tasks only for packages of its module.
func TestCoordinator(t *testing.T) {
	q := open(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n", "m_assay_test.go": "package m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := NewCoordinator(t.Context(), q, dir)
	if err != nil {
		t.Fatal(err)
	}
	sent := func() {
		t.Helper()
		list, err := q.Blob(t.Context(), c.module)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bundle.Decode(list)
		if err != nil {
			t.Fatal(err)
		}
		if files := slices.Collect(m.Files()); len(files) != 2 || files[0].Name != "go.mod" || files[1].Name != "m.go" {
			t.Errorf("sent was %v", files)
		}
		for _, p := range m.Packs {
			if _, err := q.Blob(t.Context(), p.Digest); err != nil {
				t.Error(err)
			}
		}
	}
	sent()
	if _, err := c.Do(t.Context(), [32]byte{}, t.TempDir(), campaign.Task{Package: "other"}); err == nil || !strings.Contains(err.Error(), "is not of the module") {
		t.Errorf("Do = %v", err)
	}
	if _, err := NewCoordinator(t.Context(), q, t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no go.mod here") {
		t.Errorf("without a module: %v", err)
	}
}

// A package that compiles where it was sent from, and not at the worker, is an error that says what the worker
// needs, and names files as they are in the module.
func TestWorker_lacksModule(t *testing.T) {
	q := open(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n\nimport _ \"example.org/none\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := NewCoordinator(t.Context(), q, dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{Name: "w", Log: slog.New(slog.DiscardHandler), Dir: t.TempDir()}
	leave, err := w.settle()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	data, err := json.Marshal(body{Module: c.module, Task: campaign.Task{Package: "m", Dir: ".", Bound: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.do(t.Context(), q, data)
	if err == nil || !strings.HasPrefix(err.Error(), "m does not compile at a worker, which needs the same Go and the modules that are required (by GOPROXY and so on, or from your vendor directory): m.go:3:") {
		t.Errorf("do = %v", err)
	}
}

// If the server comes back without its data, a coordinator sends the files again before it submits the job
// again. If the files are not what they were, it says so at once.
func TestCoordinator_emptyServer(t *testing.T) {
	q, cfg := serve(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.24\n")
	write("m.go", "package m\n")
	c, err := NewCoordinator(t.Context(), q, dir)
	if err != nil {
		t.Fatal(err)
	}
	empty := func() {
		t.Helper()
		if err := queue.Reset(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		connect(t, cfg) // this sets it up anew
	}
	empty()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_ = q.Work(ctx, "worker", func(ctx context.Context, _ queue.Job, data []byte) ([]byte, error) { // it ends with ctx
			var b body
			if err := json.Unmarshal(data, &b); err != nil {
				return nil, err
			}
			return q.Blob(ctx, b.Module)
		})
	}()
	out, err := c.Do(t.Context(), [32]byte{1}, dir, campaign.Task{Package: "m"})
	if err != nil || bundle.Digest(out) != c.module {
		t.Errorf("Do = %q, %v", out, err)
	}
	empty()
	write("m.go", "package m // edited\n")
	if _, err := c.Do(t.Context(), [32]byte{2}, dir, campaign.Task{Package: "m"}); err == nil || !strings.Contains(err.Error(), "m.go was changed while it was sent to workers: try again") {
		t.Errorf("Do = %v", err)
	}
}

// The build cache knows what was built in a directory before. So a worker unpacks all jobs in one directory,
// which a later worker uses again; and two workers at the same time have two.
func TestDirectories(t *testing.T) {
	if !lock.Supported {
		t.Skip("NOT TESTED: there are no locks here, and directories have other names each time")
	}
	dir := t.TempDir()
	settle := func() (*Worker, func()) {
		t.Helper()
		w := &Worker{Dir: dir}
		leave, err := w.settle()
		if err != nil {
			t.Fatal(err)
		}
		return w, leave
	}
	first, leave := settle()
	second, leaveSecond := settle()
	defer leaveSecond()
	if first.place == second.place {
		t.Errorf("two workers unpack to %s", first.place)
	}
	leave()
	third, leaveThird := settle()
	defer leaveThird()
	if third.place != first.place {
		t.Errorf("a later worker unpacks to %s and not to %s", third.place, first.place)
	}
}

// A worker that was given no directory uses one that an earlier worker has used.
func TestOwnDir(t *testing.T) {
	if !lock.Supported {
		t.Skip("NOT TESTED: there are no locks here")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	own := func() (string, func()) {
		t.Helper()
		dir, release, err := OwnDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return dir, release
	}
	a, releaseA := own()
	b, releaseB := own()
	if a == b {
		t.Errorf("two workers have %s", a)
	}
	releaseA()
	if left, err := os.ReadDir(a); err != nil || len(left) > 0 {
		t.Errorf("left in %s: %v, %v", a, left, err)
	}
	c, releaseC := own()
	if c != a {
		t.Errorf("the next worker has %s and not %s", c, a)
	}
	releaseB()
	releaseC()
}

// If the store of the server is full when the files of a module are to be sent, the user is told what to do, and a task is
// done once there is room.
func TestCoordinator_fullServer(t *testing.T) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 20, NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	const size = 100 << 10
	other := connect(t, queue.Config{URL: s.ClientURL(), Version: "v1"})
	for i := range 100 {
		if _, err = other.PutBlob(t.Context(), append(make([]byte, size/2), byte(i))); err != nil {
			break
		}
	}
	if err == nil {
		t.Fatal("the server takes any number of bytes")
	}
	notices := make(chan string, 1)
	q := connect(t, queue.Config{URL: s.ClientURL(), Version: "v1", Notice: func(text string) { notices <- text }})
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m //" + strings.Repeat("-", size)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := NewCoordinator(t.Context(), q, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "the server at " + s.ClientURL() + " does not take files at present, and is asked again: insufficient resources (give its store more room, or empty it: assay jobs reset)"
	if text := <-notices; text != want {
		t.Errorf("the notice is %q, want %q", text, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_ = q.Work(ctx, "worker", func(ctx context.Context, _ queue.Job, _ []byte) ([]byte, error) { // it ends with ctx
			return q.Blob(ctx, c.module)
		})
	}()
	go func() {
		time.Sleep(200 * time.Millisecond) // the files are refused once more, or not yet sent again
		nc, err := nats.Connect(s.ClientURL())
		if err != nil {
			t.Error(err)
			return
		}
		defer nc.Close()
		js, err := jetstream.New(nc)
		if err != nil {
			t.Error(err)
			return
		}
		blobs, err := js.Stream(ctx, "OBJ_assay_blobs")
		if err == nil {
			err = blobs.Purge(ctx)
		}
		if err != nil {
			t.Error(err)
		}
	}()
	out, err := c.Do(t.Context(), [32]byte{1}, dir, campaign.Task{Package: "m"})
	if err != nil || bundle.Digest(out) != c.module {
		t.Errorf("Do = %q, %v", out, err)
	}
}
