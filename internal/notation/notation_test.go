package notation

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"testing"
)

func TestFor(t *testing.T) {
	tests := []struct {
		name  string
		place Place
		want  string // the first text, "" if no notation is known
	}{
		{"parameter's name", Place{Param: []string{"base", "url"}, Func: []string{"parse"}, Package: "jsonkit"}, "https://example.com/a/b"},
		{"parameter of another kind", Place{Param: []string{"prefix"}, Func: []string{"parse", "url"}}, ""},
		{"function's name", Place{Param: []string{"s"}, Func: []string{"is", "email"}, Package: "jsonkit"}, "ann@example.com"},
		{"plural", Place{Param: []string{"s"}, Func: []string{"strip", "tags"}}, "<p>Hello, <b>world</b>!</p>"},
		{"type's name", Place{Param: []string{"s"}, Func: []string{"set"}, Type: []string{"version"}}, "1.2.3"},
		{"documentation", Place{Param: []string{"s"}, Func: []string{"render"}, Doc: "Render writes the Markdown of a page."}, "# Title\n\nSome *emphasis* and **strong** text.\n"},
		{"part of the package's name", Place{Param: []string{"s"}, Func: []string{"parse"}, Package: "cronexpr"}, "*/5 * * * *"},
		{"short word in the package's name", Place{Param: []string{"s"}, Func: []string{"parse"}, Package: "shipping"}, ""},
		{"expression of the package's language", Place{Param: []string{"expr"}, Func: []string{"next", "tick"}, Package: "gron", About: "Gron is a parser of cron expressions."}, "*/5 * * * *"},
		{"text in a package about a language", Place{Param: []string{"s"}, Func: []string{"tick"}, Package: "gron", About: "Gron is a parser of cron expressions."}, ""},
		{"expression to be evaluated", Place{Param: []string{"expr"}, Func: []string{"eval"}}, "1 + 2 * 3"},
		{"nameless parameter", Place{Func: []string{"from", "json"}}, `{"name":"Ann","age":42}`},
		{"route", Place{Param: []string{"path"}, Func: []string{"handle"}, HTTP: true}, "/users"},
		{"template", Place{Param: []string{"s"}, Type: []string{"template"}}, "Hello, {{.Name}}!"},
		{"template of the package's kind", Place{Param: []string{"s"}, Type: []string{"template"}, Package: "mustache"}, "Hello, {{name}}!"},
		{"pattern in a package about formats of times", Place{Param: []string{"pattern"}, Func: []string{"new"}, Package: "strftime"}, "%Y-%m-%d"},
		{"text in a package about formats of times", Place{Param: []string{"p"}, Func: []string{"format"}, Package: "strftime"}, "%Y-%m-%d"},
		{"layout of a time", Place{Param: []string{"layout"}, Func: []string{"print"}}, "2006-01-02"},
		{"path", Place{Param: []string{"path"}, Func: []string{"handle"}}, "docs/readme.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if n := For(tt.place); n != nil {
				got = n.Accepted[0].Value
			}
			if got != tt.want {
				t.Errorf("the first text for %+v is %q, want %q", tt.place, got, tt.want)
			}
		})
	}
}

// TestTexts asks readers of the standard library whether texts are what their names say.
func TestTexts(t *testing.T) {
	readers := map[string]func(string) error{
		"json":   func(s string) error { return json.Unmarshal([]byte(s), new(any)) },
		"url":    func(s string) error { _, err := url.Parse(s); return err },
		"ip":     func(s string) error { _, err := netip.ParseAddr(s); return err },
		"cidr":   func(s string) error { _, err := netip.ParsePrefix(s); return err },
		"regexp": func(s string) error { _, err := regexp.Compile(s); return err },
	}
	refused := map[string][]string{
		"json":   {"comments and trailing comma", "numbers beyond JSON", "unclosed object", "unclosed list", "unclosed text", "missing colon", "trailing comma", "something behind the end", "no value"},
		"url":    {"invalid port", "invalid escape"},
		"ip":     {"part out of range", "three parts", "name"},
		"cidr":   {"prefix too long", "no prefix"},
		"regexp": {"unclosed group", "unclosed class", "nothing to repeat"},
	}
	for name, read := range readers {
		for _, text := range For(Place{Param: []string{name}}).Texts() {
			if err := read(text.Value); (err != nil) != slices.Contains(refused[name], text.Name) {
				t.Errorf("%s %q, %q: error %v", name, text.Name, text.Value, err)
			}
		}
	}
}

// TestTable checks that each name and each text is once in its notation, and that names fit into rows.
func TestTable(t *testing.T) {
	const longest = 40
	for _, n := range append(table, routes) {
		names, values := map[string]bool{}, map[string]bool{}
		for _, text := range n.Texts() {
			if names[text.Name] || values[text.Value] || text.Name == "" || len(text.Name) > longest {
				t.Errorf("%s: text %q, %q is there twice, or its name is empty or too long", n.names[0], text.Name, text.Value)
			}
			names[text.Name], values[text.Value] = true, true
			if IsKnown(text.Value) != (len(text.Value) > 1) {
				t.Errorf("%s: %q is known: %t", n.names[0], text.Value, IsKnown(text.Value))
			}
		}
	}
}

// TestBeside checks that the first text beside a pattern fits it, as far as the standard library knows the dialect, and that
// each pattern is in the table.
func TestBeside(t *testing.T) {
	known := make(map[string]bool)
	for _, n := range table {
		for _, text := range n.Texts() {
			known[text.Value] = true
		}
	}
	isExpression := func(pattern string) bool {
		for _, text := range For(Place{Param: []string{"regexp"}}).Texts() {
			if text.Value == pattern {
				return true
			}
		}
		return false
	}
	other := []string{"src/**/*.go", "{a,b}.txt", "[!a-c]x", "[a-c"} // dialects that package path does not have
	for pattern, texts := range beside {
		if !known[pattern] {
			t.Errorf("%q is in no notation", pattern)
		}
		if slices.Contains(other, pattern) {
			continue
		}
		fits, err := path.Match(pattern, texts[0])
		if isExpression(pattern) {
			fits, err = regexp.MatchString(pattern, texts[0])
		}
		if err != nil || !fits {
			t.Errorf("%q does not fit %q (error %v)", pattern, texts[0], err)
		}
	}
}

// A text is tried with and without what a function looks for in it.
func TestTreated(t *testing.T) {
	for _, tt := range []struct {
		function, constant string
		want               []string
	}{
		{"TrimPrefix", "v", []string{"vhello", "hello"}},
		{"HasSuffix", "lo", []string{"biglo", "big"}},
		{"HasPrefix", "https://", []string{"https://hello", "hello"}},
		{"Trim", "/", []string{"/hello/", "hello"}},
		{"TrimRight", "eo ", []string{"bigeo ", "big"}},
		{"TrimLeft", "abcdefghilnor", nil},
		{"ToUpper", "", []string{"Hello World", "hello"}},
		{"Repeat", "", nil},
	} {
		var got []string
		if n := Treated(tt.function, tt.constant); n != nil {
			for _, text := range n.Accepted {
				got = append(got, text.Value)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("Treated(%s, %q) = %q, want %q", tt.function, tt.constant, got, tt.want)
		}
	}
}
