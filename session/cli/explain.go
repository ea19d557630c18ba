package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"aside/session"
	"aside/session/client"
	"aside/session/threads"

	"github.com/spf13/cobra"
)

func (p Program) explain() *cobra.Command {
	return p.onThread("explain", "Say why a thread's state is what it is", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		e, err := s.Explain(ctx, t.ID)
		if errors.Is(err, client.ErrNoHelper) {
			return p.line(explainEnded(t))
		}
		if err != nil {
			return err
		}
		return explainLive(p.Out, t, e)
	})
}

// explainEnded tells what the store knows of a thread that no helper hosts.
func explainEnded(t session.Thread) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", t.Title, t.Words())
	if t.StateSource != "" {
		fmt.Fprintf(&b, ", from %s, for %s", t.StateSource, age(t.StateAt))
	}
	b.WriteString("\nno helper runs: nothing is asked, and nothing new will be told")
	if t.Problem != "" {
		b.WriteString("\n" + t.Problem)
	}
	return b.String()
}

// explainLive prints the current state, what each source said last, and what
// the agent is held on.
func explainLive(out io.Writer, t session.Thread, e client.Explanation) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) // its faults show at Flush
	t.State, t.StateSource = e.Current.State, e.Current.Source
	_, _ = fmt.Fprintf(w, "%s: %s, from %s, for %s\n", t.Title, t.Words(), t.StateSource, age(e.Current.At))
	for _, r := range e.Reports {
		_, _ = fmt.Fprintf(w, "  %s\tsaid %s\t%s ago\n", r.Source, r.State.Words(), age(r.At))
	}
	if len(e.Pending) == 0 {
		_, _ = fmt.Fprintln(w, "held on nothing")
	}
	for _, d := range e.Asked {
		_, _ = fmt.Fprintf(w, "asks in its own terminal: %s\n", strings.TrimPrefix(d.Tool+" "+d.Title, " "))
	}
	for _, d := range e.Pending {
		_, _ = fmt.Fprintf(w, "held on %s for %s: %s (%s)\n", d.ID, age(d.ReceivedAt), strings.TrimPrefix(d.Tool+" "+d.Title, " "), optionIDs(d))
	}
	return w.Flush()
}
