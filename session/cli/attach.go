package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"aside/session"
	"aside/session/client"
	"aside/session/threads"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

func (p Program) attach() *cobra.Command {
	var pane string
	cmd := p.onThread("attach", "Show a thread's terminal in this one; leader d detaches", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		_, c, err := configured()
		if err != nil {
			return err
		}
		leader, err := leaderNamed(c.Leader)
		if err != nil {
			return err
		}
		if err := p.needsTerminal("aside attach", "aside screen prints what is on a thread's terminal"); err != nil {
			return err
		}
		a, err := s.Attach(ctx, t.ID)
		if err != nil {
			return err
		}
		defer func() { _ = a.Close() }()
		if _, err := s.Screen(ctx, t.ID, session.PaneID(pane)); err != nil {
			return err
		}
		v := view{
			attachment: a, pane: session.PaneID(pane), in: p.In, keys: keyboard{leader: leader}, painter: painter{out: p.Out},
			clipboard: c.Clipboard == "allow",
		}
		end, err := v.run(ctx)
		if err != nil || end == detached {
			return err
		}
		return p.farewell(ctx, s, t.ID, v.pane, end)
	})
	cmd.Long = `Show what is on a thread's terminal in this one, and give it what is typed here.
The leader (ctrl+space, unless the configuration names another) and d detach;
the leader twice sends it. The terminal takes the size of the one that was
attached or resized last.`
	cmd.Flags().StringVar(&pane, "pane", string(session.PaneAgent), "pane")
	return cmd
}

// farewell says how an attachment ended that the person did not end.
func (p Program) farewell(ctx context.Context, s *threads.Service, id session.ThreadID, pane session.PaneID, end ending) error {
	if end == paneEnded {
		scr, err := s.Screen(ctx, id, pane)
		if err != nil && !errors.Is(err, client.ErrNoHelper) && !errors.Is(err, client.ErrEnded) {
			return err
		}
		for _, r := range scr.Rows {
			if err := p.line(r.ANSI()); err != nil {
				return err
			}
		}
		if pane != session.PaneAgent {
			return p.line("[the shell has ended]")
		}
		return p.line("[the agent has ended]")
	}
	// The list finds out when the helper is gone without a word.
	all, err := s.List(ctx, "", true)
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.ID == id && t.Problem != "" && !t.Live {
			return &session.Error{Code: session.CodeFailed, Message: t.Problem}
		}
	}
	return p.line("[the thread was stopped]")
}

// ending says how an attachment ended.
type ending int

const (
	detached  ending = iota // by the person
	paneEnded               // its program has ended
	helperGone
)

// view is one pane in this terminal.
type view struct {
	attachment *client.Attachment
	pane       session.PaneID
	in         *os.File
	keys       keyboard
	painter    painter
	clipboard  bool // the program may write it
}

// run shows the pane until it ends, the person detaches or ctx ends, and
// leaves the terminal as it was.
func (v *view) run(ctx context.Context) (end ending, err error) {
	before, err := term.MakeRaw(v.in.Fd())
	if err != nil {
		return detached, fmt.Errorf("take over the terminal: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(v.in.Fd(), before)) }()
	defer func() { err = errors.Join(err, v.painter.leave()) }()
	if err := v.painter.enter(); err != nil {
		return detached, fmt.Errorf("draw: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sized := make(chan os.Signal, 1)
	sized <- syscall.SIGWINCH // the first size
	signal.Notify(sized, syscall.SIGWINCH)
	defer signal.Stop(sized)
	typed, lines := make(chan []byte), make(chan client.Down)
	more := make(chan struct{}, 1)
	more <- struct{}{}
	go v.read(ctx, more, typed)
	go v.follow(ctx, lines)
	for {
		select {
		case <-ctx.Done():
			return detached, ctx.Err()
		case <-sized:
			err = v.resize()
		case b, ok := <-typed:
			if !ok || v.give(b) {
				return detached, nil // by the leader, or the terminal is gone
			}
			more <- struct{}{}
		case d, ok := <-lines:
			if !ok {
				return helperGone, nil
			}
			over := false
			if over, err = v.show(d); over {
				return paneEnded, nil
			}
		}
		if err != nil {
			return detached, fmt.Errorf("draw: %w", err)
		}
	}
}

// read hands on what is typed, one read for each token of more: what is typed
// after the person has detached is not aside's.
func (v *view) read(ctx context.Context, more <-chan struct{}, typed chan<- []byte) {
	defer close(typed)
	b := make([]byte, 4096)
	for {
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
		n, err := v.in.Read(b)
		if err != nil {
			return
		}
		select {
		case typed <- b[:n]:
		case <-ctx.Done():
			return
		}
	}
}

// follow hands on what the helper says until it ends.
func (v *view) follow(ctx context.Context, lines chan<- client.Down) {
	defer close(lines)
	for {
		d, err := v.attachment.Next()
		if err != nil {
			return
		}
		select {
		case lines <- d:
		case <-ctx.Done():
			return
		}
	}
}

// resize gives the pane the terminal's size, as tmux does: the last one that
// was resized or attached has its way.
func (v *view) resize() error {
	cols, rows, err := term.GetSize(v.in.Fd())
	if err != nil {
		return err
	}
	v.send(client.Up{View: &client.View{Pane: v.pane, Cols: cols, Rows: rows}})
	return v.painter.resized(cols, rows)
}

// give gives the pane what was typed.
func (v *view) give(b []byte) (detach bool) {
	in, detach := v.keys.take(b)
	for _, e := range in {
		v.send(client.Up{Input: &client.PaneInput{Pane: v.pane, Event: e}})
	}
	return detach
}

// send tells the helper. One that is gone shows in follow.
func (v *view) send(u client.Up) { _ = v.attachment.Send(u) }

// show shows what the helper says; over is true when the program has ended.
func (v *view) show(d client.Down) (over bool, err error) {
	switch {
	case d.Frame != nil && d.Frame.Pane == v.pane:
		v.send(client.Up{Ack: true})
		return false, v.painter.frame(*d.Frame)
	case d.Bell:
		return false, v.painter.write("\a")
	case d.Clipboard != nil && d.Clipboard.Pane == v.pane && v.clipboard:
		return false, v.painter.write("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(d.Clipboard.Text)) + "\a")
	case d.Panes != nil:
		return !slices.ContainsFunc(d.Panes, func(p session.PaneInfo) bool { return p.ID == v.pane && !p.Ended }), nil
	}
	return false, nil
}
