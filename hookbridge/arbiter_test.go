package hookbridge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
)

var start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func decision(id, pane, callID string) session.Decision {
	return session.Decision{
		ID: session.DecisionID(id), Pane: session.PaneID(pane), ToolCallID: callID, Answerable: true,
		Options: []session.Option{{ID: "once"}, {ID: "deny", Note: true}, {ID: "never"}},
	}
}

// The two decisions of the generated test: A and B wait in one pane.
const (
	idA session.DecisionID = "A"
	idB session.DecisionID = "B"
)

// fate is what an event does to a decision that is live, or under way.
type fate struct {
	option   string          // answered with it
	underWay bool            // and its verdict is not sent yet
	lost     bool            // answered, but the responder was gone when taken
	why      session.Release // released
	settles  bool            // the verdict of one that is under way is sent, or lost
}

// after returns the fate of a decision after one more event: the first that
// concerns it decides.
func (f fate) after(event fate) fate {
	switch {
	case event.settles && f.underWay:
		f.underWay, f.lost = false, event.lost
	case !event.settles && f == fate{}:
		return event
	}
	return f
}

// row is one event of the table "Who wins", with what it does to A and to B.
type row struct {
	name string
	a, b fate
	run  func(*machine)
}

// machine runs events on an arbiter and keeps what came out.
type machine struct {
	*arbiter
	now      time.Time
	effects  []effect
	receipts []receipt
}

type receipt struct {
	session.Receipt
	asked string // the option of the answer
}

func (m *machine) do(effects []effect) { m.effects = append(m.effects, effects...) }

// answer gives an answer and, unless it comes too late, ends its way.
func (m *machine) answer(id session.DecisionID, option string, lost bool) {
	if _, busy := m.underWay[id]; busy {
		return // its receipt waits for that of the first
	}
	if m.begin(id, option) {
		m.end(id, lost)
		return
	}
	m.receipts = append(m.receipts, receipt{m.ended(id), option})
}

// begin gives an answer, and says whether it takes the decision.
func (m *machine) begin(id session.DecisionID, option string) bool {
	m.now = m.now.Add(time.Second)
	effects := m.take(session.Answer{Decision: id, Option: option}, []byte(string(id)+" "+option), m.now)
	m.do(effects)
	return len(effects) > 0
}

// end ends the way of an answer, if one is under way.
func (m *machine) end(id session.DecisionID, lost bool) {
	t, ok := m.underWay[id]
	if !ok {
		return
	}
	r, effects := m.delivered(id, !lost)
	m.do(effects)
	m.receipts = append(m.receipts, receipt{r, t.answer.Option})
}

// state is all that what happens next to A and B can depend on.
func (m *machine) state() string {
	s := fmt.Sprint(m.find("A2") >= 0, m.find("S") >= 0)
	for _, id := range []session.DecisionID{idA, idB} {
		answered, _ := m.answered.get(id)
		released, _ := m.released.get(id)
		s += fmt.Sprintf("; %t %q %q %q", m.find(id) >= 0, m.underWay[id].answer.Option, answered.Option, released)
	}
	return s
}

func (m *machine) input(in session.Input) {
	if in.Real() {
		m.do(m.releasePane("agent", session.ReleaseTerminal))
	}
}

