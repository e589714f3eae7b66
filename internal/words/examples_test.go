package words

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/examples/account"
	"github.com/goassay/assay/examples/classify"
	"github.com/goassay/assay/examples/generic"
	"github.com/goassay/assay/examples/geometry"
	"github.com/goassay/assay/examples/machine"
	"github.com/goassay/assay/examples/notify"
	"github.com/goassay/assay/examples/parse"
	"github.com/goassay/assay/examples/ringbuffer"
	"github.com/goassay/assay/examples/searchtree"
	"github.com/goassay/assay/internal/testcase"
)

// rows are the cases of one test, each with the name that it should get.
type rows struct {
	cases []*testcase.Case
	wants []string
}

func (s *rows) add(c *testcase.Case, want string) {
	s.cases = append(s.cases, c)
	s.wants = append(s.wants, want)
}

// check names the rows and compares. Each name must be proved, and be another one.
func (s *rows) check(t *testing.T, r *recorder) {
	t.Helper()
	namer := New(r.pkg, r.fn, nil, nil, r.calls)
	names := namer.Names(s.cases)
	seen := map[string]bool{}
	for i, n := range names {
		if n.Text != s.wants[i] {
			t.Errorf("row %d of %s is %q, want %q", i, r.target, n.Text, s.wants[i])
			explain(t, namer, i, s.cases)
		}
		if !n.Proved {
			t.Errorf("%q is not proved", n.Text)
		}
		if seen[n.Text] {
			t.Errorf("%q names two rows", n.Text)
		}
		if len(n.Text) > longest {
			t.Errorf("%q has %d bytes", n.Text, len(n.Text))
		}
		seen[n.Text] = true
	}
	if testing.Verbose() {
		for i, n := range names {
			t.Logf("%-50q when %s", names[i].Text, n.Clause)
		}
	}
}

func TestGrade(t *testing.T) {
	r := record(t, "classify", "Grade")
	r.funcs["Grade"] = classify.Grade
	r.sentinels["ErrScore"] = classify.ErrScore
	at := map[int]*testcase.Case{}
	for score := -300; score <= 300; score++ {
		at[score] = r.run(do("Grade", score))
	}
	var s rows
	s.add(at[-1], "negative")
	s.add(at[0], "lowest F")
	s.add(at[59], "highest F")
	s.add(at[60], "lowest C")
	s.add(at[74], "highest C")
	s.add(at[75], "lowest B")
	s.add(at[89], "highest B")
	s.add(at[90], "lowest A")
	s.add(at[100], "highest A")
	s.add(at[101], "above 100")
	s.check(t, r)
}

func TestDaysIn(t *testing.T) {
	r := record(t, "classify", "DaysIn")
	r.funcs["DaysIn"] = classify.DaysIn
	r.sentinels["ErrMonth"] = classify.ErrMonth
	var s rows
	for month := -3; month <= 15; month++ {
		for year := 1890; year < 2030; year++ {
			c := r.run(do("DaysIn", month, year))
			switch {
			case month == 2 && (year == 2023 || year == 2024):
				s.add(c, []string{"month 2, year 2023", "month 2, year 2024"}[year-2023])
			case year == 2023 && (month == 0 || month == 1 || month == 4 || month == 13):
				s.add(c, map[int]string{0: "zero month", 1: "month 1", 4: "month 4", 13: "month 13"}[month])
			}
		}
	}
	s.check(t, r)
}

func TestIsLeap(t *testing.T) {
	r := record(t, "classify", "IsLeap")
	r.funcs["IsLeap"] = classify.IsLeap
	at := map[int]*testcase.Case{}
	for year := -2100; year <= 2100; year++ {
		at[year] = r.run(do("IsLeap", year))
	}
	var s rows
	s.add(at[2024], "divisible by 4, not by 100")
	s.add(at[1900], "divisible by 100, not by 400")
	s.add(at[2000], "divisible by 400")
	s.add(at[2023], "odd")
	s.add(at[2022], "not divisible by 4")
	s.check(t, r)
}

func TestTriangle(t *testing.T) {
	r := record(t, "classify", "Triangle")
	r.funcs["Triangle"] = classify.Triangle
	values := []int{-2, -1, 0, 1, 2, 3, 4, 5, 6, math.MaxInt - 1, math.MaxInt}
	at := map[string]*testcase.Case{}
	for _, a := range values {
		for _, b := range values {
			for _, c := range values {
				at[fmt.Sprint(a, b, c)] = r.run(do("Triangle", a, b, c))
			}
		}
	}
	var s rows
	s.add(at["3 3 3"], "equilateral")
	s.add(at["2 2 3"], "isosceles")
	s.add(at["1 3 3"], "b == c")
	s.add(at["2 3 4"], "scalene")
	s.add(at["2 3 5"], "c - a >= b")
	s.add(at["0 3 3"], "zero a")
	s.add(at["-2 3 4"], "negative a")
	s.check(t, r)
}

