package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// write writes the files of a module to a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Outside of the workspace, which a link out of it counts as, there is what the analysis alone says; nothing
// is run or written there until the folder joins the workspace.
func TestOutsideOfWorkspace(t *testing.T) {
	above := t.TempDir()
	here, elsewhere := filepath.Join(above, "here"), filepath.Join(above, "elsewhere")
	write(t, here, shopFiles())
	write(t, elsewhere, shopFiles())
	if err := os.Symlink(elsewhere, filepath.Join(here, "link")); err != nil {
		t.Fatal(err)
	}
	e := startIn(t, here)
	for _, name := range []string{"../elsewhere/shop.go", "link/shop.go"} {
		e.open(name, shop)
		e.until("the nil dereference is shown", func() bool { return e.has("shop.go", lineOf(t, shop, "return *p"), "never holds") })
		var lenses []codeLens
		e.call("textDocument/codeLens", e.document(name), &lenses)
		if len(lenses) != 2*4 {
			t.Errorf("%s: %d lenses, want a verdict and the paths of each function", name, len(lenses))
		}
		e.call("codeLens/resolve", lenses[1], &lenses[1])
		if title := lenses[1].Command.Title; title != "3 paths" {
			t.Errorf("%s: the lens of the paths is %q", name, title)
		}
		if actions := e.actionsAt(name, lineOf(t, shop, "func Price")); len(actions) != 0 {
			t.Errorf("%s: actions %+v", name, actions)
		}
		for command := range commands() {
			arguments := []any{e.uri(name), "Price", "x"}
			if err := e.try("workspace/executeCommand", map[string]any{"command": command, "arguments": arguments}, nil); err == nil || !strings.Contains(err.Error(), "outside of the workspace") {
				t.Errorf("%s of %s: %v", command, name, err)
			}
		}
		e.notify("textDocument/didSave", e.document(name))
		e.notify("textDocument/didClose", e.document(name))
		e.until("its diagnostics go", func() bool { return len(e.told["shop.go"]) == 0 })
	}
	e.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]any{"uri": uriOf(elsewhere)}}, "removed": []any{map[string]any{"uri": uriOf(here)}},
	}})
	e.notify("textDocument/didSave", e.document("shop.go"))
	e.notify("textDocument/didSave", e.document("../elsewhere/shop.go"))
	e.until("the package that has joined is checked", func() bool { return slices.Contains(e.stages, "begin assay: checking elsewhere") })
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.stages {
		if strings.HasPrefix(s, "begin ") && s != "begin assay: checking elsewhere" {
			t.Errorf("outside of the workspace: %s", s)
		}
	}
}

// A workspace that the editor has opened by way of a symbolic link.
func TestLinkedWorkspace(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	write(t, dir, shopFiles())
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	e := startIn(t, link)
	e.open("shop.go", shop)
	text := e.edit("shop.go", shop, "package shop\n", "package shop\n\n// π\n")
	e.until("the nil dereference is shown", func() bool { return e.has("shop.go", lineOf(t, text, "return *p"), "never holds") })
	write(t, dir, map[string]string{"shop.go": text})
	e.notify("textDocument/didSave", e.document("shop.go"))
	e.until("the broken contract is shown", func() bool { return e.has("shop.go", lineOf(t, text, "//assay:ensures"), "Half breaks") })
}

// A package whose directory is removed has no diagnostics any more; back again, it has them again.
func TestRemovedPackage(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "shop")
	write(t, dir, shopFiles())
	e := startIn(t, above)
	e.until("the client is asked for changes of files", func() bool { return slices.Contains(e.asked, "client/registerCapability") })
	e.open("shop/shop.go", shop)
	broken := func() bool { return e.has("shop.go", lineOf(t, shop, "return *p"), "never holds") }
	e.until("the nil dereference is shown", broken)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	changed := map[string]any{"changes": []any{map[string]any{"uri": e.uri("shop/shop.go"), "type": 3}, map[string]any{"uri": "x:y"}, map[string]any{"uri": e.uri("none/none.go"), "type": 1}}}
	e.notify("workspace/didChangeWatchedFiles", changed)
	e.until("its diagnostics go", func() bool { return len(e.told["shop.go"]) == 0 })
	if err := e.try("textDocument/codeLens", e.document("shop/shop.go"), nil); err == nil {
		t.Error("a package that is gone has lenses")
	}
	e.notify("textDocument/didSave", e.document("shop/shop.go"))
	write(t, dir, shopFiles())
	e.notify("workspace/didChangeWatchedFiles", changed)
	e.until("they are back", broken)
}

