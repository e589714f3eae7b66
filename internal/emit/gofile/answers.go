package gofile

import (
	"go/types"
	"slices"
	"strings"
)

// Answer is what a stand-in answers to some arguments, which commas separate. Both are source.
type Answer struct{ Arguments, Answer string }

// ByArgument returns what a stand-in answers to each argument that recorded calls had, like "Get(3)", in their order; answer says
// what it answers to the i-th of them. It returns nil if the stand-in takes anything but one whole number or text, if it answers one
// argument in two ways, or if there is only one argument.
func ByArgument(recorded []string, sig *types.Signature, answer func(i int) string) []Answer {
	if sig.Params().Len() != 1 || sig.Variadic() {
		return nil
	}
	b, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsString) == 0 {
		return nil
	}
	var out []Answer
	known := make(map[string]string)
	for i, call := range recorded {
		_, arg, ok := strings.Cut(strings.TrimSuffix(call, ")"), "(")
		if !ok || arg == "" {
			return nil
		}
		said, again := known[arg]
		if again && said != answer(i) {
			return nil
		}
		if again {
			continue
		}
		known[arg] = answer(i)
		if k := slices.IndexFunc(out, func(a Answer) bool { return a.Answer == known[arg] }); k >= 0 {
			out[k].Arguments += ", " + arg
		} else {
			out = append(out, Answer{arg, known[arg]})
		}
	}
	if len(known) < 2 {
		return nil
	}
	return out
}
