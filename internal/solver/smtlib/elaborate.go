package smtlib

import (
	"math/big"
	"strconv"

	"github.com/goassay/assay/internal/term"
)

// A sort is Bool, a bit-vector or a float. Rounding modes and numbers occur as arguments only.
type sort struct {
	kind   sortKind
	eb, sb int // the sizes of a float; the width of a bit-vector is in eb
}

type sortKind uint8

const (
	boolSort sortKind = iota
	bvSort
	fpSort
	rmSort
	numSort // a numeral or decimal
)

func (s sort) String() string {
	switch s.kind {
	case boolSort:
		return "Bool"
	case bvSort:
		return "(_ BitVec " + strconv.Itoa(s.eb) + ")"
	case fpSort:
		return "(_ FloatingPoint " + strconv.Itoa(s.eb) + " " + strconv.Itoa(s.sb) + ")"
	case rmSort:
		return "RoundingMode"
	}
	return "number"
}

func (s sort) width() int {
	switch s.kind {
	case boolSort:
		return 1
	case fpSort:
		return s.eb + s.sb
	}
	return s.eb
}

// A value is a term with its sort, or a rounding mode, or a number.
type value struct {
	sort sort
	id   term.ID
	text string // the rounding mode or number as text
}

type function struct {
	params []string
	sorts  []sort
	body   *sexp
	result sort
	// trial says that the function is being defined, and begun that its body is being elaborated. The
	// function may not be used there.
	trial, begun bool
}

type binding struct {
	v     value
	level int // the level of the function application in which it was made
}

// elaborator turns S-expressions into terms. It has its own stack of frames, because scripts nest deeply.
type elaborator struct {
	st     *term.Store
	l      *lexer // for errors
	consts map[string]value
	funcs  map[string]*function
	lets   map[string][]binding
	named  func(e *sexp, name string, v value) error
	steps  int
	frames []frame
	vals   []value
}

// maxSteps bounds the elaboration of one expression, because functions that apply functions may be
// exponentially large.
const maxSteps = 5e6

type frame struct {
	e     *sexp
	next  int // the number of the next argument to elaborate
	base  int // where the values of the arguments begin
	state frameState
	level int
	fn    *function
	op    *sexp // the operator with its indexes; nil for special forms
}

type frameState uint8

const (
	inArgs frameState = iota
	inLetBindings
	inLetBody
	inAnnotation
	inBody // in the body of a defined function
)

func (x *elaborator) errorf(e *sexp, format string, args ...any) error {
	return x.l.errorf(e.pos, format, args...)
}

// elaborate returns the value of e.
func (x *elaborator) elaborate(e *sexp) (value, error) {
	x.steps, x.frames, x.vals = 0, x.frames[:0], x.vals[:0]
	x.lets = map[string][]binding{}
	if err := x.enter(e, 0); err != nil {
		return value{}, err
	}
	for len(x.frames) > 0 {
		if x.steps++; x.steps > maxSteps {
			return value{}, x.errorf(e, "the expression is too large once functions are applied")
		}
		if err := x.step(); err != nil {
			return value{}, err
		}
	}
	return x.vals[0], nil
}

// enter begins the elaboration of e. An atom is finished at once, and a list gets a frame.
func (x *elaborator) enter(e *sexp, level int) error {
	if !e.isList() {
		v, err := x.atom(e, level)
		x.vals = append(x.vals, v)
		return err
	}
	if len(e.list) == 0 {
		return x.errorf(e, "empty expression")
	}
	f := frame{e: e, next: 1, base: len(x.vals), level: level, op: e.list[0]}
	head := e.list[0]
	switch {
	case head.is("let"):
		if len(e.list) != 3 || !e.list[1].isList() || len(e.list[1].list) == 0 {
			return x.errorf(e, "let needs bindings and a body")
		}
		f.state, f.next = inLetBindings, 0
	case head.is("!"):
		if len(e.list) < 2 {
			return x.errorf(e, "annotation of nothing")
		}
		f.state = inAnnotation
	case head.is("_"):
		v, err := x.indexedConst(e)
		x.vals = append(x.vals, v)
		return err
	case head.is("forall"), head.is("exists"):
		return x.errorf(e, "quantifiers are not supported")
	case head.is("as"):
		return x.errorf(e, "as is not supported")
	}
	x.frames = append(x.frames, f)
	return nil
}

