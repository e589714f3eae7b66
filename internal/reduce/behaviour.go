package reduce

import (
	"fmt"
	"go/types"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// testedBlocks returns the blocks that some case of their own function covers. Cases of other functions are
// not kept for these blocks.
func testedBlocks(cases []*testcase.Case, blocks []BlockInfo) testcase.Cover {
	var out testcase.Cover
	for _, c := range cases {
		for b := range blocks {
			if blocks[b].Func == c.Target && c.Observed.Cover.Has(b) {
				out.Set(b)
			}
		}
	}
	return out
}

// elements returns the things that a case shows: the blocks it covers, the decisions of its target's
// branches, and its behaviour. A case is kept for elements that no other kept case shows. If the target is
// covered completely already, only blocks of other functions count.
func elements(c *testcase.Case, cfg Config, tested testcase.Cover, done bool) []string {
	blocks := cfg.Blocks
	var out []string
	for i, w := range c.Observed.Cover {
		for ; w != 0; w &= w - 1 {
			b := i*64 + bits.TrailingZeros64(w)
			if (!tested.Has(b) || blocks[b].Func == c.Target) && !cfg.Covered.Has(b) {
				out = append(out, "b"+strconv.Itoa(b))
			}
		}
	}
	for _, s := range c.Shows {
		out = append(out, "s"+s)
	}
	if done {
		return out
	}
	for _, d := range c.Path {
		out = append(out, fmt.Sprintf("d%s:%d:%d %s %t", d.Pos.Filename, d.Pos.Line, d.Pos.Column, d.Text, d.True))
	}
	return append(out, "o"+c.Target+"\n"+behaviour(c.Seq, c.Observed))
}

// fullyCovered returns the functions that the existing tests cover completely.
func (cfg Config) fullyCovered() map[string]bool {
	if len(cfg.Covered) == 0 {
		return nil
	}
	out := map[string]bool{}
	for _, b := range cfg.Blocks {
		out[b.Func] = true
	}
	for i, b := range cfg.Blocks {
		if !cfg.Covered.Has(i) {
			out[b.Func] = false
		}
	}
	return out
}

// behaviour returns the class of an outcome: how it ended, and which kinds of results the last statement
// returned. Outcomes of one class look alike to a reader of the tests. Classes distinguish errors, nil or
// not, true or false, empty or not, and zero or not.
func behaviour(s *testcase.Sequence, o *testcase.Outcome) string {
	var b strings.Builder
	b.WriteString(o.Status.String())
	if o.Violated != "" {
		b.WriteString(" violates " + o.Violated)
	}
	if o.Panic != nil {
		b.WriteString(" " + o.Panic.Kind + " " + place(o.Panic))
		if o.Panic.Kind == "explicit" {
			b.WriteString(" " + o.Panic.Message)
		}
	}
	if o.Status != testcase.Returned || o.At >= len(o.Results) {
		return b.String()
	}
	for i, v := range o.Results[o.At] {
		t := v.Type
		if ts := s.ResultTypes(); o.At < len(ts) && i < len(ts[o.At]) {
			t = ts[o.At][i]
		}
		b.WriteString("; ")
		class(&b, v, t, 0)
	}
	return b.String()
}

// class writes the class of a value of static type t.
func class(b *strings.Builder, v testcase.Value, t types.Type, depth int) {
	if v.Err != nil {
		switch {
		case len(v.Err.Sentinels) > 0:
			b.WriteString("error " + v.Err.Sentinels[0].Name())
		default:
			b.WriteString("error " + dynamicName(v))
		}
		return
	}
	switch v.Kind {
	case testcase.Bool:
		b.WriteString(strconv.FormatBool(v.Bits != 0))
	case testcase.Int, testcase.Uint:
		switch {
		case isEnum(t):
			fmt.Fprintf(b, "%d", int64(v.Bits))
		case depth > 0:
			b.WriteString("number")
		case v.Bits == 0:
			b.WriteString("0")
		default:
			b.WriteString("not 0")
		}
	case testcase.Float:
		f := math.Float64frombits(v.Bits)
		if bt, ok := underlyingOf(t).(*types.Basic); ok && bt.Kind() == types.Float32 {
			f = float64(math.Float32frombits(uint32(v.Bits)))
		}
		switch {
		case depth > 0:
			b.WriteString("number")
		case math.IsNaN(f):
			b.WriteString("NaN")
		case math.IsInf(f, 0):
			b.WriteString("Inf")
		case f == 0:
			b.WriteString("0")
		default:
			b.WriteString("not 0")
		}
	case testcase.String:
		if v.Str == "" && v.Len == 0 {
			b.WriteString("empty")
		} else if isEnum(t) {
			b.WriteString(strconv.Quote(v.Str))
		} else {
			b.WriteString("text")
		}
	case testcase.Nil:
		b.WriteString("nil")
	case testcase.Slice, testcase.Map:
		if v.Len == 0 && len(v.Elems) == 0 {
			b.WriteString("empty")
		} else {
			b.WriteString("elements")
		}
	case testcase.Interface:
		b.WriteString(dynamicName(v))
	case testcase.Struct:
		// Only one level of fields is looked at. With more levels every two values would differ.
		if st, ok := underlyingOf(t).(*types.Struct); ok && depth == 0 && st.NumFields() == len(v.Elems) && len(v.Elems) <= 4 {
			b.WriteString("{")
			for i, e := range v.Elems {
				class(b, e, st.Field(i).Type(), depth+1)
				b.WriteString(" ")
			}
			b.WriteString("}")
			return
		}
		b.WriteString("struct")
	case testcase.Pointer:
		b.WriteString("pointer")
	default:
		fmt.Fprintf(b, "kind %d", v.Kind)
	}
}

// dynamicName returns the name of the dynamic type in an interface.
func dynamicName(v testcase.Value) string {
	if v.Kind == testcase.Interface && len(v.Elems) == 1 {
		if e := v.Elems[0]; e.Type != nil {
			return e.Type.String()
		} else {
			return e.TypeName
		}
	}
	return "value"
}

// underlyingOf returns the underlying type of a type, and nil for nil.
func underlyingOf(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// isEnum reports whether t is a named basic type with declared constants. Each of these constants is a
// behaviour by itself.
func isEnum(t types.Type) bool {
	if t == nil {
		return false
	}
	const most = 64
	count := len(load.ConstantsOf(t))
	return count > 1 && count <= most
}

// place returns where a panic arose, and through which functions.
func place(p *testcase.Panic) string {
	var b strings.Builder
	for i, f := range p.Stack {
		if i > 0 {
			b.WriteString(" < ")
		}
		b.WriteString(f.Func)
		if i == 0 {
			fmt.Fprintf(&b, ":%d", f.Pos.Line)
		}
	}
	return b.String()
}
