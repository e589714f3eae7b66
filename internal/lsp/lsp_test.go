package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/goassay/assay/internal/load"
)

const shop = `package shop

// Price is what n pieces cost.
func Price(n int, member bool) int {
	if n <= 0 {
		return 0
	}
	p := n * 7
	if member {
		p -= 3
	}
	return p
}

// Divide divides, which nobody should do by zero.
func Divide(a, b int) (int, error) { return a / b, nil }

// Never is broken wherever it is called.
func Never() int {
	var p *int
	return *p
}

// Half halves even numbers.
//
//assay:requires n >= 0
//assay:ensures result+result == n
func Half(n int) int { return n / 2 }
`

// editor is a client. It keeps the server's notifications and answers.
type editor struct {
	t      *testing.T
	conn   *jsonrpc2.Conn
	dir    string
	ended  chan error
	mu     sync.Mutex
	told   map[string][]diagnostic // by base name, the last
	count  map[string]int          // how often diagnostics were published
	shown  []string                // messages
	stages []string                // of progress
	logged []string                // messages for the log
	asked  []string                // methods that the server has called
	tokens []string
	change chan struct{}
}

// Handle implements jsonrpc2.Handler.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	e.mu.Lock()
	if !req.Notif {
		e.asked = append(e.asked, req.Method)
	}
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Diagnostics []diagnostic
		}
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		name := filepath.Base(p.URI)
		e.told[name] = p.Diagnostics
		e.count[name]++
	case "window/showMessage":
		var p struct{ Message string }
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.shown = append(e.shown, p.Message)
	case "window/logMessage":
		var p struct{ Message string }
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.logged = append(e.logged, p.Message)
	case "window/workDoneProgress/create":
		var p struct{ Token string }
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.tokens = append(e.tokens, p.Token)
	case "$/progress":
		var p struct {
			Value struct{ Kind, Title, Message string }
		}
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.stages = append(e.stages, p.Value.Kind+" "+p.Value.Title+p.Value.Message)
	}
	close(e.change)
	e.change = make(chan struct{})
	e.mu.Unlock()
	if !req.Notif {
		if err := conn.Reply(ctx, req.ID, nil); err != nil && ctx.Err() == nil {
			e.t.Log(err)
		}
	}
}

// start starts a server with a client on a new module.
func start(t *testing.T, files map[string]string) *editor {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return startIn(t, dir)
}

func startIn(t *testing.T, dir string) *editor {
	t.Helper()
	e := &editor{t: t, dir: dir, told: map[string][]diagnostic{}, count: map[string]int{}, change: make(chan struct{}), ended: make(chan error, 1)}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() { e.ended <- Run(context.Background(), Config{Timeout: 20 * time.Minute}, fromClient, toClient) }()
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(streams{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(e))
	e.call("initialize", map[string]any{"rootUri": uriOf(dir), "capabilities": map[string]any{
		"window":    map[string]any{"workDoneProgress": true},
		"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}},
	}}, nil)
	e.notify("initialized", map[string]any{})
	t.Cleanup(func() {
		e.conn.Close()
		toServer.Close()
	})
	return e
}

func (e *editor) uri(name string) string { return uriOf(filepath.Join(e.dir, name)) }

// try calls a method.
func (e *editor) try(method string, params, result any) error {
	return e.conn.Call(e.t.Context(), method, params, result)
}

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	if err := e.try(method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) open(name, text string) {
	e.t.Helper()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "version": 1, "text": text}})
}

// document returns the parameters of a request about a document.
func (e *editor) document(name string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}
}

// edit replaces text in a file, as typed.
func (e *editor) edit(name, all, old, new string) string {
	e.t.Helper()
	i := strings.Index(all, old)
	if i < 0 {
		e.t.Fatalf("no %q", old)
	}
	at := func(offset int) position {
		line := strings.Count(all[:offset], "\n")
		return positionAt([]byte(all), line+1, offset-strings.LastIndexByte(all[:offset], '\n'))
	}
	e.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": e.uri(name), "version": 2},
		"contentChanges": []any{map[string]any{"range": span{at(i), at(i + len(old))}, "text": new}},
	})
	return all[:i] + new + all[i+len(old):]
}

