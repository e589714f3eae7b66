package reduce

import (
	"cmp"
	"go/types"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goassay/assay/internal/testcase"
)

// measure is the size of a sequence. The smaller of two sequences reads better.
type measure struct {
	statements int // calls and other effects; statements that only make values do not count
	values     int
	literals   int // how complicated the literals are
}

func (m measure) compare(n measure) int {
	return cmp.Or(cmp.Compare(m.statements, n.statements), cmp.Compare(m.values+m.literals, n.values+n.literals))
}

func (m measure) less(n measure) bool { return m.compare(n) < 0 }

// size returns the size of a sequence.
func size(s *testcase.Sequence) measure {
	var m measure
	for i := range s.Len() {
		st := s.At(i)
		switch st.Op.Kind {
		case testcase.OpLiteral:
			m.literals += weight(st.Op)
		case testcase.OpZero:
		case testcase.OpComposite, testcase.OpAddr, testcase.OpConvert, testcase.OpGlobal:
			m.values += 1 + st.Op.N/8
		case testcase.OpStubFunc, testcase.OpStubIface, testcase.OpMakeChan, testcase.OpClosure, testcase.OpFuncLit:
			m.values += 3
		default:
			m.statements++
		}
	}
	return m
}

// weight returns how complicated a literal is to read: 0 for zero values.
func weight(op *testcase.Operation) int {
	l := op.Lit
	switch l.Kind {
	case testcase.LitBool:
		return int(l.Bits & 1)
	case testcase.LitInt:
		v := int64(l.Bits)
		if testcase.IsDuration(op.Type) {
			return len(testcase.PlainerDurations(time.Duration(v)))
		}
		if v < 0 {
			return 1 + bits.Len64(uint64(-v))
		}
		return bits.Len64(uint64(v))
	case testcase.LitUint:
		return bits.Len64(l.Bits)
	case testcase.LitFloat:
		return floatWeight(floatOf(op, l.Bits))
	case testcase.LitComplex:
		return floatWeight(floatOf(op, l.Bits)) + floatWeight(floatOf(op, l.Imag))
	case testcase.LitString:
		if i := slices.Index(op.Choice, l.Str); i >= 0 {
			return i
		}
		n := 0
		if op.Choice != nil {
			n = len(op.Choice)
		}
		for i := 0; i < len(l.Str); {
			r, w := utf8.DecodeRuneInString(l.Str[i:])
			n += 2
			if r == utf8.RuneError || r < ' ' || r > '~' {
				n += 4
			}
			i += w
		}
		return n
	}
	return 0
}

// floatWeight returns how complicated a float is to read.
func floatWeight(f float64) int {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return 8
	case f == 0:
		if math.Signbit(f) {
			return 8
		}
		return 0
	}
	n := 0
	if f < 0 {
		n++
	}
	f = math.Abs(f)
	if f == math.Trunc(f) && f < 1<<53 {
		return n + bits.Len64(uint64(f))
	}
	if f*4 == math.Trunc(f*4) && f < 1<<40 {
		return n + 3 + bits.Len64(uint64(f))
	}
	return n + 70
}

func floatOf(op *testcase.Operation, pattern uint64) float64 {
	if is32(op.Type) {
		return float64(math.Float32frombits(uint32(pattern)))
	}
	return math.Float64frombits(pattern)
}

func is32(t types.Type) bool {
	b, ok := underlyingOf(t).(*types.Basic)
	return ok && (b.Kind() == types.Float32 || b.Kind() == types.Complex64)
}

