package merge

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/event"
)

const (
	confined = `{"time":"2026-01-02T03:04:05Z","action":"confinement","confined":true,"how":"landlock","mode":"best"}` + "\n"
	pkgA     = `{"action":"test","package":"m/a","func":"F","name":"TestF"}
{"action":"summary","verb":"gen","package":"m/a","functions":2,"tests":1,"findings":0,"coverage":50,"statements":10,"mutants":4,"killed":1,"elapsed_s":3}
`
	pkgB = `{"action":"finding","package":"m/b","func":"G","kind":"panic","severity":"error","message":"panics"}
{"action":"summary","verb":"gen","package":"m/b","functions":1,"tests":0,"findings":1,"coverage":100,"statements":30,"mutants":4,"killed":3,"elapsed_s":5}
`
	total = `{"action":"summary","verb":"gen","package":"","tests":1,"elapsed_s":6}` + "\n"
)

func shard(i string) string {
	return `{"action":"shard","shard":` + i + `,"shards":2,"packages":1,"others":1}` + "\n"
}

// add adds runs, and returns a word for each event that one run over all packages would have sent.
func add(t *testing.T, runs ...string) (r Runs, said []string, sum event.Summary) {
	t.Helper()
	for i, text := range runs {
		if err := r.Add(string(rune('x'+i)), strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	errors := r.Send(func(e event.Event) {
		word := e.Action()
		if p, ok := packageOf(e); ok {
			word += " " + p
		}
		said = append(said, word)
		if s, ok := e.(event.Summary); ok {
			sum = s
		}
	})
	if want := strings.Count(strings.Join(said, "\n"), "finding "); errors != want {
		t.Errorf("%d errors, want %d", errors, want)
	}
	return r, said, sum
}

func TestRuns(t *testing.T) {
	r, said, sum := add(t, shard("2")+confined+pkgB+total, shard("1")+confined+pkgA+total)
	want := "confinement, test m/a, summary m/a, finding m/b, summary m/b, summary"
	if got := strings.Join(said, ", "); got != want {
		t.Errorf("said %s, want %s", got, want)
	}
	if *sum.Functions != 3 || *sum.Tests != 1 || *sum.Findings != 1 || *sum.Coverage != 87.5 || *sum.Statements != 40 || *sum.Mutation != 50 || sum.ElapsedS != 6 {
		t.Errorf("the sum is %+v", sum)
	}
	if p := r.Problems(); p != nil {
		t.Errorf("problems: %v", p)
	}
}

// If a part is missing, the result says so, and has the other parts.
func TestRuns_missing(t *testing.T) {
	for _, tt := range []struct {
		name, problems, said string
		runs                 []string
	}{
		{"a shard", "shard 2 of 2 is missing", "test m/a, summary m/a, summary", []string{shard("1") + pkgA + total}},
		{"a sum", "x is cut off: it has no sum", "test m/a, summary m/a, summary", []string{pkgA}},
		{"half of a line", "x is cut off: it has no sum", "test m/a, summary m/a, summary", []string{pkgA + `{"action":"summary","verb":"g`}},
		{"the rest of a package", "x is cut off: it has no sum; x: m/b is cut off", "test m/a, summary m/a, finding m/b, summary",
			[]string{pkgA + strings.SplitAfter(pkgB, "\n")[0]}},
		{"nothing, a package is there twice", "m/a is in x and in y; the latter counts", "test m/a, summary m/a, summary", []string{pkgA + total, pkgA + total}},
		{"nothing, the second try was cut off", "y is cut off: it has no sum", "test m/a, summary m/a, summary",
			[]string{pkgA + total, strings.SplitAfter(pkgA, "\n")[0]}},
		{"everything", "x is cut off: it has no sum", "summary", []string{""}},
	} {
		r, said, _ := add(t, tt.runs...)
		if got := strings.Join(r.Problems(), "; "); got != tt.problems {
			t.Errorf("%s: problems %q, want %q", tt.name, got, tt.problems)
		}
		if got := strings.Join(said, ", "); got != tt.said {
			t.Errorf("%s: said %s, want %s", tt.name, got, tt.said)
		}
	}
}

// Input that cannot be the events of such runs is refused, with the number of the line.
func TestRuns_refused(t *testing.T) {
	for text, want := range map[string]string{
		"PASS\nok\n": "x:1: not an event",
		pkgA + `{"action":"dance","package":"m/a"}` + "\n" + total:                          `x:3: no event "dance"`,
		pkgA + `{"action":"summary","verb":"check","package":"m/b"}` + "\n":                 "x:3: a run of check, where others are of gen",
		`{"action":"summary","verb":"diff","package":"m/b"}` + "\n":                         "x:1: a run of diff; want gen or check",
		shard("1") + `{"action":"shard","shard":1,"shards":3}` + "\n":                       "x:2: a shard of 3, where others are of 2",
		`{"action":"test","func":"F"}` + "\n":                                               `x:1: an event "test" that belongs to no package`,
		`{"action":"skip","package":"` + strings.Repeat("m", longest) + `"}` + "\n" + total: "x:1: bufio.Scanner: token too long",
	} {
		var r Runs
		if err := r.Add("x", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Add = %v, want %s", err, want)
		}
	}
}
