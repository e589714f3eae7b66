package verify

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestWithYields(t *testing.T) {
	const src = `package p

func Fill(c chan int) {
	go func() {
		for i := range 3 {
			c <- i
		}
	}()
	go drain(c)
	switch v := <-c; v {
	case 0:
		close(c)
	default: func() { print(v) }()
	}
}

func drain(c chan int) {
L:
	for {
		select {
		case _, ok := <-c:
			if !ok {
				break L
			}
		}
	}
}

var F = func() { print(1) }
`
	const want = `package p

func Fill(c chan int) {
	assayYield("others"); go func() {
		assayYield("goroutines"); for i := range 3 {
			assayYield("goroutines"); c <- i
		}
	}()
	assayYield("others"); go drain(c)
	assayYield("others"); switch v := <-c; v {
	case 0:
		assayYield("others"); close(c)
	default: assayYield("others"); func() { assayYield("others"); print(v) }()
	}
}

func drain(c chan int) {
assayYield("goroutines"); L:
	for {
		assayYield("goroutines"); select {
		case _, ok := <-c:
			assayYield("goroutines"); if !ok {
				assayYield("goroutines"); break L
			}
		}
	}
}

var F = func() { print(1) }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	offset := func(n ast.Node) int { return fset.Position(n.Pos()).Offset }
	if got := string(withYields([]byte(src), f, offset, startedBodies([]*ast.File{f}, info))); got != want {
		t.Errorf("with yields:\n%s\nwant:\n%s", got, want)
	}
}
