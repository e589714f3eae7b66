package reach

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
)

const subject = `package p

import "errors"

// Stack is a stack of at most max numbers.
type Stack struct {
	max int
	all []int
}

// New returns an empty stack.
func New(max int) *Stack { return &Stack{max: max} }

// Push pushes x.
func (s *Stack) Push(x int) error {
	if len(s.all) >= s.max {
		return errors.New("full")
	}
	s.all = append(s.all, x)
	return nil
}

func Grade(score int) string {
	switch {
	case score < 0, score > 100:
		return "?"
	case score > 200:
		return "never"
	}
	if score > 90 && score%2 == 1 {
		return "A"
	} else {
		score++
	}

	for i := 0; i < score; i++ {
		if i == 42 {
			return "B"
		}
	}
	return "C"
}

// Clamp keeps x within 0 and 10.
func Clamp(x int) int {
	if x < 0 {
		return 0
	}
	return min(x, 10)
}

// Die is a die.
type Die struct{ sides int }

// NewDie returns a die.
func NewDie() *Die { return &Die{sides: 6} }

// Sides returns how many sides the die has.
func (d *Die) Sides() int {
	if d == nil {
		return 0
	}
	return d.sides
}
`

// lineOf returns the line of the subject that begins with a text, apart from indentation.
func lineOf(t *testing.T, text string) int {
	t.Helper()
	for i, l := range strings.Split(subject, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), text) {
			return i + 1
		}
	}
	t.Fatalf("no line %q", text)
	return 0
}

func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": subject} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "p.go")
}

func TestRun(t *testing.T) {
	file := write(t)
	for _, tt := range []struct {
		name string
		q    Question
		want event.Reached
		has  string // in the call or the bound
	}{
		{"a line", Question{Line: lineOf(t, `return "A"`)}, event.Found, "Grade(9"},
		{"a line in a loop", Question{Line: lineOf(t, `return "B"`)}, event.Found, "Grade("},
		{"dead code", Question{Line: lineOf(t, `return "never"`)}, event.Impossible, ""},
		{"a case", Question{Line: lineOf(t, `case score > 200`)}, event.Impossible, ""},
		{"an else", Question{Line: lineOf(t, `} else {`)}, event.Found, "Grade("},
		{"a head", Question{Line: lineOf(t, `func Grade`)}, event.Found, "Grade("},
		{"a method", Question{Line: lineOf(t, `s.all = append`)}, event.Found, "Push("},
		{"an outcome", Question{Line: lineOf(t, `if score > 90`), Outcome: "false"}, event.Found, "Grade("},
		{"an operand's outcome", Question{Line: lineOf(t, `if score > 90`), Column: 20, Outcome: "true"}, event.Found, "Grade(9"},
		{"a loop's outcome", Question{Line: lineOf(t, `for i := 0`), Outcome: "true"}, event.Found, "Grade("},
		{"a condition that holds", Question{Line: lineOf(t, `return min`), Breaks: "x >= 0"}, event.Impossible, ""},
		{"a condition that does not", Question{Line: lineOf(t, `return min`), Breaks: "x < 1000"}, event.Found, "Clamp(1000)"},
		{"what is returned, rightly", Question{Func: "Clamp", Breaks: "result <= 10"}, event.Impossible, ""},
		{"what is returned, wrongly", Question{Func: "Clamp", Breaks: "result == old(x)"}, event.Found, "Clamp("},
		{"what no calls lead to", Question{Line: lineOf(t, "return d.sides"), Breaks: "d.sides != 7"}, event.NotFound, "no calls were seen to lead to"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.File = file
			got, err := Run(t.Context(), session.Config{Timeout: 10 * time.Minute, Seed: 1}, tt.q)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != tt.want || !strings.Contains(got.Call+got.Bound, tt.has) {
				t.Errorf("%+v; want %s with %q", got, tt.want, tt.has)
			}
			if got.Verdict == event.Found && (len(got.Calls) == 0 || got.Call == "") {
				t.Errorf("no calls: %+v", got)
			}
			if got.Verdict == event.NotFound && got.Bound == "" {
				t.Error("nothing says why none was found")
			}
			for _, s := range got.Way {
				if strings.Contains(s.Text, marker) {
					t.Errorf("the way shows what was planted: %v", s)
				}
			}
			src, err := os.ReadFile(file)
			if err != nil || string(src) != subject {
				t.Error("the file has changed")
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	file := write(t)
	for _, tt := range []struct {
		name string
		q    Question
		want string
	}{
		{"a relative file", Question{File: "p.go", Line: 1}, "absolute"},
		{"no file", Question{File: file + "x", Line: 1}, "no such file"},
		{"a line outside", Question{File: file, Line: 3}, "is in no function"},
		{"a line beyond", Question{File: file, Line: 3000}, "is in no function"},
		{"an empty line", Question{File: file, Line: lineOf(t, "for i := 0") - 1}, "nothing is executed at this line; there is at"},
		{"no condition", Question{File: file, Line: lineOf(t, "score++"), Outcome: "true"}, "no condition of an if or for"},
		{"an odd outcome", Question{File: file, Line: lineOf(t, "if score > 90"), Outcome: "perhaps"}, "want true or false"},
		{"statements", Question{File: file, Line: lineOf(t, "score++"), Breaks: "true) { os.Exit(1) }; if (true"}, "is no expression"},
		{"an unknown name", Question{File: file, Line: lineOf(t, "score++"), Breaks: "nothing > 1"}, "undefined: nothing"},
		{"no truth", Question{File: file, Line: lineOf(t, "score++"), Breaks: "score"}, "p.go:"},
		{"an unknown name of a result", Question{File: file, Func: "Clamp", Breaks: "y > 1"}, "undefined: y"},
		{"no such function", Question{File: file, Func: "Clam", Breaks: "true"}, "declares no function Clam"},
		{"nothing", Question{File: file}, "name a function and a condition"},
		{"both", Question{File: file, Line: 1, Outcome: "true", Breaks: "true"}, "ask for an outcome, or"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Run(t.Context(), session.Config{}, tt.q)
			var usage session.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v, %v; want %q", got, err, tt.want)
			}
		})
	}
}
