package pair

import (
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// Functions that were renamed and changed at the same time are recognised by their callers, or by what is left of their
// text.

// pairCallees pairs functions that callers use in place of one another: but for these names the callers say what they
// said.
func (n *names) pairCallees() {
	for paired := true; paired; {
		paired = false
		for _, key := range slices.Sorted(maps.Keys(n.to)) {
			for from, to := range n.otherNames(key) {
				old := n.only(n.old, n.old[key].Uses, from, n.to)
				new := n.only(n.new, n.new[n.to[key]].Uses, to, n.from)
				if old != "" && new != "" && n.sameReceiver(old, new) {
					n.put(old, new)
					paired = true
				}
			}
		}
	}
}

// otherNames returns the names that a paired declaration has in place of others, if that is all that differs.
func (n *names) otherNames(key string) map[string]string {
	before, after := n.old[key].Text, n.new[n.to[key]].Text
	if before == after || !strings.HasPrefix(before, funcPrefix) {
		return nil
	}
	a, b := strings.Split(n.renamed(before), "\n"), strings.Split(after, "\n")
	if len(a) != len(b) {
		return nil
	}
	to, from := map[string]string{}, map[string]string{}
	for i := range a {
		if x, ok := to[a[i]]; ok && x != b[i] {
			return nil
		}
		if x, ok := from[b[i]]; ok && x != a[i] {
			return nil
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	maps.DeleteFunc(to, func(x, y string) bool { return x == y })
	return to
}

// only returns the function without a partner that has a name and is among the used declarations, or "" if there is not
// exactly one.
func (n *names) only(decls map[string]load.Declaration, used []string, name string, taken map[string]string) string {
	found := ""
	for _, key := range used {
		if lastPart(key) != name || taken[key] != "" || !strings.HasPrefix(decls[key].Text, funcPrefix) {
			continue
		}
		if found != "" && found != key {
			return ""
		}
		found = key
	}
	return found
}

// sameReceiver reports whether two keys are of functions of paired packages, or of methods of paired types.
func (n *names) sameReceiver(old, new string) bool {
	a, b := strings.TrimSuffix(old, "."+lastPart(old)), strings.TrimSuffix(new, "."+lastPart(new))
	isMethod := func(text string) bool { return strings.HasPrefix(text, funcPrefix+"(\n") }
	if isMethod(n.old[old].Text) != isMethod(n.new[new].Text) {
		return false
	}
	if isMethod(n.old[old].Text) {
		return n.to[a] == b
	}
	return n.moved(a+".") == b+"."
}

// pairSimilar pairs functions with the same parameters and results of which most is the same, if there is exactly one
// such function on either side.
func (n *names) pairSimilar() {
	olds, news := map[string][]string{}, map[string][]string{}
	for _, old := range slices.Sorted(maps.Keys(n.old)) {
		if n.to[old] != "" || !strings.HasPrefix(n.old[old].Text, funcPrefix) {
			continue
		}
		signature, body := parts(n.renamed(n.old[old].Text), lastPart(old))
		if len(body) < fewestInBody {
			continue
		}
		for _, new := range slices.Sorted(maps.Keys(n.new)) {
			if n.from[new] != "" || !strings.HasPrefix(n.new[new].Text, funcPrefix) || !n.sameReceiver(old, new) {
				continue
			}
			if s, b := parts(n.new[new].Text, lastPart(new)); s == signature && similar(body, b) {
				olds[old], news[new] = append(olds[old], new), append(news[new], old)
			}
		}
	}
	for old, list := range olds {
		if len(list) == 1 && len(news[list[0]]) == 1 {
			n.put(old, list[0])
		}
	}
}

const (
	funcPrefix   = "func\n"
	fewestInBody = 10 // tokens
)

// parts splits the text of a function into its signature without its name and the tokens of its body.
func parts(text, name string) (signature string, body []string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	begin := slices.Index(lines, "{")
	if begin < 0 {
		return text, nil
	}
	head := slices.Clone(lines[:begin])
	if i := slices.Index(head, name); i >= 0 {
		head[i] = "·"
	}
	return strings.Join(head, "\n"), lines[begin:]
}

// similar reports whether four of five tokens of two bodies are the same, wherever they stand.
func similar(a, b []string) bool {
	count := map[string]int{}
	for _, t := range a {
		count[t]++
	}
	common := 0
	for _, t := range b {
		if count[t] > 0 {
			count[t]--
			common++
		}
	}
	return common*2*5 >= (len(a)+len(b))*4
}
