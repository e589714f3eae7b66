package testfile

import (
	"bytes"
	"go/parser"
	"go/token"
	"testing"
)

func TestVerify(t *testing.T) {
	good := Seal([]byte("package p\n"))
	tests := []struct {
		name      string
		content   []byte
		generated bool
		edited    bool
	}{
		{"as written", good, true, false},
		{"with the line ends of Windows", bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")), true, false},
		{"edited", append(good[:len(good):len(good)], "var x int\n"...), true, true},
		{"the hash removed", bytes.Replace(good, []byte(HashPrefix), []byte("// "), 1), true, true},
		{"the header moved", append([]byte("// mine\n"), good...), true, true},
		{"by hand", []byte("package p\n"), false, true},
		{"empty", nil, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if generated, edited := Verify(tt.content); generated != tt.generated || edited != tt.edited {
				t.Errorf("Verify = %t, %t; want %t, %t", generated, edited, tt.generated, tt.edited)
			}
		})
	}
}

func TestSourceConstraint(t *testing.T) {
	tests := []struct {
		name, header, want string
	}{
		{"p.go", "", ""},
		{"linux.go", "", ""},
		{"p_linux.go", "", "linux"},
		{"p_linux_arm64.go", "", "linux && arm64"},
		{"p_arm64.go", "", "arm64"},
		{"p_unix.go", "", ""},
		{"p_other.go", "//go:build !linux || a\n\n", "!linux || a"},
		{"p_windows.go", "// A licence.\n\n//go:build a || b\n\n", "(a || b) && windows"},
		{"p_linux.go", "//go:build linux\n\n", "linux"},
	}
	for _, tt := range tests {
		f, err := parser.ParseFile(token.NewFileSet(), tt.name, tt.header+"package p\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c := SourceConstraint(f, tt.name); c != nil {
			got = c.String()
		}
		if got != tt.want {
			t.Errorf("constraint of %s with %q = %q, want %q", tt.name, tt.header, got, tt.want)
		}
	}
}
