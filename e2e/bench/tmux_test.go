package bench

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aside/e2e/term"
)

// tmux is a server of its own with one client on a terminal.
type tmux struct {
	socket string
	server int // process
	client *term.Terminal
}

// tmuxThere says whether there is a tmux to compare with.
func tmuxThere(b *testing.B) bool {
	b.Helper()
	_, err := exec.LookPath("tmux")
	if err != nil {
		b.Logf("NOT COMPARED: there is no tmux, install it: %v", err)
	}
	return err == nil
}

// openTmux opens tmux on a terminal, with this program as an agent that does
// what the first line says, and, in windows behind it, what the others say.
func openTmux(b *testing.B, cols, rows int, tap func([]byte), lines ...string) *tmux {
	b.Helper()
	m := &tmux{socket: filepath.Join(tempDir(b), "sock")}
	self, err := filepath.Abs(selfPath(b))
	check(b, err)
	env := append(plainEnv(), agentFlag+"=1")
	m.client = run(b, term.Options{
		Command: []string{"tmux", "-u", "-f", "/dev/null", "-S", m.socket, "new-session", self},
		Dir:     filepath.Dir(m.socket), Env: env, Cols: cols, Rows: rows, Output: tap,
	})
	b.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	see(b, m.client, `\[0\] 0:`)
	for i, line := range lines {
		if i > 0 {
			m.do(b, "new-window", "-d", "-n", "agent"+strconv.Itoa(i), self)
		}
		m.do(b, "send-keys", "-t", ":"+strconv.Itoa(i), "-l", line)
		m.do(b, "send-keys", "-t", ":"+strconv.Itoa(i), "Enter")
	}
	see(b, m.client, working)
	m.server, err = strconv.Atoi(m.do(b, "display-message", "-p", "#{pid}"))
	check(b, err)
	return m
}

func (m *tmux) do(b *testing.B, args ...string) string {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), "tmux", append([]string{"-S", m.socket}, args...)...).CombinedOutput()
	if err != nil {
		b.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
