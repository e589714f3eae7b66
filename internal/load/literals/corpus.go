package literals

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// maxSeeds bounds the inputs of testdata/fuzz that are kept, and maxSeedSize the bytes of
// the files that are read.
const (
	maxSeeds    = 500
	maxSeedSize = 1 << 16
)

// corpus reads the inputs that go test -fuzz left in the package's testdata/fuzz, in the order of their
// file names. Files in another format are left out.
func corpus(dir string) [][]constant.Value {
	names, err := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", "*", "*"))
	if err != nil {
		return nil // the only error is a malformed pattern: the directory's name has brackets
	}
	var out [][]constant.Value
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxSeedSize {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if args := seed(string(text)); args != nil && len(out) < maxSeeds {
			out = append(out, args)
		}
	}
	return out
}

// seed reads one input: a line of a version, then a line for each argument that converts a constant to its
// type. It returns nil if the text is no input.
func seed(text string) []constant.Value {
	version, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(version) != "go test fuzz v1" {
		return nil
	}
	var out []constant.Value
	for line := range strings.Lines(rest) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		e, err := parser.ParseExpr(line)
		if err != nil {
			return nil
		}
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return nil
		}
		v := seedValue(call)
		if v == nil {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// seedValue returns the converted constant, or nil if there is none.
func seedValue(call *ast.CallExpr) constant.Value {
	sign := token.ADD
	arg := call.Args[0]
	if u, ok := arg.(*ast.UnaryExpr); ok {
		sign, arg = u.Op, u.X
	}
	var v constant.Value
	switch arg := arg.(type) {
	case *ast.BasicLit:
		v = constant.MakeFromLiteral(arg.Value, arg.Kind, 0)
	case *ast.Ident:
		switch arg.Name {
		case "true", "false":
			return constant.MakeBool(arg.Name == "true")
		}
	}
	if v == nil || v.Kind() == constant.Unknown {
		return nil
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		// Some floats have no other text than math.Float64frombits(0x...).
		bits, exact := constant.Uint64Val(v)
		x := math.Float64frombits(bits)
		if f.Sel.Name == "Float32frombits" {
			x = float64(math.Float32frombits(uint32(bits)))
		}
		if !exact || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		v = constant.MakeFloat64(x)
	}
	if sign == token.SUB {
		v = constant.UnaryOp(sign, v, 0)
	}
	return v
}