// until waits until the client's notifications meet a condition.
func (e *editor) until(what string, ok func() bool) {
	e.t.Helper()
	for {
		e.mu.Lock()
		done, change := ok(), e.change
		e.mu.Unlock()
		if done {
			return
		}
		select {
		case <-change:
		case <-e.t.Context().Done():
			e.t.Fatalf("the test ends before %s", what)
		case <-time.After(10 * time.Minute):
			e.t.Fatalf("never: %s; told %+v, shown %v", what, e.told, e.shown)
		}
	}
}

// has reports whether a file has a diagnostic at a line (from 1) whose message contains a text.
func (e *editor) has(name string, line int, text string) bool {
	return slices.ContainsFunc(e.told[name], func(d diagnostic) bool {
		return d.Range.Start.Line == line-1 && strings.Contains(d.Message, text)
	})
}

// lineOf returns the line of the subject that begins with a text, apart from indentation.
func lineOf(t *testing.T, all, text string) int {
	t.Helper()
	for i, l := range strings.Split(all, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), text) {
			return i + 1
		}
	}
	t.Fatalf("no line %q", text)
	return 0
}

func shopFiles() map[string]string {
	return map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": shop}
}

// While the user types, there are diagnostics of the static analysis alone, for the text that is not saved.
// They stay if the code does not compile for a moment.
func TestTyping(t *testing.T) {
	e := start(t, shopFiles())
	e.open("shop.go", shop)
	e.until("the nil dereference is shown", func() bool { return e.has("shop.go", lineOf(t, shop, "return *p"), "never holds") })

	text := e.edit("shop.go", shop, "package shop\n", "package shop\n\n// π😀\n")
	e.until("it moves with its line", func() bool { return e.has("shop.go", lineOf(t, text, "return *p"), "never holds") })
	e.mu.Lock()
	before := e.count["shop.go"]
	e.mu.Unlock()

	broken := e.edit("shop.go", text, "return *p", "return *")
	fixed := e.edit("shop.go", broken, "return *", "return *p /* 😀 */")
	fixed = e.edit("shop.go", fixed, "var p *int", "p := new(int)")
	e.until("it goes", func() bool { return len(e.told["shop.go"]) == 0 })
	e.mu.Lock()
	if n := e.count["shop.go"] - before; n > 1 {
		t.Errorf("diagnostics were published %d times on the way, want once", n)
	}
	e.mu.Unlock()
	if onDisk, err := os.ReadFile(filepath.Join(e.dir, "shop.go")); err != nil || string(onDisk) != shop {
		t.Error("the file on disk has changed")
	}
	e.notify("textDocument/didClose", e.document("shop.go"))
	_ = fixed
}

// On save the code is checked. A finding of the run comes with the calls that lead to it, and there are
// actions that write a test of the finding or accept the finding.
func TestSave(t *testing.T) {
	e := start(t, shopFiles())
	e.open("shop.go", shop)
	e.notify("textDocument/didSave", e.document("shop.go"))
	half := lineOf(t, shop, "//assay:ensures")
	e.until("the broken contract is shown", func() bool { return e.has("shop.go", half, "Half breaks") })
	e.mu.Lock()
	i := slices.IndexFunc(e.told["shop.go"], func(d diagnostic) bool { return strings.Contains(d.Message, "Half breaks") })
	d := e.told["shop.go"][i]
	e.mu.Unlock()
	if d.Severity != severityError || !strings.Contains(d.Message, "Half(1)") || d.Data == nil || d.Data.Test == "" {
		t.Errorf("the diagnostic is %+v", d)
	}
	e.until("progress is told to its end", func() bool {
		return slices.ContainsFunc(e.stages, func(s string) bool { return strings.HasPrefix(s, "begin assay: checking") }) &&
			slices.ContainsFunc(e.stages, func(s string) bool { return strings.HasPrefix(s, "end") })
	})

	var actions []codeAction
	e.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.uri("shop.go")}, "range": d.Range, "context": map[string]any{"diagnostics": []diagnostic{d}, "only": []string{"quickfix"}},
	}, &actions)
	if len(actions) != 2 || actions[0].Edit == nil || actions[1].Command == nil || actions[1].Command.Command != cmdBaseline {
		t.Fatalf("actions %+v", actions)
	}
	edit, err := json.Marshal(actions[0].Edit)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(edit); !strings.Contains(s, "shop_bug1_test.go") || !strings.Contains(s, "func TestHalf_bug1") || strings.Contains(s, "DO NOT EDIT") {
		t.Errorf("the edit is %s", s)
	}
	e.call("workspace/executeCommand", actions[1].Command, nil)
	if text, err := os.ReadFile(filepath.Join(e.dir, "assay.baseline")); err != nil || !strings.Contains(string(text), "example.com/shop Half contract: ") {
		t.Errorf("the baseline is %q, %v", text, err)
	}
	e.until("what was accepted goes", func() bool { return !e.has("shop.go", half, "Half breaks") })

	// Results of the check are not shown for code that has changed since.
	text := e.edit("shop.go", shop, "return n / 2", "return n - n/2")
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri("shop.go")}, "contentChanges": []any{map[string]any{"text": text}}})
	e.call("textDocument/codeLens", e.document("shop.go"), nil)
}

