package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// reader checks an io.Reader, and io.Seeker and io.ReaderAt if the type implements them. The values x and y
// must be alike: x is read first to find out what y must return.
func reader(s *subject) []*testcase.Check {
	f, t := s.method("Read")
	if !hasSignature(f, []types.Type{bytesType}, []types.Type{intType, errorType}) || f.Pkg() != s.pkg {
		return nil
	}
	cs := s.check(f, "checkReader", "reports whether y keeps the rules of io.Reader; x is another one like it.", t, 2,
		`const most = 1 << 16`,
		`// What was read of a reader that can go back is read again there.`,
		`for _, r := range []interface{}{x, y} {`,
		`	if s, ok := r.(«io».Seeker); ok {`,
		`		if _, err := s.Seek(0, «io».SeekStart); err != nil {`,
		`			return nil`,
		`		}`,
		`	}`,
		`}`,
		`content, err := «io».ReadAll(«io».LimitReader(x, most))`,
		`if err != nil || len(content) == most {`,
		`	return nil`,
		`}`,
		`if at, ok := interface{}(x).(«io».ReaderAt); ok {`,
		`	whole, err := «io».ReadAll(«io».NewSectionReader(at, 0, most))`,
		`	if _, seeks := at.(«io».Seeker); err != nil || !seeks && len(whole) != len(content) {`,
		`		return nil`,
		`	}`,
		`}`,
		`return «testing/iotest».TestReader(y, content)`)
	cs[0].Twins = true
	call := s.call(f, "checkRead", "reports whether x.Read reports a possible number of bytes.", []types.Type{t, bytesType},
		`if n, _ := x.Read(y); n < 0 || n > len(y) {`,
		`	return «errors».New("Read returns an impossible number of bytes")`,
		`}`,
		`return nil`)
	again := s.call(f, "checkBytesRead", "reports whether x.Read reports the bytes that it has read; y is like x.", []types.Type{t, t, bytesType},
		`n, err := x.Read(z)`,
		`if n < 0 || n > len(z) {`,
		`	return «errors».New("Read returns an impossible number of bytes")`,
		`}`,
		`whole := make([]byte, n)`,
		`for k := 0; k < n; {`,
		`	var m int`,
		`	if m, err = y.Read(whole[k:]); m < 0 || m > n-k {`,
		`		return «errors».New("Read returns an impossible number of bytes")`,
		`	}`,
		`	if k += m; err != nil || m == 0 {`,
		`		return nil`,
		`	}`,
		`}`,
		`if !«bytes».Equal(whole, z[:n]) {`,
		`	return «errors».New("Read reports bytes that it has not read")`,
		`}`,
		`return nil`)
	again.OfCalls, again.Asked = false, true
	cs[0].Call, call.Call = again, again
	return append(cs, call, again)
}

// call returns a check of a call of a method, which is asked about any call of it, and breaks more than that call.
func (s *subject) call(f *types.Func, name, doc string, params []types.Type, body ...string) *testcase.Check {
	c := s.check(f, name, doc, nil, 0, body...)[0]
	c.Params, c.Free, c.OfCalls, c.Spoils = params, true, true, true
	return c
}

// writer checks an io.Writer.
func writer(s *subject) []*testcase.Check {
	f, t := s.method("Write")
	if !hasSignature(f, []types.Type{bytesType}, []types.Type{intType, errorType}) || f.Pkg() != s.pkg {
		return nil
	}
	cs := s.check(f, "checkWriter", "reports whether x keeps the rules of io.Writer.", t, 1,
		`for _, text := range []string{"", "a", "some text"} {`,
		`	p := []byte(text)`,
		`	n, err := x.Write(p)`,
		`	if n < 0 || n > len(p) {`,
		`		return «errors».New("Write returns an impossible number of bytes")`,
		`	}`,
		`	if n < len(p) && err == nil {`,
		`		return «errors».New("Write wrote less than it was given, and returns no error")`,
		`	}`,
		`	if string(p) != text {`,
		`		return «errors».New("Write changes what it is given")`,
		`	}`,
		`}`,
		`return nil`)
	call := s.call(f, "checkWriting", "reports whether x.Write reports how much of y it wrote, and leaves y alone.", []types.Type{t, bytesType},
		`before := string(y)`,
		`n, err := x.Write(y)`,
		`if n < 0 || n > len(y) {`,
		`	return «errors».New("Write reports an impossible number of bytes")`,
		`}`,
		`if n < len(y) && err == nil {`,
		`	return «errors».New("Write wrote not all, and reports no error")`,
		`}`,
		`if string(y) != before {`,
		`	return «errors».New("Write changes the bytes that it is given")`,
		`}`,
		`return nil`)
	cs[0].Call = call
	return append(cs, call)
}

// bytewise checks that a value which can be written byte by byte can be written in one piece. The values x
// and y must be alike: one is written in one way, the other in the other way.
func bytewise(s *subject) []*testcase.Check {
	f, t := s.method("Write")
	single, u := s.method("WriteByte")
	if !hasSignature(f, []types.Type{bytesType}, []types.Type{intType, errorType}) || f.Pkg() != s.pkg || !hasSignature(single, []types.Type{types.Typ[types.Uint8]}, []types.Type{errorType}) {
		return nil
	}
	if _, ok := u.(*types.Pointer); ok {
		t = u
	}
	body := []string{
		`text := []byte("some text")`,
		`for _, c := range text {`,
		`	if y.WriteByte(c) != nil {`,
		`		return nil`,
		`	}`,
		`}`,
		`if n, err := x.Write(text); err != nil || n != len(text) {`,
		`	return «errors».New("Write refuses what WriteByte takes")`,
		`}`,
	}
	for _, name := range []string{"Len", "Length"} {
		if n, _ := s.method(name); hasSignature(n, nil, []types.Type{intType}) {
			body = append(body,
				`if x.`+name+`() != y.`+name+`() {`,
				`	return «errors».New("Write and WriteByte write as much, and `+name+` differs")`,
				`}`)
		}
	}
	if b, _ := s.method("Bytes"); hasSignature(b, nil, []types.Type{bytesType}) {
		body = append(body,
			`if !«bytes».Equal(x.Bytes(), y.Bytes()) {`,
			`	return «errors».New("Write and WriteByte write the same, and Bytes differs")`,
			`}`)
	}
	cs := s.check(f, "checkWrite", "reports whether what can be written to y byte by byte can be written to x, which is like it.", t, 2, append(body, `return nil`)...)
	cs[0].Twins = true
	return cs
}
