// Package codex installs the pinned Codex client and gives it a home in which
// it starts without its first-run screens, so that end-to-end tests run the
// real program against e2e/model.
package codex

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"aside/e2e/client"
)

// Version is the client's version. What aside knows about it was measured
// with this one: measure again before raising it.
const Version = "0.171.0"

// Install returns the path of the client's program, fetching it unless it is
// in the cache (e2e/client).
func Install(ctx context.Context) (string, error) {
	platform, err := client.Platform("Codex")
	if err != nil {
		return "", err
	}
	triple := map[string]string{
		"linux-x64":    "x86_64-unknown-linux-musl",
		"linux-arm64":  "aarch64-unknown-linux-musl",
		"darwin-x64":   "x86_64-apple-darwin",
		"darwin-arm64": "aarch64-apple-darwin",
	}[platform]
	return client.Program{
		Folder: "codex-" + Version, Package: "@openai/codex@" + Version,
		Path: filepath.Join("node_modules", "@openai", "codex-"+platform, "vendor", triple, "bin", "codex"),
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
	return h, client.WriteSettings(h.Config(), []byte(b.String()))
}

// Config is the client's own configuration file.
func (h Home) Config() string { return filepath.Join(h.Dir, ".codex", "config.toml") }

// Configure writes the configuration below an ASIDE_HOME that makes aside
// start the client at program in this home.
func (h Home) Configure(asideHome, program, _ string) error {
	text := fmt.Sprintf("default_agent = \"codex\"\n\n[agents.codex]\ncommand = %q\n\n[agents.codex.env]\nHOME = %q\nSCRIPTED_KEY = \"none\"\n", program, h.Dir)
	return client.Configure(asideHome, text)
}