// step advances the topmost frame.
func (x *elaborator) step() error {
	f := &x.frames[len(x.frames)-1]
	switch f.state {
	case inArgs:
		if f.next < len(f.e.list) {
			f.next++
			return x.enter(f.e.list[f.next-1], f.level)
		}
		return x.apply(f)
	case inLetBindings:
		bs := f.e.list[1].list
		if f.next < len(bs) {
			b := bs[f.next]
			if !b.isList() || len(b.list) != 2 || b.list[0].kind != symbol {
				return x.errorf(b, "malformed binding")
			}
			f.next++
			return x.enter(b.list[1], f.level)
		}
		seen := map[string]bool{}
		for i, b := range bs { // all are bound at once, because the expressions do not see the new names
			name := b.list[0].text
			if seen[name] {
				return x.errorf(b, "%s is bound twice", short(name))
			}
			seen[name] = true
			x.lets[name] = append(x.lets[name], binding{x.vals[f.base+i], f.level})
		}
		x.vals = x.vals[:f.base]
		f.state = inLetBody
		return x.enter(f.e.list[2], f.level)
	case inLetBody:
		for _, b := range f.e.list[1].list {
			x.unbind(b.list[0].text)
		}
		x.pop()
	case inAnnotation:
		if f.next == 1 {
			f.next++
			return x.enter(f.e.list[1], f.level)
		}
		e, v := f.e, x.vals[f.base]
		x.pop()
		return x.annotate(e, v)
	case inBody:
		for _, p := range f.fn.params {
			x.unbind(p)
		}
		x.pop()
	}
	return nil
}

func (x *elaborator) pop() { x.frames = x.frames[:len(x.frames)-1] }

func (x *elaborator) unbind(name string) {
	b := x.lets[name]
	x.lets[name] = b[:len(b)-1]
}

func (x *elaborator) annotate(e *sexp, v value) error {
	for i := 2; i < len(e.list); i++ {
		if e.list[i].kind != keyword {
			return x.errorf(e.list[i], "expected a keyword")
		}
		if e.list[i].text != ":named" {
			if i+1 < len(e.list) && e.list[i+1].kind != keyword {
				i++
			}
			continue
		}
		i++
		if i >= len(e.list) || e.list[i].kind != symbol {
			return x.errorf(e, ":named needs a symbol")
		}
		if err := x.named(e.list[i], e.list[i].text, v); err != nil {
			return err
		}
	}
	return nil
}

// apply applies the operator of a frame whose arguments are elaborated.
func (x *elaborator) apply(f *frame) error {
	args := x.vals[f.base:]
	if f.op.kind == symbol {
		if fn := x.funcs[f.op.text]; fn != nil {
			if len(args) != len(fn.params) {
				return x.errorf(f.e, "%s takes %d arguments, not %d", short(f.op.text), len(fn.params), len(args))
			}
			if fn.trial {
				if fn.begun {
					return x.errorf(f.e, "%s is used in its own definition", short(f.op.text))
				}
				fn.begun = true
			}
			level := len(x.frames)
			for i, p := range fn.params {
				if args[i].sort != fn.sorts[i] {
					return x.errorf(f.e.list[i+1], "argument of sort %s where %s is needed", args[i].sort, fn.sorts[i])
				}
				x.lets[p] = append(x.lets[p], binding{args[i], level})
			}
			x.vals = x.vals[:f.base]
			f.state, f.fn = inBody, fn
			return x.enter(fn.body, level)
		}
	}
	v, err := x.operator(f.e, f.op, args)
	if err != nil {
		return err
	}
	x.vals = append(x.vals[:f.base], v)
	x.pop()
	return nil
}

// lookup finds a symbol bound within the function application of that level, or a constant.
func (x *elaborator) lookup(name string, level int) (value, bool) {
	if b := x.lets[name]; len(b) > 0 && b[len(b)-1].level == level {
		return b[len(b)-1].v, true
	}
	v, ok := x.consts[name]
	return v, ok
}

