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
	s, err := search(f, valid, visit)
	if err != nil {
		panic(err)
	}
	s.Unobserved = true
	return int(s.Run().Valid)
}

// EachRead is Each for a valid of which it is on record what it reads of each structure:
// it is only asked about structures that differ in what is read, like by "assay enum", so
// bounds may be as large. The record is a text that "assay gen -engine bounded -exhaustive"
// writes. Of each structure it says, too, whether it is valid; the error is that valid
// disagrees, since it was changed, or that the record is another one's or f has a mistake.
func EachRead[T any](f *Finitization, record string, valid func(*T) bool, visit func(*T)) (int, error) {
	s, err := search(f, valid, visit)
	if err != nil {
		return 0, err
	}
	if s.Replay, err = candidate.DecodeReads(record); err != nil {
		return 0, err
	}
	res := s.Run()
	if len(res.Problems) > 0 {
		return int(res.Valid), fmt.Errorf("%s: have the test written again", res.Problems[0].Message)
	}
	return int(res.Valid), nil
}

// search makes the search for Each and EachRead.
func search[T any](f *Finitization, valid func(*T) bool, visit func(*T)) (*candidate.Search, error) {
	text, types, err := f.Resolve(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
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
		return nil, err
	}
	root := (*T)(space.Root())
	return &candidate.Search{
		Space: space,
		Pred:  func() bool { return valid(root) },
		Found: func() bool { visit(root); return true },
	}, nil
}
