package vm

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// maxEmbedded bounds the bytes of a list of bytes that the compiler embeds. Each byte is a cell of its own; texts and file
// systems have no bound.
const maxEmbedded = 1 << 16

// embed gives the variables of a package that have a //go:embed directive their contents, which no initialiser sets. Variables
// whose files cannot be read, or that are too large, are not known.
func (m *Machine) embed(pkgPath string) {
	files, err := m.prog.Embedded(pkgPath)
	if err != nil {
		m.poisonPackage(pkgPath)
		return
	}
	pkg, err := m.prog.SourcePackage(pkgPath)
	if err != nil {
		return // nothing runs
	}
	for _, name := range slices.Sorted(maps.Keys(files)) { // objects are numbered in this order
		g, list := pkg.Var(name), files[name]
		if g == nil || len(list) == 0 {
			continue
		}
		m.global(g)
		v := m.globals[g.String()]
		o := m.image[v.obj&^imageRegion]
		switch t := v.typ; {
		case t.Kind == KString:
			copy(o.cells, m.staticString(string(list[0].Content)))
		case t.Kind == KSlice && len(list[0].Content) <= maxEmbedded:
			cells := make([]Value, len(list[0].Content))
			for i, b := range list[0].Content {
				cells[i] = num(int(b))
			}
			n := num(len(cells))
			copy(o.cells, []Value{m.imageObject(&Object{elem: t.Elem, cells: cells}), n, n})
		case t.Kind == KStruct:
			copy(o.cells, m.embedFS(list, t))
		default:
			o.kind = objPoison
		}
	}
}

// imageObject adds an object to those that all states share, and returns its address.
func (m *Machine) imageObject(o *Object) Value {
	m.image = append(m.image, o)
	return ptr(ObjID(len(m.image)-1)|imageRegion, 0)
}

// embedFS returns the cells of an embed.FS, laid out as the compiler does: a pointer to a slice of structs with the name, the
// content and the hash of each file and directory, by directory and then by name.
func (m *Machine) embedFS(files []load.EmbeddedFile, t *Type) []Value {
	list := slices.Clone(files)
	have := make(map[string]bool)
	for _, f := range files {
		for dir := path.Dir(f.Name); dir != "." && !have[dir]; dir = path.Dir(dir) {
			have[dir] = true
			list = append(list, load.EmbeddedFile{Name: dir + "/"})
		}
	}
	split := func(f load.EmbeddedFile) (dir, elem string) {
		name := strings.TrimSuffix(f.Name, "/")
		return path.Dir(name), path.Base(name)
	}
	slices.SortFunc(list, func(a, b load.EmbeddedFile) int {
		dir, elem := split(a)
		dir2, elem2 := split(b)
		return cmp.Or(cmp.Compare(dir, dir2), cmp.Compare(elem, elem2))
	})
	slice := t.Fields[0].Type.Elem
	elem := slice.Elem
	cells := make([]Value, 0, len(list)*elem.Size)
	for _, f := range list {
		cells = append(cells, m.staticString(f.Name)...)
		cells = append(cells, m.staticString(string(f.Content))...)
		hash := make([]Value, elem.Size-elem.Fields[2].Off)
		if !strings.HasSuffix(f.Name, "/") {
			for i, b := range sha256.Sum256(f.Content) {
				if i < len(hash) {
					hash[i] = num(int(b))
				}
			}
		}
		cells = append(cells, hash...)
	}
	array := m.imageObject(&Object{elem: elem, cells: cells})
	header := m.imageObject(&Object{elem: slice, cells: []Value{array, num(len(list)), num(len(list))}})
	return []Value{header}
}
