package encoded

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
	"github.com/goassay/assay/internal/notation"
)

// maxReplies is how many texts answer the requests of one function at the most.
const maxReplies = 24

// By returns texts of the types that functions, and those that they call, decode from one of several notations, by the functions'
// names as targets. Of a function that sends a request and leaves what comes to a method of its result, the texts are those of what
// such methods decode.
func By(pkg *load.Package, as requests.Notation) map[string][]notation.Text {
	out := make(map[string][]notation.Text)
	for _, t := range pkg.Targets {
		list := decodedTypes(pkg, t.Obj)
		var texts []notation.Text
		for _, one := range Notations {
			if as&one != 0 {
				texts = append(texts, replies(list, one, pkg.Requests())...)
			}
		}
		if len(texts) > 0 {
			out[t.Name] = texts
		}
	}
	return out
}

// Notations are the notations of which there are texts.
var Notations = [...]requests.Notation{requests.JSON, requests.YAML, requests.TOML, requests.XML}

// maxDecoded is how many texts [All] returns at the most in one notation.
const maxDecoded = 40

// All returns the texts in a notation of the types into which the functions of a package decode: of values with all fields,
// without each of the first ones, with negative numbers, and an empty object. What comes from outside need not have
// been written by the package, or was written by an earlier version that did not know all fields.
func All(pkg *load.Package, as requests.Notation) []notation.Text {
	if pkg.Info == nil {
		return nil // the package was not loaded from source
	}
	var out []notation.Text
	var seen []types.Type
	for _, t := range pkg.Targets {
		for _, d := range pkg.Requests().Decoded(t.Obj) {
			if d.As&as != 0 && !holds(seen, d.Type) {
				seen = append(seen, d.Type)
				for _, text := range Samples(d.Type, as, pkg.Requests()) {
					if text.Value != "{" {
						addTo(&out, text, maxDecoded)
					}
				}
			}
		}
	}
	return out
}

// Reads reports whether some function of a package decodes from a notation.
func Reads(pkg *load.Package, as requests.Notation) bool {
	if pkg.Info == nil {
		return false // the package was not loaded from source
	}
	return slices.ContainsFunc(pkg.Targets, func(t *load.Target) bool {
		for k := range t.Obj.Signature().Params().Len() {
			if pkg.Requests().Into(t.Obj, k)&as != 0 {
				return true
			}
		}
		return slices.ContainsFunc(pkg.Requests().Decoded(t.Obj), func(d requests.Decoded) bool { return d.As&as != 0 })
	})
}

// holds reports whether a list has a type.
func holds(list []types.Type, t types.Type) bool {
	return slices.ContainsFunc(list, func(other types.Type) bool { return types.Identical(t, other) })
}

// decodedTypes returns what a function decodes; where it sends a request, those that methods of its results
// decode come first.
func decodedTypes(pkg *load.Package, fn *types.Func) []requests.Decoded {
	var list []requests.Decoded
	if pkg.Requests().Sends(fn) {
		list = decodedLater(pkg, fn)
	}
	return append(list, pkg.Requests().Decoded(fn)...)
}

// mostFailures is how many texts tell of failures of one function at the most.
const mostFailures = 4

// Failures returns JSON that tells a function of a failure, as far as is known from the fields of what it
// decodes: texts with the fields that tell of an error, and with constants that the code compares fields with.
func Failures(pkg *load.Package, fn *types.Func) []string {
	var out []notation.Text
	for _, d := range decodedTypes(pkg, fn) {
		if d.As&requests.JSON == 0 {
			continue
		}
		c := change{field: sound, compared: pkg.Requests()}
		success := jsonOf(d.Type, 0, c)
		c.brief = len(success) > longestReply
		success = jsonOf(d.Type, 0, c)
		for _, field := range []int{unchanged, constants, constants - 1, constants - 2} {
			c.field = field
			if text := jsonOf(d.Type, 0, c); text != success {
				addTo(&out, notation.Text{Value: closed(text)}, mostFailures)
			}
		}
	}
	return Values(out)
}

