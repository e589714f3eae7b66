// Package registry is told by other packages' initialisers what there is.
package registry

var (
	names []string
	Codes = map[string]int{}
	Hook  func(int) int
)

func Register(name string) { names = append(names, name) }

func Names() []string { return names }
