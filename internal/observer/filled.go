package observer

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// This file has the look at a list of bytes that a call has filled, as Read does: string(p). It is a call, so that it stays behind the call that fills
// them, whatever values take the place of others.

// BytesAsText returns what reads a list of bytes that a call has filled.
func BytesAsText() *testcase.Operation {
	text := types.NewVar(0, nil, "", types.Typ[types.String])
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "b", types.NewSlice(types.Typ[types.Uint8]))), types.NewTuple(text), false)
	h := &testcase.Helper{Name: "text", Doc: "returns bytes as a text.", Sig: sig, Builtin: "string", Text: "func «.»(b []byte) string { return string(b) }\n"}
	h.Func = types.NewFunc(0, types.NewPackage(bytesWay, bytesWay), h.Builtin, sig) // messages say string(p)
	return &testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h}
}

// bytesWay is the path of the package that BytesAsText is said to be of.
const bytesWay = "bytesas"

// ReadsBytes reports whether an operation is BytesAsText.
func ReadsBytes(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.Func != nil && op.Via.Func.Pkg() != nil && op.Via.Func.Pkg().Path() == bytesWay
}
