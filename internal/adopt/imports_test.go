package adopt

import (
	"go/format"
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	const decl = "func TestX(t *testing.T) {\n\tt.Error(errors.Is(io.EOF, p.Err), errors.New)\n}"
	imports := map[string]string{"testing": "testing", "errors": "errors", "io": "io", "example.com/p": "p", "os": "os"}
	for _, tt := range []struct{ name, src, want string }{
		{"no imports", "package p_test\n",
			`import ( "errors" "io" "testing" "example.com/p" )`},
		{"one import", "package p_test\n\nimport \"testing\"\n",
			`import ( "errors" "io" "testing" "example.com/p" )`},
		{"two groups", "package p_test\n\nimport (\n\t\"bytes\" // why\n\t\"testing\"\n\n\t\"example.com/a\"\n)\n",
			`import ( "bytes" // why "errors" "io" "testing" "example.com/a" "example.com/p" )`},
		{"others only", "package p_test\n\nimport (\n\t\"example.com/a\"\n)\n",
			`import ( "errors" "io" "testing" "example.com/a" "example.com/p" )`},
		{"another name", "package p_test\n\nimport (\n\tstderrors \"errors\"\n\t\"io\"\n\t\"testing\"\n\n\tp2 \"example.com/p\"\n)\n",
			`import ( stderrors "errors" "io" "testing" p2 "example.com/p" )`},
		{"the name is another package's", "package p_test\n\nimport (\n\t\"io\"\n\t\"testing\"\n\n\t\"example.com/errors\"\n\t\"example.com/p\"\n)\n",
			`import ( errors2 "errors" "io" "testing" "example.com/errors" "example.com/p" )`},
		{"blank and dot", "package p_test\n\nimport (\n\t_ \"io\"\n\t\"errors\"\n\t\"testing\"\n\n\t. \"example.com/p\"\n)\n",
			`import ( "errors" "io" _ "io" "testing" "example.com/p" . "example.com/p" )`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &handFile{name: "p_test.go", src: []byte(tt.src), created: true}
			if err := h.read(); err != nil {
				t.Fatal(err)
			}
			if err := h.append([]string{decl}, imports, nil); err != nil {
				t.Fatal(err)
			}
			got := string(h.content())
			block := got[strings.Index(got, "import"):strings.Index(got, "func TestX")]
			if one := strings.Join(strings.Fields(block), " "); one != tt.want {
				t.Errorf("imports\n%s\nwant\n%s", one, tt.want)
			}
			if clean, err := format.Source([]byte(got)); err != nil || string(clean) != got {
				t.Errorf("not formatted (%v):\n%s", err, got)
			}
			call := "errors.Is(io.EOF, p.Err), errors.New"
			if strings.Contains(tt.want, "stderrors") {
				call = "stderrors.Is(io.EOF, p2.Err), stderrors.New"
			} else if strings.Contains(tt.want, "errors2") {
				call = "errors2.Is(io.EOF, p.Err), errors2.New"
			}
			if !strings.Contains(got, call) {
				t.Errorf("the call is not %s:\n%s", call, got)
			}
		})
	}
}

// Two helpers with the same body are the same helper, also if their names or comments differ. Helpers with
// different bodies are not.
func TestNormalised(t *testing.T) {
	a := normalised("// one says.\nfunc one(n int) int {\n\treturn one(n - 1)\n}", "one")
	b := normalised("func two(n int) int { return two(n-1) }", "two")
	c := normalised("func two(n int) int { return two(n-2) }", "two")
	if a != b || a == c {
		t.Errorf("%q, %q, %q", a, b, c)
	}
}

func TestIsOf(t *testing.T) {
	for _, tt := range []struct {
		test, name string
		want       bool
	}{
		{"TestParse", "Parse", true},
		{"TestParse_errors", "Parse", true},
		{"TestParseLine", "Parse", false},
		{"TestTree_Remove", "Tree.Remove", true},
		{"TestTree_Remove_nil", "Tree", true},
		{"Test_hidden", "hidden", true},
		{"TestParse_errors", "TestParse_errors", true},
		{"TestParse_errors", "TestParse", false},
		{"FuzzParse", "Parse", true},
	} {
		if got := isOf(tt.test, tt.name); got != tt.want {
			t.Errorf("isOf(%q, %q) = %t, want %t", tt.test, tt.name, got, tt.want)
		}
	}
}
