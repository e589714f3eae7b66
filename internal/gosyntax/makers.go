package gosyntax

import (
	"go/types"
	"strings"
)

// Maker says what is promised of a function of the standard library that makes a value and does nothing else. The zero value
// promises nothing. Who adds a function adds only what its documentation says, because the readers of the table rely on different
// promises: package emit moves calls, and package check proves by them that pointers are not nil.
type Maker struct {
	// Inert says that a call changes nothing that anybody sees, and comes to the same wherever it stands. So a test may make
	// the call where its value is used.
	Inert bool
	// NeverNil says that a call which returns has a first result that is not nil.
	NeverNil bool
}

// MakerOf returns what is promised of a function of the standard library, given by its full name as
// [types.Func.FullName] has it.
func MakerOf(name string) Maker {
	switch name {
	case "context.Background", "context.TODO", "math/big.NewInt", "regexp.MustCompile":
		return Maker{Inert: true, NeverNil: true}
	case "time.Unix", "time.UnixMilli", "time.Date", "(time.Time).UTC", "(time.Time).Add",
		"net.ParseIP", "net.CIDRMask", "net/netip.MustParseAddr", "net/netip.MustParsePrefix", "net/netip.MustParseAddrPort":
		return Maker{Inert: true} // structs, and what is nil for a text that is no address
	case "errors.New", "fmt.Errorf", "bytes.NewReader", "strings.NewReader", "strings.NewReplacer",
		"bytes.NewBuffer", "bytes.NewBufferString", "bufio.NewReader", "bufio.NewScanner", "bufio.NewWriter":
		return Maker{NeverNil: true} // tests give these a variable, as people do
	}
	return Maker{}
}

// MakesByName reports whether a function of the standard library makes a value and does nothing else, as far as its package and its
// name tell: errors.New, strings.NewReader, url.Parse. That is enough to leave out a call whose value nobody uses, and for
// nothing more: the call may return nil, and what it returns may depend on what was called before. A path without a dot counts as one of
// the library's, which that of a small module of the user's may be, too.
func MakesByName(f *types.Func) bool {
	if f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	switch path := f.Pkg().Path(); path {
	case "errors", "testing/iotest":
		return true
	default:
		makes := func(prefix string) bool { return strings.HasPrefix(f.Name(), prefix) }
		return !strings.Contains(path, ".") && path != "os" && (makes("New") || makes("Parse") || makes("Must"))
	}
}
