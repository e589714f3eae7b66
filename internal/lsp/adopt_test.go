package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/emit/testfile"
)

// generatedShop is a file of tests as assay writes them.
func generatedShop() string {
	return string(testfile.Seal([]byte(`package shop

import "testing"

// Price is 0 without pieces.
func TestPrice(t *testing.T) {
	if got := Price(0, false); got != want(0) {
		t.Error(got)
	}
}

func TestHalf(t *testing.T) {
	if got := Half(4); got != want(2) {
		t.Error(got)
	}
}

func want(n int) int { return n }
`)))
}

// actionsAt asks for the actions at a line (from 1).
func (e *editor) actionsAt(name string, line int, only ...string) (actions []codeAction) {
	e.t.Helper()
	at := position{Line: line - 1, Character: 2}
	e.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name)}, "range": span{at, at}, "context": map[string]any{"diagnostics": []diagnostic{}, "only": only},
	}, &actions)
	return actions
}

// titled returns the action with a title, and fails the test if there is none.
func titled(t *testing.T, actions []codeAction, title string) codeAction {
	t.Helper()
	i := slices.IndexFunc(actions, func(a codeAction) bool { return a.Title == title })
	if i < 0 {
		t.Fatalf("no action %q in %+v", title, actions)
	}
	return actions[i]
}

func (e *editor) onDisk(name string) string {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

// An action at a generated test moves this test, an action at a function moves the function's other tests,
// and the action of the file moves the rest.
func TestAdopt(t *testing.T) {
	files, tests := shopFiles(), generatedShop()
	files["shop_assay_test.go"] = tests
	files["shop_test.go"] = "package shop\n\nimport \"testing\"\n\nfunc TestByHand(t *testing.T) {}\n"
	e := start(t, files)
	e.open("shop_assay_test.go", tests)

	// The comment above a test function belongs to the test. Outside of tests there is only the action for
	// the whole file.
	price := lineOf(t, tests, "// Price is 0")
	one := titled(t, e.actionsAt("shop_assay_test.go", price), "assay: adopt this test (TestPrice)")
	titled(t, e.actionsAt("shop_assay_test.go", price+3, "source"), "assay: adopt this test (TestPrice)")
	if none := e.actionsAt("shop_assay_test.go", price, "quickfix"); len(none) != 0 {
		t.Errorf("actions of another kind: %+v", none)
	}
	if outside := e.actionsAt("shop_assay_test.go", lineOf(t, tests, "func want")); len(outside) != 1 || outside[0].Title != "assay: adopt all tests of this file" {
		t.Errorf("outside of the tests: %+v", outside)
	}
	if byHand := e.actionsAt("shop_test.go", 5); len(byHand) != 0 {
		t.Errorf("in tests by hand: %+v", byHand)
	}

	var out []adopted
	e.call("workspace/executeCommand", one.Command, &out)
	if len(out) != 1 || filepath.Base(out[0].To) != "shop_test.go" || !slices.Equal(out[0].Tests, []string{"TestPrice"}) || !slices.Equal(out[0].Helpers, []string{"want"}) {
		t.Errorf("adopted %+v", out)
	}
	if mine, theirs := e.onDisk("shop_test.go"), e.onDisk("shop_assay_test.go"); !strings.Contains(mine, "func TestPrice(") || !strings.Contains(mine, "func TestByHand(") || strings.Contains(theirs, "TestPrice") {
		t.Errorf("the files:\n%s\n%s", mine, theirs)
	}
	e.until("it is said", func() bool {
		return slices.ContainsFunc(e.shown, func(s string) bool {
			return s == "assay: 1 test in shop_test.go now, and yours: TestPrice"
		})
	})
	e.until("progress is told to its end", func() bool {
		return slices.Contains(e.stages, "begin assay: adopting TestPrice") && slices.Contains(e.stages, "end ")
	})

	// The editor reads the generated file again, without telling the server that it has saved the file.
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri("shop_assay_test.go"), "version": 2}, "contentChanges": []any{map[string]any{"text": e.onDisk("shop_assay_test.go")}},
	})
	e.open("shop.go", shop)
	half := titled(t, e.actionsAt("shop.go", lineOf(t, shop, "func Half")), "assay: adopt the tests of Half")
	if none := e.actionsAt("shop.go", lineOf(t, shop, "func Price")); slices.ContainsFunc(none, func(a codeAction) bool { return strings.Contains(a.Title, "adopt") }) {
		t.Errorf("a function without generated tests: %+v", none)
	}
	e.call("workspace/executeCommand", half.Command, &out)
	if mine := e.onDisk("shop_test.go"); !strings.Contains(mine, "func TestHalf(") || strings.Count(mine, "func want(") != 1 {
		t.Errorf("the file:\n%s", mine)
	}
	if _, err := os.Stat(filepath.Join(e.dir, "shop_assay_test.go")); !os.IsNotExist(err) {
		t.Errorf("the generated file is still there: %v", err)
	}
}

