package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/random"
)

// A harness that was built with the operations that Needs returns is not built again.
func TestNeeds(t *testing.T) {
	s := open(t, source(`package p

import (
	"bufio"
	"errors"
	"io"
	"math/big"
	"net/http"
	"os"
	"strings"
)

func Hello(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, name) }
}

func Fetch(url string) (int, error) {
	res, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, nil
}

func Program() string { return os.Args[0] }
func Ticks(done <-chan struct{}) bool { _, ok := <-done; return ok }

type Reader interface{ ReadRune() (r rune, size int, err error) }

func Count(r io.Reader, w *bufio.Writer) int { return w.Available() }
func Runes(r Reader) { r.ReadRune() }
func Order(a, b string, cmp func(a, b string) int) int { return cmp(a, b) }
func Sum(xs ...*big.Rat) int { return len(xs) }
func Configure(opts ...Option) int { return len(opts) }
func Wait(c Clock) bool { return c.Timer().Stop() }
func Numbers() <-chan int { c := make(chan int, 1); c <- 1; return c }

type Option interface{ apply(*strings.Builder) }
type Clock interface{ Timer() Timer }
type Timer interface{ Stop() bool }

func Fails(err error) bool { return errors.Is(err, io.EOF) || strings.Contains(err.Error(), "x") }
`))
	var log strings.Builder
	h, err := native.Build(t.Context(), s.prog, s.pkg, native.Config{Log: &log, Needs: random.Needs(s.prog, s.pkg)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s.h = h
	s.run(t, random.Config{Ops: 5000})
	if n := strings.Count(log.String(), "harness built"); n != 1 {
		t.Errorf("%d builds:\n%s", n, log.String())
	}
}
