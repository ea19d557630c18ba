package proposals

import (
	"fmt"
	"strings"

	"aside/session"
)

// What an agent reads. None of it says or hints what the person answered, now
// or later, and an acknowledgement reads neither as a success nor as a
// refusal: an agent that takes it for one goes on to wait for the work, or
// offers it again (contracts/proposed-threads.md, The tool).

// acknowledgement is the reply to an offer, the first time and every time
// after.
func acknowledgement(title string, id session.ProposalID) string {
	return fmt.Sprintf("Offered to the person under the title “%s” (id %s). "+
		"The person may start it or leave it; you will not be told which. "+
		"Nothing has run. Do not wait for it, do not do that work here, and do not offer it again. "+
		"Go on with your own task.", title, id)
}

// full is the reply when the thread holds as many standing offers as it may.
func full(most int) string {
	return fmt.Sprintf("Nothing was shown to the person: this thread has %d open offers, and no more fit. "+
		"Do not try again now; go on with your own task. "+
		"withdraw_proposal takes back an offer of yours that no longer matters.", most)
}

// invalid is the reply to arguments that Decode refuses.
func invalid(err error) string {
	return fmt.Sprintf("Nothing was shown to the person: %s. Correct that and call propose_thread again.", err)
}

// unrecorded is the reply when the store failed.
const unrecorded = "Nothing was shown to the person: aside could not write it down. Go on with your own task."

// withdrawn is the reply to taking an offer back, whether or not it stood.
func withdrawn(id session.ProposalID) string {
	return fmt.Sprintf("Offer %s is no longer open, if it was until now; you will not be told whether it was. "+
		"Go on with your own task.", id)
}

// notWithdrawn is the reply to arguments of withdraw_proposal that name no
// offer of the thread.
func notWithdrawn(problem string) string {
	return fmt.Sprintf("Nothing was taken back: %s. list_proposals names the offers of this thread.", problem)
}

// listMax is how many offers a list names.
const listMax = 200

// listed is the reply to list_proposals: the thread's offers, oldest first,
// whatever became of them, since leaving one out would tell its answer. Only
// the newest are named when there are very many.
func listed(offers []session.Proposal) string {
	if len(offers) == 0 {
		return "This thread has offered nothing so far."
	}
	var b strings.Builder
	b.WriteString("This thread has offered the following. What the person answered is not told. Do not offer any of it again.")
	if more := len(offers) - listMax; more > 0 {
		fmt.Fprintf(&b, "\n(%d earlier ones are left out)", more)
		offers = offers[more:]
	}
	for _, p := range offers {
		fmt.Fprintf(&b, "\n%s  %s", p.ID, p.Title)
	}
	return b.String()
}
