package proposals

import (
	"fmt"
	"strings"
	"testing"

	"aside/session"
)

// What an agent may not read into a reply to an offer: that something was
// begun, that it was turned down, or what the person answered
// (contracts/proposed-threads.md, The tool).
var forbidden = []string{
	"created", "creating", "started", "starting", "queued", "scheduled", "running", "launched", "begun", "spawned",
	"success", "done", "complete", "accepted", "approved", "agreed", "confirmed", "granted",
	"refused", "rejected", "declined", "denied", "dismissed", "failed", "error", "forbidden", "not allowed", "cannot",
	"already", "again in", "duplicate", "same",
}

func free(t *testing.T, what, text string) {
	t.Helper()
	for _, word := range forbidden {
		if strings.Contains(strings.ToLower(text), word) {
			t.Errorf("%s contains %q: %s", what, word, text)
		}
	}
}

func TestAcknowledgement(t *testing.T) {
	const title = "Started: everything is running"
	got := acknowledgement(title, "abcdefghij")
	if strings.Count(got, title) != 1 || !strings.Contains(got, "abcdefghij") {
		t.Errorf("it does not name title and id: %s", got)
	}
	fixed := strings.Replace(got, title, "", 1)
	free(t, "the acknowledgement", fixed)
	for _, says := range []string{"Offered", "may start it or leave it", "Nothing has run", "Do not wait", "do not do that work here", "do not offer it again"} {
		if !strings.Contains(fixed, says) {
			t.Errorf("it does not say %q: %s", says, fixed)
		}
	}
}

func TestOtherWording(t *testing.T) {
	for what, text := range map[string]string{
		"full":       full(20),
		"invalid":    invalid(&ArgumentError{"title", "is blank"}),
		"unrecorded": unrecorded,
	} {
		if !strings.HasPrefix(text, "Nothing was shown to the person") {
			t.Errorf("%s does not say that nothing was shown: %s", what, text)
		}
	}
	if !strings.Contains(full(20), "20 open offers") || !strings.Contains(invalid(&ArgumentError{"title", "is blank"}), "title is blank") {
		t.Error("the reason is missing")
	}
	free(t, "withdrawn", strings.Replace(withdrawn("abcdefghij"), "no longer open", "", 1))
	free(t, "the empty list", listed(nil))
	free(t, "the list", strings.Replace(listed([]session.Proposal{{ID: "a", Title: ""}}), "What the person answered is not told", "", 1))
}

func TestListTellsNoAnswer(t *testing.T) {
	states := []session.Proposal{
		{ID: "aaaaaaaaaa", Title: "One"},
		{ID: "aaaaaaaaaa", Title: "One", State: session.ProposalStarted, StartedThread: "t"},
		{ID: "aaaaaaaaaa", Title: "One", State: session.ProposalDismissed},
		{ID: "aaaaaaaaaa", Title: "One", State: session.ProposalStanding, Withdrawn: true, Starting: true},
	}
	for _, p := range states[1:] {
		if listed([]session.Proposal{p}) != listed(states[:1]) {
			t.Errorf("the list differs for %+v", p)
		}
	}
	var many []session.Proposal
	for n := range listMax + 5 {
		many = append(many, session.Proposal{ID: session.ProposalID(fmt.Sprintf("id%d", n)), Title: "T"})
	}
	got := listed(many)
	if strings.Contains(got, "\nid4 ") || !strings.Contains(got, "\nid5 ") || !strings.Contains(got, "5 earlier ones") {
		t.Errorf("a long list: %.300s", got)
	}
}
