package finding

import (
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// An error that says what an exported one says, without being it, has lost it if another function wraps that one.
func TestSentinels(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "errors"

var (
	ErrRange = errors.New("out of range")
	ErrShort = errors.New("short")
	errOwn   = errors.New("none of yours")
)

func Get(n int) error    { return nil }
func Delete(n int) error { return errOwn }
`)
	sentinel := func(name string) *types.Var { return pkg.Types.Scope().Lookup(name).(*types.Var) }
	returning := func(target string, err *testcase.ErrorInfo) *testcase.Case {
		b := &builder{pkg: pkg}
		b.call(target, b.num(types.Typ[types.Int], 1))
		return &testcase.Case{Target: target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Returned, Results: [][]testcase.Value{nil, {{Kind: testcase.Interface, Err: err}}}}}
	}
	wrapped := returning("Get", &testcase.ErrorInfo{Message: "get 1: out of range", Sentinels: []*types.Var{sentinel("ErrRange")}})
	same := returning("Get", &testcase.ErrorInfo{Message: "out of range", Sentinels: []*types.Var{sentinel("ErrRange")}, Identical: true})
	for _, tt := range []struct {
		name  string
		noted *testcase.Case
		c     *testcase.Case
		want  string
	}{
		{"lost", wrapped, returning("Delete", &testcase.ErrorInfo{Message: "delete 1: out of range"}), `an error that says "out of range", but errors.Is(err, ErrRange) is false`},
		{"kept", wrapped, returning("Delete", &testcase.ErrorInfo{Message: "delete 1: out of range", Sentinels: []*types.Var{sentinel("ErrRange")}}), ""},
		{"of something else", wrapped, returning("Delete", &testcase.ErrorInfo{Message: "delete 1: no such thing"}), ""},
		{"which nobody wraps", same, returning("Delete", &testcase.ErrorInfo{Message: "delete 1: out of range"}), ""},
		{"of the function that wraps it", wrapped, returning("Get", &testcase.ErrorInfo{Message: "get 1: out of range"}), ""},
		{"too short a text", returning("Get", &testcase.ErrorInfo{Message: "get: short", Sentinels: []*types.Var{sentinel("ErrShort")}}), returning("Delete", &testcase.ErrorInfo{Message: "delete: short"}), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSentinels(pkg)
			s.Note(tt.noted)
			s.Note(tt.c)
			message, evidence := s.Lost(tt.c)
			if message != tt.want {
				t.Errorf("Lost() = %q, want %q", message, tt.want)
			}
			if tt.want != "" && !strings.HasPrefix(evidence, "Get returns errors") {
				t.Errorf("evidence %q", evidence)
			}
		})
	}
}
