package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"aside/session"

	"github.com/clipperhouse/displaywidth"
)

func TestALongTitleLeavesTheRestOfItsRowInSight(t *testing.T) {
	d := session.Decision{
		ID: "abcdefghij", Thread: "klmnopqrst", Kind: session.KindPermission, Answerable: true, ReceivedAt: time.Now(),
		Title:   "日本 " + strings.Repeat("make everything && ", 10),
		Options: []session.Option{{ID: session.OptionOnce}, {ID: session.OptionDeny}},
	}
	var out bytes.Buffer
	if err := (Program{Out: &out}).columns([][]string{decisionRow(d)}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); displaywidth.String(got) > 120 || !strings.Contains(got, "日本 make everything") || !strings.Contains(got, "…  once,deny  0s") {
		t.Errorf("got %q", got)
	}
}

func TestADecisionIsShownWholeBeforeItIsAnswered(t *testing.T) {
	d := session.Decision{
		ID: "abcdefghij", Thread: "klmnopqrst", Kind: session.KindPermission, Tool: "Bash", ReceivedAt: time.Now(),
		Title: "make a⏎make b", Detail: "make a\nmake b\x1b[8m\u200b", Answerable: true,
		Options: []session.Option{
			{ID: session.OptionOnce, Label: "once"},
			{ID: "always1", Label: "always: Bash(make a\u202e) in this session"},
			{ID: session.OptionOther, Label: "other", Note: true},
			{ID: session.OptionDeny, Label: "deny", Note: true},
		},
	}
	shown := func() string {
		var out bytes.Buffer
		if err := (Program{Out: &out}).decision(d, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	got := shown()
	for _, want := range []string{
		"abcdefghij  thread klmnopqrst  permission  Bash  0s\n\nmake a\nmake b⟨U+001B⟩[8m⟨U+200B⟩\n\n",
		"always1  always: Bash(make a⟨U+202E⟩) in this session\n", "other    other, in the words of --note\n",
		"deny     deny, with a --note if you like\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	d.Answerable, d.Options = false, nil
	if got := shown(); !strings.Contains(got, "make b") || !strings.Contains(got, "aside attach klmnopqrst") {
		t.Errorf("one that is for the terminal:\n%s", got)
	}
}
