package threads

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"aside/session"
	"aside/session/client"
	"aside/worktree"
	"aside/worktree/git"
)

// dir returns the folder of a thread's files.
func dir(t session.Thread) string {
	switch {
	case t.Checkout.Mode == session.CheckoutWorktree:
		return t.Checkout.Path
	case t.Cwd != "":
		return t.Cwd
	}
	return t.Project
}

// changed runs fn on the folder of a thread's files and what they are to be
// compared with. CodeNotFound when that folder is gone, or not granted yet: what
// the project's work tree holds until then is not the thread's.
func (s *Service) changed(ctx context.Context, id session.ThreadID, fn func(dir string, from git.Start) error) error {
	t, err := s.o.Store.Thread(ctx, id)
	if err != nil {
		return err
	}
	if t.Checkout.Mode == session.CheckoutUnknown {
		return &session.Error{Code: session.CodeNotFound, Message: "the thread has no checkout yet"}
	}
	if _, err := os.Stat(dir(t)); errors.Is(err, fs.ErrNotExist) {
		return &session.Error{Code: session.CodeNotFound, Message: "the checkout " + session.MarkLine(dir(t)) + " is gone"}
	}
	from, err := s.o.Git.Began(ctx, t.Project, dir(t), t.Checkout.Base)
	if err != nil {
		return err
	}
	return fn(dir(t), from)
}

// Review returns what a thread has changed and the branch that it goes into has
// not got: committed or not, untracked files too. In the shared checkout, what
// others changed is among it.
func (s *Service) Review(ctx context.Context, id session.ThreadID) (d worktree.Diff, err error) {
	err = s.changed(ctx, id, func(dir string, from git.Start) error {
		d, err = s.o.Git.Diff(ctx, dir, from.Commit)
		d.Against = from.Into
		return err
	})
	return d, err
}

// Patch returns what Review would as a patch, and what that has for Against.
func (s *Service) Patch(ctx context.Context, id session.ThreadID) (text []byte, against string, err error) {
	err = s.changed(ctx, id, func(dir string, from git.Start) error {
		against = from.Into
		text, err = s.o.Git.Patch(ctx, dir, from.Commit)
		return err
	})
	return text, against, err
}

// tallyAge is how long counted changes are good for: a working agent changes
// files all the time, and the list is not worth a look at all of them at each.
const tallyAge = 3 * time.Second

// tallies remembers counted changes.
type tallies struct {
	counting sync.Mutex // one checkout is counted at a time
	mu       sync.Mutex
	known    map[session.ThreadID]tallied
}

type tallied struct {
	tally worktree.Tally
	at    time.Time // when it was begun to be counted
	old   bool      // what was counted before at is not so any more
}

// get returns what is known of a thread, if it is still good.
func (l *tallies) get(id session.ThreadID, now time.Time) (worktree.Tally, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.known[id]
	return t.tally, ok && !t.old && now.Sub(t.at) < tallyAge
}

func (l *tallies) put(id session.ThreadID, t tallied) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		l.known = map[session.ThreadID]tallied{}
	}
	if known := l.known[id]; !known.old || !t.at.Before(known.at) {
		l.known[id] = t
	}
}

// ChangesOf counts what Review would show, for a list. It may be a few
// seconds old.
func (s *Service) ChangesOf(ctx context.Context, id session.ThreadID) (worktree.Tally, error) {
	if t, ok := s.tallies.get(id, s.o.Now()); ok {
		return t, nil
	}
	s.tallies.counting.Lock()
	defer s.tallies.counting.Unlock()
	if t, ok := s.tallies.get(id, s.o.Now()); ok {
		return t, nil
	}
	var t worktree.Tally
	began := s.o.Now()
	err := s.changed(ctx, id, func(dir string, from git.Start) (err error) {
		t, err = s.o.Git.Tally(ctx, dir, from.Commit)
		return err
	})
	if err == nil {
		s.tallies.put(id, tallied{tally: t, at: began})
	}
	return t, err
}

// Comment is what a person says about lines of a diff.
type Comment struct {
	Path  string
	Lines []worktree.Line // as the person saw them
	Text  string
}

// quotedLines is how many lines a comment quotes.
const quotedLines = 200

// Comment sends a comment to a thread's agent as a prompt, and waits for its
// receipt.
func (s *Service) Comment(ctx context.Context, id session.ThreadID, c Comment) (client.Delivery, error) {
	if strings.TrimSpace(c.Text) == "" {
		return client.Delivery{}, &session.Error{Code: session.CodeUsage, Message: "the comment is empty"}
	}
	return s.Send(ctx, id, c.Prompt())
}

// Prompt returns the comment as the agent gets it: where it is, the lines and
// what the person says. What the lines hold that must not reach a terminal is
// left out.
func (c Comment) Prompt() string {
	var b strings.Builder
	b.WriteString("On " + session.CleanLine(c.Path))
	if where := c.where(); where != "" {
		b.WriteString(", " + where)
	}
	b.WriteString(":\n")
	if len(c.Lines) > 0 {
		var quote strings.Builder
		for i, l := range c.Lines {
			if i == quotedLines {
				fmt.Fprintf(&quote, "… and %d more lines\n", len(c.Lines)-quotedLines)
				break
			}
			quote.WriteString(string(l.Kind) + strings.ReplaceAll(session.Clean(strings.TrimSuffix(l.Text, "\r")), "\n", " ") + "\n")
		}
		fence := "```"
		for strings.Contains(quote.String(), fence) {
			fence += "`"
		}
		b.WriteString("\n" + fence + "diff\n" + quote.String() + fence + "\n")
	}
	b.WriteString("\n" + strings.TrimSpace(c.Text))
	return b.String()
}

// where names the lines by their numbers in the file as it is, or where only
// lines are gone as it was.
func (c Comment) where() string {
	for _, side := range []struct {
		number func(worktree.Line) int
		suffix string
	}{
		{func(l worktree.Line) int { return l.New }, ""},
		{func(l worktree.Line) int { return l.Old }, " of the version before"},
	} {
		first, last := 0, 0
		for _, l := range c.Lines {
			if n := side.number(l); n > 0 {
				if first == 0 {
					first = n
				}
				last = n
			}
		}
		if first > 0 && first == last {
			return fmt.Sprintf("line %d%s", first, side.suffix)
		}
		if first > 0 {
			return fmt.Sprintf("lines %d to %d%s", first, last, side.suffix)
		}
	}
	return ""
}
