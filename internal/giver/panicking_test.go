package giver_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/testcase"
)

// Where the package recovers, functions that panic are passed to functions that take functions.
func TestNew_panicking(t *testing.T) {
	const src = `package jobs

type Job func() error

func Run(job func(n int, rest ...string) (int, error)) (err error) {
	%s
	_, err = job(1)
	return err
}

func Start(job Job)             {}
func Each(f func(hidden))       {}
func Keep[T any](f func(T) bool) {}

type hidden struct{}
`
	passed := func(recovers string) string {
		prog, pkg := open(t, "1.26", strings.Replace(src, "%s", recovers, 1))
		room, err := giver.New(prog, pkg)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, target := range pkg.Targets {
			for p := range target.Obj.Signature().Params().Variables() {
				for _, s := range room.Values(p.Type()) {
					if giver.PassesPanic(s) {
						all = append(all, s.Last().Op.Text)
					}
				}
			}
		}
		return strings.Join(all, "\n")
	}
	const want = `func(int, ...string) (int, error) { panic("boom") }
func() error { panic("boom") }
func(«example.com/m».hidden) { panic("boom") }`
	if got := passed(`defer func() { _ = recover() }()`); got != want {
		t.Errorf("passed are\n%s\nwant\n%s", got, want)
	}
	if got := passed(""); got != "" {
		t.Errorf("where nothing recovers, passed are\n%s", got)
	}
	if s := testcase.NewSequence(); giver.PassedThrough(s, &testcase.Panic{Message: "boom"}) || giver.PassedThrough(s, nil) {
		t.Error("a sequence without such a function passes no panic through")
	}
	if !giver.SaysPanicked("job panics: boom") || giver.SaysPanicked("nil map") {
		t.Error("SaysPanicked does not look for the text of these panics")
	}
}
