package words

import (
	"github.com/goassay/assay/internal/testcase"
)

// addScripts adds predicates over the script of a stub: "sender fails once, then succeeds", "less
// returns true".
func (n *Namer) addScripts(s subject, r reads, place int, of func(*call) *stub, get func(*call) testcase.Value) {
	n.addReturns(s, r, place, of, get)
	type script struct {
		fails int
		then  bool
	}
	found := map[script]bool{}
	most := 0
	read := func(c *call) (script, bool) {
		st := of(c)
		if st == nil || len(st.fails) == 0 {
			return script{}, false
		}
		k := script{}
		for k.fails < len(st.fails) && st.fails[k.fails] {
			k.fails++
		}
		k.then = k.fails < len(st.fails)
		return k, true
	}
	for _, c := range n.calls {
		if k, ok := read(c); ok {
			found[k] = true
			most = max(most, k.fails)
		}
	}
	for fails := range most + 1 {
		for _, then := range []bool{false, true} {
			k := script{fails, then}
			if !found[k] {
				continue
			}
			verb := "fails" + times(fails)
			switch {
			case fails == 0:
				verb = "succeeds"
			case fails == 1 && then:
				verb = "fails once, then succeeds"
			case then:
				verb += ", then succeeds"
			}
			p := predicate{phrase: s.acts(verb), reads: r, place: place}
			n.add(p, func(c *call) truth {
				got, ok := read(c)
				if !ok && get(c).Kind != testcase.Nil {
					return unknown
				}
				return truthOf(ok && got == k)
			})
		}
	}
}

// addReturns adds predicates over the result of a stub that has one call with one result.
func (n *Namer) addReturns(s subject, r reads, place int, of func(*call) *stub, get func(*call) testcase.Value) {
	const longestResult = 24
	said := map[string]bool{}
	for _, c := range n.calls {
		st := of(c)
		if st == nil || st.returns == "" || len(st.returns) > longestResult || said[st.returns] {
			continue
		}
		said[st.returns] = true
		p := predicate{phrase: s.acts("returns " + st.returns), reads: r, place: place}
		n.add(p, func(d *call) truth {
			got := of(d)
			if got == nil && get(d).Kind != testcase.Nil {
				return unknown
			}
			return truthOf(got != nil && got.returns == st.returns)
		})
	}
}
