// Package models holds Go source that the machine runs in place of functions of the
// standard library that have no Go body, or a body that goes below the language
// (assembly, the runtime, reflection). The name of a model is the full name of the function that
// it replaces, with an underscore for each character that is no letter and no digit: strings_Index
// replaces strings.Index. Functions without a body are intrinsics of the machine; host.go lists them.
//
// The package is never compiled into a program. The machine reads it as text.
package models

func internal_bytealg_IndexByte(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

func internal_bytealg_IndexByteString(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func internal_bytealg_LastIndexByte(b []byte, c byte) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == c {
			return i
		}
	}
	return -1
}

func internal_bytealg_LastIndexByteString(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func internal_bytealg_Count(b []byte, c byte) int {
	n := 0
	for _, x := range b {
		if x == c {
			n++
		}
	}
	return n
}

func internal_bytealg_CountString(s string, c byte) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			n++
		}
	}
	return n
}

func internal_bytealg_Equal(a, b []byte) bool { return string(a) == string(b) }

func bytes_Equal(a, b []byte) bool { return string(a) == string(b) }

func internal_bytealg_Compare(a, b []byte) int {
	return internal_bytealg_CompareString(string(a), string(b))
}

func bytes_Compare(a, b []byte) int {
	return internal_bytealg_CompareString(string(a), string(b))
}

func internal_bytealg_CompareString(a, b string) int {
	for i := 0; ; i++ {
		if i >= len(a) {
			if i >= len(b) {
				return 0
			}
			return -1
		}
		if i >= len(b) {
			return 1
		}
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
}

func runtime_cmpstring(a, b string) int { return internal_bytealg_CompareString(a, b) }

func cmp_compareString(a, b string) int { return internal_bytealg_CompareString(a, b) }

func strings_Compare(a, b string) int { return internal_bytealg_CompareString(a, b) }

func internal_bytealg_Index(a, b []byte) int { return strings_Index(string(a), string(b)) }

func internal_bytealg_IndexString(a, b string) int { return strings_Index(a, b) }

// The functions below search by other algorithms than the standard library's, and have the same results.

func bytes_Index(s, sep []byte) int { return strings_Index(string(s), string(sep)) }

func internal_stringslite_Index(s, sub string) int { return strings_Index(s, sub) }

func strings_Index(s, sub string) int {
	n := len(sub)
	for i := 0; i+n <= len(s); i++ {
		if s[i:i+n] == sub {
			return i
		}
	}
	return -1
}

func strings_LastIndex(s, sub string) int {
	n := len(sub)
	for i := len(s) - n; i >= 0; i-- {
		if s[i:i+n] == sub {
			return i
		}
	}
	return -1
}

func bytes_LastIndex(s, sub []byte) int { return strings_LastIndex(string(s), string(sub)) }

func internal_bytealg_MakeNoZero(n int) []byte { return make([]byte, n) }

func internal_bytealg_abigen_runtime_memequal(a, b string) bool { return a == b }