func TestAdoptMistakes(t *testing.T) {
	files, tests := shopFiles(), generatedShop()
	files["shop_assay_test.go"] = tests
	files["edited_assay_test.go"] = strings.Replace(tests, "want(0)", "want(1)", 1)
	files["shop_assay_bug_test.go"] = tests
	e := start(t, files)
	for _, name := range []string{"edited_assay_test.go", "shop_assay_bug_test.go", "gone_assay_test.go"} {
		if actions := e.actionsAt(name, lineOf(t, tests, "func TestPrice")); len(actions) != 0 {
			t.Errorf("%s: actions %+v", name, actions)
		}
	}
	before := e.onDisk("shop_assay_test.go")
	for _, tt := range []struct {
		arguments []any
		want      string
	}{
		{[]any{e.uri("shop.go")}, "argument 2 is missing"},
		{[]any{e.uri("shop.go"), 7}, "cannot unmarshal"},
		{[]any{e.uri("shop.go"), "Nothing"}, "no generated test"},
		{[]any{e.uri("shop.go"), "../shop_assay_test.go"}, "a file of the directory"},
		{[]any{e.uri("shop.go"), "shop.go"}, "no file of tests that assay wrote"},
		{[]any{e.uri("shop.go"), "shop_assay_bug_test.go"}, "fail until the code is mended"},
		{[]any{e.uri("none/shop.go"), "Price"}, "no such file"},
	} {
		if err := e.try("workspace/executeCommand", map[string]any{"command": cmdAdopt, "arguments": tt.arguments}, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.arguments, err, tt.want)
		}
	}
	// If the tests would not build in their new place, nothing is written. Nothing is written either as long
	// as a file is not saved.
	e.open("shop.go", shop)
	e.edit("shop.go", shop, "n * 7", "n * 8")
	adopt := map[string]any{"command": cmdAdopt, "arguments": []any{e.uri("shop.go"), "Price"}}
	if err := e.try("workspace/executeCommand", adopt, nil); err == nil || !strings.Contains(err.Error(), "save shop.go first") {
		t.Errorf("while a file is not saved: %v", err)
	}
	for _, name := range []string{"edited_assay_test.go", "shop_assay_bug_test.go"} {
		if err := os.Remove(filepath.Join(e.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	broken := strings.Replace(shop, "n * 7", "n * seven", 1)
	if err := os.WriteFile(filepath.Join(e.dir, "shop.go"), []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didSave", e.document("shop.go"))
	if err := e.try("workspace/executeCommand", adopt, nil); err == nil || !strings.Contains(err.Error(), "undefined: seven") {
		t.Errorf("what does not build: %v", err)
	}
	if e.onDisk("shop_assay_test.go") != before {
		t.Error("the generated file has changed")
	}
	if _, err := os.Stat(filepath.Join(e.dir, "shop_test.go")); !os.IsNotExist(err) {
		t.Errorf("a file was written: %v", err)
	}
}
