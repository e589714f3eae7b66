package depth

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

type shape interface {
	Area() int
	Name() string
}

type square struct{ Side int }

func (s square) Area() int    { return s.Side * s.Side }
func (s square) Name() string { return "square" }

type disc struct{ Radius int }

func (d *disc) Area() int    { return 3 * d.Radius * d.Radius }
func (d *disc) Name() string { return "disc" }

func Interface(s shape) int {
	if s == nil {
		return 1
	}
	switch x := s.(type) {
	case square:
		if x.Side == 6 {
			return 2
		}
	case *disc:
		if x != nil && x.Radius == 5 {
			return 3
		}
	default:
		if s.Area() == 77 {
			return 4
		}
	}
	return 0
}

func InterfaceMethod(s shape) int {
	if s == nil {
		return 0
	}
	if s.Name() == "square" {
		return 1
	}
	if s.Area() == 1234 {
		return 2
	}
	return 3
}

func Any(v any) int {
	switch x := v.(type) {
	case nil:
		return 1
	case int:
		if x == 99 {
			return 2
		}
	case string:
		if x == "any" {
			return 3
		}
	case []byte:
		return 4
	case error:
		return 5
	case fmt.Stringer:
		return 6
	}
	return 0
}

func Reader(r io.Reader) int {
	if r == nil {
		return 0
	}
	buf := make([]byte, 4)
	n, err := r.Read(buf)
	switch {
	case err == io.EOF:
		return 1
	case err != nil:
		return 2
	case n == 2 && buf[0] == 'o' && buf[1] == 'k':
		return 3
	}
	return 4
}

func Lines(r io.Reader) int {
	if r == nil {
		return 0
	}
	n := 0
	for s := bufio.NewScanner(r); s.Scan(); {
		if s.Text() == "" {
			return 1
		}
		n++
	}
	if n == 2 {
		return 2
	}
	return 3
}

func Context(ctx context.Context) int {
	if ctx == nil {
		return 0
	}
	select {
	case <-ctx.Done():
		panic(ctx.Err()) // not of Background
	default:
	}
	return 2
}

type key struct{}

func ContextValue(ctx context.Context) int {
	if ctx == nil {
		return 0
	}
	if n, ok := context.WithValue(ctx, key{}, 5).Value(key{}).(int); ok && n == 5 {
		return 1
	}
	return 0
}

func Time(t time.Time) int {
	switch {
	case t.IsZero():
		return 1
	case t.Year() == 2024:
		return 2
	case t.Unix() < 0:
		return 3
	}
	return 4
}

func Times(a, b time.Time) int {
	if a.After(b) {
		return 1
	}
	if a.Equal(b) {
		return 2
	}
	return 3
}

func Duration(d time.Duration) int {
	switch {
	case d > 90*time.Minute:
		return 1
	case d.Seconds() == 30:
		return 2
	}
	return 0
}

func Func(f func(int) int) int {
	if f == nil {
		return 1
	}
	if f(3) == 10 {
		return 2
	}
	return 3
}

func FuncError(f func(string) (bool, error)) int {
	if f == nil {
		return 0
	}
	ok, err := f("x")
	switch {
	case errors.Is(err, io.EOF):
		return 1
	case err != nil:
		return 2
	case ok:
		return 3
	}
	return 4
}

// tester is what assertion packages take.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

func Check(t tester, n int) int {
	if t == nil {
		return 0
	}
	t.Helper()
	if n != 41 {
		t.Errorf("%d", n)
		t.FailNow()
		return 1
	}
	return 2
}

func Mutex(mu *sync.Mutex, n int) int {
	if mu == nil {
		return 1
	}
	mu.Lock()
	defer mu.Unlock()
	if n == 3 {
		return 2
	}
	return 0
}

func Variadic(sep string, parts ...string) int {
	if len(parts) == 3 && parts[2] == sep && sep != "" {
		return 1
	}
	return 0
}
