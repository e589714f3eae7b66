// Package second registers itself, and in variables.
package second

import (
	reg "example.com/depth/registry"
)

func init() {
	reg.Register("second")
	reg.Codes["second"] = 22
	reg.Hook = func(n int) int { return n * 3 }
}
