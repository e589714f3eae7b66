package page

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/goassay/assay/internal/drawing"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

var (
	pictures = flag.String("pictures", "", "directory for pictures of the pages")
	measured = flag.String("page", "", "a page of -html; print how long it takes to load, and its size")
	figures_ = flag.Bool("page-figures", false, "print how long a large page takes to load, and its size")
)

const source = `package p

// F is <b>bold</b> & "quoted".
func F(n int) int {
	if n < 0 {
		return -1
	}
	return n + 1
}
`

func ref[T any](v T) *T { return &v }

// sample makes a report over a package of so many functions beside those of the source.
func sample(t testing.TB, many int) (r *Report, dir string) {
	t.Helper()
	dir = t.TempDir()
	src := source
	for i := range many {
		src += fmt.Sprintf("\nfunc G%d(a, b int) int {\n\tif a < b {\n\t\treturn a + %d\n\t}\n\treturn b\n}\n", i, i)
	}
	name := filepath.Join(dir, "p.go")
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	test := filepath.Join(dir, "p_assay_test.go")
	r = New("v1.2.3")
	var tests strings.Builder
	tests.WriteString("package p\n\nfunc TestF(t *testing.T) {\n\tif got := F(1); got != 2 {\n\t\tt.Error(\"</pre><script>alert(1)</script>\")\n\t}\n}\n")
	r.Event(event.Test{Package: "m/p", Func: "F", Name: "TestF", File: test})
	r.Event(event.Case{Path: event.Path{Package: "m/p", Func: "F", Stop: "return", Condition: "n < 0", Inputs: []string{"-1"}, Results: []string{"-1"}}, Test: "TestF", Row: "negative"})
	r.Event(event.Case{Path: event.Path{Package: "m/p", Func: "F", Stop: "return", Condition: "!(n < 0)", Inputs: []string{"1"}, Results: []string{"2"}}, Test: "TestF", Row: "<script>alert(2)</script>"})
	for i := range many {
		fn, name := fmt.Sprintf("G%d", i), fmt.Sprintf("TestG%d", i)
		r.Event(event.Test{Package: "m/p", Func: fn, Name: name, File: test})
		for k := range 4 {
			r.Event(event.Case{Path: event.Path{Package: "m/p", Func: fn, Stop: "return", Condition: fmt.Sprintf("a < b && %d", k), Inputs: []string{"1", "2"}, Results: []string{"3"}}, Test: name})
		}
		fmt.Fprintf(&tests, "\nfunc %s(t *testing.T) {\n\tif got := %s(1, 2); got != 3 {\n\t\tt.Errorf(\"%s(1, 2) = %%d, want 3\", got)\n\t}\n}\n", name, fn, fn)
	}
	r.Event(event.Written{Package: "m/p", File: test, Content: []byte(tests.String())})
	r.Event(event.Finding{Package: "m/p", Func: "F", Kind: "other", Severity: testcase.Error, Message: "panics", Pos: name + ":8:9", Calls: []string{"F(9)"}, Evidence: "nobody says so", Way: []event.Step{{Pos: name + ":5:5", Text: "n < 0 is false"}}})
	r.Event(event.Mutant{Package: "m/p", Func: "F", Pos: name + ":8:9", Text: "n + 1 becomes n - 1", Fate: event.Survived})
	r.Event(event.Mutant{Package: "m/p", Func: "F", Pos: name + ":5:5", Text: "n < 0 becomes n <= 0", Fate: event.Killed})
	r.Event(event.Unreachable{Package: "m/p", Func: "F", Pos: name + ":6:1", Condition: "n > 0", Proved: true})
	r.Event(event.Coverage{Package: "m/p", Blocks: []event.Block{
		{File: name, Line: 4, Column: 19, EndLine: 5, EndColumn: 11, Stmts: 1, Covered: true}, {File: name, Line: 8, Column: 2, EndLine: 8, EndColumn: 14, Stmts: 1},
	}})
	r.Event(event.Skip{Package: "m/p", Func: "Init", Reason: "it waits"})
	r.Event(event.Assertion{Package: "m/p", Func: "F", Pos: name + ":8:9", Verdict: event.Undecided, Text: "n is small", Bound: "a loop"})
	states := &drawing.Graph{Name: "states", Nodes: []drawing.Node{{Name: "s0", Lines: []string{"S0", "{n: <x0>}"}}, {Name: "s1", Lines: []string{"S1"}, Faint: true}}}
	states.Edges = []drawing.Edge{{From: "s0", To: "s1", Lines: []string{"Put"}}, {From: "s1", To: "s1", Lines: []string{"Take"}, Dashed: true}}
	for i := range 2 {
		r.Event(event.Drawn{Package: "m/p", Kind: "states", Title: fmt.Sprintf("T%d", i), Graph: states})
	}
	r.Event(event.Summary{Verb: "gen", Package: "m/p", Functions: ref(many + 1), Tests: ref(many + 1), Findings: ref(1), Coverage: ref(62.5), Mutation: ref(50.0)})
	r.Event(event.Summary{Verb: "gen", Functions: ref(many + 1)})
	return r, dir
}