// Requests at the same time, each second of which is cancelled: each has one answer, which is right or says
// that it was cancelled, and the server works on.
func TestConcurrentRequests(t *testing.T) {
	e := start(t, shopFiles())
	e.open("shop.go", shop)
	var all sync.WaitGroup
	for i := range 40 {
		id := jsonrpc2.ID{Num: uint64(10_000 + i)}
		method, params := "textDocument/codeLens", e.document("shop.go")
		if i%4 > 1 {
			method = "textDocument/hover"
			params["position"] = position{Line: lineOf(t, shop, "func Price") - 1}
		}
		all.Go(func() {
			call, err := e.conn.DispatchCall(t.Context(), method, params, jsonrpc2.PickID(id))
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 1 {
				e.notify("$/cancelRequest", map[string]any{"id": id})
			}
			var answer json.RawMessage
			err = call.Wait(t.Context(), &answer)
			var refused *jsonrpc2.Error
			if cancelled := errors.As(err, &refused) && refused.Code == -32800; err != nil && !(cancelled && i%2 == 1) {
				t.Errorf("%s, cancelled %v: %v", method, i%2 == 1, err)
			} else if err == nil && !strings.Contains(string(answer), "proved") {
				t.Errorf("%s: %s", method, answer)
			}
		})
	}
	all.Wait()
	var lenses []codeLens
	e.call("textDocument/codeLens", e.document("shop.go"), &lenses)
	if len(lenses) != 12 {
		t.Errorf("%d lenses after all that, want 12", len(lenses))
	}
}

// Two servers that write tests of one package at the same time take turns, and what both write is there.
func TestTwoServersWrite(t *testing.T) {
	one := start(t, shopFiles())
	two := startIn(t, one.dir)
	var all sync.WaitGroup
	for name, e := range map[string]*editor{"Price": one, "Half": two} {
		all.Go(func() {
			if err := e.try("workspace/executeCommand", map[string]any{"command": cmdWrite, "arguments": []any{e.uri("shop.go"), name}}, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	all.Wait()
	text := one.onDisk("shop_assay_test.go")
	for _, want := range []string{"func TestPrice(", "func TestHalf("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = one.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A panic beside the requests is told in the editor's log, and the server works on.
func TestPanicBesideRequests(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	s := &Server{life: t.Context(), buffers: buffers{open: make(map[string]*buffer)}, folders: make(map[string]*folder)}
	s.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(streams{fromClient, toClient}, jsonrpc2.VSCodeObjectCodec{}), s)
	e := &editor{t: t, told: map[string][]diagnostic{}, count: map[string]int{}, change: make(chan struct{})}
	e.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(streams{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(e))
	for i := range 2 {
		s.background(func() { panic(fmt.Sprintf("no. %d", i)) })
		e.until("it is told", func() bool { return slices.Contains(e.logged, fmt.Sprintf("assay: a bug of assay's: no. %d", i)) })
	}
	if err := e.conn.Close(); err != nil {
		t.Fatal(err)
	}
	toServer.Close()
	s.work.Wait()
}

// A connection reads before its maker has it, so that a message may be handled before the server knows its
// connection: it waits.
func TestMessageBeforeConnection(t *testing.T) {
	fromClient, _ := io.Pipe()
	_, toClient := io.Pipe()
	s := &Server{life: t.Context(), connected: make(chan struct{})}
	handled := make(chan struct{})
	go func() {
		s.Handle(t.Context(), nil, &jsonrpc2.Request{Method: "exit", Notif: true})
		close(handled)
	}()
	select {
	case <-handled:
		t.Error("the message was handled without a connection")
	case <-time.After(20 * time.Millisecond):
	}
	stream := jsonrpc2.NewBufferedStream(streams{fromClient, toClient}, jsonrpc2.VSCodeObjectCodec{})
	s.conn = jsonrpc2.NewConn(t.Context(), stream, s)
	close(s.connected)
	<-handled
	<-s.conn.DisconnectNotify()
}
