package testcase

import "testing"

// A part that occurs a second time is written there, too. A part of itself is not.
func TestValue_Unshared(t *testing.T) {
	text := Value{Kind: String, Str: "a", Len: 1}
	shared := Value{Kind: Map, ID: 1, Len: 1, Elems: []Value{text, text}}
	list := Value{Kind: Slice, Len: 2, Elems: []Value{shared, {Kind: Map, ID: 1, Again: true, Len: 1}}}
	if got := list.Unshared(); !got.Elems[1].Equal(shared) || got.Elems[1].Again {
		t.Errorf("the second map is %v, want %v", got.Elems[1], shared)
	}
	if !list.Elems[1].Again {
		t.Error("Unshared has changed its receiver")
	}
	ring := Value{Kind: Pointer, ID: 2, Elems: []Value{{Kind: Struct, Elems: []Value{{Kind: Pointer, ID: 2, Again: true}}}}}
	if got := ring.Unshared(); !got.Elems[0].Elems[0].Again {
		t.Errorf("a ring became %v", got)
	}
	part := Value{Kind: Slice, Len: 2, Elems: []Value{{Kind: Slice, ID: 3, Len: 2, Elems: []Value{text, text}}, {Kind: Slice, ID: 3, Again: true, Len: 1}}}
	if got := part.Unshared(); !got.Elems[1].Again {
		t.Errorf("a part of an array became %v", got.Elems[1])
	}
}
