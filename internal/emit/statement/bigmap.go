package statement

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// This file writes large maps. A map of a thousand elements is in a test for its size. If its keys are
// regular and its values the same, a loop shows that better than a literal.

// A keyRun is a run of consecutive keys, prefix + from to prefix + to. The prefix of numbers is "".
type keyRun struct {
	prefix   string
	from, to int64
	value    testcase.Ref
}

// The sizes that decide between a literal and loops.
const (
	bigMap   = 32 // elements
	shortRun = 8  // so few consecutive keys are not worth a loop
	mostRuns = 6
)

// largeMap writes name := a map with loops, and reports whether that is possible and
// worth it.
func (s *Script) largeMap(st testcase.Statement, name string) bool {
	m, ok := st.Op.Type.Underlying().(*types.Map)
	if !ok || len(st.Args) < 2*bigMap && !filled(st.Op) {
		return false
	}
	runs, rest := s.keyRuns(st, m)
	if !filled(st.Op) && (len(runs) == 0 || len(runs) > mostRuns || len(rest) > bigMap) {
		return false
	}
	elems := make([]gofile.Expr, len(rest))
	for i, r := range rest {
		t := m.Key()
		if i%2 == 1 {
			t = m.Elem()
		}
		elems[i] = s.Ref(r, t)
	}
	s.Line(name, " := ", s.MapLiteral(st.Op.Type, elems).Text)
	for _, r := range runs {
		s.fillLoop(m, name, r, s.Ref(r.value, m.Elem()).Text)
	}
	if filled(st.Op) {
		s.fillLoop(m, name, keyRun{from: int64(st.Op.From), to: int64(st.Op.From + st.Op.N - 1)}, s.Zero(m.Elem(), m.Elem()).Text)
	}
	return true
}

// filled reports whether an operation makes a map that has entries beside its arguments.
func filled(op *testcase.Operation) bool {
	_, ok := op.Type.Underlying().(*types.Map)
	return ok && op.Kind == testcase.OpComposite && op.N > 0
}

// fillLoop writes a loop that sets the elements of a run of keys, in the map of the given name, to a value.
func (s *Script) fillLoop(m *types.Map, name string, keys keyRun, value string) {
	i := gofile.NewNames(s.Scope).Pick("i")
	from := strconv.FormatInt(keys.from, 10)
	key := i
	ints := true // whether i counts as an int
	switch {
	case gofile.IsBasic(m.Key(), types.IsString):
		key = s.Std("strconv") + ".Itoa(" + i + ")"
		if keys.prefix != "" {
			key = gofile.Quote(keys.prefix) + "+" + key
		}
		if !types.Identical(m.Key(), types.Typ[types.String]) {
			key = s.Convert(m.Key(), gofile.Primary(key)).Text
		}
	case !types.Identical(m.Key(), types.Typ[types.Int]):
		from = s.Convert(m.Key(), gofile.Primary(from)).Text
		ints = false
	}
	if keys.from == 0 && ints && s.Since("go1.22") {
		s.Line("for ", i, " := range ", strconv.FormatInt(keys.to+1, 10), " {")
	} else {
		s.Line("for ", i, " := ", from, "; ", i, " <= ", strconv.FormatInt(keys.to, 10), "; ", i, "++ {")
	}
	s.Line(name, "[", key, "] = ", value)
	s.Line("}")
}

// keyRuns divides the elements of a map composite into runs of consecutive keys with
// the same value, and the rest.
func (s *Script) keyRuns(st testcase.Statement, m *types.Map) (runs []keyRun, rest []testcase.Ref) {
	type numbered struct {
		prefix, value string
		n             int64
		key, ref      testcase.Ref
	}
	var all []numbered
	for i := 0; i+1 < len(st.Args); i += 2 {
		k, v := st.Args[i], st.Args[i+1]
		prefix, n, ok := s.keyNumber(k)
		if !ok || !s.inline[v.Stmt] || s.Seq.At(v.Stmt).Op.Kind != testcase.OpLiteral && s.Seq.At(v.Stmt).Op.Kind != testcase.OpZero &&
			!(s.Seq.At(v.Stmt).Op.Kind == testcase.OpComposite && len(s.Seq.At(v.Stmt).Args) == 0) {
			rest = append(rest, k, v)
			continue
		}
		all = append(all, numbered{prefix, s.Ref(v, m.Elem()).Text, n, k, v})
	}
	slices.SortStableFunc(all, func(a, b numbered) int {
		if c := strings.Compare(a.prefix, b.prefix); c != 0 {
			return c
		}
		return int(min(max(a.n-b.n, -1), 1))
	})
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].prefix == all[i].prefix && all[j].value == all[i].value && all[j].n == all[j-1].n+1 {
			j++
		}
		if j-i >= shortRun {
			runs = append(runs, keyRun{all[i].prefix, all[i].n, all[j-1].n, all[i].ref})
		} else {
			for _, e := range all[i:j] {
				rest = append(rest, e.key, e.ref)
			}
		}
		i = j
	}
	return runs, rest
}

// keyNumber reads a constant key as a number, or as text with a number at its end.
func (s *Script) keyNumber(r testcase.Ref) (prefix string, n int64, ok bool) {
	const most = 1 << 30
	op := s.Seq.At(r.Stmt).Op
	if op.Kind != testcase.OpLiteral || !s.inline[r.Stmt] {
		return "", 0, false
	}
	switch op.Lit.Kind {
	case testcase.LitInt, testcase.LitUint:
		n = int64(op.Lit.Bits)
		small := int64(most)
		switch gofile.Basic(op.Type).Kind() {
		case types.Int8, types.Uint8:
			small = 1<<7 - 1
		case types.Int16, types.Uint16:
			small = 1<<15 - 1
		}
		return "", n, n > -small && n < small
	case testcase.LitString:
		digits := len(op.Lit.Str)
		for digits > 0 && op.Lit.Str[digits-1] >= '0' && op.Lit.Str[digits-1] <= '9' {
			digits--
		}
		n, err := strconv.ParseInt(op.Lit.Str[digits:], 10, 31)
		if err != nil || strconv.FormatInt(n, 10) != op.Lit.Str[digits:] {
			return "", 0, false
		}
		return op.Lit.Str[:digits], n, true
	}
	return "", 0, false
}