func TestLensesHoverAndCommands(t *testing.T) {
	e := start(t, shopFiles())
	e.open("shop.go", shop)
	var lenses []codeLens
	e.call("textDocument/codeLens", e.document("shop.go"), &lenses)
	line := lineOf(t, shop, "func Price") - 1
	titles := func() (all []string) {
		for _, l := range lenses {
			if l.Range.Start.Line != line {
				continue
			}
			if l.Command == nil {
				e.call("codeLens/resolve", l, &l)
			}
			all = append(all, l.Command.Title)
		}
		return all
	}
	if got := strings.Join(titles(), " | "); got != "proved | 3 paths, 3 without a test | write tests" {
		t.Errorf("lenses %s", got)
	}
	var h hover
	e.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": e.uri("shop.go")}, "position": position{Line: line, Character: 6}}, &h)
	if h.Contents.Kind != "markdown" || !strings.Contains(h.Contents.Value, "| `n <= 0` |") || strings.Count(h.Contents.Value, "\n| `") != 3 {
		t.Errorf("hover %+v", h)
	}
	var none *hover
	e.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": e.uri("shop.go")}, "position": position{Line: 1}}, &none)
	if none != nil {
		t.Errorf("hover over nothing: %+v", none)
	}
	// Tests are written only for the code that is on disk.
	text := e.edit("shop.go", shop, "7", "8")
	command := map[string]any{"command": cmdWrite, "arguments": []any{e.uri("shop.go"), "Price"}}
	if err := e.try("workspace/executeCommand", command, nil); err == nil || !strings.Contains(err.Error(), "save shop.go first") {
		t.Errorf("writing tests for what is not saved: %v", err)
	}
	var in struct{ Verdict, Call string }
	reach := map[string]any{"command": cmdInput, "arguments": []any{e.uri("shop.go"), lineOf(t, shop, "p -= 3")}}
	e.call("workspace/executeCommand", reach, &in)
	if in.Verdict != "found" || !strings.HasPrefix(in.Call, "Price(") {
		t.Errorf("the input for a line is %+v", in)
	}
	if err := os.WriteFile(filepath.Join(e.dir, "shop.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didSave", e.document("shop.go"))
	var out written
	e.call("workspace/executeCommand", command, &out)
	if len(out.Tests) == 0 || len(out.Files) != 1 || filepath.Base(out.Files[0]) != "shop_assay_test.go" {
		t.Errorf("written %+v", out)
	}
	if _, err := os.Stat(filepath.Join(e.dir, "shop_assay_test.go")); err != nil {
		t.Error(err)
	}
	e.until("it is said", func() bool {
		return slices.ContainsFunc(e.shown, func(s string) bool { return strings.Contains(s, "for Price in shop_assay_test.go") })
	})
	e.call("textDocument/codeLens", e.document("shop.go"), &lenses)
	if got := strings.Join(titles(), " | "); got != "proved | 3 paths | write tests" {
		t.Errorf("lenses after tests were written: %s", got)
	}
	branch := map[string]any{"command": cmdBranch, "arguments": []any{e.uri("shop.go"), lineOf(t, shop, "p -= 3")}}
	e.call("workspace/executeCommand", branch, &out)
	if len(out.Tests) == 0 {
		t.Errorf("written for a branch: %+v", out)
	}
}

func TestInlayHints(t *testing.T) {
	src := "package p\n\n//assay:assume\nfunc assume(ok bool) {}\n\nfunc F(n int) int {\n\tassume(n > 0)\n\tif n <= 0 {\n\t\treturn 1\n\t}\n\treturn 10 / n\n}\n"
	e := start(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": src})
	e.open("p.go", src)
	var lenses []codeLens
	e.call("textDocument/codeLens", e.document("p.go"), &lenses)
	for _, l := range lenses {
		if l.Data != nil {
			e.call("codeLens/resolve", l, nil)
		}
	}
	ask := func() (hints []inlayHint) {
		params := e.document("p.go")
		params["range"] = span{End: position{Line: 100}}
		e.call("textDocument/inlayHint", params, &hints)
		return hints
	}
	if h := ask(); len(h) != 1 || h[0].Position.Line != 7 || h[0].Label != "unreachable: n <= 0" {
		t.Errorf("hints %+v", h)
	}
}

func TestBadInput(t *testing.T) {
	e := start(t, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": shop, "a.txt": "x"})
	if err := e.try("textDocument/foldingRange", e.document("shop.go"), nil); err == nil || !strings.Contains(err.Error(), "no method") {
		t.Errorf("an unknown method: %v", err)
	}
	for _, tt := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/codeLens", 7, "cannot unmarshal"},
		{"textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": "http://x/y.go"}}, "not a file"},
		{"textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": "%zz"}}, "invalid URL"},
		{"workspace/executeCommand", map[string]any{"command": "rm"}, "no command rm"},
		{"workspace/executeCommand", map[string]any{"command": cmdWrite}, "argument 1 is missing"},
		{"workspace/executeCommand", map[string]any{"command": cmdWrite, "arguments": []any{e.uri("shop.go")}}, "argument 2 is missing"},
		{"workspace/executeCommand", map[string]any{"command": cmdWrite, "arguments": []any{e.uri("shop.go"), "Nothing"}}, "matches no function"},
		{"workspace/executeCommand", map[string]any{"command": cmdInput, "arguments": []any{e.uri("shop.go"), 1}}, "in no function"},
		{"textDocument/codeLens", e.document("../gone/x.go"), "no such file"},
	} {
		if err := e.try(tt.method, tt.params, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %v: %v, want %q", tt.method, tt.params, err, tt.want)
		}
	}
	// Notifications of nonsense.
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri("shop.go")}, "contentChanges": []any{map[string]any{"text": "x"}}})
	e.notify("textDocument/didOpen", 7)
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri("a.txt"), "text": "x"}})
	e.notify("$/cancelRequest", map[string]any{"id": 999})
	e.notify("$/whatever", nil)
	e.open("shop.go", shop)
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri("shop.go")}, "contentChanges": []any{
		map[string]any{"range": span{position{900, 0}, position{901, 7}}, "text": "// the end\n"},
		map[string]any{"range": span{position{3, 5}, position{1, 0}}, "text": "backwards"},
	}})
	var lenses []codeLens
	e.call("textDocument/codeLens", e.document("shop.go"), &lenses)
	if len(lenses) != 12 {
		t.Errorf("%d lenses after all that, want 12", len(lenses))
	}
	// A package that is deleted.
	if err := os.Remove(filepath.Join(e.dir, "shop.go")); err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didClose", e.document("shop.go"))
	e.notify("textDocument/didSave", e.document("shop.go"))
	if err := e.try("workspace/executeCommand", map[string]any{"command": cmdWrite, "arguments": []any{e.uri("shop.go"), "Price"}}, nil); err == nil {
		t.Error("tests were written for a package that is gone")
	}
	e.call("shutdown", nil, nil)
	if err := e.try("textDocument/codeLens", e.document("shop.go"), nil); err == nil || !strings.Contains(err.Error(), "shutting down") {
		t.Errorf("after the shutdown: %v", err)
	}
	e.notify("exit", nil)
	if err := <-e.ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
}

