// Package codex installs the pinned Codex client and gives it a home in which
// it starts without its first-run screens, so that end-to-end tests run the
// real program against e2e/model.
package codex

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"aside/e2e/npm"
)

// Version is the client's version. What aside knows about it was measured
// with this one: measure again before raising it.
const Version = "0.171.0"

// Install returns the path of the client's program, fetching it unless it is
// in the cache (e2e/npm).
func Install(ctx context.Context) (string, error) {
	type machine struct{ os, arch string }
	found, ok := map[machine]struct{ name, triple string }{
		{"linux", "amd64"}:  {"linux-x64", "x86_64-unknown-linux-musl"},
		{"linux", "arm64"}:  {"linux-arm64", "aarch64-unknown-linux-musl"},
		{"darwin", "amd64"}: {"darwin-x64", "x86_64-apple-darwin"},
		{"darwin", "arm64"}: {"darwin-arm64", "aarch64-apple-darwin"},
	}[machine{runtime.GOOS, runtime.GOARCH}]
	if !ok {
		return "", fmt.Errorf("install Codex: there is none for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	return npm.Program{
		Folder: "codex-" + Version, Package: "@openai/codex@" + Version,
		Path: filepath.Join("node_modules", "@openai", "codex-"+found.name, "vendor", found.triple, "bin", "codex"),
	}.Install(ctx)
}

// Home is a home folder for the client, for one model server.
type Home struct{ Dir string }

// NewHome makes dir the home of a client that talks to the model server and
// trusts the project folders.
func NewHome(dir, modelURL string, projects ...string) (Home, error) {
	h := Home{Dir: dir}
	var b strings.Builder
	fmt.Fprintf(&b, "model = \"gpt-5.2\"\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\n"+
		"base_url = %q\nwire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n", modelURL+"/v1")
	for _, p := range projects {
		resolved, err := filepath.EvalSymlinks(p)
		if err != nil {
			return h, fmt.Errorf("trust project: %w", err)
		}
		fmt.Fprintf(&b, "\n[projects.%q]\ntrust_level = \"trusted\"\n", resolved)
	}
	if err := os.MkdirAll(filepath.Dir(h.Config()), 0o700); err != nil {
		return h, fmt.Errorf("write client settings: %w", err)
	}
	if err := os.WriteFile(h.Config(), []byte(b.String()), 0o600); err != nil {
		return h, fmt.Errorf("write client settings: %w", err)
	}
	return h, nil
}

// Config is the client's own configuration file.
func (h Home) Config() string { return filepath.Join(h.Dir, ".codex", "config.toml") }

// Configure writes the configuration below an ASIDE_HOME that makes aside
// start the client at program in this home.
func (h Home) Configure(asideHome, program, _ string) error {
	dir := filepath.Join(asideHome, "config")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("configure aside: %w", err)
	}
	text := fmt.Sprintf("default_agent = \"codex\"\n\n[agents.codex]\ncommand = %q\n\n[agents.codex.env]\nHOME = %q\nSCRIPTED_KEY = \"none\"\n", program, h.Dir)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		return fmt.Errorf("configure aside: %w", err)
	}
	return nil
}