func TestKindString(t *testing.T) {
	r := record(t, "classify", "Kind.String")
	var s rows
	for k := classify.Kind(-2); k < 9; k++ {
		c := r.run(do("value", k), do("String"))
		if -1 <= k && k <= 4 {
			s.add(c, k.String())
		}
	}
	s.check(t, r)
}

func TestDeposit(t *testing.T) {
	r := record(t, "account", "Account.Deposit")
	r.funcs["NewAccount"] = account.NewAccount
	r.observers = []string{"Balance", "Reviews", "Advised"}
	const review, invest = 50_000, 10_000
	amounts := []int32{-5000, -100, -1, 0, 1, 2, 100, 101, 200, review - 1, review, review + 1, review + 2, 70_000}
	at := map[string]*testcase.Case{}
	for _, balance := range []int32{-200, 0, 1, 200, invest - 100, invest, invest + 1, 20_000} {
		for _, amount := range amounts {
			at[fmt.Sprint(balance, amount)] = r.run(do("NewAccount", balance), do("Deposit", amount))
			r.run(do("NewAccount", balance), do("Deposit", int32(1)), do("Deposit", amount))
		}
	}
	var closed *testcase.Case
	for _, amount := range amounts {
		c := r.run(do("nil", (*account.Account)(nil)), do("Deposit", amount))
		if amount == 100 {
			closed = c
		}
	}
	var s rows
	s.add(closed, "nil receiver")
	s.add(at["200 -100"], "negative amount")
	s.add(at["10001 0"], "zero amount")
	s.add(at["200 50001"], "amount above reviewAbove")
	s.add(at["200 1"], "amount 1")
	s.add(at["200 50000"], "amount of reviewAbove")
	s.add(at["9900 100"], "balance rises to investAbove")
	s.add(at["9900 101"], "balance rises above investAbove")
	s.check(t, r)
}

func TestEnqueue(t *testing.T) {
	r := record(t, "ringbuffer", "RingBuffer.Enqueue")
	r.funcs["New"] = ringbuffer.New
	r.sentinels["ErrFull"] = ringbuffer.ErrFull
	r.observers = []string{"Len", "IsEmpty", "IsFull"}
	at := map[string]*testcase.Case{}
	for capacity := range 5 {
		for filled := range capacity + 1 {
			for _, x := range []float64{-3, -2, -1, 0, 1.5, 2.5} {
				steps := []step{do("New", capacity)}
				for k := range filled {
					steps = append(steps, do("Enqueue", float64(k)+1.5))
				}
				c := r.run(append(steps, do("Enqueue", x))...)
				at[fmt.Sprint(capacity, filled, x)] = c
			}
		}
	}
	null := r.run(do("nil", (*ringbuffer.RingBuffer)(nil)), do("Enqueue", 1.5))
	r.run(do("nil", (*ringbuffer.RingBuffer)(nil)), do("Enqueue", -1.0))
	var s rows
	s.add(null, "nil receiver")
	s.add(at["2 2 1.5"], "full")
	s.add(at["2 1 1.5"], "one element, becomes full")
	s.add(at["3 0 -2"], "just below missing")
	s.add(at["3 0 0"], "just above missing")
	s.check(t, r)
}

func TestCoin(t *testing.T) {
	r := record(t, "machine", "Turnstile.Coin")
	r.funcs["New"] = machine.New
	r.sentinels["ErrBroken"], r.sentinels["ErrCoin"], r.sentinels["ErrLocked"] = machine.ErrBroken, machine.ErrCoin, machine.ErrLocked
	r.observers = []string{"State", "Passed"}
	at := map[string]*testcase.Case{}
	setups := map[string][]step{
		"locked": nil, "unlocked": {do("Coin", 1)}, "broken": {do("Push"), do("Push"), do("Push")}, "passed": {do("Coin", 2), do("Push")},
	}
	for _, name := range sortedKeys(setups) {
		for value := -8; value < 16; value++ {
			at[name+fmt.Sprint(value)] = r.run(append(append([]step{do("New")}, setups[name]...), do("Coin", value))...)
		}
	}
	null := r.run(do("nil", (*machine.Turnstile)(nil)), do("Coin", 1))
	var s rows
	s.add(at["locked1"], "locked, value 1")
	s.add(at["locked2"], "locked, value 2")
	s.add(at["locked5"], "locked, value 5")
	s.add(at["unlocked2"], "unlocked, value 2")
	s.add(at["broken5"], "broken")
	s.add(at["locked0"], "locked, zero value")
	s.add(at["locked3"], "locked, value 3")
	s.add(at["unlocked3"], "unlocked, not a coin")
	s.add(at["broken3"], "broken, value 3")
	s.add(null, "nil receiver")
	s.check(t, r)
}

