package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"aside/session"
	"aside/session/threads"
	"aside/session/transcript"

	"github.com/spf13/cobra"
)

func (p Program) newThread() *cobra.Command {
	var n threads.NewThread
	var checkout, dir string
	var wait, asJSON bool
	cmd := &cobra.Command{
		Use: "new [flags] PROMPT|-", Short: "Start a thread; prints its id", Args: args(cobra.MinimumNArgs(1)),
		Long: `Start a thread with its first prompt, in a checkout of its own where the project
can have one, else in the project's own work tree. It prints the new thread's id
alone, when the prompt was handed to the agent; with --wait, it returns at the
end of the turn. PROMPT - is read from standard input.`,
		Example: `  aside new "Fix the parser"
  git diff | aside new --checkout shared --wait -
  id=$(aside new --checkout worktree --base main -- "- is a dash")`,
		DisableFlagsInUseLine: true, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, words []string) error {
			var err error
			if n.Prompt, err = p.prompt(words); err != nil {
				return err
			}
			if n.Wish, err = wish(checkout); err != nil {
				return usage(cmd, err)
			}
			if n.Project, err = filepath.Abs(dir); err != nil {
				return fmt.Errorf("find folder: %w", err)
			}
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				id, err := s.Create(ctx, n)
				if err != nil {
					return err
				}
				if !asJSON {
					if err := p.line(string(id)); err != nil {
						return err
					}
				}
				if wait {
					err = s.WaitTurn(ctx, id)
				}
				if asJSON {
					err = errors.Join(p.created(ctx, s, id, true), err)
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&n.Agent, "agent", "", "agent to run (default: the configured or first installed one)")
	f.StringVar(&n.Title, "title", "", "title (default: from the prompt)")
	f.StringVar(&n.Base, "base", "", "commit or branch to start from (default: HEAD)")
	f.StringVar(&n.Model, "model", "", "model, as the agent names it")
	f.StringVar(&checkout, "checkout", "auto", "auto, worktree or shared")
	f.StringVar(&dir, "cwd", ".", "project folder")
	f.BoolVar(&wait, "wait", false, "return at the end of the turn")
	f.BoolVar(&asJSON, "json", false, "print the thread as JSON")
	completeFlag(cmd, "agent", p.completeAgent)
	completeFlag(cmd, "checkout", cobra.FixedCompletions([]string{"auto", "worktree", "shared"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (p Program) created(ctx context.Context, s *threads.Service, id session.ThreadID, asJSON bool) error {
	if !asJSON {
		return p.line(string(id))
	}
	t, err := s.Find(ctx, string(id))
	if err != nil {
		return err
	}
	return p.object(t)
}

func (p Program) threads() *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use: "threads", Short: "List threads", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				found, err := s.List(ctx, "", all)
				if err != nil {
					return err
				}
				if asJSON {
					return list(p, found)
				}
				var rows [][]string
				for _, t := range found {
					rows = append(rows, []string{string(t.ID), listed(t), t.Agent, t.Title, place(t), age(t.CreatedAt)})
					if t.Problem != "" {
						rows = append(rows, []string{"  " + session.MarkLine(t.Problem)})
					}
				}
				return p.table("No threads yet. Start one: aside new PROMPT", "ID STATE AGENT TITLE CHECKOUT AGE", rows)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "archived threads too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// listed is a thread's state as it is listed.
func listed(t session.Thread) string {
	if t.Archived {
		return t.Words() + ", archived"
	}
	return t.Words()
}

func place(t session.Thread) string {
	switch t.Checkout.Mode {
	case session.CheckoutWorktree:
		return t.Checkout.Branch
	case session.CheckoutShared:
		return "shared"
	}
	return "-"
}

// onThread makes a command about one thread.
func (p Program) onThread(use, short string, do func(context.Context, *threads.Service, session.Thread) error) *cobra.Command {
	return &cobra.Command{
		Use: use + " THREAD", Short: short, Args: args(cobra.ExactArgs(1)), ValidArgsFunction: p.completeThread(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				t, err := s.Find(ctx, args[0])
				if err != nil {
					return err
				}
				return do(ctx, s, t)
			})
		},
	}
}

func (p Program) send() *cobra.Command {
	return &cobra.Command{
		Use: "send THREAD PROMPT|-", Short: "Give a thread a further prompt", Args: args(cobra.MinimumNArgs(2)),
		Long: `Give a thread's agent a further prompt and wait for the agent's own word that it
has arrived. An agent that has ended is started again with it. PROMPT - is read
from standard input.`,
		ValidArgsFunction: p.completeThread(),
		RunE: func(cmd *cobra.Command, words []string) error {
			text, err := p.prompt(words[1:])
			if err != nil {
				return err
			}
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				t, err := s.Find(ctx, words[0])
				if err != nil {
					return err
				}
				d, err := s.Send(ctx, t.ID, text)
				switch {
				case err != nil:
					return err
				case d.Confirmed:
					return p.line("delivered")
				}
				return p.line("sent; this agent confirms nothing")
			})
		},
	}
}

func (p Program) transcript() *cobra.Command {
	var asJSON, markdown bool
	cmd := p.onThread("transcript", "Print what was said and done", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		entries, err := s.Entries(ctx, t.ID, 0, 0)
		switch {
		case err != nil:
			return err
		case asJSON:
			return list(p, entries)
		case markdown:
			_, err = io.WriteString(p.Out, transcript.Markdown(t.Title, entries))
		default:
			_, err = io.WriteString(p.Out, transcript.Plain(entries))
		}
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print as Markdown")
	return cmd
}

func (p Program) screen() *cobra.Command {
	var pane string
	var ansi, asJSON bool
	cmd := p.onThread("screen", "Print what is on a thread's terminal now", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		scr, err := s.Screen(ctx, t.ID, session.PaneID(pane))
		if err != nil {
			return err
		}
		if asJSON {
			return p.object(scr)
		}
		for _, r := range scr.Rows {
			text := r.Text()
			if ansi {
				text = r.ANSI()
			}
			if err := p.line(text); err != nil {
				return err
			}
		}
		return nil
	})
	cmd.Flags().StringVar(&pane, "pane", string(session.PaneAgent), "pane")
	cmd.Flags().BoolVar(&ansi, "ansi", false, "with colours")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p Program) stop() *cobra.Command {
	return p.onThread("stop", "End a thread's agent", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		return s.Stop(ctx, t.ID)
	})
}

