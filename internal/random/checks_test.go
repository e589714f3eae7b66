package random_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// TestContracts checks that each broken contract is found once, with a sequence that is not long, that kept
// contracts are not reported, and that contracts which are switched off are not checked. The types in p.go
// and more.go break every contract, and the types in kept.go keep them.
func TestContracts(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/contracts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	want := string(ar.Files[len(ar.Files)-1].Data)
	s := open(t, &txtar.Archive{Files: ar.Files[:len(ar.Files)-1]})
	all := protocol.Of(s.pkg, nil)
	var out []string
	cases, _ := s.run(t, random.Config{Seed: 1, Ops: 400_000, Checks: all})
	for _, c := range cases {
		if c.Observed.Violated == "" {
			continue
		}
		out = append(out, c.Target+": "+c.Observed.Violated+"\n")
		if strings.HasPrefix(c.Target, "Kept") {
			t.Errorf("%s: %s", c.Target, c.Seq)
		}
		if c.Seq.Len() > 40 { // a check that compares two equal objects makes its object twice
			t.Errorf("long: %s", c.Seq)
		}
	}
	slices.Sort(out)
	if got := strings.Join(out, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Each contract can be switched off by its name, and no other contract is switched off with it: the engine checks nothing
	// but the checks that it is given.
	names, _ := protocol.Names()
	for _, name := range names {
		of := func(c *testcase.Check) bool { return c.Contract == name }
		rest := slices.DeleteFunc(slices.Clone(all), of)
		got := protocol.Of(s.pkg, map[string]bool{name: true})
		if len(rest) == len(all) || len(got) != len(rest) || slices.ContainsFunc(got, of) {
			t.Errorf("without the contract %s %d checks stay, want %d of %d, none of them of it", name, len(got), len(rest), len(all))
		}
	}
}

// A type whose predicate does not end for one of its values is asked no more after some of them. Other types are.
func TestContracts_endless(t *testing.T) {
	s := open(t, txtar.Parse([]byte(`
-- go.mod --
module example.com/p

go 1.24
-- p/p.go --
package p

type R struct{ n uint8 }

func (r *R) RepOK() bool {
	for r.n == 3 {
	}
	return r.n < 10
}

func (r *R) Inc() { r.n++ }

type Z struct{ n uint8 }

func (z *Z) RepOK() bool { return z.n < 10 }

func (z *Z) Inc() { z.n++ }
`)))
	cases, _ := s.run(t, random.Config{Seed: 1, Checks: protocol.Of(s.pkg, nil)})
	var broken []string
	for _, c := range cases {
		if c.Observed.Violated != "" {
			broken = append(broken, c.Target+": "+c.Observed.Violated)
		}
	}
	if want := "Z.Inc: contract invariant"; !slices.Contains(broken, want) {
		t.Errorf("broken are %q, want %q among them", broken, want)
	}
}