func TestPush(t *testing.T) {
	r := record(t, "machine", "Turnstile.Push")
	r.funcs["New"] = machine.New
	r.sentinels["ErrBroken"], r.sentinels["ErrCoin"], r.sentinels["ErrLocked"] = machine.ErrBroken, machine.ErrCoin, machine.ErrLocked
	r.observers = []string{"State", "Passed"}
	at := map[string]*testcase.Case{}
	kinds := []step{do("Push"), do("Coin", 1), do("Coin", 3), do("Repair")}
	for i := range 4 * 4 * 4 * 4 {
		for length := range 5 {
			steps := []step{do("New")}
			label := ""
			for k := range length {
				step := kinds[i>>(2*k)&3]
				steps = append(steps, step)
				label += fmt.Sprintf("%s%v;", step.name, step.args)
			}
			if at[label] == nil {
				at[label] = r.run(append(steps, do("Push"))...)
			}
		}
	}
	var s rows
	s.add(at[""], "new")
	s.add(at["Coin[1];"], "unlocked")
	s.add(at["Push[];Push[];"], "after Push twice")
	s.add(at["Push[];Push[];Push[];"], "broken")
	s.check(t, r)
}

func TestContains(t *testing.T) {
	for _, target := range []string{"Tree.Contains", "Tree.Insert", "Tree.Remove"} {
		r := record(t, "searchtree", target)
		r.funcs["New"] = searchtree.New
		r.observers = []string{"Size", "Values"}
		_, method, _ := strings.Cut(target, ".")
		at := map[string]*testcase.Case{}
		for i := range 8 * 8 * 8 {
			steps := []step{do("New")}
			label := ""
			for k := range 3 {
				x := i >> (3 * k) & 7
				steps = append(steps, do("Insert", x))
				label += fmt.Sprint(x)
			}
			for x := range 8 {
				at[label+"/"+fmt.Sprint(x)] = r.run(append(steps[:len(steps):len(steps)], do(method, x))...)
			}
		}
		empty := r.run(do("New"), do(method, 2))
		null := r.run(do("nil", (*searchtree.Tree)(nil)), do(method, 2))
		var s rows
		s.add(null, "nil receiver")
		s.add(empty, "empty")
		s.add(at["426/4"], "middle element")
		s.add(at["426/2"], "first element")
		s.add(at["426/6"], "last element")
		s.add(at["426/1"], "smaller than all")
		s.add(at["426/3"], "between others")
		s.add(at["426/7"], "larger than all")
		s.check(t, r)
	}
}

func TestSize(t *testing.T) {
	r := record(t, "parse", "Size")
	r.funcs["Size"] = parse.Size
	r.sentinels = map[string]error{"ErrEmpty": parse.ErrEmpty, "ErrUnit": parse.ErrUnit, "ErrDigit": parse.ErrDigit, "ErrRange": parse.ErrRange}
	at := map[string]*testcase.Case{}
	run := func(text string) {
		if at[text] == nil {
			at[text] = r.run(do("Size", text))
		}
	}
	for _, a := range []string{"", "0", "1", "9", "12", "007", "1024", "64", "-", "-1", "1/", "1:3", "9223372036854775807", "9223372036854775808", "8589934592", " ", "a"} {
		for _, unit := range []string{"", "k", "K", "m", "M", "g", "G", "x", "/", ":", "kk", " ", "0", "\n", "\""} {
			run(a + unit)
		}
	}
	var s rows
	s.add(at[""], "empty")
	s.add(at["0"], "one digit")
	s.add(at["1024"], `"1024"`)
	s.add(at["007"], `"007"`)
	s.add(at["64k"], `"64k"`)
	s.add(at["1x"], "unknown unit")
	s.add(at["k"], "not a digit")
	s.add(at["-1"], "not a digit, has a sign")
	s.check(t, r)
}

// sender is a stub of notify's Sender.
type sender struct {
	errs []error
	n    int
}