func TestCancellation(t *testing.T) {
	e := start(t, shopFiles())
	e.open("shop.go", shop)
	done := make(chan error, 1)
	go func() {
		done <- e.try("workspace/executeCommand", map[string]any{"command": cmdWrite, "arguments": []any{e.uri("shop.go"), "Price"}}, nil)
	}()
	e.until("it works", func() bool {
		return slices.ContainsFunc(e.stages, func(s string) bool { return strings.HasPrefix(s, "report build") })
	})
	e.mu.Lock()
	token := e.tokens[len(e.tokens)-1]
	e.mu.Unlock()
	e.notify("window/workDoneProgress/cancel", map[string]any{"token": token})
	if err := <-done; err == nil {
		t.Error("a cancelled command has an answer")
	}
	if _, err := os.Stat(filepath.Join(e.dir, "shop_assay_test.go")); err == nil {
		t.Error("tests were written by a cancelled command")
	}
	// Two servers on one module do not disturb each other.
	other := startIn(t, e.dir)
	other.open("shop.go", shop)
	var a, b []codeLens
	e.call("textDocument/codeLens", e.document("shop.go"), &a)
	other.call("textDocument/codeLens", other.document("shop.go"), &b)
	if len(a) != 12 || len(b) != 12 {
		t.Errorf("%d and %d lenses", len(a), len(b))
	}
}

