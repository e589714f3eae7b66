package random_test

import (
	"testing"

	"github.com/goassay/assay/internal/random"
)

// A package that imports io is given buffers and readers of texts, whether it imports their packages or not.
func TestBuffers(t *testing.T) {
	s := open(t, source(`package p

import "io"

func Save(w io.Writer, b byte) error {
	_, err := w.Write([]byte{b ^ 0x5a, b*31 + 7, b})
	return err
}

func Load(r io.Reader) (byte, error) {
	buf := make([]byte, 3)
	if _, err := io.ReadFull(r, buf); err != nil {
		return 0, err
	}
	if buf[0] != buf[2]^0x5a || buf[1] != buf[2]*31+7 {
		return 0, io.ErrUnexpectedEOF
	}
	return buf[2], nil
}
`))
	_, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if left := s.uncovered(res.Covered); left != "" {
		t.Errorf("not covered: %s", left)
	}
}
