package difference

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// part is the part in which two values differ.
type part struct {
	kind            Kind
	path            string // ".Name[3]"
	old, new        string
	note            string // a remark on the values: "1 ULP"
	result, results int
}

// texts describes the difference by the whole results if they are short, and otherwise by the part.
func (p *part) texts(old, new []testcase.Value) (before, after string) {
	const readable = 60
	before, after = list(old), list(new)
	if len(before) > readable || len(after) > readable || before == after {
		where := p.path
		if p.results > 1 {
			where = fmt.Sprintf("result %d%s", p.result+1, p.path)
		}
		if where != "" {
			where += " "
		}
		before, after = where+p.old, where+p.new
	}
	if p.note != "" {
		after += " (" + p.note + ")"
	}
	return before, after
}

// compareValues finds the first part in which two values differ, or nil if nobody outside of the package can
// distinguish them.
func compareValues(old, new testcase.Value, known func(*types.Var) bool) *part {
	c := &comparer{known: known, objects: [2]map[int]testcase.Value{{}, {}}, seen: map[[2]int]bool{}}
	return c.compare(old, new, "")
}

// comparer compares two values. It follows pointers to objects that occurred earlier.
type comparer struct {
	objects [2]map[int]testcase.Value // by ID, of either side
	seen    map[[2]int]bool           // pairs of objects whose comparison has begun
	known   func(*types.Var) bool     // as in Compare
}