// A file of 50,000 lines has its diagnostics and lenses.
func TestLargeFile(t *testing.T) {
	// The file looks like generated code: functions, and a long table.
	src := manyFunctions(200, 10) + "\nvar table = []string{\n" + strings.Repeat("\t\"a line of a table\",\n", 50_000) + "}\n"
	e := start(t, map[string]string{"go.mod": "module example.com/big\n\ngo 1.24\n", "big.go": src})
	e.open("big.go", src)
	var lenses []codeLens
	e.call("textDocument/codeLens", e.document("big.go"), &lenses)
	if len(lenses) != 3*200 {
		t.Errorf("%d lenses", len(lenses))
	}
	e.edit("big.go", src, "package big\n", "package big\n\nfunc Never() int {\n\tvar p *int\n\treturn *p\n}\n")
	e.until("what is typed is seen", func() bool { return e.has("big.go", 5, "never holds") })
}

// manyFunctions returns a package of n functions with the given number of lines each.
func manyFunctions(n, lines int) string {
	var b strings.Builder
	b.WriteString("package big\n")
	for i := range n {
		fmt.Fprintf(&b, "\nfunc F%d(xs []int, n int) int {\n\tsum := %d\n", i, i)
		for range lines - 8 {
			b.WriteString("\tsum++\n")
		}
		b.WriteString("\tif n >= 0 && n < len(xs) {\n\t\treturn 10 / n + sum\n\t}\n\treturn sum\n}\n")
	}
	return b.String()
}

// This benchmark measures the figures of docs/benchmarks.md for opening a file of a package of 200
// functions, and for an edit.
func BenchmarkDiagnostics(b *testing.B) {
	dir := b.TempDir()
	src := manyFunctions(200, 20) + "\nfunc Never() int {\n\tvar p *int\n\treturn *p\n}\n"
	for name, text := range map[string]string{"go.mod": "module example.com/big\n\ngo 1.24\n", "big.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	s := &Server{cfg: Config{}, life: b.Context(), buffers: buffers{open: make(map[string]*buffer)}}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := analyse(b.Context(), s.loading(dir), make(verdicts)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("types", func(b *testing.B) { // what the type-checker's part of an edit takes
		for i := 0; b.Loop(); i++ {
			s.buffers.set(filepath.Join(dir, "big.go"), []byte(strings.Replace(src, "sum := 7\n", fmt.Sprintf("sum := %d\n", 7+i), 1)), false)
			if _, err := load.Load(b.Context(), s.loading(dir), "."); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("edit", func(b *testing.B) {
		kept := make(verdicts)
		if _, err := analyse(b.Context(), s.loading(dir), kept); err != nil {
			b.Fatal(err)
		}
		i := 0
		for b.Loop() {
			i++
			s.buffers.set(filepath.Join(dir, "big.go"), []byte(strings.Replace(src, "sum := 7\n", fmt.Sprintf("sum := %d\n", 7+i), 1)), false)
			if _, err := analyse(b.Context(), s.loading(dir), kept); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// This benchmark measures the figure of docs/benchmarks.md for the command that writes tests of one
// function, if the build cache already has what the harness needs.
func BenchmarkWriteTests(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": shop} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	defer toServer.Close()
	go func() { _ = Run(b.Context(), Config{}, fromClient, toClient) }() // it ends with the benchmark
	nothing := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	conn := jsonrpc2.NewConn(b.Context(), jsonrpc2.NewBufferedStream(streams{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(nothing))
	defer conn.Close()
	if err := conn.Call(b.Context(), "initialize", map[string]any{"rootUri": uriOf(dir)}, nil); err != nil {
		b.Fatal(err)
	}
	command := map[string]any{"command": cmdWrite, "arguments": []any{uriOf(filepath.Join(dir, "shop.go")), "Price"}}
	for b.Loop() {
		if err := conn.Call(b.Context(), "workspace/executeCommand", command, nil); err != nil {
			b.Fatal(err)
		}
	}
}
