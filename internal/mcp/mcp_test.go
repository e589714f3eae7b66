package mcp

//lint:file-ignore SA1019 roots are tested as long as clients have them

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/goassay/assay/internal/event"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(serveVariable); root != "" {
		os.Exit(serve(root))
	}
	os.Exit(m.Run())
}

// serveVariable makes the test binary a server over standard input and output for the directory that it names.
const serveVariable = "ASSAY_TEST_SERVE"

func serve(root string) int {
	s, err := New(Config{Roots: []string{root}})
	if err == nil {
		err = s.Run(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// connectProcess starts a server as a process of its own, and a client that speaks to it over standard input and output.
func connectProcess(t *testing.T, root string) *sdk.ClientSession {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), serveVariable+"="+root)
	cmd.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	return session
}

const shop = `// Package shop has prices.
package shop

// Price is what n pieces cost: 7 each, one less from ten pieces on, and members save 3 altogether.
func Price(n int, member bool) int {
	if n <= 0 {
		return 0
	}
	p := n * 7
	if n >= 10 {
		p -= n
	}
	if member {
		p -= 3
	}
	return p
}

// Divide divides.
func Divide(a, b int) int { return a / b }
`

// module writes a module of one package and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if _, ok := files["go.mod"]; !ok {
		files["go.mod"] = "module example.com/shop\n\ngo 1.24\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// names lists the files of a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// connect starts a server and a client of the given version of the protocol ("" is the newest).
func connect(t *testing.T, cfg Config, version string, client *sdk.Client) *sdk.ClientSession {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	if err := s.Connect(t.Context(), here); err != nil {
		t.Fatal(err)
	}
	if client == nil {
		client = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	}
	var options *sdk.ClientSessionOptions
	if version != "" {
		options = &sdk.ClientSessionOptions{ProtocolVersion: version}
	}
	session, err := client.Connect(t.Context(), there, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		s.Close()
	})
	return session
}

// ask calls a tool and reads its answer; a tool's error is returned.
func ask[Out any](t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) (out Out, err error) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return out, err
	}
	if res.IsError {
		return out, errors.New(res.Content[0].(*sdk.TextContent).Text)
	}
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out, nil
}

// must does the same as ask for a call that has to succeed.
func must[Out any](t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) Out {
	t.Helper()
	if args["timeout_seconds"] == nil {
		args["timeout_seconds"] = 500 // no test depends on the machine's speed
	}
	out, err := ask[Out](t, s, tool, args)
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	return out
}

func TestToolsAndInstructions(t *testing.T) {
	s := connect(t, Config{Version: "v1"}, "", nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, tool := range list.Tools {
		tools = append(tools, tool.Name)
		if tool.InputSchema == nil || tool.OutputSchema == nil || tool.Description == "" {
			t.Errorf("%s lacks a schema or a description", tool.Name)
		}
		if tool.Annotations.ReadOnlyHint == (tool.Name == "generate_tests") {
			t.Errorf("%s: read only is %v", tool.Name, tool.Annotations.ReadOnlyHint)
		}
		if !strings.Contains(instructions, "`"+tool.Name+"`") {
			t.Errorf("the instructions do not mention %s", tool.Name)
		}
	}
	slices.Sort(tools)
	if got := strings.Join(tools, " "); got != "check diff explore find_input generate_tests mutation_gaps verify_tests" {
		t.Errorf("tools %s", got)
	}
	res, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "assay://instructions"})
	if err != nil || res.Contents[0].Text != instructions {
		t.Errorf("instructions: %v, %v", res, err)
	}
}

