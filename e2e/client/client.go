// Package client fetches the pinned clients of the end-to-end tests, once for
// all tests of a machine, and writes their settings.
package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Platform names this machine as the clients' packages do, such as linux-x64.
func Platform(title string) (string, error) {
	cpu, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return "", fmt.Errorf("install %s: there is none for %s on %s", title, runtime.GOOS, runtime.GOARCH)
	}
	return runtime.GOOS + "-" + cpu, nil
}

// WriteSettings writes a file of a client's own settings, and the folders above
// it.
func WriteSettings(path string, text []byte) error {
	if err := write(path, text); err != nil {
		return fmt.Errorf("write client settings: %w", err)
	}
	return nil
}

// Configure writes the configuration below an ASIDE_HOME.
func Configure(asideHome, text string) error {
	if err := write(filepath.Join(asideHome, "config", "config.toml"), []byte(text)); err != nil {
		return fmt.Errorf("configure aside: %w", err)
	}
	return nil
}

func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

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
