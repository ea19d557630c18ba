package pty

import "strings"

// The terminal that a child is told it runs in. Agents turn on their best
// keyboard only for a terminal program they know; the emulator of
// session/screen does what this one does.
const (
	term           = "xterm-256color"
	colorTerm      = "truecolor"
	termProgram    = "ghostty"
	programVersion = "1.3.0"
)

// dropped are the variables that speak of another terminal, another
// multiplexer, an enclosing agent, or of aside itself; a name that ends in _
// stands for all that begin with it.
var dropped = []string{
	"ASIDE_", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "TERMINFO", "COLORTERM",
	"COLUMNS", "LINES", "TMUX", "TMUX_", "STY", "WINDOW", "ZELLIJ", "ZELLIJ_", "KITTY_", "WEZTERM_",
	"ITERM_", "LC_TERMINAL", "LC_TERMINAL_VERSION", "GHOSTTY_", "ALACRITTY_", "KONSOLE_", "VTE_VERSION",
	"WT_SESSION", "WT_PROFILE_ID", "VSCODE_", "INSIDE_EMACS", "WINDOWID",
	"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT",
}

// Environment returns the environment of a child: the user's own, less what
// speaks of another terminal or of aside, with aside's terminal and the
// additions, of which a later one wins.
func Environment(user, additions []string) []string {
	env := make([]string, 0, len(user)+len(additions)+4)
	for _, kv := range user {
		name, _, ok := strings.Cut(kv, "=")
		if ok && !isDropped(name) {
			env = append(env, kv)
		}
	}
	env = append(env,
		"TERM="+term, "COLORTERM="+colorTerm,
		"TERM_PROGRAM="+termProgram, "TERM_PROGRAM_VERSION="+programVersion)
	return append(env, additions...)
}

func isDropped(name string) bool {
	for _, d := range dropped {
		if name == d || strings.HasSuffix(d, "_") && strings.HasPrefix(name, d) {
			return true
		}
	}
	return false
}
