//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aside/e2e/model"
	"aside/proposals/actions"
	"aside/session"
)

const (
	channelPattern = `v1\.[0-9a-f]{32}\.[0-9a-f]{32}`
	touchPayload   = `{"schema_version":1,"choices":[{"title":"Make the file","actions":[{"type":"run","command":"touch made-by-card"}]}]}`
)

// permissionMode makes the client of the next threads run in another mode.
func (s *stage) permissionMode(t *testing.T, mode string) {
	t.Helper()
	home := ""
	for _, kv := range s.env {
		if v, ok := strings.CutPrefix(kv, "ASIDE_HOME="); ok {
			home = v
		}
	}
	path := filepath.Join(home, "config", "config.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `"manual"`, fmt.Sprintf("%q", mode), 1))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// bash is a script's line that runs a command.
func bash(t *testing.T, command string) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]any{"command": command, "timeout": 600000}); err != nil {
		t.Fatal(err)
	}
	return "@tool Bash " + strings.TrimSpace(b.String())
}

func withChannel(t *testing.T, command string) string {
	t.Helper()
	return "@recall CHANNEL " + channelPattern + "\n" + bash(t, command) + "\n@text The user has answered."
}

// card waits until one card is pending.
func (s *stage) card(t *testing.T) session.ActionCard {
	t.Helper()
	return await(t, "a card", func() (session.ActionCard, bool) {
		found := listed[session.ActionCard](t, s, "actions")
		if len(found) == 0 {
			return session.ActionCard{}, false
		}
		return the(t, found), true
	})
}

// asksNothing fails when the agent asks for a permission, in the bar or in its
// own terminal.
func (s *stage) asksNothing(t *testing.T, thread string) {
	t.Helper()
	if held := listed[session.Decision](t, s, "decisions"); len(held) != 0 {
		t.Errorf("the agent is held on %+v", held)
	}
	if screen := s.aside(t, "screen", thread); strings.Contains(screen, "Do you want to proceed") {
		t.Errorf("the agent asks in its terminal:\n%s", screen)
	}
}

