package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
)

// A reader is given what a writer of the same package wrote, and closed. By chance nobody finds a text whose sum is right.
func TestWritten(t *testing.T) {
	s := open(t, source(`package p

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

type Writer struct {
	w   io.Writer
	buf bytes.Buffer
}

func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

func (w *Writer) Write(b []byte) (int, error) { return w.buf.Write(b) }

func (w *Writer) Close() error {
	head := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(w.buf.Bytes()))
	_, err := w.w.Write(append(head, w.buf.Bytes()...))
	return err
}

func Load(r io.Reader) (int, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	return Size(b)
}

func Size(b []byte) (int, error) {
	if len(b) < 5 {
		return 0, errors.New("too short")
	}
	if crc32.ChecksumIEEE(b[4:]) != binary.BigEndian.Uint32(b) {
		return 0, errors.New("wrong sum")
	}
	return len(b) - 4, nil
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 30_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
	found := false
	for _, c := range cases {
		text := c.Seq.String()
		found = found || strings.Contains(text, "Close()") && (c.Target == "Load" || c.Target == "Size")
	}
	if !found {
		t.Errorf("no case reads what was written:\n%v", cases)
	}
}
