// Package npm fetches the pinned programs of the end-to-end tests, once for
// all tests of a machine.
package npm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Program is a program in a package of npm's registry.
type Program struct {
	Folder  string // in the cache, with the version in its name
	Package string // with its version
	Path    string // of the program, below an install folder
}

// Install returns the path of the program, fetching it with npm unless it is
// in the cache: $ASIDE_E2E_CACHE, or aside-e2e in the user's cache folder.
// Processes that install at once do not disturb each other.
func (p Program) Install(ctx context.Context) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	final := filepath.Join(cache, p.Folder)
	installed := filepath.Join(final, p.Path)
	if _, err := os.Stat(installed); err == nil {
		return installed, nil
	}
	if err := p.fetch(ctx, cache, final); err != nil {
		return "", fmt.Errorf("install %s: %w", p.Package, err)
	}
	if _, err := os.Stat(installed); err != nil {
		return "", fmt.Errorf("install %s: %s holds no program: %w", p.Package, final, err)
	}
	return installed, nil
}

func cacheDir() (string, error) {
	if dir := os.Getenv("ASIDE_E2E_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "aside-e2e"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	return filepath.Join(home, ".cache", "aside-e2e"), nil
}

// fetch installs into a folder of its own and moves it into place whole.
func (p Program) fetch(ctx context.Context, cache, final string) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(cache, "install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // a left-over in a cache folder does no harm
	// The program is a file of the platform's package: no script has to run.
	npm := exec.CommandContext(ctx, "npm", "install", "--prefix", work, "--ignore-scripts", "--no-audit", "--no-fund", p.Package)
	npm.Dir = work
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, out)
	}
	if err := os.Rename(work, final); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
