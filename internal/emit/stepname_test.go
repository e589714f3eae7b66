package emit

import (
	"strings"
	"testing"
)

func TestBeginning(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"3", `"one,two,three,four,five,six,seven"`}, "one,two,three,four,five,..."},
		{[]string{`"short"`}, ""},
		{[]string{`"a\nvery long text that begins with a short line"`}, ""},
		{nil, ""},
	} {
		if got := beginning(tt.args); got != tt.want {
			t.Errorf("beginning(%q) = %q, want %q", tt.args, got, tt.want)
		}
	}
}

// A case without another name is called by its arguments, unless they are left out or only variables.
func TestPassedText(t *testing.T) {
	for call, want := range map[string]string{
		"New(WithMaxInterval(time.Minute))":    "WithMaxInterval(time.Minute)",
		"Take(3)":                              "3",
		`Get("a")`:                             `"a"`,
		"Close(ctx)":                           "",
		"Len()":                                "",
		"New(...)":                             "",
		"GET /items":                           "",
		"Set(" + strings.Repeat("1", 60) + ")": "",
	} {
		if got := passedText(call); got != want {
			t.Errorf("passedText(%q) = %q, want %q", call, got, want)
		}
	}
}

// A text inside of structs is a name by itself.
func TestWithoutWrapping(t *testing.T) {
	for name, want := range map[string]string{
		`&{Values: {&{Value: "'abc'"}}}`:           `"'abc'"`,
		`&{Values: {&{Value: "a"}, {Value: "b"}}}`: `&{Values: {&{Value: "a"}, {Value: "b"}}}`,
		`{Name: "ann", Age: 3}`:                    `{Name: "ann", Age: 3}`,
		`&{Values: {&{Value: "\x80"}}}`:            `&{Values: {&{Value: "\x80"}}}`,
		"empty":                                    "empty",
	} {
		if got := withoutWrapping(name); got != want {
			t.Errorf("withoutWrapping(%s) = %s, want %s", name, got, want)
		}
	}
}
