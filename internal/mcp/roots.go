package mcp

//lint:file-ignore SA1019 roots are on their way out of the protocol, and clients have them for years to come

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsInput names the request for the client's roots in an answer that needs input.
const rootsInput = "roots"

// askInAnswer is the first version of the protocol in which a server asks its client in an answer.
const askInAnswer = "2026-07-28"

// roots returns the directories that the client allows, or the answer that asks for them. If the client
// has no roots, they are the server's own.
func (s *Server) roots(ctx context.Context, req *sdk.CallToolRequest) ([]string, *sdk.CallToolResult, error) {
	init := req.Session.InitializeParams()
	if init == nil || init.Capabilities == nil || init.Capabilities.RootsV2 == nil {
		return s.cfg.Roots, nil, nil
	}
	var list *sdk.ListRootsResult
	if init.ProtocolVersion >= askInAnswer {
		answer, ok := req.Params.InputResponses[rootsInput]
		if !ok {
			return nil, &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsInput: &sdk.ListRootsParams{}}}, nil
		}
		if list, ok = answer.(*sdk.ListRootsResult); !ok {
			return nil, nil, fmt.Errorf("the client's answer about its roots is a %T", answer)
		}
	} else {
		var err error
		if list, err = req.Session.ListRoots(ctx, nil); err != nil {
			return nil, nil, fmt.Errorf("the client's roots: %w", err)
		}
	}
	var out []string
	for _, r := range list.Roots {
		if dir, ok := fileOf(r.URI); ok {
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				out = append(out, real)
			}
		}
	}
	if len(list.Roots) == 0 {
		return s.cfg.Roots, nil, nil
	}
	if len(out) == 0 {
		return nil, nil, fmt.Errorf("none of the client's roots is a directory here")
	}
	return out, nil, nil
}

// fileOf returns the file that a URI names.
func fileOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	name := u.Path
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/") // a path like /C:/x
	}
	name = filepath.FromSlash(name)
	return name, filepath.IsAbs(name)
}

// fileUnder returns the absolute name of a file or directory that a call names, if it is in one of the
// roots. Names that are not absolute are relative to the first root.
func fileUnder(roots []string, name string) (string, error) {
	if name == "" {
		name = "."
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(roots[0], name)
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	for _, root := range roots {
		if rel, err := filepath.Rel(root, real); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(os.PathSeparator)) {
			return real, nil
		}
	}
	return "", fmt.Errorf("%s is outside of the roots (%s)", name, strings.Join(roots, ", "))
}

// directory does the same as fileUnder for a name that has to be a directory.
func directory(roots []string, name string) (string, error) {
	dir, err := fileUnder(roots, name)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is a file; name the directory of a package", name)
	}
	return dir, nil
}
