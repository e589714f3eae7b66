package testfile

import (
	"strings"
	"testing"
)

// text returns a generated file of declarations in package p.
func text(path, declarations string) Text {
	return Text{path, Seal([]byte("package p\n\n" + declarations))}
}

const (
	testA = "import (\n\t\"net/url\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) {\n\tgot := parse(\"a\")\n\tt.Log(got)\n}\n\n"
	testB = "import (\n\tneturl \"net/url\"\n\t\"testing\"\n)\n\nfunc TestB(t *testing.T) {\n\tt.Log(parse2(\"b\"), T{parse2: 1}.parse2)\n}\n\n"
	inA   = "// parse returns a URL.\nfunc parse(s string) *url.URL {\n\tu, _ := url.Parse(s)\n\treturn u\n}\n"
	inB   = "// parse2 returns a URL.\nfunc parse2(s string) *neturl.URL {\n\tu, _ := neturl.Parse(s)\n\treturn u\n}\n"
)

func free(string) bool { return false }

func TestShare(t *testing.T) {
	got, helpers, err := Share([]Text{text("a", testA+inA), text("b", testB+inB)}, nil, Scope{Taken: free})
	if err != nil {
		t.Fatal(err)
	}
	if h := string(helpers); strings.Count(h, "func ") != 1 || !strings.Contains(h, "func parse(s string) *url.URL") || !strings.Contains(h, "import \"net/url\"\n") {
		t.Errorf("the helpers are\n%s", h)
	}
	a, b := string(got[0].Content), string(got[1].Content)
	if strings.Contains(a, "func parse") || strings.Contains(a, "net/url") {
		t.Errorf("the first file declares what it shares:\n%s", a)
	}
	if !strings.Contains(b, "t.Log(parse(\"b\"), T{parse2: 1}.parse2)") || strings.Contains(b, "func parse") {
		t.Errorf("the second file is\n%s", b)
	}
	if generated, edited := Verify(helpers); !generated || edited {
		t.Errorf("Verify of the helpers = %t, %t; want true, false", generated, edited)
	}

	c, ok := OnlyHelpers(helpers)
	if !ok {
		t.Fatal("the file of helpers is not known as one")
	}
	if _, ok := OnlyHelpers(got[0].Content); ok {
		t.Error("a file of tests is taken for one of helpers")
	}
	own, err := WithHelpers(got[1].Content, c, "")
	if err != nil || !strings.Contains(string(own), "func parse(s string) *url.URL") || !strings.Contains(string(own), "\t\"net/url\"\n") {
		t.Errorf("WithHelpers returns an error (%v), or\n%s", err, own)
	}
}

func TestShareNothing(t *testing.T) {
	other := strings.Replace(inB, "return u", "return nil", 1)
	for _, tt := range []struct {
		name string
		in   []Text
	}{
		{"one file", []Text{text("a", testA+inA)}},
		{"different helpers", []Text{text("a", testA+inA), text("b", testB+other)}},
		{"a build constraint", []Text{text("a", testA+inA), {"b", Seal([]byte("//go:build linux\n\npackage p\n\n" + testB + inB))}}},
		{"different packages", []Text{text("a", testA+inA), {"b", Seal([]byte("package p_test\n\n" + testB + inB))}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, helpers, err := Share(tt.in, nil, Scope{Taken: free})
			if err != nil || helpers != nil {
				t.Fatalf("Share returns the error %v and the helpers\n%s", err, helpers)
			}
			for i := range got {
				if string(got[i].Content) != string(tt.in[i].Content) {
					t.Errorf("file %s changed", tt.in[i].Path)
				}
			}
		})
	}
}

// A file that is there only sometimes uses what the others share, and helpers that stay are used under their names.
func TestShareHeld(t *testing.T) {
	held, err := ReadContent(text("h", "import \"net/url\"\n\n"+strings.ReplaceAll(inA, "parse", "parseURL")).Content)
	if err != nil {
		t.Fatal(err)
	}
	bug := Text{"b", Seal([]byte("//go:build linux\n\npackage p\n\n" + testB + inB))}
	got, helpers, err := Share([]Text{bug}, held, Scope{Taken: free})
	if err != nil {
		t.Fatal(err)
	}
	if b := string(got[0].Content); !strings.Contains(b, "parseURL(\"b\")") || strings.Contains(b, "func parse") || !strings.Contains(b, "//go:build linux") {
		t.Errorf("the file is\n%s", b)
	}
	if !strings.Contains(string(helpers), "func parseURL(") {
		t.Errorf("the helpers are\n%s", helpers)
	}
}

