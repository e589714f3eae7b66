package adopt

import (
	"sort"

	"github.com/goassay/assay/internal/emit/testfile"
)

// helpersOf returns the helpers of a generated file that have to be moved with the tests, and those
// that a hand-written file of the same package has already, with their names there.
func (d *directory) helpersOf(r *request, to *handFile) (goes map[string]bool, rename map[string]string) {
	goes, rename = make(map[string]bool), make(map[string]string)
	need := func(uses map[string]bool) {
		for _, h := range r.content.Helpers {
			if uses[h.Name] && !goes[h.Name] && rename[h.Name] == "" {
				if there := d.sameAs(h.Name, h.Text, to.pkg); there != "" {
					rename[h.Name] = there
				} else {
					goes[h.Name] = true
				}
			}
		}
	}
	for _, t := range r.content.Tests {
		if r.tests[t.Name] {
			need(t.Uses)
		}
	}
	for n := -1; n != len(goes); { // repeated, because helpers use helpers
		n = len(goes)
		for _, h := range r.content.Helpers {
			if goes[h.Name] {
				need(h.Uses)
			}
		}
	}
	return goes, rename
}

// sameAs returns the name under which a hand-written file has the same declaration, or "" if none has it.
func (d *directory) sameAs(name, text, pkg string) string {
	want := normalised(text, name)
	for _, h := range d.hand {
		if h.pkg != pkg || h.constraint != "" {
			continue
		}
		var names []string
		for n := range h.declares {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			if h.declares[n] == want {
				return n
			}
		}
	}
	return ""
}

// usedByRest reports whether tests that stay in a generated file use a helper, directly or by another helper.
func usedByRest(r *request, name string) bool {
	users := map[string]bool{}
	for _, t := range r.content.Tests {
		if !r.tests[t.Name] {
			for n := range t.Uses {
				users[n] = true
			}
		}
	}
	for n := -1; n != len(users); {
		n = len(users)
		for _, h := range r.content.Helpers {
			if users[h.Name] {
				for u := range h.Uses {
					users[u] = true
				}
			}
		}
	}
	return users[name]
}

// normalised returns the text of declarations for comparison, with another name in place of their own.
func normalised(text, name string) string {
	return testfile.Normalised(text, func(n string) string {
		if n == name {
			return "\x00"
		}
		return ""
	})
}
