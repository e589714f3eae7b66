package reduce

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
)

// TestReduceDead reduces suites in which a dead call of one test covers what another test is there for.
// Something is removed, what covers or notices something stays, and a second run has nothing to remove.
func TestReduceDead(t *testing.T) {
	for _, tt := range []struct{ name, code, tests, gone, left string }{
		{
			"queue",
			"type Q struct{ a []int; n int }\n\nfunc New(n int) *Q { return &Q{n: n} }\n\nfunc (q *Q) Put(x int) bool {\n\tif len(q.a) == q.n {\n\t\treturn false\n\t}\n\tq.a = append(q.a, x)\n\treturn true\n}\n\nfunc (q *Q) Len() int { return len(q.a) }\n",
			"func TestLen(t *testing.T) {\n\tq := New(3)\n\tq.Put(4)\n\tr := New(2)\n\tif r.Len() != 0 {\n\t\tt.Error(\"Len\")\n\t}\n}\n\nfunc TestPut(t *testing.T) {\n\tr := New(2)\n\tif !r.Put(1) || r.Len() != 1 {\n\t\tt.Error(\"Put\")\n\t}\n}\n",
			"q := New(3)", "r.Put(1)",
		},
		{
			"set",
			"type S map[string]bool\n\nfunc (s S) Add(k string) {\n\tif k != \"\" {\n\t\ts[k] = true\n\t}\n}\n\nfunc (s S) Has(k string) bool { return s[k] }\n",
			"func TestHas(t *testing.T) {\n\tdead := make(S)\n\tdead.Add(\"x\")\n\tdead.Add(\"\")\n\ts := make(S)\n\tif s.Has(\"a\") {\n\t\tt.Error(\"Has\")\n\t}\n}\n\nfunc TestAdd(t *testing.T) {\n\ts := make(S)\n\ts.Add(\"a\")\n\ts.Add(\"\")\n\tif !s.Has(\"a\") || s.Has(\"\") {\n\t\tt.Error(\"Add\")\n\t}\n}\n",
			"dead", "s.Add(\"\")",
		},
		{
			"list with a part that only dead calls cover",
			"type L struct{ next *L; v int }\n\nfunc (l *L) Link(o *L) *L {\n\tl.next = o\n\treturn l\n}\n\nfunc (l *L) Sum() int {\n\tif l.next == nil {\n\t\treturn l.v\n\t}\n\treturn l.v + l.next.Sum()\n}\n\nfunc (l *L) Set(v int) { l.v = v }\n",
			"func TestSum(t *testing.T) {\n\tp := new(L)\n\tp.Set(1)\n\ta, b := new(L), new(L)\n\ta.Set(3)\n\tb.Set(4)\n\ta.Link(b)\n\tif a.Sum() != 7 {\n\t\tt.Error(\"Sum\")\n\t}\n\tp.Link(p)\n}\n\nfunc TestSum2(t *testing.T) {\n\ta := new(L)\n\ta.Set(3)\n\tif a.Sum() != 3 {\n\t\tt.Error(\"Sum\")\n\t}\n}\n",
			"p.Link(p)", "a.Link(b)",
		},
		{
			"two dead objects, of which one alone notices a fault",
			"type C struct{ lines []string }\n\nfunc (c *C) Add(s string) {\n\tif len(c.lines) == 2 {\n\t\tc.lines = c.lines[:1]\n\t}\n\tc.lines = append(c.lines, s)\n}\n\nfunc (c *C) Last() string { return c.lines[1] }\n",
			"func TestAdd(t *testing.T) {\n\tspare := new(C)\n\tspare.Add(\"a\")\n\tfull := new(C)\n\tfull.Add(\"a\")\n\tfull.Add(\"b\")\n\tfull.Add(\"c\")\n\t_ = full.Last()\n\tc := new(C)\n\tc.Add(\"x\")\n\tif len(c.lines) != 1 || c.lines[0] != \"x\" {\n\t\tt.Error(c.lines)\n\t}\n}\n",
			"spare", "full.Add(\"c\")",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			test := filepath.Join(dir, "a_assay_test.go")
			for name, content := range map[string]string{
				"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package m\n\n" + tt.code,
				"a_assay_test.go": string(testfile.Seal([]byte("package m\n\nimport \"testing\"\n\n" + tt.tests))),
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			reduce := func() (said []string) {
				res, err := Run(t.Context(), session.Config{Timeout: time.Hour, Events: func(e event.Event) {
					switch e := e.(type) {
					case event.Reduced:
						said = append(said, e.Test+e.Reason)
					case event.Diagnostic:
						said = append(said, e.Message)
					}
				}}, []string{test}, false)
				if err != nil || res.Failed {
					t.Fatalf("%v, failed %v: %q", err, res.Failed, said)
				}
				return said
			}
			said := reduce()
			left, err := os.ReadFile(test)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(left), tt.gone) || !strings.Contains(string(left), tt.left) {
				t.Errorf("%q is to go, %q to stay; said %q; left is\n%s", tt.gone, tt.left, said, left)
			}
			if again := reduce(); len(again) > 0 {
				t.Errorf("the second time: %q", again)
			}
		})
	}
}
