package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"aside/session"
	"aside/session/config"
	"aside/session/plain"

	"github.com/charmbracelet/x/term"
	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"
	line "golang.org/x/term"
)

// plainFlag adds --plain to a command that opens the screen.
func plainFlag(cmd *cobra.Command, on *bool) {
	cmd.Flags().BoolVar(on, "plain", false, "plain mode, for screen readers: lines of words, nothing drawn")
}

// wantsPlain says whether the person wants the conversation in the place of
// the screen: the flag says so, else the environment, else the configuration.
func wantsPlain(flag bool, c config.Config) bool {
	if env := os.Getenv("ASIDE_PLAIN"); env != "" && !flag {
		return env != "0"
	}
	return flag || c.Plain
}

// talk holds the conversation that is plain mode.
func (p Program) talk(ctx context.Context, dir string, demo bool, c config.Config) error {
	in, out := p.typing()
	talk := plain.New(in, out)
	talk.Bell = c.Notify == "bell"
	return p.Plain(ctx, dir, demo, talk, p.nested)
}

// nested runs a command within the conversation.
func (p Program) nested(ctx context.Context, args []string) error {
	root := p.root()
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Hidden || cmd == root && !strings.HasPrefix(args[0], "-") || cmd.Name() == "demo" {
		fault := &session.Error{Code: session.CodeUsage, Message: fmt.Sprintf("there is no command /%s", args[0]), Hint: "/help tells what there is"}
		if like := root.SuggestionsFor(args[0]); len(like) > 0 {
			fault.Hint = "did you mean /" + strings.Join(like, ", /")
		}
		return fault
	}
	root.SetArgs(args)
	err = root.ExecuteContext(ctx)
	if errors.As(err, new(exitStatus)) {
		return nil // it has said why
	}
	return err
}

// typing returns where the person's lines come from, and where lines are
// written to meanwhile.
func (p Program) typing() (plain.Lines, io.Writer) {
	out, ok := p.Out.(*os.File)
	if !ok || p.In == nil || !term.IsTerminal(p.In.Fd()) || !term.IsTerminal(out.Fd()) {
		return &piped{r: bufio.NewReader(io.LimitReader(p.In, 1<<30))}, p.Out
	}
	t := line.NewTerminal(struct {
		io.Reader
		io.Writer
	}{p.In, p.Out}, "> ")
	t.SetBracketedPasteMode(true)
	return typed{t: t, in: p.In}, wrapping{t: t, fd: out.Fd()}
}

// wrapping breaks lines between words: broken by the terminal, they are read
// out in halves.
type wrapping struct {
	t  *line.Terminal
	fd uintptr
}

// Write implements io.Writer, for whole lines.
func (w wrapping) Write(p []byte) (int, error) {
	cols, _, err := term.GetSize(w.fd)
	if err != nil || cols < 1 {
		return w.t.Write(p)
	}
	var b strings.Builder
	for l := range strings.Lines(string(p)) {
		b.WriteString(wrap(l, cols))
	}
	_, err = io.WriteString(w.t, b.String())
	return len(p), err
}

// wrap breaks a line so that no part has more columns, if its words allow.
func wrap(l string, cols int) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Split(l, " ") {
		w := displaywidth.String(strings.TrimSuffix(word, "\n"))
		switch {
		case i == 0:
		case at+1+w > cols:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += w
	}
	return b.String()
}

// piped are the lines of a file or of another program.
type piped struct{ r *bufio.Reader }

// ReadLine implements plain.Lines.
func (p *piped) ReadLine(context.Context) (string, error) {
	s, err := p.r.ReadString('\n')
	if err != nil && s != "" {
		err = nil
	}
	return s, err
}

// typed are lines as a person edits them on a terminal. Only while one is read
// is the terminal not its own.
type typed struct {
	t  *line.Terminal
	in *os.File
}

// ReadLine implements plain.Lines. Lines that are pasted at once are one.
func (l typed) ReadLine(ctx context.Context) (string, error) {
	before, err := term.MakeRaw(l.in.Fd())
	if err != nil {
		return "", fmt.Errorf("take over the terminal: %w", err)
	}
	defer func() { _ = term.Restore(l.in.Fd(), before) }()
	if w, _, err := term.GetSize(l.in.Fd()); err == nil && w > 0 {
		_ = l.t.SetSize(w, 1) // it fails for no width only
	}
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() { // it ends with the program, should nothing be typed any more
		var lines []string
		for {
			s, err := l.t.ReadLine()
			lines = append(lines, s)
			if !errors.Is(err, line.ErrPasteIndicator) {
				done <- read{strings.Join(lines, "\n"), err}
				return
			}
		}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
