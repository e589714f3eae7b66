package random_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/random"
)

// TestTexts checks that the engine reaches code that needs texts which stand together in the tests, texts
// with another number in them, and texts that the code itself has written.
func TestTexts(t *testing.T) {
	rows := ""
	for i := range 60 {
		rows += fmt.Sprintf("\t{%q, %q, %q},\n", fmt.Sprintf("[moon%d one two three four five six seven eight nine ten eleven twelve]", i), fmt.Sprintf("/moon%d/1", i), "near")
	}
	s := open(t, txtar.Parse([]byte(strings.ReplaceAll(`
-- go.mod --
module example.com/m

go 1.24
-- p/p.go --
package p

import (
	"errors"
	"strconv"
	"strings"
)

// Mark is written with a sum of its digits that nobody guesses.
type Mark struct{ a, b int }

func New(a, b int) *Mark { return &Mark{a & 7, b & 7} }

func (m Mark) Name() string { return strconv.Itoa(m.a*1000 + m.b) }

func (m Mark) Twice(s string) string { return s + s }

func (m Mark) String() string {
	if m.a < 5 {
		return ""
	}
	return strconv.Itoa(m.a) + ":" + strconv.Itoa(m.b) + ":" + strconv.Itoa((m.a+3)*(m.b+5)*7919)
}

func Parse(s string) (*Mark, error) {
	part := strings.Split(s, ":")
	if len(part) != 3 {
		return nil, errors.New("three parts")
	}
	a, err1 := strconv.Atoi(part[0])
	b, err2 := strconv.Atoi(part[1])
	if err1 != nil || err2 != nil {
		return nil, errors.New("numbers")
	}
	if part[2] != strconv.Itoa((a+3)*(b+5)*7919) {
		return nil, errors.New("sum")
	}
	if a == 6 {
		a = 7
	}
	return &Mark{a, b}, nil
}

// At looks into a list at a path.
func At(list, path string) (string, error) {
	items := strings.Split(strings.Trim(list, "[]"), " ")
	if len(items) < 9 {
		return "", errors.New("short")
	}
	step := strings.Split(path, "/")
	if len(step) != 3 || step[1] != items[0] {
		return "", errors.New("name")
	}
	i, err := strconv.Atoi(step[2])
	if err != nil {
		return "", err
	}
	if i > len(items) {
		return "far", nil
	}
	return "near", nil
}
-- p/p_test.go --
package p

import "testing"

var table = []struct{ list, path, want string }{
ROWS}

func TestAt(t *testing.T) {
	for _, tt := range table {
		check(t, tt.list, tt.path, tt.want)
	}
}

func check(t *testing.T, list, path, want string) {
	if got, _ := At(list, path); got != want {
		t.Error(got)
	}
}
`, "ROWS", rows))))
	missing := ""
	for seed := range uint64(12) { // what one seed reaches is chance
		_, res := s.run(t, random.Config{Seed: seed, Ops: 20_000})
		if missing = s.uncovered(res.Covered); missing == "" {
			return
		}
	}
	t.Errorf("not covered: %s", missing)
}

// A statement of four words, of which each is looked at only if the ones before it are right, is found word by word: by putting the words
// that the code waits for behind what it has accepted. In texts made of the package's hundred others it would not come up.
func TestAwaitedWords(t *testing.T) {
	var names strings.Builder
	for i := range 100 {
		fmt.Fprintf(&names, "\t\"name%d\",\n", i)
	}
	s := open(t, txtar.Parse([]byte(strings.ReplaceAll(`
-- go.mod --
module example.com/m

go 1.24
-- p/p.go --
package p

import (
	"errors"
	"strings"
)

var reserved = []string{
NAMES}

func Parse(s string) (string, error) {
	words := strings.Fields(s)
	for _, want := range []func(string) bool{create, temporary, table} {
		if len(words) == 0 || !want(words[0]) {
			return "", errors.New("no statement")
		}
		words = words[1:]
	}
	if len(words) != 1 {
		return "", errors.New("one name")
	}
	for _, r := range reserved {
		if words[0] == r {
			return "", errors.New("reserved")
		}
	}
	return words[0], nil
}

func create(s string) bool {
	if s == "create" {
		return true
	}
	return false
}

func temporary(s string) bool {
	switch s {
	case "temp", "temporary":
		return true
	}
	return false
}

func table(s string) bool {
	if s != "table" {
		return false
	}
	return true
}
`, "NAMES", names.String()))))
	missing := ""
	for seed := range uint64(3) { // what one seed reaches is chance
		_, res := s.run(t, random.Config{Seed: seed, Ops: 20_000})
		if missing = s.uncovered(res.Covered); missing == "" {
			return
		}
	}
	t.Errorf("not covered: %s", missing)
}
