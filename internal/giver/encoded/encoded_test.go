package encoded

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load/requests"
)

// typeOf returns the type T of a file.
func typeOf(t *testing.T, src string) types.Type {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Scope().Lookup("T").Type()
}

// The first sample of a type has all of its fields, in each notation under the names that the notation has for them.
func TestSamples(t *testing.T) {
	const nested = "type Server struct { Host string `yaml:\"host_name\" toml:\"host_name\" xml:\"host,attr\"`; MaxConns int }\n" +
		"type T struct { Name string; On bool `yaml:\"enabled,omitempty\"`; Servers []Server `xml:\"servers>server\"`; Labels map[string]int; Hidden int `json:\"-\" yaml:\"-\" toml:\"-\" xml:\"-\"`; note string; Server }"
	tests := []struct {
		name string
		src  string
		as   requests.Notation
		want string
	}{
		{"YAML", nested, requests.YAML, "name: ann\nenabled: true\nservers:\n  - host_name: example.com\n    maxconns: 7\nlabels:\n  abc: 5\nserver:\n  host_name: example.com\n  maxconns: 6\n"},
		{"inline", "type In struct{ A int }\ntype T struct { In `yaml:\",inline\"`; B []string }", requests.YAML, "a: 5\nb:\n  - abc\n"},
		{"YAML by tags of JSON", "type T struct { APIVersion string `json:\"apiVersion\"` }", requests.YAML, "apiVersion: \"1.2.3\"\n"},
		{"TOML", nested, requests.TOML, "name = \"ann\"\non = true\nhost_name = \"example.com\"\nmaxConns = 6\n\n[[servers]]\nhost_name = \"example.com\"\nmaxConns = 7\n\n[labels]\nabc = 5\n"},
		{"XML", nested, requests.XML, "<T host=\"example.com\">\n  <Name>ann</Name>\n  <On>true</On>\n  <servers>\n    <server host=\"example.com\">\n      <MaxConns>7</MaxConns>\n    </server>\n  </servers>\n  <MaxConns>6</MaxConns>\n</T>\n"},
		{"text and root", "type T struct { XMLName int `xml:\"urn:a note\"`; Text string `xml:\",chardata\"`; Lang string `xml:\"lang,attr\"` }", requests.XML, "<note lang=\"en\">def</note>\n"},
		{"a list of YAML", "type T []struct{ A bool; B [][]int }", requests.YAML, "- a: true\n  b:\n    - [7]\n"},
		{"a field that hides one of a struct within, and errors", "type In struct{ A int; Cause error }\ntype T struct { *In; Cause *T }", requests.JSON, `{"A":5,"Cause":{"A":7,"Cause":null}}`},
		{"words that YAML reads otherwise", "type T struct { State string `yaml:\"on\"` }", requests.YAML, "\"on\": abc\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Values(Samples(typeOf(t, tt.src), tt.as, nil))
			if len(got) == 0 || got[0] != tt.want {
				t.Errorf("Samples = %q, want %q first", got, tt.want)
			}
		})
	}
}

// TOML has no document that is a list, and every notation has a text that cannot be read.
func TestSamples_refused(t *testing.T) {
	list := typeOf(t, "type T []int")
	for as, want := range map[requests.Notation]string{requests.JSON: "{", requests.YAML: "a: [1", requests.TOML: "a =", requests.XML: "<T>"} {
		if got := Values(Samples(list, as, nil)); !slices.Contains(got, want) {
			t.Errorf("Samples(%v) = %q, want %q among them", as, got, want)
		}
	}
	if got := Values(Samples(list, requests.TOML, nil)); !slices.Equal(got, []string{"", "a ="}) {
		t.Errorf("TOML of a list: %q", got)
	}
}