func TestAnswers(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	before := names(t, dir)
	s := connect(t, Config{Roots: []string{dir}}, "", nil)

	paths := must[explored](t, s, "explore", map[string]any{"package": dir, "function": "Price"})
	if len(paths.Paths) != 5 || paths.LeftOut != 0 {
		t.Errorf("%d paths of Price, want 5: %+v", len(paths.Paths), paths)
	}
	few := must[explored](t, s, "explore", map[string]any{"package": ".", "function": "Price", "limit": 2})
	if len(few.Paths) != 2 || few.LeftOut != 3 {
		t.Errorf("with a limit of 2: %d paths, %d left out", len(few.Paths), few.LeftOut)
	}

	found := must[event.Input](t, s, "find_input", map[string]any{"file": "shop.go", "line": 11})
	if found.Verdict != event.Found || !strings.HasPrefix(found.Call, "Price(") {
		t.Errorf("an input for line 11: %+v", found)
	}
	none := must[event.Input](t, s, "find_input", map[string]any{"file": "shop.go", "line": 9, "breaks": "n > 0"})
	if none.Verdict != event.Impossible {
		t.Errorf("an input that breaks n > 0: %+v", none)
	}

	verdicts := must[checked](t, s, "check", map[string]any{"package": dir})
	if verdicts.Refuted != 1 || verdicts.Assertions[0].Verdict != event.Refuted || !strings.HasPrefix(verdicts.Assertions[0].Calls, "Divide(") {
		t.Errorf("verdicts %+v", verdicts)
	}
	static := must[checked](t, s, "check", map[string]any{"package": dir, "static": true})
	if static.Refuted != 0 || static.Unknown+static.Assumed == 0 {
		t.Errorf("static verdicts %+v", static)
	}

	tests := must[generated](t, s, "generate_tests", map[string]any{"package": dir, "function": "Price"})
	if tests.Written || len(tests.Tests) == 0 || len(tests.Files) != 1 || !strings.Contains(tests.Files[0].Content, "func TestPrice(") {
		t.Errorf("generated %+v", tests)
	}
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("files were written: %v", got)
	}
	tests = must[generated](t, s, "generate_tests", map[string]any{"package": dir, "function": "Price", "write": true, "names_only": true})
	if !tests.Written || tests.Files != nil {
		t.Errorf("generated %+v", tests)
	}
	if got := names(t, dir); !slices.Contains(got, "shop_assay_test.go") {
		t.Errorf("nothing was written: %v", got)
	}
}

func TestVerifyTests(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop, "shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestNone(t *testing.T) {\n\tif Price(0, true) != 0 {\n\t\tt.Error()\n\t}\n}\n"})
	before := names(t, dir)
	s := connect(t, Config{Roots: []string{dir}}, "", nil)
	verify := func(body string) verified {
		return must[verified](t, s, "verify_tests", map[string]any{"package": dir, "file": "p_test.go", "content": "package shop\n\nimport \"testing\"\n\n" + body})
	}
	good := verify("func TestTen(t *testing.T) {\n\tif got := Price(10, false); got != 60 {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n")
	if !good.Passes || len(good.Adds) == 0 || *good.KilledAfter != *good.KilledBefore+len(good.Adds) || *good.CoverageAfter <= *good.CoverageBefore {
		t.Errorf("a good test: %+v", good)
	}
	if !slices.ContainsFunc(good.Outcomes, func(s event.Step) bool { return s.Text == "n >= 10 is true" }) {
		t.Errorf("outcomes %v", good.Outcomes)
	}
	again := verify("func TestZero(t *testing.T) {\n\tif Price(0, true) != 0 {\n\t\tt.Error()\n\t}\n}\n")
	if !again.Passes || len(again.Adds)+len(again.Outcomes)+len(again.Lines) > 0 {
		t.Errorf("a test that adds nothing: %+v", again)
	}
	for name, tt := range map[string]struct{ body, verdict, problem string }{
		"wrong":     {"func TestX(t *testing.T) {\n\tif got := Price(1, false); got != 8 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n", "fails", ""},
		"flaky":     {"var n int\n\nfunc TestX(t *testing.T) {\n\tif n++; n == 2 {\n\t\tt.Error(n)\n\t}\n}\n", "flaky", ""},
		"undefined": {"func TestX(t *testing.T) { Prize(1) }\n", "", "undefined: Prize"},
		"syntax":    {"func TestX(t *testing.T) {", "", "p_test.go"},
		"no test":   {"func Testify(t *testing.T) {}\n", "", "no test function"},
		"clash":     {"func TestNone(t *testing.T) {}\n", "", "TestNone redeclared"},
	} {
		got := verify(tt.body)
		if got.Passes || !strings.Contains(strings.Join(got.Problems, "\n"), tt.problem) || (len(got.Problems) > 0) != (tt.problem != "") {
			t.Errorf("%s: %+v", name, got)
		}
		if tt.verdict != "" && (len(got.Tests) != 1 || got.Tests[0].Verdict != tt.verdict) {
			t.Errorf("%s: %+v, want %s", name, got.Tests, tt.verdict)
		}
	}
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("files were written: %v", got)
	}
}