// decodedLater returns what methods of a function's results decode.
func decodedLater(pkg *load.Package, fn *types.Func) []requests.Decoded {
	var list []requests.Decoded
	for v := range fn.Signature().Results().Variables() {
		for m := range types.NewMethodSet(types.NewPointer(v.Type())).Methods() {
			if fn, ok := m.Obj().(*types.Func); ok && fn.Pkg() == pkg.Types && !pkg.Requests().Sends(fn) {
				list = append(list, pkg.Requests().Decoded(fn)...)
			}
		}
	}
	return list
}

// replies returns texts in a notation of what a function decodes, of success first. Where one type leaves a part of JSON open
// (json.RawMessage, any), the others stand in its place.
func replies(list []requests.Decoded, as requests.Notation, facts *requests.Facts) []notation.Text {
	var out []notation.Text
	var whole []string
	var decoded []types.Type
	success := change{field: sound, compared: facts}
	for _, d := range list {
		if d.As&as == 0 {
			continue
		}
		decoded = append(decoded, d.Type)
		if as != requests.JSON {
			continue
		}
		text := jsonOf(d.Type, 0, success)
		if len(text) > longestReply {
			brief := success
			brief.brief = true
			text = jsonOf(d.Type, 0, brief)
		}
		whole = append(whole, text)
	}
	for i := range whole { // what has an open part is the outer one, and answers with the others in it
		for k, inner := range whole {
			if i != k && isOpen(whole[i]) && !isOpen(inner) {
				addTo(&out, notation.Text{Value: filled(whole[i], inner)}, maxReplies/2)
			}
		}
	}
	for _, t := range decoded {
		for _, text := range Samples(t, as, facts) {
			addTo(&out, text, maxReplies)
		}
	}
	return out
}

// addTo appends a text that is not in the list yet, up to a number of texts.
func addTo(list *[]notation.Text, text notation.Text, most int) {
	if len(*list) < most && !slices.ContainsFunc(*list, func(known notation.Text) bool { return known.Value == text.Value }) {
		*list = append(*list, text)
	}
}

// Values returns the texts of a list without their names.
func Values(list []notation.Text) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = text.Value
	}
	return out
}

// Record returns the struct that tests decode into where any will do: struct{ Name string; Port int }.
func Record() *types.Struct {
	return types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, nil, "Name", types.Typ[types.String], false),
		types.NewField(token.NoPos, nil, "Port", types.Typ[types.Int], false),
	}, nil)
}

// Records returns documents of [Record] in some notations, one with all fields first, and for each notation one whose port is no number and one that cannot be read.
func Records(as requests.Notation) []notation.Text {
	var out []notation.Text
	for _, one := range Notations {
		if as&one == 0 {
			continue
		}
		name, port := "name", "port"
		if one == requests.XML {
			name, port = "Name", "Port"
		}
		for _, value := range []struct{ called, port string }{{strings.ToUpper(one.String()), "8080"}, {"port is no number", `"abc"`}} {
			if text, ok := written(Record(), fmt.Sprintf(`{%q:"ann",%q:%s}`, name, port, value.port), one); ok {
				out = append(out, notation.Text{Name: value.called, Value: text})
			}
		}
		s := &samples{of: Record(), as: one}
		s.refused(false)
		out = append(out, s.out...)
	}
	return out
}

// Destination returns the parameter of any type into which a function decodes, -1 if there is none, and from what it does. A function that
// decodes something else may fill in what it is passed from that.
func Destination(pkg *load.Package, fn *types.Func) (into int, as requests.Notation) {
	into = -1
	sig := fn.Signature()
	for k := range sig.Params().Len() {
		if !gosyntax.IsAny(sig.Params().At(k).Type()) || sig.Variadic() && k == sig.Params().Len()-1 {
			continue
		}
		if as := pkg.Requests().Into(fn, k); as != 0 {
			return k, as
		}
		into = k
	}
	if into < 0 {
		return -1, 0
	}
	for _, decoded := range pkg.Requests().Decoded(fn) {
		as |= decoded.As
	}
	if as == 0 {
		return -1, 0
	}
	return into, as
}
