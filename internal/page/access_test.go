package page

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// smallReport writes a report over two runs, so that the index has trends, and returns the addresses of its
// pages.
func smallReport(t *testing.T) []string {
	t.Helper()
	out := t.TempDir()
	for range 2 {
		r, _ := sample(t, 3)
		if err := r.Write(out); err != nil {
			t.Fatal(err)
		}
	}
	var pages []string
	for _, name := range []string{"index.html", "m_p.html"} {
		pages = append(pages, "file://"+filepath.ToSlash(filepath.Join(out, name)))
	}
	return pages
}

// awaited makes an evaluation wait for a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// scheme makes the browser prefer light or dark pages.
func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// axe is the source of a program that judges how accessible pages are: roles, names, contrast.
func axe(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("npm", "root", "-g").Output()
	var source []byte
	if err == nil {
		source, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
	}
	if err != nil {
		t.Skip("NOT TESTED for accessibility: axe-core is not installed (npm install -g axe-core)")
	}
	return string(source)
}

// A program that is not ours finds nothing to object to, in light and dark, narrow and wide, with all that
// can be unfolded unfolded.
func TestAccessible(t *testing.T) {
	source, ctx := axe(t), browser(t)
	const judge = `axe.run().then(function(r){return r.violations.map(function(v){
		return v.id+" ("+v.impact+"): "+v.help+"; "+v.nodes.slice(0,3).map(function(n){return n.html.slice(0,120)+" "+(n.any[0]||{}).message}).join(" | ")}).join("\n")+(r.passes.length<5?"too few rules":"")})`
	for _, page := range smallReport(t) {
		for _, colours := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1600} {
				var problems, background string
				err := chromedp.Run(ctx,
					chromedp.EmulateViewport(width, 900), scheme(colours), chromedp.Navigate(page),
					chromedp.Evaluate(`document.querySelectorAll("details").forEach(function(d){d.open=true})`, nil),
					chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &background),
					chromedp.Evaluate(source, nil), chromedp.Evaluate(judge, &problems, awaited),
				)
				if err != nil {
					t.Fatal(err)
				}
				if problems != "" {
					t.Errorf("%s, %s, %d pixels:\n%s", filepath.Base(page), colours, width, problems)
				}
				if (background == "rgb(255, 255, 255)") != (colours == "light") {
					t.Errorf("%s, %s: the background is %s", filepath.Base(page), colours, background)
				}
			}
		}
	}
}

// press presses a key whose text the page may keep to itself, as it may that of a real key.
func press(key string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if err := input.DispatchKeyEvent(input.KeyDown).WithKey(key).WithText(key).Do(ctx); err != nil {
			return err
		}
		return input.DispatchKeyEvent(input.KeyUp).WithKey(key).Do(ctx)
	})
}

// All can be done by the keyboard: searching, leaving the search, unfolding a function, going to the content.
func TestKeyboard(t *testing.T) {
	ctx, pages := browser(t), smallReport(t)
	const active = `(document.activeElement.id||document.activeElement.className||document.activeElement.tagName)+" "+document.activeElement.textContent.trim().slice(0,20)`
	var skip, typed, left, count, place string
	var open, shut bool
	err := chromedp.Run(ctx,
		chromedp.EmulateViewport(1000, 900), chromedp.Navigate(pages[1]),
		chromedp.KeyEvent(kb.Tab), chromedp.Evaluate(active, &skip), chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(`location.hash`, &place),
		press("/"), chromedp.KeyEvent("G2"), chromedp.Poll(`document.getElementById("count").textContent.indexOf("1 of")==0`, nil),
		chromedp.Evaluate(`document.getElementById("search").value`, &typed),
		chromedp.KeyEvent(kb.Escape), chromedp.Evaluate(`document.getElementById("search").value`, &left), chromedp.Text("#count", &count),
		chromedp.Evaluate(`document.querySelector("#f-G2>summary").focus()`, nil),
		chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(`document.getElementById("f-G2").open`, &open),
		chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(`document.getElementById("f-G2").open`, &shut),
	)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(skip, "skip ") || place != "#functions" || typed != "G2" || left != "" || !strings.HasSuffix(count, "in all") || !open || shut {
		t.Errorf("the first key leads to %q, and that to %q; typed %q, after Escape %q and %q; Enter unfolds: %v, and folds: %v", skip, place, typed, left, count, open, !shut)
	}
}

// Nothing moves after it is shown, also where the browser lays out lines only when they come into sight.
func TestNoLayoutShift(t *testing.T) {
	ctx := browser(t)
	r, _ := sample(t, 300)
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	const frames = `new Promise(function(done){var n=0;(function next(){if(n++==5)done(0);else requestAnimationFrame(next)})()})`
	const shifts = `new Promise(function(done){var sum=0,seen=new PerformanceObserver(function(l){l.getEntries().forEach(function(e){sum+=e.value})});
		seen.observe({type:"layout-shift",buffered:true});requestAnimationFrame(function(){setTimeout(function(){done(sum)})})})`
	scroll := func(to string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			return chromedp.Run(ctx, chromedp.Evaluate(`window.scrollTo(0,`+to+`)`, nil), chromedp.Evaluate(frames, nil, awaited))
		})
	}
	for _, width := range []int64{360, 1600} {
		var sum float64
		var before, after int
		err := chromedp.Run(ctx,
			chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(out, "m_p.html"))),
			chromedp.Evaluate(frames, nil, awaited), chromedp.Evaluate(`document.querySelector(".src").scrollHeight`, &before),
			scroll("document.body.scrollHeight/2"), scroll("document.body.scrollHeight"), scroll("0"),
			chromedp.Evaluate(`document.querySelector(".src").scrollHeight`, &after), chromedp.Evaluate(shifts, &sum, awaited),
		)
		if err != nil {
			t.Fatal(err)
		}
		if sum > 0.001 || before != after || before < 300*19 {
			t.Errorf("at %d: the page moved by %v; its source was %d pixels high and is %d", width, sum, before, after)
		}
	}
}
