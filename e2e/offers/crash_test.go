package offers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/transcript"
)

const (
	offered = "Work as offered."
	edited  = "Work as edited."
)

// truth is what a start may have come to, whenever its starter died: the
// states of contracts/proposed-threads.md and nothing between them.
func (w *world) truth(id session.ProposalID, prompt string) (started bool) {
	w.t.Helper()
	all := w.threads() // the next look, which recovers
	p := w.proposal(id)
	if p.Starting {
		w.t.Errorf("the offer is still being started: %+v", p)
	}
	var made []session.Thread
	for _, t := range all {
		if t.ProposedBy != nil && t.ProposedBy.Proposal == id {
			made = append(made, t)
		}
	}
	if len(made) > 1 {
		w.t.Fatalf("%d threads came of one offer: %+v", len(made), made)
	}
	switch p.State {
	case session.ProposalStanding:
		for _, t := range made {
			if t.Turn != nil || t.Live || len(w.prompts(string(t.ID))) != 0 || w.ran(string(t.ID)) {
				w.t.Errorf("the offer stands, and its thread has begun: %+v", t)
			}
			if t.Problem == "" || t.State != session.StateFailed {
				w.t.Errorf("the empty thread does not say why: %+v", t)
			}
			if prompt == edited && t.Draft != edited {
				w.t.Errorf("what the person wrote is lost: the draft is %q", t.Draft)
			}
		}
		return false
	case session.ProposalStarted:
	default:
		w.t.Fatalf("the offer is %+v", p)
	}
	if len(made) != 1 || made[0].ID != p.StartedThread || p.CheckoutMode != session.CheckoutWorktree {
		w.t.Fatalf("the offer is %+v, its threads are %+v", p, made)
	}
	t := made[0]
	if !slices.Contains(w.worktrees(), t.Checkout.Path) || t.Checkout.Mode != session.CheckoutWorktree {
		w.t.Errorf("the started thread has no checkout: %+v", t.Checkout)
	}
	if got := w.prompts(string(t.ID)); len(got) != 1 || got[0] != prompt {
		w.t.Errorf("its prompts are %q, want %q", got, prompt)
	}
	if t.Draft != "" { // it says that the prompt was not delivered, and has it
		if t.Draft != prompt || t.Problem == "" || w.ran(string(t.ID)) {
			w.t.Errorf("the thread is %+v; its agent ran: %t", t, w.ran(string(t.ID)))
		}
		return true
	}
	w.given(string(t.ID), prompt)
	return true
}

// settled starts the offer if it still stands, or has the prompt of its
// thread delivered, and then checks that there is one of everything.
func (w *world) settled(id session.ProposalID, prompt string, checkouts int) {
	w.t.Helper()
	if !w.truth(id, prompt) {
		w.aside("start", string(id), "--prompt", prompt)
	}
	t := w.of(id)[0]
	if t.Draft != "" {
		w.aside("send", string(t.ID), t.Draft)
	}
	w.given(string(t.ID), prompt)
	if got := w.thread(string(t.ID)); got.Draft != "" || got.Problem != "" {
		w.t.Errorf("delivered at last, the thread is %+v", got)
	}
	for what, there := range map[string][]string{"worktrees": w.worktrees(), "folders": w.folders(), "branches": w.branches()} {
		if len(there) != checkouts {
			w.t.Fatalf("%d %s, want %d: %q", len(there), what, checkouts, there)
		}
	}
	w.aside("stop", string(t.ID))
}

