package testcase

import "testing"

// TestBytes asks values of each kind for the bytes that they hold.
func TestBytes(t *testing.T) {
	of := func(bits ...uint64) Value {
		v := Value{Kind: Slice, Len: len(bits)}
		for _, b := range bits {
			v.Elems = append(v.Elems, Value{Kind: Uint, Bits: b})
		}
		return v
	}
	for _, tt := range []struct {
		name string
		v    Value
		want string
		ok   bool
	}{
		{"string", Value{Kind: String, Str: "ab"}, "ab", true},
		{"bytes", of('a', 0xff), "a\xff", true},
		{"numbers that are no bytes", of('a', 0x100), "", false},
		{"signed", Value{Kind: Slice, Len: 1, Elems: []Value{{Kind: Int, Bits: 'a'}}}, "", false},
		{"empty slice", of(), "", false},
		{"nil", Value{Kind: Nil}, "", false},
		{"number", Value{Kind: Uint, Bits: 'a'}, "", false},
	} {
		if got, ok := tt.v.Bytes(); string(got) != tt.want || ok != tt.ok {
			t.Errorf("%s: Bytes() = %q, %t, want %q, %t", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}
