//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package lock

const supported = false

// tryDir locks nothing here.
func tryDir(string) (unlock func(), busy bool) { return func() {}, false }
