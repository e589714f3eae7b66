package versions

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// worktree is the name of the version in the user's working tree.
const worktree = "the working tree"

// repository is a git repository, seen from a directory in it.
type repository struct {
	ctx    context.Context
	dir    string
	prefix string // the path of dir within the tree, with slashes
}

// revisions takes revisions of git: one to compare with the working tree, or two.
func (t *Two) revisions(ctx context.Context, dir string, args []string) error {
	r := &repository{ctx: ctx, dir: dir}
	if len(args) > 0 {
		isRevision := false
		if !IsPattern(args[0]) {
			_, err := r.commit(args[0])
			isRevision = err == nil
		}
		if err := noVersion(dir, args[0]); err != nil && !isRevision {
			return err
		}
	}
	rev := ""
	if len(args) > 0 && !IsPattern(args[0]) {
		rev, t.Patterns = args[0], args[1:]
	} else {
		t.Patterns = args
	}
	if strings.HasPrefix(rev, "-") {
		return mistake("%s: that is a flag and no revision", rev)
	}
	top, err := r.git("rev-parse", "--show-prefix")
	if err != nil {
		if rev == "" {
			return mistake("there is nothing to compare with (%v): name a revision, two directories with a go.mod each, or module@v1 module@v2", err)
		}
		return mistake("%s: %v", rev, err)
	}
	r.prefix = strings.TrimRight(top, "\r\n")
	if rev == "" {
		if rev, err = r.base(); err != nil {
			return err
		}
	}
	if len(t.Patterns) > 0 && r.isSecond(t.Patterns[0]) {
		return mistake("%s %s: two revisions are named %s..%s", rev, t.Patterns[0], rev, t.Patterns[0])
	}
	from, to, err := r.span(rev)
	if err != nil {
		return err
	}
	if err := r.read(t, &t.Old, from); err != nil {
		return err
	}
	if to == "" {
		if in, err := r.git("rev-parse", "--is-inside-work-tree"); err == nil && strings.TrimSpace(in) == "false" {
			return mistake("%s: there is no working tree here to compare it with: name two revisions, as in %s~1..%s", from, from, from)
		}
		t.New = Version{Dir: dir, Name: worktree}
		return nil
	}
	return r.read(t, &t.New, to)
}

// isSecond reports whether an argument behind a revision is one, too, and no directory or import path.
func (r *repository) isSecond(arg string) bool {
	if IsPattern(arg) {
		return false
	}
	if _, err := os.Stat(filepath.Join(r.dir, filepath.FromSlash(arg))); err == nil {
		return false
	}
	_, err := r.commit(arg)
	return err == nil
}

// noVersion returns an error if an argument is a directory that neither is a version nor has packages of the module
// around dir, because it was meant as a version then.
func noVersion(dir, arg string) error {
	name := arg
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() || filepath.Clean(name) == filepath.Clean(dir) {
		return nil
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
				return nil // packages of the module, or a revision that is called like them
			}
			break
		}
		if filepath.Dir(root) == root {
			break
		}
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return nil
	}
	return mistake("%s: there is no go.mod in it, so it is no version of a module", arg)
}

// IsPattern reports whether an argument names packages and not a revision.
func IsPattern(arg string) bool {
	if arg == "." || arg == ".." || arg == "all" || arg == "..." {
		return true
	}
	for _, head := range []string{"./", "../", "/"} {
		if strings.HasPrefix(arg, head) {
			return true
		}
	}
	if strings.HasSuffix(arg, "/...") {
		return true
	}
	// An import path begins with a host, which has a dot; a revision's name may have one
	// too, but then it has no path behind it, or two dots.
	host, rest, ok := strings.Cut(arg, "/")
	return ok && rest != "" && strings.Contains(host, ".") && !strings.Contains(arg, "..")
}

// base returns the revision to compare with if the user names none. In a pull or merge request it is the one
// that the request is based on, and otherwise the last commit.
func (r *repository) base() (string, error) {
	if sha := os.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"); sha != "" {
		return sha, nil
	}
	branch := os.Getenv("GITHUB_BASE_REF")
	if branch == "" {
		return "HEAD", nil
	}
	for _, name := range []string{"origin/" + branch, branch} {
		if _, err := r.commit(name); err == nil {
			return name + "...", nil
		}
	}
	return "", mistake("the branch %s that the pull request is for is not there%s", branch, r.shallow())
}

// span reads A, A..B and A...B, where a missing B is HEAD, or the working tree behind three dots. The results
// are commits; to is "" for the working tree.
func (r *repository) span(rev string) (from, to string, err error) {
	a, b, three := strings.Cut(rev, "...")
	if three {
		if a == "" {
			a = "HEAD"
		}
		with := b
		if with == "" {
			with = "HEAD"
		}
		for _, name := range []string{a, with} {
			if _, err := r.commit(name); err != nil {
				return "", "", err
			}
		}
		out, err := r.git("merge-base", a, with)
		if err != nil {
			return "", "", mistake("%s and %s have no common ancestor%s", a, with, r.shallow())
		}
		if b == "" {
			return strings.TrimSpace(out), "", nil
		}
		return strings.TrimSpace(out), b, nil
	}
	a, b, two := strings.Cut(rev, "..")
	if !two {
		return rev, "", nil
	}
	if a == "" {
		a = "HEAD"
	}
	if b == "" {
		b = "HEAD"
	}
	return a, b, nil
}

