package guard

import "golang.org/x/sys/unix"

// auditArch is the kernel's number of the architecture.
const auditArch = unix.AUDIT_ARCH_AARCH64

// statAt is the call that returns the properties of a file in a directory.
const statAt = unix.SYS_FSTATAT

// legacy lists the allowed system calls that only old architectures have.
func legacy() []uint32 { return nil }
