package literals

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	for _, pattern := range []string{
		`^\d{4}-\d{2}-\d{2}$`, `[a-z]+@[a-z]+\.(com|org)`, `^v(\d+)\.(\d+)(-rc)?$`, `x{0}y`, `(?i)id`, `a*b?c`, `[^a-z]`, `.+`, `\bkey\s*=\s*`,
	} {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if !sample(&b, re) || !regexp.MustCompile(pattern).MatchString(b.String()) {
			t.Errorf("%s does not match %q", pattern, b.String())
		}
	}
	for _, pattern := range []string{`[^\x00-\x{10FFFF}]`, `(a{100}){100}`} {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			continue
		}
		var b strings.Builder
		if sample(&b, re) {
			t.Errorf("%s has the sample %q", pattern, b.String())
		}
	}
}
