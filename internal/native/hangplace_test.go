package native

import (
	"errors"
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// TestHangPlace checks that the stacks of one case, interrupted at different moments, give the same place.
func TestHangPlace(t *testing.T) {
	const src = `package p

func Spin() {
	for {
	}
}

func (t *T) Method(n int) {
	before()
	for n > 0 {
		helper(
			n)
		for i := 0; i < 3; i++ {
			helper(i)
		}
	}
}

func helper(n int) {
	for range n {
		n++
	}
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) +
		fib(n-2)
}

func Goto() {
again:
	x++
	y++
	goto again
}

func Wait() {
	time.Sleep(1)
}

func Literal() {
	func() {
		for {
		}
	}()
}
`
	source := func(name string) ([]byte, error) {
		if name == "/p.go" {
			return []byte(src), nil
		}
		return nil, errors.New("no such file")
	}
	for _, tt := range []struct{ want, stacks string }{
		{"p.Spin:4", "p.Spin:4|p.Spin:5|p.Spin:1"},
		{"p.(*T).Method:10", "p.(*T).Method:10|p.(*T).Method:14|p.helper:20 p.(*T).Method:11|p.helper:1 p.(*T).Method:12|x.y:3 p.helper:19 p.(*T).Method:14"},
		{"p.(*T).Method:10 p.Other:99", "p.(*T).Method:10 p.Other:99|p.(*T).Method:14 p.Other:99"},
		{"p.fib:28", "p.fib:28 p.fib:28|p.fib:25 p.fib:29 p.fib:28 p.fib:29 p.fib:28"},
		{"p.Goto:34", "p.Goto:34|p.Goto:36|p.Goto:1"},
		{"time.Sleep:363 p.Wait:40", "time.Sleep:363 p.Wait:40"},
		{"p.Literal.func1:46 p.Literal:44", "p.Literal.func1:46 p.Literal:44"},
		{"p.Literal.func1:46 p.Literal:44", "p.Literal.func1:1 p.Literal:44"},
	} {
		for stack := range strings.SplitSeq(tt.stacks, "|") {
			var frames []testcase.Frame
			for word := range strings.FieldsSeq(stack) {
				i := strings.LastIndex(word, ":")
				f := testcase.Frame{Func: word[:i], Pos: token.Position{Filename: "/p.go"}}
				if _, err := fmt.Sscan(word[i+1:], &f.Pos.Line); err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(word, "p.") {
					f.Pos.Filename = "/other.go"
				}
				frames = append(frames, f)
			}
			var got []string
			for _, f := range hangPlace(frames, source) {
				got = append(got, fmt.Sprintf("%s:%d", f.Func, f.Pos.Line))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%s: %s, want %s", stack, strings.Join(got, " "), tt.want)
			}
		}
	}
}
