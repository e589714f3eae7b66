package source

import (
	"slices"
	"strings"
	"testing"
)

const suite = `package p

import (
	"errors"
	"fmt"
	"testing"
)

type helper struct{ n int }

func (h *helper) use() {}

// TestOne has a dead chain, a dead call that is not pure, and a use.
func TestOne(t *testing.T) {
	a := New()
	b := a.Len()
	c := b + 1
	a.Push(1)
	f := func() { a.Push(2) }
	if a.Len() != 1 {
		t.Error(errors.New("len"))
	}
}

func TestTwo(t *testing.T) {
	(&helper{}).use()
	fmt.Println(New())
}

func TestRows(t *testing.T) {
	for _, tt := range []struct{ n int }{
		{1}, // one
		{2},
		{3},
	} {
		if tt.n == 0 {
			t.Error()
		}
	}
}
`

// names has the meanings of the functions in the suite: New makes an object, Len only looks at one, Push
// changes one.
var names = Names{
	Call: func(name string, method bool) Effects {
		switch name {
		case "New", "new":
			return Effects{}
		case "Len", "Size":
			return Effects{Plain: true}
		case "Push", "Link":
			return Effects{Arguments: true}
		case "Pop":
			return Effects{Arguments: true, Plain: true}
		case "Node":
			return Effects{Shares: true}
		}
		return Effects{Beyond: true}
	},
	Global: func(name string) bool { return name == "Default" },
}