func TestPages(t *testing.T) {
	r, _ := sample(t, 0)
	out := filepath.Join(t.TempDir(), "new", "report")
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "m_p.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`id="f-F" data-name="F"`, "n &lt; 0", `href="#t-TestF"`, "negative", "no test notices: n &#43; 1 becomes n - 1", "unreachable: n &gt; 0",
		`<h2 id="states">States</h2>`, `<figcaption>T1</figcaption>`, `>{n: &lt;x0&gt;}</tspan>`, `url(#arrow1)`, `<a href="#states">`,
		`class="covered"`, `class="uncovered mutant bug"`, "nobody says so", "n &lt; 0 is false", "No test: it waits", "n is small",
		"2 cases, 1 test, 1 mutant killed, 1 not, 1 open, <b>1 finding</b>", "<li><b>1</b> finding</li>",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(text), "<script>alert") || strings.Contains(string(text), "<b>bold") {
		t.Error("what code says is not escaped")
	}
	if strings.Contains(string(text), "http://") || strings.Contains(string(text), "https://") {
		t.Error("the page names something on the network")
	}
	again, _ := sample(t, 0)
	if err := again.Write(out); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(index), `href="m_p.html"`) || !strings.Contains(string(index), "over 2 reports, now 62.5 and 50.0 percent") {
		t.Errorf("the index:\n%s", index)
	}
	if err := os.WriteFile(filepath.Join(out, trendFile), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	third, _ := sample(t, 0)
	if err := third.Write(out); err != nil {
		t.Errorf("a spoiled file of trends: %v", err)
	}
}

// browser starts a browser without a window, or skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
			chromedp.WSURLReadTimeout(10*time.Minute), chromedp.Env("TMPDIR="+ownTemp(t)))...)
		t.Cleanup(cancel)
		ctx, cancel = chromedp.NewContext(ctx)
		t.Cleanup(func() {
			// The browser is asked to close, and waited for: what is killed leaves its files.
			if err := chromedp.Cancel(ctx); err != nil {
				t.Logf("closing the browser: %v", err)
			}
			cancel()
		})
		if err := chromedp.Run(ctx); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return ctx
	}
	t.Skip("NOT TESTED in a browser: no Chromium is on PATH")
	return nil
}

// ownTemp returns a directory for what the browser keeps while it runs. Its processes may outlive it for a moment, and the
// path has to be short, because there are sockets in it.
func ownTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		var err error
		for range 50 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Errorf("what the browser has left cannot be removed: %v", err)
	})
	return dir
}

// metric reads how many seconds the page's thread has computed.
func metric(seconds *float64) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := performance.GetMetrics().Do(ctx)
		for _, m := range all {
			if m.Name == "TaskDuration" {
				*seconds = m.Value
			}
		}
		return err
	})
}

