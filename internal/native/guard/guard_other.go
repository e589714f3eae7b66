//go:build !linux

package guard

import "errors"

// Available says that this system may have the means to confine a process. This system has none: code
// under test runs with an environment and a directory of its own, and limits of time, and nothing more.
const Available = false

func confine(*spec) (string, error) {
	return "", errors.New("assay can confine processes on Linux only")
}
