package cli

import (
	"context"
	"fmt"
	"strings"

	"aside/session"
	"aside/session/threads"
	"aside/session/transcript"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

func (p Program) search() *cobra.Command {
	var q transcript.Query
	var thread string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "search [flags] WORD...", Short: "Find what was said and done", Args: args(cobra.MinimumNArgs(1)),
		Long: `Find the entries of all transcripts that hold every word, the newest first. The
last word may be the beginning of one; case and accents do not count.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			q.Text = strings.Join(words, " ")
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				if thread != "" {
					t, err := s.Find(ctx, thread)
					if err != nil {
						return err
					}
					q.Thread = t.ID
				}
				found, err := s.Search(ctx, q)
				if err != nil {
					return err
				}
				if found.Plain {
					_, _ = fmt.Fprintln(p.Err, "aside: this program was built without full-text search and looks at every entry")
				}
				if asJSON {
					return list(p, found.Hits)
				}
				return p.hits(found)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&thread, "thread", "", "only in this thread")
	f.IntVar(&q.Limit, "limit", 50, "how many entries at most")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	_ = cmd.RegisterFlagCompletionFunc("thread", p.completeThread()) // it fails only for a flag that is not there
	return cmd
}

// hits prints what was found, the words in bold on a terminal.
func (p Program) hits(found transcript.Found) error {
	rows := make([][]string, len(found.Hits))
	for i, h := range found.Hits {
		rows[i] = []string{string(h.Thread), age(h.At), string(h.Kind), p.marked(h)}
	}
	if err := p.table("Nothing found.", "THREAD AGE KIND TEXT", rows); err != nil || !found.More {
		return err
	}
	return p.line("There are more; narrow it down, or see --limit.")
}

func (p Program) marked(h transcript.Hit) string {
	out, ok := p.Out.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(out.Fd()) {
		return h.Snippet
	}
	var b strings.Builder
	at := 0
	for _, m := range h.Marks {
		b.WriteString(h.Snippet[at:m.From] + "\x1b[1m" + h.Snippet[m.From:m.To] + "\x1b[m")
		at = m.To
	}
	return b.String() + h.Snippet[at:]
}

func (p Program) diff() *cobra.Command {
	var asJSON bool
	cmd := p.onThread("diff", "Print what a thread has changed", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		if asJSON {
			d, err := s.Review(ctx, t.ID)
			if err != nil {
				return err
			}
			return p.object(d)
		}
		text, against, err := s.Patch(ctx, t.ID)
		if err != nil {
			return err
		}
		if len(text) == 0 && against != "" {
			// Not on standard output, which is a patch.
			_, _ = fmt.Fprintf(p.Err, "aside: no changes against %s\n", session.MarkLine(against))
		}
		if out, ok := p.Out.(interface{ Fd() uintptr }); ok && term.IsTerminal(out.Fd()) {
			text = []byte(session.Mark(string(text)))
		}
		_, err = p.Out.Write(text)
		return err
	})
	cmd.Long = `Print what a thread has changed since it began, as a patch: what is committed,
what is not, and untracked files that are not ignored. What has been merged into
the branch that its work goes into is not among it any more.`
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p Program) finish() *cobra.Command {
	var f threads.Finish
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use: "finish THREAD commit|merge|rebase|push", Short: "Commit, merge, rebase or push a thread's branch, step by step",
		Args: args(cobra.ExactArgs(2)), ValidArgsFunction: p.completeThread(),
		Long: `Finish a thread: commit what is left on its branch, then merge that into the
branch it came from, put it on top of that, or push it for a pull request. Each
step is shown and asked for before it is done. Nothing is ever forced: what has
conflicts or is refused leaves everything as it was. Your own hooks run, as for
any commit of yours.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			f.How = threads.How(words[1])
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				t, err := s.Find(ctx, words[0])
				if err != nil {
					return err
				}
				if asJSON {
					steps, err := s.FinishPlan(ctx, t.ID, f)
					if err != nil {
						return err
					}
					return list(p, steps)
				}
				return p.finishing(ctx, s, t, f, yes)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Into, "into", "", "the branch that the work goes into (default: the project's)")
	flags.StringVarP(&f.Message, "message", "m", "", "message of the commits that are made (default: the thread's title)")
	flags.BoolVar(&f.NoHooks, "no-hooks", false, "do not run the repository's hooks")
	flags.BoolVar(&yes, "yes", false, "do every step without asking")
	flags.BoolVar(&asJSON, "json", false, "print the steps as JSON and do none")
	return cmd
}

// finishing shows a step, does it, and looks again, until none is left. Each
// is done once: what a hook leaves behind is not committed for ever.
func (p Program) finishing(ctx context.Context, s *threads.Service, t session.Thread, f threads.Finish, yes bool) error {
	done := map[threads.StepKind]bool{}
	for {
		steps, err := s.FinishPlan(ctx, t.ID, f)
		if err != nil {
			return err
		}
		if len(steps) == 0 && len(done) == 0 {
			return p.line("Nothing is left to do.")
		}
		if len(steps) == 0 || done[steps[0].Kind] {
			return nil
		}
		step := steps[0]
		if step.ByHand {
			return p.line(strings.Join(shown(step), "\n"))
		}
		if err := p.agreed(ctx, t, step, yes); err != nil {
			return err
		}
		said, err := s.FinishStep(ctx, t.ID, f, step.Token)
		if err != nil {
			return err
		}
		done[step.Kind] = true
		if err := p.line(said + "."); err != nil {
			return err
		}
	}
}

// agreed asks for a step.
func (p Program) agreed(ctx context.Context, t session.Thread, step threads.Step, yes bool) error {
	if yes {
		return nil
	}
	agreed, asked := p.ask(ctx, threads.Question{
		Thread: t.ID, Title: t.Title, Lines: shown(step), Yes: "Do this", No: "Stop here",
	})
	switch {
	case !asked:
		if err := p.line(strings.Join(shown(step), "\n")); err != nil {
			return err
		}
		return &session.Error{
			Code: session.CodeConsent, Message: "this step needs a yes, and there is no terminal to ask on", Hint: "give --yes to do every step",
		}
	case !agreed:
		return &session.Error{Code: session.CodeFailed, Message: "stopped before: " + step.Title}
	}
	return nil
}

// shown is a step as lines.
func shown(step threads.Step) []string {
	lines := []string{step.Title}
	if step.ByHand {
		lines[0] += ", in a shell in " + step.Dir + ":"
	} else if step.Dir != "" {
		lines[0] += ", in " + step.Dir + ":"
	}
	for _, c := range step.Commands {
		lines = append(lines, "  "+c)
	}
	return append(lines, step.Notes...)
}
