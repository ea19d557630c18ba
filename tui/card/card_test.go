package card

import (
	"strings"
	"testing"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/intent"
	"aside/tui/theme"
	"aside/tui/tuitest"
)

func proposal() session.Proposal {
	return session.Proposal{
		ID: "p1", Title: "Make the settings loader report bad input", State: session.ProposalStanding,
		Summary:   "The loader swallows malformed YAML and falls back to defaults. This would make it return the file, line and reason, and cover it with tests.",
		Rationale: "it is unrelated to the parser fix at hand.",
		Prompt:    "Make LoadSettings return errors.\nCover it\x1b[31m with tests.",
		Files:     []string{"settings/load.go", "settings/load_test.go", "a.go", "b.go", "c.go", "d.go"},
	}
}

func draw(t *testing.T, c Card, w int) (string, []intent.Zone) {
	t.Helper()
	lines, zones := c.Draw(theme.New(true, theme.Colors256), w)
	return strings.Join(tuitest.Plain(t, lines, w), "\n"), zones
}

func TestStandingCard(t *testing.T) {
	got, _ := draw(t, Card{Proposal: proposal(), Outlook: "own checkout from fix-parser · 2 uncommitted files left out"}, 80)
	want := ` ▌ Proposed thread
 ▌ Make the settings loader report bad input
 ▌
 ▌ The loader swallows malformed YAML and falls back to defaults. This would
 ▌ make it return the file, line and reason, and cover it with tests.
 ▌ Why apart: it is unrelated to the parser fix at hand.
 ▌
 ▌ own checkout from fix-parser · 2 uncommitted files left out
 ▌ settings/load.go, settings/load_test.go, a.go, b.go +2 more
 ▌ ▸ The prompt it would start with
 ▌
 ▌  Start this thread  s     Not now  n                      e edit  c choose`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestSettledCards(t *testing.T) {
	p := proposal()
	p.Title = "Cover the loader with tests"
	for name, tt := range map[string]struct {
		state session.ProposalState
		mode  session.CheckoutMode
		card  Card
		want  string
	}{
		"started": {
			session.ProposalStarted, session.CheckoutWorktree,
			Card{Linked: true, Doing: "working"},
			" ✓ Thread started   Cover the loader with tests           working · Open thread o",
		},
		"mode not known": {
			session.ProposalStarted, session.CheckoutUnknown,
			Card{Linked: true, Doing: "done"},
			" ✓ Thread started   Cover the loader with tests              done · Open thread o",
		},
		"shared": {
			session.ProposalStarted, session.CheckoutShared,
			Card{Linked: true, Doing: "done"},
			" ✓ Started in the shared checkout   Cover the loader with t… done · Open thread o",
		},
		"its thread is gone": {
			session.ProposalStarted, session.CheckoutWorktree,
			Card{},
			" ✓ Thread started   Cover the loader with tests",
		},
		"dismissed": {
			session.ProposalDismissed, "",
			Card{},
			" ✕ Not now          Cover the loader with tests                                 ▸",
		},
	} {
		c := tt.card
		c.Proposal, c.Outlook = p, "own checkout from main"
		c.Proposal.State, c.Proposal.CheckoutMode = tt.state, tt.mode
		if got, _ := draw(t, c, 81); got != tt.want {
			t.Errorf("%s:\n%q\n%q", name, got, tt.want)
		}
	}
}

func TestTitleOfASettledCardIsSeenWhereItIsNarrow(t *testing.T) {
	p := proposal()
	p.Title, p.State, p.CheckoutMode = "Cover the loader with tests", session.ProposalStarted, session.CheckoutShared
	want := " ✓ Started in the shared checkout       done · Open thread o\n   Cover the loader with tests"
	if got, zones := draw(t, Card{Proposal: p, Linked: true, Doing: "done"}, 60); got != want || zones[0].Y != 0 {
		t.Errorf("%q\n%q", got, want)
	}
}

func TestPromptIsShownWithMarks(t *testing.T) {
	got, _ := draw(t, Card{Proposal: proposal(), Open: true}, 60)
	if !strings.Contains(got, "▾ The prompt") || !strings.Contains(got, "Cover it⟨U+001B⟩[31m with tests.") {
		t.Errorf("got:\n%s", got)
	}
}

func TestDismissedCardOpens(t *testing.T) {
	p := proposal()
	p.State = session.ProposalDismissed
	got, zones := draw(t, Card{Proposal: p, Open: true, Outlook: "own checkout"}, 60)
	if !strings.Contains(got, "Bring it back  b") || strings.Contains(got, "Start this") || strings.Contains(got, "own checkout") {
		t.Errorf("got:\n%s", got)
	}
	lines := strings.Split(got, "\n")
	if do, ok := intent.Hit(zones, 5, len(lines)-1); !ok || do != intent.BringBack {
		t.Errorf("a click on the button means %q", do)
	}
}

func TestClicks(t *testing.T) {
	got, zones := draw(t, Card{Proposal: proposal()}, 80)
	lines := strings.Split(got, "\n")
	for label, want := range map[string]intent.Intent{
		"Start this thread": intent.Start, "Not now": intent.NotNow, "▸ The prompt": intent.Prompt, "The loader": intent.Focus,
	} {
		for y, l := range lines {
			if x := strings.Index(l, label); x >= 0 {
				col := cells.Width(l[:x])
				if do, ok := intent.Hit(zones, col, y); !ok || do != want {
					t.Errorf("a click on %q means %q", label, do)
				}
			}
		}
	}
}

func TestHostileTextStaysInTheCard(t *testing.T) {
	p := proposal()
	p.Title, p.Summary = "a\x1b[2J\nb", strings.Repeat("x", 500)+"\x1b]0;t\x07\u202e"
	p.Files = []string{"a\nb", "c\x1bPq\x1b\\"}
	lines, _ := Card{Proposal: p, Open: true, Problem: "bad\x1b[2J"}.Draw(theme.New(true, 0), 40)
	for _, l := range lines {
		if strings.Contains(l, "[2J\x1b") || strings.Contains(l, "\x1b]") || strings.Contains(l, "\u202e") || strings.Contains(l, "\n") {
			t.Errorf("line %q", l)
		}
	}
	for w := range 12 {
		Card{Proposal: p, Open: true}.Draw(theme.New(true, 0), w)
	}
}
