package random_test

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// What a function has accepted is known to a later run: an amount in a known currency. What belongs to a parameter of another
// type is forgotten.
func TestAccepted(t *testing.T) {
	s := open(t, source(`package p

import "errors"

// Pay pays an amount in a currency.
func Pay(currency string, amount int) error {
	if currency != "EUR" && currency != "USD" {
		return errors.New("unknown currency")
	}
	if amount <= 0 {
		return errors.New("nothing to pay")
	}
	return nil
}
`))
	text := func(s string) testcase.Literal { return testcase.Literal{Kind: testcase.LitString, Str: s} }
	_, res := s.run(t, random.Config{Seed: 1, Ops: 50_000})
	i := slices.IndexFunc(res.Accepted, func(a random.Accepted) bool { return a.Func == "Pay" })
	if i < 0 || !slices.Equal(res.Accepted[i].Types, []string{"string", "int"}) || len(res.Accepted[i].Values[0]) == 0 {
		t.Fatalf("accepted are %+v, want currencies and amounts of Pay", res.Accepted)
	}
	for _, l := range res.Accepted[i].Values[0] {
		if l != text("EUR") && l != text("USD") {
			t.Errorf("%+v is no currency", l)
		}
	}
	earlier := []random.Accepted{{Func: "Pay", Types: []string{"string", "string"}, Values: [][]testcase.Literal{{text("EUR")}, {text("1")}}}, {Func: "Gone"}}
	_, res = s.run(t, random.Config{Seed: 1, Ops: 1, Accepted: earlier})
	if len(res.Accepted) != 1 || !slices.Contains(res.Accepted[0].Values[0], text("EUR")) || slices.Contains(res.Accepted[0].Values[1], text("1")) {
		t.Errorf("accepted are %+v, want the currency of before, and no text as an amount", res.Accepted)
	}
}
