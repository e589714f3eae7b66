//go:build unix && !linux

package guard

import "syscall"

// become executes the program in place of this process.
func become(s *spec) error { return syscall.Exec(s.Bin, s.Args, s.Env) }
