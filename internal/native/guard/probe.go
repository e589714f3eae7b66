package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Report says whether this system can confine a process.
type Report struct {
	Confined bool   // the system can do everything that Require asks for
	How      string // how a process is confined, or why it cannot be
}

// Probe confines a process and makes it try what it must not do: write and read a file outside of its
// directory, open a socket, start a process. If the kernel does not enforce the restrictions, this shows here
// and not in the user's files.
func Probe(ctx context.Context) (Report, error) {
	if !Available {
		_, err := confine(nil)
		return Report{How: err.Error()}, nil
	}
	dir, err := os.MkdirTemp("", "assay-probe-")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(dir) // a leftover temporary directory does no harm
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // Landlock's rules are about real paths
	}
	own, decoy := filepath.Join(dir, "own"), filepath.Join(dir, "decoy")
	if err := errors.Join(os.Mkdir(own, 0o700), os.WriteFile(decoy, []byte(decoyText), 0o600)); err != nil {
		return Report{}, err
	}
	self, variable, err := shim(spec{Policy: Policy{Mode: Require, Write: []string{own}}, Probe: dir})
	if err != nil {
		return Report{}, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = []string{variable}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return Report{}, fmt.Errorf("try confinement: %w: %s", err, strings.TrimSpace(said.String()))
	}
	var r Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return Report{}, ErrNoShim
	}
	if text, err := os.ReadFile(decoy); r.Confined && (err != nil || string(text) != decoyText) {
		r = Report{How: "the file system is not protected, although the kernel says so"}
	}
	return r, nil
}

// decoyText is the content of a file that must not be changed.
const decoyText = "as it was"

// probe tries the confinement of this process on a directory of Probe's, writes a Report
// to standard output and ends the process.
func probe(s *spec, how string, err error) {
	r := Report{Confined: err == nil, How: how}
	if err != nil {
		r.How = err.Error()
	} else if did := misdeeds(s.Probe); len(did) > 0 {
		r = Report{How: "although the kernel says so, a process is not confined: it can " + strings.Join(did, ", ")}
	}
	text, err := json.Marshal(r)
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		failed(err)
	}
	os.Exit(0)
}

// misdeeds tries what a confined process must not do, and returns the attempts that succeeded.
func misdeeds(dir string) []string {
	var did []string
	try := func(what string, err error) {
		if err == nil {
			did = append(did, what)
		}
	}
	decoy := filepath.Join(dir, "decoy")
	_, err := os.ReadFile(decoy)
	try("read files of others", err)
	try("write files of others", os.WriteFile(decoy, []byte("changed"), 0o600))
	try("create files elsewhere", os.WriteFile(filepath.Join(dir, "new"), nil, 0o600))
	try("change modes of files", os.Chmod(decoy, 0o644))
	for what, err := range reachOut() {
		try(what, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own", "file"), []byte("x"), 0o600); err != nil {
		did = append(did, "not write to its own directory: "+err.Error())
	}
	return did
}
