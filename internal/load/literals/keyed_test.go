package literals

import (
	"slices"
	"testing"
)

func TestKeyed(t *testing.T) {
	s := setOf(t, `
import (
	"strconv"
	"strings"
)

func Stat(text string) (cache, rss uint64) {
	for _, line := range strings.Split(text, "\n") {
		fields := strings.Split(line, " ")
		v, _ := strconv.ParseUint(fields[1], 10, 64)
		switch fields[0] {
		case "cache":
			cache = v
		case "rss", "rss_huge":
			rss = v
		}
	}
	return
}

func Status(text string) (name, state string) {
	for _, line := range strings.Split(text, "\n") {
		key, value, _ := strings.Cut(line, ":")
		if key == "Name" {
			name = value
		}
		if strings.HasPrefix(line, "State:") {
			state = value
		}
	}
	return
}

func Kind(name string) int { // splits nothing
	switch name {
	case "one":
		return 1
	case "two":
		return 2
	}
	return 0
}
`, "")
	want := []string{"cache 1\nrss 2\n", "Name:abc\nState: ann\n"}
	if !slices.Equal(s.Keyed, want) {
		t.Errorf("Keyed = %q, want %q", s.Keyed, want)
	}
	if of := s.ByFunc["Stat"]; of == nil || !slices.Contains(of.Strings, want[0]) {
		t.Errorf("Stat knows nothing of %q", want[0])
	}
}