// TestKeep checks what remains of a file for some fates of its parts: which statements are dead and pure,
// and which declarations go with a part.
func TestKeep(t *testing.T) {
	f, err := Parse("p_test.go", []byte(suite), names)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, p := range f.Parts() {
		parts = append(parts, p.Name)
	}
	if got, want := strings.Join(parts, "; "), "TestOne; TestTwo; TestRows, row 1; TestRows, row 2; TestRows, row 3"; got != want {
		t.Errorf("parts: %s, want %s", got, want)
	}
	if n := f.Parts()[0].Dead(Cleaned); n != 3 {
		t.Errorf("%d statements are dead, want 3", n)
	}
	out, err := f.Keep(func(test string, row int) Fate {
		if test == "TestOne" || row == 1 {
			return Cleaned
		}
		return Gone
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import (
	"errors"
	"testing"
)

// TestOne has a dead chain, a dead call that is not pure, and a use.
func TestOne(t *testing.T) {
	a := New()
	a.Push(1)
	if a.Len() != 1 {
		t.Error(errors.New("len"))
	}
}

func TestRows(t *testing.T) {
	for _, tt := range []struct{ n int }{
		{2},
	} {
		if tt.n == 0 {
			t.Error()
		}
	}
}
`
	got := strings.ReplaceAll(string(out), " // one\n", "\n")
	got = strings.ReplaceAll(got, "\t\t// one\n", "")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out, err := f.Keep(func(string, int) Fate { return Gone }); out != nil || err != nil {
		t.Errorf("nothing kept: %q, %v", out, err)
	}
}

// TestSplit checks that each part becomes a function, and that the rest of the file stays. TestDead checks
// which statements of tests are dead.
func TestDead(t *testing.T) {
	for _, tt := range []struct{ name, body, left string }{
		{"a dead object", "q := New(3)\nq.Push(4)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", "r := New(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"in between", "r := New(1)\nq := New(3)\nr.Push(1)\nq.Push(4)\nif r.Len() != 0 {\nt.Error()\n}\nq.Push(5)", "r := New(1);r.Push(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"its numbers", "n := 3\nq := New(n)\nq.Push(n)\n_ = q.Pop()\nm := q.Pop()\nq.Push(m)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", "r := New(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"an object without a name", "New(3).Push(4)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", "r := New(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"fields", "q := new(Queue)\nq.n = 3\nq.n++\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", "r := New(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"two dead objects that know each other", "q := New(3)\np := New(4)\np.Link(q)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", "r := New(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"a number of a live object", "r := New(1)\nn := r.Len()\nq := New(n)\nq.Push(n)\nif r.Len() != 0 {\nt.Error()\n}", "r := New(1);if r.Len() != 0 {\nt.Error()\n}"},
		{"a live number that changes", "n := 3\nn++\nr := New(n)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"a live object by another name", "r := New(1)\nq := r\nq.Push(4)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"a part of a live object", "r := New(1)\nq := r.Node()\nq.Push(4)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"linked to a live object", "r := New(1)\nq := New(2)\nr.Link(q)\nq.Push(4)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"through a function", "r := New(1)\nf := func() { r.Push(1) }\nf()\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"an object of the package", "Default.Push(1)\nq := Default\nq.Push(2)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"an unknown call", "q := New(3)\nq.Run(4)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"the last call is the test", "p := New(1)\np.Push(1)\nq := New(3)\nq.Push(4)", "q := New(3);q.Push(4)"},
		{"the last call is to panic", "defer func() {\nif recover() == nil {\nt.Error()\n}\n}()\np := New(1)\np.Push(1)\nq := New(3)\nq.Len()", "defer func() {\nif recover() == nil {\nt.Error()\n}\n}();q := New(3);q.Len()"},
		{"a declaration that stays", "q := Other()\nq.Push(1)\nr := New(1)\nif r.Len() != 0 {\nt.Error()\n}", ""},
		{"finding: a call behind assertions", "q := New(3)\nq.Push(4)\nr := New(1)\nif r.Len() != 0 {\nt.Fatal()\n}\n_ = r.Size()", "r := New(1);if r.Len() != 0 {\nt.Fatal()\n};_ = r.Size()"},
		{"a call behind assertions", "r := New(1)\nif r.Len() != 0 {\nt.Fatal()\n}\n_ = r.Size()", "r := New(1);if r.Len() != 0 {\nt.Fatal()\n}"},
	} {
		said := names
		said.Findings = strings.HasPrefix(tt.name, "finding: ")
		f, err := Parse("p_test.go", []byte("package p\n\nfunc TestX(t *testing.T) {\n"+tt.body+"\n}\n"), said)
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		x := f.tests[0]
		for _, s := range x.fn.Body.List {
			if !slices.Contains(slices.Concat(x.dead...), s) {
				left = append(left, f.text(s))
			}
		}
		want := tt.left
		if want == "" {
			want = strings.Join(all(f, x), ";")
		}
		if got := strings.Join(left, ";"); got != want {
			t.Errorf("%s: left is\n%s\nwant\n%s", tt.name, got, want)
		}
	}
}

// TestGroups checks which dead statements can go without each other, and what Keep leaves if one group of them stays.
func TestGroups(t *testing.T) {
	const body = "p := New(1)\nr := New(1)\nq := New(3)\nn := q.Pop()\np.Push(2)\nq.Push(n)\nNew(5).Push(6)\nif r.Len() != 0 {\nt.Error()\n}"
	f, err := Parse("a_test.go", []byte("package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n"+body+"\n}\n"), names)
	if err != nil {
		t.Fatal(err)
	}
	part := f.Parts()[0]
	fates := part.Fates()
	if len(fates) != 5 || part.Dead(fates[0]) != 0 || part.Dead(fates[1]) != 6 || part.Dead(fates[3]) != 3 || part.Dead(fates[2]|fates[4]) != 3 {
		t.Errorf("fates %b", fates)
	}
	out, err := f.Keep(func(string, int) Fate { return fates[3] })
	if err != nil {
		t.Fatal(err)
	}
	if s := string(out); strings.Contains(s, "p.Push") || strings.Contains(s, "New(5)") || !strings.Contains(s, "q.Push(n)") || part.Size(fates[3]) >= part.Size(fates[0]) {
		t.Errorf("with the second group only:\n%s", s)
	}
	many := strings.Repeat("New(5).Push(6)\n", 40)
	if f, err = Parse("a_test.go", []byte("package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n"+many+body+"\n}\n"), names); err != nil {
		t.Fatal(err)
	}
	if p := f.Parts()[0]; len(p.Fates()) != maxGroups+2 || p.Dead(Cleaned) != 46 {
		t.Errorf("%d fates, %d dead statements", len(p.Fates()), p.Dead(Cleaned))
	}
}

// all returns the texts of a test's statements.
func all(f *File, x *test) []string {
	var out []string
	for _, s := range x.fn.Body.List {
		out = append(out, f.text(s))
	}
	return out
}

func TestSplit(t *testing.T) {
	f, err := Parse("p_test.go", []byte(suite), names)
	if err != nil {
		t.Fatal(err)
	}
	out, tests := f.Split(7)
	if len(tests) != 8 || tests[0] != "TestAssayPart7" {
		t.Errorf("names: %v", tests)
	}
	g, err := Parse("p_test.go", out, names)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if n := len(g.Parts()); n != 8 { // TestOne in four
		t.Errorf("%d parts of the split file:\n%s", n, out)
	}
	if !strings.Contains(string(out), "type helper struct") {
		t.Error("a helper is gone")
	}
}
