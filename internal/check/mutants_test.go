package check

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// analyserMutants makes TestAnalyserMutants try every fault of its list, which takes one run of the tests
// for each. Without the flag the test only checks that the list fits the source.
var analyserMutants = flag.Bool("analyser-mutants", false, "plant each fault of TestAnalyserMutants into the analyser and run the tests")

// analyserMutant is a fault in the analyser: a text that occurs once in a file, and the text that replaces
// it.
type analyserMutant struct{ name, file, old, new string }

// mutantsOfAnalyser are faults that make the analyser claim too much, or give up. Each must make some test
// of this package fail.
func mutantsOfAnalyser() []analyserMutant {
	return []analyserMutant{
		// What changes is forgotten.
		{"a callee's map updates change nothing", "effects.go", "m.classes[mapClass(ins.Map.Type())] = true", ""},
		{"a callee's delete changes nothing", "effects.go", `case "append", "copy", "clear", "delete":`, `case "append", "copy", "clear":`},
		{"a dependency changes no map", "effects.go", "m.classes[mapClass(u)] = true", ""},
		{"no other map is this one", "maplength.go", "a.moveLength(s, ins, l, ch, false)", ""},
		{"delete takes nothing away", "calls.go", "mapChange{fewer: 1}", "mapChange{}"},
		{"clear leaves entries", "calls.go", "mapChange{empties: true}", "mapChange{}"},
		{"clear changes no other map", "maplength.go", "if !ch.empties {", "if true {"},
		{"an update adds nothing", "transfer.go", "mapChange{more: 1, least: 1}", "mapChange{least: 1}"},
		{"an update adds two", "transfer.go", "mapChange{more: 1, least: 1}", "mapChange{more: 1, least: 2}"},
		{"a map that is passed on stays one's own", "maplength.go", "		default:\n			e = true", "		default:"},
		{"a channel is never full", "calls.go", "s.atMost(zo, n, 0)\n			}\n		}\n		same", "s.atMost(zo, n, -1)\n			}\n		}\n		same"},
		{"a store changes no field of another pointer", "memory.go", "		if ok {\n			return sometimes\n		}\n		return maybe", "		return never"},
		{"a doubtful place is kept without the assumption", "memory.go", "		for _, m := range doubt {\n			delete(s.memory, m)\n		}", ""},
		{"a struct that is stored changes nothing", "memory.go", "			delete(s.memory, m)\n			continue\n		}\n		switch", "			continue\n		}\n		switch"},
		{"a call changes nothing of what it writes", "memory.go", "		case m.changes(info):\n			delete(s.memory, l)", "		case m.changes(info):"},
		{"unknown code changes nothing", "memory.go", "		for _, l := range doubt {\n			delete(s.memory, l)\n		}", ""},
		{"nobody writes while a channel waits", "memory.go", "case m.unknown, m.waits:", "case m.unknown:"},
		{"no address escapes", "memory.go", "		default:\n			return true\n		}\n	}\n	return false\n}\n\n// joinSymbol", "		}\n	}\n	return false\n}\n\n// joinSymbol"},
		{"append writes no elements", "effects.go", "			m.element(sl.Elem())", "			_ = sl"},
		// There is no fault which says that a deferred call changes nothing, because no test could notice it:
		// only the return comes after a deferred call, and a function with deferred calls may return after a
		// recovered panic, of which nothing is known in any case.
		{"a goroutine changes nothing", "calls.go", "a.forget(s, &m, v, describeCall(&v.Call, 3))", ""},
		{"a call changes nothing", "calls.go", "a.forget(s, a.p.effects.of(callee), at, callee.Name())", ""},
		// Bounds.
		{"an index may be the length", "transfer.go", "s.diffOf(k, n) <= -1", "s.diffOf(k, n) <= 0"},
		{"an index may be negative", "transfer.go", "return s.intervalOf(k).lo >= 0 && s.diffOf(k, n) <= -1", "return s.diffOf(k, n) <= -1"},
		{"a slice may begin below 0", "transfer.go", "(v.Low == nil || s.intervalOf(low).lo >= 0) &&", ""},
		{"a slice may end behind its capacity", "transfer.go", "(v.High == nil && v.Max == nil || s.diffOf(high, top) <= 0 ||", "(v.High == nil || v.Max == nil || s.diffOf(high, top) <= 0 ||"},
		{"less means less by two", "refine.go", "case token.LSS:\n		s.addUpperOf(x, y, -1)", "case token.LSS:\n		s.addUpperOf(x, y, -2)"},
		{"at most means less", "refine.go", "case token.LEQ:\n		s.addUpperOf(x, y, 0)", "case token.LEQ:\n		s.addUpperOf(x, y, -1)"},
		{"what is not zero is positive", "arith.go", "case i.lo == 0:", "case i.lo <= 0:"},
		{"a remainder is never negative", "arith.go", "lo, hi = -(m - 1), m-1", "lo, hi = 0, m-1"},
		{"a remainder is two below the divisor", "arith.go", "s.atMost(operand{n: z.value()}, y, -1)", "s.atMost(operand{n: z.value()}, y, -2)"},
		{"the and of a negative number is not negative", "arith.go", "if i := s.intervalOf(o); i.lo >= 0 {", "if i := s.intervalOf(o); true {"},
		{"x/1 is below x", "arith.go", "if iy.lo >= 2 && ix.lo >= 1 {", "if iy.lo >= 1 && ix.lo >= 1 {"},
		{"x>>0 is below x", "arith.go", "s.atMost(operand{n: z.value()}, x, 0)\n			if k, ok", "s.atMost(operand{n: z.value()}, x, -1)\n			if k, ok"},
		{"a conversion keeps every number", "arith.go", "keeps := i.isSubset(to.values())", "keeps := true"},
		{"no sum overflows its type", "interval.go", "return !e.above && e.hi <= v.hi", "return !e.above"},
		{"sums of bounds wrap", "interval.go", "case a > 0 && b > 0 && s < 0:", "case false:"},
		{"append adds one more", "calls.go", "s.atMost(n, zo, -im.lo)", "s.atMost(n, zo, -im.lo-1)"},
		{"the size of elements does not matter", "makes.go", "case i.hi <= most/size:", "case i.hi <= most:"},
		{"as many of any size fit", "makes.go", "unit > 0 && c <= 1<<10 && there/unit <= most/size-1<<10", "unit > 0 && c <= 1<<10 && there/unit <= most-1<<10"},
		{"IndexByte finds everything", "libraryresults.go", `return []knownResult{{lo: -1, hi: noUpper, of: 1, below: -1}}`, `return []knownResult{{lo: 0, hi: noUpper, of: 1, below: -1}}`},
		// Faults in joins, in loops, and in facts that edges add.
		{"equal bounds contradict each other", "domain.go", "if s.diff(y, x) < -c {", "if s.diff(y, x) <= -c {"},
		{"a join has the bounds of one side", "domain.go", "if h := i.hull(j); h != s.a.typeRange(x) {", "if h := i; h != s.a.typeRange(x) {"},
		{"a join has the tighter difference", "domain.go", "if c := max(b.c, d); c <= maxBound {", "if c := min(b.c, d); c <= maxBound {"},
		{"a join keeps a fact of one side", "domain.go", "		if o.fact(x) == f {", "		if o.fact(x) == f || o.fact(x) == 0 {"},
		{"a join keeps memory of one side", "domain.go", "		if !ok {\n			continue\n		}\n		switch", "		if !ok {\n			out.memory[l] = c\n			continue\n		}\n		switch"},
		{"nothing is widened", "domain.go", "	out := s.join(o)\n	for x, i := range out.ranges {", "	out := s.join(o)\n	if out != nil {\n		return out\n	}\n	for x, i := range out.ranges {"},
		{"loops are gone through once", "fixpoint.go", "dirty[s.Index] = true\n			}\n		}\n	}", "dirty[s.Index] = visits[s.Index] == 0\n			}\n		}\n	}"},
		{"a block's values are those of its last run", "fixpoint.go", "b != to && b.Dominates(to)", "b.Dominates(to)"},
		{"a condition of an earlier iteration counts", "refine.go", ", v.Block().Dominates(v.Block().Preds[i]):", ":"},
		{"behind a recovered panic nothing is reached", "fixpoint.go", "	if b == a.fn.Recover {\n		return a.newState()\n	}", ""},
		// Assertions and assumptions.
		{"an assertion proves its repetition", "calls.go", "if a.helps != nil && !a.helps[v] {", "if false {"},
		{"a later assertion proves an earlier one", "declared.go", "if add = other.declared; !p.follows", "if !p.follows"},
		{"a declared premise of another branch counts", "declared.go", "if x.Block() != y.Block() {\n		return false\n	}", "if x.Block() != y.Block() {\n		return true\n	}"},
		{"parameters are not nil without assumption", "transfer.go", "if a.assume(p, Condition{Kind: vm.CondNotNil, X: v}, func() string { return text }) {", "if a.assume(p, Condition{Kind: vm.CondNotNil, X: v}, func() string { return text }) || true {"},
		{"no other goroutine writes without assumption", "memory.go", "	return a.assume(place{kind: Race}, Condition{Kind: vm.CondHolds}, func() string {", "	return true || a.assume(place{kind: Race}, Condition{Kind: vm.CondHolds}, func() string {"},
		{"nothing overflows without assumption", "arith.go", "	return a.assume(place{ins: ins.(ssa.Instruction), kind: Overflow}", "	return true || a.assume(place{ins: ins.(ssa.Instruction), kind: Overflow}"},
		{"what a premise rests on is left out", "check.go", "d.need[k] = append(d.need[k], i)", "_ = d.need[k]"},
		{"a closed channel is open", "calls.go", `if b.Name() == "close" && mayPrecede(r, at) {`, `if b.Name() == "close" && false {`},
		{"a value of any type is asserted", "transfer.go", "return ok && satisfies(t, v.AssertedType)", "return ok && t != nil"},
		{"variables that are written to are constant", "depends.go", "return init && ins.Addr == addr && ins.Val != addr", "return true"},
		{"a literal that is returned is called in place", "depends.go", "		default:\n			return false\n		}\n	}\n	return true\n}\n\n// constant", "		}\n	}\n	return true\n}\n\n// constant"},
	}
}

