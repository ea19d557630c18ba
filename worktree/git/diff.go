package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aside/session"
	"aside/worktree"
)

const (
	untrackedMost = 2000     // untracked files of a diff
	comparedLimit = 1 << 20  // bytes of a file whose lines are compared
	patchLimit    = 32 << 20 // bytes of a whole diff, above which no file has lines
)

// Diff compares the files of the checkout that dir is in with a base: a full
// commit id, or "" for HEAD. What is committed since, what is not, and
// untracked files that are not ignored are all in it. Nothing is written to
// the repository. Errors are a session.Error, or the context's.
func (g *Git) Diff(ctx context.Context, dir, base string) (worktree.Diff, error) {
	var d worktree.Diff
	err := g.compare(ctx, dir, base, func(c *comparison) error {
		d.Base, d.LeftOut = c.base, c.leftOut
		var err error
		d.Files, err = c.files(ctx)
		return err
	})
	return d, failed("The changes could not be read", "", err)
}

// Patch is Diff as text for patch(1) and for reading, in Git's own form.
func (g *Git) Patch(ctx context.Context, dir, base string) ([]byte, error) {
	var text []byte
	err := g.compare(ctx, dir, base, func(c *comparison) error {
		var err error
		text, err = c.run(ctx, outputLimit, patch()...)
		return err
	})
	if errors.Is(err, errTooMuch) {
		err = &session.Error{
			Code: session.CodeFailed, Message: fmt.Sprintf("The changes are more than %d MiB of text", outputLimit>>20),
			Hint: "Run git diff in " + plain(dir),
		}
	}
	return text, failed("The changes could not be read", "", err)
}

// Tally counts what Diff would show.
func (g *Git) Tally(ctx context.Context, dir, base string) (worktree.Tally, error) {
	var t worktree.Tally
	err := g.compare(ctx, dir, base, func(c *comparison) error {
		t.Branch = c.branch
		out, err := c.run(ctx, outputLimit, "--numstat", "-z")
		if err != nil {
			return err
		}
		for line := range strings.SplitSeq(string(out), "\x00") {
			added, rest, ok := strings.Cut(line, "\t")
			if !ok {
				continue // the two paths of a rename
			}
			deleted, _, _ := strings.Cut(rest, "\t")
			t.Files++
			// A binary file has dashes for numbers, which count as nothing.
			n, _ := strconv.Atoi(added)
			t.Added += n
			n, _ = strconv.Atoi(deleted)
			t.Deleted += n
		}
		t.Files += c.leftOut
		return nil
	})
	return t, failed("The changes could not be counted", "", err)
}

// comparison is of a checkout with a base, by an index of its own.
type comparison struct {
	git     *Git
	top     string
	base    string // a commit or tree
	branch  string
	env     []string
	nested  []string // repositories within the checkout that it does not know
	leftOut int
}

// compare prepares a comparison. It takes a copy of the index and puts the
// untracked files in, so that Git sees them, renames included, and writes
// nothing to the repository.
func (g *Git) compare(ctx context.Context, dir, base string, do func(*comparison) error) error {
	in, err := g.locate(ctx, dir)
	if err != nil {
		return err
	}
	if in.Top == "" {
		return &session.Error{Code: session.CodeFailed, Message: "The folder " + plain(dir) + " is not in a Git work tree"}
	}
	c := &comparison{git: g, top: in.Top}
	if c.branch, err = g.line(ctx, in.Top, "symbolic-ref", "--quiet", "--short", "HEAD"); err != nil && !isStatus(err, 1) {
		return err
	}
	if c.base, err = g.tree(ctx, in.Top, base); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "aside-index-")
	if err != nil {
		return fmt.Errorf("make folder for an index: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if err := c.prepare(ctx, filepath.Join(scratch, "index")); err != nil {
		return err
	}
	return do(c)
}

