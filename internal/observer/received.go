package observer

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// receiveName is the name of helpers that receive from a channel.
const receiveName = "receive"

// How long a test waits for what comes from a channel, and how long the harness does. Where tests run in bubbles of
// testing/synctest neither takes time. Elsewhere nothing may come, which a test that was written never meets, and harnesses
// often.
const (
	patience      = "5 * «time».Second"
	briefPatience = "50 * «time».Millisecond"
)

// Receivable returns the type of a channel's elements, and false for what is no channel, and for channels that one can only
// send to.
func Receivable(t types.Type) (elem types.Type, ok bool) {
	c, ok := t.Underlying().(*types.Chan)
	if !ok || c.Dir() == types.SendOnly {
		return nil, false
	}
	return c.Elem(), true
}

// Receive returns a call that receives from a channel of a type, and says whether anything was received or the channel is closed.
// It never waits for ever: where nothing comes a test fails, and a harness refuses the case.
func Receive(t types.Type) *testcase.Operation {
	elem, _ := Receivable(t)
	spell := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string { return "«" + p.Path() + "»" })
	}
	const text = `func «.»(t «testing».TB, ch %[1]s) (v %[2]s, open bool) {
	t.Helper()
	select {
	case v, open = <-ch:
	case <-«time».After(%[3]s):
		t.Fatal("nothing comes from the channel")
	}
	return v, open
}
`
	channel := types.NewChan(types.RecvOnly, elem)
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "ch", t)),
		types.NewTuple(types.NewParam(0, nil, "v", elem), types.NewParam(0, nil, "open", types.Typ[types.Bool])), false)
	h := &testcase.Helper{
		Name: receiveName, Doc: "returns what comes from ch, and whether it is open.", Sig: sig, OfTest: true, Consumes: true,
		Text: fmt.Sprintf(text, spell(channel), spell(elem), patience), Brief: fmt.Sprintf(text, spell(channel), spell(elem), briefPatience),
		Func: types.NewFunc(0, types.NewPackage("receive", "receive"), receiveName, sig),
	}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h}
}

// Receives reports whether an operation receives from a channel.
func Receives(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.Name == receiveName && strings.Contains(op.Via.Text, "<-ch")
}