// The tests notice each fault of the list.
func TestAnalyserMutants(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutantsOfAnalyser() {
		src, err := os.ReadFile(m.file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(src), m.old); n != 1 || m.old == m.new {
			t.Errorf("%s: the text is %d times in %s:\n%s", m.name, n, m.file, m.old)
			continue
		}
		if !*analyserMutants {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			out, err := testMutant(t, filepath.Join(dir, m.file), strings.Replace(string(src), m.old, m.new, 1))
			switch {
			case err == nil:
				t.Errorf("no test notices it: %s: %q instead of %q", m.file, m.new, m.old)
			case strings.Contains(out, "[build failed]"):
				t.Errorf("it does not build:\n%s", out)
			}
			fmt.Printf("%s: %s\n", m.name, firstFailure(out))
		})
	}
}

// testMutant runs the tests of this package with the fault in the file.
func testMutant(t *testing.T, file, text string) (string, error) {
	temp := t.TempDir()
	mutant, overlay := filepath.Join(temp, "mutant.go"), filepath.Join(temp, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mutant, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		t.Fatal(err)
	}
	// The fast tests run first, and the random programs only if the fast tests notice nothing.
	bin := filepath.Join(temp, "check.test")
	if out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-vet=off", "-o", bin, ".").CombinedOutput(); err != nil {
		return "[build failed]\n" + string(out), err
	}
	for _, tests := range [][]string{{"-test.skip", "TestRandomPrograms|TestAnalyserMutants"}, {"-test.run", "TestRandomPrograms"}} {
		out, err := exec.Command(bin, append(tests, "-test.failfast", "-test.timeout=10m")...).CombinedOutput()
		if err != nil {
			return string(out), err
		}
	}
	return "", nil
}

// firstFailure returns the first line of a test's output that says what has failed.
func firstFailure(out string) string {
	best := ""
	for line := range strings.Lines(out) {
		if strings.Contains(line, "--- FAIL") || strings.Contains(line, "panic:") {
			best = strings.TrimSpace(line)
		}
	}
	return best
}
