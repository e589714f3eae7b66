package gofile

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A time in a zone is compared as an instant by itself, and not as a part of something that is compared as
// a whole.
func TestWholeInstant(t *testing.T) {
	pkg := types.NewPackage("time", "time")
	moment := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Time", nil), types.NewStruct(nil, nil), nil)
	zoned := testcase.Value{Kind: testcase.Struct, Type: moment, Elems: []testcase.Value{{Kind: testcase.Uint}, {Kind: testcase.Int}, {Kind: testcase.Opaque}}}
	if !Whole(zoned) {
		t.Error("a time in a zone cannot be compared")
	}
	if Whole(testcase.Value{Kind: testcase.Slice, Elems: []testcase.Value{zoned}}) {
		t.Error("a list of times in zones is compared, by their zones as well")
	}
	other := zoned
	other.Type = types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Timer", nil), types.NewStruct(nil, nil), nil)
	if Whole(other) {
		t.Error("what nobody sees of another type is compared")
	}
}