func (c *comparer) compare(a, b testcase.Value, path string) *part {
	differ := func(note string) *part {
		return &part{kind: Result, path: path, old: short(a.String()), new: short(b.String()), note: note}
	}
	if a.Kind == testcase.Invalid || b.Kind == testcase.Invalid {
		return nil // it was not observed, as a field that only one version has
	}
	if a.Kind == testcase.Opaque || b.Kind == testcase.Opaque {
		if a.Kind != b.Kind && (a.Kind == testcase.Nil && !b.MaybeNil || b.Kind == testcase.Nil && !a.MaybeNil) {
			return differ("")
		}
		return nil
	}
	if isError(a) || isError(b) {
		return c.compareErrors(a, b, path)
	}
	if a.Kind != b.Kind {
		return differ("")
	}
	done := false
	if a, b, done = c.follow(a, b); done {
		return nil
	}
	switch a.Kind {
	case testcase.Float, testcase.Complex:
		if !a.Equal(b) {
			return differ(ulps(a, b))
		}
		return nil
	case testcase.Bool, testcase.Int, testcase.Uint, testcase.String, testcase.Nil:
		if !a.Equal(b) {
			return differ("")
		}
		return nil
	case testcase.Interface:
		if name(a.Elems[0]) != name(b.Elems[0]) {
			return &part{kind: Result, path: path, old: "of type " + name(a.Elems[0]), new: "of type " + name(b.Elems[0])}
		}
		return c.compare(a.Elems[0], b.Elems[0], path)
	case testcase.Struct:
		return c.compareFields(a, b, path)
	case testcase.Map:
		return c.compareMaps(a, b, path)
	}
	if a.Kind != testcase.Pointer && a.Len != b.Len {
		return differ(fmt.Sprintf("length %d, was %d", b.Len, a.Len))
	}
	for i := range min(len(a.Elems), len(b.Elems)) {
		at := path
		if a.Kind != testcase.Pointer {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		if p := c.compare(a.Elems[i], b.Elems[i], at); p != nil {
			return p
		}
	}
	return nil
}

// follow records objects, and replaces references to an object by the object recorded earlier. It reports
// whether the comparison of the two objects has begun already.
func (c *comparer) follow(a, b testcase.Value) (testcase.Value, testcase.Value, bool) {
	for i, v := range []*testcase.Value{&a, &b} {
		switch {
		case v.ID == 0:
		case v.Again:
			if known, ok := c.objects[i][v.ID]; ok {
				*v = known
			} else {
				return a, b, true // the object is not known
			}
		default:
			c.objects[i][v.ID] = *v
		}
	}
	if a.ID == 0 || b.ID == 0 {
		return a, b, false
	}
	key := [2]int{a.ID, b.ID}
	done := c.seen[key]
	c.seen[key] = true
	return a, b, done
}

// compareFields compares the fields that everybody sees.
func (c *comparer) compareFields(a, b testcase.Value, path string) *part {
	st := structOf(a)
	other := structOf(b)
	if st == nil || other == nil {
		return nil // the package cannot name the type, so users do not look into the value
	}
	for i := range min(st.NumFields(), len(a.Elems)) {
		f := st.Field(i)
		if !f.Exported() {
			continue
		}
		for k := range min(other.NumFields(), len(b.Elems)) {
			if other.Field(k).Name() != f.Name() {
				continue
			}
			if p := c.compare(a.Elems[i], b.Elems[k], path+"."+f.Name()); p != nil {
				return p
			}
		}
	}
	return nil
}

func structOf(v testcase.Value) *types.Struct {
	if v.Type == nil {
		return nil
	}
	st, _ := v.Type.Underlying().(*types.Struct)
	return st
}

// compareMaps compares maps, whose entries are in the order of their keys.
func (c *comparer) compareMaps(a, b testcase.Value, path string) *part {
	if a.Len != b.Len {
		return &part{kind: Result, path: path, old: short(a.String()), new: short(b.String()), note: fmt.Sprintf("length %d, was %d", b.Len, a.Len)}
	}
	for i := 0; i+1 < min(len(a.Elems), len(b.Elems)); i += 2 {
		if p := c.compare(a.Elems[i], b.Elems[i], path); p != nil {
			return p
		}
		if p := c.compare(a.Elems[i+1], b.Elems[i+1], fmt.Sprintf("%s[%s]", path, a.Elems[i])); p != nil {
			return p
		}
	}
	return nil
}

// isError reports whether a value is an error, or would be one if it were not nil.
func isError(v testcase.Value) bool {
	return v.Err != nil || v.Type != nil && gosyntax.IsError(v.Type)
}

// compareErrors compares errors: whether there is one, its identity, and its text.
func (c *comparer) compareErrors(a, b testcase.Value, path string) *part {
	p := &part{path: path, old: short(a.String()), new: short(b.String())}
	switch {
	case a.Err == nil && b.Err == nil:
		if a.Kind == b.Kind {
			return nil
		}
		if p.kind = ReturnsError; b.Kind == testcase.Nil {
			p.kind = LosesError
		}
		return p
	case a.Err == nil:
		if a.Kind == testcase.Nil {
			p.kind = ReturnsError
			return p
		}
		p.kind = Result
		return p
	case b.Err == nil:
		if p.kind = LosesError; b.Kind != testcase.Nil {
			p.kind = Result
		}
		return p
	}
	p.kind = ErrorText
	if old, new := c.sentinels(a), c.sentinels(b); !slices.Equal(old, new) {
		p.kind = Result
		p.note = "errors.Is: " + orNone(new) + ", was " + orNone(old)
		return p
	}
	if publicType(a) != publicType(b) {
		p.kind = Result
		p.note = "of type " + publicType(b) + ", was " + publicType(a)
		return p
	}
	if plainText(a.Err.Message) != plainText(b.Err.Message) && !a.Err.Unstable && !b.Err.Unstable {
		return p
	}
	return nil
}

// address matches addresses of functions, variables and objects in texts, because addresses differ between
// programs.
var address = regexp.MustCompile(`0x(c[0-9a-f]{9}|[4-9a-f][0-9a-f]{5})\b`)

// plainText is the text of an error or a panic without addresses and with plain spaces. Some modules
// choose between kinds of spaces by a hash of the program, so that nobody relies on their texts.
func plainText(s string) string {
	return address.ReplaceAllString(strings.Join(strings.Fields(s), " "), "0x…")
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// sentinels names the exported variables that an error is, by errors.Is, of those that both versions know.
func (c *comparer) sentinels(v testcase.Value) []string {
	var out []string
	for _, s := range v.Err.Sentinels {
		if s.Exported() && c.known(s) {
			out = append(out, s.Pkg().Name()+"."+s.Name())
		}
	}
	slices.Sort(out)
	return out
}

// publicType returns the name of an error's dynamic type if users can name it, and "unexported" otherwise.
func publicType(v testcase.Value) string {
	for v.Kind == testcase.Interface && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	n := name(v)
	base := n[strings.LastIndexAny(n, ".*")+1:]
	if !token.IsExported(base) {
		return "no exported type"
	}
	return n
}

// name returns the name of a value's dynamic type.
func name(v testcase.Value) string {
	if v.Type != nil {
		return types.TypeString(declared(v.Type), func(p *types.Package) string { return p.Name() })
	}
	n := v.TypeName
	if i := strings.LastIndex(n, "/"); i >= 0 {
		head := strings.TrimLeft(n, "*[]")
		n = n[:len(n)-len(head)] + n[i+1:]
	}
	return madeUp.ReplaceAllString(n, ".stub")
}

// madeUp matches the names of types by which a harness implements interfaces; they are numbered in each harness.
var madeUp = regexp.MustCompile(`\.assay\d*_s\d+$`)

// declared returns a type under the name with which it is declared: *os.PathError is *fs.PathError.
func declared(t types.Type) types.Type {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return types.NewPointer(declared(u.Elem()))
	case *types.Slice:
		return types.NewSlice(declared(u.Elem()))
	default:
		return u
	}
}

// ulps says how far two floats are from each other, in units of the last place. It returns "" if that says
// nothing.
func ulps(a, b testcase.Value) string {
	if a.Kind != testcase.Float {
		return ""
	}
	single := false
	if a.Type != nil {
		basic, ok := a.Type.Underlying().(*types.Basic)
		single = ok && basic.Kind() == types.Float32
	}
	order := func(bits uint64) (int64, bool) {
		if single {
			f := float64(math.Float32frombits(uint32(bits)))
			if n := int64(int32(uint32(bits))); n < 0 {
				return math.MinInt32 - n, !math.IsNaN(f) && !math.IsInf(f, 0)
			}
			return int64(uint32(bits)), !math.IsNaN(f) && !math.IsInf(f, 0)
		}
		f := math.Float64frombits(bits)
		n := int64(bits)
		if n < 0 {
			n = math.MinInt64 - n
		}
		return n, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	x, okX := order(a.Bits)
	y, okY := order(b.Bits)
	if !okX || !okY {
		return ""
	}
	d := uint64(y) - uint64(x)
	if y < x {
		d = uint64(x) - uint64(y)
	}
	switch {
	case d == 0:
		return "the sign of zero"
	case d == 1:
		return "1 ULP"
	case d < 1<<20:
		return fmt.Sprintf("%d ULPs", d)
	}
	return ""
}
