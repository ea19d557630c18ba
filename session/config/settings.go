package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// setting is one line of the configuration file: what the file is checked
// against, and what the commented file is printed from.
type setting struct {
	key   string // its path with * for a name that the person chooses
	about string // a sentence a line
	// needs says what a value has to be, or "" when it is that.
	needs func(v any) string
	// value is the current value as it is written in the file; nil for the
	// settings below a name, which are shown by example.
	value   func(Config) string
	example string
}

// settings are all there are, in the order of the commented file.
func settings() []setting {
	return []setting{
		{
			key: "leader", needs: aKey, value: func(c Config) string { return quoted(c.Leader) },
			about: "The key that reaches aside from a terminal; pressed twice it goes through.\nctrl or alt with a character, such as ctrl+space, ctrl+b or alt+a.",
		},
		{
			key: "default_agent", needs: aText, value: func(c Config) string { return quoted(c.DefaultAgent) },
			about: "The agent of a thread that names none; \"\" is the first that is installed.",
		},
		{
			key: "theme", needs: oneOf("auto", "dark", "light", "16", "none"), value: func(c Config) string { return quoted(c.Theme) },
			about: "The colours: \"auto\" asks the terminal whether its ground is dark and how many\ncolours it has, and follows it when that changes; \"dark\" and \"light\" say it;\n\"16\" keeps to the terminal's own 16; \"none\" uses none, as the environment's\nNO_COLOR does.",
		},
		{
			key: "reduced_motion", needs: aSwitch, value: func(c Config) string { return fmt.Sprint(c.ReducedMotion) },
			about: "Nothing moves by time alone: no running clocks, no blinking cursor.",
		},
		{
			key: "plain", needs: aSwitch, value: func(c Config) string { return fmt.Sprint(c.Plain) },
			about: "Plain mode, for screen readers: aside speaks in lines of words and draws\nnothing. The same as aside --plain and ASIDE_PLAIN=1.",
		},
		{
			key: "notify", needs: oneOf("off", "bell", "osc9", "osc777"), value: func(c Config) string { return quoted(c.Notify) },
			about: "How you are called when a thread needs you while the window does not have the\nfocus: \"off\", \"bell\", or a notification of the terminal by \"osc9\" or \"osc777\".\nPlain mode knows the bell only, and rings it wherever the focus is.",
		},
		{
			key: "clipboard", needs: oneOf("ask", "allow", "deny"), value: func(c Config) string { return quoted(c.Clipboard) },
			about: "Whether the program in the terminal you look at may write your clipboard\n(OSC 52): \"ask\", \"allow\" or \"deny\". None may ever read it.",
		},
		{
			key: "hold", needs: aTime, value: func(c Config) string { return quoted(c.Hold.String()) },
			about: "How long a decision waits for your answer before the agent's own prompt takes\nover.",
		},
		{
			key: "hold_before", needs: aTime, value: func(c Config) string { return quoted(c.HoldBefore.String()) },
			about: "How long it waits where the agent shows its own prompt only afterwards.",
		},
		{key: "agents", needs: aTable},
		{key: "agents.*", needs: aTable, about: "How an agent is started: claude, codex, opencode, demo or generic."},
		{key: "agents.*.command", needs: aText, about: "its program", example: `"/opt/claude/bin/claude"`},
		{key: "agents.*.args", needs: texts, about: "put before aside's own", example: `["--verbose"]`},
		{key: "agents.*.env", needs: aTable, about: "$NAME stands for what it is in aside's environment", example: `{ CLAUDE_CONFIG_DIR = "$HOME/.claude-work" }`},
		{key: "agents.*.env.*", needs: aText},
		{key: "agents.*.model", needs: aText, about: "as the agent names it", example: `"opus"`},
		{key: "projects", needs: aTable},
		{key: "projects.*", needs: aTable, about: "What holds for a project's folder; ~ is the home folder."},
		{key: "projects.*.worktrees", needs: oneOf("auto", "never"), about: "whether threads get a checkout of their own: \"auto\" or \"never\"", example: `"never"`},
		{key: "projects.*.setup", needs: aText, about: "for sh, in a new worktree before its agent starts", example: `"npm ci"`},
	}
}

// named returns the setting of a key of the file.
func named(key []string) (setting, bool) {
	for _, s := range settings() {
		parts := strings.Split(s.key, ".")
		if len(parts) == len(key) && !slices.ContainsFunc(parts, func(p string) bool { return p != "*" && p != key[slices.Index(parts, p)] }) {
			return s, true
		}
	}
	return setting{}, false
}

func oneOf(words ...string) func(any) string {
	return func(v any) string {
		if s, ok := v.(string); ok && slices.Contains(words, s) {
			return ""
		}
		list := make([]string, len(words))
		for i, w := range words {
			list[i] = quoted(w)
		}
		last := len(list) - 1
		return strings.Join(list[:last], ", ") + " or " + list[last]
	}
}

func aText(v any) string {
	if _, ok := v.(string); ok {
		return ""
	}
	return "a text in quotes"
}

func aSwitch(v any) string {
	if _, ok := v.(bool); ok {
		return ""
	}
	return "true or false"
}

func aTime(v any) string {
	if s, ok := v.(string); ok {
		if d, err := time.ParseDuration(s); err == nil && d > 0 {
			return ""
		}
	}
	return `a time above zero, such as "4h" or "90s"`
}

// aKey takes what every terminal can tell from other keys, so that nobody locks
// themselves out.
func aKey(v any) string {
	s, _ := v.(string)
	mod, key, _ := strings.Cut(s, "+")
	single := len(key) == 1
	switch {
	case mod == "ctrl" && (key == "space" || single && strings.Contains(`@abcdefghijklmnopqrstuvwxyz\]^_`, key)):
		return ""
	case mod == "alt" && single && key > " " && key <= "~" && key != "[" && (key < "A" || key > "Z"):
		return ""
	}
	return `ctrl or alt with a character, such as "ctrl+space", "ctrl+b" or "alt+a"`
}

func aTable(v any) string {
	if _, ok := v.(map[string]any); ok {
		return ""
	}
	return "a table"
}

func texts(v any) string {
	list, ok := v.([]any)
	if !ok || slices.ContainsFunc(list, func(v any) bool { return aText(v) != "" }) {
		return "a list of texts in quotes"
	}
	return ""
}

// quoted returns a text as TOML writes it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
