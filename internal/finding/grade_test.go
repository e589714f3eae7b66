package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

func TestSeverity(t *testing.T) {
	_, pkg := loadSource(t, severitySource)
	rules := usage.New(pkg)
	intType := types.Typ[types.Int]
	lines := map[string]int{}
	for i, l := range strings.Split(severitySource, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	channel := &testcase.Operation{Kind: testcase.OpMakeChan, Type: types.NewChan(types.SendRecv, intType)}
	panicked := func(kind, fn string) *testcase.Outcome {
		line := lines["At"]
		if at, ok := lines[strings.NewReplacer("(*", "", ")", "").Replace(fn)]; ok {
			line = at
		}
		return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{
			Kind: kind, Runtime: kind != "explicit", Message: "boom",
			Stack: []testcase.Frame{{Func: "example.com/m." + fn, Pos: token.Position{Filename: "m.go", Line: line}}},
		}}
	}
	tests := []struct {
		name   string
		target string
		build  func(b *builder)
		out    *testcase.Outcome
		want   testcase.Severity
		kind   string
	}{
		{"through the constructor", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).Last"), testcase.Warning, "index-out-of-range"},
		{"an index that nobody checks", "Box.At", func(b *builder) { b.call("Box.At", b.call("New", b.num(intType, 1)), b.num(intType, 9)) },
			panicked("index-out-of-range", "(*Box).At"), testcase.Misuse, "index-out-of-range"},
		{"a nil receiver", "Box.Last", func(b *builder) { b.call("Box.Last", b.zero(types.NewPointer(b.typ("Box")))) },
			panicked("nil-dereference", "(*Box).Last"), testcase.Misuse, "nil-dereference"},
		{"a literal beside the constructor", "Box.Last", func(b *builder) {
			b.call("Box.Last", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Box"))}, b.zero(b.typ("Box"))))
		}, panicked("index-out-of-range", "(*Box).Last"), testcase.Misuse, "index-out-of-range"},
		{"a literal that leaves a pointer nil", "Free.Get", func(b *builder) { b.call("Free.Get", b.zero(b.typ("Free"))) },
			panicked("nil-dereference", "Free.Get"), testcase.Misuse, "nil-dereference"},
		{"a literal where there is no constructor", "Alone.Head", func(b *builder) { b.call("Alone.Head", b.zero(b.typ("Alone"))) },
			panicked("index-out-of-range", "Alone.Head"), testcase.Warning, "index-out-of-range"},
		{"a literal of what the package makes lists of", "Part.Head", func(b *builder) { b.call("Part.Head", b.zero(b.typ("Part"))) },
			panicked("index-out-of-range", "Part.Head"), testcase.Misuse, "index-out-of-range"},
		{"a literal whose part leaves a pointer nil", "Outer.Get", func(b *builder) { b.call("Outer.Get", b.zero(b.typ("Outer"))) },
			panicked("nil-dereference", "Outer.Get"), testcase.Misuse, "nil-dereference"},
		{"a nil map that a call returned", "Fill", func(b *builder) { b.call("Fill", b.call("Load", b.num(intType, 1))) },
			withResults(panicked("nil-map-write", "Fill"), nil, []testcase.Value{{Kind: testcase.Nil}, {Kind: testcase.Interface}}), testcase.Misuse, "nil-map-write"},
		{"a nil map", "Fill", func(b *builder) {
			b.call("Fill", b.zero(types.NewMap(types.Typ[types.String], intType)))
		}, panicked("nil-map-write", "Fill"), testcase.Misuse, "nil-map-write"},
		{"a variable that is a nil map", "Pairs.Put", func(b *builder) {
			v := b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Type: b.typ("Pairs"), Var: b.pkg.Types.Scope().Lookup("None").(*types.Var)})
			b.call("Pairs.Put", v, b.zero(types.Typ[types.String]))
		}, withResults(panicked("nil-map-write", "put"), []testcase.Value{{Kind: testcase.Nil}}), testcase.Misuse, "nil-map-write"},
		{"what cannot be compared", "Same", func(b *builder) { b.call("Same", b.num(intType, 1), b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Runtime: true, Message: "runtime error: comparing uncomparable type []uint8",
				Stack: []testcase.Frame{{Func: "example.com/m.Same"}}}}, testcase.Misuse, "other"},
		{"a passed function that asserts another type", "Sort", func(b *builder) { b.call("Sort", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true, Message: "boom",
				Stack: []testcase.Frame{{Func: "example.com/m/utils.Less"}, {Func: "example.com/m.Sort"}}}}, testcase.Misuse, "type-assertion"},
		{"a mock that expects no calls", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Message: "boom",
				Stack: []testcase.Frame{{Func: "github.com/stretchr/testify/mock.(*Mock).fail"}, {Func: "example.com/m.(*Box).Last"}}}}, testcase.Misuse, "other"},
		{"without Init", "Scan.Next", func(b *builder) {
			b.call("Scan.Next", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Scan"))}, b.zero(b.typ("Scan"))))
		}, panicked("index-out-of-range", "(*Scan).Next"), testcase.Misuse, "index-out-of-range"},
		{"without Begin", "Route.Line", func(b *builder) {
			b.call("Route.Line", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Route"))}, b.zero(b.typ("Route"))))
		}, panicked("nil-dereference", "(*Route).Line"), testcase.Misuse, "nil-dereference"},
		{"after Init", "Scan.Next", func(b *builder) {
			s := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Scan"))}, b.zero(b.typ("Scan")))
			b.call("Scan.Init", s, b.zero(types.NewSlice(types.Typ[types.Byte])))
			b.call("Scan.Next", s)
		}, panicked("index-out-of-range", "(*Scan).Next"), testcase.Warning, "index-out-of-range"},
		{"a tree of what the package makes by a function", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, b.zero(b.typ("Box")))
			b.call("Tree.Add", r, b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Box"))}, b.zero(b.typ("Box"))))
			b.call("Tree.Add", r, b.zero(types.NewPointer(b.typ("Box"))))
			b.call("Tree.Depth", r)
		}, panicked("nil-dereference", "(*Tree).Depth"), testcase.Warning, "nil-dereference"},
		{"a nil of any type that is looked into", "Type", func(b *builder) {
			b.call("Type", b.zero(types.NewInterfaceType(nil, nil)))
		}, panicked("nil-dereference", "Type"), testcase.Misuse, "nil-dereference"},
		{"a nil of any type that is kept", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, b.zero(types.NewInterfaceType(nil, nil)))
			b.call("Tree.Depth", r)
		}, panicked("nil-dereference", "(*Tree).Depth"), testcase.Warning, "nil-dereference"},
		{"a tree in itself", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, r)
			b.call("Tree.Depth", r)
		}, &testcase.Outcome{Status: testcase.Died, At: 2, Message: "stack overflow"}, testcase.Misuse, "stack-overflow"},
		{"a sink that is filled from what it fills", "Sink.From", func(b *builder) {
			r := b.call("NewTree")
			b.call("Sink.From", b.call("NewSink", r), r)
		}, &testcase.Outcome{Status: testcase.Hung, At: 2}, testcase.Misuse, "hang"},
		{"a sink that is filled from itself", "Sink.Fill", func(b *builder) {
			r := b.call("NewSink", b.call("NewTree"))
			b.call("Sink.Fill", r, r)
		}, &testcase.Outcome{Status: testcase.Hung, At: 2}, testcase.Misuse, "hang"},
		{"keys without values", "Row.Get", func(b *builder) {
			text := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
			keys := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Typ[types.String]), N: 1}, text)
			row := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Row"), Elems: []int{0}}, keys)
			b.call("Row.Get", row, text)
		}, panicked("index-out-of-range", "Row.Get"), testcase.Warning, "index-out-of-range"},
		{"a sink that is filled from another", "Sink.From", func(b *builder) {
			r := b.call("NewSink", b.call("NewTree"))
			b.call("Sink.From", r, b.call("NewTree"))
		}, &testcase.Outcome{Status: testcase.Hung, At: 3}, testcase.Error, "hang"},
		{"a tree in another", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, b.call("NewTree"))
			b.call("Tree.Depth", r)
		}, &testcase.Outcome{Status: testcase.Died, At: 3, Message: "stack overflow"}, testcase.Error, "stack-overflow"},
		{"a panic that no function of the package is in", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true, Message: "boom",
				Stack: []testcase.Frame{{Func: "example.com/m/other.Compare"}}}}, testcase.Misuse, "type-assertion"},
		{"another package's zero value that fails inside", "ReadAll", func(b *builder) {
			ptr := pkg.Target("ReadAll").Obj.Signature().Params().At(0).Type().(*types.Pointer)
			b.call("ReadAll", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: ptr}, b.zero(ptr.Elem())))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom",
			Stack: []testcase.Frame{{Func: "bufio.(*Reader).fill"}, {Func: "example.com/m.ReadAll"}}}}, testcase.Misuse, "nil-dereference"},
		{"another package's zero value that fails in what it lacks", "ReadAll", func(b *builder) {
			ptr := pkg.Target("ReadAll").Obj.Signature().Params().At(0).Type().(*types.Pointer)
			b.call("ReadAll", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: ptr}, b.zero(ptr.Elem())))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom",
			Stack: []testcase.Frame{{Func: "bytes.(*Buffer).Read"}, {Func: "bufio.(*Reader).fill"}, {Func: "example.com/m.ReadAll"}}}}, testcase.Misuse, "nil-dereference"},
		{"a loop to a large number that a call returns", "Spin", func(b *builder) {
			b.call("Spin", b.call("Box.At", b.call("New", b.num(intType, 1)), b.num(intType, 0)))
		}, &testcase.Outcome{Status: testcase.Hung, At: 4, Results: [][]testcase.Value{nil, {{Kind: testcase.Pointer}}, nil, {{Kind: testcase.Int, Bits: 1 << 20}}}}, testcase.Misuse, "hang"},
		{"not exported", "Box.hidden", func(b *builder) { b.call("Box.hidden", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).hidden"), testcase.Misuse, "index-out-of-range"},
		{"the code's own panic", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 1)) },
			panicked("explicit", "Paint"), testcase.Misuse, "explicit"},
		{"no constant of the enumeration", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 7)) },
			panicked("nil-dereference", "Paint"), testcase.Misuse, "nil-dereference"},
		{"flags that are combined", "Open", func(b *builder) { b.call("Open", b.num(b.typ("Mode"), 5)) },
			panicked("nil-dereference", "Open"), testcase.Warning, "nil-dereference"},
		{"a bit that no flag names", "Open", func(b *builder) { b.call("Open", b.num(b.typ("Mode"), 9)) },
			panicked("nil-dereference", "Open"), testcase.Misuse, "nil-dereference"},
		{"another package's zero value that lacks something", "Peek", func(b *builder) {
			b.call("Peek", b.zero(pkg.Target("Peek").Obj.Signature().Params().At(0).Type()))
		}, panicked("nil-dereference", "Peek"), testcase.Misuse, "nil-dereference"},
		{"a nil that came with an error", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("Find", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom"},
				Results: [][]testcase.Value{{}, {{Kind: testcase.Nil, Type: types.NewPointer(pkg.Types.Scope().Lookup("Box").Type())}, {Kind: testcase.Pointer}}}},
			testcase.Misuse, "nil-dereference"},
		{"a nil that came with none", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("Find", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom"},
				Results: [][]testcase.Value{{}, {{Kind: testcase.Nil, Type: types.NewPointer(pkg.Types.Scope().Lookup("Box").Type())}, {Kind: testcase.Nil}}}},
			testcase.Misuse, "nil-dereference"},
		{"an object that came with an error", "Hit.Put", func(b *builder) {
			b.call("Hit.Put", b.call("Seek", b.num(intType, 1)), b.num(intType, 1))
		}, withResults(panicked("nil-map-write", "Hit.Put"), nil, []testcase.Value{{Kind: testcase.Struct}, {Kind: testcase.Pointer}}), testcase.Misuse, "nil-map-write"},
		{"a nil argument", "Deref", func(b *builder) { b.call("Deref", b.zero(types.NewPointer(intType))) },
			panicked("nil-dereference", "Deref"), testcase.Misuse, "nil-dereference"},
		{"a documented panic", "Box.First", func(b *builder) { b.call("Box.First", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).First"), testcase.Misuse, "index-out-of-range"},
		{"a value of another type than the method is for", "Any.Int", func(b *builder) {
			b.call("Any.Int", b.call("NewAny", b.num(intType, 1)))
		}, panicked("type-assertion", "(*Any).Int"), testcase.Misuse, "type-assertion"},
		{"a negative number that is not looked at", "Any.Skip", func(b *builder) {
			b.call("Any.Skip", b.call("NewAny", b.num(intType, 1)), b.num(intType, -1))
		}, panicked("slice-out-of-range", "(*Any).Skip"), testcase.Misuse, "slice-out-of-range"},
		{"a target that errors.As refuses", "Many.As", func(b *builder) {
			b.call("Many.As", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Many")}), b.num(intType, 1))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "errors: target must be a non-nil pointer",
			Stack: []testcase.Frame{{Func: "errors.As"}, {Func: "example.com/m.Many.As"}}}}, testcase.Misuse, "other"},
		{"a size that comes of the constructor's numbers", "Any.Has", func(b *builder) {
			b.call("Any.Has", b.call("NewAny", b.num(intType, 1)), b.zero(types.Typ[types.String]))
		}, panicked("negative-length", "(*Any).Has"), testcase.Misuse, "negative-length"},
		{"a broken promise", "Box.Safe", func(b *builder) { b.call("Box.Safe", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).Safe"), testcase.Error, "index-out-of-range"},
		{"a hang", "Spin", func(b *builder) { b.call("Spin", b.num(intType, -1)) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Error, "hang"},
		{"a hang on what the documentation excludes", "Root", func(b *builder) { b.call("Root", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Warning, "hang"},
		{"a panic on what the documentation excludes", "Root", func(b *builder) { b.call("Root", b.num(intType, 1)) },
			panicked("nil-dereference", "Root"), testcase.Misuse, "nil-dereference"},
		{"a sleep", "Spin", func(b *builder) { b.call("Spin", b.num(intType, -1)) },
			&testcase.Outcome{Status: testcase.Hung, Message: testcase.Slept}, testcase.Misuse, "hang"},
		{"a rune below zero", "Runes", func(b *builder) {
			r := types.Universe.Lookup("rune").Type()
			neg, _ := testcase.IntLiteral(types.Typ[types.Int32], -64)
			b.call("Runes", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(r), N: 1}, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: r, Lit: neg})))
		}, panicked("index-out-of-range", "Runes"), testcase.Misuse, "index-out-of-range"},
		{"a wait for a file that is locked", "Spin", func(b *builder) { b.call("Spin", b.num(intType, -1)) },
			&testcase.Outcome{Status: testcase.Hung, Message: testcase.WaitedOutside}, testcase.Misuse, "hang"},
		{"a long way to go", "Spin", func(b *builder) { b.call("Spin", b.num(intType, 1<<40)) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Misuse, "hang"},
		{"an invariant", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Returned, Violated: "RepOK"}, testcase.Error, "invariant"},
		{"a panic of a dependency's own", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "boom",
				Stack: []testcase.Frame{{Func: "strings.Repeat"}, {Func: "example.com/m.Paint"}}}}, testcase.Warning, "other"},
		{"a panic by a logger (flaggy)", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "boom",
				Stack: []testcase.Frame{{Func: "log.(*Logger).Panicln"}, {Func: "log.Panicln"}, {Func: "example.com/m.Paint"}}}}, testcase.Misuse, "explicit"},
		{"a number that a dependency refuses", "Spin", func(b *builder) { b.call("Spin", b.num(intType, 12)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "invalid WriteHeader code 12",
				Stack: []testcase.Frame{{Func: "net/http.checkWriteHeaderCode"}, {Func: "example.com/m.Spin"}}}}, testcase.Misuse, "other"},
		{"another number in a dependency's panic", "Spin", func(b *builder) { b.call("Spin", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "invalid WriteHeader code 12",
				Stack: []testcase.Frame{{Func: "net/http.checkWriteHeaderCode"}, {Func: "example.com/m.Spin"}}}}, testcase.Warning, "other"},
		{"a text that a dependency refuses", "Words", func(b *builder) {
			b.call("Words", b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "?"}}))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "regexp: Compile(`?`): error parsing regexp",
			Stack: []testcase.Frame{{Func: "regexp.MustCompile"}, {Func: "example.com/m.Words"}}}}, testcase.Warning, "other"},
		{"a text that is no UTF-8", "Words", func(b *builder) {
			b.call("Words", b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "\xa9"}}))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: `label value "\xa9" is not valid UTF-8`,
			Stack: []testcase.Frame{{Func: "prometheus.newLabels"}, {Func: "example.com/m.Words"}}}}, testcase.Misuse, "other"},
		{"bytes that the test passes", "Packed.Head", func(b *builder) {
			b.call("Packed.Head", b.call("Pack", b.zero(types.NewSlice(types.Typ[types.Byte]))))
		}, panicked("index-out-of-range", "Packed.Head"), testcase.Warning, "index-out-of-range"},
		{"a nil beside a stand-in", "Say", func(b *builder) {
			b.call("Say", b.Add(&testcase.Operation{Kind: testcase.OpStubIface, Type: b.typ("Sayer")}), b.zero(types.NewInterfaceType(nil, nil)))
		}, panicked("nil-map-write", "Say"), testcase.Misuse, "nil-map-write"},
		{"an address that is made up", "Poke", func(b *builder) { b.call("Poke", b.num(types.Typ[types.Uintptr], 8)) },
			&testcase.Outcome{Status: testcase.Died, Message: "fault"}, testcase.Misuse, "fatal"},
		{"memory for which only settings ask", "Find", func(b *builder) { b.call("Find", b.num(intType, 600000)) },
			&testcase.Outcome{Status: testcase.Died, Message: testcase.OutOfMemory}, testcase.Misuse, "fatal"},
		{"memory for which a text asks", "Pack", func(b *builder) {
			text := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "\xff\xff"}})
			b.call("Pack", b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: types.NewSlice(types.Typ[types.Byte])}, text))
		}, &testcase.Outcome{Status: testcase.Died, At: 2, Message: testcase.OutOfMemory}, testcase.Error, "fatal"},
		{"a channel that nobody fills", "Wait", func(b *builder) { b.call("Wait", b.Add(channel)) },
			&testcase.Outcome{Status: testcase.Deadlock}, testcase.Misuse, "deadlock"},
		{"a channel that the test closes", "Give", func(b *builder) { b.call("Give", b.Add(channel)) },
			panicked("closed-channel", "Give"), testcase.Misuse, "closed-channel"},
		{"a ring of the test's making", "Ring.Len", func(b *builder) {
			r := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Ring"))}, b.zero(b.typ("Ring")))
			b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: b.typ("Ring").Underlying().(*types.Struct).Field(0)}, r, r)
			b.call("Ring.Len", r)
		}, &testcase.Outcome{Status: testcase.Died, Message: "stack overflow"}, testcase.Misuse, "stack-overflow"},
		{"an iterator that was not moved", "Walk.Value", func(b *builder) { b.call("Walk.Value", b.call("NewWalk", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Walk).Value"), testcase.Misuse, "index-out-of-range"},
		{"an iterator behind the end", "Walk.Value", func(b *builder) {
			w := b.call("NewWalk", b.num(intType, 1))
			b.call("Walk.Next", w)
			b.call("Walk.Value", w)
		}, withResults(panicked("index-out-of-range", "(*Walk).Value"), nil, nil, []testcase.Value{{Kind: testcase.Bool}}), testcase.Misuse, "index-out-of-range"},
		{"an iterator on an element", "Walk.Value", func(b *builder) {
			w := b.call("NewWalk", b.num(intType, 1))
			b.call("Walk.Next", w)
			b.call("Walk.Value", w)
		}, withResults(panicked("index-out-of-range", "(*Walk).Value"), nil, nil, []testcase.Value{{Kind: testcase.Bool, Bits: 1}}), testcase.Warning, "index-out-of-range"},
		{"a literal of what a function makes as a part", "Attrs.Put", func(b *builder) { b.call("Attrs.Put", b.zero(b.typ("Attrs")), b.num(intType, 1)) },
			panicked("nil-map-write", "Attrs.Put"), testcase.Misuse, "nil-map-write"},
		{"what was not found", "Hit.Put", func(b *builder) {
			g := b.call("NewGraph", b.num(intType, 1))
			b.call("Hit.Put", b.call("Graph.Find", g, b.num(intType, 1)), b.num(intType, 1))
		}, &testcase.Outcome{Status: testcase.Panicked, At: 5, Results: [][]testcase.Value{nil, {{Kind: testcase.Pointer}}, nil, {{Kind: testcase.Struct}, {Kind: testcase.Bool}}},
			Panic: panicked("nil-map-write", "Hit.Put").Panic}, testcase.Misuse, "nil-map-write"},
		{"an element of another type than is asserted", "Labels", func(b *builder) { b.call("Labels", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true, Message: "boom",
				Stack: []testcase.Frame{{Func: "example.com/m.Labels", Pos: token.Position{Filename: "m.go", Line: lines["Labels"]}}}}}, testcase.Misuse, "type-assertion"},
		{"a field left nil that another package refuses", "Clock.Now", func(b *builder) { b.call("Clock.Now", b.zero(b.typ("Clock"))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Message: "missing Location",
				Stack: []testcase.Frame{{Func: "time.Time.In"}, {Func: "example.com/m.Clock.Now"}}}}, testcase.Misuse, "other"},
		{"no end of a text that calls made long", "Words", func(b *builder) {
			b.call("Words", b.call("Twice", b.zero(types.Typ[types.String])))
		}, withResults(&testcase.Outcome{Status: testcase.Hung, At: 2}, nil, []testcase.Value{{Kind: testcase.String, Len: 1 << 20, Cut: true}}), testcase.Misuse, "hang"},
		{"no end of a short text", "Words", func(b *builder) {
			b.call("Words", b.call("Twice", b.zero(types.Typ[types.String])))
		}, withResults(&testcase.Outcome{Status: testcase.Hung, At: 2}, nil, []testcase.Value{{Kind: testcase.String, Len: 20}}), testcase.Error, "hang"},
		{"an argument of another type than is asserted", "Int", func(b *builder) { b.call("Int", b.num(intType, 1)) },
			panicked("type-assertion", "Int"), testcase.Misuse, "type-assertion"},
		{"an empty list of a type that users cannot name", "chain.Error", func(b *builder) {
			b.call("chain.Error", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("chain")}))
		},
			panicked("index-out-of-range", "chain.Error"), testcase.Misuse, "index-out-of-range"},
		{"a method that container/heap calls", "Heap.Pop", func(b *builder) { b.call("Heap.Pop", b.zero(b.typ("Heap"))) },
			panicked("index-out-of-range", "(*Heap).Pop"), testcase.Misuse, "index-out-of-range"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.build(b)
			f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: tt.out})
			if f == nil || f.Severity != tt.want || f.Kind != tt.kind {
				t.Errorf("%+v, want %s %s", f, tt.want, tt.kind)
			}
		})
	}
}

