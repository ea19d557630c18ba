// Package claude installs the pinned Claude Code client and gives it a home
// in which it starts without its first-run screens, so that end-to-end tests
// and pictures run the real program against e2e/model.
package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"aside/e2e/client"
)

// Version is the client's version. What aside knows about it was measured
// with this one: measure again before raising it.
const Version = "2.1.328"

// apiKey is a dummy; the model server takes any.
const apiKey = "sk-ant-api03-no-key-at-all-0123456789abcdefghij"

// Install returns the path of the client's program, fetching it unless it is
// in the cache (e2e/client).
func Install(ctx context.Context) (string, error) {
	platform, err := client.Platform("Claude Code")
	if err != nil {
		return "", err
	}
	return client.Program{
		Folder: "claude-" + Version, Package: "@anthropic-ai/claude-code@" + Version,
		Path: filepath.Join("node_modules", "@anthropic-ai", "claude-code-"+platform, "claude"),
	}.Install(ctx)
}

// Home is a home folder for the client.
type Home struct{ Dir string }

// NewHome makes dir the home of a client that has been started before, knows
// the dummy key and trusts the project folders.
func NewHome(dir string, projects ...string) (Home, error) {
	trusted := map[string]any{}
	for _, p := range projects {
		resolved, err := filepath.EvalSymlinks(p)
		if err != nil {
			return Home{}, fmt.Errorf("trust project: %w", err)
		}
		for _, path := range []string{p, resolved} {
			trusted[path] = map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}
		}
	}
	data, err := json.MarshalIndent(map[string]any{
		"hasCompletedOnboarding": true,
		"lastOnboardingVersion":  Version,
		"theme":                  "dark",
		"customApiKeyResponses":  map[string]any{"approved": []string{apiKey[len(apiKey)-20:]}, "rejected": []string{}},
		"projects":               trusted,
	}, "", "  ")
	if err != nil {
		return Home{}, fmt.Errorf("write client settings: %w", err)
	}
	return Home{Dir: dir}, client.WriteSettings(filepath.Join(dir, ".claude.json"), data)
}

// Env returns the variables that point the client at this home and at a model
// server, and keep it off the network. Where it runs adds PATH, TERM and LANG.
func (h Home) Env(modelURL string) map[string]string {
	return map[string]string{
		"HOME":                h.Dir,
		"ANTHROPIC_BASE_URL":  modelURL,
		"ANTHROPIC_API_KEY":   apiKey,
		"DISABLE_AUTOUPDATER": "1",
		"DISABLE_TELEMETRY":   "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
	}
}

// Configure writes the configuration below an ASIDE_HOME that makes aside
// start the client at program in this home, asking for every command, against
// the model server.
func (h Home) Configure(asideHome, program, modelURL string) error {
	var b strings.Builder
	b.WriteString("default_agent = \"claude\"\n\n[agents.claude]\n")
	fmt.Fprintf(&b, "command = %q\nargs = [\"--permission-mode\", \"manual\"]\n\n[agents.claude.env]\n", program)
	env := h.Env(modelURL)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		fmt.Fprintf(&b, "%s = %q\n", name, env[name])
	}
	return client.Configure(asideHome, b.String())
}
