package candidate

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Parse reads the text form of a Spec. An error is a bug in the code that wrote the text.
func Parse(text string) (*Spec, error) {
	s := &Spec{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 3 {
			return nil, fmt.Errorf("spec: malformed line %q", line)
		}
		var err error
		switch words[0] {
		case "class":
			var c Class
			if c.Type, err = strconv.Atoi(words[1]); err == nil {
				c.N, err = strconv.Atoi(words[2])
			}
			if err == nil && len(words) > 3 {
				c.After, err = strconv.Atoi(words[3])
			}
			s.Classes = append(s.Classes, c)
		case "field", "slice":
			f := Field{Slice: words[0] == "slice"}
			if f.Class, err = strconv.Atoi(words[1]); err == nil {
				if f.Path, err = parsePath(words[2]); err == nil {
					f.Domain, err = parseDomain(words[3:])
				}
			}
			s.Fields = append(s.Fields, f)
		case "elem":
			if len(s.Fields) == 0 {
				return nil, fmt.Errorf("spec: element of nothing")
			}
			var e Elem
			if e.Path, err = parsePath(words[1]); err == nil {
				e.Domain, err = parseDomain(words[2:])
			}
			f := &s.Fields[len(s.Fields)-1]
			f.Elems = append(f.Elems, e)
		default:
			err = fmt.Errorf("unknown word")
		}
		if err != nil {
			return nil, fmt.Errorf("spec: line %q: %w", line, err)
		}
	}
	return s, s.validate()
}

// validate checks the conditions that the rest of the package relies on.
func (s *Spec) validate() error {
	if len(s.Classes) == 0 || s.Classes[0].N != 1 {
		return fmt.Errorf("spec: there is no root")
	}
	for i, c := range s.Classes {
		if c.After < 0 || c.After > 0 && c.After >= i {
			return fmt.Errorf("spec: class %d comes after class %d", i, c.After)
		}
	}
	domain := func(d Domain) error {
		for _, p := range d.Parts {
			if p.Kind == Objects && (p.Class < 0 || p.Class >= len(s.Classes)) {
				return fmt.Errorf("spec: no class %d", p.Class)
			}
		}
		if d.Size(s) == 0 {
			return fmt.Errorf("spec: empty domain")
		}
		return nil
	}
	for _, f := range s.Fields {
		if f.Class < 0 || f.Class >= len(s.Classes) {
			return fmt.Errorf("spec: no class %d", f.Class)
		}
		if err := domain(f.Domain); err != nil {
			return err
		}
		for _, e := range f.Elems {
			if err := domain(e.Domain); err != nil && f.MaxLen() > 0 {
				return err
			}
		}
	}
	return nil
}

func parsePath(text string) ([]int, error) {
	if text == "-" {
		return nil, nil
	}
	var out []int
	for w := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(w)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func parseDomain(words []string) (Domain, error) {
	var d Domain
	for _, w := range words {
		if w == "labelled" {
			d.Labelled = true
			continue
		}
		if w == "each" {
			d.Each = true
			continue
		}
		p := Part{Kind: PartKind(w[0])}
		rest := w[1:]
		var err error
		if boxed, ok := strings.CutPrefix(rest, "@"); ok {
			var n string
			n, rest, _ = strings.Cut(boxed, ":")
			if p.Boxed, err = strconv.Atoi(n); err != nil {
				return d, err
			}
		}
		switch p.Kind {
		case Nil, Empty:
		case Objects:
			p.Class, err = strconv.Atoi(rest)
		case Ints, Bools:
			lo, hi, _ := strings.Cut(rest, "..")
			if p.Lo, err = strconv.ParseInt(lo, 10, 64); err == nil {
				p.Hi, err = strconv.ParseInt(hi, 10, 64)
			}
		case Strings:
			for h := range strings.SplitSeq(rest, ",") {
				b, e := hex.DecodeString(strings.TrimSuffix(h, "."))
				if e != nil {
					err = e
				}
				p.Strs = append(p.Strs, string(b))
			}
		default:
			err = fmt.Errorf("unknown kind %q", w)
		}
		if err != nil {
			return d, err
		}
		d.Parts = append(d.Parts, p)
	}
	return d, nil
}
