package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/session"
)

// Config says how a server works. Its zero value works.
type Config struct {
	Version string // of assay
	Tags    string // build tags, comma-separated, if the client names none
	// Timeout bounds a run over a package; 0 means a minute.
	Timeout time.Duration
	Confine guard.Mode
}

// Server is the language server.
type Server struct {
	cfg       Config
	conn      *jsonrpc2.Conn
	connected chan struct{} // closed when conn is set: a connection handles messages before who makes it has it
	buffers   buffers
	roots     roots
	life      context.Context // ends with the connection
	work      sync.WaitGroup  // work in the background

	mu       sync.Mutex
	client   initializeParams
	ready    bool // initialized
	shutdown bool
	exited   bool // the client has said that it leaves
	folders  map[string]*folder
	pending  map[jsonrpc2.ID]context.CancelFunc // requests under way
	progress map[string]context.CancelFunc      // work that the user may cancel, by token
	tokens   int
	heavy    chan struct{} // runs that execute code, one at a time
}

// Run serves one client over a pair of streams. It returns the exit status that the protocol asks for:
// 0 after a shutdown or if the client just left. The error says what was wrong with the client's
// messages.
func Run(ctx context.Context, cfg Config, in io.ReadCloser, out io.WriteCloser) error {
	if cfg.Timeout <= 0 {
		cfg.Timeout = time.Minute
	}
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &Server{
		cfg: cfg, life: life, connected: make(chan struct{}), buffers: buffers{open: make(map[string]*buffer)}, folders: make(map[string]*folder),
		pending: make(map[jsonrpc2.ID]context.CancelFunc), progress: make(map[string]context.CancelFunc), heavy: make(chan struct{}, 1),
	}
	input := &watched{ReadCloser: in}
	stream := jsonrpc2.NewBufferedStream(streams{input, out}, jsonrpc2.VSCodeObjectCodec{})
	var problem problems
	s.conn = jsonrpc2.NewConn(life, stream, s, jsonrpc2.SetLogger(&problem))
	close(s.connected)
	select {
	case <-s.conn.DisconnectNotify():
	case <-ctx.Done():
		s.conn.Close()
	}
	cancel()
	s.wait()
	s.mu.Lock()
	shutdown, exited := s.shutdown, s.exited
	s.mu.Unlock()
	switch {
	case shutdown || ctx.Err() != nil:
		return nil
	case exited:
		return errors.New("the client left without a shutdown before its exit")
	}
	return problem.err(input)
}

// wait waits a limited time until work in the background has removed its files.
func (s *Server) wait() {
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
	}
}

// streams are the two halves of a connection.
type streams struct {
	io.Reader
	io.WriteCloser
}

// watched records that its input has ended.
type watched struct {
	io.ReadCloser
	mu    sync.Mutex
	ended bool
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err != nil {
		w.mu.Lock()
		w.ended = true
		w.mu.Unlock()
	}
	return n, err
}

// problems collects the connection's complaints about messages that it cannot read.
type problems struct {
	mu   sync.Mutex
	last string
}

// Printf implements jsonrpc2.Logger.
func (p *problems) Printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = fmt.Sprintf(format, args...)
}

// err is the error of a connection that ended without a shutdown, or nil if the client just left.
func (p *problems) err(in *watched) error {
	in.mu.Lock()
	ended := in.ended
	in.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == "" && ended {
		return nil
	}
	if p.last == "" {
		return errors.New("the client sent what is no message of the protocol")
	}
	return errors.New(strings.TrimSpace(p.last))
}

