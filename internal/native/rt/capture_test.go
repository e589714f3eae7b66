package assayrt

import (
	"log/slog"
	"reflect"
	"testing"
)

type hiddenPointer *int

type ShownPointer *int

// What a slog.Value of an empty group points to is no attribute, and reading it as one may end the process.
func TestOpaquePointer(t *testing.T) {
	group := reflect.ValueOf(slog.GroupValue()).FieldByName("any").Elem().Type()
	for typ, want := range map[reflect.Type]bool{
		group: true, reflect.TypeFor[hiddenPointer](): true, reflect.TypeFor[ShownPointer](): false, reflect.TypeFor[*int](): false,
	} {
		if got := opaquePointer(typ); got != want {
			t.Errorf("opaquePointer(%s) = %t, want %t", typ, got, want)
		}
	}
}