func floatPattern(op *testcase.Operation, f float64) uint64 {
	if is32(op.Type) {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// simpler returns operations that are simpler than the literal op. The simplest comes first.
func simpler(op *testcase.Operation) []*testcase.Operation {
	var out []*testcase.Operation
	try := func(l testcase.Literal) {
		c := *op
		c.Lit = l
		if simplerThan(&c, op) && !slices.ContainsFunc(out, func(o *testcase.Operation) bool { return o.Lit == l }) {
			out = append(out, &c)
		}
	}
	l := op.Lit
	if testcase.IsDuration(op.Type) {
		for _, d := range testcase.PlainerDurations(time.Duration(l.Bits)) {
			try(testcase.Literal{Kind: l.Kind, Bits: uint64(d)})
		}
		return out
	}
	for _, s := range op.ChosenBefore() {
		try(testcase.Literal{Kind: l.Kind, Str: s})
	}
	if slices.Contains(op.Choice, l.Str) {
		return out
	}
	switch l.Kind {
	case testcase.LitBool:
		try(testcase.Literal{Kind: l.Kind})
	case testcase.LitInt:
		v := int64(l.Bits)
		for _, n := range []int64{0, 1, -1, 2, 3, 10, v / (1 << 32), v / (1 << 16), v / (1 << 8), v / 16, v / 4, v / 2, v - v/4, v - v/8, v - v/32, v - v/128,
			v - v/1024, v - v/8192, v - v/65536, v - sign(v)} {
			try(testcase.Literal{Kind: l.Kind, Bits: uint64(n)})
		}
	case testcase.LitUint:
		v := l.Bits
		for _, n := range []uint64{0, 1, 2, 3, 10, v >> 32, v >> 16, v >> 8, v >> 4, v >> 2, v >> 1, v - v/4, v - v/8, v - v/32, v - v/128, v - v/1024, v - v/8192, v - 1} {
			try(testcase.Literal{Kind: l.Kind, Bits: n})
		}
	case testcase.LitFloat:
		f := floatOf(op, l.Bits)
		for _, g := range simplerFloats(f) {
			try(testcase.Literal{Kind: l.Kind, Bits: floatPattern(op, g)})
		}
	case testcase.LitComplex:
		for _, g := range simplerFloats(floatOf(op, l.Bits)) {
			try(testcase.Literal{Kind: l.Kind, Bits: floatPattern(op, g), Imag: l.Imag})
		}
		for _, g := range simplerFloats(floatOf(op, l.Imag)) {
			try(testcase.Literal{Kind: l.Kind, Bits: l.Bits, Imag: floatPattern(op, g)})
		}
	case testcase.LitString:
		for _, s := range simplerStrings(l.Str) {
			try(testcase.Literal{Kind: l.Kind, Str: s})
		}
	}
	return out
}

// simplerThan reports whether literal a is simpler than b. If both have the same weight, the smaller number
// is simpler.
func simplerThan(a, b *testcase.Operation) bool {
	if x, y := weight(a), weight(b); x != y {
		return x < y
	}
	switch a.Lit.Kind {
	case testcase.LitInt:
		x, y := int64(a.Lit.Bits), int64(b.Lit.Bits)
		return x >= 0 && y >= 0 && x < y || x < 0 && y < 0 && x > y
	case testcase.LitUint:
		return a.Lit.Bits < b.Lit.Bits
	}
	return false
}

func sign(v int64) int64 { return int64(cmp.Compare(v, 0)) }

// simplerFloats returns simpler numbers than f.
func simplerFloats(f float64) []float64 {
	out := []float64{0, 1, -1, 0.5}
	if !math.IsNaN(f) && !math.IsInf(f, 0) {
		out = append(out, math.Trunc(f), math.Round(f), math.Trunc(f/2), math.Round(f*4)/4)
	}
	return out
}

// simplerStrings returns simpler strings than s: shorter ones, then with plainer
// characters.
func simplerStrings(s string) []string {
	const most = 24
	out := []string{""}
	if n := len(s); n > 1 {
		out = append(out, s[:1], s[n-1:], s[:n/2], s[n/2:], s[:n-n/4], s[n/4:], s[:n-1], s[1:])
	}
	if len(s) <= most {
		for i := 1; i+1 < len(s); i++ {
			out = append(out, s[:i]+s[i+1:])
		}
	}
	plain := func(r rune) rune {
		if r == utf8.RuneError || r < ' ' || r > '~' {
			return 'a'
		}
		return r
	}
	out = append(out, strings.Map(plain, s))
	if len(s) <= most {
		for i := 0; i < len(s); i++ {
			if s[i] < ' ' || s[i] > '~' {
				out = append(out, s[:i]+"a"+s[i+1:])
			}
		}
	}
	return out
}

// fewerCalls returns stubs like st with fewer scripted calls.
func fewerCalls(st testcase.Statement) []testcase.Statement {
	var out []testcase.Statement
	if n := len(st.Op.Stub); n > 1 {
		op := *st.Op
		op.Stub = nil
		out = append(out, testcase.Statement{Op: &op})
	}
	for i := len(st.Op.Stub) - 1; i >= 0; i-- {
		op := *st.Op
		gone := st.Op.Stub[i]
		op.Stub = nil
		for k, c := range st.Op.Stub {
			if k == i {
				continue
			}
			if c.From >= gone.To {
				c.From -= gone.To - gone.From
				c.To -= gone.To - gone.From
			}
			op.Stub = append(op.Stub, c)
		}
		out = append(out, testcase.Statement{Op: &op, Args: slices.Concat(st.Args[:gone.From], st.Args[gone.To:])})
	}
	return out
}

// fewerSends returns statements like st, which makes a channel, with fewer values in the channel or a smaller
// capacity. An open channel keeps its values, and a closed one stays closed, because a goroutine that waits
// for an open channel in vain ends the process, and that costs as much as hundreds of attempts.
func fewerSends(st testcase.Statement) []testcase.Statement {
	var out []testcase.Statement
	add := func(args []testcase.Ref, room int) {
		op := *st.Op
		op.N = room
		out = append(out, testcase.Statement{Op: &op, Args: args})
	}
	n := len(st.Args)
	if st.Op.Closed {
		if n > 1 {
			add(nil, 0)
		}
		for i := n - 1; i >= 0; i-- {
			add(slices.Concat(st.Args[:i], st.Args[i+1:]), n-1)
		}
	}
	if st.Op.N > n {
		add(st.Args, n)
	}
	return out
}

// fewer returns statements like st, a composite of a slice or map with fewer elements, a stub with fewer
// scripted calls, or a channel with fewer values in it.
func fewer(st testcase.Statement) []testcase.Statement {
	const most = 16
	var out []testcase.Statement
	if st.Op.Kind == testcase.OpStubFunc || st.Op.Kind == testcase.OpStubIface {
		return fewerCalls(st)
	}
	if st.Op.Kind == testcase.OpMakeChan {
		return fewerSends(st)
	}
	step := 1
	switch underlyingOf(st.Op.Type).(type) {
	case *types.Map:
		step = 2
	case *types.Slice:
	default:
		return nil
	}
	n := len(st.Args) / step
	drop := func(from, to int) {
		op := *st.Op
		args := slices.Concat(st.Args[:from*step], st.Args[to*step:])
		if step == 1 {
			length := max(op.N, len(st.Args))
			if op.Elems != nil {
				last := length
				op.Elems = slices.Concat(op.Elems[:from], op.Elems[to:])
				// The references to the elements behind move forward.
				for i := from; i < len(op.Elems); i++ {
					op.Elems[i] -= to - from
				}
				length = last
			}
			op.N = length - (to - from)
		}
		out = append(out, testcase.Statement{Op: &op, Args: args})
	}
	if n > 0 {
		drop(0, n)
	}
	if n > 3 {
		drop(n/2, n)
		drop(0, n/2)
	}
	if n > 1 && n <= most {
		for i := n - 1; i >= 0; i-- {
			drop(i, i+1)
		}
	}
	// There may also be zero elements at the end of a long slice, or entries that fill a map.
	if step == 1 && st.Op.N > n && n == 0 || step == 2 && st.Op.N > 0 {
		for _, length := range []int{0, st.Op.N / 16, st.Op.N / 2, st.Op.N - 1} {
			if length < st.Op.N {
				op := *st.Op
				op.N = length
				out = append(out, testcase.Statement{Op: &op, Args: st.Args})
			}
		}
	}
	return out
}