func (p Program) resume() *cobra.Command {
	return p.onThread("resume", "Start a thread's agent again", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		return s.Resume(ctx, t.ID)
	})
}

func (p Program) archive() *cobra.Command {
	var undo bool
	cmd := p.onThread("archive", "Take a thread that does not run off the list; nothing else of it changes",
		func(ctx context.Context, s *threads.Service, t session.Thread) error {
			return s.Archive(ctx, t.ID, !undo)
		})
	cmd.Flags().BoolVar(&undo, "undo", false, "bring it back")
	return cmd
}

func (p Program) remove() *cobra.Command {
	var keep bool
	cmd := p.onThread("rm", "Delete a thread; its worktree too when nothing in it would be lost", func(ctx context.Context, s *threads.Service, t session.Thread) error {
		said, err := s.Remove(ctx, t.ID, keep)
		if err != nil || said == "" {
			return err
		}
		return p.line(said)
	})
	cmd.Flags().BoolVar(&keep, "keep-worktree", false, "leave the worktree and its branch")
	return cmd
}

func (p Program) rename() *cobra.Command {
	return &cobra.Command{
		Use: "rename THREAD TITLE", Short: "Give a thread another title", Args: args(cobra.MinimumNArgs(2)),
		ValidArgsFunction: p.completeThread(),
		RunE: func(cmd *cobra.Command, words []string) error {
			return p.with(cmd, func(ctx context.Context, s *threads.Service) error {
				t, err := s.Find(ctx, words[0])
				if err != nil {
					return err
				}
				return s.Rename(ctx, t.ID, strings.Join(words[1:], " "))
			})
		},
	}
}