// Handle implements jsonrpc2.Handler.
func (s *Server) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	<-s.connected
	if req.Notif {
		defer s.survive()
		s.notified(req)
		return
	}
	s.mu.Lock()
	ready, over := s.ready || req.Method == "initialize", s.shutdown
	s.mu.Unlock()
	switch {
	case over && req.Method != "shutdown":
		s.refuse(conn, req, jsonrpc2.CodeInvalidRequest, "the server is shutting down")
		return
	case !ready:
		s.refuse(conn, req, -32002, "the server is not initialized")
		return
	}
	answer, ok := requests()[req.Method]
	if !ok {
		s.refuse(conn, req, jsonrpc2.CodeMethodNotFound, "no method "+req.Method)
		return
	}
	ctx, cancel := context.WithCancel(s.life)
	s.mu.Lock()
	s.pending[req.ID] = cancel
	s.mu.Unlock()
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		defer func() {
			s.mu.Lock()
			delete(s.pending, req.ID)
			s.mu.Unlock()
			cancel()
		}()
		result, err := s.answer(ctx, req, answer)
		var wrong *jsonrpc2.Error
		switch {
		case ctx.Err() != nil:
			s.refuse(conn, req, -32800, "cancelled")
		case errors.As(err, &wrong):
			s.refuse(conn, req, wrong.Code, wrong.Message)
		case err != nil:
			s.refuse(conn, req, -32803, err.Error())
		default:
			_ = conn.Reply(ctx, req.ID, result) // a client that has left wants no answer
		}
	}()
}

// background runs f beside the requests. The server waits for it before it ends.
func (s *Server) background(f func()) {
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		defer s.survive()
		f()
	}()
}

// survive, deferred, makes a panic where no request is answered a message in the editor's log: the server has
// other packages to serve.
func (s *Server) survive() {
	if p := recover(); p != nil {
		s.notify("window/logMessage", map[string]any{"type": severityError, "message": fmt.Sprintf("assay: a bug of assay's: %v", p)})
	}
}

// answer calls a handler. If the handler panics, only this request fails.
func (s *Server) answer(ctx context.Context, req *jsonrpc2.Request, f handler) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a bug of assay's: %v", p)
		}
	}()
	params := json.RawMessage("null")
	if req.Params != nil {
		params = *req.Params
	}
	return f(s, ctx, params)
}

func (s *Server) refuse(conn *jsonrpc2.Conn, req *jsonrpc2.Request, code int64, text string) {
	// A client that has left wants no answer.
	_ = conn.ReplyWithError(s.life, req.ID, &jsonrpc2.Error{Code: code, Message: text})
}

// handler answers a request.
type handler func(s *Server, ctx context.Context, params json.RawMessage) (any, error)

// requests is the table of requests.
func requests() map[string]handler {
	return map[string]handler{
		"initialize":               (*Server).initialize,
		"shutdown":                 (*Server).shutDown,
		"textDocument/codeLens":    (*Server).codeLens,
		"codeLens/resolve":         (*Server).resolveLens,
		"textDocument/codeAction":  (*Server).codeAction,
		"textDocument/hover":       (*Server).hover,
		"textDocument/inlayHint":   (*Server).inlayHints,
		"workspace/executeCommand": (*Server).execute,
	}
}

// decode reads parameters.
func decode(params json.RawMessage, v any) error {
	if err := json.Unmarshal(params, v); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return nil
}

func (s *Server) initialize(_ context.Context, params json.RawMessage) (any, error) {
	var p initializeParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	if p.InitializationOptions.Tags != "" {
		s.cfg.Tags = p.InitializationOptions.Tags
	}
	if n := p.InitializationOptions.Timeout; n > 0 {
		s.cfg.Timeout = time.Duration(n) * time.Second
	}
	folders := p.WorkspaceFolders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []workspaceFolder{{URI: p.RootURI}} // as older clients name it
	}
	s.roots.change(folders, nil)
	s.mu.Lock()
	s.client, s.ready = p, true
	s.mu.Unlock()
	var names []string
	for name := range commands() {
		names = append(names, name)
	}
	return map[string]any{
		"serverInfo": map[string]any{"name": "assay", "version": s.cfg.Version},
		"capabilities": map[string]any{
			"textDocumentSync":       map[string]any{"openClose": true, "change": 2, "save": map[string]any{}},
			"codeLensProvider":       map[string]any{"resolveProvider": true},
			"codeActionProvider":     map[string]any{"codeActionKinds": []string{"quickfix", "source"}},
			"hoverProvider":          true,
			"inlayHintProvider":      true,
			"executeCommandProvider": map[string]any{"commands": names, "workDoneProgress": true},
			"workspace":              map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
		},
	}, nil
}

