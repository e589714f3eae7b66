// Package dep is a dependency that does harm when it is initialised.
package dep

import (
	"os"

	_ "example.com/hostile/check" // initialised before
)

// Err is what became of it.
var Err = os.WriteFile(os.Args[2]+"/by-init", []byte("x"), 0o600)
