//go:build !linux

package native

import "errors"

// hasGuard says that this system has no shim: code under test runs with nothing but
// a scrubbed environment, a directory of its own and time limits.
const hasGuard = false

func confine(*guardSpec) string { return "" }

func become(*guardSpec, []string) error {
	return errors.New("no guard on this system")
}
