//go:build unix

package assayrt

import (
	"encoding/binary"
	"os"
	"syscall"
	"unsafe"
)

// conn is the connection to the parent: descriptors outside the range that code under test guesses, used
// without the runtime's poller. With the poller, the runtime would take a blocked read for a goroutine that
// may go on, and would notice no deadlock.
type conn struct {
	in, out  int
	dir      int // the working directory, where cases may leave files
	mtime    syscall.Timespec
	progress progress
	page     []byte
	buf      []byte
}

// openConn takes over the descriptors named in spec: requests, responses, progress.
func openConn(spec string) *conn {
	fds := descriptors(spec)
	c := &conn{in: high(fds[0]), out: high(fds[1])}
	page, err := syscall.Mmap(fds[2], 0, ProgressSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic("bug: assayrt: mmap of the progress page: " + err.Error())
	}
	syscall.Close(fds[2])
	word := func(off int) *uint64 { return (*uint64)(unsafe.Pointer(&page[off])) }
	c.progress = progress{word(ProgressCase), word(ProgressStmt), word(ProgressPhase)}
	c.page = page
	c.dir = -1
	if fd, err := syscall.Open(".", syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0); err == nil {
		c.dir = high(fd)
		c.mtime = c.modified()
	}
	return c
}

// mirror returns the memory in which the parent sees the candidate of a search.
func (c *conn) mirror() []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(&c.page[ProgressSlots])), (ProgressSize-ProgressSlots)/2)
}

// high moves a descriptor to a high number, or leaves it if the limit of descriptors is low.
func high(fd int) int {
	n, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), fDupFdCloexec, uintptr(200+fd))
	if errno != 0 {
		syscall.CloseOnExec(fd)
		return fd
	}
	syscall.Close(fd)
	return int(n)
}

// lost ends the process when a descriptor is closed, because the code under test has closed it or the parent
// is dead.
func lost(err error) {
	os.Stderr.WriteString("assay: lost the connection: " + err.Error() + "\n")
	os.Exit(ExitLost)
}

// readFrame returns the next message, or nil at the end.
func (c *conn) readFrame() []byte {
	var head [4]byte
	if !c.read(head[:]) {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n > cap(c.buf) {
		c.buf = make([]byte, n+n/2)
	}
	msg := c.buf[:n]
	if !c.read(msg) {
		return nil
	}
	return msg
}

// read fills p, or returns false at the end.
func (c *conn) read(p []byte) bool {
	for len(p) > 0 {
		n, err := syscall.Read(c.in, p)
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case err != nil:
			lost(err)
		case n == 0:
			return false
		default:
			p = p[n:]
		}
	}
	return true
}

// write writes all of p.
func (c *conn) write(p []byte) {
	for len(p) > 0 {
		n, err := syscall.Write(c.out, p)
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case err != nil:
			lost(err)
		default:
			p = p[n:]
		}
	}
}

func (c *conn) modified() syscall.Timespec {
	var st syscall.Stat_t
	if err := syscall.Fstat(c.dir, &st); err != nil {
		lost(err) // the code under test has closed all descriptors
	}
	return mtime(&st)
}

// tidy returns to the working directory, if the case has left it, and empties the directory.
func (c *conn) tidy() {
	if c.dir < 0 {
		return
	}
	_ = syscall.Fchdir(c.dir) // if a case has removed the directory, there is nothing to tidy
	if c.modified() == c.mtime {
		return
	}
	if entries, err := os.ReadDir("."); err == nil {
		for _, e := range entries {
			_ = os.RemoveAll(e.Name()) // it does not matter if this fails: the directory is removed in the end
		}
	}
	c.mtime = c.modified()
}
