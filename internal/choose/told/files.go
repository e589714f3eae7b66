package told

import (
	"context"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// This file has tests look at the files that a call has changed, below the directories that the test has made for it:
//
//  1. changed runs each test up to its own call and as a whole, with a list of all files behind both.
//  2. choose says how the test looks at what has changed.
//  3. looking puts the look behind the test's call.

// Bounds of what a test says of files.
const (
	mostFolders  = 2    // the directories that it looks at
	mostFiles    = 6    // in a directory, with their texts
	mostNames    = 10   // in a directory, by their names alone
	longestTexts = 240  // the bytes of all texts and names in a directory
	longestText  = 1500 // the bytes of the only text
)

// folder is a directory of a test's own.
type folder struct {
	test     int
	path     testcase.Ref // what the test passes: the directory, or the path of a file in it
	dir      testcase.Ref // the directory
	unnamed  bool         // the test has no name for the directory: a helper has made a file in it
	file     string       // the name of the file in the directory that path names, "" if that is the directory
	was, now testcase.Value
	look     look
}

// look is how a test looks at a directory, or at a file in it.
type look struct {
	op   *testcase.Operation
	file string // the file that is looked at, "" if it is the directory
}

// Files returns the tests with statements behind their own call that look at the files which this call has changed: below the
// directories that the test has made for it. A test that makes a directory and does not look into it would also pass if the
// function wrote nothing. Where nothing has changed, nothing is looked at.
func (r *Reader) Files(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	var all []*folder
	for i, c := range tests {
		if c.Story == nil && returned(c.Observed) {
			all = append(all, foldersOf(i, c)...)
		}
	}
	if len(all) == 0 || !r.writes() {
		return tests, nil
	}
	all, err := r.changed(ctx, tests, all)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		f.look = f.choose()
	}
	all = slices.DeleteFunc(all, func(f *folder) bool { return f.look.op == nil })
	var seqs []*testcase.Sequence
	var of []int
	for n := 0; n < len(all); {
		end := n
		for end < len(all) && all[end].test == all[n].test {
			end++
		}
		seq, err := r.looking(tests[all[n].test].Seq, all[n:min(end, n+mostFolders)])
		if err != nil {
			return nil, err
		}
		seqs, of, n = append(seqs, seq), append(of, all[n].test), end
	}
	outcomes, err := r.bench.Proposals(true).Run(ctx, seqs)
	if err := r.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("reading files: %w", err)
	}
	out := slices.Clone(tests)
	for k, i := range of {
		if k < len(outcomes) && record.SameEnd(tests[i], outcomes[k]) && IsWhole(seqs[k], outcomes[k], tests[i].TargetStmt()+1) {
			c := *tests[i]
			c.Seq, c.Observed, c.Predicted = seqs[k], outcomes[k], nil
			out[i] = &c
		}
	}
	return out, nil
}

// makesPath reports whether an operation makes a directory of the test's own, or a file in one.
func makesPath(op *testcase.Operation) bool { return giver.MakesDirectory(op) || giver.MakesFile(op) }

// foldersOf returns the directories that a test has made before its own call. It returns none if the test looks at files already.
func foldersOf(test int, c *testcase.Case) []*folder {
	var out []*folder
	text := func(r testcase.Ref) string { return c.Seq.At(r.Stmt).Op.Lit.Str }
	for i := range c.Seq.Len() {
		st, ref := c.Seq.At(i), testcase.Ref{Stmt: i}
		switch {
		case observer.LooksAtFiles(st.Op):
			return nil
		case i >= c.TargetStmt():
		case giver.MakesDirectory(st.Op):
			out = append(out, &folder{test: test, path: ref, dir: ref})
		case giver.MakesFile(st.Op):
			out = append(out, &folder{test: test, path: ref, unnamed: true, file: text(st.Args[0])})
		case st.Op.Kind == testcase.OpFunc && st.Op.Func.FullName() == "path/filepath.Join" && len(st.Args) == 2:
			for _, f := range out {
				if f.path == st.Args[0] && f.file == "" {
					f.path, f.file = ref, text(st.Args[1])
				}
			}
		}
	}
	return out
}

// looking returns a sequence with the looks at directories behind it.
func (r *Reader) looking(s *testcase.Sequence, all []*folder) (*testcase.Sequence, error) {
	var b testcase.Builder
	b.Append(s)
	at := make([]testcase.Ref, len(all))
	for k, f := range all {
		at[k] = f.dir
		var err error
		switch {
		case f.look.file != "" && f.look.file == f.file:
			at[k] = f.path
		case f.look.file != "":
			lit := testcase.Literal{Kind: testcase.LitString, Str: f.look.file}
			name := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: lit})
			at[k], err = r.filepath(&b, "Join", f.dir, name)
		case f.unnamed:
			at[k], err = r.filepath(&b, "Dir", f.path)
		}
		if err != nil {
			return nil, err
		}
	}
	for k, f := range all {
		b.Add(f.look.op, at[k])
	}
	return b.Sequence(), nil
}

// filepath adds a call of a function of package path/filepath.
func (r *Reader) filepath(b *testcase.Builder, name string, args ...testcase.Ref) (testcase.Ref, error) {
	f, err := r.Prog.Imported("path/filepath", name)
	if err != nil {
		return testcase.Ref{}, err
	}
	return b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, args...), nil
}

