package page

import (
	"bytes"
	"flag"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

var update = flag.Bool("update", false, "write the rules by which Go is coloured anew")

// TestRulesAreChromas checks that the rules are those of the library's own lexer for Go. The rule for raw strings
// differs, because the library's rule looks for templates in them and cannot be written as XML.
func TestRulesAreChromas(t *testing.T) {
	own := lexers.Go.(*chroma.RegexLexer)
	rules := own.MustRules().Clone()
	found := false
	for i, r := range rules["root"] {
		if strings.HasPrefix(r.Pattern, "(`)") {
			rules["root"][i], found = chroma.Rule{Pattern: "`[^`]*`", Type: chroma.LiteralString}, true
		}
	}
	if !found {
		t.Fatal("the library has no rule for raw strings")
	}
	want, err := chroma.Marshal(chroma.MustNewLexer(own.Config(), func() chroma.Rules { return rules }))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("go.xml", want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("go.xml")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("go.xml is not as the library's rules are (run with -update), %v", err)
	}
}

// TestColoured checks that colouring does not change the text, even if the text is no Go source, and which
// words get which colours.
func TestColoured(t *testing.T) {
	own, err := os.ReadFile("colour.go")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPainter()
	if err != nil {
		t.Fatal(err)
	}
	tag := regexp.MustCompile(`</?span[^>]*>`)
	for _, src := range []string{string(own), "x := `a\nb <i>\n`; /* one\ntwo */ y", "func F(", "\"open\n'", "#!\x00\xff é \t", "a\n\n", "a\r\nb"} {
		want := strings.Split(strings.TrimSuffix(strings.ReplaceAll(src, "\r", ""), "\n"), "\n")
		lines := p.lines(src)
		if len(lines) != len(want) {
			t.Errorf("%q has %d lines, want %d", src, len(lines), len(want))
			continue
		}
		for i, l := range lines {
			got := html.UnescapeString(tag.ReplaceAllString(string(l), ""))
			if got != strings.ToValidUTF8(strings.ReplaceAll(want[i], "\x00", "\uFFFD"), "\uFFFD") {
				t.Errorf("line %d of %q is %q, want %q", i+1, src, got, want[i])
			}
			if strings.Count(string(l), "<span") != strings.Count(string(l), "</span>") {
				t.Errorf("line %d of %q does not end its elements: %s", i+1, src, l)
			}
		}
	}
	got := string(p.colour("func (s *S) Put(n int) error { return s.f(len(\"a\"), 1, nil) } // all"))
	want := `<span class="k">func</span> (s *S) <span class="nf">Put</span>(n <span class="kt">int</span>) <span class="kt">error</span> { <span class="k">return</span> ` +
		`s.<span class="nf">f</span>(<span class="nb">len</span>(<span class="s">&#34;a&#34;</span>), <span class="m">1</span>, <span class="kc">nil</span>) } <span class="c1">// all</span>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
