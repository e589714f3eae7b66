package mcp

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/goassay/assay/internal/native/guard"
)

// Config says how a server works. Its zero value serves the current directory.
type Config struct {
	// Roots are the directories that packages must be in if the client names none; nil means the
	// current directory.
	Roots   []string
	Version string // of assay
	// Timeout bounds a call that sets no time of its own; 0 means a minute.
	Timeout time.Duration
	// Confine says what to do if the system cannot confine the code that is run.
	Confine guard.Mode
}

// atOnce is how many calls work at the same time. Other calls wait.
const atOnce = 2

//go:embed instructions.md
var instructions string

// Server answers the calls of agents.
type Server struct {
	cfg   Config
	sdk   *sdk.Server
	turns chan struct{}
	// over ends when the client has left, and cancels the calls that are still working.
	over   context.Context
	finish context.CancelFunc
}

// New returns a server.
func New(cfg Config) (*Server, error) {
	if len(cfg.Roots) == 0 {
		cfg.Roots = []string{"."}
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = time.Minute
	}
	roots := make([]string, len(cfg.Roots))
	for i, r := range cfg.Roots {
		abs, err := filepath.Abs(r)
		if err == nil {
			abs, err = filepath.EvalSymlinks(abs)
		}
		if err != nil {
			return nil, fmt.Errorf("root: %w", err)
		}
		roots[i] = abs
	}
	cfg.Roots = roots
	s := &Server{cfg: cfg, turns: make(chan struct{}, atOnce)}
	s.over, s.finish = context.WithCancel(context.Background())
	s.sdk = sdk.NewServer(
		&sdk.Implementation{Name: "assay", Title: "assay: verified behaviour of Go code", Version: cfg.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}},
	)
	s.addTools()
	s.sdk.AddResource(&sdk.Resource{
		URI: "assay://instructions", Name: "instructions", Title: "How to work with assay", MIMEType: "text/markdown",
		Description: "Which tool answers which question, and what the answers mean.",
	}, func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: instructions}}}, nil
	})
	return s, nil
}

// addTools has the table of tools.
func (s *Server) addTools() {
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	writes := &sdk.ToolAnnotations{DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool)}
	add(s, &sdk.Tool{Name: "explore", Annotations: reads, Description: "Shows the paths of a Go function: " +
		"for each path its condition, inputs that take it, and its outcome. Works by symbolic execution; no code is run natively."}, (*call).explore)
	add(s, &sdk.Tool{Name: "find_input", Annotations: reads, Description: "Finds an input that reaches a line, that leads to an outcome of a condition, or that breaks a Go " +
		"condition which you state (at a line, or about what a function returns); or proves that there is none. Every input in an answer was run."}, (*call).findInput)
	add(s, &sdk.Tool{Name: "check", Annotations: reads, Description: "Says what cannot go wrong in a package, and what can: a verdict for each assertion " +
		"(nil dereferences, bounds, divisions, contracts, ...): proved, assumed (with the assumptions), refuted (with calls and a test), or unknown."}, (*call).check)
	// A version of a module may have to be downloaded.
	add(s, &sdk.Tool{Name: "diff", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}, Description: "Shows what a change does: " +
		"the smallest inputs that were found on which two versions of a package differ, with the outcomes in both, and the tests that notice; or a proof that a changed function " +
		"does the same as before. By default compares the files on disk with the last commit."}, (*call).diff)
	add(s, &sdk.Tool{Name: "mutation_gaps", Annotations: reads, Description: "Lists faults that the present tests of a package do not notice, each with calls " +
		"that would notice it, and the results of these calls with the fault and without."}, (*call).mutationGaps)
	add(s, &sdk.Tool{Name: "verify_tests", Annotations: reads, Description: "Says whether a proposed Go test file compiles and passes in every run, " +
		"and which statements, outcomes of conditions and mutants it covers or kills beyond the other test files."}, (*call).verifyTests)
	add(s, &sdk.Tool{Name: "generate_tests", Annotations: writes, Description: "Generates tests of a package or function that compile, pass and notice faults, " +
		"and failing tests for bugs. Returns the source; writes files beside the code only if write is set."}, (*call).generateTests)
}

// Run serves one client over a pair of streams until it leaves or ctx ends, and waits for calls that
// are still working to clean up. It is no error that the client leaves.
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.sdk.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
	s.Close()
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// patience is how long Close waits for calls to end after they were cancelled.
const patience = 10 * time.Second

// Close cancels the present calls, and waits until they have removed their files.
func (s *Server) Close() {
	s.finish()
	late := time.After(patience)
	for range atOnce {
		select {
		case s.turns <- struct{}{}:
		case <-late:
			return
		}
	}
}

// Connect serves one client over a transport of the SDK.
func (s *Server) Connect(ctx context.Context, t sdk.Transport) error {
	_, err := s.sdk.Connect(ctx, t, nil)
	return err
}
