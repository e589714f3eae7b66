package contract

import (
	"go/token"
	"go/types"
	"os"
	"strings"
	"sync"
)

// Annotation is the meaning of a call for assay.
type Annotation uint8

// The annotations; see the module's root package for their meanings.
const (
	None Annotation = iota
	Assume
	AssumeOrExecuteConcretely
	Prefer
	Assert
	Assumed
	Verified
)

// rootPath is the import path of assay's own annotations.
const rootPath = "github.com/goassay/assay"

var byName = map[string]Annotation{
	"Assume": Assume, "AssumeOrExecuteConcretely": AssumeOrExecuteConcretely, "Prefer": Prefer,
	"Assert": Assert, "Assumed": Assumed, "Verified": Verified,
}

// Directive returns the annotation that a comment line makes of the function below it:
// `//assay:assume`, `//assay:assumeorexecuteconcretely`, `//assay:prefer`, `//assay:assert`,
// `//assay:assumed` or `//assay:verified`.
func Directive(line string) Annotation {
	switch strings.TrimSpace(line) {
	case "//assay:assume":
		return Assume
	case "//assay:assumeorexecuteconcretely":
		return AssumeOrExecuteConcretely
	case "//assay:prefer":
		return Prefer
	case "//assay:assert":
		return Assert
	case "//assay:assumed":
		return Assumed
	case "//assay:verified":
		return Verified
	}
	return None
}

// Own reports whether a function is one of assay's own annotations.
func Own(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == rootPath && byName[f.Name()] != None
}

// Condition returns the index of an annotation's condition, which is its only boolean parameter, or -1 if it
// has none or several.
func Condition(sig *types.Signature) int {
	found := -1
	for i := range sig.Params().Len() {
		if b, ok := sig.Params().At(i).Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// Reader finds annotations and keeps the files that it has read. Several goroutines may use it. The zero
// value is ready for use.
type Reader struct {
	// Source returns the text of a file; if it is nil files are read from disk.
	Source func(name string) ([]byte, error)

	mu    sync.Mutex
	files map[string][]string
}

// Of returns the meaning of a call of f. It reads directives in the file that declares f, if f could be
// an annotation at all: a function without results and with a condition. A file that cannot be read has
// no directives.
func (r *Reader) Of(fset *token.FileSet, f *types.Func) Annotation {
	if f.Pkg() == nil {
		return None
	}
	sig := f.Type().(*types.Signature)
	if f.Pkg().Path() == rootPath {
		return byName[f.Name()]
	}
	if sig.Recv() != nil || sig.Results().Len() != 0 || Condition(sig) < 0 || !f.Pos().IsValid() {
		return None
	}
	pos := fset.Position(f.Pos())
	lines := r.lines(pos.Filename)
	for i := min(pos.Line-2, len(lines)-1); i >= 0 && strings.HasPrefix(lines[i], "//"); i-- {
		if a := Directive(lines[i]); a != None {
			return a
		}
	}
	return None
}

func (r *Reader) lines(name string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l, ok := r.files[name]; ok {
		return l
	}
	if r.files == nil {
		r.files = map[string][]string{}
	}
	read := r.Source
	if read == nil {
		read = os.ReadFile
	}
	src, err := read(name)
	if err != nil {
		r.files[name] = nil
		return nil
	}
	r.files[name] = strings.Split(string(src), "\n")
	return r.files[name]
}
