package asked_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/asked"
)

// TestCompose makes texts of a few grammars and expects that documents of each of them come up soon.
func TestCompose(t *testing.T) {
	tests := []struct {
		name  string
		asked []string
		reads func(text string) bool
	}{
		{"sections of keys and values", []string{"#", "[", "]", "="}, func(text string) bool {
			lines := strings.Split(text, "\n")
			return len(lines) > 1 && strings.HasPrefix(lines[0], "[") && strings.HasSuffix(lines[0], "]") && strings.Contains(lines[1], "=")
		}},
		{"keywords with values", []string{"listen", ";"}, func(text string) bool { return strings.HasPrefix(text, "listen ") }},
		{"blocks", []string{"{", "}"}, func(text string) bool {
			return strings.Contains(text, " {\n\t") && strings.HasSuffix(text, "\n}")
		}},
		{"lists", []string{","}, func(text string) bool { return strings.Count(text, ",") == 2 && !strings.Contains(text, "\n") }},
		{"no signs", nil, func(text string) bool { return text == "host localhost" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			const soon = 100
			for range soon {
				if tt.reads(asked.Compose(rnd, tt.asked)) {
					return
				}
			}
			t.Errorf("none of %d texts of %q is one", soon, tt.asked)
		})
	}
}

// TestSome expects lists that stand together, each of them now and then alone.
func TestSome(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := make(map[string]bool)
	for range 100 {
		seen[strings.Join(asked.Some(rnd, [][]string{{"["}, {"]", "["}, {"="}}), "")] = true
	}
	for _, want := range []string{"[", "][", "=", "[]", "][=", "[]="} {
		if !seen[want] {
			t.Errorf("the texts %s are never together", want)
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("%v stand together, too", seen)
	}
}
