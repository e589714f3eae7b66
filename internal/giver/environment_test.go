package giver_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

// Code that reads fields of structs from the environment is given structs together with the variables that their tags
// name, with the options that the code compares tags with. The key of the tags may be the default of a field.
func TestNew_environment(t *testing.T) {
	prog, pkg := open(t, "1.26", `package conf

import (
	"os"
	"reflect"
	"strings"
)

type Options struct{ TagName string }

func defaults() Options { return Options{TagName: "conf"} }

func Load(v any) {
	r := reflect.ValueOf(v).Elem()
	for i := 0; i < r.NumField(); i++ {
		for _, tag := range strings.Split(r.Type().Field(i).Tag.Get(defaults().TagName), ",") {
			switch tag {
			case "secret":
			default:
				r.Field(i).SetString(os.Getenv(tag))
			}
		}
	}
}

func Home() string { return os.Getenv("CONF_HOME") }
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range room.Values(pkg.Target("Load").Obj.Signature().Params().At(0).Type()) {
		all.WriteString(s.String() + "\n")
	}
	for _, want := range []string{`setenv("APP_NAME", "ann")`, `conf:"APP_NAME"`, `conf:"APP_NAME,secret"`} {
		if !strings.Contains(strings.ReplaceAll(all.String(), `\"`, `"`), want) {
			t.Errorf("no struct with %s in\n%s", want, all.String())
		}
	}
	if set := room.Setenv(); set == nil || set.Via.Method != "Setenv" || !set.Via.OfTest {
		t.Errorf("Setenv() = %+v, want the method of tests", set)
	}
}
