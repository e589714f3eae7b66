package giver_test

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

// What comes from a connection is what the package's protocol says: lines that the code compares with, lines that begin with
// what it looks for and announce data, as of memcached and beanstalkd, and replies with the numbers that it asks for, as of
// FTP and SMTP.
func TestNew_conn(t *testing.T) {
	prog, pkg := open(t, "1.26", `package client

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"net/textproto"
	"strings"
)

var stored = []byte("STORED\r\n")

func Set(c net.Conn) error {
	line, err := bufio.NewReader(c).ReadBytes('\n')
	if err != nil || bytes.Equal(line, stored) {
		return err
	}
	if bytes.HasPrefix(line, []byte("VALUE ")) || strings.HasPrefix(string(line), "http") {
		return nil
	}
	return errors.New("not stored")
}

type Session struct{ c *textproto.Conn }

const ready = 220

func Open(c net.Conn) (*Session, error) {
	s := &Session{textproto.NewConn(c)}
	_, _, err := s.c.ReadResponse(ready)
	return s, err
}

func (s *Session) cmd(want int, format string, args ...any) error {
	if _, err := s.c.Cmd(format, args...); err != nil {
		return err
	}
	_, _, err := s.c.ReadResponse(want)
	return err
}

func (s *Session) Login(user string) error {
	if err := s.cmd(331, "USER %s", user); err != nil {
		return err
	}
	return s.cmd(230, "PASS abc")
}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	conns := room.Values(pkg.Target("Set").Obj.Signature().Params().At(0).Type())
	texts := conns[0].Last().Op.Via.Values[0]
	for _, want := range []string{"STORED\r\n", "VALUE abc 0 5\r\nhello\r\n", "VALUE 7 5\r\nhello\r\n"} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q never comes from a connection, but %q", want, texts)
		}
	}
	for function, want := range map[string]string{
		"Open":          "220 ok\r\n",
		"Session.Login": "220 ok\r\n331 ok\r\n230 ok\r\n",
	} {
		if got := room.Dialogues(function); len(got) == 0 || got[0] != want || !slices.Contains(texts, want) {
			t.Errorf("to %s comes %q, want %q first", function, got, want)
		}
	}
	if got := room.Dialogues("Set"); got != nil {
		t.Errorf("to Set comes %q, but it asks for no numbers", got)
	}
}

// Code that reads the command line of its process is given lines of its own; other code is not.
func TestRoom_CommandLine(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{`import "os"

func Name() string { return os.Args[1] }`, true},
		{`type os struct{ Args []string }

func Name(o os) string { return o.Args[1] }`, false},
	} {
		prog, pkg := open(t, "1.26", "package m\n\n"+c.body+"\n")
		room, err := giver.New(prog, pkg)
		if err != nil {
			t.Fatal(err)
		}
		set, lines := room.CommandLine()
		if got := set != nil && giver.SetsCommandLine(set) && slices.Contains(lines, "--help"); got != c.want {
			t.Errorf("%s: sets the command line: %t, want %t", c.body, got, c.want)
		}
	}
}
