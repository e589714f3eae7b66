package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// buffers are the files that the editor has open, by their absolute names.
type buffers struct {
	mu   sync.Mutex
	open map[string]*buffer
}

// buffer is an open file.
type buffer struct {
	text  []byte
	saved bool // the text equals the file on disk, as far as the editor said
}

// fileOf returns the file that a URI names.
func fileOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	if u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%s: not a file of this machine", uri)
	}
	name := u.Path
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/") // a path like /C:/x
	}
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		return "", fmt.Errorf("%s: not an absolute name", uri)
	}
	return filepath.Clean(name), nil
}

// uriOf returns the URI of a file.
func uriOf(name string) string {
	slashed := filepath.ToSlash(name)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a path like C:/x
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// set notes the text of a buffer.
func (b *buffers) set(name string, text []byte, saved bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[name] = &buffer{text, saved}
}

// save notes that a buffer is on disk now.
func (b *buffers) save(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.open[name]; f != nil {
		b.open[name] = &buffer{f.text, true}
	}
}

func (b *buffers) close(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, name)
}

// read returns the text of a file: of the buffer if it is open.
func (b *buffers) read(name string) ([]byte, error) {
	b.mu.Lock()
	f := b.open[name]
	b.mu.Unlock()
	if f != nil {
		return f.text, nil
	}
	return os.ReadFile(name)
}

// overlay returns the buffers whose text differs from the file on disk.
func (b *buffers) overlay() map[string][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make(map[string][]byte)
	for name, f := range b.open {
		if !f.saved && strings.HasSuffix(name, ".go") {
			out[name] = f.text
		}
	}
	return out
}

// unsaved returns an unsaved file of a directory, or "" if there is none. A buffer that has the text of the
// file on disk counts as saved: editors that read a file again because it was written do not say that they
// have saved it.
func (b *buffers) unsaved(dir string) string {
	for name, text := range b.overlay() {
		if filepath.Dir(name) != dir {
			continue
		}
		if onDisk, err := os.ReadFile(name); err != nil || !bytes.Equal(onDisk, text) {
			return filepath.Base(name)
		}
	}
	return ""
}

// errNotOpen says that a change is about a file that was never opened.
var errNotOpen = errors.New("the document is not open")

// change applies the changes of an editor.
func (b *buffers) change(name string, p changeParams) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.open[name]
	if f == nil {
		return errNotOpen
	}
	text := f.text
	for _, c := range p.ContentChanges {
		if c.Range == nil {
			text = []byte(c.Text)
			continue
		}
		from, to := offsetAt(text, c.Range.Start), offsetAt(text, c.Range.End)
		if from > to {
			return fmt.Errorf("a change from %v to %v", c.Range.Start, c.Range.End)
		}
		next := make([]byte, 0, len(text)-(to-from)+len(c.Text))
		next = append(append(append(next, text[:from]...), c.Text...), text[to:]...)
		text = next
	}
	b.open[name] = &buffer{text, false}
	return nil
}

// lineAt returns where a line begins and ends, without its end. Lines beyond the text are empty,
// at its end.
func lineAt(text []byte, line int) (from, to int) {
	for ; line > 0; line-- {
		i := indexByte(text, from, '\n')
		if i < 0 {
			return len(text), len(text)
		}
		from = i + 1
	}
	if to = indexByte(text, from, '\n'); to < 0 {
		to = len(text)
	}
	return from, to
}

func indexByte(text []byte, from int, c byte) int {
	for i := from; i < len(text); i++ {
		if text[i] == c {
			return i
		}
	}
	return -1
}

// offsetAt returns the offset of a position. A position beyond the end of its line counts as that end.
func offsetAt(text []byte, p position) int {
	from, to := lineAt(text, max(p.Line, 0))
	units := 0
	for i := from; i < to; {
		if units >= p.Character {
			return i
		}
		r, n := utf8.DecodeRune(text[i:to])
		units += max(utf16.RuneLen(r), 1)
		i += n
	}
	return to
}

// positionAt returns the position of a line and a column that are counted as Go counts them: from 1,
// and in bytes.
func positionAt(text []byte, line, column int) position {
	from, to := lineAt(text, max(line-1, 0))
	p := position{Line: max(line-1, 0)}
	end := min(from+max(column-1, 0), to)
	for i := from; i < end; {
		r, n := utf8.DecodeRune(text[i:to])
		p.Character += max(utf16.RuneLen(r), 1)
		i += n
	}
	return p
}

// spanAt returns the range to underline for a place: the word that begins there, or the rest of the
// line.
func spanAt(text []byte, line, column int) span {
	from, to := lineAt(text, max(line-1, 0))
	start := from
	if column > 0 {
		start = min(from+column-1, to)
	} else {
		for start < to && (text[start] == ' ' || text[start] == '\t') {
			start++
		}
	}
	end := to
	if column > 0 {
		end = start
		for end < to && (text[end] == '_' || text[end] >= '0' && text[end] <= '9' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] >= utf8.RuneSelf) {
			end++
		}
		if end == start && start < to {
			_, n := utf8.DecodeRune(text[start:to])
			end += n
		}
	}
	return span{positionAt(text, line, start-from+1), positionAt(text, line, end-from+1)}
}
