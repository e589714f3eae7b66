//go:build !linux

package guard

import "iter"

// reachOut is not called where no process can be confined.
func reachOut() iter.Seq2[string, error] { return func(func(string, error) bool) {} }
