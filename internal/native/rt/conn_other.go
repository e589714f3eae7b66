//go:build !unix

package assayrt

import (
	"encoding/binary"
	"io"
	"os"
)

// conn is the connection to the parent over inherited handles. There is no progress page, so every outcome is
// sent to the parent at once.
type conn struct {
	in, out  *os.File
	progress progress
}

func openConn(spec string) *conn {
	fds := descriptors(spec)
	return &conn{
		in:  os.NewFile(uintptr(fds[0]), "requests"),
		out: os.NewFile(uintptr(fds[1]), "responses"),
	}
}

func (c *conn) readFrame() []byte {
	var head [4]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return nil
	}
	msg := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(c.in, msg); err != nil {
		return nil
	}
	return msg
}

func (c *conn) write(p []byte) {
	if _, err := c.out.Write(p); err != nil {
		os.Exit(ExitLost)
	}
}

func (c *conn) tidy() {}

// mirror returns nil, because the parent cannot look into this process here.
func (c *conn) mirror() []uint16 { return nil }
