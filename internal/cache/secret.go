package cache

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// SecretEnv is the environment variable that names the file of the secret. It is for machines that share a
// cache and have no home directory.
const SecretEnv = "ASSAY_CACHE_SECRET"

// secretBytes is how long a secret is.
const secretBytes = 32

// SecretFile returns where the user's secret is kept. It is the file that the environment names, or a file in
// the user's directory of configuration. It is not in the directory of caches, which may be copied from
// machine to machine.
func SecretFile() (string, error) {
	if name := os.Getenv(SecretEnv); name != "" {
		return filepath.Abs(name)
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("cache: nowhere to keep its secret: %w", err)
	}
	return filepath.Join(dir, "assay", "cache-secret"), nil
}

// Secret returns the secret in a file that only the user can read. It makes one if there is none. If
// others can read the file, or may have written it, it is replaced, and all entries that were made with
// the old secret are lost.
func Secret(name string) ([]byte, error) {
	if secret, err := readSecret(name); err == nil {
		return secret, nil
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	secret := make([]byte, secretBytes)
	if _, err := rand.Read(secret); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if err := writeSecret(dir, name, secret); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	// Another process may have been faster, so the content of the file counts.
	secret, err := readSecret(name)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return secret, nil
}

// writeSecret makes a file with this name that holds the secret, unless another process has made a good one.
func writeSecret(dir, name string, secret []byte) (err error) {
	f, err := os.CreateTemp(dir, "new-*") // for the user alone: 0600
	if err != nil {
		return err
	}
	defer func() {
		if rmErr := os.Remove(f.Name()); rmErr != nil && !errors.Is(rmErr, fs.ErrNotExist) && err == nil {
			err = rmErr
		}
	}()
	_, err = f.Write(secret)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	// A link is made only if the name is free, so only one of two processes succeeds.
	if os.Link(f.Name(), name) == nil {
		return nil
	}
	if _, err := readSecret(name); err == nil {
		return nil
	}
	return os.Rename(f.Name(), name)
}

// readSecret returns the secret in a file that only the user can read and write.
func readSecret(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := usersAlone(info); err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it is only read
	secret, err := readRegular(f)
	if err == nil && len(secret) != secretBytes {
		err = fmt.Errorf("%s is no secret", name)
	}
	return secret, err
}