func (s *sender) results() []error { return s.errs }

func (s *sender) Send(string, string) error {
	s.n++
	return s.errs[min(s.n, len(s.errs))-1]
}

// clock stands still.
type clock struct{ hour int }

func (c clock) Now() time.Time { return time.Date(2024, 1, 2, c.hour, 0, 0, 0, time.UTC) }

func TestNotify(t *testing.T) {
	r := record(t, "notify", "Notifier.Notify")
	r.funcs["New"] = notify.New
	r.sentinels = map[string]error{"ErrDependency": notify.ErrDependency, "ErrRecipient": notify.ErrRecipient, "ErrQuiet": notify.ErrQuiet}
	r.observers = []string{"Sent"}
	failure := errors.New("failure")
	scripts := [][]error{{nil}, {failure, nil}, {failure, failure, nil}, {failure, failure, failure}}
	at := map[string]*testcase.Case{}
	for hour := range 24 {
		for i, errs := range scripts {
			for _, to := range []string{"", "ann", "bob"} {
				c := r.run(do("New", &sender{errs: errs}, clock{hour}), do("Notify", to, "hello"))
				at[fmt.Sprint(hour, i, to)] = c
				decide := func(text string, way bool) bool {
					c.Path = append(c.Path, testcase.Condition{Text: text, True: way})
					return way
				}
				if !decide(`to == ""`, to == "") && !decide("h >= quietFrom", hour >= 22) && !decide("h < quietUntil", hour < 7) {
					for _, err := range errs {
						decide("(err = n.sender.Send(to, text)) == nil", err == nil)
					}
				}
			}
		}
	}
	null := r.run(do("nil", (*notify.Notifier)(nil)), do("Notify", "ann", "hello"))
	var s rows
	s.add(null, "nil receiver")
	s.add(at["12 0"], "empty to")
	s.add(at["3 0ann"], "quiet hours")
	s.add(at["12 0ann"], "sender succeeds")
	s.add(at["12 1ann"], "sender fails once, then succeeds")
	s.add(at["12 2ann"], "sender fails twice, then succeeds")
	s.add(at["12 3ann"], "sender fails three times")
	s.check(t, r)
}

func TestLargest(t *testing.T) {
	r := record(t, "generic", "Largest")
	r.funcs["Largest"] = generic.Largest[int]
	r.sentinels["ErrEmpty"] = generic.ErrEmpty
	at := map[string]*testcase.Case{}
	run := func(list ...int) {
		var args []any
		for _, n := range list {
			args = append(args, n)
		}
		at[fmt.Sprint(list)] = r.run(do("Largest", args...))
	}
	run()
	for i := range 5 * 5 * 5 {
		run(i%5, i/5%5, i/25)
		run(i%5, i/5%5)
		run(i % 5)
	}
	var s rows
	s.add(at["[]"], "empty")
	s.add(at["[1]"], "one element")
	s.add(at["[1 2 3]"], "sorted")
	s.add(at["[3 2 1]"], "descending")
	s.add(at["[2 2]"], "two elements")
	s.add(at["[1 3 1]"], "has duplicates")
	s.check(t, r)
}

func TestClamp(t *testing.T) {
	r := record(t, "geometry", "Clamp")
	r.funcs["Clamp"] = geometry.Clamp
	at := map[string]*testcase.Case{}
	values := []float64{-2, -1, 0, 0.5, 1, 2, math.NaN(), math.Inf(1)}
	for _, x := range values {
		for _, lo := range values {
			for _, hi := range values {
				at[fmt.Sprint(x, lo, hi)] = r.run(do("Clamp", x, lo, hi))
			}
		}
	}
	var s rows
	s.add(at["0.5 0 1"], "x above lo, x below hi")
	s.add(at["-1 0 1"], "x below lo")
	s.add(at["2 0 1"], "x above hi")
	s.add(at["0.5 1 0"], "lo above hi")
	s.add(at["NaN 0 1"], "NaN x")
	s.check(t, r)
}

// explain logs what the best names of a row were, and what they cost.
func explain(t *testing.T, n *Namer, row int, cases []*testcase.Case) {
	t.Helper()
	var at []int
	for _, c := range cases {
		at = append(at, n.byCase[c])
	}
	p := n.prover(row, at)
	list := p.candidates()
	for _, c := range list[:min(len(list), 12)] {
		t.Logf("%4d proved %-5t among all %-5t %s", c.total, c.proved, c.whole, c.text)
	}
	for _, f := range p.forks {
		t.Logf("     %s is %t", f.cond.text, f.way)
	}
}
