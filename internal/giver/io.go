package giver

import "github.com/goassay/assay/internal/testcase"

// ioFamily returns readers and writers, some of which fail.
func ioFamily() *family {
	return &family{
		name:    "io",
		path:    "io",
		imports: []string{"bytes", "errors", "io", "strings", "testing/iotest"},
		helpers: []helper{
			{
				doc: "returns a writer that fails when more than n bytes were written to it.",
				code: `func ` + testcase.FullName + `(n int) io.Writer { return &limitedWriter{n} }

type limitedWriter struct{ n int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.n < 0 {
		w.n = 0
	}
	if len(p) > w.n {
		n := w.n
		w.n = 0
		return n, io.ErrShortWrite
	}
	w.n -= len(p)
	return len(p), nil
}`,
			},
		},
		givers: []giver{
			{typ: "io.Reader", doc: "a reader that fails at once", code: `iotest.ErrReader(errors.New("boom"))`, since: "go1.16"},
			{typ: "io.Reader", doc: "a reader that returns one byte at a time", code: `iotest.OneByteReader(strings.NewReader("abc"))`},
			{typ: "io.Reader", doc: "a reader that fails after what it has", code: `iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("abc")))`},
			{typ: "io.ReadCloser", doc: "a reader of a text that need not be closed", code: `io.NopCloser(strings.NewReader("hello"))`, since: "go1.16"},
			{typ: "io.ReadCloser", doc: "a reader that fails at once and need not be closed", code: `io.NopCloser(iotest.ErrReader(errors.New("boom")))`, since: "go1.16"},
			{typ: "io.Writer", doc: "a writer that fails when it is full", code: testcase.FullName + "(3)"},
			{typ: "io.Writer", doc: "a writer that keeps what is written", code: `&bytes.Buffer{}`},
		},
	}
}
