package native

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Cases with functions that ended their process come last, those with most such calls at the very end. A function is
// suspected no more once as many cases with it have returned.
func TestSuspects(t *testing.T) {
	named := func(name string) *types.Func {
		return types.NewFunc(token.NoPos, nil, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	}
	funcs := map[string]*types.Func{"New": named("New"), "Serve": named("Serve"), "Parse": named("Parse"), "Config": named("Config")}
	call := func(names string) *testcase.Sequence {
		b := &testcase.Builder{}
		for _, n := range strings.Fields(names) {
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: funcs[n]})
		}
		return b.Sequence()
	}
	var s suspects
	order := func(want string) {
		t.Helper()
		var cases []*prepared
		name := make(map[*prepared]string)
		for _, c := range []string{"Config New Serve", "Config", "Parse", "Config New", "Config Parse"} {
			p := &prepared{seq: call(c)}
			cases, name[p] = append(cases, p), c
		}
		s.last(cases)
		var got []string
		for _, c := range cases {
			got = append(got, name[c])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("the order is %s, want %s", strings.Join(got, ", "), want)
		}
	}
	s.note(call("Config New Serve"), testcase.Returned)
	order("Config New Serve, Config, Parse, Config New, Config Parse")
	s.note(call("Config New Serve"), testcase.Hung)
	order("Parse, Config, Config Parse, Config New, Config New Serve")
	s.note(call("Config"), testcase.Returned)
	order("Config, Parse, Config Parse, Config New, Config New Serve")
	s.note(call("Config New"), testcase.Died)
	s.note(call("Config"), testcase.Returned)
	if got := s.in(call("Config New Serve")); got != 2 {
		t.Errorf("%d suspects, want New and Serve", got)
	}
}

// A case that may have been ended by an earlier one runs by itself.
func TestTogether(t *testing.T) {
	plain, suspect := &prepared{}, &prepared{suspect: true}
	for _, tt := range []struct {
		queue []*prepared
		want  int
	}{
		{[]*prepared{plain, plain}, 2},
		{[]*prepared{suspect, plain}, 1},
		{[]*prepared{plain, plain, suspect, plain}, 2},
	} {
		if got := together(tt.queue); got != tt.want {
			t.Errorf("together(%d cases) = %d, want %d", len(tt.queue), got, tt.want)
		}
	}
}

// A function in which calls hung three times gets less time wherever it is called; where a dozen calls hung, once is enough.
func TestHangs(t *testing.T) {
	named := func(name string) *types.Func {
		return types.NewFunc(token.NoPos, nil, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	}
	wait, serve, parse := named("Wait"), named("Serve"), named("Parse")
	calls := func(fs ...*types.Func) *testcase.Sequence {
		b := &testcase.Builder{}
		for _, f := range fs {
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f})
		}
		return b.Sequence()
	}
	h := make(hangs)
	h.note(calls(serve), 0, testcase.Hung)
	h.note(calls(serve), 0, testcase.Died)
	for range 3 {
		h.note(calls(wait, parse), 0, testcase.Hung) // Parse was not called
	}
	if !h.hasMany(calls(parse, wait)) || h.hasMany(calls(parse)) || h.hasMany(calls(serve)) {
		t.Errorf("after %v: Wait hung often, Serve once and Parse never", h)
	}
	for range 8 {
		h.note(calls(wait), 0, testcase.Hung)
	}
	if !h.hasMany(calls(serve)) || h.hasMany(calls(parse)) {
		t.Errorf("after %v: one hang of Serve is enough", h)
	}
}
