package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Process is a process whose working folder is in a worktree.
type Process struct {
	PID  int
	Name string
}

// processes returns the processes that live in a folder, a path without
// symbolic links: from /proc where there is one, else from lsof. Without
// either, and for processes of other users, there is no way to tell.
func processes(ctx context.Context, path string) ([]Process, error) {
	if _, err := os.Stat("/proc/self/cwd"); err == nil {
		return fromProc(path)
	}
	return fromLsof(ctx, path)
}

func fromProc(path string) ([]Process, error) {
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []Process
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		cwd, err := os.Readlink(filepath.Join("/proc", d.Name(), "cwd"))
		if err != nil || !within(path, cwd) {
			continue // ended meanwhile, or somebody else's
		}
		name, _ := os.ReadFile(filepath.Join("/proc", d.Name(), "comm"))
		found = append(found, Process{PID: pid, Name: plain(string(name))})
	}
	return found, nil
}

func fromLsof(ctx context.Context, path string) ([]Process, error) {
	const limit = 20 * time.Second
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out := &capped{limit: outputLimit}
	cmd := exec.CommandContext(ctx, "lsof", "-w", "-n", "-P", "-d", "cwd", "-F", "pcn")
	cmd.Stdout = out
	cmd.WaitDelay = graceLimit
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// Its status is 1 as soon as it may not look at some process.
	return parseLsof(out.held.String(), path), nil
}

// parseLsof reads lsof(8), Output for Other Programs: a line for a process
// begins with p, its name with c, a path with n.
func parseLsof(out, path string) []Process {
	var found []Process
	var p Process
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		switch line[0] {
		case 'p':
			pid, _ := strconv.Atoi(line[1:])
			p = Process{PID: pid}
		case 'c':
			p.Name = plain(line[1:])
		case 'n':
			if within(path, line[1:]) {
				found = append(found, p)
			}
		}
	}
	return found
}

func within(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || rest == " (deleted)")
}