func replies(t *testing.T, output string) []actions.Reply {
	t.Helper()
	var all []actions.Reply
	for line := range strings.Lines(output) {
		var r actions.Reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q is no reply: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

func TestTheOneConfirmationOfATerminalActionIsItsCard(t *testing.T) {
	for _, mode := range []string{"manual", "auto"} {
		t.Run(mode, func(t *testing.T) {
			s := newStage(t)
			s.withAside(t)
			s.permissionMode(t, mode)
			thread := s.aside(t, "new", "--agent", "claude", "--checkout", "shared",
				withChannel(t, binary(t)+" propose-terminal-actions --channel CHANNEL --payload-json '"+touchPayload+"'"))
			c := s.card(t)
			s.asksNothing(t, thread)
			if string(c.Thread) != thread || c.Choices[0].Actions[0].Command != "touch made-by-card" || s.has(t, "made-by-card") {
				t.Errorf("the card is %+v", c)
			}
			s.aside(t, "confirm", string(c.ID), "1")
			got := replies(t, s.answered(t, 1)[0])
			if len(got) != 2 || got[0].Status != actions.Accepted || got[1].Status != "confirmed" || got[1].Choice != 1 {
				t.Errorf("the agent was told %+v", got)
			}
			await(t, "the file that the card makes", func() (struct{}, bool) { return struct{}{}, s.has(t, "made-by-card") })
			s.asksNothing(t, thread)
			if _, code := s.run(t, "confirm", string(c.ID), "1"); code != int(session.CodeSettled) {
				t.Errorf("a second time: status %d", code)
			}
		})
	}
}

func TestANearMissIsDeniedWithItsReasonAndTheRestIsTheOrdinaryWay(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	canonical := binary(t) + " propose-terminal-actions --channel CHANNEL --payload-json '" + touchPayload + "'"
	thread := s.aside(t, "new", "--agent", "claude", "--checkout", "shared",
		"@recall CHANNEL "+channelPattern+"\n"+
			bash(t, canonical+"; touch made-by-chain")+"\n"+
			bash(t, "cd . && "+canonical)+"\n"+
			bash(t, "touch made-by-agent")+"\n@text Enough.")
	got := s.answered(t, 2)
	for _, text := range got {
		if !strings.Contains(text, "Nothing was shown to the user") || !strings.Contains(text, binary(t)+" propose-terminal-actions --channel v1.") {
			t.Errorf("the agent was told %q", text)
		}
	}
	// Any other command takes the ordinary way: the person is asked.
	d := s.decision(t)
	if !strings.Contains(d.Detail+d.Title, "touch made-by-agent") {
		t.Errorf("the decision is %+v", d)
	}
	if cards := listed[session.ActionCard](t, s, "actions"); len(cards) != 0 || s.has(t, "made-by-chain") || s.has(t, "made-by-card") {
		t.Errorf("cards %+v", cards)
	}
	s.aside(t, "answer", string(d.ID), "deny")
	_ = thread
}

func TestACancelledCardTellsTheAgentAndDoesNothing(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared",
		withChannel(t, binary(t)+" propose-terminal-actions --channel CHANNEL --payload-json '"+touchPayload+"'"))
	c := s.card(t)
	s.aside(t, "cancel", string(c.ID))
	got := replies(t, s.answered(t, 1)[0])
	if len(got) != 2 || got[1].Status != "cancelled" || s.has(t, "made-by-card") {
		t.Errorf("the agent was told %+v", got)
	}
	if _, code := s.run(t, "confirm", string(c.ID), "1"); code != int(session.CodeSettled) {
		t.Errorf("confirmed after it was cancelled: status %d", code)
	}
}

// Escape in the agent's terminal ends the command, and with it the card.
func TestAnInterruptedCommandWithdrawsItsCard(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	s.aside(t, "new", "--agent", "claude", "--checkout", "shared",
		withChannel(t, binary(t)+" propose-terminal-actions --channel CHANNEL --payload-json '"+touchPayload+"'"))
	c := s.card(t)
	screen := s.open(t, binary(t))
	see(t, screen, `propose-terminal-actions`)
	await(t, "the end of the card", func() (struct{}, bool) {
		must(t, screen.Key("esc"))
		return struct{}{}, len(listed[session.ActionCard](t, s, "actions")) == 0
	})
	if _, code := s.run(t, "confirm", string(c.ID), "1"); code == 0 || s.has(t, "made-by-card") {
		t.Errorf("confirmed after it was withdrawn: status %d", code)
	}
}

func TestTheToolHoldsNoTurn(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	thread := s.aside(t, "new", "--agent", "claude", "--checkout", "shared", "--wait", "@text Hello.")
	s.offers(t, thread)
	s.aside(t, "send", thread, "@tool mcp__aside__propose_terminal_actions "+touchPayload+"\n@text I go on.")
	s.answered(t, 1)
	c := s.card(t)
	s.asksNothing(t, thread)
	if _, err := s.model.Await(deadline(t), func(r model.Request) bool { return len(r.ToolResults()) > 0 }); err != nil {
		t.Fatal(err)
	}
	s.aside(t, "confirm", string(c.ID), "1")
	await(t, "the file that the card makes", func() (struct{}, bool) { return struct{}{}, s.has(t, "made-by-card") })
	s.aside(t, "send", thread, fmt.Sprintf("@tool mcp__aside__terminal_action_result {\"card\":%q}\n@text Good.", c.ID))
	got := s.answered(t, 2)
	if !strings.Contains(got[len(got)-1], "confirmed: choice 1") {
		t.Errorf("the agent was told %q", got)
	}
}

func TestADelegatedTaskIsAThreadOfItsOwn(t *testing.T) {
	s := newStage(t)
	s.withAside(t)
	payload := `{"schema_version":1,"choices":[{"title":"Do it apart","actions":[{"type":"delegate","title":"Cover the loader","prompt":"@text It is covered."}]}]}`
	first := s.aside(t, "new", "--agent", "claude", "--checkout", "shared",
		withChannel(t, binary(t)+" propose-terminal-actions --channel CHANNEL --payload-json '"+payload+"'"))
	c := s.card(t)
	if n := len(listed[session.Thread](t, s, "threads", "--all")); n != 1 {
		t.Errorf("%d threads before it was confirmed", n)
	}
	s.aside(t, "confirm", string(c.ID), "1")
	got := replies(t, s.answered(t, 1)[0])
	if len(got) != 2 || got[1].Status != "confirmed" {
		t.Errorf("the agent was told %+v", got)
	}
	for _, th := range listed[session.Thread](t, s, "threads", "--all") {
		if string(th.ID) == first {
			continue
		}
		if th.Title != "Cover the loader" || th.ProposedBy == nil || string(th.ProposedBy.Thread) != first || th.Checkout.Mode != session.CheckoutWorktree {
			t.Errorf("the thread is %+v", th)
		}
		await(t, "the reply to its prompt", func() (string, bool) {
			out := s.aside(t, "transcript", string(th.ID))
			return out, strings.Contains(out, "It is covered.")
		})
		return
	}
	t.Error("no thread was started")
}
