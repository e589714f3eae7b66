//go:build !linux

package guard

// nameless works on Linux only.
func nameless(int, bool) int64 { return 0 }
