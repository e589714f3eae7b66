package finite

import (
	"fmt"
	"reflect"

	"github.com/goassay/assay/internal/candidate"
)

// Each calls visit for every structure within the bounds of f for which valid holds, one
// of each isomorphism class, and returns how many there are. The root is a T. What visit
// does to a structure is undone; it must not keep it. A valid that panics does not hold.
//
// Here nothing sees what valid reads, so it is asked about every structure: bounds have to
// be smaller than those of "assay enum", which goes by what is read. It panics if there is
// a mistake in f. One search may run at a time.
func Each[T any](f *Finitization, valid func(*T) bool, visit func(*T)) int {
	text, types, err := f.Resolve(reflect.TypeFor[T]())
	if err != nil {
		panic(err)
	}
	spec, err := candidate.Parse(text)
	if err != nil {
		panic("bug: finite: " + err.Error())
	}
	space, err := candidate.NewSpace(spec, func(i int) (reflect.Type, error) {
		if i < 0 || i >= len(types) {
			return nil, fmt.Errorf("bug: finite: no type %d", i)
		}
		return types[i], nil
	})
	if err != nil {
		panic(err)
	}
	root := (*T)(space.Root())
	s := candidate.Search{
		Space: space, Unobserved: true,
		Pred:  func() bool { return valid(root) },
		Found: func() bool { visit(root); return true },
	}
	return int(s.Run().Valid)
}
