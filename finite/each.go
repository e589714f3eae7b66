package finite

import (
	"fmt"
	"reflect"

	"github.com/goassay/assay/internal/candidate"
)

// Each calls visit for every structure within the bounds of f for which valid holds, one of each isomorphism
// class, and returns how many there are. The root is a T. Changes that visit makes to a structure are undone,
// and visit must not keep the structure. A panic of valid counts as false.
//
// Each does not know which fields valid reads, so it calls valid on every structure. Bounds have to be
// smaller than those of "assay enum", which skips structures that differ only in fields that were not read.
// Each panics if there is a mistake in f. One search may run at a time.
func Each[T any](f *Finitization, valid func(*T) bool, visit func(*T)) int {
	s, err := search(f, valid, visit)
	if err != nil {
		panic(err)
	}
	s.Unobserved = true
	return int(s.Run().Valid)
}

// EachRead does the same as Each, with a record of the fields that valid reads of each structure. It calls
// valid only on structures that differ in such fields, as "assay enum" does, so bounds may be as large as
// there. The record is a text that "assay gen -engine bounded -exhaustive" writes. It also says which
// structures are valid. EachRead returns an error if valid disagrees with the record because valid was
// changed, if the record belongs to another finitization, or if f has a mistake.
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
