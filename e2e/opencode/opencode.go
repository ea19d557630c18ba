// Package opencode installs the pinned OpenCode client and gives it a home in
// which it talks to e2e/model, so that end-to-end tests run the real program.
package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"aside/e2e/npm"
)

// Version is the client's version. What aside knows about it was measured
// with this one: measure again before raising it.
const Version = "1.18.33"

// Install returns the path of the client's program, fetching it unless it is
// in the cache (e2e/npm).
func Install(ctx context.Context) (string, error) {
	cpu, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return "", fmt.Errorf("install OpenCode: there is none for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	return npm.Program{
		Folder: "opencode-" + Version, Package: "opencode-ai@" + Version,
		Path: filepath.Join("node_modules", "opencode-"+runtime.GOOS+"-"+cpu, "bin", "opencode"),
	}.Install(ctx)
}

// Home is a home folder for the client, for one model server.
type Home struct{ Dir string }

// NewHome makes dir the home of a client that talks to the model server and
// asks for every command.
func NewHome(dir, modelURL string) (Home, error) {
	h := Home{Dir: dir}
	text, err := json.Marshal(map[string]any{
		"model": "anthropic/claude-sonnet-4-5", "small_model": "anthropic/claude-sonnet-4-5", "autoupdate": false,
		"provider":   map[string]any{"anthropic": map[string]any{"options": map[string]any{"baseURL": modelURL + "/v1", "apiKey": "none"}}},
		"permission": map[string]string{"bash": "ask", "aside_propose_thread": "ask"},
	})
	if err != nil {
		return h, fmt.Errorf("write client settings: %w", err)
	}
	folder := filepath.Join(dir, ".config", "opencode")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return h, fmt.Errorf("write client settings: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "opencode.json"), text, 0o600); err != nil {
		return h, fmt.Errorf("write client settings: %w", err)
	}
	return h, nil
}

// Configure writes the configuration below an ASIDE_HOME that makes aside
// start the client at program in this home, without the network.
func (h Home) Configure(asideHome, program, _ string) error {
	dir := filepath.Join(asideHome, "config")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("configure aside: %w", err)
	}
	text := fmt.Sprintf("default_agent = \"opencode\"\n\n[agents.opencode]\ncommand = %q\n\n[agents.opencode.env]\nHOME = %q\n"+
		"OPENCODE_DISABLE_AUTOUPDATE = \"1\"\nOPENCODE_DISABLE_MODELS_FETCH = \"1\"\n", program, h.Dir)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		return fmt.Errorf("configure aside: %w", err)
	}
	return nil
}
