package page

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestColoured checks that colouring does not change the text, even if the text is no Go source, and which
// words get which colours.
func TestColoured(t *testing.T) {
	own, err := os.ReadFile("colour.go")
	if err != nil {
		t.Fatal(err)
	}
	tag := regexp.MustCompile(`</?span[^>]*>`)
	for _, src := range []string{string(own), "x := `a\nb <i>\n`; /* one\ntwo */ y", "func F(", "\"open\n'", "#!\x00\xff é \t", "a\n\n", "a\r\nb"} {
		want := strings.Split(strings.TrimSuffix(strings.ReplaceAll(src, "\r", ""), "\n"), "\n")
		lines := coloured(src)
		if len(lines) != len(want) {
			t.Errorf("%q has %d lines, want %d", src, len(lines), len(want))
			continue
		}
		for i, l := range lines {
			got := html.UnescapeString(tag.ReplaceAllString(string(l), ""))
			if got != strings.ReplaceAll(want[i], "\x00", "\uFFFD") {
				t.Errorf("line %d of %q is %q, want %q", i+1, src, got, want[i])
			}
			if strings.Count(string(l), "<span") != strings.Count(string(l), "</span>") {
				t.Errorf("line %d of %q does not end its elements: %s", i+1, src, l)
			}
		}
	}
	got := string(colour("func (s *S) Put(n int) error { return s.f(len(\"a\"), 1, nil) } // all"))
	want := `<span class="k">func</span> (s *S) <span class="nf">Put</span>(n <span class="kt">int</span>) <span class="kt">error</span> { <span class="k">return</span> ` +
		`s.<span class="nf">f</span>(<span class="nb">len</span>(<span class="s">&#34;a&#34;</span>), <span class="m">1</span>, <span class="kc">nil</span>) } <span class="c1">// all</span>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