// In a real browser, narrow and wide, with 2,000 functions, nothing is wider than the window, and search,
// folding and links work.
func TestInBrowser(t *testing.T) {
	ctx := browser(t)
	r, _ := sample(t, 2_000)
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	page := "file://" + filepath.ToSlash(filepath.Join(out, "m_p.html"))
	info, err := os.Stat(filepath.Join(out, "m_p.html"))
	if err != nil || info.Size() > 5<<20 {
		t.Errorf("a page of %d bytes, %v", info.Size(), err)
	}
	const wider = `document.documentElement.scrollWidth > document.documentElement.clientWidth`
	for _, width := range []int64{360, 1600} {
		var tooWide, open bool
		var shown, all, count string
		var picture []byte
		var load, before, after float64
		err := chromedp.Run(ctx,
			chromedp.EmulateViewport(width, 900), performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks),
			metric(&before), chromedp.Navigate(page), metric(&after), chromedp.Evaluate(`performance.timing.loadEventEnd-performance.timing.navigationStart`, &load),
			chromedp.Evaluate(wider, &tooWide), chromedp.CaptureScreenshot(&picture),
			chromedp.Text("#count", &all),
			chromedp.SendKeys("#search", "G1999"), chromedp.Poll(`document.getElementById("count").textContent.indexOf("1 of")==0`, nil),
			chromedp.Text("#count", &count),
			chromedp.Evaluate(`Array.prototype.filter.call(document.querySelectorAll("details.fn"),function(d){return !d.hidden}).map(function(d){return d.dataset.name}).join()`, &shown),
			chromedp.Click(`button[data-fold=open]`), chromedp.Evaluate(`document.getElementById("f-G1999").open && !document.getElementById("f-G7").open`, &open),
		)
		if err != nil {
			t.Fatal(err)
		}
		if tooWide || !strings.HasPrefix(all, "2002 in all") || shown != "G1999" || !strings.HasPrefix(count, "1 of 2002") || !open {
			t.Errorf("at %d: too wide %v, %q, search shows %s (%s), unfolded %v", width, tooWide, all, shown, count, open)
		}
		if *figures_ {
			t.Logf("at %d: %d bytes, loaded in %.0f ms, for which the page's thread computed %.0f ms", width, info.Size(), load, 1000*(after-before))
		}
		var opened, escaped bool
		var title string
		err = chromedp.Run(ctx,
			chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#t-TestG5"), chromedp.Evaluate(`document.getElementById("f-G5").open`, &opened),
			chromedp.Evaluate(`document.querySelector("#t-TestF").textContent.indexOf("</pre><script>")>0`, &escaped),
			chromedp.Click(`nav a[href="index.html"]`), chromedp.WaitVisible("#packages"),
			chromedp.Title(&title), chromedp.Evaluate(wider, &tooWide),
		)
		if err != nil {
			t.Fatal(err)
		}
		if !opened || !escaped || title != "assay gen" || tooWide {
			t.Errorf("at %d: a link opens its function: %v; escaped: %v; the index is %q, too wide %v", width, opened, escaped, title, tooWide)
		}
		if img, err := png.Decode(bytes.NewReader(picture)); err != nil || img.Bounds().Dx() != int(width) {
			t.Errorf("a picture of width %d: %v", img.Bounds().Dx(), err)
		}
		if *pictures != "" {
			if err := os.WriteFile(filepath.Join(*pictures, fmt.Sprintf("report-%d.png", width)), picture, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLoads measures a page that assay has written, for docs/benchmarks.md.
func TestLoads(t *testing.T) {
	if *measured == "" {
		t.Skip("no page to measure: -page FILE")
	}
	info, err := os.Stat(*measured)
	if err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	for _, width := range []int64{360, 1600, 360, 1600} {
		var load, before, after float64
		err := chromedp.Run(ctx,
			chromedp.EmulateViewport(width, 900), performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks),
			chromedp.Navigate("about:blank"), metric(&before), chromedp.Navigate("file://"+filepath.ToSlash(*measured)), metric(&after),
			chromedp.Evaluate(`performance.timing.loadEventEnd-performance.timing.navigationStart`, &load),
		)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("at %d: %d bytes, loaded in %.0f ms, for which the page's thread computed %.0f ms", width, info.Size(), load, 1000*(after-before))
	}
}

// Content beyond the bounds of a page is left out, and the page says so.
func TestBounds(t *testing.T) {
	r, dir := sample(t, 0)
	long := filepath.Join(dir, "long.go")
	if err := os.WriteFile(long, []byte("package p\n"+strings.Repeat("\n// A line.\n", maxLines)), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Event(event.Mutant{Package: "m/p", Func: "L", Pos: long + ":1:1", Fate: event.Survived})
	r.Event(event.Mutant{Package: "m/p", Func: "L", Pos: filepath.Join(dir, "gone.go") + ":1:1", Fate: event.Survived})
	for range maxFindings + 7 {
		r.Event(event.Finding{Package: "m/p", Func: "F", Severity: testcase.Warning, Message: "again"})
	}
	for range maxCases + 5 {
		r.Event(event.Path{Package: "m/p", Func: "P", Stop: "return", Condition: strings.Repeat("x && ", 1000)})
	}
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "m_p.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"8 findings", "long.go from line", "gone.go (it cannot be read)", "and 5 more"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if len(text) > 5<<20 {
		t.Errorf("%d bytes", len(text))
	}
}
