package told

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// This file has the operations that read what code wrote to recorders and buffers, which it was given to write to.

// ReadRecorder adds statements that read a recorder: the status, headers and the body.
func ReadRecorder(b *testcase.Builder, recorder testcase.Ref, pointer types.Type, keys []string) {
	ops := recorderReads(pointer)
	b.Add(ops.code, recorder)
	for _, key := range keys {
		header := b.Add(ops.header, recorder)
		name := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: key}})
		b.Add(ops.get, header, name)
	}
	b.Add(ops.text, b.Add(ops.body, recorder))
}

// recorderOps are the operations that read a recorder.
type recorderOps struct{ code, body, text, header, get *testcase.Operation }

// recorderReads returns the operations that read recorders of a type.
func recorderReads(pointer types.Type) recorderOps {
	field := func(name string) *testcase.Operation {
		obj, _, _ := types.LookupFieldOrMethod(pointer, true, nil, name)
		return &testcase.Operation{Kind: testcase.OpField, Var: obj.(*types.Var), Type: obj.Type()}
	}
	method := func(t types.Type, name string) *testcase.Operation {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		return &testcase.Operation{Kind: testcase.OpMethod, Func: obj.(*types.Func)}
	}
	ops := recorderOps{code: field("Code"), body: field("Body"), header: method(pointer, "Header")}
	ops.text = ReadsBuffer(ops.body.Type)
	ops.get = method(ops.header.Signature().Results().At(0).Type(), "Get")
	return ops
}

// ReadsBuffer returns a call of the method that returns the contents of a buffer.
func ReadsBuffer(pointer types.Type) *testcase.Operation {
	obj, _, _ := types.LookupFieldOrMethod(pointer, true, nil, "String")
	return &testcase.Operation{Kind: testcase.OpMethod, Func: obj.(*types.Func)}
}

// OutputReads returns the operations that read the buffers, recorders and files which the given operations make.
func OutputReads(ops []*testcase.Operation) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[string]bool)
	if slices.ContainsFunc(ops, makesPath) {
		out = append(out, observer.TreeIn(), observer.FilesIn(), observer.NamesIn(), observer.TextOf(), observer.Exists())
	}
	for _, op := range ops {
		made := []types.Type{op.Type}
		if sig := op.Signature(); sig != nil {
			made = nil
			for r := range sig.Results().Variables() {
				made = append(made, r.Type())
			}
		}
		for _, t := range made {
			switch {
			case t == nil || seen[t.String()]:
			case load.IsRecorder(t):
				seen[t.String()] = true
				ops := recorderReads(t)
				out = append(out, ops.code, ops.body, ops.text, ops.header, ops.get)
			case load.IsBuffer(t):
				seen[t.String()] = true
				out = append(out, ReadsBuffer(t), &testcase.Operation{Kind: testcase.OpZero, Type: t.(*types.Pointer).Elem()}, &testcase.Operation{Kind: testcase.OpAddr, Type: t})
			}
		}
	}
	return out
}
