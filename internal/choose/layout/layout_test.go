package layout

import (
	"encoding/binary"
	"go/types"
	"slices"
	"testing"
	"time"

	"github.com/goassay/assay/internal/testcase"
)

// caseOf returns a case whose call returns values of types.
func caseOf(results ...types.Type) *testcase.Case {
	var vars []*types.Var
	for _, t := range results {
		vars = append(vars, types.NewParam(0, nil, "", t))
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(vars...), false)
	f := types.NewFunc(0, types.NewPackage("example.com/m", "m"), "Decode", sig)
	var b testcase.Builder
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f})
	return &testcase.Case{Target: "Decode", Seq: b.Sequence()}
}

func number(n uint64) testcase.Value { return testcase.Value{Kind: testcase.Uint, Bits: n} }

// timeType returns the type of times, and moment one of its values. Only that it is a time is asked of it.
func timeType() types.Type {
	return types.NewNamed(types.NewTypeName(0, types.NewPackage("time", "time"), "Time", nil), types.NewStruct(nil, nil), nil)
}

func moment(seconds uint32) testcase.Value {
	return testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{number(uint64(time.Unix(int64(seconds), 0).Unix()) * 1000)}}
}

func TestLayout_Plain(t *testing.T) {
	word, text := types.Typ[types.Uint64], types.Typ[types.String]
	tests := []struct {
		name    string
		input   string
		results []types.Type
		decode  func(b []byte) []testcase.Value // nil for a call that panics
		want    []string
	}{
		{
			"numbers of both orders, and a byte that nothing depends on", "abcdefgh", []types.Type{word, word},
			func(b []byte) []testcase.Value {
				return []testcase.Value{number(uint64(binary.BigEndian.Uint32(b))), number(uint64(binary.LittleEndian.Uint16(b[5:])))}
			},
			[]string{"\x00\x00\x00\x01\x00\x02\x00", "\x00\x00\x00\x01\x00\x02\x00\x00"},
		},
		{
			"a byte that decides, and a text", "7aaABC", []types.Type{word, text},
			func(b []byte) []testcase.Value {
				if b[0] != '7' {
					return nil
				}
				return []testcase.Value{number(uint64(binary.BigEndian.Uint16(b[1:]))), {Kind: testcase.String, Str: string(b[3:])}}
			},
			[]string{"7\x00\x01abc"},
		},
		{
			"a time", "aabbbb", []types.Type{word, timeType()},
			func(b []byte) []testcase.Value {
				return []testcase.Value{number(uint64(binary.BigEndian.Uint16(b))), moment(binary.BigEndian.Uint32(b[2:]))}
			},
			[]string{"\x00\x01\x00\x00\x00\x02", "\x00\x01\x02\x00\x00\x00", "\x00\x01bbbb"},
		},
		{
			"text", "hello", []types.Type{word, word},
			func(b []byte) []testcase.Value { return []testcase.Value{number(uint64(b[0])), number(uint64(b[1]))} },
			nil,
		},
		{
			"a sum", "hello", []types.Type{word},
			func(b []byte) []testcase.Value {
				h := uint64(7)
				for _, c := range b {
					h = h*31 + uint64(c)
				}
				return []testcase.Value{number(h)}
			},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := func(input string) *testcase.Outcome {
				results := tt.decode([]byte(input))
				if results == nil {
					return &testcase.Outcome{Status: testcase.Panicked}
				}
				return &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{results}}
			}
			var changed []*testcase.Outcome
			for _, input := range Probes(tt.input) {
				changed = append(changed, run(input))
			}
			var got []string
			if l := Learn(tt.input, caseOf(tt.results...), run(tt.input), changed); l != nil {
				got = l.Plain()
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Plain = %q, want %q", got, tt.want)
			}
		})
	}
}