// A call that waits for another goroutine lacks its partner; one that takes a lock twice has
// nobody to wait for.
func TestGradeDeadlock(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "sync"

type Q struct {
	mu sync.Mutex
	c  chan int
}

func New() *Q { return &Q{c: make(chan int)} }
func (q *Q) Get() int { return <-q.c }
func (q *Q) Twice() { q.mu.Lock(); q.mu.Lock() }
`)
	rules := usage.New(pkg)
	for _, tt := range []struct {
		target string
		status testcase.Status
		want   testcase.Severity
	}{
		{"Q.Get", testcase.Deadlock, testcase.Misuse}, {"Q.Get", testcase.Hung, testcase.Warning},
		{"Q.Twice", testcase.Deadlock, testcase.Error}, {"Q.Twice", testcase.Hung, testcase.Error},
	} {
		b := &builder{pkg: pkg}
		b.call(tt.target, b.call("New"))
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{Status: tt.status, At: 1}})
		if f.Severity != tt.want {
			t.Errorf("%s %v: %s (%s), want %s", tt.target, tt.status, f.Severity, f.Evidence, tt.want)
		}
	}
}

// A list of lists that a test writes is not what the function makes that other functions take it from.
func TestGradeProduced(t *testing.T) {
	_, pkg := loadSource(t, `package m

func Matrix(a, b string) [][]int { return make([][]int, 1) }
func Last(m [][]int) int { return m[len(m)-1][0] }
func First(l []int) int { return l[0] }
func Range(n int) []int { return nil }
`)
	rules := usage.New(pkg)
	for _, tt := range []struct {
		target string
		want   testcase.Severity
	}{
		{"Last", testcase.Misuse}, {"First", testcase.Warning}, // any list of numbers is as good as another, but none may be passed
	} {
		b := &builder{pkg: pkg}
		b.call(tt.target, b.zero(pkg.Target(tt.target).Obj.Signature().Params().At(0).Type()))
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Panicked, At: 1, Panic: &testcase.Panic{Kind: "index-out-of-range", Message: "index out of range [0] with length 0"},
		}})
		if f.Severity != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.target, f.Severity, f.Evidence, tt.want)
		}
	}
}
