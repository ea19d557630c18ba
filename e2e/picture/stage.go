package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"aside/e2e/claude"
	"aside/e2e/model"
	"aside/session"
)

// stage is what a program runs with, apart from its terminal.
type stage struct {
	env     []string
	project string // the folder to run in
	dir     string // temporary, or ""
	model   *model.Server
}

// setStage gives the program this process's environment, and with -claude a
// client and its model.
func setStage(ctx context.Context, o options) (*stage, error) {
	s := &stage{env: append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "TERM_PROGRAM=ghostty"), project: o.dir}
	if !o.claude {
		return s, nil
	}
	if err := s.addClaude(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) addClaude(ctx context.Context) error {
	program, err := claude.Install(ctx)
	if err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "picture-"); err != nil {
		return fmt.Errorf("make the stage: %w", err)
	}
	if s.model, err = model.Start(); err != nil {
		return err
	}
	if s.project == "" {
		s.project = filepath.Join(s.dir, "app")
		if err := makeProject(ctx, s.project); err != nil {
			return fmt.Errorf("make the stage: %w", err)
		}
	}
	if s.project, err = filepath.Abs(s.project); err != nil {
		return fmt.Errorf("make the stage: %w", err)
	}
	home, err := claude.NewHome(filepath.Join(s.dir, "home"), s.project)
	if err != nil {
		return err
	}
	aside := filepath.Join(s.dir, "aside")
	if err := home.Configure(aside, program, s.model.URL()); err != nil {
		return err
	}
	for name, value := range home.Env(s.model.URL()) {
		s.env = append(s.env, name+"="+value)
	}
	// The command itself is looked up in this process's PATH.
	search := filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
	s.env = append(s.env, "ASIDE_HOME="+aside, "PATH="+search)
	return os.Setenv("PATH", search)
}

// makeProject makes a small git work tree with one commit and one change that
// is not committed.
func makeProject(ctx context.Context, dir string) error {
	const load = "package settings\n\n// Load reads the settings file.\nfunc Load(path string) (Settings, error) { return Settings{}, nil }\n"
	if err := os.MkdirAll(filepath.Join(dir, "settings"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "settings", "load.go"), []byte(load), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "main"},
		{"add", "."},
		{"-c", "user.name=A Person", "-c", "user.email=person@example.com", "commit", "--quiet", "--message", "Load settings"},
	} {
		git := exec.CommandContext(ctx, "git", args...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w %s", args[0], err, out)
		}
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte("# app\n"), 0o644)
}

// stopThreads ends the threads that aside has started on this stage: they
// outlive its screen, and would outlive the stage.
func (s *stage) stopThreads(ctx context.Context, aside string) error {
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, aside, args...)
		cmd.Dir, cmd.Env = s.project, s.env
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("aside %s: %w", args[0], err)
		}
		return out, nil
	}
	out, err := run("threads", "--json")
	if err != nil {
		return err
	}
	var threads []session.Thread
	if err := json.Unmarshal(out, &threads); err != nil {
		return fmt.Errorf("read the threads: %w", err)
	}
	for _, t := range threads {
		if !t.Live {
			continue
		}
		if _, e := run("stop", string(t.ID)); e != nil {
			err = errors.Join(err, e)
		}
	}
	return err
}

func (s *stage) close() error {
	var err error
	if s.model != nil {
		err = s.model.Close()
	}
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}
