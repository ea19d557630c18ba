package bench

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"

	"aside/proposals/actions"
	"aside/session"
	"aside/session/client"
)

var channel = regexp.MustCompile(`v1\.[0-9a-f]{32}\.[0-9a-f]{32}`)

// BenchmarkCard measures from the submission of a terminal-action proposal
// until its card is on the outer terminal, in a window of 200x50 with a shell
// pane beside the agent; and from the start of the whole command that an agent
// runs.
func BenchmarkCard(b *testing.B) {
	s := newStage(b)
	thread, _ := s.start(b, "claude", "idle")
	ctx := b.Context()
	_, err := client.Call[session.PaneInfo](ctx, s.paths.Socket(thread), client.OpOpenPane, thread, client.OpenPane{Place: session.PlaceSplit})
	check(b, err)
	w := newWatcher()
	t := s.open(b, 200, 50, w.tap)
	see(b, t, `shell1\*`)
	check(b, s.hooked(ctx, "claude", thread, "SessionStart", `"source":"startup"`).Run())
	window(time.Second)
	var submitted, whole []time.Duration
	title := 'Ā' // each card has a character of its own
	shows := func(submit func(context.Context, actions.Submission) error) time.Duration {
		title++
		in := s.armed(b, thread, fmt.Sprintf(`{"schema_version":1,"choices":[{"title":"\u%04x","actions":[{"type":"run","command":"make test"}]}]}`, title))
		w.wait(string(title))
		ctx, cancel := context.WithCancel(ctx)
		done := make(chan struct{})
		begun := time.Now()
		go func() {
			defer close(done)
			_ = submit(ctx, in) // a refused one shows no card
		}()
		at := w.next(b, t)
		cancel() // its end withdraws the card
		<-done
		return at.Sub(begun)
	}
	for b.Loop() {
		submitted = append(submitted, shows(func(ctx context.Context, in actions.Submission) error {
			return client.Propose(ctx, s.paths.Socket(thread), in, func(r actions.Reply) error {
				if r.Status != actions.Accepted {
					return errors.New(r.Reason)
				}
				return nil
			})
		}))
		whole = append(whole, shows(func(ctx context.Context, in actions.Submission) error {
			return s.command(ctx, "propose-terminal-actions", "--channel", string(in.Channel), "--payload-json", in.Payload).Run()
		}))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(submitted), "ms-median")
	b.ReportMetric(p95(submitted), "ms-p95")
	b.ReportMetric(median(whole), "ms-whole-command")
}

// armed begins a turn and lets the agent's permission step see the command
// that submits the payload.
func (s *stage) armed(b *testing.B, thread session.ThreadID, payload string) actions.Submission {
	b.Helper()
	ctx, cancel := deadline(b)
	defer cancel()
	told, err := s.hooked(ctx, "claude", thread, "UserPromptSubmit", `"prompt":"go on"`).Output()
	check(b, err)
	in := actions.Submission{Version: actions.Version, Channel: actions.Channel(channel.Find(told)), Payload: payload}
	call := actions.Invocation{Program: s.program, Channel: in.Channel, Payload: payload}
	check(b, s.hooked(ctx, "claude", thread, "PreToolUse", fmt.Sprintf(`"tool_name":"Bash","tool_input":{"command":%q}`, call)).Run())
	return in
}
