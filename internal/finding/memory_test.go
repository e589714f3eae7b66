package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

const memorySource = `package m

func Grow(n int) (kept [][]byte) {
	for n > 100 { // Grow
		kept = append(kept, make([]byte, 1<<20))
	}
	return kept
}
func Spread(n int) (todo []int) {
	todo = append(todo, n)
	for len(todo) > 0 { // Spread
		todo = append(todo[1:], n, n)
	}
	return todo
}
func Blocks(n int) (kept [][]byte) {
	for range n { // Blocks
		kept = append(kept, make([]byte, 1<<20))
	}
	return kept
}
func Whole(n int) []byte { return make([]byte, n<<20) } // Whole
func Wait(n int) {
	for n > 0 { // Wait
	}
}
func Count(n int) {
	for n > 0 { // Count
		n--
	}
}
`

// TestMemory checks that the loop decides whose fault it is that there is no memory left, or no end in sight.
func TestMemory(t *testing.T) {
	_, pkg := loadSource(t, memorySource)
	rules := usage.New(pkg)
	lines := map[string]int{}
	for i, l := range strings.Split(memorySource, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	for _, tt := range []struct {
		target string
		n      int64
		kind   string
		placed bool // the harness knows where the memory was taken
		want   testcase.Severity
	}{
		{"Grow", 101, "fatal", true, testcase.Error},
		{"Grow", 1 << 20, "fatal", true, testcase.Error},
		{"Grow", 101, "fatal", false, testcase.Error},
		{"Spread", 3, "fatal", true, testcase.Warning},
		{"Spread", 3, "fatal", false, testcase.Misuse},
		{"Blocks", 4000, "fatal", true, testcase.Misuse},
		{"Blocks", 4000, "fatal", false, testcase.Misuse},
		{"Whole", 4000, "fatal", true, testcase.Misuse},
		{"Wait", 1 << 40, "hang", true, testcase.Error},
		{"Count", 1 << 40, "hang", true, testcase.Misuse},
	} {
		b := &builder{pkg: pkg}
		b.call(tt.target, b.num(types.Typ[types.Int], tt.n))
		o := &testcase.Outcome{Status: testcase.Died, At: 1, Message: testcase.OutOfMemory, Panic: &testcase.Panic{Kind: tt.kind, Message: testcase.OutOfMemory}}
		if tt.kind == "hang" {
			o.Status, o.Message = testcase.Hung, ""
		}
		if tt.placed {
			o.Panic.Stack = []testcase.Frame{{Func: "example.com/m." + tt.target, Pos: token.Position{Filename: "m.go", Line: lines[tt.target]}}}
		}
		c := &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: o}
		f := &testcase.Finding{Kind: tt.kind}
		Grade(rules, c, f)
		if f.Severity != tt.want {
			t.Errorf("%s(%d), its place known %v: %v (%s), want %v", tt.target, tt.n, tt.placed, f.Severity, f.Evidence, tt.want)
		}
	}
}
