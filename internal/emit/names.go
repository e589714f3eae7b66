package emit

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names are the identifiers taken in one scope and those around it.
type names struct {
	outer *names
	taken map[string]bool
}

func newNames(outer *names) *names { return &names{outer: outer, taken: map[string]bool{}} }

// has reports whether the name is taken here or further out.
func (n *names) has(name string) bool {
	for ; n != nil; n = n.outer {
		if n.taken[name] {
			return true
		}
	}
	return false
}

// add takes a name.
func (n *names) add(name string) { n.taken[name] = true }

// pick takes and returns the first of the proposed names that is free and is
// neither a keyword nor predeclared; if none is, the first with a number.
func (n *names) pick(proposed ...string) string {
	for _, p := range proposed {
		if usable(p) && !n.has(p) {
			n.add(p)
			return p
		}
	}
	base := proposed[0]
	if !usable(base) {
		base = "v"
	}
	if last := base[len(base)-1]; last >= '0' && last <= '9' {
		base += "_"
	}
	for i := 2; ; i++ {
		if p := base + strconv.Itoa(i); !n.has(p) {
			n.add(p)
			return p
		}
	}
}

// usable reports whether a variable may have this name: it is an identifier and
// hides nothing of the language.
func usable(name string) bool {
	return token.IsIdentifier(name) && name != "_" && types.Universe.Lookup(name) == nil
}

// importSet are the imports of a file.
type importSet struct {
	taken  *names            // names declared in the package: an import may not have them
	byPath map[string]string // import path to local name
	bases  map[string]string // import path to the package's own name
}

// name returns the local name of an imported package, importing it if it is not
// yet.
func (s *importSet) name(path, base string) string {
	if n, ok := s.byPath[path]; ok {
		return n
	}
	used := newNames(s.taken)
	for _, n := range s.byPath {
		used.add(n)
	}
	var n string
	if base != "t" && base != "tt" && usable(base) && !used.has(base) {
		n = base
	} else {
		// Named after the directory above, as people do: "stdpath", "xmlpath".
		prefix := "std"
		if parts := strings.Split(path, "/"); len(parts) > 1 {
			prefix = identifier(parts[len(parts)-2])
		}
		n = used.pick(prefix + base)
	}
	s.byPath[path] = n
	s.bases[path] = base
	return n
}

// identifier keeps of s what may stand in an identifier.
func identifier(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || b.Len() > 0 && unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// upperFirst returns s with its first letter in upper case.
func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst returns s with its leading capitals in lower case as people do it:
// "ID" becomes "id", "HTTPServer" "httpServer".
func lowerFirst(s string) string {
	rs := []rune(s)
	for i := range rs {
		if !unicode.IsUpper(rs[i]) || i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) {
			break
		}
		rs[i] = unicode.ToLower(rs[i])
	}
	return string(rs)
}

// TestName returns the name of the test of a target: TestF, Test_f, TestT_M.
func TestName(target string) string {
	target = strings.ReplaceAll(target, ".", "_")
	if r, _ := utf8.DecodeRuneInString(target); !unicode.IsUpper(r) {
		return "Test_" + target
	}
	return "Test" + target
}
