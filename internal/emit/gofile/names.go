package gofile

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names holds the identifiers that are taken in a scope and in the scopes around it.
type Names struct {
	outer *Names
	Taken map[string]bool
}

func NewNames(outer *Names) *Names { return &Names{outer: outer, Taken: map[string]bool{}} }

// Has reports whether the name is taken here or further out.
func (n *Names) Has(name string) bool {
	for ; n != nil; n = n.outer {
		if n.Taken[name] {
			return true
		}
	}
	return false
}

// Add marks a name as taken.
func (n *Names) Add(name string) { n.Taken[name] = true }

// Pick takes and returns the first proposed name that is free and neither a keyword nor predeclared. If no
// proposed name is free, it adds a number to the first one.
func (n *Names) Pick(proposed ...string) string {
	for _, p := range proposed {
		if Usable(p) && !n.Has(p) {
			n.Add(p)
			return p
		}
	}
	base := proposed[0]
	if !Usable(base) {
		base = "v"
	}
	if last := base[len(base)-1]; last >= '0' && last <= '9' {
		base += "_"
	}
	for i := 2; ; i++ {
		if p := base + strconv.Itoa(i); !n.Has(p) {
			n.Add(p)
			return p
		}
	}
}

// PickField does what Pick does for fields, which may have the names of predeclared identifiers.
func (n *Names) PickField(name string) string {
	if token.IsKeyword(name) {
		name = "the" + UpperFirst(name) // the column for a receiver of type Type
	}
	if !n.Has(name) {
		n.Add(name)
		return name
	}
	return n.Pick(name)
}

// Usable reports whether a variable may have this name: it is an identifier and hides no predeclared
// identifier.
func Usable(name string) bool {
	return token.IsIdentifier(name) && name != "_" && types.Universe.Lookup(name) == nil
}

// Identifier returns s without the characters that cannot stand in an identifier.
func Identifier(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || b.Len() > 0 && unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// UpperFirst returns s with its first letter in upper case.
func UpperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// LowerFirst returns s with its leading capitals in lower case as people do it:
// "ID" becomes "id", "HTTPServer" "httpServer".
func LowerFirst(s string) string {
	rs := []rune(s)
	for i := range rs {
		if !unicode.IsUpper(rs[i]) || i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) {
			break
		}
		rs[i] = unicode.ToLower(rs[i])
	}
	return string(rs)
}
