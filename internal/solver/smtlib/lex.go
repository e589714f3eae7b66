package smtlib

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// An Error is a fault of the script with its place. Columns count bytes from 1.
type Error struct {
	File      string
	Line, Col int
	Msg       string
}

// Error returns "file:line:col: message".
func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg) }

type pos struct{ line, col int32 }

type kind uint8

const (
	atEOF kind = iota
	open
	closing
	symbol  // the text is without bars
	keyword // the text begins with a colon
	numeral
	decimal
	hexadecimal // the text is without #x
	binary      // the text is without #b
	str
)

type token struct {
	kind kind
	text string
	pos  pos
}

// lexer splits a script into tokens.
type lexer struct {
	r    *bufio.Reader
	file string
	at   pos // the place of the next byte
	buf  []byte
}

func newLexer(r io.Reader, file string) *lexer {
	return &lexer{r: bufio.NewReaderSize(r, 1<<16), file: file, at: pos{1, 1}}
}

func (l *lexer) errorf(p pos, format string, args ...any) error {
	return &Error{l.file, int(p.line), int(p.col), fmt.Sprintf(format, args...)}
}

// get returns the next byte, or 0 and false at the end.
func (l *lexer) get() (byte, bool, error) {
	c, err := l.r.ReadByte()
	if errors.Is(err, io.EOF) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, l.errorf(l.at, "%v", err)
	}
	if c == '\n' {
		l.at.line++
		l.at.col = 1
	} else {
		l.at.col++
	}
	return c, true, nil
}

func (l *lexer) peek() (byte, bool) {
	b, err := l.r.Peek(1)
	if err != nil {
		return 0, false
	}
	return b[0], true
}

func isSymbolByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0
}

// maxToken bounds the length of a token.
const maxToken = 1 << 24

// next returns the next token.
func (l *lexer) next() (token, error) {
	for {
		p := l.at
		c, ok, err := l.get()
		if err != nil || !ok {
			return token{kind: atEOF, pos: p}, err
		}
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == ';':
			for ok && c != '\n' {
				if c, ok, err = l.get(); err != nil {
					return token{}, err
				}
			}
		case c == '(':
			return token{open, "(", p}, nil
		case c == ')':
			return token{closing, ")", p}, nil
		case c == '"':
			return l.quoted(p)
		case c == '|':
			return l.barred(p)
		case c == ':':
			return token{keyword, ":" + l.run(), p}, nil
		case c == '#':
			return l.bits(p)
		case isSymbolByte(c):
			return l.word(p, c)
		default:
			return token{}, l.errorf(p, "unexpected character %q", rune(c))
		}
	}
}

// run reads the characters that may be in a symbol.
func (l *lexer) run() string {
	l.buf = l.buf[:0]
	for len(l.buf) < maxToken {
		c, ok := l.peek()
		if !ok || !isSymbolByte(c) {
			break
		}
		l.get()
		l.buf = append(l.buf, c)
	}
	return string(l.buf)
}

func (l *lexer) quoted(p pos) (token, error) {
	var b strings.Builder
	for {
		c, ok, err := l.get()
		switch {
		case err != nil:
			return token{}, err
		case !ok:
			return token{}, l.errorf(p, "string without an end")
		case c == '"':
			if d, ok := l.peek(); !ok || d != '"' {
				return token{str, b.String(), p}, nil
			}
			l.get()
		}
		b.WriteByte(c)
	}
}

func (l *lexer) barred(p pos) (token, error) {
	var b strings.Builder
	for {
		c, ok, err := l.get()
		switch {
		case err != nil:
			return token{}, err
		case !ok:
			return token{}, l.errorf(p, "quoted symbol without an end")
		case c == '|':
			return token{symbol, b.String(), p}, nil
		case c == '\\':
			return token{}, l.errorf(p, "backslash in a quoted symbol")
		}
		b.WriteByte(c)
	}
}

func (l *lexer) bits(p pos) (token, error) {
	c, ok, err := l.get()
	if err != nil {
		return token{}, err
	}
	text := l.run()
	digits, k := "01", binary
	if ok && c == 'x' {
		digits, k = "0123456789abcdefABCDEF", hexadecimal
	}
	if !ok || c != 'x' && c != 'b' || text == "" || strings.Trim(text, digits) != "" {
		return token{}, l.errorf(p, "malformed bit-vector literal")
	}
	return token{k, text, p}, nil
}

func (l *lexer) word(p pos, c byte) (token, error) {
	text := string(c) + l.run()
	if c < '0' || c > '9' {
		return token{symbol, text, p}, nil
	}
	k := numeral
	for i, d := range []byte(text) {
		switch {
		case d == '.' && k == numeral && i+1 < len(text):
			k = decimal
		case d < '0' || d > '9':
			return token{}, l.errorf(p, "malformed number %q", short(text))
		}
	}
	if k == numeral && len(text) > 1 && c == '0' {
		return token{}, l.errorf(p, "number %q begins with zero", short(text))
	}
	return token{k, text, p}, nil
}

func short(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