// A file of helpers that is fixed gets no others, and names that are declared elsewhere are not taken twice.
func TestShareFixed(t *testing.T) {
	got, helpers, err := Share([]Text{text("a", testA+inA), text("b", testB+inB)}, nil, Scope{Fixed: true, Taken: func(name string) bool { return name == "parse2" }})
	if err != nil || helpers != nil {
		t.Fatalf("Share returns the error %v and the helpers\n%s", err, helpers)
	}
	if a := string(got[0].Content); a != string(text("a", testA+inA).Content) {
		t.Errorf("the first file is\n%s", a)
	}
	if b := string(got[1].Content); !strings.Contains(b, "t.Log(parse3(\"b\"), T{parse2: 1}.parse2)") || !strings.Contains(b, "// parse3 returns a URL.\nfunc parse3(") {
		t.Errorf("the second file is\n%s", b)
	}
}

// Helpers that use others are shared with these, and helpers of one name that differ get two names.
func TestShareNested(t *testing.T) {
	nested := func(n string) string {
		return "func outer" + n + "() int { return inner" + n + "() }\n\nfunc inner" + n + "() int { return 1 }\n\nfunc own() int { return " + n + " }\n"
	}
	test := func(n string) string {
		return "import \"testing\"\n\nfunc Test" + n + "(t *testing.T) { t.Log(outer" + n + "(), own()) }\n\n"
	}
	got, helpers, err := Share([]Text{text("a", test("7")+nested("7")), text("b", test("8")+nested("8"))}, nil, Scope{Taken: free})
	if err != nil {
		t.Fatal(err)
	}
	if h := string(helpers); strings.Count(h, "func ") != 2 || !strings.Contains(h, "func outer7() int { return inner7() }") {
		t.Errorf("the helpers are\n%s", h)
	}
	if b := string(got[1].Content); !strings.Contains(b, "t.Log(outer7(), own2())") || !strings.Contains(b, "func own2() int { return 8 }") {
		t.Errorf("the second file is\n%s", b)
	}
}

// Two packages of one name are imported by two names.
func TestShareImports(t *testing.T) {
	file := func(path, test, of, helper string) Text {
		return text(path, "import (\n\t\""+of+"\"\n\t\"testing\"\n)\n\nfunc Test"+test+"(t *testing.T) { t.Log("+helper+"()) }\n\nfunc "+helper+"() int { return template.Size }\n")
	}
	_, helpers, err := Share([]Text{
		file("a", "A", "text/template", "plain"), file("b", "B", "text/template", "plain2"),
		file("c", "C", "html/template", "safe"), file("d", "D", "html/template", "safe2"),
	}, nil, Scope{Taken: free})
	if err != nil {
		t.Fatal(err)
	}
	if h := string(helpers); !strings.Contains(h, "template2 \"html/template\"") || !strings.Contains(h, "func safe() int { return template2.Size }") || !strings.Contains(h, "func plain() int { return template.Size }") {
		t.Errorf("the helpers are\n%s", h)
	}
}

func TestUsesOf(t *testing.T) {
	c := UsesOf([]byte("package p\n\nconst (\n\ta = 1\n\tb = 2\n)\n\nfunc TestX(t *testing.T) { errText(nil) }\n"))
	if c == nil || c.Package() != "p" || !c.Tests[0].Uses["errText"] {
		t.Errorf("UsesOf = %+v", c)
	}
	if c := UsesOf([]byte("package")); c != nil {
		t.Errorf("UsesOf of what does not parse = %+v", c)
	}
}

// Keys of maps may be names of helpers, keys of structs are names of fields, and values within others may leave out their types.
func TestRenamed_keys(t *testing.T) {
	const text = `var m = map[string][]T{key: {{key: key}}, "a": nil}
var n = map[string]map[string]int{key: {key: 1}}
var l = []T{{key: 1}, {key}}`
	const want = `var m = map[string][]T{other: {{key: other}}, "a": nil}
var n = map[string]map[string]int{other: {other: 1}}
var l = []T{{key: 1}, {other}}`
	if got := Renamed(text, map[string]string{"key": "other"}); got != want {
		t.Errorf("Renamed = %s\nwant %s", got, want)
	}
}
