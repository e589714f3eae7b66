package choose

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/crossed"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/load/requests"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// This file passes documents to functions that decode them: files with what a function decodes, and documents of a struct to
// functions that decode into whatever they are passed. Engines find texts that take new ways through the package's code, but
// whether a document arrives in the fields of a struct is decided in the code of others.

// decoding returns calls with documents, of each exported function that decodes some: the first call that returned and has a place for them, with each document.
func (s *sampling) decoding(cases []*testcase.Case) []*testcase.Case {
	var out []*testcase.Case
	var paths *purity.Paths
	done := make(map[string]bool)
	for _, c := range cases {
		if done[c.Target] || c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned || !s.ch.given.Exported[c.Target] || !outcome.IsPlainCall(c.Seq.At(c.TargetStmt()).Op) {
			continue
		}
		if paths == nil {
			paths = purity.PathsOf(s.ch.Pkg)
		}
		d := &decoder{sampling: s, c: c, paths: paths, fn: c.Seq.At(c.TargetStmt()).Op.Func, first: c.Seq.At(c.TargetStmt()).Op.FirstParam()}
		if seqs := append(d.files(), d.intoStructs()...); len(seqs) > 0 {
			done[c.Target] = true
			out = append(out, s.unknown(c, seqs)...)
		}
	}
	return out
}

// decoder is the call of a function that decodes.
type decoder struct {
	*sampling
	c     *testcase.Case
	paths *purity.Paths
	fn    *types.Func
	first int // the first parameter's argument
}

// files returns the call with files of what the function decodes.
func (d *decoder) files() []*testcase.Sequence {
	var out []*testcase.Sequence
	params := d.fn.Signature().Params()
	for k := range params.Len() {
		if d.paths.Kind(params.At(k))&purity.FilePath == 0 {
			continue
		}
		for _, text := range d.contents() {
			if seq, ok := d.pass(d.c.Seq, k, text); ok {
				out = append(out, seq)
			}
		}
	}
	return out
}

// contents returns what the function may find in a file: documents of what it decodes, or else those that it reads otherwise.
func (d *decoder) contents() []string {
	decoded := d.ch.decoded[d.c.Target]
	if len(decoded) == 0 {
		return crossed.Contents(d.ch.Pkg, d.asks(d.fn))
	}
	out := make([]string, len(decoded))
	for i, text := range decoded {
		out[i] = text.Value
	}
	return out
}

// intoStructs returns the call with documents and a pointer to a struct that fits them, if the function decodes into what it is passed.
func (d *decoder) intoStructs() []*testcase.Sequence {
	into, as := encoded.Destination(d.ch.Pkg, d.fn)
	if into < 0 {
		return nil
	}
	var b testcase.Builder
	t := encoded.Record()
	zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
	pointer := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(t)}, zero)
	filled := d.with(&b, d.c.Seq, into, pointer)
	var out []*testcase.Sequence
	for k := range d.fn.Signature().Params().Len() {
		if k == into {
			continue
		}
		for _, one := range encoded.Notations {
			if as&one == 0 {
				continue
			}
			for _, text := range encoded.Records(one) {
				if seq, ok := d.pass(filled, k, text.Value); ok {
					out = append(out, d.saying(seq, into, k, one)...)
				}
			}
		}
	}
	return out
}

// saying returns the sequence as it is, or, if the function takes a text besides, and compares texts with one that names the notation, with this
// text in its place: ".yml", "application/json".
func (d *decoder) saying(seq *testcase.Sequence, into, document int, as requests.Notation) []*testcase.Sequence {
	var out []*testcase.Sequence
	for k := range d.fn.Signature().Params().Len() {
		if k == into || k == document || d.ch.Pkg.Literals == nil || d.ch.Pkg.Literals.ByFunc[d.c.Target] == nil {
			continue
		}
		for _, word := range d.ch.Pkg.Literals.ByFunc[d.c.Target].Strings {
			names := strings.Contains(word, as.String()) || as == requests.YAML && strings.Contains(word, "yml")
			if !names || len(word) > longestSeed {
				continue
			}
			if other, ok := d.pass(seq, k, word); ok {
				out = append(out, other)
			}
		}
	}
	if out == nil {
		return []*testcase.Sequence{seq}
	}
	return out
}

// with returns a sequence behind the statements of a builder, and a value of these as the k-th parameter of the case's call.
func (d *decoder) with(b *testcase.Builder, s *testcase.Sequence, k int, value testcase.Ref) *testcase.Sequence {
	before, target := b.Len(), d.c.TargetStmt()+s.Len()-d.c.Seq.Len()
	for i := range s.Len() {
		st := s.At(i)
		args := slices.Clone(st.Args)
		for n := range args {
			args[n].Stmt += before
		}
		if i == target {
			args[d.first+k] = value
		}
		b.Add(st.Op, args...)
	}
	return b.Sequence()
}

// pass returns a sequence in which the k-th parameter of the case's call is a text, what reads the text, or a file of it. It returns false
// for a parameter that is none of these.
func (d *decoder) pass(s *testcase.Sequence, k int, text string) (*testcase.Sequence, bool) {
	target := d.c.TargetStmt() + s.Len() - d.c.Seq.Len()
	if d.first+k >= len(s.At(target).Args) {
		return nil, false // nothing is passed for a variadic parameter
	}
	if d.paths.Kind(d.fn.Signature().Params().At(k))&purity.FilePath == 0 {
		at, ok := plain.TextBehind(d.ch.Pkg, s, s.At(target).Args[d.first+k])
		if !ok {
			return nil, false
		}
		return plain.WithText(s, at, text)
	}
	files := d.ch.parts.Givers.Files()
	i := slices.IndexFunc(files, func(f *testcase.Sequence) bool { return f.Last().Op.Via != nil && f.Last().Op.Via.Beside != nil })
	if i < 0 {
		return nil, false
	}
	var b testcase.Builder
	file := b.Append(files[i])
	contents := files[i].Last().Args[1].Stmt
	seq, ok := plain.WithText(d.with(&b, s, k, file), contents, text)
	if !ok {
		return nil, false
	}
	c := *d.c
	c.Seq = seq
	if called, ok := plain.Called(d.ch.Pkg, &c); ok {
		seq = called
	}
	return seq, true
}

// decodedArguments returns texts of what functions decode, by their names as targets, but of those that send requests: what these
// decode are the answers, and not what they are passed.
func (ch *chooser) decodedArguments() map[string][]notation.Text {
	out := encoded.By(ch.Pkg, requests.JSON|requests.YAML|requests.TOML|requests.XML)
	for _, t := range ch.Pkg.Targets {
		if ch.Pkg.Requests().Sends(t.Obj) {
			delete(out, t.Name)
		}
	}
	return out
}

// whole returns the documents that have all fields.
func whole(decoded map[string][]notation.Text) map[string]bool {
	out := make(map[string]bool)
	for _, list := range decoded {
		for _, text := range list {
			if text.Name == encoded.AllFields || text.Name == encoded.AllIsWell {
				out[text.Value] = true
			}
		}
	}
	for _, as := range encoded.Notations {
		out[encoded.Records(as)[0].Value] = true
	}
	return out
}

// contentsOf returns the text in the file that an argument names, "" if it names none that the test makes.
func contentsOf(s *testcase.Sequence, arg testcase.Ref) string {
	st := s.At(arg.Stmt)
	if st.Op.Via == nil || st.Op.Via.Beside == nil || len(st.Args) == 0 {
		return ""
	}
	return s.At(st.Args[len(st.Args)-1].Stmt).Op.Lit.Str
}
