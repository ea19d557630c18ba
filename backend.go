package main

import (
	"context"
	"os"
	"strings"

	"aside/session"
	"aside/session/agent"
	"aside/session/client"
	"aside/session/links"
	"aside/session/threads"
	"aside/session/transcript"
	"aside/tui"

	tea "charm.land/bubbletea/v2"
)

// backend is what the screen asks of the rest of the program.
type backend struct {
	*threads.Service
	*threads.Follower
	project string
	kinds   agent.Kinds
}

func (b backend) Proposals(ctx context.Context) ([]session.Proposal, error) {
	return b.Service.Proposals(ctx, "", true)
}

func (b backend) Search(ctx context.Context, q transcript.Query) (transcript.Found, error) {
	q.Project = b.project
	return b.Service.Search(ctx, q)
}

func (b backend) Export(ctx context.Context, id session.ThreadID) (tui.Export, error) {
	e, err := b.Service.Export(ctx, id)
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (b backend) Outlook(ctx context.Context, id session.ProposalID) (tui.Outlook, error) {
	o, err := b.Service.Outlook(ctx, id)
	return tui.Outlook(o), err
}

func (b backend) Bases(ctx context.Context, id session.ProposalID) ([]tui.Base, error) {
	bases, err := b.Service.Bases(ctx, id)
	var out []tui.Base
	for _, o := range bases {
		out = append(out, tui.Base{Ref: o.Ref, Name: o.Name, Commits: o.Commits, Uncommitted: o.Uncommitted})
	}
	return out, err
}

func (b backend) Start(ctx context.Context, id session.ProposalID, o tui.StartOptions) (session.ThreadID, error) {
	return b.Service.Start(ctx, id, threads.StartOptions(o))
}

func (b backend) New(ctx context.Context, n tui.NewThread) (session.ThreadID, error) {
	return b.Create(ctx, threads.NewThread{Project: b.project, Title: n.Title, Prompt: n.Prompt, Agent: n.Agent})
}

func (b backend) Send(ctx context.Context, id session.ThreadID, prompt string) error {
	_, err := b.Service.Send(ctx, id, prompt)
	return err
}

func (b backend) Files(ctx context.Context, id session.ThreadID, typed string, limit int) ([]string, error) {
	if id == "" {
		return b.FilesIn(ctx, b.project, typed, limit)
	}
	return b.Service.Files(ctx, id, typed, limit)
}

func (b backend) Threads(ctx context.Context, shown session.ThreadID) ([]session.Thread, error) {
	return b.ScreenThreads(ctx, b.project, shown)
}

func (b backend) Remembered(ctx context.Context) (session.Remembered, error) {
	return b.Service.Remembered(ctx, b.project)
}

func (b backend) RememberScreen(ctx context.Context, shown session.ThreadID, listHidden bool) error {
	return b.Service.RememberScreen(ctx, b.project, shown, listHidden)
}

func (b backend) Agents() []tui.AgentChoice {
	var choices []tui.AgentChoice
	for _, name := range b.Installed() {
		if k, err := b.kinds.Get(name); err == nil {
			choices = append(choices, tui.AgentChoice{Name: name, Label: k.Title})
		}
	}
	return choices
}

// Project implements tui.Backend.
func (b backend) Project() string { return b.project }

// Shown implements tui.Backend.
func (b backend) Shown(folder string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := strings.CutPrefix(folder, home+"/"); ok {
			return "~/" + rest
		}
	}
	return folder
}

// relay is the one goroutine that sends into the screen, so that order holds.
func (b backend) relay(ctx context.Context, p *tea.Program, asks <-chan tea.Msg) {
	for {
		select {
		case e := <-b.Events():
			for _, msg := range messages(e) {
				p.Send(msg)
			}
		case a := <-asks:
			p.Send(a)
		case <-ctx.Done():
			return
		}
	}
}

