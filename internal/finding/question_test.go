package finding

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestQuestion(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "time"

func Cut(s string) string { return s }
func Read(s string) map[string]string { return nil }
func Wait(d time.Duration) time.Duration { return d }

type Box struct{}

func (b Box) Len() int { return 0 }
func (b Box) Sum() int { return 0 }
`)
	text := func(s string) func(*builder) testcase.Ref {
		return func(b *builder) testcase.Ref {
			return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
		}
	}
	duration := pkg.Target("Wait").Obj.Signature().Params().At(0).Type()
	wait := func(n int64) func(*builder) testcase.Ref {
		return func(b *builder) testcase.Ref { return b.num(duration, n) }
	}
	box := func(b *builder) testcase.Ref { return b.zero(b.typ("Box")) }
	str := func(s string) testcase.Value { return testcase.Value{Kind: testcase.String, Str: s, Len: len(s)} }
	number := func(t types.Type, n int64) testcase.Value {
		return testcase.Value{Kind: testcase.Int, Type: t, Bits: uint64(n)}
	}
	tests := []struct {
		name   string
		target string
		arg    func(*builder) testcase.Ref
		got    testcase.Value
		want   string
	}{
		{"a rune is cut", "Cut", text("\u00e9"), str("\ufffd"), "the replacement character U+FFFD in a text"},
		{"what went in was none", "Cut", text("\xc3"), str("\ufffd"), ""},
		{"an empty key", "Read", text("FOO"), testcase.Value{Kind: testcase.Map, Elems: []testcase.Value{str(""), str("FOO")}, Len: 1}, "an empty key in a map"},
		{"an empty value", "Read", text("FOO"), testcase.Value{Kind: testcase.Map, Elems: []testcase.Value{str("FOO"), str("")}, Len: 1}, ""},
		{"of nothing", "Read", text(""), testcase.Value{Kind: testcase.Map, Elems: []testcase.Value{str(""), str("")}, Len: 1}, ""},
		{"an overflow", "Wait", wait(1 << 62), number(duration, -5), "a duration that is negative"},
		{"a negative one", "Wait", wait(-1), number(duration, -5), ""},
		{"a length", "Box.Len", box, number(types.Typ[types.Int], -1), "a length that is negative"},
		{"a number", "Box.Sum", box, number(types.Typ[types.Int], -1), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			b.call(tt.target, tt.arg(b))
			c := &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, At: 1, Results: [][]testcase.Value{nil, {tt.got}}}}
			if got := Question(c); got != tt.want {
				t.Errorf("Question = %q, want %q", got, tt.want)
			}
		})
	}
}
