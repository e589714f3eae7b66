package native_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native"
	assayrt "github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// TestNumbers compares the numbers that both halves of the runner must agree on:
// package assayrt cannot import package testcase.
func TestNumbers(t *testing.T) {
	for _, n := range []struct {
		name      string
		here, far int
	}{
		{"NotRun", int(testcase.NotRun), assayrt.StatusNotRun},
		{"Discarded", int(testcase.Discarded), assayrt.StatusDiscarded},
		{"Goexit", int(testcase.Goexit), assayrt.StatusGoexit},
		{"Invalid", int(testcase.Invalid), assayrt.KInvalid},
		{"Nil", int(testcase.Nil), assayrt.KNil},
		{"Opaque", int(testcase.Opaque), assayrt.KOpaque},
		{"OpLiteral", int(testcase.OpLiteral), assayrt.OpLiteral},
		{"OpMethod", int(testcase.OpMethod), assayrt.OpMethod},
		{"OpIndex", int(testcase.OpIndex), assayrt.OpIndex},
		{"OpMakeChan", int(testcase.OpMakeChan), assayrt.OpMakeChan},
		{"OpClosure", int(testcase.OpClosure), assayrt.OpClosure},
		{"OpSetIndex", int(testcase.OpSetIndex), assayrt.OpSetIndex},
		{"OpClose", int(testcase.OpClose), assayrt.OpClose},
	} {
		if n.here != n.far {
			t.Errorf("%s is %d in testcase and %d in assayrt", n.name, n.here, n.far)
		}
	}
}

// TestBlocks checks which blocks and which outcomes of conditions some runs cover.
func TestBlocks(t *testing.T) {
	h, pkg := build(t, source(`package p

func F(a, b bool, n int) int {
	if a && b {
		return 1
	} else if n > 2 {
		n--
	}
	for n > 0 {
		n--
	}
	switch {
	case b:
		n = 7
	}
	return n
}
`), native.Config{})
	covered := func(o *testcase.Outcome) string {
		var b strings.Builder
		for i, k := range h.Blocks() {
			if !o.Cover.Has(i) {
				continue
			}
			if k.Text != "" {
				fmt.Fprintf(&b, "%d:%s=%v ", k.Pos.Line, k.Text, k.Value)
			} else {
				fmt.Fprintf(&b, "%d(%d) ", k.Pos.Line, k.Stmts)
			}
			if k.Func != "F" {
				t.Errorf("block of %q", k.Func)
			}
		}
		return strings.TrimSpace(b.String())
	}
	out := run(t, h, pkg, native.Options{}, "F(true, true, 0)", "F(true, false, 3)", "F(false, true, 0)")
	for i, want := range []string{
		"4(1) 4:a=true 4:b=true 5(1)",
		"4(1) 4:a=true 4:b=false 6(1) 6:n > 2=true 7(1) 9(1) 9:n > 0=true 9:n > 0=false 10(1) 12(1) 12:no case applies=true 16(1)",
		"4(1) 4:a=false 6(1) 6:n > 2=false 9(1) 9:n > 0=false 12(1) 14(1) 16(1)",
	} {
		if got := covered(out[i]); got != want {
			t.Errorf("run %d covers\n%s\nwant\n%s", i, got, want)
		}
	}
}

// TestAsks checks which texts the blocks behind comparisons ask for.
func TestAsks(t *testing.T) {
	h, _ := build(t, source(`package p

import (
	"errors"
	"fmt"
	"strings"
)

const word = "word"

type kind int

const first kind = 'a'

func F(s string, c byte, k kind, t []string) int {
	if s == "is" || "not" != s && c == '(' {
		return 1
	}
	if strings.HasPrefix(s, word) || s == "" || s == t[0] || k == first || c == 65 {
		return 2
	}
	switch s {
	case "one", "two":
		return 3
	case t[1]:
		return 4
	default:
		return 5
	}
}

func G(line string, err error) error {
	parts := strings.Split(line, "=")
	if len(parts) > 2 {
		err = fmt.Errorf("too many in %s", line)
	}
	if err != nil {
		return err
	}
	_, _, ok := strings.Cut(line, "::")
	if !ok && parts[0] == "key" {
		return errors.New("no colons")
	}
	return nil
}
`), native.Config{})
	var b strings.Builder
	for _, k := range h.Blocks() {
		if k.Asks != nil {
			fmt.Fprintf(&b, "%d:%s=%v %q\n", k.Pos.Line, k.Text, k.Value, k.Asks)
		}
	}
	want := `16:s == "is"=true ["is"]
16:"not" != s=false ["not"]
16:c == '('=true ["("]
19:strings.HasPrefix(s, word)=true ["word"]
19:c == 65=true ["A"]
24:=false ["one" "two"]
34:len(parts) > 2=true ["="]
34:len(parts) > 2=false ["="]
41:ok=true ["::"]
41:ok=false ["::"]
41:parts[0] == "key"=true ["key"]
`
	if b.String() != want {
		t.Errorf("the blocks ask for\n%swant\n%s", b.String(), want)
	}
}
