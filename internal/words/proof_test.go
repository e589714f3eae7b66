package words

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goassay/assay/examples/account"
	"github.com/goassay/assay/examples/classify"
	"github.com/goassay/assay/examples/machine"
	"github.com/goassay/assay/internal/testcase"
)

// A phrase that one executed call makes false is not used, however many bear it out.
func TestRefuted(t *testing.T) {
	for _, refuted := range []bool{false, true} {
		r := record(t, "classify", "Grade")
		r.funcs["Grade"] = classify.Grade
		r.sentinels["ErrScore"] = classify.ErrScore
		var row *testcase.Case
		for score := -100; score <= 300; score++ {
			c := r.run(do("Grade", score))
			if score == 101 {
				row = c
			}
			if score == 257 && refuted { // as if the code had a defect
				good := r.run(do("Grade", 95))
				c.Observed.Results[c.TargetStmt()] = good.Observed.Results[good.TargetStmt()]
			}
		}
		got := New(r.pkg, r.fn, nil, nil, r.calls).Names([]*testcase.Case{row})[0]
		if want := map[bool]string{false: "above 100", true: "score out of range"}[refuted]; got.Text != want || !got.Proved {
			t.Errorf("refuted is %t: the name is %q, proved %t; want %q", refuted, got.Text, got.Proved, want)
		}
		if clause := got.Clause; (clause == "score is above 100") == refuted {
			t.Errorf("refuted is %t: the clause is %q", refuted, clause)
		}
	}
}

// A phrase is not used for a row if it is true of a variant of the row that ends in another way. Variants of other rows say nothing.
func TestRefutedByVariant(t *testing.T) {
	for _, tt := range []struct {
		variantOf int // the row, -1 for none
		want      string
	}{{-1, "above 100"}, {0, "score out of range"}, {1, "above 100"}} {
		r := record(t, "classify", "Grade")
		r.funcs["Grade"] = classify.Grade
		r.sentinels["ErrScore"] = classify.ErrScore
		rows := []*testcase.Case{r.run(do("Grade", 101)), r.run(do("Grade", 95))}
		for score := 0; score < 100; score++ {
			r.run(do("Grade", score))
		}
		if tt.variantOf >= 0 {
			good, variant := r.run(do("Grade", 96)), r.run(do("Grade", 257))
			variant.Observed.Results[variant.TargetStmt()] = good.Observed.Results[good.TargetStmt()] // as if the limit were another one
			call := &r.calls[len(r.calls)-1]
			call.Crossed, call.Varies = true, rows[tt.variantOf]
		}
		if got := New(r.pkg, r.fn, nil, nil, r.calls).Names(rows)[0]; got.Text != tt.want {
			t.Errorf("with a variant of row %d: the name is %q, want %q", tt.variantOf, got.Text, tt.want)
		}
	}
}

// Where nobody asked the observers, what they would have said proves nothing.
func TestUnobserved(t *testing.T) {
	r := record(t, "machine", "Turnstile.Push")
	r.funcs["New"] = machine.New
	r.sentinels["ErrBroken"], r.sentinels["ErrLocked"] = machine.ErrBroken, machine.ErrLocked
	r.observers = []string{"State"}
	r.run(do("New"), do("Push"))
	row := r.run(do("New"), do("Coin", 1), do("Push"))
	hidden := r.run(do("New"), do("Coin", 2), do("Push"))
	refused := r.run(do("New"), do("Push"), do("Push"))
	hidden.Observed.Results[hidden.TargetStmt()] = refused.Observed.Results[refused.TargetStmt()]
	for i := range r.calls {
		if r.calls[i].Case == hidden {
			r.calls[i].Before, r.calls[i].After = nil, nil
		}
	}
	got := New(r.pkg, r.fn, nil, nil, r.calls).Names([]*testcase.Case{row})[0]
	if got.Text == "unlocked" && got.Proved || got.Clause == "the turnstile is unlocked" {
		t.Errorf("%+v is not proved: one call with another outcome may have been unlocked", got)
	}
}

// deposits are some thousands of calls on states of their own.
func deposits(tb testing.TB) *recorder {
	t, ok := tb.(*testing.T)
	if !ok {
		t = &testing.T{}
	}
	r := record(t, "account", "Account.Deposit")
	r.funcs["NewAccount"] = account.NewAccount
	r.observers = []string{"Balance", "Reviews", "Advised"}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		balance, amount := rnd.Int32N(20_000), rnd.Int32N(100_000)-20_000
		if rnd.IntN(4) == 0 {
			amount = []int32{0, 1, 50_000, 50_001}[rnd.IntN(4)]
		}
		steps := []step{do("NewAccount", balance), do("Deposit", amount)}
		if rnd.IntN(2) == 0 {
			steps = append(steps, do("Deposit", amount/2))
		}
		r.run(steps...)
	}
	return r
}

