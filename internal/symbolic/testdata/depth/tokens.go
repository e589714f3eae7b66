package depth

// tokens takes a text apart by hand, as many parsers do. Each loop can be left after any number of turns, so that
// paths which stay in the first loops are without number.
type tokens struct {
	text string
	at   int
}

func (t *tokens) next() int {
	c := -1
	if t.at < len(t.text) {
		c = int(t.text[t.at])
	}
	t.at++
	return c
}

func (t *tokens) blanks() {
	for {
		if c := t.next(); c != ' ' && c != '\t' && c != '\n' {
			t.at--
			return
		}
	}
}

func (t *tokens) word() string {
	from := t.at
	for {
		if c := t.next(); c < 'a' || c > 'z' {
			t.at--
			break
		}
	}
	return t.text[from:min(t.at, len(t.text))]
}

func TokensOfStatement(text string) int {
	t := &tokens{text: text}
	t.blanks()
	if t.word() != "let" {
		return 0
	}
	t.blanks()
	if t.word() == "" {
		return 1
	}
	t.blanks()
	if t.next() != '=' {
		return 2
	}
	t.blanks()
	switch t.word() {
	case "":
		return 3
	case "nil":
		return 4
	case "false":
		return 5
	}
	t.blanks()
	if t.next() != ';' {
		return 6
	}
	return 7
}
