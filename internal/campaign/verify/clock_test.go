package verify

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
	"time"
)

func TestShiftClocks(t *testing.T) {
	const src = `package p

import (
	clock "time"
)

type T struct{}

func (T) Now() int { return 0 }

var now = clock.Now

func F(at clock.Time) (clock.Duration, clock.Duration, int) {
	return clock.Since(clock.Now()), clock.Until(at), T{}.Now() // clock.Now
}
`
	const want = `package p

import (
	clock "time"
)

type T struct{}

func (T) Now() int { return 0 }

var now = assayNow(clock.Now)

func F(at clock.Time) (clock.Duration, clock.Duration, int) {
	return assaySince(clock.Since)(assayNow(clock.Now)()), assayUntil(clock.Until)(at), T{}.Now() // clock.Now
}
`
	fset := token.NewFileSet()
	check := func(src string) (*ast.File, *types.Info) {
		f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
		conf := types.Config{Importer: importer.ForCompiler(fset, "gc", nil)}
		if _, err := conf.Check("p", fset, []*ast.File{f}, info); err != nil {
			t.Fatal(err)
		}
		return f, info
	}
	span := func(n ast.Node) (int, int) { return fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset }
	f, info := check(src)
	if got := string(shiftClocks(f, info, span, []byte(src))); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	const test = "package p\n\nfunc TestF(t *testing.T) { F(time.Now()); x.Now() }\n"
	const shifted = "package p\n\nfunc TestF(t *testing.T) { F(assayNow(time.Now)()); x.Now() }\n"
	written, err := parser.ParseFile(fset, "p_test.go", test, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(shiftClocks(written, nil, span, []byte(test))); got != shifted {
		t.Errorf("a test, without types:\n%s\nwant:\n%s", got, shifted)
	}
	const none = "package p\n\nimport \"time\"\n\nvar x = time.Unix(0, 0)\n"
	f, info = check(none)
	if got := shiftClocks(f, info, span, []byte(none)); got != nil {
		t.Errorf("a file without clocks has become %s", got)
	}
}

func TestOnOtherDays(t *testing.T) {
	for _, now := range []time.Time{
		time.Date(2026, 11, 26, 10, 53, 0, 0, time.UTC), time.Date(2028, 2, 29, 23, 59, 0, 0, time.UTC), time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		days, months := map[time.Weekday]bool{}, map[time.Month]bool{}
		for _, c := range onOtherDays(now) {
			_, at, _ := strings.Cut(c.trial.Env[0], "=")
			day, err := time.Parse(time.RFC3339, at)
			if err != nil {
				t.Fatal(err)
			}
			d := day.Sub(now)
			if want := "on a " + day.Weekday().String() + " in " + day.Month().String() + ", at " + day.Format(time.TimeOnly); c.what != want || !c.clock || d <= 0 || d > 400*24*time.Hour {
				t.Errorf("from %s, %s ahead: %q, want %q", now, d, c.what, want)
			}
			days[day.Weekday()], months[day.Month()] = true, true
		}
		if len(days) != 7 || len(months) != 7 {
			t.Errorf("from %s: %d days of the week in %d months, want all seven, each in a month of its own", now, len(days), len(months))
		}
	}
}