func (s *Server) shutDown(context.Context, json.RawMessage) (any, error) {
	s.mu.Lock()
	s.shutdown = true
	s.mu.Unlock()
	return nil, nil
}

// notified handles a notification. There is nobody to whom errors could be reported.
func (s *Server) notified(req *jsonrpc2.Request) {
	params := json.RawMessage("{}")
	if req.Params != nil {
		params = *req.Params
	}
	switch req.Method {
	case "exit":
		s.mu.Lock()
		s.exited = true
		s.mu.Unlock()
		s.conn.Close()
	case "$/cancelRequest":
		var p struct{ ID jsonrpc2.ID }
		if json.Unmarshal(params, &p) == nil {
			s.mu.Lock()
			cancel := s.pending[p.ID]
			s.mu.Unlock()
			if cancel != nil {
				cancel()
			}
		}
	case "window/workDoneProgress/cancel":
		var p struct{ Token string }
		if json.Unmarshal(params, &p) == nil {
			s.mu.Lock()
			cancel := s.progress[p.Token]
			s.mu.Unlock()
			if cancel != nil {
				cancel()
			}
		}
	case "initialized":
		s.watch()
	case "workspace/didChangeWorkspaceFolders":
		s.workspaceChanged(params)
	case "workspace/didChangeWatchedFiles":
		s.filesChanged(params)
	default:
		s.document(req.Method, params)
	}
}

// document handles a notification about a document.
func (s *Server) document(method string, params json.RawMessage) {
	var p changeParams
	if json.Unmarshal(params, &p) != nil {
		return
	}
	name, err := fileOf(p.TextDocument.URI)
	if err != nil || filepath.Ext(name) != ".go" {
		return
	}
	f := s.folder(filepath.Dir(name))
	switch method {
	case "textDocument/didOpen":
		onDisk, err := (&buffers{}).read(name)
		s.buffers.set(name, []byte(p.TextDocument.Text), err == nil && string(onDisk) == p.TextDocument.Text)
		f.analyseSoon()
	case "textDocument/didChange":
		if err := s.buffers.change(name, p); err == nil {
			f.analyseSoon()
		}
	case "textDocument/didSave":
		s.buffers.save(name)
		f.analyseSoon()
		f.checkSoon()
	case "textDocument/didClose":
		s.buffers.close(name)
		s.publish(name, nil)
	}
}

// loading returns the configuration for loading packages.
func (s *Server) loading(dir string) load.Config {
	return load.Config{Dir: dir, Tags: s.cfg.Tags, Overlay: s.buffers.overlay()}
}

// session returns the configuration for a verb over the package in a directory.
func (s *Server) session(dir string) session.Config {
	return session.Config{
		Dir: dir, Patterns: []string{"."}, Tags: s.cfg.Tags, Seed: 1, Timeout: s.cfg.Timeout, Confine: s.cfg.Confine, Overlay: s.buffers.overlay(),
	}
}

// notify sends the client a notification. If the client has left, the server ends in any case.
func (s *Server) notify(method string, params any) { _ = s.conn.Notify(s.life, method, params) }

// show shows a message to the user.
func (s *Server) show(severity int, format string, args ...any) {
	s.notify("window/showMessage", map[string]any{"type": severity, "message": "assay: " + fmt.Sprintf(format, args...)})
}

// refresh makes the client ask for lenses and hints again.
func (s *Server) refresh() {
	s.mu.Lock()
	lens, hint := s.client.Capabilities.Workspace.CodeLens.RefreshSupport, s.client.Capabilities.Workspace.InlayHint.RefreshSupport
	s.mu.Unlock()
	for method, wanted := range map[string]bool{"workspace/codeLens/refresh": lens, "workspace/inlayHint/refresh": hint} {
		if wanted {
			s.background(func() {
				_ = s.conn.Call(s.life, method, nil, nil) // the answer contains nothing
			})
		}
	}
}
