package intent

import (
	"strings"
	"testing"
)

func TestNoKeyMeansTwoThings(t *testing.T) {
	seen := map[string]Intent{}
	for _, b := range Table() {
		if b.Sentence == "" || b.Keys == "" || b.Do == Nothing {
			t.Errorf("binding %+v lacks something", b)
		}
		for key := range strings.FieldsSeq(b.Keys) {
			at := string(b.Scope) + " " + key
			if other, ok := seen[at]; ok {
				t.Errorf("%s means %q and %q", at, other, b.Do)
			}
			seen[at] = b.Do
		}
	}
}

func TestUnknownKeysFallThroughCardsOnly(t *testing.T) {
	k := NewKeys()
	if do, at := k.Find([]Scope{ScopeTranscript, ScopeCard}, "v"); do != CycleView || at != ScopeTranscript {
		t.Errorf("v on a card = %q in %q", do, at)
	}
	if do, at := k.Find([]Scope{ScopeTranscript, ScopeCard}, "n"); do != NotNow || at != ScopeCard {
		t.Errorf("n on a card = %q in %q", do, at)
	}
	if do, _ := k.Find([]Scope{ScopeTranscript, ScopeBar}, "v"); do != Nothing {
		t.Errorf("v fell through the bar to %q", do)
	}
	if do, _ := k.Find([]Scope{ScopeTerminal}, "q"); do != Nothing {
		t.Errorf("q was taken from the agent: %q", do)
	}
}

func TestOptionsAreNumbered(t *testing.T) {
	for n := range 9 {
		if got := OptionN(n).Option(); got != n {
			t.Errorf("option %d = %d", n, got)
		}
	}
	if Start.Option() != -1 || Answer.Option() != -1 {
		t.Error("an intent without a number is taken for an option")
	}
	if do, _ := NewKeys().Find([]Scope{ScopeBar}, "9"); do != OptionN(8) {
		t.Errorf("9 in the bar = %q", do)
	}
}

func TestMarkdownHoldsTheWholeTable(t *testing.T) {
	md := Markdown("ctrl+space")
	for _, b := range Table() {
		if !strings.Contains(md, b.Sentence) {
			t.Errorf("%q is missing", b.Sentence)
		}
		if title := b.Scope.Title("`ctrl+space`"); title == "" || !strings.Contains(md, "\n## "+title+"\n") {
			t.Errorf("the keys of %q are under no heading", b.Scope)
		}
	}
}
