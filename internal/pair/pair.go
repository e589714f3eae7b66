package pair

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// Side is one version of a package.
type Side struct {
	Prog *load.Program
	Pkg  *load.Package
}

// Pairing holds the counterparts in two versions of a package.
type Pairing struct {
	Old, New Side
	// Functions are the functions and methods that both versions have with one signature, in
	// the order of the new source.
	Functions []Function
	// Unpaired are the functions of either version that have no partner.
	Unpaired []Unpaired
	// Hunks are the lines in which paired declarations of the packages differ.
	Hunks []Hunk

	names   *names
	changes *changes
	// brought are the declarations that lines outside of declarations are about, by Hunk.Decl (brought.go), and importers the
	// packages in which imports stand.
	brought   map[string][]string
	importers map[string]string
}

// Function is a function or method in both versions.
type Function struct {
	Old, New *load.Target
	// Changed says that the text of the function, or of something that it reaches, has changed.
	Changed bool
	// Behind are the changed declarations that it is or reaches, as keys of the new version.
	Behind []string
}

// Renamed reports whether the function had another name.
func (f Function) Renamed() bool { return f.Old.Name != f.New.Name }

// Unpaired is a function that only one version has, or that cannot be compared.
type Unpaired struct {
	Old, New *load.Target // one of both may be nil
	Reason   string
}

// Target returns the function in the new version, or in the old one if it was removed.
func (u Unpaired) Target() *load.Target { return cmp.Or(u.New, u.Old) }

// Packages pairs two versions of a package. Neither may have errors. An error says that source
// could not be read.
func Packages(old, new Side) (*Pairing, error) {
	oldDecls, newDecls, err := declarations(old, new)
	if err != nil {
		return nil, err
	}
	p := &Pairing{Old: old, New: new}
	p.names = pairNames(old, new, oldDecls, newDecls)
	p.changes = compare(p.names)
	p.pairTargets()
	if p.Hunks, err = p.hunks(); err != nil {
		return nil, err
	}
	return p, nil
}

// declarations returns the declarations of both versions. Dependencies of which the versions use different versions
// are among them, with what they declare, if they are not too large: that a version has another number says little.
func declarations(old, new Side) (olds, news map[string]load.Declaration, err error) {
	if olds, err = old.Prog.Declarations(old.Pkg); err != nil {
		return nil, nil, err
	}
	if news, err = new.Prog.Declarations(new.Pkg); err != nil {
		return nil, nil, err
	}
	var more []string
	var size int64
	for _, key := range slices.Sorted(maps.Keys(news)) {
		path, ok := strings.CutPrefix(key, packagePrefix)
		was, both := olds[key]
		if !ok || !both || len(was.Uses)+len(news[key].Uses) > 0 || was.Text == news[key].Text {
			continue
		}
		a, okA := old.Prog.SourceSize(path)
		b, okB := new.Prog.SourceSize(path)
		if !okA || !okB || size+a+b > mostDependencies {
			continue
		}
		size += a + b
		_, errA := old.Prog.PackageSource(path)
		_, errB := new.Prog.PackageSource(path)
		if errA == nil && errB == nil { // else the version's number has to do
			more = append(more, path)
		}
	}
	if len(more) == 0 {
		return olds, news, nil
	}
	if olds, err = old.Prog.Declarations(old.Pkg, more...); err != nil {
		return nil, nil, err
	}
	news, err = new.Prog.Declarations(new.Pkg, more...)
	return olds, news, err
}

// mostDependencies is how many bytes of source of dependencies are looked into.
const mostDependencies = 8 << 20

// pairTargets pairs the functions and methods. Instances of generic ones are paired by their type arguments.
func (p *Pairing) pairTargets() {
	forward := p.Forward()
	olds := map[string]*load.Target{}
	for _, t := range p.Old.Pkg.Targets {
		olds[instance(p.names.to[p.Old.Pkg.Path+"."+t.Name], t)] = t
	}
	paired := map[*load.Target]bool{}
	for _, t := range p.New.Pkg.Targets {
		key := p.New.Pkg.Path + "." + t.Name
		if p.names.from[key] == "" {
			p.Unpaired = append(p.Unpaired, Unpaired{New: t, Reason: "new"})
			continue
		}
		old := olds[instance(key, t)]
		if old == nil {
			p.Unpaired = append(p.Unpaired, Unpaired{New: t, Reason: "the old version has no instance of these type arguments"})
			continue
		}
		paired[old] = true
		if reason := p.otherSignature(forward, old, t); reason != "" {
			p.Unpaired = append(p.Unpaired, Unpaired{Old: old, New: t, Reason: reason})
			continue
		}
		f := Function{Old: old, New: t, Changed: p.changes.own[key] || p.changes.reach[key]}
		if f.Changed {
			f.Behind = p.changes.changedBehind(key)
		}
		p.Functions = append(p.Functions, f)
	}
	for _, t := range p.Old.Pkg.Targets {
		if !paired[t] {
			p.Unpaired = append(p.Unpaired, Unpaired{Old: t, Reason: "gone"})
		}
	}
}

// instance names an instance of a function by the function's new name.
func instance(key string, t *load.Target) string {
	args := make([]string, len(t.TypeArgs))
	for i, a := range t.TypeArgs {
		args[i] = types.TypeString(a, func(p *types.Package) string { return p.Name() })
	}
	return key + "[" + strings.Join(args, ",") + "]"
}

// otherSignature says how the signatures of a paired function differ, or "" if they do not.
func (p *Pairing) otherSignature(forward *Translator, old, new *load.Target) string {
	if old.Func == nil || new.Func == nil {
		return ""
	}
	text := func(t *load.Target) string {
		return types.TypeString(t.Func.Signature, types.RelativeTo(t.Obj.Pkg()))
	}
	translated, err := forward.Type(old.Func.Signature)
	if err == nil && types.Identical(translated, new.Func.Signature) && sameReceiver(forward, old, new) {
		return ""
	}
	if err != nil {
		return "its signature changed: " + err.Error()
	}
	return fmt.Sprintf("its signature changed: %s, was %s", text(new), text(old))
}

// sameReceiver reports whether both are functions, or both are methods with the same receiver.
func sameReceiver(forward *Translator, old, new *load.Target) bool {
	if old.Recv == nil || new.Recv == nil {
		return old.Recv == nil && new.Recv == nil
	}
	t, err := forward.Type(old.Recv)
	return err == nil && types.Identical(t, new.Recv)
}

// OldName returns the old name of a function of the new version, or "" if it had none.
func (p *Pairing) OldName(name string) string {
	key := p.names.from[p.New.Pkg.Path+"."+name]
	return strings.TrimPrefix(key, p.Old.Pkg.Path+".")
}

// NewName returns the new name of a function of the old version, or "" if it has none.
func (p *Pairing) NewName(name string) string {
	key := p.names.to[p.Old.Pkg.Path+"."+name]
	return strings.TrimPrefix(key, p.New.Pkg.Path+".")
}

// ChangedFunctions returns the functions that are changed, in their order.
func (p *Pairing) ChangedFunctions() []Function {
	return slices.DeleteFunc(slices.Clone(p.Functions), func(f Function) bool { return !f.Changed })
}