// rows is contracts/decisions.md, "Who wins", as seen by two live decisions.
func rows() []row {
	text, yes := "ls\n", true
	gone := fate{why: session.ReleaseGone}
	terminal := fate{why: session.ReleaseTerminal}
	stopped := fate{why: session.ReleaseStopped}
	return []row{
		{"answer A once", fate{option: "once"}, fate{}, func(m *machine) { m.answer(idA, "once", false) }},
		{"answer A deny", fate{option: "deny"}, fate{}, func(m *machine) { m.answer(idA, "deny", false) }},
		{"answer A, responder gone", fate{option: "never", lost: true}, fate{}, func(m *machine) { m.answer(idA, "never", true) }},
		{"answer B once", fate{}, fate{option: "once"}, func(m *machine) { m.answer(idB, "once", false) }},
		{"answer B deny", fate{}, fate{option: "deny"}, func(m *machine) { m.answer(idB, "deny", false) }},
		{"A is taken", fate{option: "once", underWay: true}, fate{}, func(m *machine) { m.begin(idA, "once") }},
		{"A's verdict is sent", fate{settles: true}, fate{}, func(m *machine) { m.end(idA, false) }},
		{"A's verdict is lost", fate{settles: true, lost: true}, fate{}, func(m *machine) { m.end(idA, true) }},
		{"B is taken", fate{}, fate{option: "deny", underWay: true}, func(m *machine) { m.begin(idB, "deny") }},
		{"B's verdict is sent", fate{}, fate{settles: true}, func(m *machine) { m.end(idB, false) }},
		{"B's verdict is lost", fate{}, fate{settles: true, lost: true}, func(m *machine) { m.end(idB, true) }},
		{"key", terminal, terminal, func(m *machine) { m.input(session.Input{Key: &session.KeyEvent{Code: 'y'}}) }},
		{"paste", terminal, terminal, func(m *machine) { m.input(session.Input{Paste: &text}) }},
		{"input of another pane", fate{}, fate{}, func(m *machine) { m.do(m.releasePane("shell", session.ReleaseTerminal)) }},
		{"wheel", fate{}, fate{}, func(m *machine) { m.input(session.Input{Mouse: &session.MouseEvent{Button: session.ButtonWheelUp}}) }},
		{"motion", fate{}, fate{}, func(m *machine) { m.input(session.Input{Mouse: &session.MouseEvent{Action: session.ActionMove}}) }},
		{"focus report", fate{}, fate{}, func(m *machine) { m.input(session.Input{Focus: &yes}) }},
		{"completion of A's call", gone, fate{}, func(m *machine) { m.do(m.toolDone("agent", "call A")) }},
		{"completion of another call", fate{}, fate{}, func(m *machine) { m.do(m.toolDone("agent", "call C")) }},
		{"completion of a call without id", fate{}, fate{}, func(m *machine) { m.do(m.toolDone("agent", "")) }},
		{"prompt, session change or exit", gone, gone, func(m *machine) { m.do(m.releasePane("agent", session.ReleaseGone)) }},
		{"hook of A gone", gone, fate{}, func(m *machine) { m.do(m.release(idA, session.ReleaseGone)) }},
		{"hook of B gone", fate{}, gone, func(m *machine) { m.do(m.release(idB, session.ReleaseGone)) }},
		{"deadline of A", fate{why: session.ReleaseDeadline}, fate{}, func(m *machine) { m.do(m.release(idA, session.ReleaseDeadline)) }},
		{"stop", stopped, stopped, func(m *machine) { m.do(m.stop()) }},
		{"A asked again", fate{why: session.ReleaseSuperseded}, fate{}, func(m *machine) { m.do(m.register(decision("A2", "agent", "call A"))) }},
		{"same call id in another pane", fate{}, fate{}, func(m *machine) { m.do(m.register(decision("S", "shell", "call A"))) }},
	}
}

// TestEveryOrder runs every row in every state that any sequence of rows leads
// to, however long: whatever comes in whatever order, it is decided as the
// table says. Each state is reached by the first sequence that leads there.
func TestEveryOrder(t *testing.T) {
	table := rows()
	seen := map[string]bool{}
	for paths := [][]row{nil}; len(paths) > 0; paths = paths[1:] {
		for _, next := range table {
			run := append(slices.Clip(paths[0]), next)
			m, err := checkOrder(run)
			if err != nil {
				t.Fatalf("%s: %v", names(run), err)
			}
			if s := m.state(); !seen[s] {
				seen[s] = true
				paths = append(paths, run)
			}
		}
	}
	t.Logf("%d rows in %d states", len(table), len(seen))
}

func names(run []row) string {
	all := make([]string, len(run))
	for i, r := range run {
		all[i] = r.name
	}
	return strings.Join(all, ", ")
}

func checkOrder(run []row) (*machine, error) {
	m := &machine{arbiter: newArbiter(), now: start}
	m.do(m.register(decision("A", "agent", "call A")))
	m.do(m.register(decision("B", "agent", "call B")))
	var fates [2]fate
	for _, r := range run {
		before := len(m.receipts)
		r.run(m)
		told := fates
		fates = [2]fate{told[0].after(r.a), told[1].after(r.b)}
		for _, rec := range m.receipts[before:] {
			i := 0
			if rec.Decision == idB {
				i = 1
			}
			if err := checkReceipt(rec, told[i], fates[i]); err != nil {
				return nil, err
			}
		}
	}
	return m, errors.Join(
		checkEffects(m, idA, fates[0]), checkEffects(m, idB, fates[1]),
		checkPending(m, idA, fates[0]), checkPending(m, idB, fates[1]),
	)
}

// checkReceipt compares the receipt of an answer with what was decided before
// it, and with what it decided itself.
func checkReceipt(r receipt, before, after fate) error {
	want, option := session.OutcomeDuplicate, before.option
	open := before == fate{} || before.underWay
	switch {
	case open && after.lost:
		want, option = session.OutcomeUnavailable, ""
	case open:
		want, option = session.OutcomeAnswered, r.asked
	case before.why == session.ReleaseSuperseded:
		want = session.OutcomeUnknown
	case before.why != "", before.lost:
		want, option = session.OutcomeUnavailable, ""
	}
	if r.Outcome != want || r.Option != option || r.At.IsZero() != (option == "") {
		return fmt.Errorf("receipt for %s %s = %+v, want %s of option %q", r.Decision, r.asked, r.Receipt, want, option)
	}
	return nil
}

