package words

import (
	"go/types"
	"strings"
	"testing"
)

// A long message names a row up to where its details begin, or not at all.
func TestBeginning(t *testing.T) {
	for _, tt := range []struct{ message, want string }{
		{"unknown unit", "unknown unit"},
		{"IBAN length 19 does not match length 18 specified for country code NL", "IBAN length 19 does not match length 18"},
		{"invalid checksum (expected (bech32=x0h488, bech32m=x0h488nn8ez9), got 000000)", "invalid checksum"},
		{"BBAN part of IBAN is not formatted according to country specification", "BBAN part of IBAN is not formatted"},
		{strings.Repeat("x", 60), ""},
	} {
		if got := beginning(tt.message); got != tt.want {
			t.Errorf("beginning(%q) = %q, want %q", tt.message, got, tt.want)
		}
	}
}

// What was passed is taken out of a message together with its quotes.
func TestWithout(t *testing.T) {
	for _, tt := range []struct{ message, passed, want string }{
		{`parse "7x": unknown unit`, "7x", "unknown unit"},
		{`no level "x"`, "x", "no level"},
		{"invalid suffix: abc. Suffix length is 3, expected 26", "abc", "invalid suffix"},
		{"invalid suffix: abc", "abc", "invalid suffix:"},
		{"exit of x", "x", "exit of x"}, // one character without quotes may be there for another reason
		{"prefix is missing", "prefix", "is missing"},
		{"prefixes are missing", "prefix", "prefixes are missing"},
	} {
		if got := without(tt.message, tt.passed); got != tt.want {
			t.Errorf("without(%q, %q) = %q, want %q", tt.message, tt.passed, got, tt.want)
		}
	}
}

// Lists that a message prints are no part of the name.
func TestWithoutLists(t *testing.T) {
	for _, tt := range []struct{ message, want string }{
		{`invalid length 3 ["a" "b" "c"]`, "invalid length 3"},
		{"same family [1 2], want two", "same family , want two"},
		{"unknown keys map[a:1] in the header", "unknown keys in the header"},
		{"index out of range [3] with length 2", "index out of range with length 2"},
		{"[a b] failed", "[a b] failed"},
	} {
		if got := withoutLists(tt.message); got != tt.want {
			t.Errorf("withoutLists(%q) = %q, want %q", tt.message, got, tt.want)
		}
	}
}

// A struct type without a name is said by its fields.
func TestFieldsOf(t *testing.T) {
	field := func(name string) *types.Var { return types.NewField(0, nil, name, types.Typ[types.Int], false) }
	one, three := types.NewStruct([]*types.Var{field("A")}, nil), types.NewStruct([]*types.Var{field("A"), field("B"), field("C")}, nil)
	for _, tt := range []struct {
		t    types.Type
		want string
	}{
		{one, "A"}, {types.NewPointer(three), "A, B and C"}, {types.Typ[types.Int], ""}, {types.NewStruct(nil, nil), ""},
	} {
		if got := fieldsOf(tt.t); got != tt.want {
			t.Errorf("fieldsOf(%s) = %q, want %q", tt.t, got, tt.want)
		}
	}
}

// A name does not end in the middle of what the message says.
func TestWithoutTail(t *testing.T) {
	for text, want := range map[string]string{
		"content length should be between 1": "content length",
		"length 19 does not match length 18": "length 19 does not match length 18",
		"cannot parse start time in":         "cannot parse start time",
		"in":                                 "in",
	} {
		if got := withoutTail(text); got != want {
			t.Errorf("withoutTail(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWithoutGot(t *testing.T) {
	for text, want := range map[string]string{
		"Expected an operator, got":                             "Expected an operator",
		"Unable to parse offset: strconv.Atoi: parsing: syntax": "Unable to parse offset",
		"expected 3 bytes but found":                            "expected 3 bytes",
		"key not found":                                         "key not found",
		"parse: strconv.Atoi: value out of range":               "parse: strconv.Atoi: value out of range",
	} {
		if got := withoutGot(text); got != want {
			t.Errorf("withoutGot(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestClosed(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"unknown unit":             "unknown unit",
		`invalid objects: ["a`:     "invalid objects",
		`a "b" (c) [d] is wrong`:   `a "b" (c) [d] is wrong`,
		"must be one of (a, b":     "must be one",
		"( nothing before":         "",
		`says "it (is", and more)`: `says "it (is", and more)`,
	} {
		if got := closed(text); got != want {
			t.Errorf("closed(%q) = %q, want %q", text, got, want)
		}
	}
}

// Numbers at the end of a message, and what package fmt cannot print, are no part of a name.
func TestWithoutNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"too many pending messages: 0 >= 0":   "too many pending messages",
		"unknown expression type: %!s(<nil>)": "unknown expression type",
		"line 3: unknown unit":                "line 3: unknown unit",
		"port: 8080":                          "port: 8080",
	} {
		if got := withoutNumbers(text); got != want {
			t.Errorf("withoutNumbers(%q) = %q, want %q", text, got, want)
		}
	}
}

// What says only that something failed is left out where the message goes on to say why.
func TestInnermost(t *testing.T) {
	for text, want := range map[string]string{
		`unable to send request: Post "/message": unsupported protocol scheme ""`: "unsupported protocol scheme",
		"failed to scan value: map[hello:ann]":                                    "failed to scan value: map[hello:ann]",
		"invalid port: value out of range":                                        "invalid port: value out of range",
		"could not open the store: unable to lock it: no more locks":              "no more locks",
		"no colon": "no colon",
	} {
		if got := innermost(text); got != want {
			t.Errorf("innermost(%q) = %q, want %q", text, got, want)
		}
	}
}

// A text that is in quotes already needs no others.
func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		`abc`: `"abc"`, `"abc"`: `"abc"`, `"a\nb"`: `"\"a\\nb\""`, `"`: `"\""`, `""`: `"\"\""`, `"a" "b"`: `"\"a\" \"b\""`,
	} {
		if got := quoted(text); got != want {
			t.Errorf("quoted(%s) = %s, want %s", text, got, want)
		}
	}
}

// What a message quotes is a part of the input, and no part of the name.
func TestWithoutQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`malformed closing line "---\n": <nil>`:      "malformed closing line",
		`unexpected intro, expected "v1\n"`:          "unexpected intro,",
		`invalid stanza argument: ""`:                "invalid stanza argument",
		`unknown keyword 'def'`:                      "unknown keyword",
		`expected "foo"`:                             `expected "foo"`,
		`invalid version "1.x": minor is no number`:  "minor is no number",
		`"a" is no unit`:                             `"a" is no unit`,
		"the server doesn't know what it can't read": "the server doesn't know what it can't read",
		"no quotes": "no quotes",
	} {
		if got := withoutQuotes(text); got != want {
			t.Errorf("withoutQuotes(%q) = %q, want %q", text, got, want)
		}
	}
}

// What all messages begin with says nothing about one of them.
func TestBeginningOfAll(t *testing.T) {
	for _, tt := range []struct {
		messages []string
		want     string
	}{
		{nil, ""},
		{[]string{"armor: a: b", "armor: a: c", "armor: d"}, "armor: "},
		{[]string{"armor: a", "armor: a", "armor: b"}, ""}, // two messages may have it in common by chance
		{[]string{"a: b", "c: d", "e: f"}, ""},
		{[]string{"invalid a", "invalid b", "invalid c"}, ""},
	} {
		if got := beginningOfAll(tt.messages); got != tt.want {
			t.Errorf("beginningOfAll(%q) = %q, want %q", tt.messages, got, tt.want)
		}
	}
}
