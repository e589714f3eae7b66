package giver_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

// Code that reads the fields of any struct by reflection gets structs, with the tags for which it asks.
func TestReflected(t *testing.T) {
	const reader = `package p

import "reflect"

func Read(spec any) (out []string) {
	t := reflect.TypeOf(spec).Elem()
	for i := 0; i < t.NumField(); i++ {
		tag := t.Field(i).Tag
		if tag.Get("ignored") == "" {
			out = append(out, tag.Get("conf")+"="+tag.Get("default"))
		}
	}
	return out
}
`
	prog, pkg := open(t, "1.21", reader)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, seq := range room.Values(pkg.Targets[0].Obj.Signature().Params().At(0).Type()) {
		all = append(all, seq.String())
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{`conf:"name" default:"abc"`, `ignored:"true"`, "map[string]string", "time.Duration"} {
		if !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), want) {
			t.Errorf("no struct has %s:\n%s", want, text)
		}
	}

	const chosen = `package p

import (
	"reflect"
	"strings"
)

const DefaultTag = "fields"

type Reader struct{ Tag string }

func Names(spec any, r Reader) (out []string) {
	v := reflect.ValueOf(spec).Elem()
	for i := 0; i < v.NumField(); i++ {
		tag := v.Type().Field(i).Tag.Get(r.Tag)
		if tag != "-" && !(strings.HasSuffix(tag, ",omitempty") && v.Field(i).IsZero()) {
			out = append(out, tag)
		}
	}
	return out
}
`
	prog, pkg = open(t, "1.21", chosen)
	if room, err = giver.New(prog, pkg); err != nil {
		t.Fatal(err)
	}
	all = nil
	for _, seq := range room.Values(pkg.Targets[0].Obj.Signature().Params().At(0).Type()) {
		all = append(all, seq.String())
	}
	text = strings.ReplaceAll(strings.Join(all, "\n"), `\"`, `"`)
	for _, want := range []string{`fields:"-"`, `fields:"port,omitempty"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no struct has %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "squash") {
		t.Errorf("a struct has an option of which the package knows nothing:\n%s", text)
	}

	prog, pkg = open(t, "1.21", "package p\n\nimport \"reflect\"\n\nfunc Kind(x any) reflect.Kind { return reflect.TypeOf(x).Kind() }\n")
	if room, err = giver.New(prog, pkg); err != nil {
		t.Fatal(err)
	}
	if got := room.Values(pkg.Targets[0].Obj.Signature().Params().At(0).Type()); len(got) > 0 {
		t.Errorf("code that looks at no fields gets %v", got)
	}
}

// Code that takes types and values of package reflect gets those of each kind.
func TestReflected_kinds(t *testing.T) {
	prog, pkg := open(t, "1.10", "package p\n\nimport \"reflect\"\n\nfunc Deref(t reflect.Type) reflect.Type { return t }\n\nfunc Set(v reflect.Value, to string) {}\n")
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range pkg.Targets {
		var all []string
		for _, seq := range room.Values(target.Obj.Signature().Params().At(0).Type()) {
			all = append(all, seq.String())
		}
		text := strings.Join(all, "\n")
		for _, want := range []string{"struct", "&", "map[string]int", "[]string", `"ann"`, "42"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s is given nothing with %s:\n%s", target.Name, want, text)
			}
		}
	}
}

// Structs have the field that the code looks for by its name, and the options that it compares parts of tags with.
func TestReflected_named(t *testing.T) {
	prog, pkg := open(t, "1.21", `package p

import (
	"reflect"
	"strings"
)

const title = "DocName"

func Write(v any) (out []string) {
	t := reflect.TypeOf(v).Elem()
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if f.Name == title {
			out = append(out, "document "+f.Tag.Get("doc"))
			continue
		}
		name, flag, _ := strings.Cut(f.Tag.Get("doc"), ",")
		switch flag {
		case "attribute":
			name = "@" + name
		}
		out = append(out, name)
	}
	return out
}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, seq := range room.Values(pkg.Targets[0].Obj.Signature().Params().At(0).Type()) {
		all = append(all, strings.ReplaceAll(seq.String(), `\"`, `"`))
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{`struct{DocName struct{} "doc:"person""`, `Name string "doc:"name,attribute""`, `Name string "doc:",attribute""`, `&struct{Name string`} {
		if !strings.Contains(text, want) && !strings.Contains(text, strings.TrimPrefix(want, "&")) {
			t.Errorf("no struct has %s:\n%s", want, text)
		}
	}
}
