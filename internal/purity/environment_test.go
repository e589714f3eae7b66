package purity

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// A function asks for the variables of the functions that it calls, too.
func TestVariables(t *testing.T) {
	got := Variables(loadSource(t, `package m

import "os"

func Level() string { return os.Getenv("LOG_LEVEL") }

func New(dir string) (string, bool) { return Level() + dir, color() }

func color() bool {
	_, off := os.LookupEnv("NO_COLOR")
	return !off
}

func Any(name string) string { return os.Getenv(name) }
`))
	var all []string
	for _, name := range slices.Sorted(maps.Keys(got)) {
		all = append(all, name+": "+strings.Join(got[name], " "))
	}
	if want := "Level: LOG_LEVEL, New: LOG_LEVEL NO_COLOR, color: NO_COLOR"; strings.Join(all, ", ") != want {
		t.Errorf("variables are %q, want %q", strings.Join(all, ", "), want)
	}
}