func (w *world) prompts(thread string) []string {
	var texts []string
	for _, e := range w.entries(thread) {
		if e.Kind == transcript.KindPrompt {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// starter is a child that starts the offer and dies after a step. helper is a
// shell's command line for the helper, to which the thread's id is added.
func (w *world) starter(id session.ProposalID, prompt, dieAfter, helper string) *exec.Cmd {
	cmd := w.command(string(id), prompt)
	self, err := os.Executable()
	must(w.t, err)
	cmd.Path, cmd.Args[0] = self, self
	script := filepath.Join(w.seen, "helper.sh")
	w.write(script, helper)
	cmd.Env = append(cmd.Env, starterEnv+"="+dieAfter, "ASIDE_OFFERS_HELPER="+script)
	return cmd
}

const (
	plainHelper = `exec "$ASIDE_PROGRAM" helper "$@"`
	// killingHelper ends the starter as soon as the agent runs, before it has
	// heard of that.
	killingHelper = `"$ASIDE_PROGRAM" helper "$@" 3> "$ASIDE_HOME/ready" &
while ! [ -s "$ASIDE_HOME/ready" ]; do sleep 0.01; done
kill -9 $PPID
wait`
	// orphanedHelper ends the starter before the agent runs, and goes on.
	orphanedHelper = `kill -9 $PPID
exec "$ASIDE_PROGRAM" helper "$@"`
)

func TestAStarterIsKilledAfterEachStep(t *testing.T) {
	w := newWorld(t, nil).offering()
	w.env = append(w.env, "ASIDE_PROGRAM="+program)
	checkouts := 0
	for _, c := range []struct{ after, helper string }{
		{string(proposals.StepTaken), plainHelper},
		{string(proposals.StepCreated), plainHelper},
		{string(proposals.StepGranted), plainHelper},
		{string(proposals.StepPrompted), plainHelper},
		{string(proposals.StepStarted), plainHelper},
		{dieNever, orphanedHelper},
		{dieNever, killingHelper},
		{string(proposals.StepDispatched), plainHelper},
	} {
		for _, prompt := range []string{offered, edited} {
			must(t, removeIfThere(filepath.Join(w.home, "ready")))
			checkouts++
			id := w.offer(fmt.Sprintf("Offer %d", checkouts), offered)
			cmd := w.starter(id, prompt, c.after, c.helper)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("after %s: the starter was not killed: %v\n%s", c.after, err, out)
			}
			w.settled(id, prompt, checkouts)
		}
	}
}

func TestAStarterIsKilledAtAnyMoment(t *testing.T) {
	kills := count(t, "ASIDE_KILLS", 4)
	const perWorld = 50
	var w *world
	var whole time.Duration // of a start that nobody kills, as busy as the machine is
	var standing, started, unhurt int
	for i := range kills {
		checkouts := i%perWorld + 2
		if checkouts == 2 {
			w = newWorld(t, nil).offering()
			id := w.offer("Measured", offered)
			began := time.Now()
			w.aside("start", string(id))
			whole = time.Since(began)
			w.settled(id, offered, 1)
		}
		prompt := []string{offered, edited}[i%2]
		id := w.offer(fmt.Sprintf("Offer %d", i), offered)
		cmd := w.command("start", string(id), "--prompt", prompt)
		must(t, cmd.Start())
		killer := time.AfterFunc(rand.N(whole), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() == nil {
			unhurt++
		}
		killer.Stop()
		if w.truth(id, prompt) {
			started++
		} else {
			standing++
		}
		w.settled(id, prompt, checkouts)
		if t.Failed() {
			t.Fatalf("at kill %d", i)
		}
	}
	t.Logf("%d kills: %d offers still stood, %d were started, of these %d before they could be killed; a start takes about %s",
		kills, standing, started, unhurt, whole)
}

// count is how often a test does what it does, raised by the environment.
func count(t *testing.T, env string, modest int) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv(env))
	if os.Getenv(env) == "" {
		return modest
	}
	must(t, err)
	return n
}

func TestManyStartTheSameOfferAtOnce(t *testing.T) {
	rounds := count(t, "ASIDE_RACES", 2)
	const perWorld = 50
	for _, many := range []int{2, 8} {
		t.Run(strconv.Itoa(many), func(t *testing.T) {
			var w *world
			for i := range rounds {
				if i%perWorld == 0 {
					w = newWorld(t, nil).offering()
				}
				id := w.offer(fmt.Sprintf("Offer %d", i), offered)
				w.race(id, many)
				if n := i%perWorld + 1; len(w.worktrees()) != n || len(w.folders()) != n || len(w.branches()) != n {
					t.Fatalf("round %d: worktrees %q, branches %q, want %d", i, w.worktrees(), w.branches(), n)
				}
			}
		})
	}
}

// race starts one offer in many processes: one of them makes the thread, the
// others say that it is made.
func (w *world) race(id session.ProposalID, many int) {
	w.t.Helper()
	type result struct {
		out, fault strings.Builder
		cmd        *exec.Cmd
	}
	all := make([]result, many)
	for i := range all {
		r := &all[i]
		r.cmd = w.command("start", string(id))
		r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.fault
		must(w.t, r.cmd.Start())
	}
	winner := ""
	for i := range all {
		r := &all[i]
		_ = r.cmd.Wait() // its status is looked at
		switch code := r.cmd.ProcessState.ExitCode(); {
		case code == 0 && winner == "":
			winner = strings.TrimSpace(r.out.String())
		case code != int(session.CodeSettled) || !strings.Contains(r.fault.String(), "started already"):
			w.t.Fatalf("one of %d ended with status %d: %s %s", many, code, &r.out, &r.fault)
		}
	}
	made := w.of(id)
	if len(made) != 1 || string(made[0].ID) != winner || len(w.prompts(winner)) != 1 {
		w.t.Fatalf("the winner made %q; there are %+v", winner, made)
	}
	w.given(winner, offered)
	w.aside("stop", winner)
}
