package observer

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// This file has the helpers by which tests look at files: those below a directory of the test's own, which a call has changed.

// The names of the helpers.
const (
	filesName = "filesIn"
	treeName  = "treeIn"
	namesName = "namesIn"
	textName  = "textOf"
	thereName = "exists"
)

// filesWay is the path of the package that the helpers are said to be of.
const filesWay = "filesin"

// FilesIn returns a call that reads the files below a directory: their texts, by their names there.
func FilesIn() *testcase.Operation {
	const text = `func «.»(t «testing».TB, dir string) map[string]string {
	t.Helper()
	files, fsys := make(map[string]string), «os».DirFS(dir)
	err := «io/fs».WalkDir(fsys, ".", func(name string, d «io/fs».DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := «io/fs».ReadFile(fsys, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
`
	return looksAtFiles(filesName, "returns the texts of the files below a directory, by their names there.", text, "dir", textByName())
}

// TreeIn is FilesIn that also lists empty directories, with a slash behind their names. It returns nil for a directory that is not there.
func TreeIn() *testcase.Operation {
	const text = `func «.»(t «testing».TB, dir string) map[string]string {
	t.Helper()
	files, fsys := make(map[string]string), «os».DirFS(dir)
	err := «io/fs».WalkDir(fsys, ".", func(name string, d «io/fs».DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		delete(files, «path/filepath».ToSlash(«path/filepath».Dir(name))+"/")
		if d.IsDir() {
			files[name+"/"] = ""
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := «io/fs».ReadFile(fsys, name)
		files[name] = string(text)
		return err
	})
	if «errors».Is(err, «io/fs».ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}
`
	return looksAtFiles(treeName, "returns the texts of the files below a directory, by their names there. The names of empty directories end with a slash.", text, "dir", textByName())
}

// NamesIn returns a call that lists the names of the files below a directory, in order: their texts differ from run to run, or are no
// texts that a test can say.
func NamesIn() *testcase.Operation {
	const text = `func «.»(t «testing».TB, dir string) []string {
	t.Helper()
	var names []string
	err := «io/fs».WalkDir(«os».DirFS(dir), ".", func(name string, d «io/fs».DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
`
	return looksAtFiles(namesName, "returns the names of the files below a directory.", text, "dir", types.NewSlice(types.Typ[types.String]))
}

// TextOf returns a call that reads one file.
func TextOf() *testcase.Operation {
	const text = `func «.»(t «testing».TB, path string) string {
	t.Helper()
	text, err := «os».ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
`
	return looksAtFiles(textName, "returns the text of a file.", text, "path", types.Typ[types.String])
}

// Exists returns a call that says whether there is a file or a directory.
func Exists() *testcase.Operation {
	const text = `func «.»(path string) bool {
	_, err := «os».Lstat(path)
	return err == nil
}
`
	op := looksAtFiles(thereName, "reports whether there is a file or a directory.", text, "path", types.Typ[types.Bool])
	op.Via.OfTest = false
	return op
}

func textByName() types.Type { return types.NewMap(types.Typ[types.String], types.Typ[types.String]) }

// looksAtFiles returns a call of a helper that takes a path.
func looksAtFiles(name, doc, text, param string, result types.Type) *testcase.Operation {
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, param, types.Typ[types.String])),
		types.NewTuple(types.NewParam(0, nil, "", result)), false)
	h := &testcase.Helper{Name: name, Doc: doc, Sig: sig, Text: text, OfTest: true, Func: types.NewFunc(0, types.NewPackage(filesWay, filesWay), name, sig)}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h}
}

// LooksAtFiles reports whether an operation reads files of the test, or lists them.
func LooksAtFiles(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.Func != nil && op.Via.Func.Pkg() != nil && op.Via.Func.Pkg().Path() == filesWay
}