// changed returns the directories below which a test's own call has changed files, with what is there before the call and behind it.
func (r *Reader) changed(ctx context.Context, tests []*testcase.Case, all []*folder) ([]*folder, error) {
	tree := observer.TreeIn()
	var seqs []*testcase.Sequence
	for _, f := range all {
		f.look = look{op: tree}
		c := tests[f.test]
		for _, s := range []*testcase.Sequence{c.Seq.Prefix(c.TargetStmt()), c.Seq} {
			seq, err := r.looking(s, []*folder{f})
			if err != nil {
				return nil, err
			}
			seqs = append(seqs, seq)
		}
	}
	outcomes, err := r.bench.Proposals(true).Run(ctx, seqs)
	if err := r.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("looking for changed files: %w", err)
	}
	last := func(k int) (testcase.Value, bool) {
		if k >= len(outcomes) || !returned(outcomes[k]) || outcomes[k].Wavers || len(outcomes[k].Results) < seqs[k].Len() {
			return testcase.Value{}, false
		}
		results := outcomes[k].Results[seqs[k].Len()-1]
		if len(results) != 1 {
			return testcase.Value{}, false
		}
		return results[0], results[0].Kind == testcase.Nil || results[0].Kind == testcase.Map && !results[0].Cut
	}
	var out []*folder
	for k, f := range all {
		was, ok := last(2 * k)
		now, ok2 := last(2*k + 1)
		if ok && ok2 && !was.Equal(now) {
			f.was, f.now = was, now
			out = append(out, f)
		}
	}
	return out, nil
}

// scratch matches the name of a directory that the harness has made. A test has another one.
var scratch = regexp.MustCompile(`[/\\]scratch[/\\][0-9]{3}`)

// change is what a call has done to the files of a directory. The names of empty directories end with a slash.
type change struct {
	changed, removed, unchanged []string // names of files
	texts                       map[string]string
	unsaid, empty               bool // a test cannot say all of the texts; there is an empty directory
	size                        int
}

// change compares the directory as it was with what it is.
func (f *folder) change() (ch change, ok bool) {
	was := make(map[string]testcase.Value)
	for i := 0; i+1 < len(f.was.Elems); i += 2 {
		was[f.was.Elems[i].Str] = f.was.Elems[i+1]
	}
	ch.texts = make(map[string]string)
	for i := 0; i+1 < len(f.now.Elems); i += 2 {
		name, text := f.now.Elems[i], f.now.Elems[i+1]
		if name.Kind != testcase.String || name.Cut || !isSaid(name.Str) {
			return ch, false
		}
		old, there := was[name.Str]
		if there && old.Equal(text) && !text.Varies {
			ch.unchanged = append(ch.unchanged, name.Str)
		} else {
			ch.changed = append(ch.changed, name.Str)
		}
		ch.texts[name.Str] = text.Str
		ch.empty = ch.empty || strings.HasSuffix(name.Str, "/")
		ch.unsaid = ch.unsaid || text.Kind != testcase.String || text.Cut || !isSaid(text.Str)
		ch.size += len(name.Str) + len(text.Str)
	}
	for i := 0; i+1 < len(f.was.Elems); i += 2 {
		if _, there := ch.texts[f.was.Elems[i].Str]; !there {
			ch.removed = append(ch.removed, f.was.Elems[i].Str)
		}
	}
	return ch, true
}

// choose chooses how the test looks at the directory. Of one file that has been written it reads the text, if the test has a name for
// the path or there are other files, which have stayed as they were. Of one that has been removed it says that it is no longer
// there, and of a new one whose text differs from run to run that it is there. Otherwise it reads all texts, or lists the names of the files if their texts cannot be said.
func (f *folder) choose() look {
	ch, ok := f.change()
	if !ok {
		return look{}
	}
	if f.now.Kind == testcase.Nil {
		if f.unnamed || f.file != "" {
			return look{}
		}
		return look{op: observer.Exists()}
	}
	if len(ch.changed) == 0 && len(ch.removed) == 1 && (!f.unnamed || ch.removed[0] == f.file) {
		return look{observer.Exists(), strings.TrimSuffix(ch.removed[0], "/")}
	}
	if len(ch.changed) == 1 && len(ch.removed) == 0 {
		name := ch.changed[0]
		text := ch.texts[name]
		beside := name == f.file || len(ch.unchanged) > 0 || ch.size > longestTexts
		if beside && !ch.unsaid && text != "" && len(text) <= longestText && (!f.unnamed || name == f.file) {
			return look{observer.TextOf(), name}
		}
	}
	if ch.unsaid && f.file != "" && len(ch.removed) == 0 && slices.Equal(ch.changed, []string{f.file}) {
		return look{f.unlessThere(observer.Exists()), f.file}
	}
	names := len(ch.changed) + len(ch.unchanged)
	switch {
	case !ch.unsaid && names <= mostFiles && ch.size <= longestTexts && ch.empty:
		return look{op: observer.TreeIn()}
	case !ch.unsaid && names <= mostFiles && ch.size <= longestTexts:
		return look{op: observer.FilesIn()}
	case !ch.empty && names <= mostNames && f.renamed(ch):
		return look{op: observer.NamesIn()}
	}
	return look{}
}

// unlessThere returns the operation if there was no file of the name that the test passes, and nil otherwise.
func (f *folder) unlessThere(op *testcase.Operation) *testcase.Operation {
	for i := 0; i+1 < len(f.was.Elems); i += 2 {
		if f.was.Elems[i].Str == f.file {
			return nil
		}
	}
	return op
}

// renamed reports whether there are other files than there were, by their names.
func (f *folder) renamed(ch change) bool {
	return len(ch.removed) > 0 || len(f.was.Elems) != len(f.now.Elems)
}

// isSaid reports whether a test can say what a file holds, or is called: it is a text, and names no directory of the harness.
func isSaid(text string) bool {
	return utf8.ValidString(text) && !scratch.MatchString(text) && !strings.ContainsFunc(text, func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' && c != '\t' && c != '\r'
	})
}
