package usage

import (
	"fmt"
	"strings"
	"testing"
)

func TestNil(t *testing.T) {
	r := rules(t)
	tests := []struct {
		name    string
		param   int
		allowed bool
		why     string
	}{
		{"Log", 0, true, "may be nil"},
		{"Strict", 0, false, "must not be nil"},
		{"Looks", 0, true, "looks whether"},
		{"Behind", 0, false, ""},
		{"Blind", 0, false, ""},
		{"Walks", 0, false, ""}, // what it looks at is no longer its argument
		{"Inner", 0, true, "passes nil"},
		{"Find", 0, false, ""},
		{"Deliver", 0, false, ""}, // m is no word in `cm is nil`
		{"Deliver", 1, true, "If cm is nil"},
		{"Pick", 0, true, "If nil"},
		{"Pick", 1, false, ""},          // the sentence is in the entry of the other parameter
		{"Node.C", Receiver, false, ""}, // two of five methods check, which are fewer than half
		{"List.lazyInit", Receiver, false, ""},
	}
	for _, tt := range tests {
		got := r.Nil(r.Pkg.Target(tt.name).Obj, tt.param)
		if got.Allowed != tt.allowed || (got.Evidence == "") != (tt.why == "") || !strings.Contains(got.Evidence, tt.why) {
			t.Errorf("Nil(%s, %d) = %+v, want %v with %q", tt.name, tt.param, got, tt.allowed, tt.why)
		}
	}
}

// "... or nil" about a result, or about what a method sets, says nothing of arguments, whatever the verb is and whatever the parameters are
// called. It is a promise where the sentence says what the parameter is, or where nothing else that is passed on can be nil.
func TestNilResult(t *testing.T) {
	tests := []struct {
		doc, decl string
		allowed   bool
	}{
		{"F is what both have in common, or nil.", "func F(o *Span) *Span { return o }", false},
		{"F is the first of the spans, or nil.", "func F(in *Span, ss []*Span) *Span { return in }", false},
		{"F gives the longer one or nil if both have the same length.", "func F(a, b *Span) *Span { return a }", false},
		{"F gets what comes before the span, or nil where nothing does.", "func F(s *Span) []Span { return []Span{*s} }", false},
		{"F is the next one that is in, or nil.", "func F(in *Span) (*Span, error) { return in, nil }", false},
		{"F returns the next one or nil.", "func F(n *Span) *Span { return n }", false}, // the name is a letter of the words
		{"F is the first one, if s is set, or nil.", "func F(s *Span) *Span { return s }", false},
		{"F is the first reason, or nil.", "func F(s *Span) error { return nil }", false},
		{"F tries what next gives: a span, or nil.", "func F(s *Span, next func() *Span) { _ = *s }", false},
		{"F appends b or nil to a.", "func F(a, b *Span) { _ = *a }", false},
		{"F appends b or nil to a.", "func F(b, a *Span) { _ = *b }", true},
		{"F takes a span or nil.", "func F(s *Span) { _ = *s }", true},
		{"F is the next one. s is a span, or nil.", "func F(s *Span) *Span { return s }", true},
		{"F is 0 if s is empty or nil.", "func F(s *Span) any { return *s }", true},
		{"F is one half. The argument may be a span or nil.", "func F(s *Span) *Span { return s }", true},
		{"F makes a list. Pass a span or nil.", "func F(s *Span) *Span { return s }", true},
		{"F makes a list. s - the first span, or nil.", "func F(s *Span) *Span { return s }", true},
		{"F is the first one, or nil if s is nil.", "func F(s *Span) *Span { return s }", true},
	}
	source := "package m\n\ntype Span struct{ from int }\n"
	for i, tt := range tests {
		name := fmt.Sprintf("F%d", i)
		source += "\n// " + strings.Replace(tt.doc, "F ", name+" ", 1) + "\n" + strings.Replace(tt.decl, "F(", name+"(", 1) + "\n"
	}
	r := rulesOf(t, source)
	for i, tt := range tests {
		if got := r.Nil(r.Pkg.Target(fmt.Sprintf("F%d", i)).Obj, 0); got.Allowed != tt.allowed {
			t.Errorf("%s\n%s\n%+v, want %v", tt.doc, tt.decl, got, tt.allowed)
		}
	}
}

// Package fmt prints a nil pointer whose String panics; another method is expected to look as its siblings do.
func TestNilPrinted(t *testing.T) {
	r := rulesOf(t, closingSource)
	for name, want := range map[string]bool{"List.String": false, "List.First": true} {
		if got := r.Nil(r.Pkg.Target(name).Obj, Receiver); got.Allowed != want {
			t.Errorf("Nil(%s) = %+v, want allowed %t", name, got, want)
		}
	}
}

const promisedSource = `package m

// Subscribe adds a handler. Returns error if ` + "`fn`" + ` is not a function.
func Subscribe(topic string, fn any) error { return nil }

// Load reads into v. It returns an ErrTarget unless v is a pointer to a struct.
func Load(v any) error { return nil }

// Send sends v. An error is returned when the given v is not a map or a struct.
func Send(v any) error { return nil }

// Range goes over v. It returns an error if v is not an iterator.
func Range(v any) error { return nil }

// Find returns an error if fn is not found.
func Find(fn any) error { return nil }

// Check returns an error if fn is not a known handler.
func Check(fn any) error { return nil }

// Call panics if fn is not a function, and returns the error of fn.
func Call(fn any) error { return nil }

// Add returns no error if fn is not a function.
func Add(fn any) error { return nil }

// Ask returns an error if fn is not a function or nil.
func Ask(fn any) error { return nil }

// Keep returns an error if fn is not a function.
func Keep(fn any) {}

// Name returns an error if fn is not a word.
func Name(fn string) error { return nil }

// Other returns an error if fns is not a function.
func Other(fn any) error { return nil }
`

// A sentence that promises an error for what is not of a kind is about all values, nil among them.
func TestPromised(t *testing.T) {
	r := rulesOf(t, promisedSource)
	for _, tt := range []struct {
		fn    string
		param int
		want  string
	}{
		{"Subscribe", 1, "function"}, {"Subscribe", 0, ""}, {"Load", 0, "pointer"}, {"Send", 0, "other"}, {"Range", 0, "other"},
		{"Find", 0, ""}, {"Check", 0, ""}, {"Call", 0, ""}, {"Add", 0, ""}, {"Ask", 0, ""}, {"Keep", 0, ""}, {"Name", 0, ""}, {"Other", 0, ""},
	} {
		fn := r.Pkg.Target(tt.fn).Obj
		kind, sentence := r.Promised(fn, tt.param)
		if kind != tt.want || (sentence == "") != (kind == "") {
			t.Errorf("Promised(%s, %d) = %q, %q, want %q", tt.fn, tt.param, kind, sentence, tt.want)
		}
		if word := r.Nil(fn, tt.param); kind != "" && (!word.Allowed || word.Rank != Declared) {
			t.Errorf("Nil(%s, %d) = %+v", tt.fn, tt.param, word)
		}
	}
}
