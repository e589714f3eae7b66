package candidate

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
)

// EncodeReads writes a record of reads as text. Reads repeat from candidate to candidate, so the record
// of some ten thousand candidates takes a few hundred characters.
func EncodeReads(record []byte) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(record)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("bug: candidate: " + err.Error()) // writing to memory does not fail
	}
	return base64.RawStdEncoding.EncodeToString(b.Bytes())
}

// DecodeReads reads a text that EncodeReads wrote.
func DecodeReads(text string) ([]byte, error) {
	b, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("the record of reads is damaged: %w", err)
	}
	record, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	if err != nil {
		return nil, fmt.Errorf("the record of reads is damaged: %w", err)
	}
	if len(record) == 0 {
		return nil, fmt.Errorf("the record of reads is empty")
	}
	return record, nil
}
