package offers

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"time"

	"aside/proposals"
	"aside/session"
	"aside/session/client"
	"aside/session/config"
	"aside/session/threads"
	"aside/storage"
	"aside/worktree/git"
)

// starterEnv makes a child of the tests a starter: a process that starts the
// offer of its argument and dies, as if killed, once it has taken the step
// that the variable names. With dieNever it does not die.
const starterEnv = "ASIDE_OFFERS_DIE_AFTER"

const dieNever = "never"

// starter is the program of such a child; it does what `aside start` does.
func starter(dieAfter string) int {
	id, edited := session.ProposalID(os.Args[1]), os.Args[2]
	if err := start(id, edited, proposals.Step(dieAfter)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return int(session.CodeOf(err))
	}
	return 0
}

func start(id session.ProposalID, edited string, dieAfter proposals.Step) error {
	// The helper is told by a word in its environment to end its starter.
	helper := client.Program{Path: "/bin/sh", Args: strings.Fields(os.Getenv("ASIDE_OFFERS_HELPER")), Env: os.Environ()}
	s, done, err := service(helper, func(_ session.ThreadID, step proposals.Step) {
		if step == dieAfter {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // nothing more happens here
		}
	})
	if err != nil {
		return err
	}
	defer func() { _ = done() }()
	_, err = s.Start(context.Background(), id, threads.StartOptions{Prompt: edited})
	return err
}

// service is what the screen and the commands stand on, in this process; its
// folders are those of ASIDE_HOME.
func service(helper client.Program, progress func(session.ThreadID, proposals.Step)) (*threads.Service, func() error, error) {
	paths, err := config.Locate()
	if err != nil {
		return nil, nil, err
	}
	settings, err := config.Read(paths.File())
	if err != nil {
		return nil, nil, err
	}
	db, err := storage.Open(paths.Database(), slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		return nil, nil, err
	}
	s, err := threads.New(threads.Options{
		Paths: paths, Config: settings, Store: db, Git: git.New(paths.Worktrees(), paths.Locks()),
		Program: helper, Agents: []string{"generic"}, Known: []string{"generic"}, Now: time.Now, Progress: progress,
	})
	return s, db.Close, err
}
