package assayrt

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Registry is everything that the generated file of a package offers to sequences. Numbers in the
// protocol are indices into its lists.
type Registry struct {
	ID    string // the identity of the build
	Cover []byte // the counters of the instrumented code
	// Cover32 has the counters instead in a build with the race detector, which needs atomic stores.
	Cover32 []uint32
	// Variant and Fuel are the variables of a build with variants of the code under
	// test: which one is switched on, and how many turns of loops a case may take.
	Variant, Fuel *int
	Types         []reflect.Type
	Funcs         []any // functions and method expressions
	Vars          []any // pointers to package-level variables
	Sentinels     []int // the entries of Vars that are errors to compare with, the most specific first
	Stubs         []func(*Stub) any
	Searches      []Search
	// Checks are the entries of Funcs that check whether an object keeps a contract: functions with one
	// or more parameters of one type that return an error.
	Checks []int
	// Invariants are those of Checks by which objects say whether they are valid.
	Invariants []int
}

// Type is reflect.Type.
type Type = reflect.Type

// T returns the type T.
func T[X any]() reflect.Type { return reflect.TypeFor[X]() }

// Names of predeclared types, for packages that declare these names themselves.
type (
	Any        = any
	Bool       = bool
	Byte       = byte
	Comparable = comparable
	Complex128 = complex128
	Complex64  = complex64
	Error      = error
	Float32    = float32
	Float64    = float64
	Int        = int
	Int16      = int16
	Int32      = int32
	Int64      = int64
	Int8       = int8
	Rune       = rune
	String     = string
	Uint       = uint
	Uint16     = uint16
	Uint32     = uint32
	Uint64     = uint64
	Uint8      = uint8
	Uintptr    = uintptr
)

// Stub is the script of a stub: of an implementation of an interface, or a function.
type Stub struct {
	calls map[string]*stubMethod
}

// stubMethod is the script of one method.
type stubMethod struct {
	groups [][]reflect.Value
	next   int
}

// take returns the results of the next call, or nil for zero values.
func (m *stubMethod) take() []reflect.Value {
	if m == nil || len(m.groups) == 0 {
		return nil
	}
	g := m.groups[m.next]
	if m.next+1 < len(m.groups) {
		m.next++
	}
	return g
}

// Call returns the scripted results of the next call of a method.
func (s *Stub) Call(method string) []reflect.Value { return s.calls[method].take() }

// R returns the i-th scripted result as an X, or X's zero value if the script has no such result.
func R[X any](results []reflect.Value, i int) X {
	var x X
	if i < len(results) {
		reflect.ValueOf(&x).Elem().Set(results[i])
	}
	return x
}

// NoStub stands in the registry for a stub type that does not compile.
type NoStub struct{ *Stub }

// Try calls f, and refuses the case if f panics: the arguments are such that no caller could pass them.
func Try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			panic(refusal("the helper cannot be called so: " + panicMessage(v)))
		}
	}()
	f()
}

// scratch is what helpers of a case have asked of the test that they are given: directories of its own, variables of
// the environment, and functions to call at its end. All last until the case ends.
type scratch struct {
	mu   sync.Mutex
	dirs []string
	env  []variable
	ends []func()
}

// variable is a variable of the environment with the value to put back.
type variable struct {
	key, old string
	set      bool
}

// lent is the scratch of the running case. Helpers reach it through package-level functions.
var lent scratch

// ScratchMark stands in messages of errors for the name of a directory that [TempDir] has made. A test has another
// directory, so that nothing can be asserted about such a message as a whole.
const ScratchMark = "\x00dir"

// TempDir makes a directory that is removed when the case ends, as (*testing.T).TempDir does for tests. The names are the
// same in each case, and the last part of each is the one that a test's directory has: code may return it.
func TempDir() string {
	lent.mu.Lock()
	defer lent.mu.Unlock()
	number := strconv.Itoa(len(lent.dirs) + 1)
	dir := filepath.Join(os.TempDir(), "scratch", strings.Repeat("0", max(0, 3-len(number)))+number) // 001, as package testing does
	if os.Mkdir(dir, 0o700) != nil {
		// It is the first of this process, or one of an earlier case is left, which is rare.
		if err := os.RemoveAll(dir); err != nil {
			panic(refusal("a directory of an earlier case is left: " + err.Error()))
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			panic(refusal("no directory for the case: " + err.Error()))
		}
	}
	lent.dirs = append(lent.dirs, dir)
	return dir
}

// Setenv sets a variable of the environment until the case ends.
func Setenv(key, value string) {
	lent.mu.Lock()
	defer lent.mu.Unlock()
	old, set := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		panic(refusal("the environment: " + err.Error()))
	}
	lent.env = append(lent.env, variable{key, old, set})
}

// Cleanup has f called when the case ends.
func Cleanup(f func()) {
	lent.mu.Lock()
	defer lent.mu.Unlock()
	lent.ends = append(lent.ends, f)
}

// Fatal refuses the case, because a helper could not prepare what the case needs.
func Fatal(args ...any) {
	why := "a helper gave up"
	for _, a := range args {
		why += ": " + panicMessage(a)
	}
	panic(refusal(why))
}

// giveBack calls the functions that are left for the end, the last one first, removes the directories and puts the variables
// back.
func (s *scratch) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.ends) - 1; i >= 0; i-- {
		s.ends[i]()
	}
	for _, dir := range s.dirs {
		os.RemoveAll(dir) // what cannot be removed is found by the next case that wants the name
	}
	for i := len(s.env) - 1; i >= 0; i-- {
		if v := s.env[i]; v.set {
			os.Setenv(v.key, v.old) // it was set before, so that it can be set
		} else {
			os.Unsetenv(v.key)
		}
	}
	s.dirs, s.env, s.ends = s.dirs[:0], s.env[:0], s.ends[:0]
}

// names reports whether a text has the name of a directory of the case in it.
func (s *scratch) names(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.dirs) > 0 && strings.Contains(text, filepath.Dir(s.dirs[0]))
}

// hide returns a text with a mark in the place of the names of the case's directories.
func (s *scratch) hide(text string) string {
	if !s.names(text) {
		return text
	}
	return strings.ReplaceAll(text, filepath.Dir(s.dirs[0]), ScratchMark)
}