// tree returns the commit to compare with, and where there is none the empty
// tree.
func (g *Git) tree(ctx context.Context, dir, base string) (string, error) {
	name := base
	if name == "" {
		name = "HEAD"
	}
	commit, err := g.line(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	switch {
	case err == nil:
		return commit, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case base != "":
		return "", &session.Error{Code: session.CodeNotFound, Message: "There is no commit " + plain(base), Cause: err}
	}
	return g.line(ctx, dir, "hash-object", "-t", "tree", "--stdin")
}

func (c *comparison) prepare(ctx context.Context, index string) error {
	own, err := c.git.line(ctx, c.top, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return err
	}
	if err := copyFile(own, index); ifThere(err) != nil {
		return fmt.Errorf("copy index: %w", err)
	}
	c.env = []string{"GIT_INDEX_FILE=" + index}
	out, err := c.git.read(ctx, c.top, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	// The content that an entry claims does not count: its time is none, so
	// that the file itself is read.
	var entries bytes.Buffer
	n := 0
	for path := range strings.SplitSeq(string(out), "\x00") {
		switch {
		case path == "":
		case strings.HasSuffix(path, "/"):
			c.nested = append(c.nested, strings.TrimSuffix(path, "/"))
		case n == untrackedMost:
			c.leftOut++
		default:
			n++
			fmt.Fprintf(&entries, "100644 %s\t%s\x00", strings.Repeat("1", len(c.base)), path)
		}
	}
	if n == 0 {
		return nil
	}
	_, err = c.git.run(ctx, call{
		dir: c.top, args: []string{"update-index", "-z", "--add", "--replace", "--index-info"}, env: c.env, stdin: &entries,
	})
	return err
}

// patch asks git diff for lines, with as many around them as is usual.
func patch(more ...string) []string {
	return append(more, "--patch", "--unified=3", "--inter-hunk-context=0")
}

// run runs git diff so that its output depends on the files alone.
func (c *comparison) run(ctx context.Context, limit int, what ...string) ([]byte, error) {
	args := append(append([]string{"diff"}, what...),
		"--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "-O/dev/null",
		"--find-renames", "--full-index", "--submodule=short", "--ignore-submodules=dirty",
		"--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", c.base, "--")
	return c.git.run(ctx, call{dir: c.top, args: args, env: c.env, limit: limit, config: []string{
		"core.quotePath=true", "diff.autoRefreshIndex=true", "diff.suppressBlankEmpty=false",
		"core.bigFileThreshold=" + strconv.Itoa(comparedLimit),
	}})
}

// files returns the files of the diff.
func (c *comparison) files(ctx context.Context) ([]worktree.FileDiff, error) {
	out, err := c.run(ctx, patchLimit, patch("--raw")...)
	cut := errors.Is(err, errTooMuch)
	if cut {
		out, err = c.run(ctx, outputLimit, "--raw")
	}
	if err != nil {
		return nil, err
	}
	all, err := parseDiff(out)
	if err != nil {
		return nil, err
	}
	for i := range all {
		f := &all[i]
		f.Cut = f.Cut || cut
		if f.Binary {
			f.Large = c.large(ctx, *f)
		}
	}
	for _, path := range c.nested {
		all = append(all, worktree.FileDiff{Path: path, Status: worktree.FileAdded, NewMode: "160000"})
	}
	return all, nil
}

// large says whether a file is not compared for its size.
func (c *comparison) large(ctx context.Context, f worktree.FileDiff) bool {
	if info, err := os.Lstat(filepath.Join(c.top, f.Path)); err == nil && info.Size() > comparedLimit {
		return true
	}
	path := f.Path
	if f.Old != "" {
		path = f.Old
	}
	if f.OldMode == "" {
		return false
	}
	size, err := c.git.line(ctx, c.top, "cat-file", "-s", c.base+":"+path)
	n, _ := strconv.Atoi(size)
	return err == nil && n > comparedLimit
}