// messages are an event in the screen's words.
func messages(e threads.Event) []tea.Msg {
	d := e.Down
	switch {
	case e.Store:
		return []tea.Msg{tui.StoreChangedMsg{}}
	case d.Frame != nil:
		return []tea.Msg{tui.FrameMsg{Thread: e.Thread, Frame: *d.Frame}}
	case d.Status != nil:
		return []tea.Msg{tui.StatusMsg{Thread: e.Thread, Status: *d.Status}}
	case d.Decision != nil:
		return []tea.Msg{tui.DecisionMsg{Decision: *d.Decision}}
	case d.Gone != nil:
		reason := string(d.Gone.Released)
		if d.Gone.Answered != "" {
			reason = "answered: " + d.Gone.Answered
		}
		return []tea.Msg{tui.DecisionGoneMsg{ID: d.Gone.Decision, Reason: reason}}
	case d.Card != nil:
		return []tea.Msg{tui.CardMsg{Card: *d.Card}}
	case d.Panes != nil:
		msg := tui.PanesMsg{Thread: e.Thread, Panes: d.Panes}
		if d.Layout != nil {
			msg.Layout = *d.Layout
		}
		return []tea.Msg{msg}
	case d.Ended != nil:
		return []tea.Msg{tui.ExitMsg{Thread: e.Thread, Pane: session.PaneAgent, Code: *d.Ended}}
	case d.Clipboard != nil:
		return []tea.Msg{tui.ClipboardMsg{Thread: e.Thread, Pane: d.Clipboard.Pane, Text: d.Clipboard.Text}}
	case d.Notice != nil:
		return []tea.Msg{tui.NoticeMsg{Thread: e.Thread, Text: d.Notice.Text}}
	}
	return nil
}

// OpenPane implements tui.Backend.
func (b backend) OpenPane(ctx context.Context, id session.ThreadID, o tui.NewPane) (session.PaneInfo, error) {
	return b.Service.OpenPane(ctx, id, client.OpenPane{
		Place: o.Place, Direction: o.Direction, Beside: o.Beside, Cols: o.Cols, Rows: o.Rows,
	})
}

// Comment implements tui.Backend.
func (b backend) Comment(ctx context.Context, id session.ThreadID, c tui.Comment) (string, error) {
	d, err := b.Service.Comment(ctx, id, threads.Comment(c))
	switch {
	case err != nil:
		return "", err
	case d.Confirmed:
		return "delivered", nil
	}
	return "sent; this agent confirms nothing", nil
}

// FinishPlan implements tui.Backend.
func (b backend) FinishPlan(ctx context.Context, id session.ThreadID, f tui.Finish) ([]tui.FinishStep, error) {
	plan, err := b.Service.FinishPlan(ctx, id, finish(f))
	var steps []tui.FinishStep
	for _, s := range plan {
		steps = append(steps, tui.FinishStep{
			Title: s.Title, Commands: s.Commands, Dir: s.Dir, Notes: s.Notes, ByHand: s.ByHand, Token: s.Token,
		})
	}
	return steps, err
}

// FinishStep implements tui.Backend.
func (b backend) FinishStep(ctx context.Context, id session.ThreadID, f tui.Finish, token string) (string, error) {
	return b.Service.FinishStep(ctx, id, finish(f), token)
}

func finish(f tui.Finish) threads.Finish {
	return threads.Finish{How: threads.How(f.How), Into: f.Into, Message: f.Message}
}

// FinishChoices implements tui.Backend.
func (b backend) FinishChoices(ctx context.Context, id session.ThreadID) (tui.FinishChoices, error) {
	c, err := b.Service.FinishChoices(ctx, id)
	return tui.FinishChoices(c), err
}

// OpenLink implements tui.Backend.
func (b backend) OpenLink(ctx context.Context, id session.ThreadID, target string) (bool, error) {
	t, err := b.Find(ctx, string(id))
	if err != nil {
		return false, err
	}
	target, err = links.Check(target, t.Checkout.Path)
	if err != nil {
		return false, err
	}
	return links.New().Open(ctx, target)
}
