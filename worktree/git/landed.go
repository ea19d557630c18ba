package git

import (
	"context"
	"strconv"
	"strings"
)

// How far is looked for work that was merged without its commits. Beyond that
// all of it counts as not merged.
const (
	landedCommits = 200 // of each branch, by their first parents
	landedPaths   = 1000
)

// landed returns the newest commit of the branch that is checked out in dir,
// above common, all of whose files the other branch has had since common as
// the commit left them, or "". So what was squashed is found, also after
// others have gone on from it, but nothing that a merge had to put together.
// It reads trees alone: a merge on trial would write objects and could run the
// programs that a repository's attributes name.
func (g *Git) landed(ctx context.Context, dir, common, into string) (string, error) {
	if common == "" {
		return "", nil
	}
	own, err := g.steps(ctx, dir, common, "HEAD")
	if err != nil || len(own) == 0 {
		return "", err
	}
	began, files, err := g.sum(ctx, dir, common, own)
	if err != nil {
		return "", err
	}
	if len(began) == 0 || len(began) > landedPaths {
		return "", nil
	}
	paths := make([]string, 0, len(began))
	for path := range began {
		paths = append(paths, path)
	}
	theirs, err := g.steps(ctx, dir, common, "refs/heads/"+into, paths...)
	if err != nil {
		return "", err
	}
	for i := len(own) - 1; i >= 0; i-- {
		if len(files) > 0 && had(theirs, files) {
			return own[i].commit, nil
		}
		for _, c := range own[i].changes {
			put(files, began, c.path, c.from)
		}
	}
	return "", nil
}

// sum returns what common has of the files that a branch's commits change, and
// those of them that the last commit has otherwise, as it has them; none where
// they cannot be read.
func (g *Git) sum(ctx context.Context, dir, common string, own []step) (began, files map[string]string, err error) {
	// Where the branch was brought up to date, its first commits found other
	// files than common has.
	differs, err := g.read(ctx, dir, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty",
		"--end-of-options", common, own[len(own)-1].commit)
	if err != nil {
		return nil, nil, ctx.Err()
	}
	began, files = map[string]string{}, map[string]string{}
	for _, s := range own {
		for _, c := range s.changes {
			began[c.path] = c.to
		}
	}
	for _, s := range parse(differs) {
		for _, c := range s.changes {
			began[c.path], files[c.path] = c.from, c.to
		}
	}
	return began, files, nil
}

// put notes what a file is, unless it is what it was in the beginning.
func put(files, began map[string]string, path, is string) {
	if files[path] = is; is == began[path] {
		delete(files, path)
	}
}

// had says that all of the files were there at once.
func had(steps []step, files map[string]string) bool {
	now, same := map[string]string{}, 0
	for _, s := range steps {
		for _, c := range s.changes {
			want, ok := files[c.path]
			if !ok {
				continue
			}
			if now[c.path] == want {
				same--
			}
			if now[c.path] = c.to; c.to == want {
				same++
			}
		}
		if same == len(files) {
			return true
		}
	}
	return false
}

// step is a commit and what it changed from its first parent.
type step struct {
	commit  string
	changes []change
}

// change is what became of a file: its mode and its object, before and after.
type change struct{ path, from, to string }

// steps returns the commits from one to another by their first parents, the
// oldest first, or none when they are too many. They may be limited to those
// that touch paths. What cannot be read, as in a partial clone, is none.
func (g *Git) steps(ctx context.Context, dir, from, to string, paths ...string) ([]step, error) {
	args := []string{
		"log", "-z", "--first-parent", "--diff-merges=first-parent", "--reverse", "--format=%H",
		"--max-count=" + strconv.Itoa(landedCommits+1), "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-notes",
		"--no-follow", "--no-relative", "--ignore-submodules=dirty", "--end-of-options", from + ".." + to, "--",
	}
	for _, p := range paths {
		args = append(args, ":(top,literal)"+p)
	}
	out, err := g.read(ctx, dir, args...)
	if err != nil {
		return nil, ctx.Err()
	}
	steps := parse(out)
	if len(steps) > landedCommits {
		return nil, nil
	}
	return steps, nil
}

// parse reads commits and what each changed, with --raw and -z. Changes that
// stand behind no commit are those of a step without one.
func parse(out []byte) []step {
	var steps []step
	words := strings.Split(string(out), "\x00")
	for i := 0; i < len(words); i++ {
		// Such as ":100644 100644 <object> <object> M", and behind it the path.
		f := strings.Fields(words[i])
		switch {
		case len(f) == 5 && i+1 < len(words):
			i++
			if len(steps) == 0 {
				steps = append(steps, step{})
			}
			s := &steps[len(steps)-1]
			s.changes = append(s.changes, change{path: words[i], from: f[0][1:] + " " + f[2], to: f[1] + " " + f[3]})
		case len(f) == 1:
			steps = append(steps, step{commit: f[0]})
		}
	}
	return steps
}