// commit returns the name of the commit for a revision.
func (r *repository) commit(rev string) (string, error) {
	// The name by itself comes first: in some notations, as :/text, all that follows is part of it.
	out, err := r.git("rev-parse", "--verify", "--quiet", "--end-of-options", rev)
	if err == nil {
		out, err = r.git("rev-parse", "--verify", "--quiet", strings.TrimSpace(out)+"^{commit}")
	}
	if err != nil {
		if r.ctx.Err() != nil {
			return "", r.ctx.Err()
		}
		return "", mistake("there is no revision %s%s", rev, r.shallow())
	}
	return strings.TrimSpace(out), nil
}

// shallow returns a remark if the clone is shallow, because a missing revision may then exist elsewhere.
func (r *repository) shallow() string {
	if out, err := r.git("rev-parse", "--is-shallow-repository"); err == nil && strings.TrimSpace(out) == "true" {
		return ": the clone is shallow, and git fetch --unshallow gets the rest"
	}
	return ""
}

// git runs git in the directory. An error is git's own message.
func (r *repository) git(args ...string) (string, error) {
	cmd := r.command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	return string(out), r.failed(err, stderr.String())
}

func (r *repository) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = r.dir
	return cmd
}

func (r *repository) failed(err error, said string) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("git is not on PATH")
	case errors.As(err, &exit):
		for line := range strings.Lines(said) {
			if line = strings.TrimSpace(line); line != "" {
				return errors.New("git: " + strings.TrimPrefix(line, "fatal: "))
			}
		}
	}
	return fmt.Errorf("git: %w", err)
}

// read puts the tree of a revision into a temporary directory.
func (r *repository) read(t *Two, v *Version, rev string) error {
	commit, err := r.commit(rev)
	if err != nil {
		return err
	}
	root, err := t.tempDir()
	if err != nil {
		return err
	}
	v.root, v.Name, v.Key = root, short(rev), commit
	v.Dir = filepath.Join(root, filepath.FromSlash(r.prefix))
	tree, err := r.git("ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return err
	}
	var files []entry
	for line := range strings.SplitSeq(tree, "\x00") {
		e, ok := parseEntry(line)
		switch {
		case !ok:
		case e.mode == "160000":
			v.Left = append(v.Left, e.name)
		default:
			files = append(files, e)
		}
	}
	if err := r.write(root, files); err != nil {
		return err
	}
	if _, err := os.Stat(v.Dir); err != nil {
		return mistake("%s: there is no directory %s in it", v.Name, strings.TrimSuffix(r.prefix, "/"))
	}
	for dir := v.Dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == root {
			return mistake("%s: there is no go.mod in it, so it is no version of a module", v.Name)
		}
	}
	return nil
}

// short returns a revision's name for people: a commit by its first digits.
func short(rev string) string {
	const digits = 12
	if len(rev) >= 40 && strings.Trim(rev, "0123456789abcdef") == "" {
		return rev[:digits]
	}
	return rev
}

// entry is a file of a tree.
type entry struct{ mode, object, name string }

// parseEntry reads "mode type object\tname".
func parseEntry(line string) (entry, bool) {
	head, name, ok := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if !ok || len(f) != 3 {
		return entry{}, false
	}
	return entry{f[0], f[2], name}, true
}

// write writes files below root, with git's contents.
func (r *repository) write(root string, files []entry) (err error) {
	cmd := r.command("cat-file", "--batch")
	var ask bytes.Buffer
	for _, e := range files {
		ask.WriteString(e.object + "\n")
	}
	cmd.Stdin = &ask
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return r.failed(err, "")
	}
	defer func() {
		_, _ = io.Copy(io.Discard, out) // so that git can end
		if werr := r.failed(cmd.Wait(), stderr.String()); err == nil {
			err = werr
		}
	}()
	in := bufio.NewReaderSize(out, 1<<16)
	for _, e := range files {
		head, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git: %s: %w", e.name, err)
		}
		f := strings.Fields(head)
		if len(f) != 3 {
			return fmt.Errorf("git: %s: its content is not there: a partial clone?", e.name)
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return fmt.Errorf("git: %s: %w", e.name, err)
		}
		if err := writeEntry(root, e, io.LimitReader(in, size)); err != nil {
			return err
		}
		if _, err := in.Discard(1); err != nil {
			return err
		}
	}
	return nil
}

// writeEntry writes a file, or a symbolic link that leads to a place within the tree. Links that lead
// out of it are left out.
func writeEntry(root string, e entry, content io.Reader) error {
	if !filepath.IsLocal(filepath.FromSlash(e.name)) {
		return fmt.Errorf("git: %q is no name of a file within a tree", e.name)
	}
	name := filepath.Join(root, filepath.FromSlash(e.name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if e.mode == "120000" {
		to, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		if path.IsAbs(string(to)) || !filepath.IsLocal(path.Join(path.Dir(e.name), string(to))) {
			return nil
		}
		return os.Symlink(filepath.FromSlash(string(to)), name)
	}
	mode := os.FileMode(0o644)
	if e.mode == "100755" {
		mode = 0o755
	}
	// A link of the same tree must not redirect the write.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