// checkEffects compares what was done about one decision with its fate.
func checkEffects(m *machine, id session.DecisionID, f fate) error {
	want := "opened"
	switch {
	case f.underWay:
		want += fmt.Sprintf(", verdict %s %s", id, f.option)
	case f.lost:
		want += fmt.Sprintf(", verdict %s %s, published: %s", id, f.option, session.ReleaseGone)
	case f.option != "":
		want += fmt.Sprintf(", verdict %s %s, answered %s", id, f.option, f.option)
	case f.why != "":
		want += fmt.Sprintf(", released: %s, published: %s", f.why, f.why)
	}
	var got []string
	for _, e := range m.effects {
		if e.decision.ID != id {
			continue
		}
		got = append(got, map[effectKind]string{
			publishOpened:   "opened",
			sendVerdict:     "verdict " + string(e.verdict),
			sendRelease:     "released: " + string(e.release),
			publishAnswered: "answered " + e.answer.Option,
			publishReleased: "published: " + string(e.release),
		}[e.kind])
	}
	if s := strings.Join(got, ", "); s != want {
		return fmt.Errorf("done about %s: %s; want %s", id, s, want)
	}
	return nil
}

func checkPending(m *machine, id session.DecisionID, f fate) error {
	if live, want := m.find(id) >= 0, f == (fate{}); live != want {
		return fmt.Errorf("%s is live: %t, want %t", id, live, want)
	}
	return nil
}

// Requests without the id of a call are not about the same call.
func TestRequestsWithoutCallID(t *testing.T) {
	a := newArbiter()
	a.register(decision("A", "agent", ""))
	a.register(decision("B", "agent", ""))
	a.toolDone("agent", "")
	if a.find(idA) < 0 || a.find(idB) < 0 {
		t.Errorf("live: %+v, want both", a.live)
	}
}

func TestAtMost64AreHeld(t *testing.T) {
	a := newArbiter()
	for i := range maxHeld {
		a.register(decision(fmt.Sprint(i), "agent", fmt.Sprint("call ", i)))
	}
	a.take(session.Answer{Decision: "0", Option: "once"}, nil, start) // its connection is still held
	effects := a.register(decision("X", "agent", ""))
	if len(effects) != 1 || effects[0].kind != sendRelease || effects[0].release != session.ReleaseFull || effects[0].decision.ID != "X" {
		t.Fatalf("the 65th: %+v, want it released at once and not published", effects)
	}
	effects = a.register(decision("1 again", "agent", "call 1"))
	if len(effects) != 3 || effects[0].release != session.ReleaseSuperseded || effects[2].kind != publishOpened {
		t.Errorf("one that takes another's place: %+v, want it let in", effects)
	}
}

func TestLast256AnswersAreRemembered(t *testing.T) {
	a := newArbiter()
	for i := range maxRemembered + 1 {
		id := session.DecisionID(fmt.Sprint(i))
		a.register(decision(string(id), "agent", ""))
		a.take(session.Answer{Decision: id, Option: "once"}, nil, start)
		a.delivered(id, true)
		// Released ones must not push answered ones out.
		a.register(decision("r"+string(id), "agent", ""))
		a.release("r"+id, session.ReleaseGone)
	}
	for id, want := range map[session.DecisionID]session.Outcome{
		"0": session.OutcomeUnknown, "1": session.OutcomeDuplicate, "256": session.OutcomeDuplicate,
		"r0": session.OutcomeUnknown, "r1": session.OutcomeUnavailable, "never seen": session.OutcomeUnknown,
	} {
		if r := a.ended(id); r.Outcome != want {
			t.Errorf("%s: %s, want %s", id, r.Outcome, want)
		}
	}
}

func TestAnswerThatDoesNotFit(t *testing.T) {
	a := newArbiter()
	a.register(decision("A", "agent", ""))
	locked := decision("B", "agent", "")
	locked.Answerable = false
	a.register(locked)
	for _, tt := range []struct {
		ans  session.Answer
		says string
	}{
		{session.Answer{Decision: idA, Option: "always"}, "once, deny, never"},
		{session.Answer{Decision: idA, Option: "once", Note: "but why"}, "takes no note"},
		{session.Answer{Decision: idB, Option: "once"}, "terminal"},
	} {
		live, err := a.check(tt.ans)
		var e *session.Error
		if !live || !errors.As(err, &e) || e.Code != session.CodeUsage || !strings.Contains(e.Message+" "+e.Hint, tt.says) {
			t.Errorf("%+v: live %t, %v; want a usage error that says %q", tt.ans, live, err, tt.says)
		}
	}
	if live, err := a.check(session.Answer{Decision: idA, Option: "deny", Note: "not now"}); !live || err != nil {
		t.Errorf("a fitting answer: live %t, %v", live, err)
	}
}
