package hookbridge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"aside/session"
)

const (
	// maxHeld is how many connections are held at once.
	maxHeld = 64
	// maxRemembered is how many answered decisions are remembered, so that a
	// second answer is told what the first was; as many released ones are.
	maxRemembered = 256
)

// arbiter is the table "Who wins" of contracts/decisions.md as a pure state
// machine. Each event returns what has to be done, in order; time comes in
// as an argument. It is not safe for concurrent use.
//
// A decision is live, then under way once an answer has taken it, then
// answered or released. Released decisions may be live or, when the verdict
// could not be sent, under way before.
type arbiter struct {
	live     []session.Decision // in order of arrival
	underWay map[session.DecisionID]taken
	answered memory[session.Receipt]
	released memory[session.Release]
}

// taken is a decision that an answer has taken, until its verdict is sent.
type taken struct {
	decision session.Decision
	answer   session.Answer
	at       time.Time
}

// effect is one thing to be done after an event.
type effect struct {
	kind     effectKind
	decision session.Decision
	verdict  []byte          // sendVerdict
	answer   session.Answer  // publishAnswered
	at       time.Time       // publishAnswered
	release  session.Release // sendRelease, publishReleased
}

type effectKind int

const (
	publishOpened   effectKind = iota
	sendVerdict                // to the decision's responder; delivered has to follow
	sendRelease                // to the decision's responder
	publishAnswered            // the verdict is queued to the hook
	publishReleased
)

func newArbiter() *arbiter { return &arbiter{underWay: map[session.DecisionID]taken{}} }

// register makes the decision live, or releases it at once when too many are
// held. It supersedes a live decision about the same tool call.
func (a *arbiter) register(d session.Decision) []effect {
	effects := a.releaseAll(session.ReleaseSuperseded, func(old session.Decision) bool {
		return old.Pane == d.Pane && d.ToolCallID != "" && old.ToolCallID == d.ToolCallID
	})
	if len(a.live)+len(a.underWay) >= maxHeld {
		// Nobody has seen it, so that there is nothing to publish or remember.
		return append(effects, effect{kind: sendRelease, decision: d, release: session.ReleaseFull})
	}
	a.live = append(a.live, d)
	return append(effects, effect{kind: publishOpened, decision: d})
}

// check says whether the decision is live and, if so, what is wrong with the
// answer to it.
func (a *arbiter) check(ans session.Answer) (live bool, err error) {
	i := a.find(ans.Decision)
	if i < 0 {
		return false, nil
	}
	return true, checkAnswer(a.live[i], ans)
}

// take puts a live decision under way; the answer has to be one that check
// found right, and the verdict is that answer in the agent's own words. There
// is nothing to be done when another event was first.
func (a *arbiter) take(ans session.Answer, verdict []byte, at time.Time) []effect {
	i := a.find(ans.Decision)
	if i < 0 {
		return nil
	}
	d := a.live[i]
	a.live = slices.Delete(a.live, i, i+1)
	a.underWay[d.ID] = taken{d, ans, at}
	return []effect{{kind: sendVerdict, decision: d, verdict: verdict}}
}

// ended is the receipt for a decision that is neither live nor under way.
func (a *arbiter) ended(id session.DecisionID) session.Receipt {
	if first, ok := a.answered.get(id); ok {
		first.Outcome = session.OutcomeDuplicate
		return first
	}
	if why, ok := a.released.get(id); ok && why != session.ReleaseSuperseded {
		return session.Receipt{Decision: id, Outcome: session.OutcomeUnavailable}
	}
	return session.Receipt{Decision: id, Outcome: session.OutcomeUnknown}
}

// delivered ends a decision that is under way: its verdict was queued to the
// hook, or its responder was gone.
func (a *arbiter) delivered(id session.DecisionID, ok bool) (session.Receipt, []effect) {
	t := a.underWay[id]
	delete(a.underWay, id)
	if !ok {
		a.released.add(id, session.ReleaseGone)
		return session.Receipt{Decision: id, Outcome: session.OutcomeUnavailable},
			[]effect{{kind: publishReleased, decision: t.decision, release: session.ReleaseGone}}
	}
	r := session.Receipt{Decision: id, Outcome: session.OutcomeAnswered, Option: t.answer.Option, At: t.at}
	a.answered.add(id, r)
	return r, []effect{{kind: publishAnswered, decision: t.decision, answer: t.answer, at: t.at}}
}

// release ends one decision, if it is live.
func (a *arbiter) release(id session.DecisionID, why session.Release) []effect {
	return a.releaseAll(why, func(d session.Decision) bool { return d.ID == id })
}

// releasePane ends every live decision of the pane.
func (a *arbiter) releasePane(pane session.PaneID, why session.Release) []effect {
	return a.releaseAll(why, func(d session.Decision) bool { return d.Pane == pane })
}

// toolDone ends the live decision about a tool call that has completed.
func (a *arbiter) toolDone(pane session.PaneID, callID string) []effect {
	return a.releaseAll(session.ReleaseGone, func(d session.Decision) bool {
		return d.Pane == pane && callID != "" && d.ToolCallID == callID
	})
}

// stop ends every live decision.
func (a *arbiter) stop() []effect {
	return a.releaseAll(session.ReleaseStopped, func(session.Decision) bool { return true })
}

func (a *arbiter) releaseAll(why session.Release, match func(session.Decision) bool) []effect {
	var effects []effect
	a.live = slices.DeleteFunc(a.live, func(d session.Decision) bool {
		if !match(d) {
			return false
		}
		a.released.add(d.ID, why)
		effects = append(effects,
			effect{kind: sendRelease, decision: d, release: why},
			effect{kind: publishReleased, decision: d, release: why})
		return true
	})
	return effects
}

// find returns the place of a live decision, or -1.
func (a *arbiter) find(id session.DecisionID) int {
	return slices.IndexFunc(a.live, func(d session.Decision) bool { return d.ID == id })
}

// checkAnswer says what is wrong with an answer to a live decision.
func checkAnswer(d session.Decision, ans session.Answer) error {
	if !d.Answerable || len(d.Options) == 0 {
		return &session.Error{
			Code:    session.CodeUsage,
			Message: "this request cannot be answered from here",
			Hint:    "answer it in the agent's own terminal: aside attach " + string(d.Thread),
		}
	}
	option, ok := d.Option(ans.Option)
	if !ok {
		ids := make([]string, len(d.Options))
		for i, o := range d.Options {
			ids[i] = o.ID
		}
		return &session.Error{
			Code:    session.CodeUsage,
			Message: fmt.Sprintf("the decision has no option %q", ans.Option),
			Hint:    "its options are " + strings.Join(ids, ", "),
		}
	}
	if ans.Note != "" && !option.Note {
		return &session.Error{
			Code:    session.CodeUsage,
			Message: "the option " + option.ID + " takes no note",
			Hint:    "answer without the note",
		}
	}
	return nil
}

// memory remembers the last maxRemembered things by decision.
type memory[V any] struct {
	of    map[session.DecisionID]V
	order []session.DecisionID
}

func (m *memory[V]) get(id session.DecisionID) (V, bool) {
	v, ok := m.of[id]
	return v, ok
}

func (m *memory[V]) add(id session.DecisionID, v V) {
	if m.of == nil {
		m.of = make(map[session.DecisionID]V)
	}
	if len(m.order) == maxRemembered {
		delete(m.of, m.order[0])
		m.order = m.order[1:]
	}
	m.of[id] = v
	m.order = append(m.order, id)
}
