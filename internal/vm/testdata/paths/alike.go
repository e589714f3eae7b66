package paths

// Alike reports whether two texts are the same.
func Alike(a, b string) bool {
	if a == b {
		return true
	}
	return false
}
