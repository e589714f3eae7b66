package models

import "io"

// vmFormat formats values none of which has methods that fmt would call. For values that are not
// known it makes text of which nothing is known. If a branch depends on that text later, the machine
// comes back to this call, and vmFormat returns false: then the caller has package fmt format the values.
func vmFormat(format string, args []any) (s string, ok bool)

func formatText(f string, args []any) string {
	s, ok := vmFormat(f, args)
	if !ok {
		return real_fmt_Sprintf(f, args...)
	}
	return s
}

// vmKnown says what is known of the arguments: 0 if some are symbolic, 1 if vmFormat can format all
// of them, 2 if all of them are known.
func vmKnown(format string, args []any) int

// The functions of package fmt themselves, from their source, for arguments that vmFormat cannot format.
func real_fmt_Sprintf(format string, a ...any) string
func real_fmt_Sprint(a ...any) string
func real_fmt_Sprintln(a ...any) string
func real_fmt_Errorf(format string, a ...any) error

// vmPrint writes a text to the program's standard output.
func vmPrint(s string)

// vmVerbs returns for each argument the verb that formats it first, or 'v'. The result may be too short:
// arguments at the end that the format does not mention may be missing.
func vmVerbs(format string, n int) string

func verbAt(verbs string, i int) byte {
	if i < len(verbs) {
		return verbs[i]
	}
	return 'v'
}

// plain is the text that a value's Error or String method has returned. It formats as a string does.
type plain string

// formatted returns what stands for an argument once its Error or String method has been called. The
// result ok is false if the method panics. Then package fmt has to format the argument, because fmt writes
// the panic into the text.
func formatted(a any, verb byte) (b any, ok bool) {
	switch verb {
	case 'v', 's', 'q', 'x', 'X', 'w':
		switch x := a.(type) {
		case error:
			return textOf(x.Error)
		case interface{ String() string }:
			return textOf(x.String)
		}
	}
	return a, true
}

func textOf(method func() string) (b any, ok bool) {
	defer func() {
		if recover() != nil {
			b, ok = nil, false
		}
	}()
	return plain(method()), true
}

func fmt_Sprintf(format string, a ...any) string {
	if len(a) == 0 {
		return formatText(format, nil)
	}
	switch vmKnown(format, a) {
	case 1:
		return formatText(format, a)
	case 2:
		return real_fmt_Sprintf(format, a...)
	}
	verbs := vmVerbs(format, len(a))
	b := make([]any, len(a))
	for i, x := range a {
		var ok bool
		if b[i], ok = formatted(x, verbAt(verbs, i)); !ok {
			return real_fmt_Sprintf(format, a...)
		}
	}
	if vmKnown(format, nil) == 0 {
		// A format that becomes known later may ask for the type of an argument, or not mention it.
		s, ok := vmFormat(format, b)
		if !ok {
			return real_fmt_Sprintf(format, a...)
		}
		return s
	}
	return formatText(format, b)
}

func fmt_Sprint(a ...any) string {
	if vmKnown("", a) != 0 {
		return real_fmt_Sprint(a...)
	}
	s := ""
	wasString := true
	for i, x := range a {
		_, str := x.(string)
		if i > 0 && !str && !wasString {
			s += " "
		}
		b, ok := formatted(x, 'v')
		if !ok {
			return real_fmt_Sprint(a...)
		}
		s += formatText("%v", []any{b})
		wasString = str
	}
	return s
}

func fmt_Sprintln(a ...any) string {
	if vmKnown("", a) == 2 {
		return real_fmt_Sprintln(a...)
	}
	s := ""
	for i, x := range a {
		if i > 0 {
			s += " "
		}
		b, ok := formatted(x, 'v')
		if !ok {
			return real_fmt_Sprintln(a...)
		}
		s += formatText("%v", []any{b})
	}
	return s + "\n"
}

func fmt_Fprintf(w io.Writer, format string, a ...any) (int, error) {
	return w.Write([]byte(fmt_Sprintf(format, a...)))
}

func fmt_Fprint(w io.Writer, a ...any) (int, error) { return w.Write([]byte(fmt_Sprint(a...))) }

func fmt_Fprintln(w io.Writer, a ...any) (int, error) { return w.Write([]byte(fmt_Sprintln(a...))) }

func fmt_Printf(format string, a ...any) (int, error) {
	s := fmt_Sprintf(format, a...)
	vmPrint(s)
	return len(s), nil
}

func fmt_Print(a ...any) (int, error) {
	s := fmt_Sprint(a...)
	vmPrint(s)
	return len(s), nil
}

func fmt_Println(a ...any) (int, error) {
	s := fmt_Sprintln(a...)
	vmPrint(s)
	return len(s), nil
}

func fmt_Appendf(b []byte, format string, a ...any) []byte {
	return append(b, fmt_Sprintf(format, a...)...)
}

func fmt_Append(b []byte, a ...any) []byte { return append(b, fmt_Sprint(a...)...) }

func fmt_Appendln(b []byte, a ...any) []byte { return append(b, fmt_Sprintln(a...)...) }

type errorString struct{ s string }

func (e *errorString) Error() string { return e.s }

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }

func (e *wrapError) Unwrap() error { return e.err }

type wrapErrors struct {
	msg  string
	errs []error
}

func (e *wrapErrors) Error() string { return e.msg }

func (e *wrapErrors) Unwrap() []error { return e.errs }

// plainVerbs returns a format with %v in place of %w. Both format alike, and Sprintf knows only %v.
func plainVerbs(format string) string {
	b := []byte(format)
	in := false
	for i, c := range b {
		switch {
		case !in:
			in = c == '%'
		case c == 'w':
			b[i], in = 'v', false
		case c == '+' || c == '-' || c == '#' || c == ' ' || c == '.' || c == '*' || c == '[' || c == ']' || '0' <= c && c <= '9':
		default:
			in = false
		}
	}
	return string(b)
}

func fmt_Errorf(format string, a ...any) error {
	verbs := vmVerbs(format, len(a))
	var errs []error
	wrapped := 0
	for i, x := range a {
		if verbAt(verbs, i) != 'w' {
			continue
		}
		wrapped++
		if e, ok := x.(error); ok {
			errs = append(errs, e)
		}
	}
	var s string
	switch {
	case len(a) > 0 && vmKnown(format, a) == 2:
		s = real_fmt_Errorf(format, a...).Error() // Sprintf does not know %w
	case wrapped > 0:
		s = fmt_Sprintf(plainVerbs(format), a...)
	default:
		s = fmt_Sprintf(format, a...)
	}
	switch {
	case wrapped == 0:
		return &errorString{s}
	case wrapped == 1:
		w := &wrapError{msg: s}
		if len(errs) == 1 {
			w.err = errs[0]
		}
		return w
	}
	return &wrapErrors{s, errs}
}
