package event

import (
	"errors"
	"go/token"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestFingerprint(t *testing.T) {
	const src = "package p\n\nfunc F(s []int) int {\n\tx := s[0]\n\tx += s[1]\n\tx += s[1]\n\treturn x\n}\n\nfunc G(s []int) int {\n\tx := s[0]\n\treturn x\n}\n"
	at := func(src string, line int) string {
		f := &testcase.Finding{Kind: "index-out-of-range", Func: "F", Pos: token.Position{Filename: "p.go", Line: line}}
		return FindingOf("m/p", f, func(string) ([]byte, error) { return []byte(src), nil }).Fingerprint
	}
	base := at(src, 5)
	if got := at("// A comment.\n\n"+src, 7); got != base {
		t.Errorf("it changes where lines move: %s, %s", base, got)
	}
	if got := at(src+"\nvar x = 1\n", 5); got != base {
		t.Errorf("it changes for what follows: %s, %s", base, got)
	}
	seen := map[string]int{}
	for _, line := range []int{4, 5, 6, 7, 11} {
		got := at(src, line)
		if old := seen[got]; old != 0 {
			t.Errorf("lines %d and %d have one fingerprint", old, line)
		}
		seen[got] = line
	}
	f := &testcase.Finding{Kind: "hang", Func: "F", Message: "hangs", Pos: token.Position{Filename: "p.go", Line: 3}}
	if e := FindingOf("m/p", f, func(string) ([]byte, error) { return nil, errors.New("gone") }); e.Fingerprint == "" || e.Pos != "p.go:3" {
		t.Errorf("without its source it is %+v", e)
	}
}

func TestPlace(t *testing.T) {
	for s, want := range map[string]token.Position{
		"":              {},
		"/w/a.go":       {Filename: "/w/a.go"},
		"/w/a.go:3":     {Filename: "/w/a.go", Line: 3},
		"/w/a.go:3:14":  {Filename: "/w/a.go", Line: 3, Column: 14},
		`C:\w\a.go:3:1`: {Filename: `C:\w\a.go`, Line: 3, Column: 1},
		`C:\w\a.go`:     {Filename: `C:\w\a.go`},
	} {
		if got := Place(s); got != want {
			t.Errorf("Place(%q) = %+v, want %+v", s, got, want)
		}
	}
}