// An agent that follows the instructions brings a function from no tests to tests that kill all mutants,
// with nothing but the answers of the tools. It speaks to the server as agents do, over standard input and output.
func TestAgent(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	s := connectProcess(t, dir)
	rows := map[string]string{} // call to what it returns
	for _, p := range must[explored](t, s, "explore", map[string]any{"package": dir, "function": "Price"}).Paths {
		if p.Stop == "return" {
			rows["Price("+strings.Join(p.Inputs, ", ")+")"] = p.Results[0]
		}
	}
	source := func() string {
		var b strings.Builder
		b.WriteString("package shop\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n")
		for _, call := range slices.Sorted(mapKeys(rows)) {
			fmt.Fprintf(&b, "\tif got := %s; got != %s {\n\t\tt.Errorf(`%s = %%d`, got)\n\t}\n", call, rows[call], call)
		}
		return b.String() + "}\n"
	}
	for round := 1; ; round++ {
		if round > 5 {
			t.Fatal("there are gaps after five rounds")
		}
		trial := must[verified](t, s, "verify_tests", map[string]any{"package": dir, "function": "Price", "file": "price_test.go", "content": source()})
		if !trial.Passes {
			t.Fatalf("the test does not hold: %+v\n%s", trial, source())
		}
		if err := os.WriteFile(filepath.Join(dir, "price_test.go"), []byte(source()), 0o666); err != nil {
			t.Fatal(err)
		}
		gaps := must[gapsFound](t, s, "mutation_gaps", map[string]any{"package": dir, "function": "Price"})
		t.Logf("round %d: %d rows, %d of %d mutants killed", round, len(rows), gaps.Killed, gaps.Mutants)
		if gaps.Mutants < 8 {
			t.Fatalf("%d mutants", gaps.Mutants)
		}
		if gaps.Killed == gaps.Mutants {
			return
		}
		for _, g := range gaps.Gaps {
			if len(g.Calls) == 1 {
				value, _, _ := strings.Cut(strings.TrimPrefix(g.Without, "returned "), ";")
				rows[g.Calls[0]] = strings.TrimSpace(value)
			} else {
				t.Fatalf("a gap that nothing closes: %+v", g)
			}
		}
	}
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestRoots(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	elsewhere := module(t, map[string]string{"shop.go": shop})
	link := filepath.Join(dir, "link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"", "2025-11-25"} {
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
		client.AddRoots(&sdk.Root{URI: "file://" + filepath.ToSlash(dir)})
		s := connect(t, Config{Roots: []string{elsewhere}}, version, client)
		must[explored](t, s, "explore", map[string]any{"package": ".", "function": "Price"})
		for _, bad := range []string{elsewhere, "..", "/", link, "link", filepath.Join(dir, "..")} {
			if _, err := ask[explored](t, s, "explore", map[string]any{"package": bad, "function": "Price"}); err == nil || !strings.Contains(err.Error(), "outside of the roots") {
				t.Errorf("protocol %q, %s: %v", version, bad, err)
			}
		}
		if _, err := ask[event.Input](t, s, "find_input", map[string]any{"file": filepath.Join(elsewhere, "shop.go"), "line": 9}); err == nil || !strings.Contains(err.Error(), "outside of the roots") {
			t.Errorf("protocol %q: a file outside: %v", version, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	broken := module(t, map[string]string{"b.go": "package b\n\nfunc F() int { return nothing }\n"})
	s := connect(t, Config{Roots: []string{dir, broken}}, "", nil)
	for name, tt := range map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"no function":       {"explore", map[string]any{"package": dir}, "name a function"},
		"unknown function":  {"explore", map[string]any{"package": dir, "function": "Prize"}, "matches no function"},
		"no such directory": {"explore", map[string]any{"package": filepath.Join(dir, "none"), "function": "F"}, "no such file"},
		"a file":            {"check", map[string]any{"package": filepath.Join(dir, "shop.go")}, "is a file"},
		"does not compile":  {"check", map[string]any{"package": broken}, "undefined: nothing"},
		"gen on it":         {"generate_tests", map[string]any{"package": broken}, "undefined: nothing"},
		"gaps in it":        {"mutation_gaps", map[string]any{"package": broken}, "undefined: nothing"},
		"verify on it":      {"verify_tests", map[string]any{"package": broken, "content": "package b\n"}, "undefined: nothing"},
		"a path":            {"verify_tests", map[string]any{"package": dir, "file": "../x_test.go", "content": ""}, "without a directory"},
		"no content":        {"verify_tests", map[string]any{"package": dir}, "content"},
		"a wrong type":      {"explore", map[string]any{"package": 7}, "package"},
		"an unknown field":  {"explore", map[string]any{"package": dir, "fun": "F"}, "fun"},
		"line of nothing":   {"find_input", map[string]any{"file": filepath.Join(dir, "shop.go"), "line": 1}, "in no function"},
	} {
		if out, err := ask[map[string]any](t, s, tt.tool, tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v; want %q", name, out, err, tt.want)
		}
	}
	if _, err := ask[map[string]any](t, s, "no_tool", nil); err == nil {
		t.Error("an unknown tool answers")
	}
	must[explored](t, s, "explore", map[string]any{"package": dir, "function": "Price"}) // it still answers
}

// Two servers on one module take turns where both write, a file of 50,000 lines is explored, and a package that
// is removed meanwhile is an error and no more.
func TestShared(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	long := module(t, map[string]string{"shop.go": shop + "\nvar table = []string{\n" + strings.Repeat("\t\"a line of a table\",\n", 50_000) + "}\n"})
	one, two := connect(t, Config{Roots: []string{dir, long}}, "", nil), connect(t, Config{Roots: []string{dir}}, "", nil)
	done := make(chan error, 2)
	for name, s := range map[string]*sdk.ClientSession{"Price": one, "Divide": two} {
		go func() {
			_, err := ask[generated](t, s, "generate_tests", map[string]any{"package": dir, "function": name, "write": true, "timeout_seconds": 500})
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "shop_assay_test.go")); err != nil || !strings.Contains(string(text), "func TestPrice(") || !strings.Contains(string(text), "func TestDivide(") {
		t.Errorf("%v\n%s", err, text)
	}
	if paths := must[explored](t, one, "explore", map[string]any{"package": long, "function": "Price"}); len(paths.Paths) != 5 {
		t.Errorf("%d paths", len(paths.Paths))
	}
	if found := must[event.Input](t, one, "find_input", map[string]any{"file": filepath.Join(long, "shop.go"), "line": 11}); found.Verdict != event.Found {
		t.Errorf("an input for a line of a long file: %+v", found)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := ask[explored](t, two, "explore", map[string]any{"package": dir, "function": "Price"}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a package that is gone: %v", err)
	}
}

func TestProgressAndCancellation(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	told := make(chan string, 1000)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
			told <- req.Params.Message
		},
	})
	s := connect(t, Config{Roots: []string{dir}}, "", client)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		params := &sdk.CallToolParams{Name: "generate_tests", Arguments: map[string]any{"package": dir, "write": true, "timeout_seconds": 500}}
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
	// After the cancelled call another call can run, and calls run at the same time.
	answers := make(chan error, 4)
	for range cap(answers) {
		go func() {
			res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "explore", Arguments: map[string]any{"package": dir, "function": "Price"}})
			if err == nil && res.IsError {
				err = errors.New(res.Content[0].(*sdk.TextContent).Text)
			}
			answers <- err
		}()
	}
	for range cap(answers) {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
}

// A small function is explored within a second; see docs/benchmarks.md.
func BenchmarkExplore(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": shop} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	s, err := New(Config{Roots: []string{dir}, Timeout: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	if err := s.Connect(b.Context(), here); err != nil {
		b.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "bench"}, nil).Connect(b.Context(), there, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	for b.Loop() {
		if _, err := session.CallTool(b.Context(), &sdk.CallToolParams{Name: "explore", Arguments: map[string]any{"package": dir, "function": "Price"}}); err != nil {
			b.Fatal(err)
		}
	}
}
