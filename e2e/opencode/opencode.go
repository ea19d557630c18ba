// Package opencode installs the pinned OpenCode client and gives it a home in
// which it talks to e2e/model, so that end-to-end tests run the real program.
package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"aside/e2e/client"
)

// Version is the client's version. What aside knows about it was measured
// with this one: measure again before raising it.
const Version = "1.18.33"

// Install returns the path of the client's program, fetching it unless it is
// in the cache (e2e/client).
func Install(ctx context.Context) (string, error) {
	platform, err := client.Platform("OpenCode")
	if err != nil {
		return "", err
	}
	return client.Program{
		Folder: "opencode-" + Version, Package: "opencode-ai@" + Version,
		Path: filepath.Join("node_modules", "opencode-"+platform, "bin", "opencode"),
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
	return h, client.WriteSettings(filepath.Join(dir, ".config", "opencode", "opencode.json"), text)
}

// Configure writes the configuration below an ASIDE_HOME that makes aside
// start the client at program in this home, without the network.
func (h Home) Configure(asideHome, program, _ string) error {
	text := fmt.Sprintf("default_agent = \"opencode\"\n\n[agents.opencode]\ncommand = %q\n\n[agents.opencode.env]\nHOME = %q\n"+
		"OPENCODE_DISABLE_AUTOUPDATE = \"1\"\nOPENCODE_DISABLE_MODELS_FETCH = \"1\"\n", program, h.Dir)
	return client.Configure(asideHome, text)
}
