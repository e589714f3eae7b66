package gotest

// File is a test file of a package that need not be on disk.
type File struct {
	Path    string // absolute; in the package's directory
	Content []byte
	Tests   []string // the test functions that are wanted; nil means all
}