func (x *elaborator) atom(e *sexp, level int) (value, error) {
	switch e.kind {
	case symbol:
		if v, ok := x.lookup(e.text, level); ok {
			return v, nil
		}
		if fn := x.funcs[e.text]; fn != nil && len(fn.params) == 0 {
			panic("bug: a function without parameters: " + e.text)
		}
		switch e.text {
		case "true":
			return value{sort{kind: boolSort}, term.True, ""}, nil
		case "false":
			return value{sort{kind: boolSort}, term.False, ""}, nil
		case "RNE", "RNA", "RTP", "RTN", "RTZ", "roundNearestTiesToEven", "roundNearestTiesToAway", "roundTowardPositive", "roundTowardNegative", "roundTowardZero":
			return value{sort: sort{kind: rmSort}, text: roundingModes[e.text]}, nil
		}
		return value{}, x.errorf(e, "unknown symbol %s", short(e.text))
	case hexadecimal, binary:
		base, per := 16, 4
		if e.kind == binary {
			base, per = 2, 1
		}
		n, _ := new(big.Int).SetString(e.text, base)
		w := len(e.text) * per
		return value{sort{kind: bvSort, eb: w}, x.st.ConstBig(w, n), ""}, nil
	case numeral, decimal:
		return value{sort: sort{kind: numSort}, text: e.text}, nil
	}
	return value{}, x.errorf(e, "%s is no expression", short(e.text))
}

// index returns the numeral at place i of the indexed identifier e.
func (x *elaborator) index(e *sexp, i int) (int, error) {
	if i >= len(e.list) || e.list[i].kind != numeral {
		return 0, x.errorf(e, "expected a numeral as index")
	}
	n, err := strconv.Atoi(e.list[i].text)
	if err != nil || n > maxWidth {
		return 0, x.errorf(e.list[i], "index %s is too large", short(e.list[i].text))
	}
	return n, nil
}

// maxWidth bounds bit-vectors.
const maxWidth = 1 << 14

// indexedConst returns the value of (_ bvN w), or of a special float.
func (x *elaborator) indexedConst(e *sexp) (value, error) {
	if len(e.list) < 3 || e.list[1].kind != symbol {
		return value{}, x.errorf(e, "malformed indexed identifier")
	}
	name := e.list[1].text
	if len(name) > 2 && name[:2] == "bv" {
		n, ok := new(big.Int).SetString(name[2:], 10)
		w, err := x.index(e, 2)
		switch {
		case err != nil:
			return value{}, err
		case !ok || n.Sign() < 0 || w == 0 || len(e.list) != 3:
			return value{}, x.errorf(e, "malformed bit-vector literal")
		case n.BitLen() > w:
			return value{}, x.errorf(e, "%s has more than %d bits", short(name), w)
		}
		return value{sort{kind: bvSort, eb: w}, x.st.ConstBig(w, n), ""}, nil
	}
	return x.floatConst(e, name)
}

// sortOf reads a sort.
func (x *elaborator) sortOf(e *sexp) (sort, error) {
	switch {
	case e.is("Bool"):
		return sort{kind: boolSort}, nil
	case e.is("Float32"):
		return sort{fpSort, 8, 24}, nil
	case e.is("Float64"):
		return sort{fpSort, 11, 53}, nil
	case e.is("Float16"), e.is("Float128"):
		return sort{}, x.errorf(e, "%s is not supported; Float32 and Float64 are", e.text)
	case e.is("RoundingMode"):
		return sort{}, x.errorf(e, "variables of sort RoundingMode are not supported")
	case e.isList() && len(e.list) == 3 && e.list[0].is("_") && e.list[1].is("BitVec"):
		w, err := x.index(e, 2)
		if err == nil && w == 0 {
			err = x.errorf(e, "bit-vector of width 0")
		}
		return sort{kind: bvSort, eb: w}, err
	case e.isList() && len(e.list) == 4 && e.list[0].is("_") && e.list[1].is("FloatingPoint"):
		eb, err := x.index(e, 2)
		if err != nil {
			return sort{}, err
		}
		sb, err := x.index(e, 3)
		if err != nil {
			return sort{}, err
		}
		s := sort{fpSort, eb, sb}
		return s, x.supported(e, s)
	}
	if e.kind == symbol {
		return sort{}, x.errorf(e, "unknown sort %s", short(e.text))
	}
	return sort{}, x.errorf(e, "unknown sort")
}

func (x *elaborator) supported(e *sexp, s sort) error {
	if s != (sort{fpSort, 8, 24}) && s != (sort{fpSort, 11, 53}) {
		return x.errorf(e, "%s is not supported; Float32 and Float64 are", s)
	}
	return nil
}
