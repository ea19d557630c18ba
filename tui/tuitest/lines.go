package tuitest

import (
	"strings"
	"testing"

	"aside/tui/cells"

	"github.com/charmbracelet/x/ansi"
)

// Plain returns drawn lines without their looks and the blanks at their ends.
// A line that is not w columns wide is an error.
func Plain(t testing.TB, lines []string, w int) []string {
	t.Helper()
	plain := make([]string, len(lines))
	for i, l := range lines {
		if got := cells.Width(l); got != w {
			t.Errorf("line %d has %d columns, want %d: %q", i, got, w, ansi.Strip(l))
		}
		plain[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return plain
}
