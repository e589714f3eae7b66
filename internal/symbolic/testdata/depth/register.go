package depth

import (
	"crypto"
	_ "crypto/sha256"

	_ "example.com/depth/plugins/first"
	_ "example.com/depth/plugins/second"
	"example.com/depth/registry"
)

func Registered(n int) int {
	names := registry.Names()
	if len(names) != 2 || names[0] != "first" || names[1] != "second" {
		return 0 + n - n
	}
	if registry.Hook(n) == 9 {
		return 1
	}
	if n == registry.Codes["second"] {
		return 2
	}
	return 3
}

func Available(h uint) int {
	if h < 20 && crypto.Hash(h).Available() && crypto.Hash(h) != crypto.SHA224 {
		return 1
	}
	return 0
}