// The names depend on which calls there are, not on their order, and on the rows of one
// test, not on what was named before.
func TestDeterministic(t *testing.T) {
	r := deposits(t)
	var rows []*testcase.Case
	for i := range 12 {
		rows = append(rows, r.calls[i*17].Case)
	}
	first := New(r.pkg, r.fn, nil, nil, r.calls)
	want := first.Names(rows)
	seen := map[string]bool{}
	for i, n := range want {
		if seen[n.Text] || n.Text == "" || len(n.Text) > longest {
			t.Errorf("row %d: %q", i, n.Text)
		}
		seen[n.Text] = true
	}
	first.Names([]*testcase.Case{r.calls[5].Case, r.calls[6].Case})
	if got := first.Names(rows); !slices.Equal(got, want) {
		t.Errorf("after other names\n%v\nbefore\n%v", got, want)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		rnd.Shuffle(len(r.calls), func(i, j int) { r.calls[i], r.calls[j] = r.calls[j], r.calls[i] })
		if got := New(r.pkg, r.fn, nil, nil, r.calls).Names(rows); !slices.Equal(got, want) {
			t.Errorf("in another order\n%v\nwant\n%v", got, want)
		}
	}
}

// Whatever is named, the names differ; what is said to be proved among all calls is false
// of every call with another outcome.
func TestAnyRows(t *testing.T) {
	r := deposits(t)
	n := New(r.pkg, r.fn, nil, nil, r.calls)
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		var rows []*testcase.Case
		for range 2 + rnd.IntN(20) {
			if c := r.calls[rnd.IntN(len(r.calls))].Case; !slices.Contains(rows, c) {
				rows = append(rows, c)
			}
		}
		seen := map[string]bool{}
		for i, name := range n.Names(rows) {
			if seen[name.Text] {
				t.Errorf("%q twice", name.Text)
			}
			seen[name.Text] = true
			if p := n.texts[name.Text]; p != nil && !p.holds.has(n.byCase[rows[i]]) {
				t.Errorf("%q does not hold for its row", name.Text)
			}
		}
	}
}

// An only row has a name, too, if need be its input; what is not known of another call's
// input proves nothing.
func TestOnlyRow(t *testing.T) {
	for _, known := range []bool{true, false} {
		r := record(t, "classify", "DaysIn")
		r.funcs["DaysIn"] = classify.DaysIn
		row := r.run(do("DaysIn", 2, 2024))
		other := r.run(do("DaysIn", 2, 1900))
		r.run(do("DaysIn", 4, 2024))
		if !known { // the call's arguments were not observed, and come from somewhere
			var b testcase.Builder
			for range 2 {
				b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Type: types.Typ[types.Int]})
			}
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: r.fn}, testcase.Ref{Stmt: 0}, testcase.Ref{Stmt: 1})
			other.Seq = b.Sequence()
		}
		got := New(r.pkg, r.fn, nil, nil, r.calls).Names([]*testcase.Case{row})[0]
		if got.Text == "" || got.Text == "case 1" || got.Proved != known {
			t.Errorf("arguments known is %t: %+v", known, got)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	r := deposits(b)
	b.ResetTimer()
	for b.Loop() {
		New(r.pkg, r.fn, nil, nil, r.calls)
	}
}

func BenchmarkNames(b *testing.B) {
	r := deposits(b)
	n := New(r.pkg, r.fn, nil, nil, r.calls)
	var rows []*testcase.Case
	for i := range 20 {
		rows = append(rows, r.calls[i*17].Case)
	}
	b.ResetTimer()
	for b.Loop() {
		if names := n.Names(rows); len(names) != len(rows) {
			b.Fatal(fmt.Sprint(names))
		}
	}
}

// No name is about an input that decides nothing.
func TestDeciding(t *testing.T) {
	for _, tt := range []struct {
		decides bool
		want    string
	}{{true, "above 100"}, {false, "score out of range"}} {
		r := record(t, "classify", "Grade")
		r.funcs["Grade"] = classify.Grade
		r.sentinels["ErrScore"] = classify.ErrScore
		var row *testcase.Case
		for score := -100; score <= 300; score++ {
			if c := r.run(do("Grade", score)); score == 101 {
				row = c
			}
		}
		got := New(r.pkg, r.fn, []bool{tt.decides}, nil, r.calls).Names([]*testcase.Case{row})[0]
		if got.Text != tt.want {
			t.Errorf("where score decides is %t the name is %q, want %q", tt.decides, got.Text, tt.want)
		}
	}
}

// A name decides if it says where the code parts the calls, or what all calls with this outcome have in common. One that repeats an
// input does not.
func TestDecides(t *testing.T) {
	r := record(t, "classify", "Grade")
	r.funcs["Grade"] = classify.Grade
	r.sentinels["ErrScore"] = classify.ErrScore
	at := map[int]*testcase.Case{}
	for score := -100; score <= 300; score++ {
		at[score] = r.run(do("Grade", score))
	}
	names := New(r.pkg, r.fn, nil, nil, r.calls).Names([]*testcase.Case{at[101], at[60], at[83], at[84]})
	for i, want := range []bool{true, true, true, false} {
		if names[i].Decides != want {
			t.Errorf("%q decides: %t, want %t", names[i].Text, names[i].Decides, want)
		}
	}
}
