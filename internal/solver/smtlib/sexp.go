package smtlib

// sexp is an S-expression. It is a token or, if the token is an opening parenthesis, a list.
type sexp struct {
	token
	list []*sexp
}

func (e *sexp) isList() bool { return e.kind == open }

// is reports whether e is the given symbol.
func (e *sexp) is(name string) bool { return e.kind == symbol && e.text == name }

// maxNesting bounds the depth of parentheses. No sensible script nests deeper, and memory is finite.
const maxNesting = 1 << 18

// read returns the next expression, or nil at the end. It has its own stack, because scripts nest deeply.
func (l *lexer) read() (*sexp, error) {
	var stack []*sexp
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		var done *sexp
		switch t.kind {
		case atEOF:
			if len(stack) > 0 {
				return nil, l.errorf(stack[len(stack)-1].pos, "parenthesis without an end")
			}
			return nil, nil
		case open:
			if len(stack) == maxNesting {
				return nil, l.errorf(t.pos, "parentheses nested deeper than %d", maxNesting)
			}
			stack = append(stack, &sexp{token: t})
			continue
		case closing:
			if len(stack) == 0 {
				return nil, l.errorf(t.pos, "closing parenthesis without an opening one")
			}
			done = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		default:
			done = &sexp{token: t}
		}
		if len(stack) == 0 {
			return done, nil
		}
		top := stack[len(stack)-1]
		top.list = append(top.list, done)
	}
}
